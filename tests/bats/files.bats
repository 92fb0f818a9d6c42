#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# I_SENDFD, I_RECVFD, fattach(), fdetach() and isastream(): each result and each
# error that POSIX.1-2001 names, for the table of what is covered.
#
# bats file_tags=longdebug

load common
load streams
load cover

setup() {
	require_modules pipe
	require_root
	mkdir "$BATS_TEST_TMPDIR/d"
	cd "$BATS_TEST_TMPDIR/d"
}

teardown_file() {
	cover_table
}

@test "I_SENDFD" {
	cover files sendfd
}

@test "I_RECVFD" {
	cover files recvfd
}

@test "fattach()" {
	cover files attach
}

@test "fdetach()" {
	cover files detach
}

@test "isastream()" {
	cover files asking
}
