#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# strinfo(1)
#
# bats file_tags=longdebug

load common
load streams

@test "modules and drivers are listed with their kernel module, loaded or loadable" {
	require_modules pipe
	require_loaded strecho
	unloaded strratelimit
	run -0 strinfo
	echo "$output"
	[[ ${lines[0]} == "TYPE "*"USED BY" ]]
	grep -qE '^module +ratelimit +strratelimit +loadable +0 -$' <<<"$output"
	grep -qE '^module +connld +strpipe +loaded +0 -$' <<<"$output"
	grep -qE '^driver +echo +strecho +loaded +0 -$' <<<"$output"
	run -0 strinfo --loaded
	[[ $output != *ratelimit* && $output == *" echo "* ]]
	run -0 strinfo --modules
	[[ $output != *driver* && $output == *" connld "* ]]
	run -0 strinfo --drivers
	[[ $output != *connld* && $output == *" echo "* ]]
}

@test "each has the number of streams that use it, and their processes" {
	require_modules pipe udp
	require_root
	require_loaded strecho strmux strcount
	require_nullmod
	export STRSOCK_BUILD
	run -0 python3 "$STRSOCK_SRC/tests/demo/streams.py" strinfo nullmod count echo mux
	echo "$output"
	grep -qE '^module +count +strcount +loaded +1 python3\([0-9]+\)$' <<<"$output"
	grep -qE '^module +nullmod +nullmod +loaded +2 python3\([0-9]+\)$' <<<"$output"
	grep -qE '^driver +echo +strecho +loaded +2 python3\([0-9]+\)$' <<<"$output"
	grep -qE '^driver +mux +strmux +loaded +2 python3\([0-9]+\)$' <<<"$output"
	[ "${#lines[@]}" = 5 ]
}

@test "a name that nothing has is an error" {
	require_modules pipe
	run -1 --separate-stderr strinfo connld nonsense
	[ "$stderr" = "strinfo: there is no module or driver 'nonsense'" ]
	[[ $output == *" connld "* ]]
}
