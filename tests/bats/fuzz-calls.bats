#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Random calls of several processes and threads, tests/fuzz/machine: each process ends,
# and the kernel has nothing to report. On the debug kernel memory fails too, and the
# calls are guided by what others reached.

load common
load streams

setup() {
	require_modules pipe udp
	require_root
	modprobe -a nullmod bufmod pfmod timod tirdwr strecho strloop strmux strtiloop \
		strinet strdlpi
}

# fuzzes FAMILY
fuzzes() {
	run -0 timeout 280 "$STRSOCK_BUILD/tests/fuzz/bin/calls" --family "$1" --sequences 4
	[[ ${lines[-1]} =~ ^[1-9][0-9]*\ calls,\ 0\ findings$ ]]
}

@test "random calls on pipes" {
	fuzzes pipes
}

@test "random calls on devices" {
	fuzzes devices
}

@test "random calls on transports and data links" {
	fuzzes transports
}

@test "random calls on multiplexors and the devices below them" {
	fuzzes links
}

@test "random calls on sockets" {
	fuzzes sockets
}

@test "random calls on names in a file system" {
	fuzzes names
}
