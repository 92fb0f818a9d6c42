#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# FIFOs of STREAMS beside those of mkfifo(3): each case is run on both, which
# have to pass the same checks. POSIX.1-2001 open(), read(), write(), of FIFOs.
# Then operations that only those of STREAMS support. Open streams are counted,
# so the tests run one at a time.
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

both() {
	helper fifo "native:$1"
	helper fifo "streams:$1"
}

streams_only() {
	strfifo fifo
	helper fifo-streams "$1"
	fdetach fifo
	[ -f fifo ]
}

@test "open for reading waits for a writer, for writing for a reader" {
	both open-waiting
}

@test "O_NONBLOCK: a reader does not wait, a writer gets ENXIO without a reader" {
	both open-nonblock
}

@test "O_RDWR never waits, and reads the data it has written" {
	both open-rdwr
}

@test "a signal ends the wait in open: EINTR, and no trace is left" {
	both open-interrupted
}

@test "an opener that opens and closes while another waits lets it through" {
	both open-and-leave
}

@test "an opener that was let through may close at once" {
	both open-brief
}

@test "poll: no hangup before the first writer, then as writers open and close" {
	both polling
}

@test "end of file when the last writer has closed, and another may open" {
	both end-of-file
}

@test "without readers: EPIPE and SIGPIPE, until there is one" {
	both broken
}

@test "a write that waits for room ends when the last reader closes" {
	both broken-waiting
}

@test "unread data is dropped with the last close, and stays while the FIFO is open" {
	both dropped
}

@test "room for 65,536 bytes; up to PIPE_BUF are written whole or not at all, EAGAIN" {
	both writer-waits
}

@test "records of four writers, up to PIPE_BUF long, are not mixed" {
	both atomic
}

@test "stat, lseek, truncate, fsync, O_EXCL on its name" {
	both attributes
}

@test "its mode determines which users may open it: EACCES" {
	require_root
	chmod 755 "$dir"
	both rights
}

@test "getmsg, putmsg: control parts, bands, high priority; each end in its direction" {
	streams_only messages
}

@test "a module belongs to the FIFO, and stays while that has a name" {
	require_nullmod
	streams_only modules
}

@test "I_SENDFD, I_RECVFD; a file in flight at the last close is closed" {
	streams_only descriptors
}

@test "I_FLUSH, and reading message by message" {
	streams_only flushing
}

@test "a write that does not join others counts as a message of 256 bytes" {
	streams_only objects
}

@test "I_SETSIG: SIGPOLL when data arrives" {
	streams_only signals
}

@test "programs not written for STREAMS: cat, dd and the shell" {
	strfifo fifo
	head -c 1000000 /dev/urandom >in
	cat in >fifo &
	run -0 timeout 300 dd if=fifo of=out bs=4096 status=none
	wait
	cmp in out
	# Two writers after one another, one reader
	(echo one >fifo; echo two >fifo) &
	run -0 timeout 300 sh -c 'exec 3<>fifo; head -n 2 <&3'
	[ "$output" = $'one\ntwo' ]
	wait
}

@test "strfifo(1): modes, names that exist, usage" {
	run -0 strfifo --help
	[[ $output == Usage:* ]]
	run -2 strfifo
	run -2 strfifo -m 9 x
	run -2 strfifo -m 1777 x
	run -2 strfifo -m '' x
	run -2 strfifo -z x
	run -0 strfifo -m 400 a b
	[ "$(stat -c '%F %a' a b)" = $'fifo 400\nfifo 400' ]
	umask 027
	run -0 strfifo c
	[ "$(stat -c %a c)" = 640 ]
	run -1 strfifo a
	[[ $output == *"a: File exists"* ]]
	run -1 strfifo none/x
	[[ $output == *"none/x: No such file or directory"* ]]
	# A name that fails leaves nothing behind, and does not stop the others.
	run -1 strfifo a d
	[ -p d ]
	run -0 fdetach a b c d
	[ "$(stat -c %F a b c d | sort -u)" = "regular empty file" ]
}
