#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# tests/check: which tests it runs and where, which results are failures, and which
# files it need not run again. It is tried in a tree of its own, with a few small
# files and with machines that run everything here.

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	export CHECK=$PWD/tree/tests/check
	mkdir -p tree/tests/{bats,vm,unit} tree/build/tools
	cp -r "$STRSOCK_SRC"/tests/{check,lib,in-turn} tree/tests
	: >tree/tests/durations
	: >tree/tests/bats/streams-calls.txt
	install -m 755 /dev/null tree/build/tools/strsock
	: >tree/build/Makefile
	program tree/tests/unit/run 'echo "5 passed, 0 failed"'
	# A machine is broken, or cannot run, where a file says so.
	program tree/tests/vm/run '
		machine=
		while [ "$1" != -- ]; do
			case $1 in
			--uml) [ -e "$0.no-uml" ] || machine=uml ;;
			--debug) machine=${machine:+$machine-}debug ;;
			--kernel) machine=$2; shift ;;
			--smp) processors=$2; shift ;;
			*) shift ;;
			esac
			shift
		done
		shift
		case $machine in
		uml*) STRSOCK_MACHINE=uml ;;
		*) STRSOCK_MACHINE=emulator ;;
		esac
		export STRSOCK_MACHINE
		machine=${machine:-6.1}
		echo "$machine $processors ${*##*/}" >>"${0%/*}/../../../ran"
		[ ! -e "$0.broken-$machine" ] || { echo "run: the machine died" >&2; exit 125; }
		"$@" || exit
		[ "$1" = sh ] || [ ! -e "$0.complains-$machine" ] || exit 123'
}

program() {
	printf '#!/bin/bash\n%s\n' "$2" >"$1"
	chmod +x "$1"
}

# file NAME [TAGS [BODY]]: one with a test
file() {
	printf '%s\n' "# bats file_tags=${2:-}" "@test \"$1 works\" {" "${3:-true}" '}' \
		>"tree/tests/bats/$1.bats"
}

# check [OPTION]...: without the variables by which this bats would know itself
check() {
	env -i PATH="$PATH" HOME="$HOME" STRSOCK_CACHE="$PWD/cache" "$CHECK" "$@"
}

# planned [OPTION]...: "MACHINE FILE", one a line
planned() {
	check --plan "$@" | awk '/^    / { print machine, $1; next } { sub(/:.*/, ""); machine = $0 }' |
		sort
}

@test "options that exclude each other are refused, in either order" {
	local options
	for options in "--host --quick" "--quick --host" "--kernel uml --quick" "--host --kernel uml"; do
		# shellcheck disable=SC2086 # words
		run -2 check $options
		[[ $output == "tests/check: argument --"*": not allowed with argument --"* ]]
	done
}

@test "bad arguments are refused in a line that gives the reason" {
	file one
	refused() {
		local why=$1
		shift
		run -2 check "$@"
		[[ $output == "tests/check: "*"$why"* && ${#lines[@]} -eq 1 ]] || { echo "$* gives: $output"; return 1; }
	}
	refused "invalid choice: '2.4'" --kernel 2.4
	refused "a number above 0 is needed, not '0'" --jobs 0
	refused "I/N is needed, such as 1/4, not '3/2'" --shard 3/2
	refused "no file is named udp*" --only 'udp*'
	refused "nowhere.bats: no such file" nowhere.bats
	refused "unrecognized arguments: --debug-only" --debug-only
	rm tree/build/tools/strsock
	refused "nothing is built in "
}

@test "a file of which the options leave out all tests is refused" {
	file starts machine
	run -2 check --host tree/tests/bats/starts.bats
	[[ $output == "tests/check: "*"/starts.bats: none of its tests runs with these options"* ]]
}

@test "each file runs once, on the fastest machine, beside its parts on others" {
	file plain longdebug
	file locks
	file two smp,longdebug
	file pipes matrix,nodebug
	file libraries oldest,longdebug
	file callers nouml,nodebug
	file slow slow
	file starts machine
	file here host
	file alone bare,longdebug
	run -0 planned
	diff - <(printf '%s\n' "$output") <<-'EXPECTED'
		6.1 callers
		6.1 libraries
		6.1 pipes
		6.12 pipes
		7.2 pipes
		host alone
		host here
		host starts
		uml alone
		uml libraries
		uml locks
		uml pipes
		uml plain
		uml two
		uml-debug locks
	EXPECTED
	run -0 planned --quick
	diff - <(printf '%s\n' "$output") <<-'EXPECTED'
		host alone
		host here
		host starts
		uml alone
		uml libraries
		uml locks
		uml pipes
		uml plain
		uml two
	EXPECTED
	run -0 planned --host
	[ "$output" = $'host alone\nhost here' ]
}

@test "all files run on every machine with --full, and a file named with a kernel runs there" {
	file locks
	file plain longdebug
	file slow slow
	run -0 planned --full
	[ "${#lines[@]}" -eq 27 ]
	[[ $output == *"debug slow"* ]]
	run -0 planned --full --kernel 6.12 --kernel 7.2
	[ "$output" = $'6.12 locks\n6.12 plain\n6.12 slow\n7.2 locks\n7.2 plain\n7.2 slow' ]
	run -0 planned --kernel uml-debug
	[ "$output" = "uml-debug locks" ]
	run -0 planned --kernel uml-debug tree/tests/bats/plain.bats
	[ "$output" = "uml-debug plain" ]
	run -0 planned --kernel 6.1 --only 'p*'
	[ "$output" = "6.1 plain" ]
}

@test "as many tests are planned of each file as bats counts" {
	local file filter=!nouml,!slow,!machine,!host,!never
	env -i PATH="$PATH" HOME="$HOME" STRSOCK_BUILD="$STRSOCK_BUILD" \
		"$STRSOCK_SRC/tests/check" --plan --kernel uml >plan
	[ "$(awk '/^    / { sum += $2 } END { print sum }' plan)" -gt 100 ]
	[ "$(awk '/^    / { sum += $2 } END { print sum }' plan)" = \
		"$(env -i PATH="$PATH" STRSOCK_BUILD="$STRSOCK_BUILD" bats --count --filter-tags "$filter" "$STRSOCK_SRC/tests/bats")" ]
	# A line that only looks like a test is none, and tags of a file can change.
	printf '%s\n' '# bats test_tags=a, slow' '@test "one" {' 'true' '}' \
		"printf '%s' '# bats file_tags=slow'" '@test "two"  {' 'true' '}' \
		'#@test "none" {' ' # bats file_tags=machine' '@test "three" {' 'true' '}' >odd.bats
	env -i PATH="$PATH" HOME="$HOME" "$CHECK" --plan --kernel uml odd.bats >plan
	grep -q 'odd  *1 tests' plan
	[ "$(env -i PATH="$PATH" STRSOCK_BUILD="$STRSOCK_BUILD" bats --count --filter-tags "$filter" odd.bats)" = 1 ]
}

@test "the longest files come first, each in a machine of its own, and short ones share one" {
	local name
	for name in a b c d e; do
		file $name longdebug
	done
	printf '%s\n' '# file host uml' 'a - 1' 'b - 200' 'c - 2' 'd - 50' 'e - 3' >tree/tests/durations
	run -0 check --plan --kernel uml
	diff - <(sed 's/  */ /g' <<<"$output") <<-'EXPECTED'
		no unit tests
		uml: 1 processor, 200 s
		 b 1 tests 200 s
		uml: 1 processor, 50 s
		 d 1 tests 50 s
		uml: 1 processor, 6 s
		 e 1 tests 3 s
		 c 1 tests 2 s
		 a 1 tests 1 s
	EXPECTED
}

@test "--changed runs the files that a change concerns, and all when that is not known" {
	export GIT_CONFIG_GLOBAL=/dev/null
	local file
	for file in reads writes news; do
		file $file longdebug
	done
	file sums longdebug 'helper sum one'
	file pages host 'mandoc man/*'
	mkdir -p tree/kmod/pipe tree/tests/helpers/stream tree/man cache/check
	touch tree/kmod/pipe/{read,write}.c tree/tests/helpers/stream/sum.c tree/man/sum.3 tree/Makefile.am
	printf '%s\n' /ran /build/ >tree/.gitignore
	git -C tree init -q -b main
	git -C tree add -A
	git -C tree -c user.name=Ann -c user.email=ann@example.org commit -q -m first
	# As tests/cover writes it, before there were news
	printf '%s' '{"reads": ["pipe/read.c"], "writes": ["pipe/read.c", "pipe/write.c"],
		"sums": [], "gone": ["pipe/write.c"]}' >cache/check/covers
	# concerned PATH FILE...: changed alone, it has these run; CAUSE is printed
	concerned() {
		echo >>"tree/$1"
		run -0 --separate-stderr planned --changed main
		git -C tree checkout -q .
		git -C tree clean -q -f
		[ "$output" = "$(printf '%s\n' "${@:2}")" ] || { echo "$1: $output"; return 1; }
	}
	concerned kmod/pipe/write.c "uml news" "uml writes"
	concerned kmod/pipe/read.c "uml news" "uml reads" "uml writes"
	[ "$stderr" = "changed: 1 files, tests: 3 of 5 files" ]
	concerned tests/helpers/stream/sum.c "uml sums"
	concerned tests/bats/reads.bats "uml reads"
	concerned man/sum.3 "host pages"
	# No test ran it; nothing is known of the others.
	for file in kmod/pipe/new.c tests/helpers/stream/new.c Makefile.am tests/in-turn; do
		concerned $file "host pages" "uml news" "uml reads" "uml sums" "uml writes"
		[ "$stderr" = "changed: 1 files, tests: 5 of 5 files, as $file may concern each" ]
	done
	rm cache/check/covers
	concerned kmod/pipe/write.c "host pages" "uml news" "uml reads" "uml sums" "uml writes"
	run -2 check --changed main
	[[ $output == *"no test concerns a change since then"* ]]
	run -2 check --changed nowhere
	[[ $output == "tests/check: --changed nowhere: git merge-base: "* ]]
}

@test "every file is in exactly one shard, and the unit tests are in the first" {
	local name shard
	for name in a b c d e f g; do
		file $name
	done
	file m matrix
	printf '%s\n' '# file host uml' 'a - 100' 'b - 90' >tree/tests/durations
	planned >all
	for shard in 1 2 3; do
		planned --shard $shard/3 >$shard
		[ -s $shard ]
	done
	sort 1 2 3 | diff all -
	[ -z "$(for shard in 1 2 3; do cut -d' ' -f2 $shard | sort -u; done | sort | uniq -d)" ]
	# The long ones are not together.
	run ! grep -q 'uml b' "$(grep -l 'uml a' 1 2 3)"
	[ "$(check --plan --shard 1/3 | head -n 1)" = "unit tests" ]
	[ "$(check --plan --shard 2/3 | head -n 1)" = "no unit tests" ]
}

@test "the summary lists the files run, their machines, and the unit tests" {
	file plain
	run -0 check
	echo "$output"
	[ "${lines[-1]}" = "7 passed, 0 failed" ]
	[[ $output == *" unit "*"    5 passed"* ]]
	[[ $output == *" uml       plain "*"    1 passed"* ]]
	[[ $output == *" uml-debug plain "*"    1 passed"* ]]
	[[ $output == *"the longest files"*" s  uml plain, 1 tests"*"the slowest tests:"* ]]
	[[ $output == *"where the time was spent"*"lane 1: busy"* ]]
	# No machine is started for nothing.
	run ! grep -v uml ran
}

@test "a test that fails fails the check, which prints its own lines" {
	file good
	file bad "" 'echo "this is why"; false'
	run -1 check --quick
	[[ $output == *"uml bad: not ok 1 bad works"*"uml bad: # this is why"* ]]
	[[ $output != *"    uml good: "* ]]
	[ "${lines[-1]}" = "6 passed, 1 failed" ]
	# Failed tests are printed once more at the end of the log.
	[[ $output == *"lane 1: busy"*" failed:"*"uml bad: not ok 1 bad works"*"uml bad: # this is why"* ]]
	# Of a long failure only the first lines are, but the title of each failure.
	file long "" 'seq 100; false'
	printf '%s\n' '@test "later" {' 'echo second; false' '}' >>tree/tests/bats/long.bats
	run -1 check --quick tree/tests/bats/long.bats
	again=${output#*" failed:"}
	[[ $again == *"not ok 1 long works"*"# 10"*"not ok 2 later"*"# second"* ]]
	[[ $again != *"# 30"* ]]
	[[ $output == *"# 99"* ]]
}

@test "a test that is announced and has no result fails the check, and so does a file without tests" {
	file dies "" 'kill -9 $PPID $$'
	run -1 check --quick
	echo "$output"
	[[ $output == *"uml dies: # 1 tests planned, 1 announced, 0 reported"* ]]
	rm tree/tests/bats/dies.bats
	echo 'true' >tree/tests/bats/none.bats
	run -1 check --quick
	[[ $output == *"uml none: # 0 tests planned, "* ]]
}

@test "a machine that does not run fails the check; the others do their part" {
	file plain matrix
	touch tree/tests/vm/run.broken-6.12
	run -1 check
	[[ $output == *"6.12: run: the machine died"* ]]
	[[ $output == *"6.12 machine: it cannot be had or does not run, see above (status 125); mend that, or choose others with --kernel"* ]]
	[[ $output == *" 7.2       plain "*"    1 passed"* ]]
	[ "${lines[-1]}" = "9 passed, 1 failed" ]
}

@test "a kernel that warns when all tests passed fails the check" {
	file plain
	touch tree/tests/vm/run.complains-uml-debug
	run -1 check
	[[ $output == *"exit status 123: the machine or the kernel failed; it ran plain"* ]]
	[ "${lines[-1]}" = "7 passed, 1 failed" ]
}

@test "where there is no User Mode Linux the emulator runs its files, unless it was asked for" {
	file plain
	file pipes matrix,nodebug
	touch tree/tests/vm/run.no-uml
	run -0 check
	[[ $output == *"uml: cannot run here, see above; 6.1 runs its files"* ]]
	[[ $output == *" 6.1       plain "*"    1 passed"* ]]
	[[ $output == *" debug     plain "*"    1 passed"* ]]
	# A file that the emulator runs anyway runs there once.
	[ "$(grep -c '^6.1 .*pipes.bats' ran)" -eq 1 ]
	run -1 check --kernel uml tree/tests/bats/plain.bats
	[ "${lines[-1]}" = "0 passed, 1 failed" ]
}

@test "files that have passed on the same tree are left out with --resume; after any change none is" {
	file good matrix
	file bad matrix,longdebug 'false'
	run -1 check
	: >ran
	run -1 check --resume
	echo "$output"
	[[ $output == *" uml       good "*" earlier"* ]]
	[[ $output == *" all done in "*" s of the processor, "*" skipped, 5 passed earlier"* ]]
	run ! grep good.bats ran
	grep -q '^7.2 .*bad.bats' ran
	# The file itself, or what it is run with
	echo '# changed' >>tree/tests/bats/good.bats
	: >ran
	run -1 check --resume
	[[ $output != *earlier* ]]
	[ "$(grep -c good.bats ran)" -eq 5 ]
	check --kernel uml --resume tree/tests/bats/good.bats
	chmod -x tree/tests/unit/run
	run -0 check --kernel uml --resume tree/tests/bats/good.bats
	[[ $output != *earlier* ]]
}

@test "a file that passed while the kernel warned is not left out" {
	file plain
	touch tree/tests/vm/run.complains-uml
	run -1 check --quick
	: >ran
	rm tree/tests/vm/run.complains-uml
	run -0 check --quick --resume
	grep -q '^uml .*plain.bats' ran
}

@test "a call that has no case that passed fails the check of all files" {
	printf '%s\n' '# comment' 'I_LOOK result EFAULT' >tree/tests/bats/streams-calls.txt
	file calls "" "echo '# case: I_LOOK result 3 3' >&3"
	run -1 check
	[[ $output == *"check calls: I_LOOK EFAULT"* ]]
	[[ $output == *"I_LOOK "*" 6 "*" 6  result"* ]]
	run -0 check --only calls
}

@test "how long files took serves the next plan, and with --record the tree's" {
	file quick longdebug
	file slower longdebug 'sleep 2.5'
	check --kernel uml
	run -0 check --plan --kernel uml
	[[ $output == *" slower "*" quick "* ]]
	[ ! -s tree/tests/durations ]
	run -0 check --record
	[ "$output" = "2 figures of tests/durations changed" ]
	local took
	took=$(awk '$1 == "slower" { print $3 }' tree/tests/durations)
	[ "${took%.*}" -ge 2 ]
	# A figure that is about right stays.
	sed -i "s/$took/$(awk "BEGIN { print $took * 1.2 }")/" cache/check/durations
	run -0 check --record
	[ "$output" = "0 figures of tests/durations changed" ]
}

@test "a check that is ended ends the commands it runs" {
	file hangs "" "echo \$\$ >$PWD/pid; exec sleep 1000"
	env -i PATH="$PATH" HOME="$HOME" STRSOCK_CACHE="$PWD/cache" \
		"$CHECK" --kernel uml >out 2>&1 3>&- &
	local i
	for i in $(seq 100); do
		[ ! -s pid ] || break
		sleep 0.1
	done
	kill -TERM $!
	wait $! || status=$?
	[ "$status" -eq 143 ]
	for i in $(seq 100); do
		kill -0 "$(cat pid)" 2>/dev/null || return 0
		sleep 0.1
	done
	false
}
