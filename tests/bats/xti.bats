#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# libxti: the X/Open Transport Interface, on UDP and on the transports within a
# host, by the driver and by sockets; and on a provider of connections that the test
# plays at the other end of a pipe
#
# bats file_tags=longdebug

load common
load streams
load xti

# on_udp CASE [HELPER]: on /dev/streams/udp
on_udp() {
	on_each strudp "${2:-xti}" "$1"
}

# played CASE [HELPER]: on the provider that the test plays
played() {
	require_modules pipe
	helper "${2:-xti-cots}" "$1"
}

@test "t_error and t_strerror: texts for all errors, and errno's with TSYSERR" {
	helper xti texts
}

# bats test_tags=oldest
@test "t_open: names, flags, the provider's characteristics; t_close, t_getinfo, t_sysconf" {
	on_udp open
}

@test "t_open: a stream that is not a provider is TBADNAME, after one wait for an answer" {
	require_loaded strloop
	helper xti stranger
}

@test "each function in each state of a datagram endpoint: TNOTSUPPORT, TOUTSTATE" {
	on_udp states
}

@test "each function on a descriptor that is not, or no longer, an endpoint: TBADF" {
	on_udp badf
}

@test "t_bind, t_unbind, t_getprotaddr and their errors" {
	on_udp bind
}

@test "t_alloc and t_free: buffers as large as the provider says" {
	on_udp alloc
}

@test "t_optmgmt in any state, with values of 4 and 8 bytes; options of a datagram" {
	on_udp options xti-options
}

# bats test_tags=oldest
@test "datagrams to and from a native socket: any size, in parts, too long, lost" {
	on_udp transfer xti-datagrams
}

@test "datagrams in vectors" {
	on_udp vectors xti-datagrams
}

@test "t_rcvuderr: an undeliverable datagram is reported before all else" {
	on_udp uderr xti-datagrams
}

@test "waiting ends with a signal: TSYSERR, EINTR; with O_NONBLOCK it is TNODATA" {
	on_udp waiting xti-datagrams
}

# bats test_tags=oldest
@test "threads on one endpoint, and on many; one is cancelled" {
	on_udp threads xti-processes
}

@test "fork: a child continues with its parent's endpoints, t_sync finds its changes" {
	on_udp fork xti-processes
}

@test "fork while other threads open, close and ask: the child can do all of it" {
	on_udp forks xti-processes
}

@test "a forked child's t_close() does not disturb its parent's requests" {
	on_udp fork-close xti-processes
}

@test "a handler that interrupts t_open() may call fork()" {
	on_udp fork-in-handler xti-processes
}

@test "exec, dup: the descriptor is an endpoint at its first use, a datagram's rest is there" {
	on_udp exec xti-processes
}

@test "a descriptor that t_open() has not made is an endpoint after t_sync() only, and a pipe is none" {
	on_udp strangers xti-processes
}

@test "XTI_PROVIDER: the driver, or sockets, or those where there is no driver" {
	helper xti provider
}

@test "a thousand endpoints" {
	on_udp many
}

@test "with timod popped the primitives are sent directly" {
	require_loaded strudp
	helper xti-options timod
}

@test "each function in each state with connections: TOUTSTATE, TNOTSUPPORT; t_sync" {
	played states
}

@test "t_connect, t_rcvconnect: waiting or not, data, rejected, interrupted" {
	played connect xti-connect
}

@test "t_listen, t_accept, t_snddis with several indications" {
	played listen xti-connect
}

@test "t_accept where the provider has no identity for an endpoint" {
	played fdinsert xti-connect
}

@test "t_snd, t_sndv: messages of the provider's size, TSDUs, expedited, flow control" {
	played send xti-data
}

@test "t_rcv, t_rcvv: parts, expedited data between, TLOOK, malformed messages" {
	played receive xti-data
}

@test "t_sndrel, t_rcvrel from either side, with data" {
	played release xti-data
}

@test "t_snddis, t_rcvdis in each state" {
	played disconnect xti-data
}

@test "each error of a provider is returned, and no other answer is" {
	played errors
}

@test "a request that an event crossed is TLOOK" {
	played crossed
}

@test "t_sync: the state is the user's, not that of the provider ahead of it" {
	played sync
}

@test "one waits to receive while others send and make requests" {
	played threads xti-shared
}

@test "another process takes a message already seen: a waiting call continues, and takes the next message" {
	played stolen xti-shared
}

@test "... of datagrams" {
	played stolen-datagrams xti-shared
}

@test "a thread that releases a connection, or sends over it, sees the changes of the thread before" {
	played released xti-shared
}

@test "t_snddis does not wait for room, and data that waited is sent on no other connection" {
	played broken-off xti-shared
}

@test "t_unbind does not wait for room, and no datagram is sent after it" {
	played unbound xti-shared
}

@test "no room: TFLOW with O_NONBLOCK; an event that came before it is TLOOK" {
	played no-room xti-shared
}

@test "t_sync, and the next message: a message that another process has read has no rest" {
	played rest-of-message xti-shared
}

@test "a thread that waits for its turn while the endpoint is closed gets TBADF, not the next endpoint" {
	played closed xti-shared
}

@test "the provider is closed: TSYSERR" {
	played hangup
}

@test "datagrams of a provider that holds them, or reports errors" {
	played datagrams xti-data
}

# loopback CASE: on the providers within a host
loopback() {
	on_each strtiloop xti-loopback "$1"
}

@test "t_getname: the names of the two ends of a connection; none where there is none" {
	loopback getname
}

@test "both sides of a connection on ticots: data of any size, aborted" {
	loopback ticots
}

# bats test_tags=oldest
@test "both sides of a connection on ticotsord, released in order" {
	loopback ticotsord
}

@test "t_unbind, t_connect wait for a connection that both sides have released; t_snddis aborts it" {
	loopback releasing
}

@test "a waiting call returns when another thread has closed the endpoint, or unbound it" {
	loopback woken
}

# bats test_tags=oldest
@test "t_open pushes timod where it is available" {
	require_loaded strudp
	modprobe timod 2>/dev/null || skip "needs the module timod"
	helper xti-options pushed
}
