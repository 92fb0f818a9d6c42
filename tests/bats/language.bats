#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# tests/language finds phrases that the project does not use

load common

setup() {
	# It reads files of the tree that it is in.
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/tests"
	mkdir -p "$tree/tests/lib"
	cp "$STRSOCK_SRC/tests/language" "$tree/tests"
	cp "$STRSOCK_SRC/tests/lib/sentences.py" "$tree/tests/lib"
	cd "$tree"
}

# finds FILE LINE: reads FILE, and finds one phrase, on that line.
finds() {
	run -1 tests/language "$1"
	[[ ${lines[0]} == "$1:$2: "* ]]
	[ "${lines[1]}" = "1 files, 1 phrases to replace" ]
}

@test "a phrase in a comment or string of C is found, and reported with its line" {
	printf '%s\n' '/*' ' * Waits for a message. What' ' * arrives is queued.' ' */' 'int i;' >one.c
	finds one.c 2
	printf '%s\n' 'int i; /* fine */' 'err("the file is no stream");' >two.c
	finds two.c 2
	printf '%s\n' '#define A 1	/* fine */' '' '/* Read by nobody. */' >three.h
	finds three.h 3
}

@test "a phrase in a script, a program, a page, a title or a text is found" {
	printf '%s\n' '#!/bin/sh' 'true # goes to the log' >script
	finds script 2
	printf '%s\n' '#!/usr/bin/env bash' "cat <<'END'" 'Usage: x' 'The user is told.' 'END' >usage
	finds usage 4
	printf '%s\n' '"""Fine."""' 'x = 1  # who reads it' >a.py
	finds a.py 2
	printf '%s\n' '.Sh DESCRIPTION' '.Fn read' 'tells of' '.Dv POLLIN .' >a.3
	finds a.3 3
	printf '%s\n' '@test "the message goes up" {' 'true' '}' >a.bats
	finds a.bats 1
	printf '%s\n' '# What is it' '' '- Data that is none.' >a.md
	finds a.md 3
}

@test "code, literal text, headings and questions are not read as sentences" {
	printf '%s\n' 'int who = what(he);' '/* What is it? */' >a.c
	run -0 tests/language a.c
	printf '%s\n' '## What it is' '' '    command goes here' >a.md
	run -0 tests/language a.md
	printf '%s\n' '.Bd -literal' 'What goes' '.Ed' >a.7
	run -0 tests/language a.7
	printf '%s\n' 'x=${who#what} # There is no such file, and it is no longer read.' >a.bash
	run -0 tests/language a.bash
}

@test "comments of the product that are fragments are listed, where they are more than 3 of 100" {
	mkdir -p kmod/udp tests/lib
	cp "$STRSOCK_SRC/tests/lib/sentences.py" tests/lib
	printf '%s\n' '/* one.c - the title */' '/* Whether it is full. */' 'bool full(void);' '/* Before the lock. */' 'f();' \
		'/* The queue is full. */' 'int i;' >kmod/udp/one.c
	run -1 tests/language kmod/udp/one.c
	[ "${lines[0]}" = "kmod/udp/one.c:2: begins with 'whether' and has no main clause: Whether it is full." ]
	[ "${lines[1]}" = "kmod/udp/one.c:4: begins with 'before' and has no main clause: Before the lock." ]
	[ "${lines[2]}" = "kmod/udp: 2 of 3 comments are fragments" ]
	# The title, a heading, a value behind code and a noun before data are not sentences.
	{
		printf '%s\n' '/* SPDX */' '/* two.c - the title */' '/* Local management */' \
			'int n; /* of messages */' '/* The messages that wait. */' 'struct m {' '};'
		for _ in {1..40}; do printf '%s\n' '/* Sends the message. */' 'f();'; done
		printf '%s\n' '/* It fails. */' 'g();'
	} >kmod/udp/two.c
	run -0 tests/language kmod/udp/two.c
	# A relative clause has a verb, but the sentence has none; the same in tests.
	mkdir -p tests/helpers/pipe
	printf '%s\n' '/* three.c - the title */' '/* A writer that waits. */' 'f();' '/* NULL: it ended. */' 'g();' \
		'/* A writer that waits is woken. */' 'h();' '/* In a FIFO the writer waits. */' 'i();' >tests/helpers/pipe/three.c
	run -1 tests/language tests/helpers/pipe/three.c
	[ "${lines[0]}" = "tests/helpers/pipe/three.c:2: has no finite verb: A writer that waits." ]
	[ "${lines[1]}" = "tests/helpers/pipe/three.c:4: begins with a value: NULL: it ended." ]
	[ "${lines[2]}" = "tests/helpers: 2 of 4 comments are fragments" ]
}
