#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# libxti: the X/Open Transport Interface, on UDP, and on a provider of
# connections that the test plays at the other end of a pipe
#
# bats file_tags=longdebug

load common
load streams

# datagrams CASE: on /dev/streams/udp
datagrams() {
	require_loaded strudp
	helper xti "$1"
}

# connections CASE
connections() {
	require_modules pipe
	helper xti-cots "$1"
}

@test "t_error and t_strerror: texts for all errors, and errno's with TSYSERR" {
	helper xti texts
}

@test "t_open: names, flags, what the provider is; t_close, t_getinfo, t_sysconf" {
	datagrams open
}

@test "each function in each state of a datagram endpoint: TNOTSUPPORT, TOUTSTATE" {
	datagrams states
}

@test "each function on what is no endpoint, or is no longer one: TBADF" {
	datagrams badf
}

@test "t_bind, t_unbind, t_getprotaddr and their errors" {
	datagrams bind
}

@test "t_alloc and t_free: buffers as large as the provider says" {
	datagrams alloc
}

@test "t_optmgmt in any state, with values of 4 and 8 bytes; options of a datagram" {
	datagrams options
}

@test "datagrams to and from a native socket: any size, in parts, too long, lost" {
	datagrams transfer
}

@test "datagrams in vectors" {
	datagrams vectors
}

@test "t_rcvuderr: what could not be delivered stands before all else" {
	datagrams uderr
}

@test "waiting ends with a signal: TSYSERR, EINTR; with O_NONBLOCK it is TNODATA" {
	datagrams waiting
}

@test "threads on one endpoint, and on many; one is cancelled" {
	datagrams threads
}

@test "fork: a child goes on with its parent's endpoints, t_sync tells what it did" {
	datagrams fork
}

@test "exec, dup: after t_sync the descriptor is an endpoint, a datagram's rest is there" {
	datagrams exec
}

@test "a thousand endpoints" {
	datagrams many
}

@test "with timod popped the primitives go by themselves" {
	datagrams timod
}

@test "each function in each state with connections: TOUTSTATE, TNOTSUPPORT; t_sync" {
	connections states
}

@test "t_connect, t_rcvconnect: waiting or not, data, rejected, interrupted" {
	connections connect
}

@test "t_listen, t_accept, t_snddis with several indications" {
	connections listen
}

@test "t_accept where the provider has no identity for an endpoint" {
	connections fdinsert
}

@test "t_snd, t_sndv: messages of the provider's size, TSDUs, expedited, flow control" {
	connections send
}

@test "t_rcv, t_rcvv: parts, expedited data between, TLOOK, what is no message" {
	connections receive
}

@test "t_sndrel, t_rcvrel from either side, with data" {
	connections release
}

@test "t_snddis, t_rcvdis in each state" {
	connections disconnect
}

@test "each error of a provider comes through, and no other answer does" {
	connections errors
}

@test "a request that an event crossed is TLOOK" {
	connections crossed
}

@test "t_sync: the state is the user's, not what the provider is ahead" {
	connections sync
}

@test "one waits to receive while others send and make requests" {
	connections threads
}

@test "the provider is gone: TSYSERR" {
	connections hangup
}

@test "datagrams of a provider that holds them, or says what cannot be" {
	connections datagrams
}

# loopback CASE: on the providers within a host
loopback() {
	modprobe strtiloop 2>/dev/null || skip "needs the module strtiloop"
	helper xti-loopback "$1"
}

@test "both sides of a connection on ticots: data of any size, broken off" {
	loopback ticots
}

@test "both sides of a connection on ticotsord, released in order" {
	loopback ticotsord
}

@test "t_open pushes timod where it is" {
	require_loaded strudp
	modprobe timod 2>/dev/null || skip "needs the module timod"
	helper xti pushed
}
