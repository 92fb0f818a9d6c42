#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# I_SENDFD and I_RECVFD: POSIX.1-2001 ioctl(), on a stream. All tests count open
# streams, so they run one at a time.

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

@test "I_RECVFD: EAGAIN, EBADF, EBADMSG, EFAULT, EMFILE, ENXIO; errors that the caller can correct keep the file" {
	sendfd receive-errors
}

@test "I_RECVFD: EOVERFLOW in a user namespace that the sender is not in" {
	sendfd overflow
}

@test "I_RECVFD waits for one, or a signal" {
	sendfd waiting
}

@test "a flush and the last close release files in flight" {
	sendfd released
}

@test "modules on both ends neither see nor hold it" {
	require_nullmod
	sendfd modules
}

@test "files in flight do not nest: an end in flight takes none, one with files is not sent" {
	sendfd nested
}

@test "files in flight do not nest: a FIFO is not sent over itself" {
	sendfd nested-fifo
}

@test "pipes sent over each other are freed when the last descriptors are closed" {
	sendfd ring-of-pipes
}

@test "files that may hold other files are refused: EINVAL" {
	sendfd holders
}

@test "an end with a name takes no files, and one with files gets no name: no stream is left after exit" {
	sendfd named
}
