#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# libdlpi, between two network namespaces that a veth joins
#
# bats file_tags=longdebug

load common
load streams
load netns
load dlpi

@test "dlpi_open, dlpi_close, dlpi_linkname: links that there are, and are not" {
	left dlpi-library handle
}

@test "dlpi_bind, dlpi_info, dlpi_get_physaddr, dlpi_set_physaddr" {
	left dlpi-library info
}

@test "dlpi_send and dlpi_recv: addresses, timeouts, frames cut short, a link that is gone" {
	left dlpi-library data
}

@test "dlpi_enabmulti, dlpi_promiscon" {
	left dlpi-library groups
}

@test "DLPI_RAW and DLPI_NATIVE" {
	left dlpi-library raw
}

@test "dlpi_enabnotify: the link comes up, is lost, has another MTU" {
	left dlpi-library notify
}

@test "dlpi_walk, dlpi_parselink, dlpi_makelink, dlpi_strerror, dlpi_mactype" {
	left dlpi-library names
}

@test "the examples: ARP by libdlpi, ping by primitives" {
	local hw
	in_left() { timeout 300 ip netns exec left "$@"; }
	hw=$(ip -n right link show veth-right | sed -n 's/.*link.ether \([0-9a-f:]*\).*/\1/p')
	run -0 in_left "$STRSOCK_BUILD/examples/dlpi/arp" veth-left 192.0.2.1 192.0.2.2
	[ "$output" = "192.0.2.2 is at $hw" ]
	run -0 in_left "$STRSOCK_BUILD/examples/dlpi/ping" veth-left 192.0.2.1 192.0.2.2 "$hw"
	[ "$output" = "192.0.2.2 answers" ]
	run -1 in_left "$STRSOCK_BUILD/examples/dlpi/arp" nothing 192.0.2.1 192.0.2.2
	[[ $output == *"No such link" ]]
}
