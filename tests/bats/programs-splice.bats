#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs that splice between pipes, files and sockets, or that stream much data
# through pipes, give the same results under strsock as natively.
#
# Programs more than kernel: under the debug kernel they take many minutes.
# bats file_tags=nodebug,smp

load common

SIZE=3000007
FRONT=7021
BACK=7022

setup() {
	require_modules pipe
	cd "$BATS_TEST_TMPDIR" || return
	seq 1000000 | head -c "$SIZE" >file
}

# same BYTES COMMAND...: and STREAMS carried at least BYTES
same() {
	local least=$1 sent
	shift
	sent=$(counter pipe_bytes_sent)
	same_natively_and_under_strsock "$@"
	sent=$(($(counter pipe_bytes_sent) - sent))
	echo "$sent bytes through pipes, for: $(cat "$BATS_TEST_TMPDIR/streams.out")"
	[ "$sent" -ge "$least" ]
}

# Debian keeps them beside GNU's.
rust() {
	[ -x "/usr/lib/cargo/bin/coreutils/$1" ] || skip "no $1 of rust-coreutils"
	PATH=/usr/lib/cargo/bin/coreutils:$PATH
}

@test "pv: a file into a pipe, a pipe into a file, and between pipes" {
	needs pv
	same "$SIZE" bash -c 'pv -q file | cksum'
	same "$SIZE" bash -c 'cat file | pv -q >copy; cksum <copy'
	same $((2 * SIZE)) bash -c 'cat file | pv -q | cksum'
	same "$SIZE" bash -c 'cat file | pv -q -L 100M -B 4096 | cksum'
}

@test "cat of the Rust coreutils: files and pipes to pipes and files" {
	rust cat
	same "$SIZE" bash -c 'cat file | cksum'
	same $((2 * SIZE)) bash -c 'cat file | cat | cksum'
	same "$SIZE" bash -c 'cat file | cat - >copy; cksum <copy'
	same 100000 bash -c 'head -n 20000 file | cat -n | tail -n 1'
}

@test "yes of the Rust coreutils: the pages of its memory go into the pipe" {
	rust yes
	same "$SIZE" bash -c "yes | head -c $SIZE | cksum"
	same 100000 bash -c 'yes a longer line | head -n 20000 | cksum; echo "${PIPESTATUS[@]}"'
}

@test "haproxy splices the answers of a server to a client, and requests to the server" {
	needs haproxy
	needs socat
	cat >conf <<-C
	global
	    maxconn 20
	defaults
	    mode tcp
	    timeout connect 60s
	    timeout client 60s
	    timeout server 60s
	    option splice-request
	    option splice-response
	frontend front
	    bind 127.0.0.1:$FRONT
	    default_backend back
	backend back
	    server one 127.0.0.1:$BACK
	C
	cat >both <<-C
	socat -t 60 TCP4-LISTEN:$BACK,bind=127.0.0.1,reuseaddr,fork EXEC:cat &
	until socat -u OPEN:/dev/null TCP4:127.0.0.1:$BACK 2>/dev/null; do
		kill -0 %1 || exit 1
		sleep 0.05
	done
	haproxy -db -f conf 2>log &
	until socat -u OPEN:/dev/null TCP4:127.0.0.1:$FRONT 2>/dev/null; do
		kill -0 %2 || { cat log; exit 1; }
		sleep 0.05
	done
	for i in 1 2 3; do
		socat -t 60 STDIO TCP4:127.0.0.1:$FRONT <file | cksum
	done
	kill %2 %1
	wait
	C
	same $((3 * SIZE)) bash both
}

@test "nginx: a file that nginx copies by pipes" {
	local nginx
	nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || skip "no nginx"
	needs socat
	cat >conf <<-C
	daemon off;
	master_process off;
	pid nginx.pid;
	error_log stderr;
	events { }
	http {
	    access_log off;
	    sendfile on;
	    client_body_temp_path body;
	    proxy_temp_path proxy;
	    fastcgi_temp_path fastcgi;
	    uwsgi_temp_path uwsgi;
	    scgi_temp_path scgi;
	    server {
	        listen 127.0.0.1:$FRONT;
	        root $PWD;
	    }
	}
	C
	# It takes a client that closes its side for one that is gone.
	cat >both <<-C
	$nginx -p "$PWD/" -c conf 2>log &
	until socat -u OPEN:/dev/null TCP4:127.0.0.1:$FRONT 2>/dev/null; do
		kill -0 %1 || { cat log; exit 1; }
		sleep 0.05
	done
	printf 'GET /file HTTP/1.0\r\n\r\n' |
		socat -t 60 - TCP4:127.0.0.1:$FRONT,shut-none | sed '1,/^\r\$/d' | cksum
	kill %1
	wait
	C
	same $((2 * SIZE)) bash both
}

@test "ffmpeg through pipes: pictures are made, scaled and summed up by three processes" {
	needs ffmpeg
	raw='-f rawvideo -pix_fmt yuv420p'
	same 3000000 bash -c "set -o pipefail
		ffmpeg -v error -f lavfi -i testsrc=duration=2:size=320x240:rate=10 $raw - |
		ffmpeg -v error $raw -s 320x240 -r 10 -i - -vf hflip $raw - |
		ffmpeg -v error $raw -s 320x240 -r 10 -i - -f framemd5 -"
}
