#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A process that ends with streams open, and a close() of another user's stream

load common
load streams

setup() {
	require_modules pipe
	require_loaded strprobe srvmod strloop strmux strecho testmux nullmod pipemod
	require_loaded strsock strudp strinet strtiloop strdlpi
}

@test "a process that is killed ends within 2 seconds, and waits for none of its 1,000 streams" {
	helper exit killed
}

@test "a killed process with streams of every driver, and every module on them, ends as soon" {
	helper exit killed-any
}

@test "a server that wants no descriptors waits for no stream that another user sends it" {
	require_root
	helper exit received
}

@test "a process that exits waits for the output of all its streams at once" {
	helper exit exits
}

@test "close() does not wait for the output of a stream that another user opened" {
	require_root
	helper exit passed
}
