#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Datagrams of a host to itself: they reach their receiver without the trip through IP if
# that cannot be observed, and only then
#
# bats file_tags=longdebug,smp

load common
load streams

setup() {
	require_modules udp
	export UDP_DIRECT_REPORT=$BATS_TEST_TMPDIR/report
}

# met_by inet|inet6 CASE LINE...: the same results as natively; the phases with direct
# delivery are those.
met_by() {
	local by=$1 case=$2 native=$BATS_TEST_TMPDIR/native streams=$BATS_TEST_TMPDIR/streams
	shift 2
	timeout 300 "$HELPERS/udp-direct" "$case" $NATIVE $NATIVE "$by" >"$native" 2>&1
	[ -s "$native" ]
	run ! grep "cannot go on" "$native"
	rm -f "$UDP_DIRECT_REPORT"
	timeout 300 "$HELPERS/udp-direct" "$case" $STREAMS $STREAMS "$by" >"$streams" 2>&1 ||
		echo "exit status $?" >>"$streams"
	if [ "$(<"$native")" != "$(<"$streams")" ]; then
		diff "$native" "$streams" | head -n 30
		return 1
	fi
	printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/wanted"
	diff "$BATS_TEST_TMPDIR/wanted" "$UDP_DIRECT_REPORT"
}

# met CASE LINE...: over IPv4 and over IPv6
met() {
	met_by inet "$@"
	[ ! -e /proc/net/udp6 ] || met_by inet6 "$@"
}

# needs_working COMMAND: the kernel supports its purpose.
needs_working() {
	unshare -n sh -c "ip link set lo up && $1" >/dev/null 2>&1 ||
		skip "not in this kernel, or no program for it: $1"
}

@test "the counters of IP, of UDP and of the loopback device count the same" {
	met counters "at first: directly" "marked for congestion control: directly"
}

@test "a datagram that is refused: for its destination before its data, counted alike" {
	met refused "at first: directly" "whole again: directly"
}

@test "another socket bound closer, a receiver that connects, closes, reopens: never the wrong one" {
	met rebind "bound to any address: directly" "closed again: directly" \
		"connected to the sender: directly" "another in its place: directly"
}

@test "an address that is removed, the loopback device down or of a small MTU" {
	met routes "at first: directly" "an address of the host: directly" \
		"back again: directly" "up again: directly" \
		"that fit the device: directly"
}

@test "rules of routing hold at once" {
	needs_working "ip rule show"
	met_by inet rules "at first: directly" "local addresses later: directly"
}

@test "rules of routing hold at once over IPv6, where any rule has all datagrams pass through IP" {
	needs_working "ip -6 rule show"
	met_by inet6 rules "at first: directly" "local addresses later: through IP"
}

@test "over IPv6 each datagram takes the route, and the source address, that is chosen then" {
	[ -e /proc/net/udp6 ] || skip "there is no IPv6"
	: >"$UDP_DIRECT_REPORT"
	timeout 300 "$HELPERS/udp-direct" choice $NATIVE $NATIVE inet6 >"$BATS_TEST_TMPDIR/native"
	grep "not any more: by d0, from fd00:a::1" "$BATS_TEST_TMPDIR/native"
	timeout 300 "$HELPERS/udp-direct" choice $STREAMS $STREAMS inet6 |
		diff "$BATS_TEST_TMPDIR/native" -
}

@test "over IPv6 datagrams have the traffic class and the flow label that the kernel would give them" {
	[ -e /proc/net/udp6 ] || skip "there is no IPv6"
	timeout 300 "$HELPERS/udp-direct" labels $NATIVE $NATIVE inet6 >"$BATS_TEST_TMPDIR/native"
	[ "$(grep -c '^0x6' "$BATS_TEST_TMPDIR/native")" -eq 32 ]
	timeout 300 "$HELPERS/udp-direct" labels $STREAMS $STREAMS inet6 |
		diff "$BATS_TEST_TMPDIR/native" -
}

@test "an address of another interface: datagrams arrive by that interface, also within a scope" {
	[ -e /proc/net/udp6 ] || skip "there is no IPv6"
	local lines=() from to
	for from in fd00::7 ::1 fe80::7; do
		for to in fd00::7 ::1 fe80::7; do
			# One that is bound to an interface does not reach another's address.
			case "$from $to" in
			"fe80::7 ::1") lines+=("from $from to $to: through IP") ;;
			*) lines+=("from $from to $to: directly") ;;
			esac
		done
	done
	met_by inet6 interface "${lines[@]}"
}

@test "packet sockets see all" {
	met taps "at first: directly" "a tap of all: through IP" "no tap: directly" \
		"a tap of IP: through IP" "no tap again: directly"
}

@test "raw sockets see all" {
	met raw "at first: directly" "a raw socket: through IP" \
		"no raw socket: directly"
}

@test "where packets are steered to processors, all are" {
	needs_working "unshare -m sh -c 'mount -t sysfs sysfs /sys &&
		echo 1 >/sys/class/net/lo/queues/rx-0/rps_cpus'"
	met steering "at first: directly" "packets steered: through IP" \
		"not steered: directly"
}

@test "netfilter sees all, at each hook" {
	needs_working "nft add table ip t"
	met netfilter "at first: directly" "input: through IP" "output: through IP" \
		"prerouting: through IP" "postrouting: through IP" "no rules: directly" \
		"none: directly"
}

@test "netfilter sees the packets that the device receives" {
	needs_working "nft add table netdev n; nft 'add chain netdev n c { type filter hook ingress device lo priority 0; }'"
	met ingress "at first: directly" "ingress: through IP" "none: directly"
}

@test "a queue at the loopback device has all" {
	needs_working "tc qdisc add dev lo root pfifo"
	met queue "at first: directly" "a queue: through IP" "no queue: directly"
}

@test "filters of traffic control see all" {
	needs_working "tc qdisc add dev lo clsact && tc filter add dev lo ingress matchall action drop"
	met filter "at first: directly" "no filter: directly"
}

@test "IPsec's input policies are consulted" {
	needs_working "ip xfrm policy setdefault in accept"
	met policies "at first: directly" "no policy: directly" "accepted: directly"
}

@test "receivers get the control messages they ask for, are filtered, and full as natively" {
	local by interface
	for by in inet inet6; do
		# IPv6 tells the interface itself.
		[ $by = inet ] && interface="through IP" || interface=directly
		met_by $by receiver "at first: directly" "TTL and TOS requested: directly" \
			"interface requested: $interface" "interface not requested any more: directly" \
			"not filtered: directly" "room again: directly" \
			"time requested: through IP"
	done
}

@test "each obstacle that the module names shows its witness all datagrams, until it is removed" {
	helper udp-obstacles inet
}

@test "each obstacle over IPv6 shows its witness all datagrams, until it is removed" {
	helper udp-obstacles inet6
}

@test "a datagram is sent where its socket was connected when the call began" {
	needs_working "ip link add away type dummy"
	met moved "at first: directly" "to another host: 0 here, 20 away" \
		"to this host: 20 here, 0 away" "at rest: directly"
}

@test "BPF programs of cgroups see all" {
	local hook
	for hook in ingress egress; do
		run timeout 300 "$HELPERS/udp-bpf" $hook pass \
			"$HELPERS/udp-direct" counters $STREAMS $STREAMS
		[ "$status" -eq 0 ]
		[ -s "$UDP_DIRECT_REPORT" ]
		[[ $(<"$UDP_DIRECT_REPORT") != *directly* ]]
		rm "$UDP_DIRECT_REPORT"
	done
}

@test "a stream's datagrams arrive where a socket's do, and the other way round" {
	local before after
	before=$(counter udp_direct)
	helper udp-tpi many
	after=$(counter udp_direct)
	[ "$after" -gt "$before" ]
}
