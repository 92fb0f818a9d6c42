#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs of the distribution with modules under either end of their connections

load common

MODULES="delay:latency=2:jitter=2,ratelimit:rate=100M,count"

setup() {
	require_modules pipe udp
	modprobe strtap
	until_true test -e /dev/streams/tee
	cd "$BATS_TEST_TMPDIR"
	mkdir served
	head -c 2000000 /dev/urandom >served/file
}

# serve COMMAND...: python's server, started by the command, or natively
serve() {
	"$@" python3 -u -m http.server -d served -b 127.0.0.1 8123 >log 2>&1 &
	server=$!
	until_true grep -q "^Serving" log
}

teardown() {
	[ -z "${server:-}" ] || kill "$server"
}

# reads_tee PID: whether a process has opened the device
reads_tee() {
	readlink "/proc/$1"/fd/* | grep -qx /dev/streams/tee
}

copy_is_file() {
	tail -c 2000000 copy | cmp -s - served/file
}

# copied COMMAND...: what the command receives is "got", and the end of what a reader of
# its tee gets is the same bytes
copied() {
	local reader
	cat /dev/streams/tee >copy &
	reader=$!
	until_true reads_tee "$reader"
	strsock --no-pipe --no-udp --push "tee:dir=in,$MODULES" --on tcp "$@"
	cmp served/file got
	until_true copy_is_file
	kill "$reader"
}

@test "curl, with modules and a copy, receives the same bytes from a native server" {
	serve env
	copied curl -sS -o got http://127.0.0.1:8123/file
}

@test "curl and wget, native, receive the same bytes from a server with modules" {
	serve strsock --no-pipe --push "$MODULES" --on tcp
	curl -sS -o got http://127.0.0.1:8123/file
	cmp served/file got
	wget -q -O got http://127.0.0.1:8123/file
	cmp served/file got
}

@test "curl and wget, with modules at both ends and a copy, receive the same bytes" {
	serve strsock --no-pipe --push "$MODULES" --on tcp
	copied curl -sS -o got http://127.0.0.1:8123/file
	copied wget -q -O got http://127.0.0.1:8123/file
}
