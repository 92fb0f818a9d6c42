#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# XTI on the network's transports, with the kernel's own sockets at the other end
#
# bats file_tags=longdebug

load common
load streams
load xti

# on TRANSPORT CASE [MODULE]
on() {
	if [[ $1 == sctp* ]]; then
		# Only the driver has it.
		modprobe sctp 2>/dev/null || skip "the kernel has no SCTP"
		require_loaded strinet
		export XTI_PROVIDER=streams
		timeout "${STRSOCK_TEST_LIMIT:-300}" "$HELPERS/xti-native" "$2" "$1"
		return
	fi
	on_each "${3:-strinet}" xti-native "$2" "$1"
}

bytes() {
	openssl enc -aes-128-ctr -in /dev/zero -K 5 -iv 7 2>/dev/null | head -c "$1M"
}

# passed CASE MIB: all bytes sent are received unchanged
passed() {
	needs openssl
	local provider list
	list=$(providers strinet) || return 1
	bytes "$2" | sha256sum >"$BATS_TEST_TMPDIR/sum"
	for provider in $list; do
		bytes "$2" | XTI_PROVIDER=$provider timeout "${STRSOCK_TEST_LIMIT:-300}" \
			"$HELPERS/xti-native" "$1" | sha256sum >"$BATS_TEST_TMPDIR/got"
		[ "${PIPESTATUS[1]}" -eq 0 ]
		echo "XTI_PROVIDER=$provider"
		cat "$BATS_TEST_TMPDIR"/{sum,got}
		cmp "$BATS_TEST_TMPDIR"/{sum,got}
	done
}

@test "datagrams to a native socket and back, of the native provider" {
	on udp datagrams strudp
}

@test "... of the provider over sockets" {
	on udp_s datagrams
}

@test "TCP: an endpoint calls a native server; data both ways, released by either; again" {
	on tcp client
}

@test "TCP: a native client calls an endpoint; data both ways, released by either" {
	on tcp server
}

@test "SCTP: an endpoint calls a native server" {
	on sctp client
}

@test "SCTP: a native client calls an endpoint" {
	on sctp server
}

@test "SCTP over IPv6: an endpoint calls a native server, a native client an endpoint" {
	on sctp6 client
	on sctp6 server
}

@test "datagrams over IPv6 to a native socket and back" {
	on udp6 datagrams strudp
}

@test "TCP over IPv6: an endpoint calls a native server; data both ways; again" {
	on tcp6 client
}

@test "TCP over IPv6: a native client calls an endpoint; data both ways" {
	on tcp6 server
}

@test "TCP over IPv6: urgent data, an abort, a release behind full buffers, requests" {
	on tcp6 expedited
	on tcp6 abortive
	on tcp6 full
	on tcp6 stalled
}

@test "TCP over IPv6: 200 connections one after the other, 100 that come at once" {
	on tcp6 many
}

@test "bound to ::1 all options of IPv6 have a default, and T_IPV6_V6ONLY is as before afterwards" {
	on_each strudp xti-udp6 defaults_udp
	on_each strinet xti-udp6 defaults_tcp
}

@test "raw IPv6: a request of ICMPv6 and its reply, with the hops that they had" {
	require_root
	on_each strinet xti-udp6 raw
}

@test "urgent data is expedited data, marked, in its place" {
	on tcp expedited
}

@test "a connection that is aborted: the other side gets the reason" {
	on tcp abortive
}

@test "a release behind full buffers loses nothing" {
	on tcp full
}

@test "requests about a connection are answered at once where the peer reads nothing" {
	on tcp stalled
}

@test "a connection that both sides have released is aborted while data is on its way" {
	on tcp releasing
}

@test "200 connections accepted one after the other, 100 that come at once" {
	on tcp many
}

# bats test_tags=slow
@test "2,000 connections accepted one after the other, 500 that come at once" {
	on tcp many_long
}

@test "16 MiB to a native socket arrive whole" {
	passed pass 16
}

@test "16 MiB from a native socket arrive whole" {
	passed pass_back 16
}

# bats test_tags=slow
@test "1 GiB to a native socket arrives whole, and from one" {
	passed pass 1024
	passed pass_back 1024
}
