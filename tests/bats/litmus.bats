#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Models of the orders of memory that the kernel modules rely on
# bats file_tags=host,slow

load common

LITMUS=$STRSOCK_SRC/tests/litmus

@test "no order of memory that C11 allows breaks the ring, its wakeups or the perimeter; without a barrier one does" {
	needs cargo
	cp -r "$LITMUS" "$BATS_TEST_TMPDIR/litmus"
	cd "$BATS_TEST_TMPDIR/litmus"
	cargo fetch --locked --quiet || skip "needs the crate loom, which cannot be fetched"
	run -0 cargo test --locked --offline --quiet
	[ "$(grep -c '^test result: ok' <<<"$output")" -ge 3 ]
	# Each test was run.
	[ "$(sed -n 's/^test result: ok\. \([0-9]*\) passed; 0 failed; 0 ignored.*/\1/p' <<<"$output" | paste -sd+ | bc)" -eq \
		"$(cat tests/*.rs | grep -c '^#\[test\]')" ]
}

@test "each litmus test names a function that there is, and a barrier's comment there names the test" {
	local file name models=0
	while read -r name; do
		case $name in *_without_* | *_with_*) continue ;; esac
		file=$(grep -h -B 6 "^fn $name()" "$LITMUS"/tests/*.rs | grep -o 'kmod/[a-z/]*\.[ch]' | head -n 1)
		grep -q "\<$name(" "$STRSOCK_SRC/$file"
		grep -q "litmus test $name)" "$STRSOCK_SRC/$file"
		models=$((models + 1))
	done < <(grep -h -A 2 '^#\[test\]' "$LITMUS"/tests/*.rs | sed -n 's/^fn \(.*\)().*/\1/p')
	[ "$models" -ge 7 ]
}

@test "a comment of the modules names no litmus test that there is not" {
	local name
	while read -r name; do
		grep -q "^fn $name()" "$LITMUS"/tests/*.rs
	done < <(grep -rhoE 'litmus test [a-z_]+' "$STRSOCK_SRC/kmod" | sed 's/litmus test //' | sort -u)
}
