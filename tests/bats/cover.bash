# SPDX-License-Identifier: GPL-2.0-only
#
# What calls and errors are covered: programs with cover.h print a line for each
# case; at the end of a file there is one for each call, "# case: CALL CASES
# PASSED", which tests/check makes a table of. Loaded after common and streams.

# cover PROGRAM GROUP: run its cases, keep what they say.
cover() {
	run timeout 300 "$HELPERS/$1" "$2"
	printf '%s\n' "$output" | grep '^case' >>"$BATS_FILE_TMPDIR/cases" || true
	printf '%s\n' "$output" | grep -v '^case.*	ok	' || true
	[ "$status" -eq 0 ]
}

# For teardown_file.
cover_table() {
	[ -s "$BATS_FILE_TMPDIR/cases" ] || return 0
	awk -F '\t' '
		{ cases[$2]++; passed[$2] += $3 == "ok" }
		END { for (c in cases) print "# case:", c, cases[c], passed[c] }
	' "$BATS_FILE_TMPDIR/cases" | sort >&3
}
