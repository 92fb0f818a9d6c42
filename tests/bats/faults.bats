#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# When the kernel's memory fails: errors, never a warning, a leak or a hang.
# Each scenario with every single allocation and copy failing in turn, and with
# 1 allocation of 20 failing at random, those of the program only. This takes a
# kernel with fault injection, as the debug kernel has. The machine sees to it
# that the kernel has not complained.

load common
load streams

injected=/sys/kernel/debug

# inject PROBABILITY: of those that ask for it, a part of 100.
inject() {
	local kind
	for kind in failslab fail_page_alloc; do
		echo Y >"$injected/$kind/task-filter"
		echo N >"$injected/$kind/ignore-gfp-wait"
		echo 1000000000 >"$injected/$kind/times"
		echo "$1" >"$injected/$kind/probability"
	done
	echo 0 >"$injected/fail_page_alloc/min-order"
	for kind in failslab fail_page_alloc fail_usercopy; do
		echo 0 >"$injected/$kind/verbose"
	done
}

setup() {
	# The one tagged "machine", by name: Debian 12's bats tells no test its tags.
	[[ $BATS_TEST_DESCRIPTION != "and no memory is leaked" ]] || return 0
	require_modules pipe udp
	require_root
	mountpoint -q "$injected" || mount -t debugfs none "$injected"
	[ -d "$injected/failslab" ] && [ -d "$injected/fail_page_alloc" ] &&
		[ -e /proc/self/fail-nth ] ||
		skip "this kernel has no fault injection (failslab, fail_page_alloc), as the debug kernel has"
	modprobe -a nullmod bufmod strecho strmux strtiloop strinet strprobe strcopy strddi strminor
	mkdir "$BATS_TEST_TMPDIR/d"
	cd "$BATS_TEST_TMPDIR/d"
	inject 5
}

teardown() {
	[ ! -d "$injected/failslab" ] || inject 0
	umount -l "$BATS_TEST_TMPDIR"/d/* 2>/dev/null || true
}

# faults SCENARIO: prints the program's findings for the reader of the output.
faults() {
	local how
	for how in each random; do
		run timeout 300 "$HELPERS/faults" "$how" "$1"
		echo "$output"
		[ "$status" -eq 0 ]
		echo "# $output" >&3
		rm -f name
	done
}

# bats test_tags=slow
@test "pipes" {
	faults pipes
}

# bats test_tags=slow
@test "FIFOs when their bytes become messages" {
	faults fifos
}

@test "getmsg, putmsg, I_PEEK, I_FDINSERT, I_SETSIG, SNDHOLD" {
	faults messages
}

# bats test_tags=slow
@test "I_PUSH and I_POP, on pipes and devices" {
	faults modules
}

@test "I_STR, and a driver's own ioctl" {
	faults commands
}

@test "I_LINK, I_UNLINK, I_PLINK, I_PUNLINK" {
	faults links
}

# bats test_tags=slow
@test "fattach, open by name, fdetach" {
	faults names
}

# bats test_tags=slow
@test "I_SENDFD, I_RECVFD, files left in flight" {
	faults descriptors
}

# bats test_tags=slow
@test "connld" {
	faults servers
}

@test "a driver that waits for memory by qbufcall is called back" {
	faults waiters
}

# bats test_tags=slow
@test "datagrams by /dev/streams/udp" {
	faults transport
}

# bats test_tags=slow
@test "datagrams by /dev/streams/udp_s" {
	faults transport-sockets
}

@test "data of a connection by /dev/streams/tcp" {
	faults connections-sockets
}

@test "connections by /dev/streams/ticotsord" {
	faults connections
}

@test "modules that are pushed by themselves; a minor device with two openers" {
	faults devices
}

@test "the log: a message that is lost leaves a gap, and no other is" {
	faults logs
}

# bats test_tags=slow
@test "datagrams by sockets" {
	faults sockets
}

# bats test_tags=slow
@test "afterwards nothing is in use, and all modules unload" {
	[ -z "$(cat /proc/streams/open)" ]
	unload_all
}

# bats test_tags=machine,slow
@test "and no memory is leaked" {
	local kernel
	mapfile -t kernel < <("$BATS_TEST_DIRNAME/../vm/kernel" debug 2>/dev/null)
	[ ${#kernel[@]} -eq 4 ] || skip "no debug kernel"
	"$BATS_TEST_DIRNAME/../vm/run" --debug --smp 1 --kmemleak --timeout 850 -- \
		bats --filter-tags '!machine' "$BATS_TEST_FILENAME"
}
