# SPDX-License-Identifier: GPL-2.0-only
#
# Unmodified clients and servers, each end native or STREAMS. Loaded after common
# by a file that has set
#
# PORT		where the server is
# KIND		tcp or udp: of what it has a socket there
# on_streams	what to put before the command of an end that is to be STREAMS
#
# and has functions before_run, for before either end is started, and after_run
# ENDS, for when both have ended, of which so many were STREAMS.

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

# has_port KIND: wait until there is a socket at the port. It is looked for, not
# asked: the limit on ICMP errors makes silence of refusals.
has_port() {
	until [ -n "$(ss -Hln "--$1" "sport = :$PORT")" ]; do
		kill -0 "${servers[-1]}"
		sleep 0.1
	done
}

# server COMMAND...: in the background, from when its port is there
server() {
	started "$@"
	has_port "$KIND"
	# Whatever of it is on STREAMS is listed with its port.
	local listed=native
	! grep -qE "^kind=$KIND .* port=$PORT( |\$)" /proc/streams/open || listed=streams
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
