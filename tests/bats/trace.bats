#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Trace points: what tracefs shows of streams
# bats file_tags=nouml

load common

# A tracer of its own, so that other tracers are not disturbed
TRACER=/sys/kernel/tracing/instances/strsock

setup() {
	not_on_uml "its kernel has no trace points"
	require_root
	require_modules pipe udp
	[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing ||
		skip "the kernel has no tracefs"
	cd "$BATS_TEST_TMPDIR" || return
	mkdir "$TRACER"
}

teardown() {
	[ ! -d "$TRACER" ] || { echo >"$TRACER/set_event"; rmdir "$TRACER"; }
}

# traced EVENT... COMMAND: events of streams are recorded during the command of one word,
# or a function
traced() {
	local event
	for event in "${@:1:$#-1}"; do
		echo 1 >"$TRACER/events/streams/streams_$event/enable"
	done
	"${@:$#}"
	echo >"$TRACER/set_event"
}

# seen PATTERN: prints the first event that matches; false if there is none
seen() {
	grep -v '^#' "$TRACER/trace" | grep -m 1 -E "$1" || { head -n 50 "$TRACER/trace"; false; }
}

# events: prints the names of the recorded events, in their order
events() {
	sed -nE '/^#/!s/.*: streams_([a-z_]+): .*/\1/p' "$TRACER/trace"
}

@test "the page has each trace point and each of its fields, and no others" {
	local event fields
	for event in /sys/kernel/tracing/events/streams/*/format; do
		fields=$(sed -n 's/^\tfield:.*[ *]\([a-z_]*\)\(\[[0-9]*\]\)\?;.*/\1/p' "$event" |
			grep -v ^common_ | sort | xargs)
		event=${event%/format}
		echo "${event##*/} $fields"
	done | sort >kernel
	sed -n 's/^\.\\" event: //p' "$STRSOCK_SRC/man/man7/strevents.7" | sort >page
	[ -s kernel ]
	diff kernel page
	local name
	while read -r name _; do
		grep -q "^\.It .*\b$name\b" "$STRSOCK_SRC/man/man7/strevents.7"
	done <kernel
}

pass_a_line() {
	strsock --require --push nullmod --on pipe bash -c 'echo hello | cat' >out
}

@test "a pipe with a module is opened, has it pushed, is written to, read and closed" {
	local id
	traced open push put put_done head_queue head_take pop close pass_a_line
	[ "$(cat out)" = hello ]
	run -0 seen 'streams_push: .* module=nullmod side=read'
	[[ "$output" =~ id=([0-9]+) ]]
	id=${BASH_REMATCH[1]}
	[ "$id" -gt 0 ]
	seen "streams_open: id=$id kind=pipe"
	seen "streams_put: id=$id module=nullmod side=write .* bytes=6 type=0"
	seen "streams_put: id=$id module=strhead side=read .* bytes=6 type=0"
	seen "streams_head_queue: id=$id kind=pipe bytes=6"
	seen "streams_head_take: id=$id kind=pipe bytes=6"
	seen "streams_close: id=$id kind=pipe"
	[ "$(grep -c "streams_put: id=$id " "$TRACER/trace")" = \
		"$(grep -c "streams_put_done: id=$id " "$TRACER/trace")" ]
}

pass_without_module() {
	strsock --require --pipe bash -c 'echo hello | cat' >out
}

@test "bytes in the ring of a pipe without modules are queued and taken as well" {
	traced head_queue head_take put pass_without_module
	run -0 events
	[ "$output" = $'head_queue\nhead_take' ]
}

wait_for_a_line() {
	strsock --require --pipe bash -c '{ until [ -e go ]; do sleep 0.1; done; echo x; } | cat' >out &
	until_true seen ' cat-[0-9]+ .*streams_wait: .* side=read'
	: >go
	wait
}

@test "a reader that waits for bytes is seen to wait, and to go on" {
	traced wait wake wait_for_a_line
	[ "$(cat out)" = x ]
	seen ' cat-[0-9]+ .*streams_wake: .* side=read'
}

fill_a_pipe() {
	strsock --require "$@" bash -c '
		head -c 300000 /dev/zero | { until [ -e full ]; do sleep 0.1; done; cat; } | wc -c' >out &
	until_true seen ' head-[0-9]+ .*streams_wait: .* side=write'
	: >full
	wait
	[ "$(cat out)" = 300000 ]
}

@test "a writer that waits for room is seen to wait, and to go on" {
	traced wait wake fill_a_pipe
	seen ' head-[0-9]+ .*streams_wake: .* side=write'
}

fill_modules() {
	fill_a_pipe --push nullmod --on pipe
}

@test "a queue that is full, and has room again, is named with its module" {
	traced wait flow_stop flow_resume fill_modules
	seen 'streams_flow_stop: id=[1-9][0-9]* module=strhead side=read .* bytes=[1-9]'
	seen 'streams_flow_resume: id=[1-9][0-9]* module=strhead side=read'
}

serve_delayed() {
	strsock --require --push delay:latency=1 --on pipe bash -c 'echo x | cat' >out
}

@test "service procedures begin and end" {
	traced service service_done serve_delayed
	seen 'streams_service: id=[0-9]+ module=delay side=write'
	seen 'streams_service_done: id=[0-9]+ module=delay side=write'
}

send_two_urgent() {
	LD_LIBRARY_PATH=$STRSOCK_BUILD/libstreams/.libs python3 - <<-'EOF'
		import ctypes
		streams = ctypes.CDLL("libstreams.so.1", use_errno=True)
		class strbuf(ctypes.Structure):
		    _fields_ = [("maxlen", ctypes.c_int), ("len", ctypes.c_int), ("buf", ctypes.c_char_p)]
		fds = (ctypes.c_int * 2)()
		assert streams.strpipe(fds) == 0
		for text in b"one", b"two":
		    ctl = strbuf(0, len(text), text)
		    assert streams.putmsg(fds[0], ctypes.byref(ctl), None, 1) == 0
	EOF
}

@test "a second message of high priority, for which a stream head has no place, is lost" {
	traced drop send_two_urgent
	run -0 events
	[ "$output" = drop ]
	seen 'streams_drop: id=[1-9][0-9]* module=strhead reason=priority'
}

send_datagrams() {
	strsock --require --udp python3 - <<-'EOF'
		import socket
		to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		to.bind(("127.0.0.1", 0))
		sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		sender.bind(("127.0.0.1", 0))
		print(sender.getsockname()[1])
		sender.connect(to.getsockname())
		for i in range(10):
		    sender.send(b"x" * 100)
		    to.recv(200)
		to.setsockopt(socket.SOL_SOCKET, 29, 1) # SO_TIMESTAMP
		sender.send(b"x" * 100)
		to.recv(200)
	EOF
}

@test "datagrams that take the short way, and the obstacle of one that does not" {
	local port
	port=$(traced way send_datagrams)
	seen "streams_way: kind=udp port=$port bytes=100 obstacle=none"
	seen "streams_way: kind=udp port=$port bytes=100 obstacle=peer_time"
}

send_bytes() {
	strsock --require --tcp python3 - <<-'EOF'
		import socket
		server = socket.create_server(("127.0.0.1", 0))
		client = socket.create_connection(server.getsockname())
		print(client.getsockname()[1])
		peer = server.accept()[0]
		for i in range(3):
		    client.send(b"x" * 100)
		    peer.recv(200)
		peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 2)
		client.send(b"x" * 100)
		peer.recv(200)
	EOF
}

@test "bytes of TCP that take the short way, and the obstacle of some that do not" {
	local port
	port=$(traced way send_bytes)
	seen "streams_way: kind=tcp port=$port bytes=100 obstacle=none"
	seen "streams_way: kind=tcp port=$port bytes=100 obstacle=receiver_lowat"
}

require_bpftrace() {
	needs bpftrace
	bpftrace -e 'BEGIN { exit(); }' >probe 2>&1 || {
		cat probe
		skip "bpftrace does not run on this kernel"
	}
}

# bpftraced NAME: what the example prints of the script in the file job
bpftraced() {
	timeout 100 bpftrace -c "$BASH $PWD/job" "$STRSOCK_SRC/examples/trace/$1.bt"
}

@test "example latency.bt: the time from a write to the read" {
	cat >job <<-'EOF'
		strsock --require --pipe bash -c '{ echo x; : >written; } |
			{ until [ -e written ]; do sleep 0.1; done; cat; }'
	EOF
	require_bpftrace
	run -0 bpftraced latency
	echo "$output"
	[[ $output == *"@microseconds:"*" 1 |@"* ]]
	[[ $output != *"@since"* ]]
}

@test "example waits.bt: the programs that wait for room and for data, and full queues" {
	cat >job <<-'EOF'
		strsock --require --push nullmod --on pipe bash -c 'head -c 300000 /dev/zero |
			{ until [ -e full ]; do sleep 0.1; : >full; done; cat; } | wc -c'
	EOF
	require_bpftrace
	run -0 bpftraced waits
	echo "$output"
	[[ $output == *"@for_room[head]:"* ]]
	[[ $output == *"@for_data[wc]:"* ]]
	[[ $output =~ @full\[[0-9]+,\ strhead,\ read\]:\ [1-9] ]]
}

@test "example sizes.bt: the bytes of messages, and what modules are given" {
	echo "strsock --require --push nullmod --on pipe bash -c 'head -c 1000 /dev/zero | wc -c'" >job
	require_bpftrace
	run -0 bpftraced sizes
	echo "$output"
	[[ $output == *"@put[nullmod, write]:"*"[512, 1K)"* ]]
	[[ $output == *"@queued:"*"[512, 1K)"* ]]
}

@test "example lost.bt: the messages lost, with the reason" {
	{ declare -f send_two_urgent; echo "STRSOCK_BUILD=$STRSOCK_BUILD send_two_urgent"; } >job
	require_bpftrace
	run -0 bpftraced lost
	echo "$output"
	[[ $output =~ stream\ [1-9][0-9]*,\ strhead:\ priority ]]
	[[ $output =~ @lost\[[0-9]+,\ strhead,\ priority\]:\ 1 ]]
}

@test "example procedures.bt: the time in put and service procedures" {
	echo "strsock --require --push delay:latency=1 --on pipe bash -c 'echo x | cat'" >job
	require_bpftrace
	run -0 bpftraced procedures
	echo "$output"
	[[ $output == *"@put[delay, write]:"* ]]
	[[ $output == *"@service[delay, write]:"* ]]
	[[ $output != *began* ]]
}

@test "example way.bt: messages that took the short way, and an obstacle" {
	{ declare -f send_datagrams; echo send_datagrams; } >job
	require_bpftrace
	run -0 bpftraced way
	echo "$output"
	[[ $output =~ @messages\[python3,\ [0-9]+,\ none\]:\ [1-9] ]]
	[[ $output =~ @messages\[python3,\ [0-9]+,\ peer_time\]:\ 1 ]]
}
