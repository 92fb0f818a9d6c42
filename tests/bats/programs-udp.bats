#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Unmodified programs speak UDP under strsock as they do natively: clients and
# servers, each end native or STREAMS.
#
# STRSOCK_TEST_DATAGRAMS	how many Python echoes in the long run (100,000)
#
# Programs more than kernel: under the debug kernel they take many minutes.
# bats file_tags=longdebug

load common
load clients

PORT=7007
KIND=udp
on_streams=(strsock --require)

setup() {
	require_modules udp
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	kill "${servers[@]}" 2>/dev/null || true
}

# The kernel's counters of all UDP: received, dropped, and sent
udp_total() {
	local counts
	mapfile -t counts </proc/net/snmp
	printf '%s\n' "${counts[@]}" | sed -nE 's/^Udp: ([0-9]+) [0-9]+ ([0-9]+) ([0-9]+) .*/\1 \2 \3/p'
}

udp_on_streams() {
	sum_of udp_messages_sent udp_messages_received
}

before_run() {
	unread=0
	read -r received_before dropped_before sent_before < <(udp_total)
	streams_before=$(udp_on_streams)
}

# accounted ENDS: since before_run no datagram was dropped, every one sent was
# received, except $unread at most that their program ended without having
# read, and each was counted by STREAMS once for each of its ends that is meant
# to be there. More than one datagram was sent each way, so no one-sided count
# adds up to the same.
accounted() {
	local ends=$1 received dropped sent streams
	read -r received dropped sent < <(udp_total)
	received=$((received - received_before)) sent=$((sent - sent_before))
	dropped=$((dropped - dropped_before))
	streams=$(($(udp_on_streams) - streams_before))
	echo "$sent datagrams sent, $received received, $dropped dropped;" \
		"$streams ends of $ends each on STREAMS"
	[ "$dropped" -eq 0 ] && [ "$sent" -gt 1 ] && [ "$received" -le "$sent" ] &&
		[ $((sent - received)) -le "$unread" ] &&
		[ "$streams" -ge $((ends * received)) ] &&
		[ "$streams" -le $((ends * sent)) ]
}

after_run() {
	accounted "$1"
	rm -rf ./*
}

# lossless FILE: iperf3's account of a run
lossless() {
	python3 -c '
import json, sys
end = json.load(sys.stdin)["end"]["sum"]
print(end["packets"], "packets,", end["lost_packets"], "lost,", end["bytes"], "bytes")
sys.exit(not (end["packets"] > 100 and end["lost_packets"] == 0 and
              end["bytes"] >= 500 * end["packets"]))' <"$1"
}

# iperf [-R]
iperf() {
	# Its receiver stops when TCP tells it to, which on a busy machine overtakes
	# all datagrams that it has not read by then.
	unread=150
	# It binds its port for UDP when its client has come by TCP.
	started iperf3 -s -1 -B 127.0.0.1 -p $PORT >server.out 2>&1
	has_port tcp
	# No more than the receiver's buffer holds, if it is not read at all meanwhile
	client iperf3 -u -c 127.0.0.1 -p $PORT -b 1M -l 500 -w 208K -k 151 -J "$@" >client.json
	wait "${servers[@]}"
	servers=()
	lossless client.json
}

iperf_reverse() {
	iperf -R
}

@test "iperf3 -u, client to server" {
	needs iperf3
	in_all_combinations iperf
}

@test "iperf3 -u -R, server to client" {
	needs iperf3
	in_all_combinations iperf_reverse
}

@test "socat: a file to UDP-RECV" {
	needs socat
	file_one_way() {
		head -c 98304 /dev/urandom >file
		server socat -u -b 4096 UDP4-RECV:$PORT,bind=127.0.0.1,readbytes=98304 CREATE:copy
		client socat -u -b 4096 FILE:file UDP4-SENDTO:127.0.0.1:$PORT
		wait "${servers[@]}"
		cmp file copy
	}
	in_all_combinations file_one_way
}

@test "socat: a file through UDP-LISTEN and cat, and back" {
	needs socat
	file_and_back() {
		head -c 98304 /dev/urandom >file
		server socat -t 60 -b 4096 \
			UDP4-LISTEN:$PORT,bind=127.0.0.1,readbytes=98304 EXEC:cat
		client socat -t 60 -b 4096 STDIO \
			UDP4:127.0.0.1:$PORT,readbytes=98304 <file >copy
		wait "${servers[@]}"
		cmp file copy
	}
	in_all_combinations file_and_back
}

@test "nc -u: a conversation" {
	needs nc
	conversation() {
		local line answer
		# The server's standard output is its input.
		mkfifo loop
		server bash -c "exec nc -u -l 127.0.0.1 $PORT <>loop >&0"
		under "$client_on"
		coproc asking { exec "${launcher[@]}" nc -u 127.0.0.1 $PORT; }
		servers+=("$asking_PID")
		for line in $(seq 1000 1020) "$(printf '%08000d' 7)"; do
			echo "$line" >&"${asking[1]}"
			read -r -t 300 answer <&"${asking[0]}"
			[ "$answer" = "$line" ]
		done
	}
	in_all_combinations conversation
}

@test "dnsmasq serves dig, answers of many sizes" {
	needs dnsmasq dig
	names() {
		local text number size
		text=$(printf '%0250d' 1 | tr 0 t)
		server dnsmasq --conf-file=/dev/null --keep-in-foreground --user=root \
			--pid-file= --port=$PORT --listen-address=127.0.0.1 \
			--bind-interfaces --no-resolv --no-hosts --edns-packet-max=4096 \
			--address=/streams.test/192.0.2.1 --txt-record=about.test,"System V" \
			--txt-record=large.test,"$text,$text,$text,$text,$text,$text,$text,$text,$text,$text,$text,$text"
		ask() {
			client dig @127.0.0.1 -p $PORT +notcp +ignore +tries=1 +time=280 \
				+noall +comments +answer "$@" >answer
			grep -q 'status: NOERROR' answer
		}
		for number in 1 2 3; do
			ask "host$number.streams.test" A
			grep -q "^host$number.streams.test.*192.0.2.1$" answer
		done
		ask about.test TXT
		grep -q '"System V"' answer
		# Whole by EDNS, and without it cut off.
		ask large.test TXT +bufsize=4096
		[ "$(grep -o "\"$text\"" answer | wc -l)" -eq 12 ]
		ask large.test TXT +noedns
		grep -q 'flags:.* tc ' answer
	}
	in_all_combinations names
}

@test "chronyd tells chronyd the time" {
	needs chronyd
	time_of_day() {
		printf '%s\n' "port $PORT" "cmdport 0" "bindcmdaddress /" "pidfile $PWD/server.pid" \
			"local stratum 1" "bindaddress 127.0.0.1" "allow 127.0.0.1" \
			"user root" >server.conf
		server chronyd -x -d -f "$PWD/server.conf" 2>server.err
		# Measures, says what it would do to the clock, and leaves that alone.
		# However slow the answers are, they are believed.
		client chronyd -Q -f /dev/null -t 280 "cmdport 0" "bindcmdaddress /" \
			"pidfile $PWD/client.pid" "user root" "maxdistance 100" \
			"server 127.0.0.1 port $PORT iburst maxdelay 100" 2>client.err
		cat client.err
		# One clock is both ends'.
		grep -qE 'System clock wrong by -?[0-9]{1,2}\.[0-9]+ seconds' client.err
	}
	in_all_combinations time_of_day
}

@test "tftp fetches a file from dnsmasq" {
	needs dnsmasq atftp
	file_by_tftp() {
		mkdir root
		head -c 1100007 /dev/urandom >root/file
		PORT=69 server dnsmasq --conf-file=/dev/null --keep-in-foreground \
			--user=root --pid-file= --port=0 --listen-address=127.0.0.1 \
			--bind-interfaces --enable-tftp --tftp-root="$PWD/root"
		client atftp --option "blksize 1428" --get -r file -l file 127.0.0.1 69
		cmp root/file file
	}
	in_all_combinations file_by_tftp
}

# echoed COUNT
echoed() {
	server python3 "$STRSOCK_SRC/tests/helpers/socket/udp-echo.py" server $PORT
	client python3 "$STRSOCK_SRC/tests/helpers/socket/udp-echo.py" client $PORT "$1" >out
	[ "$(cat out)" = "$1 of $1 datagrams came back whole" ]
}

@test "Python's asyncio: datagrams echoed" {
	some() {
		echoed 1000
	}
	in_all_combinations some
}

# bats test_tags=slow
@test "Python's asyncio: 100,000 datagrams echoed with both ends on STREAMS, a fifth with one" {
	local count=${STRSOCK_TEST_DATAGRAMS:-100000}
	many() {
		echoed "$count"
	}
	in_combination many streams streams
	count=$((count / 5))
	in_combination many native streams
	in_combination many streams native
}
