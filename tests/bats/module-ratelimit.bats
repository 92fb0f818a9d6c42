#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# ratelimit, the module that limits the bytes passed in a second

load common

setup() {
	require_modules pipe udp
	cd "$BATS_TEST_TMPDIR"
}

# per_second BYTES COMMAND...: the bytes in a second at which COMMAND passes BYTES
per_second() {
	local bytes=$1 start=${EPOCHREALTIME/./}
	shift
	"$@"
	echo $((bytes * 1000000 / (${EPOCHREALTIME/./} - start)))
}

# bats test_tags=oldest
@test "a shell's pipe passes the same bytes at the rate, with no byte lost at its end" {
	local sum rate
	sum=$(head -c 1500000 /dev/urandom | tee file | cksum)
	rate=$(per_second 1500000 strsock --push ratelimit:rate=500k:burst=1 --on pipe \
		bash -c 'cat file | cksum >sum')
	[ "$(cat sum)" = "$sum" ]
	echo "$rate"
	# The start of the programs is in the time too, on a busy machine most of it.
	[ "$rate" -le 515000 ]
	[ "$rate" -ge 50000 ]
}

# A burst of a second makes up for the time in which a busy machine runs other tasks.
@test "in ten seconds no more than a burst and the rate arrives, and 97 % of the rate does" {
	run -0 strsock --push ratelimit:rate=100k:burst=100k --on pipe python3 -c '
import os, time
start = time.monotonic()
r, w = os.pipe()
if not os.fork():
	os.close(r)
	try:
		while True:
			os.write(w, b"x" * 1000)
	except BrokenPipeError:
		os._exit(0)
os.close(w)
n = 0
while time.monotonic() < start + 10:
	n += len(os.read(r, 65536))
rated = 100000 * (time.monotonic() - start)
print(int(n), int(rated))
assert 0.97 * rated <= n <= rated + 100000'
	echo "$output"
}

@test "each direction of a full-duplex pipe is limited on its own, or one alone" {
	local out in
	limited() {
		strsock --duplex --push "ratelimit:rate=100k:burst=1:dir=$1" --on pipe python3 -c '
import os, sys, time
below, above = os.pipe()
a, b = (above, below) if sys.argv[1] == "out" else (below, above)
if not os.fork():
	os.close(b)
	for i in range(100):
		os.write(a, b"x" * 1000)
	os._exit(0)
os.close(a)
start = time.monotonic()
while os.read(b, 65536):
	pass
print("slow" if time.monotonic() > start + 0.9 else "at once")' "$2"
	}
	[ "$(limited both out)" = slow ]
	[ "$(limited both in)" = slow ]
	[ "$(limited out out)" = slow ]
	[ "$(limited out in)" = "at once" ]
	[ "$(limited in out)" = "at once" ]
	[ "$(limited in in)" = slow ]
}

@test "datagrams arrive whole, in order and at the rate" {
	run -0 strsock --push ratelimit:rate=50k:burst=1:dir=out --on udp python3 -c '
import os, socket, time
r = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
r.bind(("127.0.0.1", 0))
child = os.fork()
if not child:
	s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
	for i in range(100):
		s.sendto(b"%3d" % i + b"x" * 997, r.getsockname())
	# A task that waits in a call sends what the module held back.
	s.recv(1)
start = time.monotonic()
for i in range(100):
	data = r.recv(2000)
	assert len(data) == 1000 and int(data[:3]) == i, (i, data[:3])
print("slow" if time.monotonic() > start + 1.8 else "at once")
os.kill(child, 9)'
	echo "$output"
	[ "$output" = slow ]
}

@test "a rate changes while messages wait, and popping sends them at once" {
	head -c 300000 /dev/urandom >file
	run -0 strsock --no-udp --no-tcp bash -c '
		{ strchg -h ratelimit:rate=1 <&1; head -c 1000 file; strchg -s ratelimit:rate=0 <&1
		  head -c 1000 file; strchg -s ratelimit:rate=1 <&1; head -c 9000 file; strchg -p <&1
		  cat file; } | cksum'
	[ "$output" = "$({ head -c 1000 file; head -c 1000 file; head -c 9000 file; cat file; } | cksum)" ]
}

@test "the end of the file comes behind the data that waits, and with the reader at once" {
	run -0 strsock --push ratelimit:rate=10k:burst=1 --on pipe python3 -c '
import os
r, w = os.pipe()
os.write(w, b"x" * 3000)
os.set_blocking(r, False)
os.close(w)
try:
	print(os.read(r, 10))
except BlockingIOError:
	print("not yet")
os.set_blocking(r, True)
n = 0
while data := os.read(r, 65536):
	n += len(data)
print(n)
r, w = os.pipe()
os.write(w, b"x" * 3000)
os.close(r)
try:
	os.write(w, b"x")
except BrokenPipeError:
	print("broken")'
	[ "$output" = "not yet
3000
broken" ]
}

@test "a writer waits when 16 KiB with their memory wait in the module" {
	run -0 strsock --duplex --no-udp --no-tcp python3 -c '
import os, subprocess
below, above = os.pipe()
subprocess.run(["strchg", "-h", "ratelimit:rate=1:burst=1:dir=out"], stdin=above, check=True)
os.set_blocking(above, False)
sent = 0
try:
	while True:
		sent += os.write(above, b"x" * 1000)
except BlockingIOError:
	print(10000 <= sent <= 2 * 16384)'
	echo "$output"
	[ "$output" = True ]
}

@test "a FIFO that is opened for writing again has not ended by the earlier writer" {
	local n
	strfifo fifo
	exec {both}<>fifo
	strchg -h ratelimit:rate=2k:burst=1 <&"$both"
	exec {reader}<fifo
	exec {writer}>fifo
	exec {both}>&-
	for n in 1 2 3; do
		head -c 1000 /dev/zero >&"$writer"
		exec {writer}>&-
		exec {writer}>fifo
	done
	exec {writer}>&-
	run -0 cksum <&"$reader"
	exec {reader}>&-
	fdetach fifo
	[ "$output" = "$(head -c 3000 /dev/zero | cksum)" ]
}

@test "wrong settings are refused, and change nothing" {
	local settings text
	strsock --no-udp --no-tcp bash -c '{
		strchg -h ratelimit:rate=5:burst=7 <&1
		for text in rate=-1 rate= rate=x rate=1001M rate=99999999999999999999999999 rate=1kk \
			burst=1T dir=up rates=1 rate=9:burst=x "rate=1 "; do
			strchg -s "ratelimit:$text" <&1
		done
		strchg -s count:x=1 <&1; strchg -s ratelimit:rate <&1
		strstat -oj >&2; } 2>said | cat'
	cat said
	[ "$(grep -c "no such setting, or a wrong value$" said)" -eq 9 ]
	[ "$(grep -c "value out of range$" said)" -eq 2 ]
	grep -qx "strchg: cannot set count:x=1: the module is not pushed" said
	grep -qx "strchg: ratelimit:rate: setting that is not NAME=VALUE" said
	grep -q '"ratelimit:rate=5:burst=7:dir=both"' said
}

@test "a task that ends with messages in the module ends" {
	run -0 strsock --push ratelimit:rate=1:burst=1 --on udp timeout -s KILL 1 python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
	s.sendto(b"x" * 100, ("127.0.0.1", 9))' || [ "$status" -eq 137 ]
}
