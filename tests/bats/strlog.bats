#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The STREAMS log: strlog(9), log(4), and its readers strtracelog(8) and
# strerrlog(8).
#
# bats file_tags=longdebug

load common
load streams
load cover

# Flags of a message
SL_ERROR=4 SL_TRACE=8

setup() {
	cd "$BATS_TEST_TMPDIR"
	# Those tagged "host", by name: Debian 12's bats tells no test its tags.
	[[ $BATS_TEST_DESCRIPTION != *" explains wrong arguments"* ]] || return 0
	require_modules pipe
	require_loaded strddi
	require_root
}

teardown_file() {
	cover_table
}

teardown() {
	[ -z "${reader:-}" ] || kill "$reader" 2>/dev/null || true
}

send() {
	"$HELPERS/strlog" send "$@"
}

# reading FLAGS FILE COMMAND...: start a reader, and wait until it reads; FILE
# is what it writes to then.
reading() {
	local flags=$1 file=$2 written
	shift 2
	: >out
	: >>"$file"
	written=$(<"$file")
	"$@" >out 2>err 3>&- &
	reader=$!
	until_true reads
	kill -0 "$reader" || { cat err; return 1; }
}

# It has written a message that was sent, or has ended. Messages sent before it
# reads are lost.
reads() {
	send 999 9 0 "$flags" "is it there"
	[ "$(<"$file")" != "$written" ] || ! kill -0 "$reader"
}

says() {
	[ -e "$2" ] && [[ $(<"$2") == *"$1"* ]]
}

# wait_for TEXT FILE
wait_for() {
	until_true says "$1" "$2" || { cat "$2"; return 1; }
}

@test "a tracer gets the messages that its triples choose, with numbers, times and flags" {
	cover strlog trace
}

@test "errors are sent to one error logger: a second one is EBUSY until the first is closed" {
	cover strlog error
}

@test "a reader that is behind loses messages, and sees it by their numbers" {
	cover strlog lost
}

@test "console messages are sent to a reader, or without one to the kernel's log" {
	cover strlog console
	dmesg | grep -q "streams: strlog test, to the kernel: 42"
	run ! grep -q "to a reader" <(dmesg)
}

@test "traces, errors and console messages have numbers of their own, and a reader of all three gets each" {
	cover strlog kinds
}

@test "flags of a message become a level of syslog" {
	cover strlog priorities
}

@test "log: a request that it does not know is EINVAL" {
	cover strlog wrong
}

@test "a program's message to the log is read like a module's" {
	cover strlog written
}

@test "a user that may not read the kernel's log gets EPERM, for reading and writing" {
	cover strlog unprivileged
}

@test "strtracelog prints the messages that its triples choose, a line for each" {
	reading $SL_TRACE out strtracelog 999 9 0 904 1 5 905 all all
	send 904 1 5 $SL_TRACE "at level 5"
	send 904 1 6 $SL_TRACE "at level 6"
	send 904 2 0 $SL_TRACE "of another part"
	send 905 3 100 $((SL_TRACE | SL_ERROR | 1 | 2)) "of any level"
	send 906 1 0 $SL_TRACE "of another module"
	send 905 0 0 $SL_TRACE $'two\nlines\\'
	wait_for "lines" out
	grep -v "is it there" out >lines
	[[ $(sed -n 1p lines) =~ ^[0-9]{6}\ [0-9][0-9]:[0-9][0-9]:[0-9][0-9]\ [0-9]+\ 5\ -\ 904\ 1\ at\ level\ 5:\ 42$ ]]
	[[ $(sed -n 2p lines) == *" 100 EFN 905 3 of any level: 42" ]]
	[[ $(sed -n 3p lines) == *' 905 0 two\x0Alines\x5C: 42' ]]
	[ "$(wc -l <lines)" -eq 3 ]
}

@test "strtracelog without arguments prints all traces; others may run beside it" {
	local first
	reading $SL_TRACE out strtracelog all all 0
	first=$reader
	mv out other
	reading $SL_TRACE out strtracelog
	send 1 2 127 $SL_TRACE "anything"
	send 1 2 0 $SL_ERROR "an error"
	send 1 2 0 $SL_TRACE "and this"
	wait_for "and this" out
	grep -q "anything" out
	run ! grep -q "an error" out
	[ ! -s err ]
	wait_for "and this" other
	run ! grep -q "anything" other
	kill "$first"
}

# bats test_tags=host
@test "strtracelog explains wrong arguments" {
	local arguments
	for arguments in "1" "1 2" "1 2 3 4" "x 2 3" "1 x 3" "1 2 x" "-1 2 3" "65535 2 3" "1 2 128" "1 2 3x" "all ALL all" "-x"; do
		# shellcheck disable=SC2086
		run -2 strtracelog $arguments
		[[ $output == *"strtracelog --help"* ]]
	done
	run -2 strtracelog 1 2
	[[ $output == *"in threes; see"* ]]
	run -2 strtracelog all all all all all
	run -2 strtracelog 1 2 200
	[[ $output == *"not a level from 0 to 127: 200"* ]]
	# shellcheck disable=SC2046
	run -2 strtracelog $(seq 195)
	run -0 strtracelog -h
	[[ $output == Usage* ]]
}

@test "strerrlog -s prints errors and nothing else" {
	reading $SL_ERROR out strerrlog -s
	send 904 1 5 $((SL_ERROR | SL_TRACE | 0x20)) "an error"
	send 904 1 5 $SL_TRACE "a trace"
	send 904 1 5 $((SL_ERROR | 0x10)) "the last"
	wait_for "the last" out
	run ! grep -q "a trace" out
	[[ $(grep "an error" out) =~ ^[0-9]{6}\ [0-9:]{8}\ [0-9]+\ TW\ 904\ 1\ an\ error:\ 42$ ]]
	[[ $(grep "the last" out) == *" C 904 1 the last: 42" ]]
}

@test "strerrlog appends to a file for each day, and ends at a SIGTERM" {
	[ "$STRSOCK_IN_VM" = 1 ] || skip "sets the clock: only in the virtual machine"
	local file
	mkdir errors
	file=errors/error.$(date +%F)
	echo "before" >"$file"
	reading $SL_ERROR "$file" strerrlog -d errors
	send 904 1 5 $SL_ERROR "today"
	wait_for "today" "$file"
	[ "$(head -n 1 "$file")" = before ]
	date -s "+1 day" >/dev/null
	send 904 1 5 $SL_ERROR "tomorrow"
	wait_for "tomorrow" "errors/error.$(date +%F)"
	date -s "-1 day" >/dev/null
	run ! grep -q "tomorrow" "$file"
	[ "$(stat -c %a "errors/error.$(date -d '+1 day' +%F)")" = 640 ]
	kill "$reader"
	wait "$reader"
	reader=
	[ ! -s out ] && [ ! -s err ]
}

@test "strerrlog reports how many errors it lost" {
	reading $SL_ERROR out strerrlog -s
	kill -STOP "$reader"
	run -0 "$HELPERS/strlog" fill 904
	[ "$output" -gt 100 ]
	local n=$output
	run -1 send 904 1 5 $SL_ERROR "one more"
	kill -CONT "$reader"
	wait_for "error $((n - 1)): 42" out
	send 904 1 5 $SL_ERROR "heard again"
	wait_for "heard again" out
	grep -B1 "heard again" out | grep -qx "2 errors were lost here"
}

@test "strerrlog: one at a time" {
	reading $SL_ERROR out strerrlog -s
	run -1 strerrlog -s
	[[ $output == *"only one"* ]]
	kill "$reader"
	wait "$reader"
	reading $SL_ERROR out strerrlog -s
}

# bats test_tags=host
@test "strerrlog explains wrong arguments and folders" {
	local arguments
	for arguments in "-s -d ." "-x" "more" "-s more" "-d"; do
		# shellcheck disable=SC2086
		run -2 strerrlog $arguments
		[[ $output == *"strerrlog --help"* ]]
	done
	run -2 strerrlog -d ""
	run -1 strerrlog -d nosuchfolder
	[[ $output == *"nosuchfolder: No such file or directory"* ]]
	touch file
	run -1 strerrlog -d file
	[[ $output == *"file: Not a directory"* ]]
	run -0 strerrlog -h
}

@test "strtracelog and strerrlog are refused to a user that may not read the kernel's log" {
	local as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	run -1 "${as_nobody[@]}" strtracelog
	[[ $output == *CAP_SYSLOG* ]]
	run -1 "${as_nobody[@]}" strerrlog -s
	[[ $output == *CAP_SYSLOG* ]]
}
