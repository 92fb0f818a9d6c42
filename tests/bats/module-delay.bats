#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# delay, the module that passes messages later, and loses datagrams

load common

setup() {
	require_modules pipe udp
	cd "$BATS_TEST_TMPDIR"
}

@test "bytes of a pipe wait for the latency, and the end of the file behind them" {
	run -0 strsock --push delay:latency=300:dir=out --on pipe python3 -c '
import os, time
r, w = os.pipe()
start = time.monotonic()
os.write(w, b"hello")
os.close(w)
os.set_blocking(r, False)
try:
	print(os.read(r, 10))
except BlockingIOError:
	print("not yet")
os.set_blocking(r, True)
print(os.read(r, 10), time.monotonic() - start >= 0.3)
print(os.read(r, 10))'
	[ "$output" = "not yet
b'hello' True
b''" ]
}

@test "a shell's pipe passes the same bytes, with jitter, and datagrams' loss does not touch it" {
	local sum
	sum=$(head -c 3000000 /dev/urandom | tee file | cksum)
	run -0 strsock --push delay:latency=3:jitter=10:loss=100:reorder=yes --on pipe \
		bash -c 'cat file | cat | cksum'
	[ "$output" = "$sum" ]
}

@test "each direction of a full-duplex pipe waits, or one alone" {
	waits() {
		strsock --duplex --push "delay:latency=300:dir=$1" --on pipe python3 -c '
import os, sys, time
below, above = os.pipe()
a, b = (above, below) if sys.argv[1] == "out" else (below, above)
start = time.monotonic()
os.write(a, b"x")
os.set_blocking(b, False)
try:
	os.read(b, 1)
	print("at once")
except BlockingIOError:
	os.set_blocking(b, True)
	os.read(b, 1)
	print("late" if time.monotonic() - start >= 0.3 else "early")' "$2"
	}
	[ "$(waits both out)" = late ]
	[ "$(waits both in)" = late ]
	[ "$(waits out out)" = late ]
	[ "$(waits out in)" = "at once" ]
	[ "$(waits in out)" = "at once" ]
	[ "$(waits in in)" = late ]
}

# datagrams SETTINGS COUNT: sends itself numbered datagrams, and prints the numbers received
# until none has come for two seconds, and what strstat shows of the module
datagrams() {
	strsock --push "delay:$1:dir=in" --on udp python3 -c '
import os, select, socket, sys
count = int(sys.argv[1])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
got = []
s.settimeout(2)
try:
	for i in range(count):
		s.sendto(b"%d" % i, s.getsockname())
		while select.select([s], [], [], 0)[0]:
			got.append(int(s.recv(100)))
	while len(got) < count:
		got.append(int(s.recv(100)))
except TimeoutError:
	pass
print(*got)
sys.stdout.flush()
os.system("strstat -oj >shown")' "$2"
}

@test "datagrams arrive all and in order, however long each waits" {
	[ "$(datagrams latency=20:jitter=60 100)" = "$(seq -s " " 0 99)" ]
}

@test "datagrams overtake others, and arrive all, with reorder=yes" {
	local got
	got=$(datagrams jitter=80:reorder=yes 100)
	echo "$got"
	[ "$got" != "$(seq -s " " 0 99)" ]
	[ "$(tr ' ' '\n' <<<"$got" | sort -n)" = "$(seq 0 99)" ]
}

@test "datagrams are lost in part, in order, and counted" {
	local got n
	got=$(datagrams loss=25.5 400)
	n=$(wc -w <<<"$got")
	echo "$n $got"
	# By chance one of a million runs would be outside.
	[ "$n" -gt 240 ]
	[ "$n" -lt 350 ]
	[ "$(tr ' ' '\n' <<<"$got" | sort -n | tr '\n' ' ')" = "$got " ]
	[ "$(jq -r '.open[].modules[0]' shown)" = \
		"delay:latency=0:jitter=0:loss=25.500:reorder=no:dir=in:lost=$((400 - n))" ]
	[ "$(datagrams loss=100 10)" = "" ]
	[ "$(datagrams loss=0 40 | wc -w)" -eq 40 ]
}

@test "a datagram that was sent leaves when its time has come, and its sender waits in a call" {
	run -0 strsock --push delay:latency=300:dir=out --on udp python3 -c '
import os, socket, time
r = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
r.bind(("127.0.0.1", 0))
child = os.fork()
if not child:
	s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
	for i in range(10):
		s.sendto(b"%d %f" % (i, time.monotonic()), r.getsockname())
	s.recv(1)
for i in range(10):
	n, start = r.recv(2000).split()
	assert int(n) == i and time.monotonic() - float(start) >= 0.3, (i, n)
print("all")
os.kill(child, 9)'
	[ "$output" = all ]
}

# bats test_tags=oldest
@test "a TCP connection waits at both ends, the accepted one too, and passes the same bytes" {
	run -0 strsock --push delay:latency=100 --on tcp python3 -c '
import hashlib, os, socket, threading, time
l = socket.create_server(("127.0.0.1", 0))
def serve():
	c, _ = l.accept()
	while data := c.recv(65536):
		c.sendall(data)
	c.close()
threading.Thread(target=serve, daemon=True).start()
s = socket.create_connection(l.getsockname())
start = time.monotonic()
s.sendall(b"x")
s.recv(1)
# The accepted end waits too, by the settings of the one that listens.
print(time.monotonic() - start >= 0.4)
data = os.urandom(200000)
def send():
	s.sendall(data)
	s.shutdown(socket.SHUT_WR)
threading.Thread(target=send).start()
back = b""
while got := s.recv(65536):
	back += got
print(back == data)'
	echo "$output"
	[ "$output" = "True
True" ]
}

@test "a writer waits when 64 KiB with their memory wait in the module, and popping passes them on in order" {
	run -0 strsock --duplex --no-udp --no-tcp python3 -c '
import os, subprocess
below, above = os.pipe()
subprocess.run(["strchg", "-h", "delay:latency=3600k:dir=out"], stdin=above, check=True)
os.set_blocking(above, False)
data = b"".join(b"%09d\n" % i for i in range(100000))
sent = 0
try:
	while True:
		sent += os.write(above, data[sent:sent + 1000])
except BlockingIOError:
	print(40000 <= sent <= 2 * 65536)
os.set_blocking(below, False)
try:
	os.read(below, 1)
except BlockingIOError:
	print("none yet")
subprocess.run(["strchg", "-p"], stdin=above, check=True)
got = b""
while len(got) < sent:
	got += os.read(below, 100000)
print(got == data[:sent])'
	echo "$output"
	[ "$output" = "True
none yet
True" ]
}

@test "a flush frees the messages that wait, and the writer has room again" {
	run -0 strsock --duplex --no-udp --no-tcp python3 -c '
import fcntl, os, select, subprocess
I_FLUSH, FLUSHW = ord("S") << 8 | 5, 2
below, above = os.pipe()
subprocess.run(["strchg", "-h", "delay:latency=3600k"], stdin=above, check=True)
os.set_blocking(above, False)
try:
	while True:
		os.write(above, b"old" * 100)
except BlockingIOError:
	pass
fcntl.ioctl(above, I_FLUSH, FLUSHW)
select.select([], [above], [])
subprocess.run(["strchg", "-s", "delay:latency=0"], stdin=above, check=True)
# Messages that were flushed hold up none.
os.write(above, b"new")
print(os.read(below, 100))'
	[ "$output" = "b'new'" ]
}

@test "settings change while messages wait, which keep their place before later ones" {
	run -0 strsock --duplex --no-udp --no-tcp python3 -c '
import os, subprocess
below, above = os.pipe()
subprocess.run(["strchg", "-h", "delay:latency=1500:dir=out"], stdin=above, check=True)
os.write(above, b"1")
subprocess.run(["strchg", "-s", "delay:latency=0"], stdin=above, check=True)
os.write(above, b"2")
got = b""
while len(got) < 2:
	got += os.read(below, 2)
print(got)
os.write(above, b"3")
os.set_blocking(below, False)
print(os.read(below, 2))'
	[ "$output" = "b'12'
b'3'" ]
}

@test "wrong settings are refused, and change nothing" {
	local text
	strsock --no-udp --no-tcp bash -c '{
		strchg -h delay:latency=5:loss=0.25 <&1
		for text in latency=-1 latency= latency=1.5 latency=3601k jitter=x jitter=4M \
			loss=101 loss=100.001 loss=1.2345 loss=.5 loss=1. loss=1.5.5 reorder=maybe \
			dir=up late=1 latency=9:loss=x; do
			strchg -s "delay:$text" <&1
		done
		strstat -oj >&2; } 2>said | cat'
	cat said
	[ "$(grep -c "no such setting, or a wrong value$" said)" -eq 12 ]
	[ "$(grep -c "value out of range$" said)" -eq 4 ]
	grep -q '"delay:latency=5:jitter=0:loss=0.250:reorder=no:dir=both:lost=0"' said
}

@test "a task that ends with messages in the module ends" {
	run -137 strsock --push delay:latency=3600k --on udp timeout -s KILL 1 python3 -c '
import os, socket, subprocess
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
r, w = os.pipe()
subprocess.run(["strchg", "-h", "delay:latency=3600k"], stdin=w, check=True)
os.set_blocking(w, False)
while True:
	s.sendto(b"x" * 100, ("127.0.0.1", 9))
	try:
		os.write(w, b"x")
	except BlockingIOError:
		pass'
}
