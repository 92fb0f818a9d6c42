#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# STREAMS sockets of UDP, many at once and at work on two processors
#
# bats file_tags=longdebug,smp

load common
load streams
load udp

setup() {
	require_modules udp
}

busy() {
	same udp-load "$1"
}

@test "1,000 sockets at once" {
	busy thousand
}

@test "datagrams of four senders arrive in order" {
	busy order
}

@test "an echo loses no datagram" {
	busy echo
}

# bats test_tags=slow
@test "100,000 sockets opened and closed leave nothing behind" {
	local before
	"$HELPERS/udp-load" churn $STREAMS $STREAMS >/dev/null
	before=$(slab)
	"$HELPERS/udp-load" churn $STREAMS $STREAMS >/dev/null
	until_true slab_at_most $((before + 4096))
	[ "$(counter udp_opened)" -eq "$(counter udp_closed)" ]
}

@test "a port is opened and closed 500 times under traffic" {
	busy closing
}

# bats test_tags=slow
@test "a port is opened and closed 5,000 times under traffic" {
	STRSOCK_TEST_SCALE=10 busy closing
}
