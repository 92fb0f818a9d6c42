#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# libxti's providers that are made of the kernel's sockets: what is theirs alone.
# Tests of both kinds of providers are in xti.bats and xti-native.bats.

load common
load streams

sockets() {
	helper xti-sockets "$1"
}

@test "poll() tells of each event of a connection: TCP over IPv4 and IPv6, ticots, ticotsord" {
	sockets polls
}

@test "a connection that is accepted where it was asked for, and the next one" {
	sockets here
}

@test "connections that are refused, and that go before they are accepted" {
	sockets refused
}

@test "data goes with the begin and the end of a connection, and with a refusal" {
	sockets udata
}

@test "addresses within a host: of any bytes, up to 128; busy ones, free ones" {
	sockets names
}

@test "a TSDU stays one, however little room there is" {
	sockets tsdu
}

@test "a caller that connects and says nothing holds up nobody" {
	sockets silent
}

@test "a caller does not speak to another user who has taken the name; root's servers are everybody's" {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	sockets squatter
}

@test "after execve() t_sync() finds the state of a connection" {
	sockets exec
}

@test "addresses within a host are known within their network namespace" {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	sockets namespace
}
