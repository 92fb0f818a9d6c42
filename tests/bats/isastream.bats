#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# isastream(): POSIX.1-2001. It may be asked of any descriptor, does nothing to
# it, and leaves errno alone unless it fails.
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_modules pipe
}

@test "files, folders, devices, /proc and native pipes are not streams" {
	helper isastream files
}

@test "sockets of all kinds are not streams" {
	helper isastream sockets
}

@test "a terminal is not a stream, from either side" {
	helper isastream terminals
}

@test "anonymous files are not streams: epoll, eventfd, timerfd, signalfd, inotify" {
	helper isastream nameless
}

@test "open by O_PATH: no stream, or EBADF where it would have to be asked" {
	helper isastream paths
}

@test "a number that is not open: EBADF" {
	helper isastream closed
}

@test "both ends of pipes, FIFOs and the devices are streams" {
	helper isastream some
}
