#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# UDP over a line that loses, doubles, reorders and damages: the same datagrams arrive at
# STREAMS sockets as at native ones
#
# bats file_tags=longdebug

load common
load netns

setup() {
	require_modules udp
	add_namespaces
	join_namespaces
}

teardown() {
	remove_namespaces
}

# line MTU [NETEM...]: how the line is
line() {
	ip -n left link set veth-left mtu "$1" up
	ip -n right link set veth-right mtu "$1" up
	tc -n left qdisc add dev veth-left root netem limit 10000 "${@:2}"
}

# arrives LARGEST: the datagrams of which some were lost, doubled and late
arrives() {
	run python3 "$STRSOCK_SRC/tests/helpers/socket/udp-netem.py" left right 600 "$1"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output =~ ^"lost "([0-9]+)", twice "([0-9]+)", late "([0-9]+)$ ]]
}

# Of many that are on the line at once some overtake others.
bad=(delay 20ms 10ms loss 10% duplicate 10% reorder 30% corrupt 2%)

@test "a good line: all arrives, once and in order" {
	line 1500
	arrives 4000
	[ "$output" = "lost 0, twice 0, late 0" ]
}

@test "loss, reordering, duplication and damage, MTU 576" {
	line 576 "${bad[@]}"
	arrives 2000
	((BASH_REMATCH[1] && BASH_REMATCH[2] && BASH_REMATCH[3]))
}

@test "loss, reordering, duplication and damage, MTU 1500" {
	line 1500 "${bad[@]}"
	arrives 4000
	((BASH_REMATCH[1] && BASH_REMATCH[2] && BASH_REMATCH[3]))
}

@test "loss, reordering, duplication and damage, MTU 9000" {
	line 9000 "${bad[@]}"
	arrives 20000
	((BASH_REMATCH[1] && BASH_REMATCH[2] && BASH_REMATCH[3]))
}
