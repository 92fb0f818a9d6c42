#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# tests/layers derives the layers of the sources, and finds circles and names of nothing

load common

setup() {
	layers=$STRSOCK_SRC/tests/layers
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree"/kmod/{a,b}
	cd "$tree"
	printf '%s\n' '#include "low.h"' 'int high(void)' '{' '	return low();' '}' >kmod/a/high.c
	printf '%s\n' 'int low(void);' >kmod/a/low.h
	printf '%s\n' '#include "low.h"' 'int low(void)' '{' '	return 0;' '}' >kmod/a/low.c
	# A part of which nothing is said may have no circle.
	cp -r kmod part
}

@test "rooms of no part stand in more circles than allowed, and no text names what is not there" {
	run -0 "$layers"
	local part
	for part in kmod libxti preload libdlpi libstreams libsocket bench tests/diff; do
		[[ $output == *"$part: "*" rooms, "*" uses, 0 faults"* ]]
	done
}

@test "the layers are printed, the highest first; a source and its header are one room" {
	run -0 "$layers" --tree . --show part
	[ "${lines[0]}" = " 1: a/high" ]
	[ "${lines[1]}" = " 0: a/low" ]
}

@test "a call, a variable or an inline function that closes a circle fails" {
	cp part/a/low.c low.c
	cp part/a/low.h low.h
	printf '%s\n' 'int more(void)' '{' '	return high();' '}' >>part/a/low.c
	run -1 "$layers" --tree . part
	[[ $output == *"part: a circle of rooms: a/high, a/low"* ]]
	[[ $output == *"a/low.c uses high of a/high.c"* ]]
	printf '%s\n' 'int count;' >>part/a/high.c
	{ cat low.c; printf '%s\n' 'int more(void)' '{' '	return count;' '}'; } >part/a/low.c
	run -1 "$layers" --tree . part
	[[ $output == *"a circle of rooms: "* ]]
	cp low.c part/a/low.c
	printf '%s\n' 'static inline int more(void)' '{' '	return high();' '}' >>part/a/low.h
	run -1 "$layers" --tree . part
	[[ $output == *"a circle of rooms: "* ]]
	cp low.h part/a/low.h
	run -0 "$layers" --tree . part
}

@test "a header that includes one above its source closes a circle" {
	printf '%s\n' 'int high(void);' >part/a/high.h
	printf '%s\n' '#include "high.h"' >>part/a/low.h
	run -1 "$layers" --tree . part
	[[ $output == *"a circle of rooms: a/high, a/low"* ]]
}

@test "comments, strings, members, prototypes and static functions of that name do not count as uses" {
	printf '%s\n' '/* high() calls it. */' 'int more(struct a *a)' '{' \
		'	print("high()");' '	return a->high;' '}' >>part/a/low.c
	printf '%s\n' 'int high(void);' >>part/a/low.h
	run -0 "$layers" --tree . part
	printf '%s\n' 'static int high(void)' '{' '	return 1;' '}' \
		'int most(void)' '{' '	return high();' '}' >part/a/other.c
	run -0 "$layers" --tree . --uses a/other.c part
	[[ $output != *high.c* ]]
}

@test "a circle of folders fails though no rooms form one, but not of a folder and one in it" {
	printf '%s\n' 'int far(void)' '{' '	return high();' '}' >part/b/far.c
	run -0 "$layers" --tree . part
	printf '%s\n' 'int near(void)' '{' '	return far2();' '}' >part/a/near.c
	printf '%s\n' 'int far2(void)' '{' '	return 0;' '}' >part/b/far2.c
	run -1 "$layers" --tree . part
	[[ $output == *"a circle of folders: a, b"* ]]
	mkdir part/a/in
	mv part/b/*.c part/a/in
	run -0 "$layers" --tree . part
}

@test "a smaller number of rooms in circles has to be written down" {
	sed 's/"kmod": [0-9]*/"kmod": 2/' "$layers" >changed
	run -1 python3 changed --tree . kmod
	[[ $output == *"kmod: 0 rooms in circles, and 2 allowed: lower the number"* ]]
	printf '%s\n' 'int more(void)' '{' '	return high();' '}' >>kmod/a/low.c
	run -0 python3 changed --tree . kmod
}

@test "a name that functions of two files of the modules have fails, though both are static" {
	local each
	for each in a b; do
		printf '%s\n' 'static int same(void)' '{' '	return 0;' '}' >kmod/$each/same.c
	done
	sed 's/"kmod": [0-9]*/"kmod": 0/' "$layers" >changed
	run -1 python3 changed --tree . kmod
	[[ $output == *"functions of one name: same of a/same.c, b/same.c"* ]]
}

@test "a function's place that the description of a part gives wrongly fails" {
	printf '%s\n' '`low()` (`a/low.c`), in `a/high.c`' >part/README.md
	run -0 "$layers" --tree . part
	printf '%s\n' '`high()`' '(`a/low.c`)' >part/README.md
	run -1 "$layers" --tree . part
	[[ $output == *"README.md: a/low.c does not name high()"* ]]
}

@test "a comment, a page or a description that names a file or function that is not there fails" {
	mkdir -p man/man2 tests/bats
	sed 's/^PARTS = .*/PARTS = {"kmod": 0,/; s/^         "bench".*/         "part": 0}/' "$layers" >changed
	printf '%s\n' '/* See low.c, and a/high.c. */' >>kmod/a/low.h
	printf '%s\n' '.In sys/types.h' 'It is in part/a/low.c.' >man/man2/low.2
	printf '%s\n' 'int low_level_here(void)' '{' '	return 0;' '}' >kmod/a/name.c
	printf '%s\n' '/* low_level_here() and low_level() are called. */' >>kmod/a/low.c
	run -0 python3 changed --tree .
	printf '%s\n' '/* See gone.c. */' >>kmod/a/low.h
	printf '%s\n' 'It was in part/a/gone.h.' >>man/man2/low.2
	printf '%s\n' 'See `tests/bats/gone.bats`.' >README.md
	printf '%s\n' '/* low_level_gone() is called. */' >>kmod/a/low.c
	printf '%s\n' '# As in low.bats and NAME.bats.' 'See gone.bash.' >tests/bats/low.bats
	run -1 python3 changed --tree .
	[[ $output == *"4 faults"* ]]
	printf '%s\n' '# As in gone.bash.' >>tests/bats/low.bats
	run -1 python3 changed --tree .
	[[ $output == *"kmod/a/low.h:3: there is no gone.c"* ]]
	[[ $output == *"man/man2/low.2:3: there is no part/a/gone.h"* ]]
	[[ $output == *"README.md:1: there is no tests/bats/gone.bats"* ]]
	[[ $output == *"kmod/a/low.c:7: there is no low_level_gone()"* ]]
	[[ $output == *"tests/bats/low.bats:3: there is no gone.bash"* ]]
	[[ $output == *"5 faults"* ]]
}
