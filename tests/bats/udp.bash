# SPDX-License-Identifier: GPL-2.0-only
#
# Code that the tests of UDP sockets share. Loaded with "load udp", after
# streams.

# same PROGRAM CASE [SPELLING]: in all four combinations of ends, each run by the
# command in UNDER, if any.
same() {
	local a b reference=$BATS_TEST_TMPDIR/native output=$BATS_TEST_TMPDIR/output
	# The programs end by an alarm if anything hangs.
	local run=("${UNDER[@]}" "$HELPERS/$1" "$2")
	"${run[@]}" $NATIVE $NATIVE "${@:3}" >"$reference" 2>&1 3>&-
	[ -s "$reference" ]
	for a in $NATIVE $STREAMS; do
		for b in $NATIVE $STREAMS; do
			[ "$a$b" != $NATIVE$NATIVE ] || continue
			"${run[@]}" $a $b "${@:3}" >"$output" 2>&1 3>&- ||
				echo "exit status $?" >>"$output"
			if [ "$(<"$reference")" != "$(<"$output")" ]; then
				echo "protocol $a to $b:"
				diff "$reference" "$output" | head -n 30
				return 1
			fi
		done
	done
}
