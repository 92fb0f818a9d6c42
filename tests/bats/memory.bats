#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# While allocations of messages fail half of the time, for all tasks and the kernel's
# threads too: data that a transport has accepted arrives, whole and in order.
#
# bats file_tags=longdebug,nouml

load common
load streams

setup() {
	require_modules pipe
	require_failing_memory
}

@test "/dev/streams/tcp, both ways" {
	require_loaded strinet
	helper memory tcp
}

@test "/dev/streams/tcp, data with options" {
	require_loaded strinet
	helper memory optdata
}

@test "/dev/streams/tcp: a call with options, or its acceptance, fails with ENOSR and can be repeated" {
	require_loaded strinet
	helper memory call-options
}

@test "/dev/streams/ticotsord, both ways" {
	require_loaded strtiloop
	helper memory ticotsord
}
