#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# Fuzzing in user space, tests/fuzz/run: each target passes the inputs of its corpus and
# some that are made of them, and a fault in the code is found. For the machine's fuzzing
# (fuzz-calls.bats) that a finding is reduced.

load common

FUZZ=$BATS_TEST_DIRNAME/../fuzz/run

setup() {
	needs clang perl
	cd "$BATS_TEST_TMPDIR"
	export STRSOCK_BUILD
}

# passes TARGET RUNS CALLS: RUNS inputs pass, and make CALLS calls at least
passes() {
	run -0 "$FUZZ" --what "$1" --runs "$2"
	[[ ${lines[-1]} =~ ^([0-9]+)\ calls,\ 0\ findings$ ]]
	[ "${BASH_REMATCH[1]}" -ge "$3" ]
}

@test "messages and queues keep their bytes, order and counts" {
	passes msg 2000 3000
}

@test "primitives of the loopback transports" {
	passes loop 2000 10000
}

@test "primitives of transports over the kernel's sockets" {
	passes inet 2000 10000
}

@test "primitives of UDP" {
	passes udp 2000 8000
}

@test "the ioctls of the administrative device" {
	passes sad 2000 5000
}

@test "configuration files" {
	passes conf 2000 3000
}

@test "libxti against a provider that lies" {
	passes xti 2000 3000
}

@test "universal addresses" {
	passes uaddr 2000 2000
}

@test "modules above a driver that lies" {
	passes mod 2000 15000
}

# A copy of the sources in which a line keeps one word more than there is room for.
broken() {
	mkdir -p tree/tests
	cp -r "$STRSOCK_SRC"/{include,preload,libsocket} tree
	cp -r "$STRSOCK_SRC"/tests/{fuzz,vm} tree/tests
	sed -i 's/if (n < CONF_MAX_WORDS)/if (n <= CONF_MAX_WORDS)/' tree/preload/conf.c
}

@test "a fault is found, kept as an input, and replayed" {
	broken
	run -1 env STRSOCK_BUILD="$PWD/build" tree/tests/fuzz/run --what conf --runs 10000000
	[[ $output == *"AddressSanitizer: stack-buffer-overflow"* ]]
	[[ $output == *"finding: tests/fuzz/run --what conf fuzz-findings/conf-"* ]]
	local found=(fuzz-findings/conf-*)
	run -1 env STRSOCK_BUILD="$PWD/build" tree/tests/fuzz/run --what conf "${found[0]}"
	[[ $output == *"AddressSanitizer: stack-buffer-overflow"* ]]
	[[ ${lines[-1]} =~ ^[0-9]+\ calls,\ 1\ findings$ ]]
	# Where the fault is not, the same input passes.
	run -0 "$FUZZ" --what conf "${found[0]}"
	[[ ${lines[-1]} =~ ^[0-9]+\ calls,\ 0\ findings$ ]]
}

# shrink STATUS: of a sequence that the machine ends with STATUS if two of its calls are made
shrink() {
	needs cvise
	mkdir -p tree/tests/{fuzz,vm}
	cp "$STRSOCK_SRC/tests/fuzz/shrink" tree/tests/fuzz
	cat >tree/tests/vm/run <<-END
		#!/bin/bash
		! grep -q '^0 1 17$' "\${!#}" || ! grep -q '^2 0 100$' "\${!#}" || exit $1
	END
	chmod +x tree/tests/vm/run
	run tree/tests/fuzz/shrink --seed 3 --sequence 1.3
}

@test "a sequence of calls is reduced to those that its finding needs" {
	local status_of
	for status_of in 1 123; do
		shrink "$status_of"
		[ "$status" -eq 0 ]
		[ "$output" = "0 1 17"$'\n'"2 0 100" ]
	done
}

@test "a sequence of calls without a finding is not reduced" {
	# 124: the machine ran out of time, which may be for any reason.
	shrink 124
	[ "$status" -eq 1 ]
	[[ $output == *"the sequence has no finding"* ]]
}

@test "a sequence of calls follows from its name" {
	local calls=$STRSOCK_BUILD/tests/fuzz/bin/calls
	run -0 "$calls" --list --sequence 27.311
	[ ${#lines[@]} -eq 1200 ]
	run -2 "$calls" --list --sequence 27.x
	[[ $output == *"--list takes --sequence NAME"* ]]
	run -2 "$calls" --list
	run -2 "$calls" --family none
	[[ $output == *"no family is named 'none'"* ]]
	run -0 "$calls" --help
	[[ $output == "Usage: calls"* ]]
}

@test "wrong options are refused" {
	run -2 "$FUZZ"
	run -2 "$FUZZ" --what nothing
	[[ $output == *"no target is named 'nothing'"* ]]
	run -2 "$FUZZ" --what conf --seconds 0
	run -2 "$FUZZ" --what conf no-such-file
	STRSOCK_CLANG=no-such-compiler run -2 "$FUZZ" --what conf --runs 1
	[[ $output == *"no-such-compiler is not installed"* ]]
	run -2 "$STRSOCK_SRC/tests/fuzz/shrink" --times none
	[[ $output == *"--times takes a number above 0, not 'none'"* ]]
}
