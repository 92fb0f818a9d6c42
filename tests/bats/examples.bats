#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The programs of examples/, which the manual refers to, with each other and with
# native ones. Its modules: modules-outside.bats.
#
# bats file_tags=longdebug

load common
load streams

setup() {
	examples=$STRSOCK_BUILD/examples
	server=
	dir=$BATS_TEST_TMPDIR/d
	mkdir "$dir"
}

teardown() {
	[ -z "$server" ] || kill "$server" || true
	autopush -r -M udp 2>/dev/null || true
	leave_no_names
}

# starts COMMAND...: a server that says "port NUMBER", or something, when it is
# ready; on standard error whatever it likes.
starts() {
	exec {says}< <(exec "$@" 2>"$BATS_TEST_TMPDIR/errors" 3>&-)
	server=$!
	read -r -t 300 -u "$says" _ port
}

stops() {
	kill "$server"
	wait "$server" || true
	exec {says}<&-
	server=
}

unmounted() {
	! mountpoint -q "$1"
}

# A native echo server: tcp or udp
native_echo() {
	starts python3 -c '
import socketserver, sys
class Tcp(socketserver.BaseRequestHandler):
    def handle(self):
        while data := self.request.recv(65536):
            self.request.sendall(data)
class Udp(socketserver.BaseRequestHandler):
    def handle(self):
        data, sock = self.request
        sock.sendto(data, self.client_address)
kind, handler = {"tcp": (socketserver.TCPServer, Tcp), "udp": (socketserver.UDPServer, Udp)}[sys.argv[1]]
server = kind(("127.0.0.1", 0), handler)
print("port", server.server_address[1], flush=True)
server.serve_forever()
' "$1"
}

@test "XTI, datagrams: one is echoed, and a port without a server is reported" {
	require_loaded strudp
	starts "$examples/xti/echo-server"
	run -0 "$examples/xti/echo-client" 127.0.0.1 "$port" "as it was sent"
	[ "$output" = "as it was sent" ]
	stops
	run -1 "$examples/xti/echo-client" 127.0.0.1 "$port" "to nobody"
	[ "$output" = "Connection refused" ]
}

@test "primitives: a datagram to a native server and back, to a STREAMS one, to an unused port" {
	require_loaded strudp
	native_echo udp
	run -0 "$examples/tpi/udp-ask" 127.0.0.1 "$port" "as it was sent"
	[ "$output" = "as it was sent" ]
	stops
	starts "$examples/xti/echo-server"
	run -0 "$examples/tpi/udp-ask" 127.0.0.1 "$port" "to XTI"
	[ "$output" = "to XTI" ]
	stops
	run -1 "$examples/tpi/udp-ask" 127.0.0.1 "$port" "to nobody"
	[ "$output" = "Connection refused" ]
}

@test "XTI, datagrams: with the modules that the example of autopush(8) has pushed" {
	require_loaded strudp
	require_root
	local line
	line=$(sed -n "s/^echo '\(.*\)' >.*/\1/p" "$STRSOCK_SRC/man/man8/autopush.8")
	[ "$line" ]
	autopush -f /dev/stdin <<<"$line"
	starts "$examples/xti/echo-server"
	run -0 "$examples/xti/echo-client" 127.0.0.1 "$port" "as it was sent"
	[ "$output" = "as it was sent" ]
	run -0 "$examples/tpi/udp-ask" 127.0.0.1 "$port" "by primitives"
	[ "$output" = "by primitives" ]
	stops
}

@test "an invalid port gets the usage line" {
	local port
	for port in abc 0 99999 4294967297; do
		run -2 "$examples/xti/echo-client" 127.0.0.1 $port text
		run -2 "$examples/xti/tcp-client" 127.0.0.1 $port text
		run -2 "$examples/tpi/udp-ask" 127.0.0.1 $port text
		[[ $output == usage* ]]
	done
	for port in -1 99999 4294967297; do
		run -2 "$examples/xti/echo-server" $port
		run -2 "$examples/xti/tcp-server" $port
		[[ $output == usage* ]]
	done
}

@test "an example without its provider names the kernel module that has it" {
	require_modules pipe
	require_root
	# Without a driver libxti would take the kernel's sockets.
	export XTI_PROVIDER=streams
	run -1 without_pipes "$examples/xti/tcp-client" 127.0.0.1 9 text
	[[ $output == *"/dev/streams/tcp is not there; run: modprobe strinet"* ]]
	run -1 without_pipes "$examples/xti/echo-client" 127.0.0.1 9 text
	[[ $output == *"/dev/streams/udp is not there; run: modprobe strudp"* ]]
	run -1 without_pipes "$examples/streams/file-server" "$dir/name" /etc/passwd
	[[ $output == *"modprobe strpipe"* ]]
}

@test "XTI, connections: the client with a native server, with none" {
	require_loaded strinet
	native_echo tcp
	run -0 "$examples/xti/tcp-client" 127.0.0.1 "$port" "as it was sent"
	[ "$output" = "as it was sent" ]
	stops
	run -1 "$examples/xti/tcp-client" 127.0.0.1 "$port" "to nobody"
	[ "$output" = "Connection refused" ]
}

@test "XTI, connections: the server with native clients, one of which closes without sending" {
	require_loaded strinet
	needs socat
	local sent=$BATS_TEST_TMPDIR/sent got=$BATS_TEST_TMPDIR/got
	head -c 400000 /dev/urandom >"$sent"
	starts "$examples/xti/tcp-server"
	# More than all buffers hold: both directions carry data at the same time.
	socat -t 30 - "TCP:127.0.0.1:$port" <"$sent" >"$got"
	cmp "$sent" "$got"
	python3 -c '
import socket, struct, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
s.sendall(b"x" * 100000)
s.close()
' "$port"
	run -0 "$examples/xti/tcp-client" 127.0.0.1 "$port" "still there"
	[ "$output" = "still there" ]
	[ ! -s "$BATS_TEST_TMPDIR/errors" ]
}

@test "a server passes a file to each opener of its name; without the server the name is a file" {
	require_modules pipe
	require_root
	local name=$dir/name
	seq 3000 >"$BATS_TEST_TMPDIR/file"
	starts "$examples/streams/file-server" "$name" "$BATS_TEST_TMPDIR/file"
	for _ in 1 2; do
		"$examples/streams/file-client" "$name" | cmp - "$BATS_TEST_TMPDIR/file"
	done
	[ "$(grep -c '^for user 0$' "$BATS_TEST_TMPDIR/errors")" -eq 2 ]
	stops
	until_true unmounted "$name"
	run -1 "$examples/streams/file-client" "$name"
	[[ $output == *"no server there" ]]
}
