#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=machine
#
# tests/latency: how long a user can keep a processor from a task of high priority.

load common

@test "wrong options are reported, with status 2" {
	run "$STRSOCK_SRC/tests/latency" --limit none
	[ "$status" -eq 2 ]
	[[ $output == *"--limit takes a number"* ]]
	run "$STRSOCK_SRC/tests/latency" --help
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "Usage: tests/latency "* ]]
}

# bats test_tags=slow
@test "no call on a stream keeps a processor for 1,000,000 instructions" {
	run "$STRSOCK_SRC/tests/latency"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[-1]} == *" passed, 0 failed" ]]
}
