#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# getmsg(), putmsg(), getpmsg(), putpmsg() and isastream() on STREAMS pipes
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_modules pipe
}

getmsg() {
	helper streams-getmsg "$1"
}

@test "a message arrives as it was sent, with a control part, a data part, or both, both ways" {
	getmsg control-and-data
}

@test "putmsg without parts does nothing; with RS_HIPRI it is EINVAL" {
	getmsg nothing
}

@test "invalid flags and bands: EINVAL" {
	getmsg flags
}

@test "the part that does not fit stays for the next getmsg (MORECTL, MOREDATA), behind higher bands" {
	getmsg rest-stays
}

@test "maxlen 0 takes an empty part, -1 and NULL leave the part and its length alone" {
	getmsg length-of-room
}

@test "higher bands overtake lower ones; MSG_BAND takes a band and those above" {
	getmsg bands
}

@test "a high-priority message overtakes all; a second one at a time is dropped" {
	getmsg high
}

@test "flow control stops each band (EAGAIN), messages without bytes too, high priority never" {
	getmsg flow
}

@test "all bands above 0 together hold a quarter of what band 0 may" {
	getmsg bands-full
}

@test "parts beyond 65,536 bytes of data or 1,024 of control: ERANGE" {
	getmsg sizes
}

@test "when the other end is closed: queued messages, then lengths of 0; sending is EPIPE" {
	getmsg hangup
}

@test "STRIO_PEEKED: the message that begins with a word, or EAGAIN without waiting" {
	helper streams-strio peeked
}

@test "STRIO_PEEKED for putmsg: EBADMSG while a different message waits" {
	helper streams-strio guarded
}

@test "STRIO_NOWAIT never waits for room, STRIO_ROOM only waits for room" {
	helper streams-strio waits-for-room
}

@test "bad addresses: EFAULT, and no message is lost" {
	getmsg pointers
}

@test "read() at a control part: EBADMSG, or data with RPROTDAT, or passed over with RPROTDIS" {
	getmsg reading
}

@test "a control part that read() makes data stays one in a module's copy of the message" {
	require_loaded latemod
	getmsg shared
}

@test "the rest that read() leaves of a high-priority message is reported to a poller for data" {
	getmsg polling
}

@test "isastream() tells streams from other files; the calls give ENOSTR and EBADF on those" {
	getmsg strangers
}

@test "getmsg waits for a message of the kind it wants, a signal, or the end" {
	getmsg waiting
}

# bats test_tags=slow
@test "200,000 short messages of two writers, by putmsg and write, arrive whole and in order" {
	getmsg many
}
