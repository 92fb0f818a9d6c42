#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""TCP on one host, with one obstacle after the other to its short way.

The module names the obstacles that have TCP send a message. Each name has a case here, which
puts the obstacle up. No message passes the short way then, the obstacle is counted, and
messages pass the short way again when it is taken down. Run as root with names, or "all"; each
case has a process and a network namespace of its own. Without one it lists the names that have
no case.
"""
import ctypes
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import time
import traceback

NAMES = "/sys/module/strsock/parameters/tcp_obstacles"
COUNTERS = "/proc/streams/counters"
STREAMS = 253
HOST = "10.9.9.9"
MESSAGES = 64   # of each phase: several look whether the obstacle is still there
CGROUP = "/tmp/tcp-obstacles"
LOCAL = f"ip route replace local {HOST} dev lo table local"

# Constants of the kernel that the socket module lacks
SO_ATTACH_FILTER, SO_TIMESTAMP, SO_PEEK_OFF, SO_MAX_PACING_RATE = 26, 29, 42, 47
IP_XFRM_POLICY, IP_TRANSPARENT, IP_MINTTL = 17, 19, 21
TCP_MD5SIG, TCP_REPAIR, TCP_INQ = 14, 19, 36
BPF_MAP_CREATE, BPF_MAP_UPDATE_ELEM, BPF_PROG_LOAD, BPF_LINK_CREATE = 0, 2, 5, 28
CLONE_NEWNET = 0x40000000
LIMIT = 60      # seconds that a case may take
SYS_BPF = {"x86_64": 321, "aarch64": 280}


class Missing(Exception):
    """This kernel, or this machine, has no such thing."""


def numbers(path):
    """The numbers of a file's lines by their names."""
    with open(path, encoding="ascii") as file:
        return {name: int(n) for name, n in (line.split() for line in file)}


def run(command):
    """Runs a command of the shell, quietly."""
    if subprocess.run(command, shell=True, check=False, stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL).returncode:
        raise Missing(command)


class Connection:
    """Two STREAMS sockets: a sends and b receives."""

    def __init__(self):
        run(f"ip link set lo up; ip addr replace {HOST}/32 dev lo")
        self.listen()
        self.a = socket.socket(socket.AF_INET, socket.SOCK_STREAM, STREAMS)
        self.a.connect(self.listener.getsockname())
        self.b = self.listener.accept()[0]
        self.keep = []

    def listen(self):
        """Makes the socket that b comes from."""
        self.listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, STREAMS)
        self.listener.bind((HOST, 0))
        self.listener.listen(1)

    def passes(self):
        """Sends messages, reads each; returns how many passed the short way."""
        before = numbers(COUNTERS)["tcp_direct"]
        for _ in range(MESSAGES):
            self.a.sendall(b"x" * 100)
            assert len(self.b.recv(100, socket.MSG_WAITALL)) == 100
        return numbers(COUNTERS)["tcp_direct"] - before


def bpf(cmd, attr):
    """The bpf system call; attr is a packed union bpf_attr."""
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(attr.ljust(128, b"\0"), 128)
    fd = libc.syscall(SYS_BPF[os.uname().machine], cmd, buffer, 128)
    if fd < 0:
        raise Missing(f"bpf {cmd}: {os.strerror(ctypes.get_errno())}")
    return fd


def bpf_program(kind, attach, verdict):
    """Loads a program that returns a number."""
    insns = ctypes.create_string_buffer(struct.pack("=BBhiBBhi", 0xb7, 0, 0, verdict,
                                                    0x95, 0, 0, 0))
    text = ctypes.create_string_buffer(b"GPL")
    head = struct.pack("=IIQQ", kind, 2, ctypes.addressof(insns), ctypes.addressof(text))
    # log_level to kern_version, prog_flags, prog_name, prog_ifindex
    rest = struct.pack("=IIQII16sI", 0, 0, 0, 0, 0, b"", 0)
    return bpf(BPF_PROG_LOAD, head + rest + struct.pack("=I", attach))


def bpf_link(program, target, attach):
    """Links a program; the link ends when its descriptor is closed."""
    return bpf(BPF_LINK_CREATE, struct.pack("=IIII", program, target, attach, 0))


def cgroup(path):
    """Opens a control group."""
    os.makedirs(CGROUP, exist_ok=True)
    if not os.path.exists(f"{CGROUP}/cgroup.procs"):
        run(f"mount -t cgroup2 none {CGROUP}")
    os.makedirs(path, exist_ok=True)
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY)


def enter(path):
    """Moves this process into a control group."""
    with open(f"{path}/cgroup.procs", "w", encoding="ascii") as file:
        file.write(str(os.getpid()))


def closing(fd):
    """Takes an obstacle down that is a descriptor."""
    return lambda: os.close(fd)


def command(put, take):
    """A case of two commands."""
    def case(_connection):
        run(put)
        return lambda: run(take)
    return case


def option(end, level, name, on, off=None):
    """A case of an option of one end."""
    def case(c):
        sock = getattr(c, end)
        try:
            sock.setsockopt(level, name, on)
        except OSError as error:
            raise Missing(f"option {name}: {error}") from error
        return None if off is None else lambda: sock.setsockopt(level, name, off)
    return case


def policy(direction):
    """An IPsec policy of a socket, that allows all."""
    return (struct.pack("=40xH14x", socket.AF_INET) + struct.pack("=4Q", *[2**64 - 1] * 4) +
            bytes(32 + 32 + 8) + struct.pack("=BBBB4x", direction, 0, 0, 0))


def accept_all():
    """A filter of packets."""
    code = ctypes.create_string_buffer(struct.pack("=HBBI", 6, 0, 0, 0xffff))
    return struct.pack("@HP", 1, ctypes.addressof(code)), code


def filtered(end):
    """A socket filter."""
    def case(c):
        program, code = accept_all()
        c.keep.append(code)
        getattr(c, end).setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)
    return case


def in_map(end):
    """The socket is put into a BPF map."""
    def case(c):
        sockmap = bpf(BPF_MAP_CREATE, struct.pack("=IIII", 15, 4, 4, 1))
        key = ctypes.create_string_buffer(struct.pack("=I", 0))
        value = ctypes.create_string_buffer(struct.pack("=I", getattr(c, end).fileno()))
        bpf(BPF_MAP_UPDATE_ELEM, struct.pack("=IxxxxQQQ", sockmap, ctypes.addressof(key),
                                             ctypes.addressof(value), 0))
        return closing(sockmap)
    return case


def signed(c):
    """Both sockets sign their segments."""
    for sock in (c.a, c.b):
        name = sock.getpeername()
        at = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s", 0, socket.inet_aton(name[0]))
        key = at.ljust(128, b"\0") + struct.pack("=BBHI80s", 0, 0, 3, 0, b"key")
        try:
            sock.setsockopt(socket.IPPROTO_TCP, TCP_MD5SIG, key)
        except OSError as error:
            raise Missing(f"TCP_MD5SIG: {error}") from error


def sender_bpf(c):
    """A program of the cgroup that both sockets are in."""
    group = cgroup(CGROUP)
    return closing(bpf_link(bpf_program(8, 1, 1), group, 1))


def receiver_bpf(c):
    """A program of a cgroup that the receiver alone is in."""
    child = f"{CGROUP}/receiver"
    group = cgroup(child)
    enter(child)
    c.listen()
    enter(CGROUP)
    c.a = socket.socket(socket.AF_INET, socket.SOCK_STREAM, STREAMS)
    c.a.connect(c.listener.getsockname())
    c.b = c.listener.accept()[0]
    assert c.passes()
    return closing(bpf_link(bpf_program(8, 0, 1), group, 0))


def xdp(_c):
    """A program of the loopback device."""
    return closing(bpf_link(bpf_program(6, 37, 2), socket.if_nametoindex("lo"), 37))


def packet(c):
    """A packet socket, which sees every message."""
    tap = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
    c.witness = tap
    return tap.close


def raw(c):
    """A raw socket of TCP, which has a copy of every message."""
    tap = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP)
    c.witness = tap
    return tap.close


def closed(c):
    """The receiver is closed, and TCP resets the connection."""
    c.b.close()
    c.a.send(b"x")
    c.over = True


def ended(c):
    """The sender has said that nothing follows."""
    c.a.shutdown(socket.SHUT_WR)
    try:
        c.a.send(b"x", socket.MSG_NOSIGNAL)
    except BrokenPipeError:
        c.over = True


def repaired(end):
    """One end is being repaired, and cannot be used."""
    def case(c):
        sock = getattr(c, end)
        sock.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
        try:
            c.a.send(b"x")
        except OSError:
            pass
        sock.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 0)
        c.over = True
    return case


def corked(c):
    """The sender holds back what is less than a segment."""
    c.a.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    before = numbers(COUNTERS)["tcp_direct"]
    for _ in range(MESSAGES):
        c.a.send(b"x" * 100)
    assert numbers(COUNTERS)["tcp_direct"] == before
    c.a.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)
    assert len(c.b.recv(100 * MESSAGES, socket.MSG_WAITALL)) == 100 * MESSAGES
    c.over = True


def urgent(c):
    """Urgent data that is not read yet."""
    c.a.send(b"!", socket.MSG_OOB)
    before = numbers(COUNTERS)["tcp_direct"]
    for _ in range(MESSAGES):
        c.a.send(b"x")
    assert numbers(COUNTERS)["tcp_direct"] == before
    assert len(c.b.recv(MESSAGES, socket.MSG_WAITALL)) == MESSAGES
    c.over = True


def mapped(c):
    """The receiver maps what TCP brings."""
    try:
        c.keep.append(mmap.mmap(c.b.fileno(), 4096, mmap.MAP_SHARED, mmap.PROT_READ))
    except OSError as error:
        raise Missing(f"mmap: {error}") from error


def short_of_memory(_c):
    """TCP has as much memory as it may have without pressure."""
    sysctl = "nsenter -t 1 -n sysctl"
    before = subprocess.run(f"{sysctl} -n net.ipv4.tcp_mem", shell=True, check=True,
                            capture_output=True, text=True).stdout.strip()
    run(f"{sysctl} -w 'net.ipv4.tcp_mem=0 0 1000000'")
    return lambda: run(f"{sysctl} -w 'net.ipv4.tcp_mem={before}'")


SOL, TCP, IP = socket.SOL_SOCKET, socket.IPPROTO_TCP, socket.IPPROTO_IP
CASES = {
    "closed": closed,
    "state": ended,
    "memory": short_of_memory,
    "route": command(f"{LOCAL} encap ip id 9 dst 192.0.2.9", LOCAL),
    "buffer": option("b", SOL, socket.SO_RCVBUF, 4096),
    "urgent": urgent,
    "pacing": option("a", SOL, SO_MAX_PACING_RATE, 10**9, -1),
    "cork": corked,
    "sender_keys": signed,
    "sender_bpf": sender_bpf,
    "receiver_bpf": receiver_bpf,
    "sender_ipsec": option("a", IP, IP_XFRM_POLICY, policy(1)),
    "receiver_ipsec": option("b", IP, IP_XFRM_POLICY, policy(0)),
    "receiver_inq": option("b", TCP, TCP_INQ, 1, 0),
    "receiver_lowat": option("b", SOL, socket.SO_RCVLOWAT, 2, 1),
    "receiver_peek": option("b", SOL, SO_PEEK_OFF, 0, -1),
    "receiver_mapped": mapped,
    "raw": raw,
    "off": command("echo off >/proc/sys/net/strsock/shortcut",
                   "echo strict >/proc/sys/net/strsock/shortcut"),
    "netfilter": command("nft 'add table ip t; add chain ip t c "
                         "{ type filter hook input priority 0; }'", "nft delete table ip t"),
    "netfilter_device": command("nft 'add table netdev n; add chain netdev n c "
                                "{ type filter hook ingress device lo priority 0; }'",
                                "nft delete table netdev n"),
    "packet": packet,
    "xdp": xdp,
    "queue": command("tc qdisc add dev lo root pfifo", "tc qdisc del dev lo root"),
    "tc": command("tc qdisc add dev lo clsact && tc filter add dev lo ingress matchall action pass",
                  "tc qdisc del dev lo clsact"),
    "ipsec": command("ip xfrm policy add src 192.0.2.0/24 dst 192.0.2.0/24 dir in",
                     "ip xfrm policy flush"),
}
for END, SOCK in (("sender", "a"), ("receiver", "b")):
    CASES |= {
        f"{END}_protocol": in_map(SOCK),
        f"{END}_repair": repaired(SOCK),
        f"{END}_mark": option(SOCK, SOL, socket.SO_MARK, 9, 0),
        f"{END}_device": option(SOCK, SOL, socket.SO_BINDTODEVICE, b"lo", b"\0"),
        f"{END}_flow": option(SOCK, IP, IP_TRANSPARENT, 1, 0),
        f"{END}_options": option(SOCK, IP, socket.IP_OPTIONS, b"\1" * 4, b""),
        f"{END}_ttl": option(SOCK, IP, IP_MINTTL, 1, 0),
        f"{END}_filter": filtered(SOCK),
        f"{END}_time": option(SOCK, SOL, SO_TIMESTAMP, 1),
    }

# Those that no program can put up alone, and those whose test is udp-obstacles', as UDP and
# TCP have one list of what is on the way.
WITHOUT = {
    "sender_layer": "TCP_ULP is refused",
    "receiver_layer": "TCP_ULP is refused",
    "receiver_keys": "the other end signs too, which is found first",
    "receiver_callback": "the modules that take a socket need a program of their own",
    "taps": "udp-obstacles", "types": "udp-obstacles", "handler": "udp-obstacles",
    "steering": "udp-obstacles",
}


def run_case(name):
    """Puts an obstacle up and takes it down."""
    c = Connection()
    c.over, c.witness = False, None
    assert c.passes() == MESSAGES, "messages pass by TCP without an obstacle"
    before = numbers(NAMES)[name]
    take = CASES[name](c)
    if not c.over:
        assert not c.passes(), "messages pass the short way"
    assert numbers(NAMES)[name] > before, "the obstacle is not counted"
    if c.witness:
        c.witness.setblocking(False)
        seen = 0
        try:
            while c.witness.recv(2000):
                seen += 1
        except BlockingIOError:
            pass
        assert seen >= MESSAGES, f"the witness has seen {seen}"
    if take:
        take()
        # The first messages look seldom, a route is found anew by TCP, and a map ends later.
        end = time.monotonic() + 100
        while c.passes() != MESSAGES:
            assert time.monotonic() < end, "messages pass by TCP when the obstacle is gone"
    print(f"{name}: in the way")


def alone(name):
    """Runs a case in a process of its own, which a signal ends when it takes too long: whether
    it succeeds. Python starts once for all cases."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    status = 1
    try:
        signal.alarm(LIMIT)
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "unshare")
        run_case(name)
        status = 0
    except Missing as missing:
        print(f"{name}: not in this kernel: {missing}")
        status = 0
    except BaseException:  # pylint: disable=broad-except
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(status)


def main():
    """The cases of names; without one, the names that have no case."""
    wanted = sorted(CASES) if sys.argv[1:] == ["all"] else sys.argv[1:]
    if wanted:
        failed = [name for name in wanted if not alone(name)]
        print("".join(f"{name}: failed\n" for name in failed), end="")
        return bool(failed)
    names = set(numbers(NAMES))
    lacking = sorted(names - set(CASES) - set(WITHOUT))
    strange = sorted((set(CASES) | set(WITHOUT)) - names)
    print("\n".join([f"{n}: there is no test of it" for n in lacking] +
                    [f"{n}: the module does not name it" for n in strange]), end="")
    return bool(lacking or strange)


if __name__ == "__main__":
    sys.exit(main())
