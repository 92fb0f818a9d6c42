#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What modules and drivers are promised by section 9 of the manual: who runs
# beside whom, functions called later, waiting in open, frozen queues (SVR4.2
# DDI/DKI).
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

@test "qtimeout calls after its time, quntimeout takes back" {
	ddi timeout
}

# bats test_tags=nouml
@test "bufcall and qbufcall call when there is memory again; taken back they do not" {
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

@test "D_MTQPAIR: those of an instance do; qwriter(PERIM_OUTER) runs alone of the module" {
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
