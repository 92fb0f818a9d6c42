#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The stream head's ioctls, poll() and signals, on STREAMS pipes
#
# bats file_tags=longdebug,smp

load common
load streams

setup() {
	require_modules pipe
	require_nullmod
}

streams() {
	helper streams-ioctl "$1"
}

@test "I_NREAD counts messages and the first one's data, FIONREAD all data" {
	streams nread
}

@test "I_SRDOPT: read() takes bytes, whole messages, or messages cut to the room" {
	streams read-modes
}

@test "I_SRDOPT refuses modes that exclude each other; I_GRDOPT returns the mode" {
	streams read-options
}

@test "I_SWROPT: with SNDZERO a write of nothing is an empty message, read as 0" {
	streams write-options
}

@test "open() of the pipe device returns one end, STRIO_PIPE the other, with the lowest numbers" {
	helper pipe-made kinds
	helper pipe-made closed
}

@test "an end without its other end reads end of file, fails writes, and takes no descriptor" {
	helper pipe-made half
}

@test "STRIO_PIPE opens the other end once, by any task and descriptor" {
	helper pipe-made once
}

@test "STRIO_PIPE that fails leaves one descriptor, and can be repeated" {
	helper pipe-made errors
	helper pipe-made no-descriptors
}

@test "the pipe device cannot be mapped, synchronised, or opened for writing alone" {
	helper pipe-made device
}

@test "I_FLUSH empties this side, the other, or both; a FIFO's one side" {
	streams flush
}

@test "I_FLUSH FLUSHRW through a module drops written data" {
	streams flush-modules
}

@test "a flush makes room for a waiting writer" {
	streams flush-full
}

@test "I_CANPUT reports room in a band" {
	streams canput
}

@test "I_PEEK shows the first message, or a high-priority one, and leaves it" {
	streams peek
}

@test "I_STR of an unknown command: EINVAL, through modules too; bad lengths and timeouts: EINVAL" {
	streams str
}

@test "ioctls that streams do not have: ENOTTY" {
	streams unknown
}

@test "poll() reports bands, high priority, room and hangup, each by its bit" {
	streams poll
}

@test "when a FIFO's bytes become messages no poller is woken for room that it has seen" {
	require_root
	streams bytes-end
}

@test "SIGIO comes with data for a reader, with room for a writer, and only when asked for" {
	streams sigio
}

# bats test_tags=slow
@test "200,000 ioctls with random arguments: no harm" {
	streams fuzz
}

@test "1,000 pipes at once, each with its own data" {
	helper streams-many at-once
}

@test "pipes that were full give their memory back when they are idle or used for little" {
	helper streams-many idle
}

@test "a pipe takes no more pages than its blocks do" {
	helper streams-many few-pages
}

# bats test_tags=slow
@test "100,000 pipes opened and closed leave nothing in the kernel's memory" {
	helper streams-many no-growth
}
