#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# tee, the module that copies data to the readers of /dev/streams/tee

load common

setup() {
	require_modules pipe udp
	modprobe strtap
	until_true test -e /dev/streams/tee
	cd "$BATS_TEST_TMPDIR"
}

# copied N COMMAND...: runs the command, whose output is in the file "output", and prints
# the cksum of the first N bytes that a reader got
copied() {
	local n=$1 reader sum
	shift
	exec {reader}</dev/streams/tee
	"$@" >output
	sum=$(timeout 10 head -c "$n" <&"$reader" | cksum)
	exec {reader}<&-
	echo "$sum"
}

@test "a reader gets the bytes of a pipe, once, and the pipe passes them" {
	local sum
	sum=$(head -c 500000 /dev/urandom | tee file | cksum)
	run -0 copied 500000 strsock --push tee:dir=out --on pipe bash -c 'cat file | cksum'
	[ "$output" = "$sum" ]
	[ "$(cat output)" = "$sum" ]
}

@test "getmsg tells the direction of each copy, and the module's instance" {
	STREAMS_LIB=$STRSOCK_BUILD/libstreams/.libs/libstreams.so run -0 strsock --duplex --push tee --on pipe --no-udp --no-tcp python3 -c '
import os, re, struct, subprocess
r = os.open("/dev/streams/tee", os.O_RDONLY)
below, above = os.pipe()
os.write(above, b"down")
os.write(below, b"up")
import ctypes
libc = ctypes.CDLL(os.environ["STREAMS_LIB"])
class strbuf(ctypes.Structure):
	_fields_ = [("maxlen", ctypes.c_int), ("len", ctypes.c_int), ("buf", ctypes.c_char_p)]
numbers = set()
for i in range(2):
	c, d = ctypes.create_string_buffer(16), ctypes.create_string_buffer(100)
	ctl = strbuf(16, 0, ctypes.cast(c, ctypes.c_char_p))
	data = strbuf(100, 0, ctypes.cast(d, ctypes.c_char_p))
	flags = ctypes.c_int(0)
	assert libc.getmsg(r, ctypes.byref(ctl), ctypes.byref(data), ctypes.byref(flags)) == 0
	number, up, lost = struct.unpack("=IIQ", c.raw)
	numbers.add(number)
	print(["down", "up"][up], d.raw[:data.len].decode(), lost)
print(len(numbers))'
	[ "$output" = "down down 0
up up 0
1" ]
}

@test "a reader that does not read loses copies, which are counted, and holds up nothing" {
	run -0 strsock --duplex --push tee:dir=out --on pipe --no-udp --no-tcp python3 -c '
import os
r = os.open("/dev/streams/tee", os.O_RDONLY)
below, above = os.pipe()
for i in range(500):
	os.write(above, b"x" * 16384)
	os.read(below, 16384)
os.system("strstat -oj >shown")
n = 0
os.set_blocking(r, False)
try:
	while True:
		n += len(os.read(r, 65536))
except BlockingIOError:
	print(n // 16384)'
	local lost
	lost=$(jq -r '.open[].modules[]' shown | sed -n 's/.*dir=out:lost=//p')
	echo "$output $lost"
	[ "$lost" -gt 100 ]
	[ "$((output + lost))" -eq 500 ]
}

# bats test_tags=oldest
@test "both ends of a TCP connection, and datagrams, are copied" {
	run -0 strsock --push tee:dir=out --on tcp,udp python3 -c '
import os, socket
r = os.open("/dev/streams/tee", os.O_RDONLY)
l = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(l.getsockname())
a, _ = l.accept()
c.sendall(b"question")
print(a.recv(100), os.read(r, 8))
a.sendall(b"answer")
print(c.recv(100), os.read(r, 8))
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind(("127.0.0.1", 0))
u.sendto(b"datagram", u.getsockname())
print(u.recv(100), os.read(r, 8))'
	[ "$output" = "b'question' b'question'
b'answer' b'answer'
b'datagram' b'datagram'" ]
}

@test "another user gets no copy, and cannot push the module on a stream that it did not make" {
	run -0 strsock --duplex --no-udp --no-tcp python3 -c '
import os, subprocess
below, above = os.pipe()
subprocess.run(["strchg", "-h", "tee:dir=out"], stdin=above, check=True)
mine = os.open("/dev/streams/tee", os.O_RDONLY)
os.chmod("/dev/streams/tee", 0o666)
os.seteuid(65534)
other = os.open("/dev/streams/tee", os.O_RDONLY)
os.seteuid(0)
os.write(above, b"secret")
print(os.read(mine, 100))
os.set_blocking(other, False)
try:
	print(os.read(other, 100))
except BlockingIOError:
	print("nothing")
import fcntl
I_PUSH = ord("S") << 8 | 2
os.seteuid(65534)
try:
	fcntl.ioctl(above, I_PUSH, b"tee\0")
except PermissionError as e:
	print(e.errno)'
	[ "$output" = "b'secret'
nothing
13" ]
}

@test "the module is refused on its reader, where a copy would be copied again" {
	run ! strchg -h tee </dev/streams/tee
}

@test "wrong settings are refused, and change nothing" {
	strsock --no-udp --no-tcp bash -c '{
		strchg -h tee:dir=in <&1
		strchg -s tee:dir=up <&1; strchg -s tee:x=1 <&1; strchg -s tee:dir=out:y=1 <&1
		strstat -oj >&2; } 2>said | cat'
	[ "$(grep -c "no such setting, or a wrong value$" said)" -eq 3 ]
	grep -q '"tee:number=[0-9]*:dir=in:lost=0"' said
}

@test "copies are made while readers open and close, and modules are pushed and popped" {
	local pusher
	strsock --duplex --no-udp --no-tcp bash -o pipefail -c 'python3 -c "
import fcntl, os
I_PUSH, I_POP = 0x5302, 0x5303
for number in range(500):
    fcntl.ioctl(1, I_PUSH, b\"tee\\0\")
    os.write(1, b\"%d\\n\" % number)
    fcntl.ioctl(1, I_POP, 0)
" | cat' >got &
	pusher=$!
	while kill -0 "$pusher" 2>/dev/null; do
		exec {reader}</dev/streams/tee
		exec {reader}<&-
	done
	wait "$pusher"
	[ "$(cat got)" = "$(seq 0 499)" ]
}

@test "a user has at most 16 readers, and may open another one when one is closed" {
	run -0 python3 -c '
import os
name = "/dev/streams/tee"
readers = [os.open(name, os.O_RDONLY) for i in range(16)]
try:
	os.open(name, os.O_RDONLY)
except OSError as e:
	print(e.strerror)
os.close(readers.pop())
readers.append(os.open(name, os.O_RDONLY))
print(len(readers))'
	[ "$output" = "Device or resource busy
16" ]
}

@test "a user that is not root has copies of its own TCP sockets" {
	chmod 666 /dev/streams/tee
	run -0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$STRSOCK_BUILD/tools/strsock" --no-pipe --require --push tee:dir=out --on tcp python3 -c '
import os, socket
reader = os.open("/dev/streams/tee", os.O_RDONLY)
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
server, _ = listener.accept()
client.sendall(b"mine")
print(server.recv(10), os.read(reader, 10))'
	[ "$output" = "b'mine' b'mine'" ]
}

@test "a reader that is linked below a multiplexor has no copies, which could come back to the module" {
	require_loaded strmux
	run -0 strsock --duplex --no-udp --no-tcp python3 -c '
import fcntl, os, subprocess
I_LINK = ord("S") << 8 | 12
reader, mux = os.open("/dev/streams/tee", os.O_RDWR), os.open("/dev/streams/mux", os.O_RDWR)
fcntl.ioctl(mux, I_LINK, reader)
below, above = os.pipe()
subprocess.run(["strchg", "-h", "tee:dir=out"], stdin=above, check=True)
os.write(above, b"data")
print(subprocess.run(["strstat", "-oj"], capture_output=True, text=True).stdout.count("dir=out:lost=1"))'
	[ "$output" = 1 ]
}
