#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# Fuzzing in user space, tests/fuzz/run: each target passes the inputs of its corpus and
# some that are made of them, and a fault in the code is found.

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

@test "wrong options are refused" {
	run -2 "$FUZZ"
	run -2 "$FUZZ" --what nothing
	[[ $output == *"no target is named 'nothing'"* ]]
	run -2 "$FUZZ" --what conf --seconds 0
	run -2 "$FUZZ" --what conf no-such-file
	STRSOCK_CLANG=no-such-compiler run -2 "$FUZZ" --what conf --runs 1
	[[ $output == *"no-such-compiler is not installed"* ]]
}
