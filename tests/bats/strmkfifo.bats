#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# strmkfifo(3): a FIFO that is a stream, by its name

setup() {
	load common
	load streams
	require_modules pipe
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	dir=$BATS_TEST_TMPDIR/d
	mkdir "$dir"
	cd "$dir"
}

teardown() {
	leave_no_names
}

@test "bytes and messages pass through it" {
	helper strmkfifo stream
}

@test "its permissions are the mode less the umask" {
	helper strmkfifo modes
}

@test "a call that fails leaves no file and no descriptor behind" {
	helper strmkfifo errors
}

@test "a caller that may not attach gets EPERM, and no file is left" {
	[ ! -e "$(strname_helper)" ] || skip "strname-helper is installed"
	helper strmkfifo unprivileged
}

@test "without the modules it fails with ENOENT, and strfifo(1) names the module to load" {
	without_pipes "$HELPERS/strmkfifo" not-loaded
	run -1 without_pipes strfifo fifo
	[[ $output == "strfifo: /dev/streams/pipe: "*"; run: modprobe strpipe" ]]
	[ ! -e fifo ]
}
