#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# libxti's providers that are made of the kernel's sockets: behaviour that is theirs
# alone. Tests of both kinds of providers are in xti.bats and xti-native.bats.

load common
load streams

sockets() {
	helper xti-sockets "$1"
}

@test "poll() reports each event of a connection: TCP over IPv4 and IPv6, ticots, ticotsord" {
	sockets polls
}

@test "a connection that is accepted on the listening endpoint, and the next one" {
	sockets here
}

@test "connections that are refused, and that are aborted before they are accepted" {
	sockets refused
}

@test "data is sent with the begin and the end of a connection, and with a refusal" {
	sockets udata
}

@test "addresses within a host: of any bytes, up to 128; busy ones, free ones" {
	sockets names
}

@test "a TSDU stays one, however little room there is" {
	sockets tsdu
}

@test "a caller that connects and sends nothing delays no other" {
	sockets silent
}

@test "a caller sends nothing to another user that has taken the name; any user may call root's servers" {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	sockets squatter
}

@test "after execve() the first call finds the state of a connection, and t_sync() the same" {
	sockets exec
}

@test "addresses within a host are known within their network namespace" {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	sockets namespace
}
