#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs that were linked when the C library still had getmsg() and the like:
# they refer to them by that version, getmsg@GLIBC_2.2.5.
#
# bats file_tags=longdebug,bare

load common

setup() {
	run "$HELPERS/oldstreams"
	[ "$status" -ne 77 ] || skip "$output"
	cd "$BATS_TEST_TMPDIR"
}

@test "the program is an old one: it needs the C library's old calls, and no others" {
	needs objdump
	for call in getmsg getpmsg putmsg putpmsg isastream fattach fdetach; do
		objdump -T "$HELPERS/oldstreams" | grep -Eq "UND.*GLIBC_2\.(2\.5|17)\)? +$call\$"
	done
	run ! grep -q libstreams <(objdump -p "$HELPERS/oldstreams")
}

@test "by itself it finds them to fail: ENOSYS" {
	run -0 "$HELPERS/oldstreams" absent
	[ -z "$output" ]
}

@test "under the preload they work: messages, bands, names" {
	require_modules pipe
	run -0 preloaded "$HELPERS/oldstreams" present
	[ -z "$output" ]
}

@test "under the launcher too" {
	require_modules pipe
	run -0 strsock --require --no-udp --no-tcp "$HELPERS/oldstreams" present
	[ -z "$output" ]
}

@test "programs linked now are not bound to them: the library exports them by that version only" {
	needs objdump
	for call in getmsg putmsg isastream fattach; do
		run -0 objdump -T "$LIBSTRSOCK"
		grep -Eq "\(GLIBC_2\.(2\.5|17)\) +$call\$" <<<"$output"
		run ! grep -E " (Base|STRSOCK_1) +$call\$" <<<"$output"
	done
}
