#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# timod: the ioctls of transport libraries

load common
load streams

setup() {
	require_modules pipe
	require_loaded timod strtiloop strudp strprobe strecho
}

@test "each ioctl gives the provider's answer, or its T_ERROR_ACK as a value" {
	helper timod ioctls
}

@test "data that is not the ioctl's primitive is EINVAL" {
	helper timod invalid
}

@test "TI_GETMYNAME, TI_GETPEERNAME, and their errors" {
	helper timod names
}

# The debug kernel runs no 32-bit programs.
# bats test_tags=nodebug,nouml
@test "32-bit programs' TI_GETMYNAME and TI_GETPEERNAME" {
	[ "$HOSTTYPE" = x86_64 ] || skip "needs x86_64"
	not_on_uml "it runs no 32-bit programs"
	helper timod names32
}

@test "all else passes, and it may be popped and pushed under a connection" {
	helper timod passing
}

@test "over UDP, where the provider answers later" {
	helper timod udp
}

# bats test_tags=longdebug
@test "a provider that does not answer: ETIME, EAGAIN; M_ERROR, a hangup, a flush, a pop end it" {
	helper timod silent
}

@test "an answer longer than TI_ANSWER_MAX is EPROTO, and is dropped" {
	helper timod long
}

@test "requests to a full queue: 16, then EAGAIN; those of more than 1,024 bytes: ERANGE" {
	helper timod flow-control
}

@test "I_PUSH loads it by its alias" {
	run -0 modinfo -F alias timod
	[ "$output" = strmod-timod ]
}
