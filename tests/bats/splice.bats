#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# splice(), tee() and vmsplice() on STREAMS pipes: messages, modules, the ioctls.
# pipe-behaviour.bats compares them with those on native pipes.
#
# bats file_tags=smp,oldest

load common
load streams

setup() {
	require_modules pipe
}

@test "the ioctls reject what the system calls reject, and unknown fields" {
	helper streams-splice arguments
}

@test "the bytes of messages are spliced, and those that are not taken stay" {
	helper streams-splice messages
}

@test "so are those that pass a module" {
	helper streams-splice modules
}

@test "and those of both directions of a full-duplex pipe" {
	helper streams-splice duplex
}

@test "tee() copies the first message and leaves it" {
	helper streams-splice tee
}

@test "a control part: EBADMSG, or dropped with RPROTDIS" {
	helper streams-splice control
}

@test "an empty buffer of a native pipe is not written as a message, even with SNDZERO" {
	helper streams-splice empty
}

@test "while a slow socket is spliced to, others write, and a reader can be killed" {
	helper streams-splice slow
}

@test "pipes spliced to each other, while they are resized, flushed, made messages" {
	helper streams-splice crowd
}

# Needs an overlay, whose module mount() loads.
stacked() {
	require_root
	helper streams-splice-stacked "$1"
}

@test "a file of an overlay that refuses the last bytes of a pipe: no reader finds the end before" {
	stacked end
}

@test "... packets that it refuses stay in order, with two tasks that splice" {
	stacked order
}

@test "... bytes that are flushed meanwhile do not come back" {
	stacked flush
}

@test "... others write meanwhile, and a reader can be killed" {
	stacked killed
}

@test "a file's error ENODATA is the result of splice, which does not read the file again" {
	loaded strnodata || modprobe strnodata 2>/dev/null || skip "strnodata is not loaded"
	helper streams-splice nodata
}
