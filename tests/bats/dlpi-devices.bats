#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Data links of devices that change, have nodes, or take no frames
#
# bats file_tags=longdebug

load common
load streams
load netns
load dlpi

# with_links NAMES: the module with nodes for these devices
with_links() {
	until_true unloaded strdlpi
	modprobe strdlpi links="$1"
}

@test "style 1: /dev/streams/net/NAME is the device of that name in the opener's namespace" {
	with_links veth-left,lo,nothing0
	left dlpi-devices named
	until_true unloaded strdlpi
	[ ! -e /dev/streams/net/lo ]
}

@test "a name that no device can have is EINVAL, one that there is twice has one node" {
	until_true unloaded strdlpi
	run -1 modprobe strdlpi links=lo,a/b
	! loaded strdlpi
	modprobe strdlpi links=lo,lo
	[ -c /dev/streams/net/lo ]
	[ -c /dev/streams/dlpi ]
	until_true unloaded strdlpi
}

@test "DL_INFO_REQ of high priority is answered while a device takes no frames" {
	needs tc
	modprobe sch_tbf 2>/dev/null || true
	left dlpi-devices blocked
}

@test "devices down and up, renamed, moved to another namespace and deleted under traffic" {
	left dlpi-devices changes
}

@test "endpoints and modules come and go under traffic" {
	require_loaded pfmod
	left dlpi-devices endpoints
}
