#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# A program cannot tell a STREAMS pipe from a native one. Each test runs one
# program on both and compares what it saw, line by line; the native kernel is
# the reference. Differences are in pipe-differences.txt, with their reasons.
#
# bats file_tags=longdebug,smp,oldest

load common

setup() {
	require_modules pipe
}

# The lines of pipe-differences.txt for a program.
known_differences() {
	awk -v program="[$1]" '
		/^\[/ { found = $0 == program; next }
		found && /^[<>]/' "$BATS_TEST_DIRNAME/pipe-differences.txt"
}

# like_native PROGRAM [ARGUMENT...]: sees the same of both, except known
# differences.
like_native() {
	local before
	record native "$@"
	before=$(counter pipe_opened)
	record streams strsock --require "$@"
	[ "$(counter pipe_opened)" -gt "$before" ]
	cat "$BATS_TEST_TMPDIR"/{native,streams}.err
	[ "$(cat "$BATS_TEST_TMPDIR/native.status")" -eq 0 ]
	[ "$(cat "$BATS_TEST_TMPDIR/streams.status")" -eq 0 ]
	[ -s "$BATS_TEST_TMPDIR/native.out" ]
	# Spread over hunks of diff or not, the lines are the same.
	diff <(known_differences "$1") <(diff "$BATS_TEST_TMPDIR/native.out" \
		"$BATS_TEST_TMPDIR/streams.out" | grep '^[<>]')
}

@test "descriptors: numbers, fstat, F_GETFL, /proc, limits, calls for other files" {
	like_native pipe-descriptors
}

@test "non-blocking reads and writes: sizes, parts, vectors, bad buffers" {
	like_native pipe-transfer
}

@test "poll, epoll and select in each state, edge by edge" {
	like_native pipe-polling
}

# The debug kernel has no userfaultfd().
# bats test_tags=nodebug
@test "edges for a writer held in the middle of write()'s copying" {
	like_native pipe-edge
}

@test "end of file, SIGPIPE and EPIPE, ends reopened through /proc/self/fd" {
	like_native pipe-ends
}

@test "O_DIRECT keeps packets apart, as long as it is set" {
	like_native pipe-packets
}

@test "F_GETPIPE_SZ and F_SETPIPE_SZ: sizes, limits, contents, wakeups" {
	like_native pipe-size
}

@test "splice between pipes, native ones too, and sendfile" {
	like_native pipe-splice
}

@test "splice between a pipe and files, sockets, devices: results, positions, errors" {
	like_native pipe-splice-sides
}

@test "splice, tee and vmsplice that wait: released, signalled, killed, cancelled" {
	like_native pipe-splice-waiting
}

@test "tee and vmsplice: contents, parts, ends, errors" {
	like_native pipe-tee
}

@test "sleeping readers and writers: signals, SIGIO, threads, close" {
	like_native pipe-waiting
}

@test "shared by processes: whole records, tokens, SCM_RIGHTS, vfork, a static program" {
	static=$("$STRSOCK_SRC/tests/vm/busybox")
	like_native pipe-sharing "$static"
}

@test "io_uring: read, write and poll" {
	like_native pipe-uring
}

@test "a difference from the native pipe is noticed" {
	# The comparison itself: without its list it must fail.
	known_differences() { :; }
	run like_native pipe-waiting
	[ "$status" -ne 0 ]
	[[ "$output" == *SIGIO* ]]
}
