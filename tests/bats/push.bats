#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Modules on pipes: I_PUSH, I_POP, I_LOOK, I_FIND, I_LIST. Each test is of a
# full-duplex pipe and of one like Linux's, where both can.
#
# bats file_tags=smp,oldest

load common
load streams

setup() {
	require_modules pipe
	require_nullmod
}

push() {
	helper streams-push "$1"
}

@test "without modules: I_POP and I_LOOK give EINVAL, I_FIND 0, I_LIST counts 0" {
	push empty
}

@test "a module is found by I_LOOK, I_FIND and I_LIST, data passes through it, I_POP removes it" {
	push one
}

@test "names of no module, empty, too long or at bad addresses: EINVAL and EFAULT" {
	push names
}

@test "each end of a full-duplex pipe has modules of its own; a FIFO's ends share them" {
	push sides
}

@test "I_LIST fills as many entries as there is room for; EINVAL without, EFAULT at bad addresses" {
	push list
}

@test "modules can be pushed up to a limit of at least 9, then EINVAL" {
	push limit
}

@test "data that waits to be read stays, in order, when a module is pushed and popped" {
	push queued
}

@test "with a module end of file, EPIPE and unread data are as without" {
	push closing
}

@test "with a module a full pipe stops its writer until it is read" {
	push full
}

# bats test_tags=slow
@test "16 MiB keep their order and every byte while modules are pushed and popped on both ends" {
	push live
}

@test "a pushed module cannot be unloaded, nor can the pipe's; afterwards both can" {
	require_root
	coproc HOLD { streams-push hold; }
	read -r -t 300 line <&"${HOLD[0]}"
	[ "$line" = held ]
	pid=$HOLD_PID
	run rmmod nullmod
	[ "$status" -ne 0 ]
	[[ $output == *"in use"* ]]
	run rmmod strpipe
	[ "$status" -ne 0 ]
	run rmmod streams
	[ "$status" -ne 0 ]
	exec {HOLD[1]}>&-
	wait "$pid"
	rmmod nullmod
	modprobe nullmod
	push one
	unload_pipe
	modprobe strpipe
	push one
}

@test "a module that is not loaded is loaded when it is pushed" {
	require_root
	rmmod nullmod
	push one
	loaded nullmod
}
