#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The stream head: each ioctl and call, its success and each of its errors, and
# the options that modules and drivers set. How many cases of each there were
# and passed comes at the end.
#
# bats file_tags=longdebug

load common
load streams
load cover

setup() {
	require_modules pipe
	require_nullmod
	require_loaded strprobe strtest openfail testmux strmux strecho srvmod pipemod bufmod
}

teardown_file() {
	cover_table
}

@test "I_NREAD" {
	cover streamio nread
}

@test "I_PUSH, I_POP, I_LOOK, I_FIND, I_LIST" {
	cover streamio names
}

@test "I_ANCHOR: modules below it are popped only with privileges" {
	cover streamio anchor
}

@test "I_FLUSH, I_FLUSHBAND: all, or one band, here, at the other end, in a driver" {
	cover streamio flush
}

@test "I_SRDOPT, I_SWROPT, I_SERROPT and how they are asked for" {
	cover streamio options
}

@test "errors that do not persist are reported once, on their side" {
	cover streamio once
}

@test "I_CKBAND, I_GETBAND, I_CANPUT" {
	cover streamio bands
}

@test "I_ATMARK: read() stops before and behind a mark" {
	cover streamio marks
}

@test "I_PEEK" {
	cover streamio peek
}

@test "I_STR at the stream head" {
	cover streamio command
}

@test "I_SETCLTIME: the time that close() waits for output to be sent" {
	cover streamio close-time
}

@test "I_FDINSERT names another stream" {
	cover streamio insert
}

@test "I_SETSIG, I_GETSIG: events, and when there are none" {
	cover streamio-signals set
}

@test "SIGPOLL when something to read comes first, SIGURG when asked for" {
	cover streamio-signals input
}

@test "SIGPOLL when there is room to write again, in band 0 and above" {
	cover streamio-signals output
}

@test "SIGPOLL at signal messages, errors and hangups" {
	cover streamio-signals state
}

@test "I_SETSIG: more files of a stream than 1,000: EAGAIN" {
	cover streamio-signals many
	cover streamio-signals many-groups
}

@test "I_SETSIG belongs to one process, until it closes the file" {
	cover streamio-signals processes
}

@test "I_ESETSIG, I_EGETSIG: other processes, and groups" {
	cover streamio-signals others
}

@test "getmsg, getpmsg" {
	cover streamio-calls getting
}

@test "putmsg, putpmsg" {
	cover streamio-calls putting
}

@test "read" {
	cover streamio-calls reading
}

@test "write" {
	cover streamio-calls writing
}

@test "poll" {
	cover streamio-calls polling
}

@test "M_SETOPTS sets the stream head's options" {
	cover streamio-calls setting
}

@test "SO_HIWAT, SO_LOWAT: the amount that reaches the head, and when more does; with SO_BAND of a band" {
	cover streamio-options marks
	cover streamio-options band-marks
}

@test "SO_READOPT and SO_ERROPT change how read() and write() continue" {
	cover streamio-options reading
	cover streamio-options errors
}

@test "SO_WROFF, SO_TAIL: room around written data, a page at most" {
	cover streamio-options blocks
}

@test "packet sizes are those of the module or driver below the head: ERANGE above" {
	cover streamio-options packets
}

@test "SIGPIPE: at the end of a pipe; with SNDPIPE at any error of writing" {
	cover streamio-options sigpipe
}

@test "SO_MREADON, SNDMREAD: read() that has to wait sends down how much it wants" {
	cover streamio-calls notifying
}

@test "SO_STRHOLD, SNDHOLD: short writes are sent together, nothing overtakes them" {
	cover streamio-calls holding
}

@test "RFILL: read() waits for all it asked for" {
	cover streamio-calls filling
}

@test "read, getmsg, write, putpmsg: only a message, or room, of their kind ends the wait" {
	cover streamio-wait messages
	cover streamio-wait room-in-bands
}

@test "a hangup and an error end it as well" {
	cover streamio-wait hangups
	cover streamio-wait errors
}

@test "poll waits for the band, the priority and the room that it asks for" {
	cover streamio-wait polling
}

@test "M_UNHANGUP withdraws a hangup" {
	cover streamio-state unseen
}

@test "M_ERROR is withdrawn for reading, writing or both" {
	cover streamio-state sides
}

@test "M_FLUSH of a driver's: all or a band, at the head, and turned round there" {
	cover streamio-state flushes
}

@test "messages of types that no head acts on have no effect, through modules too" {
	cover streamio-state ignored
}

@test "I_LINK, I_PLINK, I_UNLINK, I_PUNLINK" {
	require_root
	cover streamio-links linking
}

@test "... after a hangup: ENXIO" {
	require_root
	cover streamio-links hanging-up
}

@test "... without an answer: ETIME, EINTR" {
	require_root
	cover streamio-links waiting
}

@test "... limits and privileges: ELOOP, EAGAIN, EPERM" {
	require_root
	cover streamio-links limits
}

@test "every ioctl fails with the stream's error" {
	cover streamio-links broken
}

@test "below a multiplexor: EINVAL from all calls" {
	cover streamio-links linked
}

# bats test_tags=nouml
@test "no memory: ENOSR, and all is as before" {
	require_root
	require_failing_memory
	cover streamio-memory head
}

# bats test_tags=nouml
@test "no memory for the driver of a link: ENOSR" {
	require_root
	require_failing_memory
	cover streamio-memory links
}
