#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Native UDP is as it was: it costs no more, and loses nothing
#
# bats file_tags=machine

load common
load streams

setup_file() {
	[ "${STRSOCK_IN_VM:-}" != 1 ] || skip "starts machines itself"
	command -v qemu-system-x86_64 >/dev/null || skip "no QEMU"
}

# machine [OPTION...] COMMANDS
machine() {
	run --separate-stderr "$BATS_TEST_DIRNAME/../vm/run" --timeout 300 "${@:1:$#-1}" -- bash -c "
		PATH='$HELPERS':\$PATH
		# Where instructions are the clock, a pause in which the host reads a file can
		# take minutes of it: only the machine's limit, of the host's time, counts.
		export STRSOCK_TEST_LIMIT=1000000000
		$(declare -f unload_all none_loaded until_true loaded)
		set -e; ${!#}"
	printf '%s\n' "$output" "$stderr"
	[ "$status" -eq 0 ]
}

@test "a native datagram takes 1 % more instructions at most while STREAMS sockets have 1,000 ports" {
	machine --icount --smp 1 'udp-native cost 1000; unload_all; udp-native cost 0'
	local beside=${lines[0]} alone=${lines[1]}
	[ "$alone" -gt 1000 ]
	[ $((beside * 100)) -le $((alone * 101)) ]
}

@test "modules that are loaded and unloaded under native traffic lose none of it" {
	# shellcheck disable=SC2016 # the machine's shell expands it
	machine --smp 2 'unload_all; udp-native echo &
		for i in $(seq 5); do
			modprobe -a strsock strinet
			rmmod strinet strsock
			rmmod strudp
		done
		kill $!; wait $!'
	[[ ${lines[0]} =~ ^([0-9]+)" datagrams came back"$ ]]
	[ "${BASH_REMATCH[1]}" -ge 1000 ]
}
