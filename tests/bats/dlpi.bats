#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The data link provider, between two network namespaces that a veth joins
#
# bats file_tags=longdebug

load common
load streams
load netns
load dlpi

@test "every primitive in every state, and its answer" {
	left dlpi-states table
}

@test "a primitive a byte too short is DL_BADPRIM in every state" {
	left dlpi-states short
}

@test "frames to a station and to all, with their addresses; 1 to 1,500 bytes" {
	left dlpi unitdata
}

@test "DL_UDERROR_IND: too long, empty, a device that is down; data without DLIOCRAW is EPROTO" {
	left dlpi uderror
}

@test "DL_INFO_ACK in each state" {
	left dlpi info
}

@test "an endpoint is given the frames of its SAP, as long as it is bound" {
	left dlpi saps
}

@test "group addresses: those that the endpoint has enabled, at most 64" {
	left dlpi groups
}

@test "promiscuous at each of the three levels, and off" {
	left dlpi promiscuous
}

@test "DLIOCRAW and DLIOCNATIVE: frames with their headers, both ways" {
	left dlpi raw
}

@test "DL_IOC_HDR_INFO: a header built before" {
	left dlpi header
}

@test "LLC: UI, TEST and XID between programs; SAP 0 sees all of IEEE 802.3" {
	left dlpi llc
}

@test "LLC: TEST and XID answered by the provider" {
	left dlpi llc_auto
}

@test "DL_SUBS_BIND_REQ: the protocols of SNAP" {
	left dlpi snap
}

@test "physical addresses and statistics" {
	left dlpi physical
}

@test "DL_NOTIFY_IND: link down and up, MTU, address" {
	left dlpi notify
}

@test "a device renamed, moved to another namespace, deleted: a hangup" {
	left dlpi gone
}

@test "frames for which there is no room are dropped and counted" {
	left dlpi losses
}

@test "all that the buffers may hold is charged to the opener's cgroup" {
	left dlpi-charge opener
}

@test "the receive buffer counts frames with the messages that they are in" {
	left dlpi counted
}

@test "loopback: a frame is shown once" {
	left dlpi loopback
}

@test "it takes CAP_NET_RAW in the owner of the network namespace, and CAP_NET_ADMIN to set an address" {
	left dlpi-frames privileges
}

@test "TCP that a device would segment: frames of at most its MTU, with their checksums" {
	left dlpi-frames segments
}

@test "VLAN tags are in the frames" {
	left dlpi-frames vlan
}

@test "jumbo frames, and those of loopback" {
	left dlpi-frames jumbo
}

@test "a bridge" {
	left dlpi-frames bridge
}

@test "a tunnel without link headers is DL_OTHER" {
	[ -e /dev/net/tun ] || modprobe tun 2>/dev/null || skip "needs tun"
	left dlpi-frames tunnel
}

@test "a tunnel's packets by DLIOCRAW: IP says what it is, of another the binding does" {
	[ -e /dev/net/tun ] || modprobe tun 2>/dev/null || skip "needs tun"
	left dlpi-frames tunnel_raw
}

@test "a device that changes its type: a hangup" {
	[ -e /dev/net/tun ] || modprobe tun 2>/dev/null || skip "needs tun"
	left dlpi-frames retyped
}

@test "random primitives, sizes and offsets harm nothing" {
	left dlpi-malformed random
}
