#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The drivers echo, loop and nuls, the modules pipemod and bufmod. mux has a
# file of its own.
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_modules pipe
	require_loaded strecho strloop strnuls pipemod bufmod srvmod
}

@test "echo sends back data, control parts, high priority and I_STR" {
	helper drivers echo
}

@test "echo when full stops its writer; flushing empties it" {
	helper drivers echo_full
}

@test "nuls drops everything" {
	helper drivers nuls
}

@test "loop joins two streams: ENXIO, EBUSY, EINVAL; flushes cross it; a close is a hangup" {
	helper drivers loop
}

@test "loop: a slow reader stops the writer, through modules, and nothing is lost" {
	helper drivers loop_flow
}

@test "loop: another user's stream cannot be joined" {
	require_root
	helper drivers loop_user
}

@test "with pipemod in the middle of a pipe a flush reaches the right side" {
	helper drivers pipemod
}

@test "without pipemod it does not" {
	helper drivers no_pipemod
}

@test "bufmod: its ioctls and their errors" {
	helper drivers bufmod_ioctls
}

@test "bufmod: messages are gathered into chunks, none lost by popping it" {
	helper drivers bufmod_chunks
}

@test "bufmod: headers, and messages cut to the snapshot length" {
	helper drivers bufmod_headers
}

@test "bufmod: the timeout, SB_DEFER_CHUNK, SB_SEND_ON_WRITE" {
	helper drivers bufmod_timeout
}

@test "bufmod: M_PROTO as data, or as it is; M_PCPROTO at once" {
	helper drivers bufmod_proto
}

@test "bufmod: dropped messages are counted; SB_NO_DROPS" {
	helper drivers bufmod_drops
}

@test "bufmod: a flush of one band leaves the messages of the others" {
	helper drivers bufmod_bands
}

@test "bufmod: messages of all sizes, whole and cut" {
	helper drivers bufmod_sizes
}

@test "bufmod: the part cut off uses no memory, small messages little" {
	helper drivers bufmod_memory
}
