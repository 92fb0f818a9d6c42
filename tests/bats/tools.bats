#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# Options of all tools: --help, and the message for a wrong option

load common

# Tools that take a COMMAND follow env(1): strsock exits with 125.
TOOLS="strstat strview strinfo strchg strconf strfifo autopush fdetach strtracelog strerrlog"

@test "--help prints to standard output, and names each long option that the page names" {
	local tool page option
	for tool in $TOOLS strsock; do
		run -0 --separate-stderr "$tool" --help
		[ -z "$stderr" ]
		[[ $output == "Usage: $tool "* ]]
		page=$(compgen -G "$STRSOCK_SRC/man/man[18]/$tool.[18]")
		for option in $(sed -n '/^\.It Fl/s/Fl -/\n&/gp' "$page" | sed -n 's/^Fl -\([a-z]*\).*/\1/p'); do
			[[ $output == *"--$option"* ]] || { echo "$tool: --$option"; false; }
		done
	done
}

@test "--version and -V print the name and the version" {
	local tool version
	version=$(sed -n 's/^Version: *//p' "$STRSOCK_SRC/META")
	for tool in $TOOLS strsock; do
		run -0 --separate-stderr "$tool" --version
		[ "$output" = "$tool $version" ]
		[ -z "$stderr" ]
		run -0 "$tool" -V
		[ "$output" = "$tool $version" ]
	done
}

@test "the message for an unknown option begins with the tool's name, and is printed once" {
	local tool
	for tool in $TOOLS strsock; do
		run --separate-stderr "$STRSOCK_BUILD/tools/$tool" --nonsense
		[[ $stderr == "$tool: unrecognized option '--nonsense'"* ]]
		[ "$(grep -c 'nknown option\|nrecognized option' <<<"$stderr")" = 1 ]
	done
}

@test "an unknown option is 2, with a message on standard error" {
	local tool
	for tool in $TOOLS; do
		run -2 --separate-stderr "$tool" --nonsense
		[ -z "$output" ]
		[ "$stderr" ]
	done
}
