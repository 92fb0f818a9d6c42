#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Memory that is used again shows nothing of its last user: message blocks, and the
# buffers of datagrams

load common
load streams

setup() {
	require_modules
	require_root
}

@test "messages, ioctls, gathered messages and answers of providers have no bytes of others" {
	require_nullmod
	require_loaded bufmod strinet strtiloop
	helper residue messages
}

@test "datagrams and their headers have no bytes of others: seen by a packet socket, directly, by a stream" {
	require_nullmod
	helper residue packets
}
