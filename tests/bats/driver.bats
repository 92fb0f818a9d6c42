#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# A stream head's reactions to a driver and modules below it.
#
# bats file_tags=longdebug

load common

setup() {
	require_modules pipe
	require_loaded strtest srvmod
}

driver() {
	run "$STRSOCK_BUILD/tests/helpers/driver" "$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "written data comes back; a long write is sent in the driver's packet sizes" {
	driver echo
}

@test "I_STR returns the driver's value and data, its error, ETIME without an answer" {
	driver i_str
}

@test "after a hangup remaining data can be read, then end of file; writing is ENXIO" {
	driver hangup
}

@test "M_ERROR fails reading, writing or both with its error, until it is withdrawn" {
	driver error
}

@test "SIGPOLL arrives when there is data, at once for M_PCSIG, in turn for M_SIG" {
	driver signals
}

@test "a full driver stops its writer, which continues in order when there is room" {
	driver flow
}

@test "bands overtake normal messages, high priority overtakes all" {
	driver bands
}

@test "I_FLUSH empties the driver's queues or the head's" {
	driver flush
}

@test "modules with service procedures pass everything on, and close with messages in them" {
	driver modules
}
