#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Multiplexors: I_LINK, I_UNLINK, I_PLINK, I_PUNLINK

load common
load streams

setup() {
	require_modules pipe
	require_loaded strmux strecho strnuls strloop nullmod strtest strprobe srvmod testmux
}

@test "a linked stream is reached through its multiplexor; unlinked it is as before" {
	helper mux linking
}

@test "read, write, getmsg, putmsg and ioctl of a linked stream: EINVAL; poll: POLLNVAL" {
	helper mux lower
}

@test "a reader asleep when the stream is linked gets EINVAL" {
	helper mux sleeper
}

@test "I_LINK: EBADF; EINVAL for no multiplexor, no stream, a pipe, a stream linked already" {
	helper mux errors
}

@test "I_LINK and I_UNLINK after a hangup: ENXIO; after M_ERROR: its value" {
	helper mux broken
}

@test "the driver's refusal is the error; a close is not refused" {
	helper mux refused
}

# bats test_tags=longdebug
@test "no answer is ETIME, and the driver drops the link" {
	helper mux silent
}

@test "a signal is EINTR, and the driver drops the link" {
	helper mux interrupted
}

@test "a link that the driver may still make is kept until the control stream closes" {
	helper mux late
}

# bats test_tags=longdebug
@test "so is a persistent one" {
	require_root
	helper mux late_persistent
}

@test "I_PUNLINK that the driver did not answer may be repeated when it has released the link" {
	require_root
	helper mux unlink_unanswered
}

@test "messages that wait when a stream is linked, or unlinked, are kept in order" {
	helper mux waiting
}

@test "mux sends each upper stream's messages along its route" {
	helper mux routes
}

# bats test_tags=longdebug
@test "a slow reader above stops the writer; all arrives in order" {
	helper mux flow
}

@test "closing the control stream unlinks the streams that it linked" {
	helper mux closing
}

@test "an upper stream that is routed to a stream later gets its earlier hangup" {
	helper mux-ends hangup_later
}

@test "a hangup below comes after the data before it" {
	helper mux-ends hangup_order
}

@test "a stream that was hung up while it was linked is hung up when it is unlinked" {
	helper mux-ends hangup_unlinked
}

@test "a hangup below that is withdrawn is withdrawn above" {
	helper mux-ends unhangup
}

@test "an error below is one above, until it is withdrawn" {
	helper mux-ends error
}

# bats test_tags=longdebug
@test "a close waits once for a driver that does not answer, not for each link" {
	helper mux-ends silent_close
}

@test "I_PLINK outlives its control stream, I_PUNLINK ends it from any" {
	require_root
	helper mux persistent
}

@test "a cycle is EINVAL, through two drivers as well" {
	helper mux cycle
}

@test "a multiplexor below a multiplexor" {
	helper mux levels
}

@test "more than 24 modules and drivers below a driver: ELOOP" {
	require_root
	helper mux depth
}

@test "modules above and below" {
	helper mux modules
}

# A time in proportion is the same with and without KASAN.
# bats test_tags=longdebug
@test "the end of a process with thousands of links takes a time in proportion to their number" {
	mux many
}

@test "without privilege: no I_PLINK, no route to others' streams, no more links than files" {
	require_root
	helper mux unprivileged
}

@test "streams linked and unlinked under traffic by several at once" {
	helper mux storm
}

@test "a driver with streams below it cannot be unloaded; afterwards it can" {
	require_root
	run rmmod streams
	[ "$status" -ne 0 ]
	rmmod strmux testmux strecho strnuls
	modprobe -a strmux strecho testmux strnuls
	helper mux linking
}
