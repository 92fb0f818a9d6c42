#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# /dev/streams/udp when the device below takes nothing for a while
#
# bats file_tags=longdebug,smp

load common
load streams
load netns

setup() {
	[ -c /dev/streams/udp ] || [ "$STRSOCK_IN_VM" = 1 ] ||
		skip "needs STREAMS modules: strudp"
	add_namespaces
	# No other task sends: packets that IPv6 sends by itself, on another
	# processor, let packets out of the queue there, past those that this one
	# has let out.
	ip netns exec left sysctl -q net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
	ip netns exec right sysctl -q net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
	join_namespaces
	# A task with an address of the other end gets no answer, and waits for
	# one.
	ip -n right link set veth-right arp off
	ip netns exec left sysctl -q net.ipv4.neigh.veth-left.retrans_time_ms=600000 \
		net.ipv4.neigh.veth-left.unres_qlen_bytes=4194304
	ip -n left link set veth-left up
	ip -n right link set veth-right up
	FAR_END=$(ip netns exec right cat /sys/class/net/veth-right/address)
	export FAR_END
}

teardown() {
	remove_namespaces
}

flow() {
	run timeout 300 ip netns exec left "$HELPERS/udp-tpi-flow" "$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

users_of_strudp() {
	echo "$(</sys/module/strudp/refcnt)"
}

used_as_before() {
	[ "$(users_of_strudp)" -eq "$users" ]
}

@test "a full send buffer: EAGAIN, not writable, a blocked putmsg continues; nothing is lost" {
	flow buffer-full
}

@test "a slow device: no datagram lost or out of order" {
	ip netns exec left tc qdisc add dev veth-left root tbf rate 2mbit burst 4k limit 4mb ||
		skip "this kernel has no tbf"
	flow slow
}

@test "a stream closed with datagrams waiting leaves nothing behind" {
	local users before
	users=$(users_of_strudp)
	before=$(slab)
	flow closing
	# The packets that wait hold their sockets, and these the module.
	[ "$(users_of_strudp)" -gt "$users" ]
	ip -n left link del veth-left
	until_true used_as_before
	# 6 MiB were waiting.
	until_true slab_at_most $((before + 2048))
	run ! grep -q '^kind=udp ' /proc/streams/open
}
