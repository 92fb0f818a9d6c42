#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# A task that is delayed between two steps, as one may be whose class or cgroup keeps it
# from running, stops no other: strstall.ko delays it.
#
# bats file_tags=nouml

load common
load streams

preempt=/sys/kernel/debug/sched/preempt

setup() {
	require_modules pipe
	require_loaded strstall strprobe strtiloop
	# The mode in parentheses is the one chosen.
	before=$(sed 's/.*(\(.*\)).*/\1/' $preempt)
}

teardown() {
	[ -z "${before:-}" ] || echo "$before" >$preempt
}

@test "the work item that sends held data does not wait for a writer that is delayed" {
	helper stall hold
}

@test "a close waits for no task that is at the other end and seldom runs" {
	echo full >$preempt
	helper stall close
}
