#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Minor devices: streams of a driver that are found by a number, and the clone
# device that gives out numbers.
#
# bats file_tags=longdebug,smp

load common

setup() {
	require_modules pipe
	require_loaded strminor bufmod strmux
}

minor() {
	run "$STRSOCK_BUILD/tests/helpers/minor" "$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "each open of the clone device takes a minor device that is not in use" {
	minor clone
}

@test "fstat of a stream opened by the clone device is of that node; /proc/streams/open has the minor device" {
	local node=/dev/streams/strminor fd
	exec {fd}<>"$node"
	[ "$(stat -L -c %t:%T "/proc/self/fd/$fd")" = "$(stat -c %t:%T "$node")" ]
	[ "$(stat -c %t "$node")" != "$(stat -c %t "${node}0")" ]
	grep -q ' minor=0' /proc/streams/open
	exec {fd}>&-
}

@test "openers of a minor device share its stream; the last close ends it" {
	minor shared
}

@test "a minor device from the clone device can be opened by its number" {
	minor joined
}

@test "the driver may choose the minor device; an invalid one is ENXIO" {
	minor chosen
}

@test "an open that the driver refuses leaves all as it was" {
	minor refused
}

@test "the open procedures of modules are called for each opener" {
	minor modules
}

@test "an opener that the driver makes wait blocks no other opener, and a signal ends its wait" {
	minor waiting
}

@test "an open that fails when all others have closed closes the stream" {
	minor last
}

@test "while one opens a minor device first, others wait or get EAGAIN" {
	minor busy
}

@test "the event that an opener waits for is not missed, whenever it happens" {
	minor carrier
}

@test "an open with O_NONBLOCK does not wait for another task's I_STR" {
	minor ioctl
}

@test "after a hangup or below a multiplexor a stream has no new openers" {
	minor broken
}

@test "only root opens a driver with minor devices, any user the others" {
	minor modes
}

@test "nodes made by hand work by their numbers" {
	minor numbers
}

@test "opens and closes that race lose no stream and mix none" {
	minor racing
}

@test "/proc/streams/open shows the minor device of each stream" {
	run bash -c 'exec 3<>/dev/streams/strminor2 && grep "name=strminor" /proc/streams/open'
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *" minor=2 "* ]]
}
