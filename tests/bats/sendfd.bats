#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# I_SENDFD and I_RECVFD: POSIX.1-2001 ioctl(), on a stream. What is open is
# counted by all tests, so they run one at a time.

load common
load streams

setup() {
	require_modules pipe
}

sendfd() {
	helper sendfd "$1"
}

@test "the file that arrives is the one that was sent: offset and flags, both forms of pipe" {
	sendfd file
}

@test "the sender's effective user and group come with it" {
	sendfd names
}

@test "folders, devices, pipes, sockets, epoll and the pipe itself, in order with data" {
	sendfd kinds
}

@test "I_SENDFD: EBADF, EINVAL, EAGAIN when the queue is full, ENXIO" {
	sendfd send-errors
}

@test "a user has as many in flight as RLIMIT_NOFILE says, then EAGAIN" {
	sendfd limit
}

@test "I_RECVFD: EAGAIN, EBADF, EBADMSG, EFAULT, EMFILE, ENXIO; what can be mended leaves it there" {
	sendfd receive-errors
}

@test "I_RECVFD: EOVERFLOW in a user namespace that the sender is not in" {
	sendfd overflow
}

@test "I_RECVFD waits for one, or a signal" {
	sendfd waiting
}

@test "a flush and the last close release what is in flight" {
	sendfd released
}

@test "modules on both ends neither see nor hold it" {
	require_nullmod
	sendfd modules
}

@test "pipes that hold themselves are collected" {
	sendfd cycle-of-one
}

@test "a ring of pipes that hold each other is collected, and what else was in it" {
	sendfd cycle-of-many
}

@test "what can still be reached is not collected, by a descriptor or by a path" {
	sendfd no-cycle
}

@test "ends sent on and on while the collector looks arrive" {
	sendfd busy-cycles
}

# The last: the collector rests a hundred times as long as it took.
# bats test_tags=longdebug
@test "all users together have 65,536 ends of pipes in flight at most" {
	sendfd limit-of-all
}
