#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# TCP's short way ends at each thing that would see, change or delay its packets

load common
load streams

setup() {
	require_modules udp
	[ "$EUID" -eq 0 ] || skip "needs root, to make network namespaces"
	obstacles=$STRSOCK_SRC/tests/helpers/socket/tcp-obstacles.py
}

@test "every obstacle that the module names has a test" {
	run -0 python3 "$obstacles"
}

@test "each obstacle has TCP send the messages, is counted, and ends when it is taken down" {
	python3 "$obstacles" all
}
