#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# /dev/streams/udp: a transport provider, by its primitives

load common
load streams

setup() {
	[ -c /dev/streams/udp ] && return
	if [ "$STRSOCK_IN_VM" = 1 ]; then
		echo "no /dev/streams/udp in the machine"
		return 1
	fi
	skip "needs STREAMS modules: strudp"
}

tpi() {
	helper udp-tpi "$1"
}

options() {
	helper udp-tpi-options "$1"
}

# As a user without privileges.
unprivileged() {
	run timeout 300 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$HELPERS/$1" "$2"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "T_INFO_REQ describes the provider, and its state" {
	tpi info
}

@test "T_CAPABILITY_REQ returns the capabilities that are requested and supported" {
	tpi capability
}

@test "T_BIND_REQ, T_ADDR_REQ, T_UNBIND_REQ; ports conflict with sockets' both ways" {
	tpi bind
}

@test "bad addresses and malformed T_BIND_REQs are refused and do no harm" {
	tpi bad-bind
}

@test "a port below 1024 takes privileges: TACCES" {
	unprivileged udp-tpi privileged
}

@test "an endpoint has the rights of the task that opened it, whichever task asks" {
	tpi opener
}

@test "datagrams of 0 to 65,507 bytes between streams, and between a stream and a socket" {
	tpi datagrams
}

@test "T_UDERROR_IND: a closed port, a bad destination, too large" {
	tpi uderror
}

# The debug kernel cannot abort sockets (CONFIG_INET_DIAG_DESTROY). bats
# test_tags=nodebug
@test "an endpoint after an administrator has aborted its socket: T_UDERROR_IND" {
	command -v ss >/dev/null || skip "no ss"
	tpi aborted
}

@test "primitives of connections: TNOTSUPPORT" {
	tpi unsupported
}

@test "malformed primitives end their stream, and nothing else" {
	tpi malformed
}

@test "primitives sent behind a T_BIND_REQ wait for it" {
	tpi order
}

# bats test_tags=longdebug
@test "when the reader stays away, datagrams are lost, not memory" {
	tpi overflow
}

@test "I_FLUSH, I_STR of an unknown command, I_PUSH of a driver" {
	tpi ioctl
}

@test "a stream belongs to the network namespace it was opened in" {
	tpi namespace
}

# bats test_tags=longdebug
@test "one datagram after the other, 100,000 times" {
	tpi many
}

@test "T_OPTMGMT_REQ: T_NEGOTIATE, T_CURRENT, T_ALLOPT, values of all lengths" {
	options negotiate
}

@test "results of options: the worst of all, read-only, in part, not supported, T_CHECK, T_DEFAULT" {
	options results
}

@test "an option that takes privileges is read-only without" {
	unprivileged udp-tpi-options unprivileged
}

@test "malformed lists of options: TBADOPT, TBADFLAG, TBUFOVFLW" {
	options malformed
}

@test "options of one datagram, and of one received" {
	options datagrams
}

@test "a module pushed above the provider sees everything pass" {
	require_nullmod
	run -0 "$HELPERS/udp-tpi" pushed
}

@test "a module that changes data gets each datagram of this host, above one that does not" {
	require_loaded timod flipmod
	tpi changed
}

@test "a module that changes data leaves a file alone that sendfile() has sent" {
	require_loaded flipmod
	tpi file
}

@test "datagrams of all sizes through IP, in order, with their errors" {
	tpi observed
}

@test "a BPF program that looks at destinations is asked, and may sleep" {
	local test
	for test in datagrams order uderror; do
		run timeout 300 "$HELPERS/udp-bpf" sendmsg pass "$HELPERS/udp-tpi" $test
		echo "$output"
		[ "$status" -eq 0 ]
	done
	run timeout 300 "$HELPERS/udp-bpf" sendmsg drop "$HELPERS/udp-tpi" forbidden
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "streams and sockets are opened and closed under traffic" {
	UDP_DEVICE=/dev/streams/udp run timeout 300 "$HELPERS/udp-load" closing 17 17
	echo "$output"
	[ "$output" = "closed under traffic" ]
}

# Receive buffers of 512 KiB, and net.ipv4.udp_mem of 12 MiB
with_little_memory() {
	local limits room
	limits=$(</proc/sys/net/ipv4/udp_mem)
	room=$(</proc/sys/net/core/rmem_default)
	sysctl -q net.ipv4.udp_mem="3072 3072 3072" net.core.rmem_default=524288
	run timeout 300 "$HELPERS/udp-tpi-memory" "$1"
	sysctl -q net.ipv4.udp_mem="$limits" net.core.rmem_default="$room"
	echo "$output"
	[ "$status" -eq 0 ]
}

# bats test_tags=longdebug
@test "datagrams between streams are limited by net.ipv4.udp_mem: 40 streams keep at most 1.25 of what 40 sockets keep" {
	with_little_memory limit
}

@test "with memory to spare a datagram between streams needs no buffer, again after there was none" {
	with_little_memory memory-to-spare
}

@test "the module is not unloaded while a stream is open" {
	run bash -c 'exec 9<>/dev/streams/udp; rmmod strudp'
	[ "$status" -ne 0 ]
	[[ $output == *"in use"* ]]
}
