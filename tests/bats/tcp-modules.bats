#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# STREAMS sockets of TCP as streams: modules pushed on them, messages and primitives
#
# The cases of tcp-calls run with a module on the STREAMS socket, or on the one that it
# accepts from, and their output is compared with that of native sockets.
#
# bats file_tags=longdebug

load common
load streams
load udp

# The protocol of a native SOCK_STREAM, for same()
NATIVE=6

setup() {
	require_modules udp
	require_nullmod
	cd "$BATS_TEST_TMPDIR" || return
}

with_module() {
	local STRSOCK_TEST_PUSH
	export STRSOCK_TEST_PUSH
	require_loaded pipemod
	# nullmod says that it passes data on unchanged, and bytes pass it without a message.
	for STRSOCK_TEST_PUSH in pipemod nullmod; do
		for case; do
			same tcp-calls "$case"
			same tcp-calls "$case" inet6
		done
	done
}

modules() {
	require_loaded srvmod flipmod pipemod openfail
	helper tcp-modules "$1"
}

@test "modules are pushed, listed and popped on a fresh, listening, connected, half-closed socket" {
	modules modules
}

@test "a module changes bytes sent and received, and urgent ones in line" {
	modules filter
}

@test "an accepted socket has the modules of the one that listens" {
	modules accepted
}

@test "bytes that modules queue arrive all, in order, before the end, while these are full" {
	modules queued
}

@test "no byte is lost or out of order while modules are pushed and popped" {
	modules changing
}

@test "getmsg and putmsg: data, T_EXDATA_REQ, T_EXDATA_IND, T_INFO_REQ, T_ORDREL_IND, T_ORDREL_REQ" {
	modules messages
}

@test "a reset is a T_DISCON_IND and the error of the next call; T_DISCON_REQ resets" {
	modules disconnect
}

@test "bytes that modules hold at close are sent; unread ones reset the connection" {
	modules close
}

@test "tasks that wait are woken by what a module held back; edges of epoll" {
	modules waiting
}

@test "I_SETSIG reports bytes that no call looks for" {
	modules signal
}

@test "pushing, popping and an unknown ioctl send no SIGIO, and epoll reports no edge for them" {
	modules unnoticed
}

@test "with nullmod, MSG_PEEK at the mark takes no urgent byte, and SO_TIMESTAMP is reported" {
	modules past
}

# The debug kernel has no userfaultfd().
# bats test_tags=nodebug
@test "a task that disconnects is killed while it waits for a reader" {
	modules killed
}

@test "a module of a listening socket that refuses to be opened fails accept" {
	modules refused
}

@test "sockets of AF_INET6 are streams likewise" {
	modules inet6
}

@test "with a module: names, data both ways, MSG_PEEK, FIONREAD, shutdown, poll, as natively" {
	with_module fresh names asking asked
}

@test "with a module: urgent data, SIOCATMARK, SO_OOBINLINE, as natively" {
	with_module urgent
}

@test "with a module: errors of connect, SO_ERROR, resets, AF_UNSPEC, as natively" {
	with_module errors
}

@test "with a module: POLLRDHUP, bytes after SHUT_RD, AF_UNSPEC, a long splice, as natively" {
	with_module ends
}

@test "with a module: readv, writev, sendmmsg, MSG_WAITALL, MSG_MORE, MSG_TRUNC, as natively" {
	with_module in-pieces
}

@test "with a module: timeouts, edges of epoll, a full buffer, a reader woken, as natively" {
	with_module waiting
}

@test "with a module: SCM_RIGHTS, dup, fork, sendfile, splice, as natively" {
	with_module sharing
}

@test "with a module: options, and data with the request for a connection, as natively" {
	with_module options fast-open
}
