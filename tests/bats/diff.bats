#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The differential tester, tests/diff/run, which makes random calls on pipes, UDP and
# TCP sockets natively and on STREAMS: it finds differences, and reports nothing else.

load common

DIFF=$BATS_TEST_DIRNAME/../diff/run

setup() {
	needs python3
	export STRSOCK_BUILD
}

# last N: of the lines that came
last() {
	echo "${lines[-$1]}"
}

# bats test_tags=host
@test "the native kernel does not differ from itself" {
	local what seed
	for what in pipe udp udp6 tcp; do
		for seed in 1 22 333; do
			run -0 "$DIFF" --what $what --seed $seed --steps 3000 --against native
			[[ $(last 1) == "3000 steps, 0 differences" ]]
		done
	done
}

# bats test_tags=host
@test "a seed gives the same steps each time, another one others" {
	# Their results may differ each time on a busy host.
	steps() {
		run -0 "$DIFF" --what "$1" --seed "$2" --sequence 3 --against native --verbose
		printf '%s\n' "${lines[@]:0:40}" | cut -f1,2
	}
	local what first
	for what in pipe udp udp6 tcp; do
		first=$(steps $what 7)
		[ "$(cut -f1 <<<"$first")" = "$(seq 0 39)" ]
		[ "$(steps $what 7)" = "$first" ]
		[ "$(steps $what 8)" != "$first" ]
	done
}

# bats test_tags=host
@test "a sequence gives the same alone as after others: the printed sequence plays the same" {
	local sequence together
	run -0 "$DIFF" --what pipe --seed 7 --steps 480 --against native --verbose
	together=("${lines[@]:0:480}")
	for sequence in {0..11}; do
		run -0 "$DIFF" --what pipe --seed 7 --sequence $sequence --against native --verbose
		[ "$(printf '%s\n' "${lines[@]:0:40}")" = \
			"$(printf '%s\n' "${together[@]:40 * sequence:40}")" ]
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
@test "a player that dies, or hangs, whether a signal ends it or not, is reported with its step" {
	local how again
	run -1 "$DIFF" --what pipe --seed 5 --steps 20000 --most 1 --against native --limit 1 \
		--plant dup,fstat,die
	again=$(sed -n 's|^  again: tests/diff/run ||p' <<<"$output")
	[[ $again == *" --only "*,*" "* ]]
	for how in "die ends the player: -9" "hang hangs" "stuck hangs"; do
		# shellcheck disable=SC2086 # words
		run -1 "$DIFF" ${again/,die/,${how%% *}}
		echo "$output"
		[[ $output == *" fstat(slot "*" native: "*${how#* }*" again: "* ]]
		[[ $output != *"not when played once more"* ]]
		[[ $(last 1) == *" steps, 1 differences" ]]
	done
	# shellcheck disable=SC2086 # words
	run -0 "$DIFF" ${again/ --plant dup,fstat,die/}
}

# explained KNOWN CALL CONTEXT FIELD NATIVE STREAMS: the names of the known differences
# that explain one in a step's field, or "None"
explained() {
	PYTHONPATH=${DIFF%/run} python3 -B - "$@" <<-'END'
	import sys
	from differences import FIELDS, Known
	known, call, context, field, native, streams = sys.argv[1:]
	def line(text):
	    step = {"call": call, "context": context, field: text}
	    return ["1"] + [step.get(name, "") for name in FIELDS]
	names = Known(known, "pipe").explains(field, line(native), line(streams))
	print(names and " ".join(names))
	END
}

# bats test_tags=host
@test "a known difference explains no other: a signal, an event, a descriptor" {
	explains() {
		local name=$1
		shift
		run -0 explained "$BATS_TEST_DIRNAME/../diff/known" "$@"
		[ "$output" = "$name" ] || { echo "$*: $output, not $name"; return 1; }
	}
	local read="read(slot 0, 1 bytes)" write="write(slot 1, 9 bytes)" wait="epoll_wait(64)"
	local in=" RT0(0 code 1 in+rdnorm)" out=" RT1(1 code 2 out+wrnorm+wrband)"

	explains signal-read "$read" " async-writer" signals " SIGIO" ""
	explains signal-read "splice(1 bytes of slot 0, a native pipe)" " async-writer" signals "$out" ""
	explains None "$read" " async-writer room" signals " SIGIO" ""
	explains None "$read" " async-reader" signals " SIGIO" ""
	explains None "splice(1 bytes of a native pipe, slot 1, 0x2)" " async-reader async-writer" \
		signals " SIGIO" ""

	local packet=" packet async-reader async-writer"
	explains signal-packets "$write" "$packet" signals "$in" "$in$in"
	explains None "$write" "$packet" signals "$in" "$in$out"
	explains None "$write" "$packet" signals "$in" "$out"

	explains edge-moved "$wait" " refused 0 moved 1" result "slot 1 out" ""
	explains edge-moved "$wait" " moved 0 1" result "slot 1 in+out slot 2 in" "slot 2 in"
	explains None "$wait" " refused 1 moved 0" result "slot 1 out" ""
	explains None "$wait" " moved 0" result "slot 0 in" ""
	explains edge-refused "$wait" " refused 0 2" result "slot 0 in slot 1 out" "slot 1 out"
	explains edge-refused "$wait" " refused 0" result "slot 0 in+out" ""
	explains edge-refused "$wait" " refused 0" result "slot 0 in slot 1 out" "slot 1 out slot 0 in"
	explains None "$wait" " refused 0" result "slot 0 in slot 1 in" "slot 0 in"
	explains None "$wait" " refused 1" result "slot 0 in" ""
	explains None "$wait" " refused 0" result "slot 0 in+hup" "slot 0 in"
	explains None "$wait" " refused 0" result "slot 0 out" ""
	explains None "$wait" " refused 0" result "" "slot 0 in"
	explains None "$wait" "" result "slot 0 in" ""

	explains empty-packet "write(slot 1, 9 bytes at a bad address)" " packet bad" result \
		"EFAULT left 0" "EFAULT left EAGAIN"
	explains None "write(slot 1, 9 bytes at a bad address)" " bad" result \
		"EFAULT left EAGAIN" "EFAULT left 1"
}

# bats test_tags=host
@test "each call that the player leaves out for a difference has that name among those known" {
	local diff=$BATS_TEST_DIRNAME/../diff
	# Names have no spaces: the other reasons do not name differences.
	run -0 diff <(sed -n 's/.*"not made: \([a-z-]*\)".*/\1/p' "$diff"/*.c | sort -u) \
		<(awk '/^\[/ { name = $0 } /^[a-z]/ { name = "" }
			/^$/ && name { print substr(name, 2, length(name) - 2); name = "" }
			END { if (name) print substr(name, 2, length(name) - 2) }' "$diff/known" | sort)
	grep -q '"not made: room"' "$diff"/*.c
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
	local without='/^#/ && !/^# The same[.]?$/ { reason = 1 } /^\[/ && !reason { print }
		/^$/ { reason = 0 }'
	run -0 awk "$without" "$BATS_TEST_DIRNAME/../diff/known"
	[ -z "$output" ]
	run -0 awk "$without" <(grep -v '^#' "$BATS_TEST_DIRNAME/../diff/known")
	[ -n "$output" ]
}

# bats test_tags=host
@test "bad arguments are refused in a line that gives the reason" {
	refused() {
		local why=$1
		shift
		run -2 "$DIFF" "$@"
		[[ $(last 1) == "tests/diff/run: "*"$why"* ]] || { echo "$* gives: $output"; return 1; }
	}
	refused "--what"
	refused "invalid choice: 'sctp'" --what sctp
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
	refused "CALL,CALL" --what pipe --plant read,write,vanish
	refused "above 0" --what pipe --limit 0
	refused "unrecognized" --what pipe --stops 3
	refused "No such file" --what pipe --known /nonexistent
	echo "nonsense" >"$BATS_TEST_TMPDIR/known"
	refused "known:1: makes no sense" --what pipe --known "$BATS_TEST_TMPDIR/known"
	whole() {
		local why=$1
		shift
		printf '%s\n' '[name]' "$@" >"$BATS_TEST_TMPDIR/known"
		refused "$why" --what pipe --known "$BATS_TEST_TMPDIR/known"
	}
	whole "known:1: [name] needs field" 'call: read' 'native: 0' 'streams: 1'
	whole "known:1: [name] needs field" 'field: result' 'call: read' 'native: 0'
	whole "known:1: [name] needs field" 'field: result' 'native: 0' 'streams: 1'
	whole "known:3: makes no sense" 'call: read' 'feild: result'
	whole "known:3: missing )" 'field: result' 'call: (read' 'native: 0' 'streams: 1'
	whole "no such field" 'field: results' 'call: read' 'native: 0' 'streams: 1'
	whole "can't decode" $'call: \xff'
	whole "known:3: makes no sense" 'call: read' 'call: write'
	STRSOCK_BUILD=/nonexistent refused "run make helpers" --what pipe
}

# differs_nowhere WHAT: in the results of random calls, natively and on STREAMS
differs_nowhere() {
	local before after
	before=$(through_streams)
	run "$DIFF" --what "$1" --steps 3000 --seed 1 --most 3
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $(last 1) == "3000 steps, 0 differences" ]]
	after=$(through_streams)
	[ "$after" -gt "$before" ]
}

# bats test_tags=matrix
@test "random calls on pipes give the same results on STREAMS as natively" {
	require_modules pipe
	differs_nowhere pipe
}

# bats test_tags=matrix
@test "random calls on UDP sockets give the same results on STREAMS as natively" {
	require_modules udp
	differs_nowhere udp
}

@test "random calls on UDP sockets of IPv6 give the same results on STREAMS as natively" {
	require_modules udp
	differs_nowhere udp6
}

# An observer of all packets begins and ends, so that the short way does so at any step.
# bats test_tags=oldest
@test "random calls on TCP sockets give the same results on STREAMS as natively" {
	require_modules udp
	require_root
	differs_nowhere tcp
}
