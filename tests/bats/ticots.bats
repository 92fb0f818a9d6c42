#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# /dev/streams/ticlts, ticots, ticotsord: transports within a host

load common
load streams

setup() {
	require_modules pipe
	require_loaded strtiloop
}

ticots() {
	helper ticots "$1"
}

@test "T_INFO_REQ and T_CAPABILITY_REQ describe each of the three" {
	ticots info
}

@test "T_BIND_REQ, T_ADDR_REQ, T_UNBIND_REQ: addresses of any bytes, free ones, busy ones, bad ones" {
	ticots bind
}

@test "a connection: called, accepted on another stream, with data and addresses; closed, refused" {
	ticots connect
}

@test "I_FDINSERT names the stream that accepts" {
	ticots fdinsert
}

@test "calls that wait: too many, refused, withdrawn; invalid acceptors" {
	ticots queue
}

@test "closing hundreds of endpoints takes no time" {
	ticots closing
}

@test "an orderly release, of one side and then the other; ticots has none" {
	ticots release
}

@test "expedited data passes data that waits" {
	ticots expedited
}

@test "datagrams of 0 to 65,536 bytes, and T_UDERROR_IND" {
	ticots datagrams
}

@test "datagrams wait for a slow receiver, and none is lost" {
	ticots datagram-flow
}

@test "200 senders that wait for a receiver are all served when it reads" {
	ticots datagram-waiters
}

@test "T_OPTMGMT_REQ: buffers, limits, defaults" {
	ticots options
}

@test "addresses are known within their network namespace" {
	require_root
	ticots namespace
}

@test "a stream cannot be made to accept another user's connection" {
	require_root
	ticots other-user
}

# bats test_tags=longdebug
@test "each primitive in each state: acknowledged, TOUTSTATE, dropped, or the stream's end" {
	helper ticots-states table
}

@test "malformed primitives are refused or end their stream" {
	helper ticots-states malformed
}

# bats test_tags=longdebug
@test "20,000 random primitives do not harm other streams" {
	helper ticots-states random
}

# bats test_tags=longdebug
@test "16 MiB to a slow reader arrive whole and in order" {
	helper ticots-load transfer
}

@test "a release behind full buffers loses nothing, even if its sender closes" {
	helper ticots-load release
}

# bats test_tags=longdebug
@test "200 connections accepted, one after the other" {
	helper ticots-load accept
}

# bats test_tags=longdebug
@test "callers that give up while they are accepted" {
	helper ticots-load crossing
}

@test "the module is not unloaded while a stream is open" {
	run bash -c 'exec 9<>/dev/streams/ticots; rmmod strtiloop'
	[ "$status" -ne 0 ]
	[[ $output == *"in use"* ]]
}
