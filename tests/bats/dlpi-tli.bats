#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# tlidlpi, the module by which XTI's datagrams are frames of a data link
#
# bats file_tags=longdebug

load common
load streams
load netns
load dlpi

@test "datagrams of 1 to 1,500 bytes between hosts, without IP: each is one frame" {
	left dlpi-tli echo
}

@test "t_getinfo, t_getprotaddr and the state are as the data link has them" {
	left dlpi-tli info
}

@test "t_bind fails for an address other than a SAP, for none, and for one that there is not" {
	left dlpi-tli bind-errors
}

@test "t_rcvuderr reports a datagram that was not sent, with its destination and reason" {
	left dlpi-tli uderror
}

@test "t_open of a device's node, with the module by autopush" {
	until_true unloaded strdlpi
	modprobe strdlpi links=veth-left
	node=/dev/streams/net/veth-left
	autopush -f /dev/stdin <<<"$((0x$(stat -c %t $node))) $((0x$(stat -c %T $node))) 0 tlidlpi"
	left dlpi-tli open
	until_true unloaded strdlpi
}

@test "malformed primitives are answered by an error, or end the stream" {
	left dlpi-tli malformed
}
