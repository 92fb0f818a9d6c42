#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Flow control: no lost wakeup, no more memory than the marks allow, no message
# out of its order; over modules with queues, drivers that join streams, and a
# multiplexor.
#
# bats file_tags=longdebug,smp

load common
load streams

setup() {
	require_modules pipe
	require_loaded nullmod srvmod strperim strloop strmux
}

@test "messages that cross streams both ways keep their order, with high priority among them" {
	helper flow crossing
}

@test "6,000 times 8 writers block for 8 readers: all continue" {
	helper flow wakeups
}

# bats test_tags=slow
@test "1,000,000 times 8 writers block for 8 readers: all continue" {
	STRSOCK_TEST_LIMIT=${STRSOCK_TEST_LIMIT:-3000} helper flow wakeups_long
}

@test "a blocked writer holds the high water marks and a message each, across 3 modules" {
	helper flow held
}

@test "bands overtake normal messages, high priority all, across 3 modules" {
	helper flow overtaking
}

@test "writers that do not wait return when others take their room" {
	helper flow crowded
}

@test "senders in a perimeter that is held: EAGAIN, or they wait; nothing is lost" {
	helper flow refused
}

@test "a woken writer whose memory is missing wakes the next one" {
	helper wakeup fault
}

@test "a writer that is woken and gets a signal wakes the next one: putmsg, write, splice" {
	helper wakeup signalled
}
