#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# TCP's short way under load: numbered bytes, while the way changes at random

load common
load streams
load udp

setup() {
	require_modules udp
	[ "$EUID" -eq 0 ] || skip "needs root, for a packet socket"
}

# transferred SPELLING [PROTOCOL PROTOCOL]: bytes pass, some of them by TCP and some the
# short way.
transferred() {
	local direct
	direct=$(counter tcp_direct)
	timeout "${STRSOCK_TEST_LIMIT:-300}" "$HELPERS/tcp-transfer" 4 10 1 "$@"
	[ "$(counter tcp_direct)" -gt "$direct" ]
}

@test "no byte is lost, repeated or out of order while an observer is opened and closed: IPv4" {
	transferred inet
}

@test "no byte is lost, repeated or out of order while an observer is opened and closed: IPv6" {
	transferred inet6
}

# The protocol by which the helper makes an endpoint of /dev/streams/tcp or tcp6
ENDPOINT=-1

@test "no byte is lost between an endpoint and a socket while an observer is opened and closed" {
	transferred inet $ENDPOINT $STREAMS
	transferred mapped $STREAMS $ENDPOINT
}

@test "no byte is lost between two endpoints while an observer is opened and closed: IPv4" {
	transferred inet $ENDPOINT $ENDPOINT
}

@test "no byte is lost between two endpoints while an observer is opened and closed: IPv6" {
	transferred inet6 $ENDPOINT $ENDPOINT
}
