#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# STREAMS sockets of UDP: a program sees the same as on a native one
#
# Each case prints its calls with their results. It runs with either end native
# or STREAMS, and its output is compared with the native run.
#
# bats file_tags=longdebug,oldest

load common
load streams
load udp

setup() {
	require_modules udp
}

calls() {
	same udp-calls "$1"
}

options() {
	same udp-options "$1"
}

@test "a fresh socket looks like a native one: type, domain, protocol, flags, poll, errors" {
	calls fresh
}

@test "datagrams of 0 to 65,507 bytes arrive whole, both ways, with their sender's name" {
	calls data
}

@test "sendmsg gathers, recvmsg scatters; read and write on a connected socket" {
	calls scattered
}

@test "short buffers: MSG_PEEK, MSG_TRUNC, msg_flags, zero lengths, bad pointers" {
	calls short
}

@test "SO_PEEK_OFF moves with peeking and taking" {
	calls peek-offset
}

@test "errors of sendto: EDESTADDRREQ, EINVAL, EAFNOSUPPORT, EMSGSIZE, EFAULT, EACCES, EPIPE" {
	calls send-errors
}

@test "connect, reconnect, AF_UNSPEC, getsockname, getpeername, binding by itself" {
	calls names
}

@test "bind: EADDRINUSE both ways, EADDRNOTAVAIL, SO_REUSEADDR, SO_REUSEPORT" {
	calls bind
}

@test "waiting: MSG_DONTWAIT, SO_RCVTIMEO, poll, a reader woken, a signal" {
	calls waiting
}

@test "epoll, edge-triggered" {
	calls epoll
}

@test "each datagram sent is an edge for the sender's pollers, through IP or directly" {
	calls edges-of-sending
}

@test "sendmmsg and recvmmsg, partly failing, and with a timeout" {
	calls many-at-once
}

@test "FIONREAD, SIOCOUTQ, and ioctls that sockets do not have" {
	calls ioctls
}

@test "a full receive buffer holds as many datagrams as a native one" {
	calls overflow
}

@test "dup, fork, sendfile" {
	calls sharing
}

@test "every option of SOL_SOCKET, IP and UDP gives and takes the same values" {
	options options
}

@test "control messages received: IP_PKTINFO, IP_RECVTTL, IP_RECVTOS, timestamps, truncated" {
	options control
}

@test "IP_CHECKSUM, set late: returns a checksum that a look has computed, not one that receiving has" {
	options sums
}

@test "control messages sent: IP_PKTINFO, IP_TTL, IP_TOS, bad ones" {
	options send-control
}

@test "a closed port gives ECONNREFUSED to a connected socket, once, and SO_ERROR" {
	options refused
}

@test "IP_RECVERR: the error queue reports ICMP errors, and datagrams that were too large" {
	options error-queue
}

@test "multicast: joining, leaving, loop, ttl, several members" {
	options multicast
}

@test "MSG_MORE and UDP_CORK make one datagram of many" {
	options cork
}

@test "UDP_SEGMENT and UDP_GRO" {
	options segments
}

@test "SO_ATTACH_FILTER drops and cuts" {
	options filter
}

@test "SO_NO_CHECK" {
	options checksum
}

@test "IP_TRANSPARENT, cleared again: the next datagram is refused" {
	options transparent
}

@test "SO_RXQ_OVFL and SO_MEMINFO count dropped and waiting datagrams" {
	options drops
}

@test "datagrams are counted, and an open socket is listed with its port" {
	local sent received
	sent=$(counter udp_messages_sent)
	received=$(counter udp_messages_received)
	"$HELPERS/udp-calls" data $STREAMS $STREAMS >/dev/null
	[ "$(($(counter udp_messages_sent) - sent))" -eq 46 ]
	[ "$(($(counter udp_messages_received) - received))" -eq 46 ]
	run -0 python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 253)
s.bind(("127.0.0.1", 0))
port = s.getsockname()[1]
line = [l for l in open("/proc/streams/open") if " port=%d " % port in l]
assert len(line) == 1 and line[0].startswith("kind=udp "), line
assert any(":%04X " % port in l for l in open("/proc/net/udp"))
'
}

@test "the kernel's counters of UDP count the same" {
	# counted PROGRAM CASE PROTOCOL: by a network of its own
	counted() {
		unshare -n bash -c 'ip link set lo up && "$0" "$1" "$2" "$2" >/dev/null 2>&1
			while read -r line; do
				[[ $line != Udp:* ]] || echo "$line"
			done </proc/net/snmp' "$HELPERS/$1" "$2" "$3"
	}
	local case native
	for case in "udp-calls data" "udp-calls overflow" "udp-calls short" \
		"udp-options refused" "udp-options filter" "udp-options drops"; do
		# shellcheck disable=SC2086
		native=$(counted $case $NATIVE)
		[[ $native == *Udp:*Udp:* ]]
		[ "$native" = "$(counted $case $STREAMS)" ]
	done
}

@test "the module is not unloaded while a socket is open" {
	until_true unloaded strinet
	run python3 -c '
import socket, subprocess, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 253)
sys.exit(subprocess.call(["rmmod", "strsock"]))
'
	[ "$status" -ne 0 ]
	[[ $output == *"in use"* ]]
}
