#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Guarantees of section 9 of the manual to modules and drivers: which procedures run at
# the same time, functions called later, waiting in open, frozen queues (SVR4.2 DDI/DKI).
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_modules pipe
	require_loaded strddi strperim
}

ddi() {
	helper ddi "$1"
}

@test "qtimeout calls after its time, quntimeout cancels" {
	ddi timeout
}

# bats test_tags=nouml
@test "bufcall and qbufcall call when there is memory again; cancelled they do not" {
	require_failing_memory
	ddi bufcall
}

# bats test_tags=nouml
@test "a driver that waits by qbufcall while memory fails loses and reorders no byte" {
	require_failing_memory
	ddi recovers
}

@test "calls that are pending at the close never run" {
	ddi closing
}

@test "a frozen queue is changed by insq and rmvq" {
	ddi freeze
}

@test "qwait and qwait_sig in an open procedure end by a message, qwait_sig by a signal" {
	ddi qwait
}

@test "by default the procedures of a stream run one at a time" {
	ddi plain
}

@test "D_MTQPAIR: those of an instance run one at a time; qwriter(PERIM_OUTER) excludes all of the module" {
	ddi qpair
}

@test "D_MTPERMOD: those of all instances run one at a time" {
	ddi permod
}

@test "modules with any perimeter are pushed and popped under traffic: no byte lost or reordered" {
	ddi live
}

@test "D_MTOCEXCL: open and close procedures run one at a time" {
	ddi opening
}
