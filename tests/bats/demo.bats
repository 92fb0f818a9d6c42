#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# tests/demo/compare, which quickstart runs: the order of the runs and what its table
# has, with programs that stand in for strsock and strstat. kernel.bats runs the real ones.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp -r "$BATS_TEST_DIRNAME/../demo" .
	mkdir -p build/tools
	printf '%s\n' '#!/bin/sh' 'shift' 'echo >>"$RUNS.streams"' 'VIA=streams exec "$@"' >build/tools/strsock
	printf '%s\n' '#!/bin/sh' 'n=$(wc -l <"$RUNS.streams")' \
		'echo "{\"counters\": {\"pipe\": {\"opened\": $n, \"bytes_sent\": 0}, \"udp\": {\"bytes_sent\": 0, \"messages_sent\": 0}}}"' \
		>build/tools/strstat
	chmod +x build/tools/*
	export STRSOCK_BUILD=$PWD/build RUNS=$PWD/runs
	: >runs.streams
}

@test "the first run is not counted, native runs and those on STREAMS alternate, and the table has medians" {
	# shellcheck disable=SC2016 # of the job
	echo 'slow at first | bash | echo "${VIA:-native}" >>"$RUNS"; [ "$(wc -l <"$RUNS")" -gt 1 ] || sleep 5; echo word' >demo/jobs
	run -0 demo/compare
	echo "$output"
	[ "$(paste -sd' ' runs)" = "native streams native streams native streams native" ]
	read -r _ _ _ native streams pipes _ _ same < <(grep '^slow at first  ' <<<"$output")
	[ "${native%.*}" -lt 5 ]
	[ "${streams%.*}" -lt 5 ]
	[ "$pipes" = 1 ]
	[ "$same" = yes ]
}

@test "a later run that differs is reported" {
	# shellcheck disable=SC2016
	echo 'differs | bash | echo "${VIA:-native}" >>"$RUNS"; [ "$(wc -l <"$RUNS")" != 4 ] || echo more; echo word' >demo/jobs
	run -1 demo/compare
	[[ $output == *"NO: out"* ]]
}

@test "a single command runs once natively and once on STREAMS, from the same input" {
	run -0 --separate-stderr bash -c 'echo word | demo/compare bash -c "echo \${VIA:-native} >>\"\$RUNS\"; cat"'
	[ "$output" = word ]
	[ "$(paste -sd' ' runs)" = "native streams" ]
}
