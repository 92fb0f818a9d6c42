#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# connld: each opener of a name gets a pipe of its own; the server is sent the
# other end. SVR4.2 connld(7). Some tests count open streams, so they run one at
# a time.
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_modules pipe
	dir=$BATS_TEST_TMPDIR/d
	mkdir "$dir"
	cd "$dir"
}

teardown() {
	leave_no_names
}

connld() {
	helper connld "$1"
}

@test "three openers have three pipes, the server the other end of each" {
	connld own-pipes
}

@test "the server receives the opener's effective user and group" {
	connld names
}

@test "open waits until the server takes it, with O_NONBLOCK not; a signal ends the wait" {
	connld waiting
}

@test "the server gets a hangup from a client that only reads, or only writes" {
	connld modes
}

@test "I_PUSH of connld: EINVAL on a FIFO, on a device, twice on one end; EPIPE without another end" {
	connld push-errors
}

@test "open: ENXIO when the pipe is dropped unreceived, when the server closes, when it has closed" {
	connld open-errors
}

@test "no room at the server: EAGAIN with O_NONBLOCK, else open waits for some" {
	connld pipe-full
}

@test "no room behind a module with a queue of its own: open waits, and finds some" {
	modprobe bufmod 2>/dev/null || skip "bufmod is not there"
	connld full-behind
}

@test "popped, the name is one end for all openers; pushed by an opener, connld affects all again" {
	connld popped
}

@test "its module is not unloaded while it is on a stream" {
	[ "$STRSOCK_IN_VM" = 1 ] || skip "unloads modules: in the machine only"
	local pid
	coproc holder { "$HELPERS/connld" hold; }
	pid=$holder_PID
	read -r -u "${holder[0]}" ready
	[ "$ready" = ready ]
	run ! rmmod strpipe
	[[ $output == *"in use"* ]]
	eval "exec ${holder[1]}>&-"
	wait "$pid"
	unload_pipe
	modprobe strpipe
}

@test "500 clients connect and close; files passed both ways keep their offset and flags" {
	helper connld-clients many
}
