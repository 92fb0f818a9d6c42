#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The differential tester, tests/diff/run, which makes random calls on pipes and on
# UDP sockets natively and on STREAMS: what differs it finds, and nothing else.

load common

DIFF=$BATS_TEST_DIRNAME/../diff/run

setup() {
	needs python3
	export STRSOCK_BUILD
}

# last N: of the lines that came
last() {
	printf '%s\n' "${lines[@]: -$1:1}"
}

# bats test_tags=host
@test "the native kernel does not differ from itself, whatever the seed" {
	local what
	for what in pipe udp; do
		run -0 "$DIFF" --what $what --steps 8000 --against native
		[[ $(last 1) == "8000 steps, 0 differences" ]]
	done
}

# bats test_tags=host
@test "a seed gives the same steps each time, another one others" {
	local what
	for what in pipe udp; do
		run -0 "$DIFF" --what $what --seed 7 --sequence 3 --against native --verbose
		local first=${lines[*]:0:40}
		[[ $first == "0"*"39"* ]]
		run -0 "$DIFF" --what $what --seed 7 --sequence 3 --against native --verbose
		[ "${lines[*]:0:40}" = "$first" ]
		run -0 "$DIFF" --what $what --seed 8 --sequence 3 --against native --verbose
		[ "${lines[*]:0:40}" != "$first" ]
	done
}

# planted WHAT FIRST,THEN STEPS: a difference is found, shrunk to at most STEPS
# steps of which the last is the one that is wrong, and comes again from what is
# printed, and from less does not.
planted() {
	local what=$1 calls=$2 most=$3 again only
	run -1 "$DIFF" --what "$what" --seed 5 --steps 20000 --most 1 --against native --plant "$calls"
	echo "$output"
	[[ $(last 1) == *" steps, 1 differences" ]]
	[[ $output == *"native:"*" wrong"* ]]
	again=$(sed -n 's|^  again: tests/diff/run ||p' <<<"$output")
	only=$(sed -n 's/.* --only \([0-9,]*\) .*/\1/p' <<<"$again")
	[ "$(tr , '\n' <<<"$only" | wc -l)" -le "$most" ]

	# shellcheck disable=SC2086 # words
	run -1 "$DIFF" $again
	[[ $(last 1) == "$(tr , '\n' <<<"$only" | wc -l) steps, 1 differences" ]]
	# Without its last step, or without the planted answer, nothing is wrong.
	run -0 "$DIFF" ${again/--only $only/--only ${only%,*}}
	[[ $(last 1) == *" steps, 0 differences" ]]
	run -0 "$DIFF" ${again% --plant *}
	[[ $(last 1) == *" steps, 0 differences" ]]
}

# bats test_tags=host
@test "a difference planted in a pipe is found, shrunk, and replayed by the command printed" {
	planted pipe dup,fstat 3
	planted pipe write,read 3
}

# bats test_tags=host
@test "a difference planted in UDP is found, shrunk, and replayed by the command printed" {
	planted udp connect,recvmsg 6
}

# bats test_tags=host
@test "a known difference is one only where its call, context and results match" {
	local known=$BATS_TEST_TMPDIR/known
	local run=(--what pipe --seed 5 --steps 20000 --most 1 --against native
		--plant dup,fstat --known "$known")
	printf '%s\n' '[planted]' 'what: pipe' 'call: ^fstat' 'field: result' \
		'native: 0 mode .*' 'streams: 0 mode .* wrong' >"$known"
	run -0 "$DIFF" "${run[@]}"
	[[ $(last 1) == "20000 steps, 0 differences" ]]
	[[ $output == *"known: planted ("*" times)"* ]]
	local wrong
	for wrong in 's/what: pipe/what: udp/' 's/\^fstat/^read/' 's/field: result/field: state/' \
		's/ wrong$/ else/' '/^call/a context: ^nothing$'; do
		sed -i.whole "$wrong" "$known"
		run -1 "$DIFF" "${run[@]}"
		mv "$known.whole" "$known"
	done
}

# bats test_tags=host
@test "each known difference has its reason above it" {
	local without='/^#/ { reason = 1 } /^\[/ && !reason { print }
		/^$/ { reason = 0 }'
	run -0 awk "$without" "$BATS_TEST_DIRNAME/../diff/known"
	[ -z "$output" ]
	run -0 awk "$without" <(grep -v '^#' "$BATS_TEST_DIRNAME/../diff/known")
	[ -n "$output" ]
}

# bats test_tags=host
@test "bad arguments are refused in a line that says what is wrong" {
	refused() {
		local why=$1
		shift
		run -2 "$DIFF" "$@"
		[[ $(last 1) == "tests/diff/run: "*"$why"* ]] || { echo "$* gives: $output"; return 1; }
	}
	refused "--what"
	refused "invalid choice: 'tcp'" --what tcp
	refused "a number is needed, not 'many'" --what pipe --steps many
	refused "above 0" --what pipe --steps 0
	refused "above 0" --what pipe --time 0
	refused "not '-1'" --what pipe --seed=-1
	refused "--only needs --sequence" --what pipe --only 1
	refused "--sequence needs --seed" --what pipe --sequence 1
	refused "--sequence excludes" --what pipe --seed 1 --sequence 1 --steps 10
	refused "not 'x'" --what pipe --seed 1 --sequence 1 --only 1,x
	refused "steps 0 to 39" --what pipe --seed 1 --sequence 1 --only 40 --against native
	refused "CALL,CALL" --what pipe --plant read
	refused "unrecognized" --what pipe --stops 3
	refused "No such file" --what pipe --known /nonexistent
	echo "nonsense" >"$BATS_TEST_TMPDIR/known"
	refused "known:1: makes no sense" --what pipe --known "$BATS_TEST_TMPDIR/known"
	STRSOCK_BUILD=/nonexistent refused "run make helpers" --what pipe
}
