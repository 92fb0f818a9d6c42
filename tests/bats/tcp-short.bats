#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# TCP's short way: a program sees the same as on native sockets, whichever way its
# bytes pass, over IPv4, IPv6 and IPv4 as IPv6 spells it

load common
load streams
load udp

# The protocol of a native SOCK_STREAM, for same()
NATIVE=6

setup() {
	require_modules udp
	cd "$BATS_TEST_TMPDIR" || return
}

shortly() {
	local spelling
	for spelling in inet inet6 mapped; do
		same tcp-short "$1" $spelling
	done
}

@test "bytes sent before accept() come before those that pass the short way" {
	shortly early
}

@test "bytes that pass by TCP and the short way in turn are read and peeked at in order" {
	shortly mixed
}

@test "a client that waits since before accept() is woken by the server's greeting" {
	shortly greeting
}

@test "a socket that is closed with unread bytes resets its peer, which reads its own first" {
	shortly unread
}

@test "the end is reported behind the last byte; a half-closed socket still receives" {
	shortly ends
}

@test "the bytes of a process that was killed are read, and then the end" {
	shortly killed
}

@test "SO_RCVLOWAT, SO_RCVTIMEO, MSG_WAITALL and MSG_PEEK count the bytes of both ways" {
	shortly waiting
}

@test "a reset is reported to the call after the one that read some bytes" {
	shortly reset
}

@test "a reader with SO_RCVLOWAT is woken by bytes of both ways" {
	shortly enough
}

@test "a receiver that has ended both directions resets its peer" {
	shortly refused
}

@test "a connection that failed leaves no bytes to the next one of its socket" {
	shortly failed
}

@test "each message is an edge of epoll, as are room and the end" {
	shortly edges
}

@test "SIOCINQ, SIOCOUTQ and TCP_INFO count the bytes of both ways" {
	shortly counts
}

@test "a socket that connect() disconnected may be connected again" {
	shortly again
}

@test "a sender that does not wait fills the buffers, and an event reports room" {
	shortly full
}

@test "buffers whose size the program has set are as soon full" {
	shortly small
}

@test "splice() takes the bytes of both ways in order" {
	shortly spliced
}

@test "splice() up to urgent data leaves the error behind it to the next call" {
	shortly spliced-to-mark
}

@test "splice() takes the bytes of both ways before urgent data at once" {
	shortly spliced-before-mark
}

@test "recvmsg() at the end of a connection has the control messages asked for" {
	shortly end-with-control
}
