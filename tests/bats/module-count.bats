#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# count, the module that counts messages and bytes

load common

setup() {
	require_modules pipe udp
	shopt -s extglob
	cd "$BATS_TEST_TMPDIR"
}

# shown: the counts of all streams
shown() {
	strstat -oj | jq -r '.open[].modules[]' | grep ^count
}

@test "the bytes of a pipe are counted on their way down and up, and pass unchanged" {
	local sum
	sum=$(head -c 1000000 /dev/urandom | tee file | cksum)
	strsock --push count --on pipe bash -c '
		{ cat file; until [ -e done ]; do sleep 0.1; done; } | { head -c 1000000 | cksum; :>read
			until [ -e done ]; do sleep 0.1; done; }' >sum &
	until_true test -e read
	run -0 shown
	: >done
	wait
	[[ "$output" =~ ^count:out=1000000/([0-9]+):in=1000000/([0-9]+)$ ]]
	[ "${BASH_REMATCH[1]}" -gt 0 ]
	[ "$(cat sum)" = "$sum" ]
}

@test "messages and bytes of each direction of a full-duplex pipe are counted apart" {
	run -0 strsock --duplex --push count --on pipe python3 -c '
import os
below, above = os.pipe()
for i in range(7):
	os.write(above, b"x" * 100)
os.write(below, b"y" * 30)
os.read(above, 100)
os.system("strstat -oj")'
	[ "$(jq -r '.open[].modules[]' <<<"$output")" = "count:out=700/7:in=30/1" ]
}

@test "datagrams are messages, one without bytes too" {
	run -0 strsock --push count --on udp python3 -c '
import os, socket
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 0))
for size in 10, 0, 3000:
	a.sendto(b"x" * size, a.getsockname())
for i in range(3):
	a.recv(5000)
os.system("strstat -oj")'
	echo "$output"
	[ "$(jq -r '.open[].modules[0]' <<<"$output")" = "count:out=3010/3:in=3010/3" ]
}

# bats test_tags=oldest
@test "a count begins with its module, and ends with it" {
	run -0 strsock --duplex --no-udp --no-tcp bash -c '
		{ printf 12345; strchg -h count <&1; printf 123; strstat -oj >first
		strchg -p <&1; strchg -h count <&1; strstat -oj >second; } | cat'
	[ "$output" = 12345123 ]
	[ "$(jq -r '.open[].modules[]' first)" = "count:out=3/1:in=0/0" ]
	[ "$(jq -r '.open[].modules[]' second)" = "count:out=0/0:in=0/0" ]
}

@test "counts are shown while modules are pushed and popped" {
	local pusher text
	strsock --duplex --no-udp --no-tcp bash -o pipefail -c 'python3 -c "
import fcntl
I_PUSH, I_POP = 0x5302, 0x5303
for _ in range(500):
    fcntl.ioctl(1, I_PUSH, b\"count\\0\")
    fcntl.ioctl(1, I_PUSH, b\"count\\0\")
    fcntl.ioctl(1, I_POP, 0)
    fcntl.ioctl(1, I_POP, 0)
" | cat' &
	pusher=$!
	while kill -0 "$pusher" 2>/dev/null; do
		text=$(</proc/streams/open)
		[[ ! ${text//count:out=+([0-9])\/+([0-9]):in=+([0-9])\/+([0-9])/} == *count* ]]
	done
	wait "$pusher"
}
