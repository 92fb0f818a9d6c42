#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Limits on the memory of a user's pipes: fs.pipe-user-pages-soft and -hard and
# fs.pipe-max-size, as natively,
# and on the messages that an end holds

load common
load streams

setup() {
	require_modules pipe
}

teardown() {
	[ -z "${soft:-}" ] || {
		echo "$soft" >/proc/sys/fs/pipe-user-pages-soft
		echo "$hard" >/proc/sys/fs/pipe-user-pages-hard
	}
	[ -z "${largest:-}" ] || echo "$largest" >/proc/sys/fs/pipe-max-size
}

# limits SOFT HARD, in pages; of the machine's only
limits() {
	require_root
	[ "${STRSOCK_IN_VM:-}" = 1 ] || skip "sets the machine's limits"
	soft=${soft:-$(</proc/sys/fs/pipe-user-pages-soft)}
	hard=${hard:-$(</proc/sys/fs/pipe-user-pages-hard)}
	echo "$1" >/proc/sys/fs/pipe-user-pages-soft
	echo "$2" >/proc/sys/fs/pipe-user-pages-hard
}

@test "beyond the soft limit a pipe has 8,192 bytes" {
	limits 64 0
	helper pipe-limits soft
}

@test "beyond the hard limit there is none: ENFILE" {
	limits 64 64
	helper pipe-limits hard
	helper pipe-limits hard-duplex
}

@test "at the limit no pipe becomes larger, EPERM, and one that becomes smaller makes room" {
	limits 64 0
	helper pipe-limits resized
	limits 0 64
	helper pipe-limits resized
	helper pipe-limits resized-duplex
}

@test "a module that is pushed counts with its room, and what it left until that is read; then EAGAIN" {
	require_loaded bufmod nullmod
	limits 112 0
	helper pipe-limits pushed
}

@test "fs.pipe-max-size bounds a user's new pipe and F_SETPIPE_SZ, not root's, as natively" {
	require_root
	[ "${STRSOCK_IN_VM:-}" = 1 ] || skip "sets the machine's limits"
	largest=$(</proc/sys/fs/pipe-max-size)
	echo 4096 >/proc/sys/fs/pipe-max-size
	same_natively_and_under_strsock pipe-size lowered
}

# bats test_tags=nouml
@test "fs.pipe-max-size bounds the pipes of a task that a security module lets read no file, as natively" {
	require_root
	[ "${STRSOCK_IN_VM:-}" = 1 ] || skip "sets the machine's limits"
	mountpoint -q /sys/kernel/security || mount -t securityfs none /sys/kernel/security || :
	grep -q bpf /sys/kernel/security/lsm 2>/dev/null ||
		skip "no BPF program can be a security module here"
	largest=$(</proc/sys/fs/pipe-max-size)
	record native "$HELPERS/pipe-confined"
	echo "$largest" >/proc/sys/fs/pipe-max-size
	record streams strsock --require "$HELPERS/pipe-confined"
	identical native streams
	grep -q "confined" "$BATS_TEST_TMPDIR/streams.out"
}

@test "root is not limited, and 0 means no limit" {
	limits 64 64
	helper pipe-limits unlimited
	limits 0 0
	helper pipe-limits unlimited-nobody
}

@test "a full pipe takes at most 1.25 times its room, whatever the messages, and what is left of them" {
	[ -z "${STRSOCK_TEST_SCALE:-}" ] || skip "a debug kernel's allocations are larger"
	require_loaded bufmod
	helper pipe-held
}

# A case of pipe-records, with its messages taken from the rings and from the queues.
for_rings_and_queues() {
	for case in "$@"; do
		helper pipe-records "$case"
		helper pipe-records "$case" queued
	done
}

@test "writes to a full-duplex pipe are messages to getmsg(), read in part, many, or until it is full" {
	for_rings_and_queues messages many
	helper pipe-records ring-full
}

@test "getmsg() takes what fits, then the rest, waits, and loses nothing at EFAULT, from a ring as from the queue" {
	for_rings_and_queues read-in-parts woken invalid
	helper pipe-records interrupted
	helper pipe-records empty
}

@test "I_FLUSH of a full-duplex pipe drops what is unread, and keeps the messages sent later whole" {
	for_rings_and_queues flushed
}

@test "20,000 messages by putmsg() and write() arrive whole while read() and getmsg() take them" {
	helper pipe-records both
}

# The debug kernel has no userfaultfd().
# bats test_tags=nodebug
@test "an end of a full-duplex pipe waits for no memory of the other end's reader or writer" {
	helper pipe-records reader
	helper pipe-records getter
	helper pipe-records writer
}

@test "a pipe is not made smaller, EBUSY, while its bands hold more" {
	helper pipe-limits resized-bands
}

@test "putmsg of more than a small pipe's room fails, ERANGE; write sends a part" {
	helper pipe-limits small-pipe
}

@test "many tasks that splice at the same time exceed a pipe's room by one message" {
	helper pipe-limits splicers
}

@test "an end of a pipe holds 1,024 messages at most, however they are sent" {
	helper pipe-limits messages
}

@test "modules that are pushed and popped again and again leave a reader 1 MiB at most" {
	require_loaded bufmod srvmod strecho
	helper pipe-limits popped
}

# The debug kernel's objects have more around them.
# bats test_tags=nodebug
@test "buffers of messages take at most an eighth more memory than they have bytes" {
	local cache bytes objects order caches=0
	for cache in /sys/kernel/slab/streams_*; do
		read -r bytes <"$cache/object_size"
		read -r objects <"$cache/objs_per_slab"
		read -r order <"$cache/order"
		echo "$cache: $objects of $bytes bytes in $((1 << order)) pages"
		[ $(((4096 << order) * 8)) -le $((bytes * objects * 9)) ]
		caches=$((caches + 1))
	done
	[ "$caches" -gt 5 ]
}

# The debug kernel keeps memory that was freed.
# bats test_tags=nodebug,slow
@test "full pipes, FIFOs, bands, sockets and endpoints hold at most 1.25 of what the cgroup is charged" {
	require_root
	[ "${STRSOCK_IN_VM:-}" = 1 ] || skip "looks at the machine's memory"
	require_loaded strtiloop strinet strudp strsock
	helper held held
}

# bats test_tags=nodebug
@test "messages that bufmod gathers, or copies to cut them, are charged to the writer's cgroup" {
	require_root
	[ "${STRSOCK_IN_VM:-}" = 1 ] || skip "looks at the machine's memory"
	require_loaded bufmod
	helper held modules
}

# bats test_tags=nodebug
@test "datagrams that a stream or its modules hold are charged to the opener's cgroup" {
	require_root
	[ "${STRSOCK_IN_VM:-}" = 1 ] || skip "looks at the machine's memory"
	require_loaded bufmod strudp strsock
	helper held received
}
