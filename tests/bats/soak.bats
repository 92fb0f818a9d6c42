#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=machine
#
# tests/soak: all subsystems at full rate, and what is left of it.

load common

@test "wrong options are reported, with status 2" {
	run "$STRSOCK_SRC/tests/soak" --minutes none
	[ "$status" -eq 2 ]
	[[ $output == *"--minutes takes a number"* ]]
	run "$STRSOCK_SRC/tests/soak" --help
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "Usage: tests/soak "* ]]
}

# bats test_tags=slow
@test "a minute at full rate leaves nothing" {
	run "$STRSOCK_SRC/tests/soak" --minutes 1
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[-1]} == *" passed, 0 failed" ]]
}
