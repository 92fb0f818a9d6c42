#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# STREAMS sockets as streams: modules pushed on them, messages and primitives
#
# bats file_tags=smp

load common
load streams
load udp

setup() {
	require_modules udp
	require_nullmod
}

socket() {
	helper socket-streams "$1"
}

traffic() {
	helper socket-traffic "$1"
}

# As without a module: a program sees the same as on a native socket.
same_with_module() {
	local STRSOCK_TEST_PUSH=$1
	shift
	export STRSOCK_TEST_PUSH
	for group; do
		same udp-calls "$group"
	done
}

@test "I_LIST names the modules, sockmod, udp; I_PUSH, I_POP, I_LOOK, I_FIND, and their errors" {
	socket modules
}

@test "I_STR reaches the modules of a socket; timod's come back from the provider" {
	socket str
}

@test "getmsg, I_PEEK and I_NREAD see T_UNITDATA_IND; receive calls continue with the rest" {
	socket getmsg
}

@test "putmsg: a T_UNITDATA_REQ arrives at a native socket; other primitives are answered" {
	socket putmsg
}

@test "unread answers do not block datagrams, and are limited to 128 KiB" {
	socket unread
}

@test "receive calls, poll and getmsg wait, for a time, until a signal; S_INPUT" {
	socket waiting
}

@test "I_PEEK leaves a datagram to a receiver asleep since before the socket was a stream" {
	socket asleep
}

@test "peeking by SO_PEEK_OFF waits beyond the last datagram, for a time, until a signal" {
	socket offset
}

# The debug kernel has no userfaultfd().
# bats test_tags=nodebug
@test "a receive call and I_PEEK are not held up by a getmsg that waits for a page of its memory" {
	socket stuck
}

@test "an empty datagram is peeked at while getmsg takes it: it is there once" {
	helper socket-races peeked
}

@test "a datagram with a name is sent there while the socket is connected elsewhere" {
	helper socket-races named
}

@test "receive calls, control messages, poll, FIONREAD and SO_PEEK_OFF of a stream are as natively" {
	traffic native
}

@test "a module that changes data sees data sent and received; control messages stay" {
	traffic filter
}

@test "datagrams sent past a module keep their control messages while datagrams arrive" {
	traffic crossing
}

@test "datagrams that a module gathers arrive whole without a name, or are counted as dropped" {
	traffic chunks
}

# KASAN keeps what was freed.
# bats test_tags=nodebug
@test "messages that modules make of unread datagrams do not fill memory" {
	traffic flood
}

# How many are sent before the procedure stays inside depends on the load, and one
# processor without preemption runs no sender meanwhile.
# bats test_tags=slow,nouml
@test "a sender past a module's own perimeter is held back while that is crowded" {
	require_loaded strperim
	helper socket-crowd waits
}

# bats test_tags=slow,nouml
@test "send calls with MSG_DONTWAIT fail with EAGAIN while a module's own perimeter is crowded" {
	require_loaded strperim
	helper socket-crowd nowait
}

@test "errors are reported once, to a valid call; no signal" {
	traffic errors
}

# The debug kernel has no traffic control.
# bats test_tags=nodebug
@test "a task that waits for send buffer keeps no other from sending" {
	needs tc
	run timeout 300 unshare -n bash -c \
		'ip link set lo up && tc qdisc add dev lo root tbf rate 8kbit burst 1100 limit 1mb && exec "$@"' \
		bash "$HELPERS/socket-traffic" sndbuf
	echo "$output"
	[ "$status" -eq 0 ]
}

# bats test_tags=nodebug
@test "a datagram that io_uring sends when there is send buffer again is unchanged" {
	needs tc
	run timeout 300 unshare -n bash -c \
		'ip link set lo up && tc qdisc add dev lo root tbf rate 8kbit burst 1100 limit 1mb && exec "$@"' \
		bash "$HELPERS/socket-uring" sendmsg
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "a datagram that a module held back is sent by the call that waits for the answer" {
	require_loaded latemod
	helper socket-send late
}

@test "a datagram that MSG_MORE or UDP_CORK began before there was a stream is completed through it" {
	require_loaded latemod
	helper socket-send begun
}

# The debug kernel has no traffic control.
# bats test_tags=nodebug
@test "each copy that a module makes is sent, though the send buffer has no room for all" {
	needs tc
	require_loaded latemod
	run timeout 300 unshare -n bash -c \
		'ip link set lo up && tc qdisc add dev lo root tbf rate 40kbit burst 1100 limit 1mb && exec "$@"' \
		bash "$HELPERS/socket-send" copies
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "poll() does not wait for the lock of a socket, and sends datagrams that need none" {
	require_loaded latemod
	helper socket-send polled
}

@test "no worker of the kernel waits for the lock of a socket that a user holds" {
	helper socket-send locked
}

@test "after a hangup the datagrams that were queued are received, and nothing that comes later" {
	require_loaded latemod
	helper socket-send hangup
}

@test "closing a hundred sockets with modules on them takes no time" {
	traffic closing
}

@test "modules are pushed and popped on the socket of a preloaded program, and no datagram is lost" {
	export LIBSTRSOCK
	traffic preloaded
}

# bats test_tags=longdebug
@test "strchg and strconf change and show the modules of a socket that a program passes on" {
	run -0 strsock --require -P bash -e -c '
		exec 3<>/dev/udp/127.0.0.1/9
		strchg -h nullmod,pipemod <&3
		strconf <&3
		echo srvmod >"$0"
		strchg -f "$0" <&3
		strconf <&3
		strchg -p -a <&3
		strconf <&3' "$BATS_TEST_TMPDIR/wanted"
	[ "$output" = $'pipemod\nnullmod\nsockmod\nudp\nsrvmod\nsockmod\nudp\nsockmod\nudp' ]
}

@test "an administrator can keep sockets from becoming streams" {
	local parameter=/sys/module/strsock/parameters/streams
	echo N >"$parameter"
	run helper socket-streams hold </dev/null
	echo Y >"$parameter"
	[[ "$output" == *I_PUSH*"Inappropriate ioctl"* ]]
	socket hold </dev/null
}

@test "sockets of AF_INET6: modules, T_UNITDATA_IND, T_UNITDATA_REQ and T_ADDR_ACK, a sleeping reader" {
	socket inet6
}

@test "a socket left to the kernel, of AF_INET6 before or in a BPF map cannot be a stream" {
	socket refused
}

@test "dup and fork share the stream; the last close takes it away" {
	socket sharing
	[ "$(cat /sys/module/nullmod/refcnt)" = 0 ]
}

# bats test_tags=longdebug
@test "with a module: sizes, parts, short buffers and names are as on a native socket" {
	same_with_module nullmod data scattered short names
}

# bats test_tags=longdebug
@test "with a module: errors of sendto, waiting, many at once and sharing are as on a native socket" {
	same_with_module nullmod send-errors waiting epoll many-at-once sharing
}

@test "pushing and popping a module that passes all on makes no edge for epoll" {
	run -0 strsock --no-pipe --no-tcp python3 -c '
import fcntl, select, socket
I_PUSH, I_POP = ord("S") << 8 | 2, ord("S") << 8 | 3
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
e = select.epoll()
e.register(s, select.EPOLLET | select.EPOLLIN | select.EPOLLOUT)
print(e.poll(0) == [(s.fileno(), select.EPOLLOUT)])
for i in range(3):
	fcntl.ioctl(s, I_PUSH, b"nullmod\0")
	print(e.poll(0))
	fcntl.ioctl(s, I_POP, 0)
	print(e.poll(0))'
	[ "$output" = "True$(printf '\n[]%.0s' {1..6})" ]
}

@test "/proc/streams/open shows a socket's modules" {
	coproc HOLD { "$HELPERS/socket-streams" hold; }
	local line
	read -r -t 300 line <&"${HOLD[0]}"
	grep 'kind=udp .*modules=nullmod,sockmod,udp ' /proc/streams/open
	eval "exec ${HOLD[1]}>&-"
	wait
}

# bats test_tags=slow
@test "100,000 datagrams keep their order, and none is lost, while modules are pushed and popped at both ends" {
	traffic live
}

# bats test_tags=slow
@test "the same for a reader that takes every other one by getmsg" {
	traffic live-getmsg
}
