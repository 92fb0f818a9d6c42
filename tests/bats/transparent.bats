#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Ioctls that the stream head does not know: for modules and drivers, which
# copy by M_COPYIN and M_COPYOUT (SVR4.2 STREAMS Programmer's Guide, transparent
# ioctls), and those of 32-bit programs.
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_modules pipe
	require_nullmod
	require_loaded strtest strcopy
}

transparent() {
	helper transparent "$1"
}

# The structures of 32-bit programs, on the processor that has their calls. The
# debug kernel has not.
compat() {
	[ "$HOSTTYPE" = x86_64 ] || skip "needs x86_64"
	not_on_uml "it runs no 32-bit programs"
	helper transparent "$1"
}

@test "a driver answers a command of its own: value, error, argument, data, credentials" {
	transparent answers
}

@test "copies in and out, of up to 64 KiB; bad addresses and sizes reach caller and driver" {
	transparent copies
}

@test "a caller that is interrupted or killed: a driver that asks later is informed, an answer is dropped" {
	transparent late
}

@test "one at a time on a stream; a caller that waits for a turn can be interrupted" {
	transparent one-at-a-time
}

@test "pipes give ENOTTY as native ones, with a module too, except for its own ioctls" {
	transparent pipes
}

@test "a module answers ioctls that it knows, and passes on others" {
	transparent module
}

# bats test_tags=nodebug,nouml
@test "32-bit callers: the driver sees their model, and copies their structures" {
	compat compat-transparent
}

# bats test_tags=nodebug,nouml
@test "32-bit callers: I_STR, with its errors" {
	compat compat-str
}

# bats test_tags=nodebug,nouml
@test "32-bit callers: I_PEEK, I_LIST, I_NREAD, I_PUSH, I_FIND and getmsg, with their errors" {
	compat compat-head
}
