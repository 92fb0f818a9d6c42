#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# pfmod, the packet filter module
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_modules pipe
	require_loaded strecho pfmod
}

@test "each action and operator accepts and rejects the right packets" {
	helper dlpi-pfmod filters
}

@test "filters of 255 words" {
	helper dlpi-pfmod longest
}

@test "data of another length than the filter's is EINVAL, and changes nothing" {
	helper dlpi-pfmod errors
}

@test "control parts pass, with data that does" {
	helper dlpi-pfmod control
}
