#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# tests/programs/run: which differences count, which verdicts are kept, and what an
# interrupted run still has to do. It is tried in a tree of its own, with a few small
# programs and with machines that run them here.

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p tree/tests/{programs/lib,vm} tree/kmod tree/build/{tools,preload/.libs} bin cache/programs
	cp -r "$STRSOCK_SRC/tests/lib" tree/tests
	: >tree/tests/programs/known
	: >tree/kmod/module.c
	# It stands for what the modules count.
	sed "s|^COUNTERS = .*|COUNTERS = '$PWD/counters'|" "$STRSOCK_SRC/tests/programs/run" \
		>tree/tests/programs/run
	executable bin/dpkg-query 'echo "installed 1.2-3"'
	executable tree/build/tools/strsock '
		[ "$1" = --require ] || exit 2
		shift
		sed -i "s/pipe_opened .*/pipe_opened 100/" '"$PWD"'/counters
		sed -i "s/tcp_opened .*/tcp_opened 7/" '"$PWD"'/counters
		export ON_STREAMS=1
		exec "$@"'
	# A machine is broken, or its kernel complains, where a file says so.
	executable tree/tests/vm/run '
		echo "$*" >>'"$PWD"'/machines
		echo "$$" >'"$PWD"'/pid
		while [ "$1" != -- ]; do shift; done
		shift
		[ ! -e "$0.broken" ] || exit 125
		printf "%s 0\n" pipe_opened udp_messages_sent udp_messages_received tcp_opened \
			>'"$PWD"'/counters
		STRSOCK_MACHINE=uml "$@"
		status=$?
		rm '"$PWD"'/counters
		[ ! -e "$0.complains" ] || exit 123
		exit $status'
	chmod +x tree/tests/programs/run
}

executable() {
	printf '#!/bin/bash\n%s\n' "$2" >"$1"
	chmod +x "$1"
}

# program NAME BODY [TAKES [LIMIT]]: one of the tree's
program() {
	executable "tree/tests/programs/$1" "# SPDX-License-Identifier: GPL-2.0-only
# A program, $1.
# On STREAMS: 50 pipes
# Takes: ${3:-1} seconds, at most ${4:-60}
# Package: $1
echo \"$1 \$ON_STREAMS\" >>$PWD/ran
$2"
}

# programs [OPTION]... [PROGRAM]...: without the variables by which bats would know itself
programs() {
	env -i PATH="$PWD/bin:$PATH" HOME="$HOME" STRSOCK_CACHE="$PWD/cache" STRSOCK_BUILD="$PWD/tree/build" \
		tree/tests/programs/run "$@"
}

# verdict NAME FIELD: a field of a kept verdict
verdict() {
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' \
		"cache/verdicts/${3:-uml}/$1.json" "$2"
}

@test "a program runs natively and on STREAMS; its results are compared test by test, and kept" {
	program same 'echo pass one; echo fail two; echo skip three'
	run -0 programs
	echo "$output"
	[[ ${lines[1]} == "same "*" 1/1/1 "*" 1/1/1 "*" 100 "*" 0 "*"  same" ]]
	[ "${lines[-1]}" = "1 passed, 0 failed" ]
	[ "$(cat ran)" = $'same \nsame 1' ]
	[ "$(verdict same native)" = "{'one': 'pass', 'two': 'fail', 'three': 'skip'}" ]
	[ "$(verdict same version)" = 1.2-3 ]
	[ "$(verdict same kernel)" = "$(uname -r), User Mode Linux" ]
}

@test "a difference fails the run, unless tests/programs/known has its reason" {
	program differs 'echo pass one; [ "$ON_STREAMS" ] && echo fail two || echo pass two'
	run -1 programs
	echo "$output"
	[[ $output == *"DIFFERENT"*"    two: natively pass, on STREAMS fail"* ]]
	[ "${lines[-1]}" = "0 passed, 1 failed" ]
	# The test alone was run again, and differed again.
	[ "$(wc -l <ran)" -eq 12 ]
	echo 'two # pipes of the kernel only' >tree/tests/programs/known
	run -0 programs
	[[ $output == *"    two: natively pass, on STREAMS fail (pipes of the kernel only)"* ]]
	# Only that difference: the same test that fails natively is another.
	program differs 'echo pass one; [ "$ON_STREAMS" ] && echo pass two || echo fail two'
	run -1 programs
}

@test "a test that natively has both results may differ, and one that differs only once" {
	program either 'echo pass one
		n=$(grep -c "either $ON_STREAMS\$" '"$PWD"'/ran)
		[ "$ON_STREAMS" ] && [ "$n" -eq 1 ] && echo fail three || echo pass three'
	run -0 programs
	echo "$output"
	[[ $output == *"three: natively pass, on STREAMS fail (differed once, then 5 times not)"* ]]
	program either 'echo pass one
		n=$(grep -c "either $ON_STREAMS\$" '"$PWD"'/ran)
		[ "$ON_STREAMS" ] || [ $((n % 2)) -eq 0 ] && echo fail two || echo pass two'
	: >ran
	run -0 programs
	echo "$output"
	[[ $output == *"two: natively pass, on STREAMS fail (natively both results occur)"* ]]
}

@test "too little through STREAMS fails the run, and so do a limit passed and no test that passes" {
	program little 'echo pass one'
	sed -i 's/50 pipes/101 pipes/' tree/tests/programs/little
	run -1 programs
	[[ $output == *"only 100 pipes passed through STREAMS; at least 101 must"* ]]
	rm tree/tests/programs/little
	program endless 'echo pass one; exec sleep 1000' 1 1
	run -1 programs
	[[ $output == *"natively it did not run to its end: fail, status 124"* ]]
	rm tree/tests/programs/endless
	program bad 'echo fail one'
	run -1 programs
	[[ $output == *"natively nothing passed"* ]]
	rm tree/tests/programs/bad
	program absent 'exit 77'
	run -1 programs
	[[ $output == *"absent "*"not installed"* ]]
	[ ! -e cache/verdicts/uml/absent.json ]
}

@test "a program that declares connections must have made as many TCP sockets on STREAMS" {
	program tcp 'echo pass one'
	sed -i 's/50 pipes/50 pipes, 7 connections/' tree/tests/programs/tcp
	run -0 programs
	echo "$output"
	[ "$(verdict tcp connections)" = 7 ]
	sed -i 's/7 connections/8 connections/' tree/tests/programs/tcp
	run -1 programs
	[[ $output == *"only 7 connections passed through STREAMS; at least 8 must"* ]]
}

@test "an interrupted run continues with --resume; the machine under way ends" {
	local signal status
	for signal in TERM KILL; do
		rm -rf cache/verdicts ran
		program first 'echo pass one' 1
		program second "echo pass one; until [ -e $PWD/go ]; do sleep 0.1; done" 2 2000
		program third 'echo pass one' 3
		programs >out 2>&1 3>&- &
		until_true grep -q '^second' ran
		until_true grep -q '^first.* same' out
		kill -$signal "$(pgrep -P $! || echo $!)"
		status=0
		wait $! || status=$?
		[ $status -eq $((128 + $(kill -l $signal))) ] || { echo "status $status"; return 1; }
		[ $signal != TERM ] || until_true machine_ended
		kill -TERM "-$(cat pid)" 2>/dev/null || true
		until_true machine_ended
		rm -f counters
		run grep third ran
		[ "$status" -eq 1 ]
		: >ran
		touch go
		run -0 programs --resume
		echo "$output"
		[[ $output == *"first "*" same, earlier"*"second "*" same"$'\n'"third "*" same"$'\n'* ]]
		[ "${lines[-1]}" = "3 passed, 0 failed" ]
		[ "$(cut -d' ' -f1 ran | sort | uniq -c | tr -s ' \n' ' ')" = " 2 second 2 third " ]
		rm go
	done
}

machine_ended() {
	! kill -0 "$(cat pid)" 2>/dev/null
}

@test "a program runs again with --resume if it differed, or after a change of what it depends on" {
	program good 'echo pass one'
	program other 'echo pass one'
	programs
	again() {
		: >ran
		run -0 programs --resume
		[ "$(sort -u ran | tr -s ' \n' ' ')" = "$1" ] || { echo "$output" "ran: $(cat ran)"; return 1; }
	}
	again ""
	# Its own file
	program good 'echo pass one; echo pass two'
	again "good good 1 "
	# The modules
	echo '/* changed */' >>tree/kmod/module.c
	again "good good 1 other other 1 "
	again ""
	# Another kind of machine
	: >ran
	run -0 programs --resume --kernel 6.12 good
	[ "$(wc -l <ran)" -eq 2 ]
	grep -q -e '--kernel 6.12 ' machines
	program other 'echo pass one; [ "$ON_STREAMS" ] && echo fail two || echo pass two'
	run -1 programs
	: >ran
	run -1 programs --resume
	grep -q other ran
	run ! grep -q good ran
}

@test "a machine that dies fails the run and leaves no verdict; a complaint of its kernel is one" {
	program good 'echo pass one'
	touch tree/tests/vm/run.broken
	run -1 programs
	[[ $output == *"good "*"the machine ended with status 125"* ]]
	[ ! -e cache/verdicts/uml/good.json ]
	rm tree/tests/vm/run.broken
	touch tree/tests/vm/run.complains
	run -1 programs
	[[ $output == *"DIFFERENT"*"    the kernel complained"* ]]
	rm tree/tests/vm/run.complains
	run -0 programs --resume
}

@test "programs run here where STREAMS is loaded" {
	program good 'echo pass one; echo "a line of its log" >&2'
	printf '%s 0\n' pipe_opened udp_messages_sent udp_messages_received tcp_opened >counters
	run -0 programs
	[ ! -e machines ]
	[ "$(verdict good kernel here)" = "$(uname -r)" ]
	[ "$(grep -c 'a line of its log' cache/verdicts/here/good.log)" -eq 2 ]
}

@test "--table writes the kept verdicts; rows of other kernels stay, those of removed programs do not" {
	program good 'echo pass one; echo skip "a|b"'
	program other 'echo pass one; [ "$ON_STREAMS" ] && echo fail two || echo pass two'
	echo 'two # a reason' >tree/tests/programs/known
	programs
	programs --table
	local kernel
	kernel="$(uname -r), User Mode Linux"
	grep '^| ' tree/tests/programs/RESULTS.md >table
	diff table - <<-END
		| program | version | kernel | equal | different | commit |
		| good | 1.2-3 | $kernel | 2 (1/0/1) | none | none |
		| other | 1.2-3 | $kernel | 1 (1/0/0) | \`two\` pass/fail: a reason | none |
	END
	printf '%s\n' '| good | 1.0 | 0.1 | 7 (7/0/0) | `a\|b` pass/fail: old | abc |' \
		'| gone | 1.0 | 0.1 | 7 (7/0/0) | none | abc |' >>tree/tests/programs/RESULTS.md
	: >tree/tests/programs/known
	programs --table
	grep '^| ' tree/tests/programs/RESULTS.md >table
	diff table - <<-END
		| program | version | kernel | equal | different | commit |
		| good | 1.0 | 0.1 | 7 (7/0/0) | \`a\|b\` pass/fail: old | abc |
		| good | 1.2-3 | $kernel | 2 (1/0/1) | none | none |
		| other | 1.2-3 | $kernel | 1 (1/0/0) | \`two\` pass/fail: **no cause known** | none |
	END
}

@test "each program's file declares its duration, ten minutes at most, its limit and its package" {
	run -0 "$STRSOCK_SRC/tests/programs/run" --list
	[ "${#lines[@]}" -ge 20 ]
	awk '$2 > 600 { print "too long: " $0; status = 1 } END { exit status }' <<<"$output"
	program undeclared 'echo pass one'
	sed -i '/^# Takes/d' tree/tests/programs/undeclared
	run ! programs --list
	[[ $output == *'undeclared: its head has no line "Takes: ..."'* ]]
}

@test "each difference in RESULTS.md has a cause" {
	grep -q '^| ' "$STRSOCK_SRC/tests/programs/RESULTS.md"
	run ! grep -F '**' <(grep '^| ' "$STRSOCK_SRC/tests/programs/RESULTS.md")
}
