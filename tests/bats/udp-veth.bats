#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# UDP between two network namespaces, over a veth of 1500 bytes: with fragments, and
# checksums that the device leaves to us, which loopback does not have.
#
# bats file_tags=longdebug

load common
load netns

setup() {
	require_modules udp
	add_namespaces
	join_namespaces
	ip -n left link set veth-left up
	ip -n right link set veth-right up
	[ ! -e /proc/net/udp6 ] || {
		ip -n left addr add fd00::1/64 dev veth-left nodad
		ip -n right addr add fd00::2/64 dev veth-right nodad
	}
}

teardown() {
	[ -z "${server:-}" ] || kill "$server" || true
	remove_namespaces
}

# Its port is bound; or it has ended, which the client will see.
has_server() {
	[ -n "$(ip netns exec right ss -Huln 'sport = :7007')" ] || ! kill -0 "$server"
}

# echoed_at ADDRESS CLIENT-PROTOCOL SERVER-PROTOCOL
echoed_at() {
	local size sizes="1 1452 1453 1472 1473 9000 60000 65507 1 1000 1452 1472 1453" address=$1
	shift
	local program=$STRSOCK_SRC/tests/helpers/socket/udp-veth.py
	python3 "$program" right "$address" server "$2" 3>&- &
	server=$!
	# Asked before, it would refuse: six times at once, then the limit on ICMP
	# errors makes silence of it.
	until_true has_server
	run -0 python3 "$program" left "$address" client "$1" $sizes
	[ "$output" = "$(for size in $sizes; do echo "$size same"; done)" ]
	kill "$server"
	wait "$server" || true
	server=
}

# echoed CLIENT-PROTOCOL SERVER-PROTOCOL: over IPv4 and IPv6
echoed() {
	echoed_at 192.0.2.2 "$@"
	[ ! -e /proc/net/udp6 ] || echoed_at fd00::2 "$@"
}

# Every checksum is then computed in software.
no_offload() {
	ip netns exec left ethtool -K veth-left tx off >/dev/null
	ip netns exec right ethtool -K veth-right tx off >/dev/null
}

@test "a STREAMS client of a STREAMS server, whole and in fragments" {
	echoed 253 253
}

@test "a STREAMS client of a native server" {
	echoed 253 17
}

@test "a native client of a STREAMS server" {
	echoed 17 253
}

@test "without checksum offload" {
	no_offload
	echoed 253 253
}

@test "namespaces of the names that these tests use are left alone where others made them" {
	remove_namespaces
	ip netns add left
	if add_namespaces; then false; fi
	remove_namespaces
	ip netns del left
}

@test "no socket at the other end's port: ECONNREFUSED" {
	run -0 ip netns exec left python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 253)
s.settimeout(10)
s.connect(("192.0.2.2", 7008))
s.send(b"x")
try:
    s.recv(1)
except ConnectionRefusedError:
    print("refused")'
	[ "$output" = refused ]
}
