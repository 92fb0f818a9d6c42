#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# STREAMS sockets of TCP: a program sees the same as on a native one
#
# Each case prints its calls with their results. It runs with either end native
# or STREAMS, and its output is compared with the native run.
#
# bats file_tags=longdebug

load common
load streams
load udp

# The protocol of a native SOCK_STREAM, for same()
NATIVE=6

setup() {
	require_modules udp
	cd "$BATS_TEST_TMPDIR" || return
}

calls() {
	same tcp-calls "$1"
	same tcp-calls "$1" inet6
}

@test "a fresh socket looks like a native one: type, domain, protocol, flags, poll, errors" {
	calls fresh
}

@test "bind, listen, connect, accept4: names, EADDRINUSE, SO_REUSEADDR, EISCONN, flags" {
	calls names
}

@test "a connection that was requested: data both ways, MSG_PEEK, FIONREAD, shutdown, poll" {
	calls asking
}

@test "a connection that was accepted: the same" {
	calls asked
}

@test "urgent data: MSG_OOB, SIOCATMARK, POLLPRI, SO_OOBINLINE" {
	calls urgent
}

@test "a closed port, a non-blocking connect, SO_ERROR, a reset by SO_LINGER, AF_UNSPEC" {
	calls errors
}

@test "POLLRDHUP before the bytes are read, bytes after SHUT_RD, AF_UNSPEC, a long splice, mmap" {
	calls ends
}

@test "readv, writev, sendmmsg, MSG_WAITALL, MSG_MORE, MSG_TRUNC" {
	calls in-pieces
}

@test "waiting: SO_RCVTIMEO of recv and accept, epoll's edges, a full buffer, a reader woken" {
	calls waiting
}

@test "SCM_RIGHTS, dup, fork, sendfile, splice" {
	calls sharing
}

@test "every option gives and takes the same values, and connections have their listener's" {
	calls options
}

@test "MSG_FASTOPEN and TCP_FASTOPEN_CONNECT" {
	calls fast-open
}

# moved CASE: the counters of bytes of a case, both ends on STREAMS
moved() {
	local sent received
	sent=$(counter tcp_bytes_sent)
	received=$(counter tcp_bytes_received)
	"$HELPERS/tcp-calls" "$1" "$STREAMS" "$STREAMS" >/dev/null
	echo "$(($(counter tcp_bytes_sent) - sent)) $(($(counter tcp_bytes_received) - received))"
}

@test "bytes are counted, sendfile's and splice's too, and those peeked at are not" {
	# 13 bytes and a mebibyte each way, and "still"
	[ "$(moved asking)" = "2097183 2097183" ]
	# "dup", the file, 5000 spliced out, 3000 spliced in, "child"
	[ "$(moved sharing)" = "208008 208008" ]
}

# Code that the tests below run in a process of their own: streams() and its
# pairs
prelude='
import errno, os, select, socket, subprocess, sys, time
def streams():
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, 253)
def listening():
    l = streams(); l.bind(("127.0.0.1", 0)); l.listen(5); return l
def listed(port):
    return [x for x in open("/proc/streams/open") if x.startswith("kind=tcp ") and "port=%d" % port in x.split()]
# A socket that was closed is freed a little later.
def unloaded():
    end = time.monotonic() + 300
    while subprocess.run(["rmmod", "strsock"], stderr=subprocess.DEVNULL).returncode:
        assert time.monotonic() < end, "not unloaded"
        time.sleep(0.05)
'

@test "open sockets are listed with their ports and waiting bytes, by STREAMS and by the kernel" {
	run -0 python3 -c "$prelude"'
before = [int(x.split()[1]) for x in open("/proc/streams/counters") if x.startswith("tcp_opened")][0]
l = listening(); port = l.getsockname()[1]
c = streams(); c.connect(("127.0.0.1", port)); c.sendall(b"twelve bytes")
a, _ = l.accept()
a.recv(1, socket.MSG_PEEK)
lines = listed(port)
assert len(lines) == 2 and " queued=0 " in lines[0] and " queued=12 " in lines[1], lines
assert len(listed(c.getsockname()[1])) == 1
assert sum(":%04X " % port in x for x in open("/proc/net/tcp")) == 3
# Among those of the kernel, no protocol beside it
assert not any("STREAMS" in x and "TCP" in x for x in open("/proc/net/protocols"))
a.close(); c.close(); l.close()
assert not listed(port)
counters = dict(x.split() for x in open("/proc/streams/counters"))
assert int(counters["tcp_opened"]) == before + 3 and counters["tcp_opened"] == counters["tcp_closed"], counters
'
	run -0 strstat --counters
	[[ "${lines[0]}" == *" tcp "* ]]
}

@test "the module is not unloaded while a socket is open, be it connected, accepted or fresh" {
	until_true unloaded strinet
	run -0 python3 -c "$prelude"'
def refused():
    assert subprocess.run(["rmmod", "strsock"], stderr=subprocess.DEVNULL).returncode, "unloaded"
s = streams(); refused(); s.close()
l = listening(); refused()
c = socket.create_connection(l.getsockname())
a, _ = l.accept()
l.close(); refused()
a.sendall(b"x"); assert c.recv(1) == b"x"
'
}

@test "TCP's remaining work needs no module: TIME-WAIT, data not sent yet, connections not accepted" {
	[ "$EUID" -eq 0 ] || skip "needs root, to unload a module"
	until_true unloaded strinet
	run -0 python3 -c "$prelude"'
native = socket.create_server(("127.0.0.1", 0))
# Ends first, and waits for a minute
c = streams(); c.connect(native.getsockname()); name = c.getsockname(); n, _ = native.accept()
c.close(); n.close()
# Closed with more to send than its peer has room for
c = streams(); c.setblocking(False); c.connect_ex(native.getsockname()); much, _ = native.accept()
sent = 0
select.select([], [c], [])
while True:
    try: sent += c.send(b"y" * 65536)
    except BlockingIOError: break
c.close()
# Not accepted
l = listening(); peer = socket.create_connection(l.getsockname()); l.close()
unloaded()
entry = ":%04X " % name[1]
assert any(entry in x and x.split()[3] == "06" for x in open("/proc/net/tcp")), "not in TIME-WAIT"
got = 0
while True:
    data = much.recv(65536)
    if not data: break
    assert data == b"y" * len(data); got += len(data)
assert got == sent, (got, sent)
try: assert not peer.recv(1)
except ConnectionResetError: pass
'
	modprobe strsock
	has_udp
}

@test "a listener in a BPF map; its connections need no module either" {
	[ "$EUID" -eq 0 ] || skip "needs root, for BPF"
	[ "$HOSTTYPE" = x86_64 ] || skip "knows the number of bpf(2) on x86_64"
	run -0 python3 -c "$prelude"'
import ctypes, struct
libc = ctypes.CDLL(None, use_errno=True)
def bpf(command, attr):
    r = libc.syscall(321, command, ctypes.create_string_buffer(attr, 128), 128)
    assert r >= 0, os.strerror(ctypes.get_errno())
    return r
l = listening()
sockets = bpf(0, struct.pack("5I", 15, 4, 4, 4, 0))
key, value = ctypes.c_uint32(0), ctypes.c_uint32(l.fileno())
bpf(2, struct.pack("2I3Q", sockets, 0, ctypes.addressof(key), ctypes.addressof(value), 0))
c = socket.create_connection(l.getsockname()); a, _ = l.accept()
c.sendall(b"x"); assert a.recv(1) == b"x"
# In the map too, where calls of its own are its
key.value, value.value = 1, a.fileno()
bpf(2, struct.pack("2I3Q", sockets, 0, ctypes.addressof(key), ctypes.addressof(value), 0))
a.sendall(b"y"); assert c.recv(1) == b"y"
c.sendall(b"z"); assert a.recv(1) == b"z"
pending = socket.create_connection(l.getsockname())
c.close(); a.close(); l.close(); os.close(sockets)
unloaded()
try: assert not pending.recv(1)
except ConnectionResetError: pass
'
	modprobe strsock
	has_udp
}

@test "kTLS is not supported, and native sockets have it as before" {
	run -0 python3 -c "$prelude"'
TCP_ULP = 31
def attempt(s):
    try: s.setsockopt(socket.IPPROTO_TCP, TCP_ULP, b"tls")
    except OSError as e: return e.errno
l = listening()
ours = streams(); ours.connect(l.getsockname()); a, _ = l.accept()
for s in (ours, a, streams()):
    assert attempt(s) == errno.ENOENT, attempt(s)
ours.sendall(b"x"); assert a.recv(1) == b"x"
native = socket.create_connection(l.getsockname()); b, _ = l.accept()
if attempt(native) is None:
    print("native has it")
native.sendall(b"x"); assert b.recv(1) == b"x"
'
}
