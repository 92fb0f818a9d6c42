#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Programs' own test suites come to the same natively and under strsock; what
# each proves: tests/programs/run --list
#
# They take minutes each; tests/programs/packages names what they need.
# bats file_tags=slow,nodebug

load common

setup() {
	require_modules pipe udp
}

# suite NAME: of tests/programs
suite() {
	run "$STRSOCK_SRC/tests/programs/run" "$1"
	echo "$output"
	[[ $output != *"not installed"* ]] || skip "needs tests/programs/packages"
	[ "$status" -eq 0 ]
}

@test "GLib" {
	suite glib
}

@test "Python: asyncio" {
	suite python-asyncio
}

@test "Python: os, io" {
	suite python-files
}

@test "Python: multiprocessing" {
	suite python-many
}

@test "Python: subprocess" {
	suite python-process
}

@test "Python: socket" {
	suite python-socket
}

@test "Python: select, poll, epoll, signals" {
	suite python-wait
}

@test "stress-ng" {
	suite stress-ng
}
