#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Endpoints of /dev/streams/tcp and tcp6 in TCP's short way: they receive the same from a
# socket or an endpoint of this host as from a native socket, whose bytes pass by TCP

load common
load streams
load udp

NATIVE=6
# The protocol by which the helper makes an endpoint
ENDPOINT=-1

setup() {
	require_modules udp
}

# alike CASE: the same is printed with each peer, over IPv4, IPv6 and IPv4 as IPv6 spells it.
alike() {
	local spelling peer native got
	for spelling in inet inet6 mapped; do
		native=$("$HELPERS/tcp-endpoints" "$1" $ENDPOINT $NATIVE $spelling)
		[ -n "$native" ]
		for peer in $STREAMS $ENDPOINT; do
			got=$("$HELPERS/tcp-endpoints" "$1" $ENDPOINT $peer $spelling) ||
				got+=" exit status $?"
			[ "$got" = "$native" ] || {
				echo "$spelling, peer $peer:"
				diff <(echo "$native") <(echo "$got")
				return 1
			}
		done
	done
}

@test "an orderly release comes behind the last byte, and the endpoint still sends" {
	alike ends
}

@test "an endpoint that is closed with unread bytes resets its peer" {
	alike unread
}

@test "an abortive release of the peer is indicated, and the endpoint is idle" {
	alike aborted
}

@test "the bytes of a peer that was killed are read, and then its orderly release" {
	alike killed
}

@test "urgent data is indicated in its place, and the bytes around it are not" {
	alike urgent
}

@test "an endpoint that does not read stops its peer, which continues when it does" {
	alike flow
}

@test "getmsg() with a small buffer reads a message in parts" {
	alike small
}

@test "poll() and t_look() report bytes until they are read" {
	alike looks
}

@test "a task that sleeps in getmsg() is woken by each message" {
	alike sleeper
}

@test "modules above an endpoint pass its data, and tirdwr makes a stream of bytes of it" {
	alike modules
}

@test "bytes that were sent with T_MORE arrive before those behind them" {
	alike more
}

# direct PEER: how many messages have passed the short way in one case
direct() {
	local before
	before=$(counter tcp_direct)
	"$HELPERS/tcp-endpoints" looks $ENDPOINT "$1" >/dev/null
	echo $(($(counter tcp_direct) - before))
}

@test "the bytes of sockets and endpoints pass the short way to an endpoint, and those of native sockets do not" {
	[ "$EUID" -eq 0 ] || skip "needs root, for the counters"
	[ "$(direct $ENDPOINT)" -ge 3 ]
	[ "$(direct $STREAMS)" -ge 3 ]
	[ "$(direct $NATIVE)" -eq 0 ]
}

@test "a packet socket sees the bytes that are sent to an endpoint" {
	[ "$EUID" -eq 0 ] || skip "needs root, for a packet socket"
	python3 -c '
import socket, subprocess, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)); s.settimeout(60)
subprocess.check_call(sys.argv[1:], stdout=subprocess.DEVNULL)
seen = 0
while seen < 3: seen += s.recv(70000).endswith(b"text")
' "$HELPERS/tcp-endpoints" looks $ENDPOINT $ENDPOINT
	python3 -c '
import socket, time
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
print("open", flush=True); time.sleep(1000)
' >observing &
	until_true grep -q open observing
	[ "$(direct $ENDPOINT)" -eq 0 ]
	kill $!
	wait $! || :
}

@test "an endpoint's socket is in no list of sockets, and its bytes are counted once" {
	[ "$EUID" -eq 0 ] || skip "needs root, for the counters"
	local before after
	before=$(counter tcp_opened; counter tcp_messages_sent; counter tcp_messages_received)
	"$HELPERS/tcp-endpoints" looks $ENDPOINT $ENDPOINT >/dev/null
	after=$(counter tcp_opened; counter tcp_messages_sent; counter tcp_messages_received)
	[ "$before" = "$after" ]
}
