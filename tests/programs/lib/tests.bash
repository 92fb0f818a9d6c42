# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Code that the programs' files in Bash share. Each runs in a folder of its own, $TMPDIR.

# asked NAME TEST...: whether a test is to be run; all are if none is named.
asked() {
	local name=$1 test
	shift
	[ $# -eq 0 ] && return
	for test; do
		[ "$test" != "$name" ] || return 0
	done
	return 1
}

# fetched NAME: where tests/programs/fetch has put a program's sources. Without
# them the program is left out.
fetched() {
	local folder=$STRSOCK_PROGRAMS/$1
	[ -e "$folder/.fetched" ] || exit 77
	echo "$folder"
}

# came NAME STATUS: one test's line; 77 says that it was skipped.
came() {
	case $2 in
	0) echo "pass $1" ;;
	77) echo "skip $1" ;;
	*) echo "fail $1" ;;
	esac
}

# tap NAME: a program's results in TAP, one line for each test. Text after a # is
# not part of the name, except SKIP.
tap() {
	awk -v name="$1" '
		match($0, /^(not )?ok( [0-9]+)?( -)? ?/) {
			test = substr($0, RLENGTH + 1)
			number = $0
			sub(/^(not )?ok ?/, "", number)
			sub(/[^0-9].*/, "", number)
			kind = /^not ok/ ? "fail" : "pass"
			if (test ~ /# *([Ss][Kk][Ii][Pp])/)
				kind = "skip"
			else if (test ~ /# *[Tt][Oo][Dd][Oo]/)
				kind = "pass"
			sub(/ *#.*/, "", test)
			# Those without a name have a number.
			print kind, name (test == "" ? " " number : " " test)
		}
		/^Bail out!/ { print "fail", name, "as a whole" }'
}
