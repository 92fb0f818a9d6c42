#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=longdebug
#
# Basic tests of the supported kernels: load and unload the modules, and run the
# demonstration.

load common
load streams

setup() {
	require_modules pipe udp
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	cd "$BATS_TEST_TMPDIR"
}

# bats test_tags=matrix
@test "all modules are unloaded after use, and loaded again, twice" {
	local modules
	modules=$(sed -n 's/ .*//p' /proc/modules)
	for _ in 1 2; do
		strsock --require --no-udp --no-tcp sh -c 'echo word | cat' >word
		[ "$(cat word)" = word ]
		unload_all
		[ ! -e /proc/streams ]
		# shellcheck disable=SC2086 # words
		modprobe -a $modules
		[ "$(cut -d' ' -f1 /proc/modules | sort)" = "$(sort <<<"$modules")" ]
	done
}

# bats test_tags=oldest
@test "the programs of the demonstration print the same on STREAMS as natively" {
	run env STRSOCK_DEMO_ROUNDS=1 "$STRSOCK_SRC/tests/demo/compare"
	echo "$output"
	[ "$status" -eq 0 ]
}

# bats test_tags=matrix
@test "the timer that wakes a pipe's writers expires in a soft interrupt, as it may send many signals" {
	local trace=/sys/kernel/tracing
	[ -e $trace/events/timer/hrtimer_start ] || skip "the kernel traces no timers"
	echo 1 >$trace/events/timer/hrtimer_start/enable
	helper pipe-timer timer
	echo 0 >$trace/events/timer/hrtimer_start/enable
	grep 'hrtimer_start:.*\[streams\]' $trace/trace >timers
	[ -s timers ]
	run -1 grep -v 'mode=[A-Z|]*SOFT' timers
}
