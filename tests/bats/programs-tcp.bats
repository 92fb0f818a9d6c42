#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Unmodified programs speak TCP under strsock as they do natively: clients and
# servers, each end native or STREAMS.
#
# Programs more than kernel: under the debug kernel they take many minutes.
# bats file_tags=longdebug

load common
load clients

PORT=7008
KIND=tcp
SIZE=300007

setup() {
	require_modules udp
	cd "$BATS_TEST_TMPDIR" || return
	on_streams=(strsock --require --no-udp --no-pipe)
	head -c "$SIZE" /dev/urandom >file
}

teardown() {
	kill "${servers[@]}" 2>/dev/null || true
}

moved() {
	sum_of tcp_bytes_sent tcp_bytes_received
}

before_run() {
	before=$(moved)
}

# after_run ENDS: at least a file was sent over a connection, and each end that is
# on STREAMS has counted the bytes.
after_run() {
	local bytes=$(($(moved) - before))
	echo "$bytes bytes at $1 ends on STREAMS"
	[ "$bytes" -ge $(($1 * SIZE)) ]
	[ "$1" -gt 0 ] || [ "$bytes" -eq 0 ]
}

@test "socat: a file through TCP-LISTEN and cat, and back" {
	needs socat
	file_and_back() {
		server socat -t 60 TCP4-LISTEN:$PORT,bind=127.0.0.1,reuseaddr,fork EXEC:cat
		client socat -t 60 STDIO TCP4:127.0.0.1:$PORT <file >copy
		cmp file copy
	}
	in_all_combinations file_and_back
}

@test "nc: a file" {
	needs nc
	file_one_way() {
		server bash -c "exec nc -l -N 127.0.0.1 $PORT >copy </dev/null"
		client nc -N 127.0.0.1 $PORT <file
		wait "${servers[@]}"
		cmp file copy
	}
	in_all_combinations file_one_way
}

@test "Python: http.server serves urllib, by sendfile and not" {
	file_by_http() {
		server python3 -m http.server --bind 127.0.0.1 $PORT >log 2>&1
		client python3 -c "
import urllib.request
data = urllib.request.urlopen('http://127.0.0.1:$PORT/file').read()
assert data == open('file', 'rb').read()"
	}
	in_all_combinations file_by_http
}

@test "Python: asyncio's streams and its sendfile" {
	file_by_asyncio() {
		server python3 -c "
import asyncio
async def serve(reader, writer):
    await reader.readexactly(3)
    with open('file', 'rb') as f:
        await asyncio.get_running_loop().sendfile(writer.transport, f)
    writer.close()
async def main():
    async with await asyncio.start_server(serve, '127.0.0.1', $PORT) as s:
        await s.serve_forever()
asyncio.run(main())"
		client python3 -c "
import asyncio
async def main():
    reader, writer = await asyncio.open_connection('127.0.0.1', $PORT)
    writer.write(b'get')
    assert await reader.read() == open('file', 'rb').read()
asyncio.run(main())"
	}
	in_all_combinations file_by_asyncio
}

@test "openssl: s_server serves s_client, without kTLS, which STREAMS does not support" {
	needs openssl
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -subj /CN=localhost 2>/dev/null
	file_by_tls() {
		server openssl s_server -accept 127.0.0.1:$PORT -key key -cert cert -WWW -quiet >log 2>&1
		printf 'GET /file HTTP/1.0\r\n\r\n' |
			client openssl s_client -connect 127.0.0.1:$PORT -quiet -ign_eof 2>err >answer
		tail -c "$SIZE" answer | cmp - file
	}
	in_all_combinations file_by_tls
}

@test "iperf3" {
	needs iperf3
	# Its server reads no more when the client has sent all: eight times the least.
	measured() {
		server iperf3 -s -1 -B 127.0.0.1 -p $PORT >server.out 2>&1
		client iperf3 -c 127.0.0.1 -p $PORT -n 8M -J >client.json
		wait "${servers[@]}"
		python3 -c '
import json
assert json.load(open("client.json"))["end"]["sum_received"]["bytes"] >= 1 << 20'
	}
	in_all_combinations measured
}

@test "TCP is on STREAMS unless a rule or an option says otherwise" {
	local before
	before=$(counter tcp_opened)
	makes_sockets() {
		run -0 --separate-stderr strsock --verbose --pipe --no-udp "$@" python3 -c '
import socket
for family in socket.AF_INET, socket.AF_INET6:
    socket.socket(family, socket.SOCK_STREAM).listen()'
	}
	makes_sockets --no-tcp
	[[ "$stderr" == *"socket(inet, stream, tcp) -> native "*"socket(inet6, stream, tcp) -> native "* ]]
	echo '*  *  stream  tcp  native' >rules
	makes_sockets -c rules
	[[ "$stderr" == *"socket(inet, stream, tcp) -> native "*"socket(inet6, stream, tcp) -> native "* ]]
	[ "$(counter tcp_opened)" = "$before" ]
	makes_sockets
	[[ "$stderr" == *"socket(inet, stream, tcp) -> streams "*"socket(inet6, stream, tcp) -> streams "* ]]
	makes_sockets -c rules --tcp
	[ "$(counter tcp_opened)" = $((before + 4)) ]
}

@test "a program linked with -lsocket has TCP on STREAMS, unless its table or STRSOCK_TCP says otherwise" {
	export SOCK2PATH=/dev/null STRSOCK_REQUIRE=1 STRSOCK_VERBOSE=1
	run -0 --separate-stderr libsocket-kinds
	[[ "$stderr" == *"socket(inet, stream, tcp) -> streams 3"* ]]
	STRSOCK_TCP=0 run -0 --separate-stderr libsocket-kinds
	[[ "$stderr" == *"socket(inet, stream, tcp) -> native 3"* ]]
	echo 'inet stream 0 -' >table
	SOCK2PATH=$PWD/table run -0 --separate-stderr libsocket-kinds
	[[ "$stderr" == *"socket(inet, stream, tcp) -> native 3"* ]]
}
