# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of UDP sockets share. Loaded with "load udp", after streams.

# same PROGRAM CASE: in all four combinations of ends.
same() {
	local a b reference=$BATS_TEST_TMPDIR/native output=$BATS_TEST_TMPDIR/output
	timeout 300 "$HELPERS/$1" "$2" $NATIVE $NATIVE >"$reference" 2>&1
	[ -s "$reference" ]
	for a in $NATIVE $STREAMS; do
		for b in $NATIVE $STREAMS; do
			[ "$a$b" != $NATIVE$NATIVE ] || continue
			timeout 300 "$HELPERS/$1" "$2" $a $b >"$output" 2>&1 ||
				echo "exit status $?" >>"$output"
			if ! cmp -s "$reference" "$output"; then
				echo "protocol $a to $b:"
				diff "$reference" "$output" | head -n 30
				return 1
			fi
		done
	done
}
