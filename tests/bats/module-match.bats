#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# match, the module that looks for a pattern

load common

setup() {
	require_modules pipe udp
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	[ -z "${server:-}" ] || kill "$server"
}

# shown: what match shows of its settings and counts, from the output of strstat -oj
shown() {
	jq -r '.open[].modules[]' | grep ^match
}

# duplex PUSH PYTHON: runs a program that has a full-duplex pipe with modules at "above"
duplex() {
	run -0 strsock --duplex --push "$1" --on pipe --no-udp --no-tcp python3 -c "
import os, subprocess
below, above = os.pipe()
$2"
	echo "$output"
}

@test "patterns of each direction are counted, across writes and beside half a pattern" {
	duplex match:pattern=aab '
for text in b"xxa", b"a", b"b", b"", b"aaab aab", b"aaaaaaaaab":
	os.write(above, text)
for text in b"aa", b"cb", b"aab":
	os.write(below, text)
os.read(above, 100)
os.system("strstat -oj")'
	[ "$(shown <<<"$output")" = match:pattern=aab:action=count:dir=both:out=4:in=1 ]
}

@test "what random bytes have of patterns is counted as Python counts it" {
	duplex match:pattern=abaabab:dir=out '
import random, re
random.seed(7)
text = bytes(random.choice(b"ab") for i in range(60000))
at = 0
while at < len(text):
	n = random.choice([1, 2, 3, 50, 3000])
	os.write(above, text[at:at + n])
	at += n
	while len(os.read(below, 65536)) == 65536:
		pass
shown = subprocess.run(["strstat", "-oj"], capture_output=True, text=True).stdout
print(text.count(b"abaabab") > 100 and f"out={text.count(b'"'abaabab'"')}:in=0" in shown)'
	[ "$output" = True ]
}

@test "a pattern has any bytes, those of its own syntax too, up to 64" {
	local long
	printf -v long '%%%02x' {192..255}
	duplex "match:pattern=%25%3a%2C=%00%0a,match:pattern=$long" '
os.write(above, b"%:,=\0\n" + bytes(range(192, 256)))
os.system("strstat -oj")'
	[ "$(shown <<<"$output")" = "match:pattern=${long^^}:action=count:dir=both:out=1:in=0
match:pattern=%25%3A%2C%3D%00%0A:action=count:dir=both:out=1:in=0" ]
}

@test "a direction that is not looked at is not counted, and does not hang up" {
	duplex match:pattern=x:action=hangup:dir=in '
os.write(above, b"x")
print(os.read(below, 9), flush=True)
os.system("strstat -oj")'
	[ "${lines[0]}" = "b'x'" ]
	[ "$(shown <<<"${lines[*]:1}")" = match:pattern=x:action=hangup:dir=in:out=0:in=0 ]
}

@test "hangup: the reader gets what came before the message, and its end; the writer ENXIO" {
	duplex match:pattern=SECRET:action=hangup '
os.write(below, b"first ")
os.write(below, b"a SEC")
os.write(below, b"RET b")
os.write(below, b"last")
print(os.read(above, 100), os.read(above, 100))
try:
	os.write(above, b"x")
except OSError as e:
	print(e)'
	[ "$output" = "b'first a SEC' b''
[Errno 6] No such device or address" ]
}

# bats test_tags=oldest
@test "hangup: curl ends with an error when the answer has the pattern, and not otherwise" {
	mkdir served
	{ head -c 300000 /dev/zero; echo SECRET; head -c 300000 /dev/zero; } >served/bad
	head -c 600000 /dev/zero >served/good
	python3 -u -m http.server -d served -b 127.0.0.1 8124 >log 2>&1 &
	server=$!
	until_true grep -q "^Serving" log
	match=(strsock --no-pipe --no-udp --push match:pattern=SECRET:action=hangup:dir=in --on tcp)
	run -18 "${match[@]}" curl -sS -o got http://127.0.0.1:8124/bad
	[ "$output" = "curl: (18) end of response with $((600007 - $(stat -c %s got))) bytes missing" ] ||
		[[ "$output" =~ "bytes remaining to read" || "$output" =~ "outstanding read data remaining" ]]
	! grep -q SECRET got
	run -0 "${match[@]}" curl -sS -o got http://127.0.0.1:8124/good
	cmp served/good got
}

@test "a server that was started with it ends the connections of the requests that it refuses" {
	mkdir served
	echo page >served/page
	strsock --no-pipe --no-udp --push match:pattern=%2Fadmin:action=hangup:dir=in --on tcp \
		python3 -u -m http.server -d served -b 127.0.0.1 8124 >log 2>&1 &
	server=$!
	until_true grep -q "^Serving" log
	run -52 curl -sS http://127.0.0.1:8124/admin
	run -0 curl -sS http://127.0.0.1:8124/page
	[ "$output" = page ]
}

@test "a pattern ends with its datagram, and a hung up socket receives and sends no more" {
	run -0 strsock --push match:pattern=stop:action=hangup:dir=in --on udp python3 -c '
import os, socket
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 0))
try:
	for text in b"st", b"op", b"stop", b"later":
		a.sendto(text, a.getsockname())
except OSError as e:
	print(text, e.errno)
print([a.recv(100) for i in range(3)])'
	echo "$output"
	[ "$output" = "b'later' 6
[b'st', b'op', b'']" ]
}

@test "log: the kernel's log has the stream, its process and the pattern, without raw bytes" {
	local line
	dmesg --clear
	cat >"program" <<-'END'
		import ctypes, os, subprocess
		ctypes.CDLL(None).prctl(15, b"a\nb\x1b[1m")
		below, above = os.pipe()
		os.write(above, b"x\n\x1b[2Jy")
		print(os.getpid())
		os.system("strstat -oj >shown")
	END
	run -0 strsock --duplex --push match:pattern=%0A%1b%5B:action=log --on pipe --no-udp --no-tcp \
		python3 program
	dmesg >said
	cat said
	[ "$(grep -c "streams: match: %0A%1B%5B passed down on stream" said)" -eq 1 ]
	line=$(grep "streams: match: " said)
	[[ "$line" == *" of process $output (a\\nb\\e[1m), user 0" ]]
	[[ "$line" == *"stream $(jq '.open[] | select(.modules != []).id' shown) of"* ]]
}

@test "log: the line of a socket names the process that made it, also of an accepted one" {
	dmesg --clear
	cat >program <<-'END'
		import os, socket
		d = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		d.sendto(b"one", ("127.0.0.1", 9))
		l = socket.create_server(("127.0.0.1", 0))
		s = socket.create_connection(l.getsockname())
		s.send(b"two")
		c, _ = l.accept()
		c.send(b"three")
		print(os.getpid())
	END
	run -0 strsock --push match:pattern=one:action=log:dir=out --on udp \
		--push match:pattern=t:action=log:dir=out --on tcp python3 program
	dmesg >said
	cat said
	[ "$(grep -c "match: .* of process $output (python3), user 0" said)" -eq 3 ]
}

@test "log: lines that come faster than ten in five seconds are left out, and counted" {
	dmesg --clear
	duplex match:pattern=x:action=log:dir=out '
for i in range(500):
	os.write(above, b"x")
	os.read(below, 1)
os.system("strstat -oj")'
	[ "$(shown <<<"$output")" = match:pattern=x:action=log:dir=out:out=500:in=0 ]
	dmesg >said
	[ "$(grep -c "streams: match: x passed" said)" -le 10 ]
}

@test "settings change while data passes, and half a pattern does not outlive them" {
	duplex match:pattern=ab '
os.write(above, b"a")
subprocess.run(["strchg", "-s", "match:dir=out"], stdin=above, check=True)
os.write(above, b"b")
subprocess.run(["strchg", "-s", "match:pattern=bc"], stdin=above, check=True)
os.write(above, b"cbc")
os.system("strstat -oj")'
	[ "$(shown <<<"$output")" = match:pattern=bc:action=count:dir=out:out=1:in=0 ]
}

@test "wrong settings are refused, and change nothing" {
	local text
	strsock --no-udp --no-tcp bash -c '{
		strchg -h match:pattern=A:action=log <&1
		for text in pattern= pattern=% pattern=%4 pattern=%4g pattern=%+4 pattern=a%0xb action=stop \
			dir=up patterns=a pattern=b:action=x "pattern=$(printf %065d 0)"; do
			strchg -s "match:$text" <&1
		done
		strstat -oj >&2; } 2>said | cat'
	cat said
	[ "$(grep -c "no such setting, or a wrong value$" said)" -eq 10 ]
	[ "$(grep -c "value out of range$" said)" -eq 1 ]
	grep -q '"match:pattern=A:action=log:dir=both:out=0:in=0"' said
}

@test "another user cannot push it: what others write to a stream is not to be guessed" {
	run -0 strsock --duplex --no-udp --no-tcp python3 -c '
import fcntl, os
I_PUSH = ord("S") << 8 | 2
below, above = os.pipe()
fcntl.ioctl(above, I_PUSH, b"match\0")
os.seteuid(65534)
try:
	fcntl.ioctl(above, I_PUSH, b"match\0")
except PermissionError as e:
	print(e.errno)'
	[ "$output" = 13 ]
}

@test "a user opens a device on which autopush has it, and tee" {
	modprobe strecho
	autopush -f /dev/stdin <<<"echo - - match tee"
	run -0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		sh -c 'strconf </dev/streams/echo'
	autopush -r -M echo
	[ "$output" = "tee
match
echo" ]
}
