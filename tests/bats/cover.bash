# SPDX-License-Identifier: GPL-2.0-only
#
# Coverage of calls and errors: programs with cover.h print a line for each case;
# at the end of a file there is one for each call and what it gives, "# case:
# CALL GIVES CASES PASSED", which tests/check makes a table of and holds against
# streams-calls.txt. Loaded after common and streams.

# cover PROGRAM GROUP: run its cases, keep what they say, show what failed.
cover() {
	local said=$BATS_TEST_TMPDIR/said line status=0
	timeout "${STRSOCK_TEST_LIMIT:-300}" "$HELPERS/$1" "$2" >"$said" 2>&1 || status=$?
	while IFS= read -r line; do
		[[ $line != case* ]] || printf '%s\n' "$line" >>"$BATS_FILE_TMPDIR/cases"
		[[ $line == case*$'\tok\t'* ]] || printf '%s\n' "$line"
	done <"$said"
	return "$status"
}

# For teardown_file. The outcome of a case is the error it begins with, or a
# result.
cover_table() {
	[ -s "$BATS_FILE_TMPDIR/cases" ] || return 0
	awk -F '\t' '
		{
			gives = "result"
			if (match($4, /^(E[A-Z0-9]+|linked):/))
				gives = substr($4, 1, RLENGTH - 1)
			cases[$2 " " gives]++
			passed[$2 " " gives] += $3 == "ok"
		}
		END { for (c in cases) print "# case:", c, cases[c], passed[c] }
	' "$BATS_FILE_TMPDIR/cases" | sort >&3
}
