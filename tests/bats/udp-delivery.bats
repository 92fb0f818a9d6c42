#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Datagrams reach the endpoint that Linux chooses, of whichever kind

load common
load streams

setup() {
	require_modules udp
}

@test "native sockets, STREAMS sockets and streams that share ports: the right one gets each of 100,000 datagrams" {
	local before
	before=$(counter udp_direct)
	run -0 helper udp-delivery random
	echo "$output"
	# Those that meet without IP are among them.
	[[ $output =~ ([0-9]+)" cases" ]]
	[ "$(counter udp_direct)" -gt $((before + BASH_REMATCH[1] / 50)) ]
}
