#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# /dev/streams/tcp, tcp6, udp_s, rawip, rawip6, sctp and sctp6: transport providers over the kernel's
# sockets, by their primitives

load common
load streams

setup() {
	require_loaded strinet
}

conn() {
	helper inet-conn "$1"
}

dgram() {
	helper inet-dgram "$1"
}

# sctp PROGRAM CASE...: the same cases of SCTP, where the kernel has it
sctp() {
	local program=$1 name
	shift
	modprobe sctp 2>/dev/null || skip "the kernel has no SCTP"
	for name; do
		run timeout 300 "$HELPERS/$program" "$name" sctp
		echo "$output"
		[ "$status" -eq 0 ]
	done
}

# bats test_tags=longdebug
@test "T_INFO_REQ and T_CAPABILITY_REQ describe each provider" {
	conn info
}

# bats test_tags=longdebug
@test "T_BIND_REQ, T_ADDR_REQ, T_UNBIND_REQ; ports conflict with sockets' both ways" {
	conn bind
}

# bats test_tags=longdebug
@test "a port below 1024 takes privileges: TACCES; opening rawip too: EPERM" {
	run timeout 300 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$HELPERS/inet-conn" privileged
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "an endpoint has the rights of the task that opened it, whichever task asks" {
	conn opener
}

# bats test_tags=longdebug
@test "a stream connects to a socket: data both ways, orderly release begun by each, and again" {
	conn connect
}

# bats test_tags=longdebug
@test "connections refused: T_DISCON_IND with ECONNREFUSED; invalid addresses: TBADADDR" {
	conn refused
}

# bats test_tags=longdebug
@test "a reset is a T_DISCON_IND with ECONNRESET, a T_DISCON_REQ is a reset" {
	conn reset
}

@test "tcp: a reset behind a full stream head is reported as one" {
	conn reset-full
}

@test "T_ADDR_REQ, T_INFO_REQ, T_DISCON_REQ do not wait behind data that the peer does not take" {
	conn abort-full
}

@test "T_CONN_RES: on another stream, unbound or bound, on the listening one; bad ones; rejections" {
	helper inet-accept accept
}

# bats test_tags=longdebug
@test "I_FDINSERT names the stream that accepts" {
	helper inet-accept fdinsert
}

# bats test_tags=longdebug
@test "a stream connects to a stream" {
	conn streams
}

@test "urgent data arrives marked, in its place, and is sent as such" {
	conn urgent
}

# bats test_tags=longdebug
@test "primitives out of state: T_ERROR_ACK or M_ERROR, and no harm to others" {
	conn states
}

@test "T_CONN_RES names only the same user's streams: TBADF; root's any" {
	conn strangers
}

# bats test_tags=longdebug
@test "data for a connection that has ended is ignored while the next one waits" {
	conn ignored
}

@test "a close sends queued data, and refuses waiting connections" {
	conn close
}

@test "a close with a byte unread loses no written data, and does not reset the connection" {
	helper inet-transfer close-unread
}

# bats test_tags=longdebug
@test "200 connections accepted one after the other, 50 that come at once" {
	conn many
}

@test "the buffers of an accepted connection are charged to the opener's cgroup" {
	helper inet-charge accepted
}

# bats test_tags=longdebug
@test "a stream belongs to the network namespace it was opened in" {
	conn namespace
}

# bats test_tags=longdebug
@test "16 MiB both ways at once arrive, byte for byte" {
	helper inet-transfer both
}

# bats test_tags=longdebug
@test "... with a slow reader of the stream" {
	helper inet-transfer slow-stream
}

# bats test_tags=longdebug
@test "... with a slow reader of the socket" {
	helper inet-transfer slow-socket
}

# bats test_tags=longdebug
@test "much data is sent up in the largest cached buffers" {
	require_root
	helper inet-transfer cached
}

# bats test_tags=longdebug
@test "a reader that stays away closes the window; nothing is lost when it returns" {
	helper inet-transfer held
}

# bats test_tags=longdebug
@test "orderly release waits behind data that the peer has not taken, and loses nothing" {
	helper inet-transfer held-stream
}

# bats test_tags=longdebug
@test "T_OPTMGMT_REQ: TCP's options, which outlive its connections; linger" {
	helper inet-options tcp
}

@test "tcp: the peer of a process that is killed is reset with an XTI_LINGER of 0 seconds, else at the end" {
	helper inet-options killed
}

# bats test_tags=longdebug
@test "T_OPTMGMT_REQ: defaults, which stay when an option is set; the options of IP" {
	helper inet-options defaults
}

@test "T_OPTDATA_REQ: options are set before its data is sent; one that is wrong ends the stream" {
	helper inet-options optdata
}

@test "T_OPTDATA_REQ whose data waits sets its options once, before a later T_OPTMGMT_REQ" {
	helper inet-options optdata-waits
}

@test "sctp: T_OPTDATA_REQ, whose records continue in T_DATA_REQ" {
	modprobe sctp 2>/dev/null || skip "the kernel has no SCTP"
	helper inet-options optdata-sctp
}

# bats test_tags=longdebug
@test "options of one datagram, and of one received" {
	helper inet-options dgram
}

@test "udp_s: a short datagram that waits is one object, with options too" {
	require_root
	helper inet-options one-object
}

# bats test_tags=longdebug
@test "udp_s: datagrams of 0 to 65,507 bytes between streams, and with a socket" {
	dgram datagrams
}

# bats test_tags=longdebug
@test "udp_s: T_UDERROR_IND for datagrams that did not arrive, and for no others" {
	dgram uderror
}

# bats test_tags=longdebug
@test "udp_s: primitives of connections, and out of state" {
	dgram states
}

# bats test_tags=longdebug
@test "udp_s: when the reader stays away, datagrams are lost, not memory" {
	dgram overflow
}

# bats test_tags=longdebug
@test "udp_s: arrived datagrams are counted, flushed, polled for and signalled, read or not" {
	dgram arrived
}

@test "udp_s: I_RECVFD finds a datagram in place of a descriptor: EBADMSG" {
	dgram descriptor
}

@test "udp_s: epoll_wait() with EPOLLET reports each arrival once, with timod too" {
	dgram edges
}

@test "udp_s: a poller for data gets the datagram that a message of high priority hid" {
	dgram hidden
}

@test "udp_s: a module gets datagrams though no task looks; timod leaves them queued" {
	require_loaded srvmod
	dgram given
}

@test "udp_s: a poller finds the message that a module makes of several datagrams" {
	dgram gathered
}

@test "udp_s: a sender waits for room, and all is sent" {
	dgram flow
}

@test "udp_s: several send, read and poll at once, and each datagram is received once" {
	helper inet-crowd datagrams
}

@test "udp_s: one of several pollers that finds nothing sleeps" {
	helper inet-crowd sleepers
}

@test "udp_s: one of several tasks that look returns at once if it finds nothing" {
	helper inet-crowd counters
}

@test "tcp: several send, read and poll at once, and all records arrive in order" {
	helper inet-crowd bytes
}

@test "tcp: connections are accepted and refused beside data that is ignored" {
	helper inet-crowd beside
}

@test "putmsg and getmsg give data of all lengths from and to all places in memory" {
	helper inet-direct sizes
}

@test "data that cannot be read is not sent, and data that cannot be stored stays and is next" {
	helper inet-direct faults
	helper inet-direct fault-large
}

@test "udp_s: a task that cannot store a datagram leaves it to one that sleeps" {
	helper inet-direct others-meanwhile
}

@test "tcp: bytes stay in order when buffers are full and empty" {
	helper inet-direct mixed
	helper inet-direct taken-in-parts
}

# The debug kernel has no userfaultfd().
# bats test_tags=nodebug
@test "udp_s: a task that waits for a page of its memory holds up no other" {
	helper inet-direct late
}

# bats test_tags=nodebug
@test "tcp: a message whose pages are dropped while it is sent arrives whole, and holds up no other call" {
	helper inet-direct vanished
}

# bats test_tags=nodebug
@test "I_PEEK waits for a getmsg that copies the first message, and shows the next" {
	helper inet-direct peek
}

# bats test_tags=nodebug
@test "tcp: bytes lost with the memory they were copied to are reported: EIO" {
	helper inet-direct gone
}

@test "tcp: a close that loses data resets the connection; data that has room is sent" {
	helper inet-direct cut
}

# bats test_tags=longdebug
@test "rawip: a request and its reply" {
	dgram raw
}

@test "rawip: UDP's datagrams, and nothing when there is none" {
	dgram raw-udp
}

@test "tcp6: addresses of IPv6 and no others; an address is kept after a call" {
	helper inet6 addresses
}

@test "tcp6: :: has IPv4's callers too, as IPv6 spells them, without T_IPV6_V6ONLY" {
	helper inet6 dual
}

@test "rawip6: packets without their headers, with the options of IPv6" {
	helper inet6 raw
}

@test "tcp6: options of IPv6; on an endpoint bound to ::1 all have a default" {
	helper inet6 options
}

# bats test_tags=longdebug
@test "sctp: connections, resets, streams that accept" {
	sctp inet-conn connect refused reset streams
	sctp inet-accept accept
}

@test "sctp: records in parts arrive whole and in order at a late reader" {
	modprobe sctp 2>/dev/null || skip "the kernel has no SCTP"
	helper inet-transfer records
}

@test "malformed primitives are refused, or end their stream" {
	helper inet-malformed table
}

@test "random primitives do not harm the connection of another stream" {
	helper inet-malformed random
}

# bats test_tags=longdebug
@test "the module is not unloaded while a stream is open" {
	run bash -c 'exec 9<>/dev/streams/tcp; rmmod strinet'
	[ "$status" -ne 0 ]
	[[ $output == *"in use"* ]]
}
