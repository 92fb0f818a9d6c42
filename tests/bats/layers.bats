#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# tests/layers derives the layers of the modules' sources, and finds cycles

load common

setup() {
	layers=$STRSOCK_SRC/tests/layers
	kmod=$BATS_TEST_TMPDIR/kmod
	mkdir -p "$kmod"/{a,b}
	cd "$kmod"
	: >LAYERS
	printf '%s\n' '#include "low.h"' 'int high(void)' '{' '	return low();' '}' >a/high.c
	printf '%s\n' 'int low(void);' >a/low.h
	printf '%s\n' '#include "low.h"' 'int low(void)' '{' '	return 0;' '}' >a/low.c
}

@test "no file of the modules uses a higher one, except for those listed" {
	run -0 "$layers"
}

@test "the layers are printed, the highest first" {
	run -0 "$layers" --show .
	[ "${lines[0]}" = " 2: a/high.c" ]
	[ "${lines[1]}" = " 1: a/low.c" ]
	[ "${lines[2]}" = " 0: a/low.h" ]
}

@test "a call, a variable or an inline function that closes a cycle between files fails" {
	cp a/low.c ../low.c
	printf '%s\n' 'int more(void)' '{' '	return high();' '}' >>a/low.c
	run -1 "$layers" .
	[[ ${lines[0]} == "a cycle between files: a/high.c -> a/low.c -> a/high.c" ]]
	printf '%s\n' 'int count;' >>a/high.c
	{ cat ../low.c; printf '%s\n' 'int more(void)' '{' '	return count;' '}'; } >a/low.c
	run -1 "$layers" .
	[[ ${lines[0]} == "a cycle between files: "* ]]
	cp ../low.c a/low.c
	printf '%s\n' 'static inline int more(void)' '{' '	return high();' '}' >>a/low.h
	run -1 "$layers" .
	[[ ${lines[0]} == "a cycle between files: "* ]]
}

@test "comments, strings, members, prototypes and static functions of that name do not count as uses" {
	printf '%s\n' '/* high() calls it. */' 'int more(struct a *a)' '{' \
		'	print("high()");' '	return a->high;' '}' >>a/low.c
	printf '%s\n' 'int high(void);' >>a/low.h
	run -0 "$layers" .
	printf '%s\n' 'static int high(void)' '{' '	return 1;' '}' \
		'int most(void)' '{' '	return high();' '}' >a/other.c
	run -0 "$layers" --uses a/other.c .
	[[ $output != *high.c* ]]
}

@test "a cycle between folders fails though no files form one, and no list allows it" {
	printf '%s\n' 'int far(void)' '{' '	return high();' '}' >b/far.c
	run -0 "$layers" .
	printf '%s\n' 'int near(void)' '{' '	return far2();' '}' >a/near.c
	printf '%s\n' 'int far2(void)' '{' '	return 0;' '}' >b/far2.c
	printf '%s\n' '== wrong' 'a/near.c b/far2.c far2' >LAYERS
	run -1 "$layers" .
	[[ $output == *"a cycle between folders: "* ]]
}

@test "the list allows a use that closes a cycle, and fails when that is gone or on none" {
	cp a/low.c ../low.c
	printf '%s\n' 'int more(void)' '{' '	return high();' '}' >>a/low.c
	printf '%s\n' '== to be moved' 'a/low.c a/high.c high' >LAYERS
	run -0 "$layers" .
	cp ../low.c a/low.c
	run -1 "$layers" .
	[[ ${lines[0]} == "listed, but not there: a/low.c a/high.c high" ]]
	printf '%s\n' '== to be moved' 'a/high.c a/low.c low' >LAYERS
	run -1 "$layers" .
	[[ ${lines[0]} == "listed, but without a cycle: a/high.c a/low.c low" ]]
	printf '%s\n' 'a/low.c a/high.c high' >LAYERS
	run -1 "$layers" .
	[[ ${lines[0]} == *"LAYERS:1: not 'USER USED NAME' below a reason"* ]]
}

@test "a name that functions of two files have fails, though both are static" {
	local each
	for each in a b; do
		printf '%s\n' 'static int same(void)' '{' '	return 0;' '}' >$each/same.c
	done
	run -1 "$layers" .
	[ "${lines[0]}" = "functions of one name: same of a/same.c, b/same.c" ]
}

@test "a file or a function's place that the description gives wrongly fails" {
	printf '%s\n' '`low()` (`a/low.c`), in `a/high.c`' >README.md
	run -0 "$layers" .
	printf '%s\n' '`high()`' '(`a/low.c`)' '`gone.c`' >README.md
	run -1 "$layers" .
	[ "${lines[0]}" = "README.md: there is no gone.c" ]
	[ "${lines[1]}" = "README.md: a/low.c does not name high()" ]
}
