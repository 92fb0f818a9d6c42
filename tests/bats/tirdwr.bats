#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# tirdwr: read() and write() on a transport connection

load common
load streams

setup() {
	require_modules pipe
	require_loaded tirdwr strtiloop
}

@test "data both ways, without primitives" {
	helper tirdwr data
}

@test "a release is the end of file, and a close or pop answers it" {
	helper tirdwr release
}

@test "a disconnection is a hangup, and a close or pop disconnects" {
	helper tirdwr disconnect
}

@test "data that waited when tirdwr was pushed is read, without primitives" {
	helper tirdwr waiting
}

@test "a primitive other than data is EPROTO, as is I_PUSH where one waits" {
	helper tirdwr protocol
}

@test "in a pipe, its messages count for the memory that they take" {
	helper tirdwr counts
}

@test "I_PUSH loads it by its alias" {
	run -0 modinfo -F alias tirdwr
	[ "$output" = strmod-tirdwr ]
}
