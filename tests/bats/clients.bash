# SPDX-License-Identifier: GPL-2.0-only
#
# Unmodified clients and servers, each end native or STREAMS. Loaded after common
# by a file that has set
#
# PORT		where the server is
# KIND		tcp or udp: of what it has a socket there
# on_streams	what to put before the command of an end that is to be STREAMS
#
# and has the functions before_run, called before either end is started, and
# after_run ENDS, called when both have ended; ENDS: how many of them were STREAMS.

servers=()

# under streams|native: $launcher is what to put before a command.
under() {
	launcher=()
	[ "$1" = native ] || launcher=("${on_streams[@]}")
}

client() {
	under "$client_on"
	"${launcher[@]}" timeout 300 "$@"
}

# started COMMAND...: a server, in the background
started() {
	under "$server_on"
	"${launcher[@]}" "$@" 3>&- &
	servers+=($!)
}

# bound KIND: there is a socket at the port, unconnected (7) or listening (A); or its
# server has ended, which its client will see
bound() {
	local list all socket address found state=07 port
	[ "$1" = udp ] || state=0A
	printf -v port %04X "$PORT"
	for list in /proc/net/"$1" /proc/net/"$1"6; do
		[ -e "$list" ] || continue
		mapfile -t all <"$list"
		for socket in "${all[@]}"; do
			read -r _ address _ found _ <<<"$socket"
			[[ $address == *:$port && $found == "$state" ]] && return
		done
	done
	! kill -0 "${servers[-1]}"
}

# has_port KIND: wait until it is bound. It is looked for, not asked: the limit on ICMP
# errors makes silence of refusals.
has_port() {
	until_true bound "$1"
}

# server COMMAND...: in the background, from when its port is there
server() {
	started "$@"
	has_port "$KIND"
	# Any socket of it on STREAMS is listed with its port.
	local listed=native
	local nl=$'\n'
	[[ ! $nl$(</proc/streams/open)$nl =~ ${nl}kind=$KIND\ [^$nl]*\ port=${PORT}[\ $nl] ]] || listed=streams
	[ "$listed" = "$server_on" ]
}

# stopped: end the servers; only then do all their sockets' counts stand.
stopped() {
	if [ ${#servers[@]} -gt 0 ]; then
		kill "${servers[@]}" 2>/dev/null || true
		wait "${servers[@]}" || true
	fi
	servers=()
}

# in_combination FUNCTION CLIENT SERVER
in_combination() {
	local ends=0
	client_on=$2 server_on=$3
	echo "$1: $client_on client, $server_on server"
	[ "$client_on" = native ] || ends=$((ends + 1))
	[ "$server_on" = native ] || ends=$((ends + 1))
	before_run
	"$1"
	stopped
	after_run "$ends"
}

in_all_combinations() {
	in_combination "$1" native native
	in_combination "$1" native streams
	in_combination "$1" streams native
	in_combination "$1" streams streams
}
