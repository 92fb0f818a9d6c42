#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The short ways of UDP and TCP where packet filters are, under each net.strsock.shortcut.

Run as root in a network namespace of its own, with the name of a case, and 4 or 6.
"""
import socket
import struct
import subprocess
import sys
import time

COUNTERS = "/proc/streams/counters"
OPEN = "/proc/streams/open"
SETTING = "/proc/sys/net/strsock/shortcut"
STREAMS = 253
MESSAGES = 200
LIMIT = 60      # seconds that an event may take
INET6 = sys.argv[2:] == ["6"]
FAMILY = socket.AF_INET6 if INET6 else socket.AF_INET
HOST = "::1" if INET6 else "127.0.0.1"
IP = "ip6" if INET6 else "ip"
IP_TRANSPARENT, IPV6_TRANSPARENT = 19, 75


def run(command):
    """Runs a command of the shell, and returns what it prints."""
    return subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout


def nft(*commands):
    """Runs commands of nft."""
    subprocess.run(["nft", "-f", "-"], check=True, text=True,
                   input="".join(f"{c}\n" for c in commands))


def choose(word):
    """Writes the setting of this network namespace."""
    with open(SETTING, "w", encoding="ascii") as file:
        file.write(word)


def direct(kind):
    """The messages of UDP or TCP that took the short way."""
    with open(COUNTERS, encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(f"{kind}_direct "))


def packets():
    """The packets that the rule with a counter has seen."""
    return int(run("nft list ruleset").split("counter packets ")[1].split()[0])


def counting(kind):
    """Puts a rule up that counts the packets of UDP or TCP."""
    nft(f"add table {IP} t",
        f"add chain {IP} t c {{ type filter hook input priority 0; }}",
        f"add rule {IP} t c meta l4proto {kind} counter")


def until(what, condition):
    """Waits for an event."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, what


class Flow:
    """Messages that a sends and b receives."""
    # pylint: disable=too-few-public-methods
    kind = ""
    a = b = other = None

    def exchange(self, reader=None):
        """Sends messages and reads each; returns how many took the short way."""
        before = direct(self.kind)
        reader = reader or self.b
        reader.settimeout(LIMIT)
        for n in range(MESSAGES):
            data = struct.pack("!I", n) * 25
            self.a.send(data)
            assert reader.recv(200) == data
        return direct(self.kind) - before


class Udp(Flow):
    """A sender and a receiver."""
    kind = "udp"

    def __init__(self, protocol=STREAMS):
        self.b = socket.socket(FAMILY, socket.SOCK_DGRAM, protocol)
        self.b.bind((HOST, 0))
        self.a = socket.socket(FAMILY, socket.SOCK_DGRAM, STREAMS)
        self.a.connect(self.b.getsockname())
        self.port = self.b.getsockname()[1]

    def redirected(self):
        """A sock of another port, where rules send what is sent to the receiver."""
        self.other = socket.socket(FAMILY, socket.SOCK_DGRAM, STREAMS)
        self.other.bind((HOST, 0))
        return self.other.getsockname()[1]

    def begin(self):
        """There is no connection."""


class Tcp(Flow):
    """Two ends of a connection."""
    kind = "tcp"

    def __init__(self):
        self.listener = socket.socket(FAMILY, socket.SOCK_STREAM, STREAMS)
        self.listener.bind((HOST, 0))
        self.listener.listen(4)
        self.port = self.listener.getsockname()[1]
        self.accepting = self.listener

    def redirected(self):
        """A listener of another port, where rules send connections."""
        self.accepting = socket.socket(FAMILY, socket.SOCK_STREAM, STREAMS)
        self.accepting.bind((HOST, 0))
        self.accepting.listen(4)
        return self.accepting.getsockname()[1]

    def begin(self):
        """Connects, and accepts."""
        self.a = socket.socket(FAMILY, socket.SOCK_STREAM, STREAMS)
        self.a.connect(self.listener.getsockname())
        self.accepting.settimeout(LIMIT)
        self.b = self.other = self.accepting.accept()[0]


def both(case):
    """A case of UDP and of TCP."""
    def run_both():
        for kind in (Udp, Tcp):
            subprocess.run("nft flush ruleset", shell=True, check=True)
            choose("strict")
            case(kind())
    return run_both


def strict(c):
    """No message passes the rule unseen."""
    c.begin()
    until("no message takes the short way", c.exchange)
    counting(c.kind)
    before = packets()
    assert not c.exchange(), "messages take the short way"
    assert packets() >= before + MESSAGES
    nft(f"delete table {IP} t")
    until("no message takes the short way again", c.exchange)


def established(c):
    """The rule sees the beginning, and some in each second; most messages pass unseen."""
    choose("established")
    counting(c.kind)
    c.begin()
    c.exchange()
    assert packets() > 0, "the rule has seen no beginning"
    until("few messages take the short way", lambda: c.exchange() > MESSAGES * 3 // 4)
    seen, passed = packets(), direct(c.kind)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        c.exchange()
    seen, passed = packets() - seen, direct(c.kind) - passed
    assert 1 <= seen < passed // 2, f"{seen} seen, {passed} passed unseen in 3 seconds"
    choose("strict")
    before = packets()
    assert not c.exchange(), "messages take the short way after the choice of strict"
    assert packets() >= before + MESSAGES


def off(c):
    """No message takes the short way, though nothing is in the way."""
    c.begin()
    until("no message takes the short way", c.exchange)
    choose("off")
    assert not c.exchange(), "messages take the short way"
    choose("strict")
    until("no message takes the short way again", c.exchange)


def stays_where_rules_send(c, *rules):
    """All messages arrive where rules send them, and none by the short way."""
    choose("established")
    nft(*rules)
    c.begin()
    for _ in range(4):
        assert not c.exchange(c.other), "messages take the short way"
    if c.kind == "udp":
        c.b.setblocking(False)
        try:
            c.b.recv(1)
            raise AssertionError("a message came where rules do not send it")
        except BlockingIOError:
            pass


def translated(c):
    """Address translation by connection tracking"""
    to = c.redirected()
    stays_where_rules_send(
        c, f"add table {IP} t", f"add chain {IP} t c {{ type nat hook output priority -100; }}",
        f"add rule {IP} t c {c.kind} dport {c.port} redirect to :{to}")


def translated_later():
    """A rule sends a flow elsewhere that was established."""
    c = Udp()
    choose("established")
    counting("udp")
    until("few messages take the short way", lambda: c.exchange() > MESSAGES * 3 // 4)
    to = c.redirected()
    nft(f"add chain {IP} t o {{ type filter hook output priority -300; }}",
        f"add rule {IP} t o udp dport {c.port} udp dport set {to}")
    c.other.setblocking(False)
    seen = []

    def arrives():
        c.a.send(b"x")
        try:
            seen.append(c.other.recv(10))
        except BlockingIOError:
            pass
        return seen
    until("nothing arrives where the rule sends it", arrives)
    assert not c.exchange(c.other), "messages take the short way"


def changed():
    """A rule changes a byte of each datagram, or its mark."""
    for rule in ("@th,64,8 set 0x58", "meta mark set 7", "ip dscp set cs1"):
        if INET6:
            rule = rule.replace("ip dscp", "ip6 dscp")
        nft("flush ruleset", f"add table {IP} t",
            f"add chain {IP} t c {{ type filter hook output priority -300; }}")
        c = Udp()
        nft(f"add rule {IP} t c udp dport {c.port} {rule}")
        choose("established")
        before = direct("udp")
        for _ in range(MESSAGES):
            c.a.send(b"data")
            assert c.b.recv(10) == (b"Xata" if "@th" in rule else b"data")
        assert direct("udp") == before, f"{rule}: messages take the short way"


def diverted():
    """A rule gives datagrams to a proxy's socket, with their addresses untouched."""
    c = Udp()
    proxy = socket.socket(FAMILY, socket.SOCK_DGRAM)
    if INET6:
        proxy.setsockopt(socket.IPPROTO_IPV6, IPV6_TRANSPARENT, 1)
    else:
        proxy.setsockopt(socket.IPPROTO_IP, IP_TRANSPARENT, 1)
    proxy.bind((HOST, 0))
    c.other = proxy
    stays_where_rules_send(
        c, f"add table {IP} t",
        f"add chain {IP} t c {{ type filter hook prerouting priority -150; }}",
        f"add rule {IP} t c udp dport {c.port} tproxy to :{proxy.getsockname()[1]} accept")


def native():
    """A receiver that is a native socket"""
    c = Udp(0)
    choose("established")
    counting("udp")
    until("few messages take the short way", lambda: c.exchange() > MESSAGES * 3 // 4)


def dropped_later():
    """A rule that drops a flow, added later, ends it within seconds."""
    c = Udp()
    choose("established")
    counting("udp")
    until("few messages take the short way", lambda: c.exchange() > MESSAGES * 3 // 4)
    nft(f"add rule {IP} t c udp dport {c.port} drop")
    c.b.setblocking(False)
    lost = 0
    end = time.monotonic() + LIMIT
    while lost < MESSAGES:
        assert time.monotonic() < end, "datagrams still arrive"
        c.a.send(b"x")
        try:
            c.b.recv(10)
            lost = 0
        except BlockingIOError:
            lost += 1
    nft(f"delete table {IP} t")
    until("no message takes the short way again", lambda: c.exchange() > MESSAGES * 3 // 4)


def held_later():
    """A rule that drops a connection, added later, holds it; all bytes come in order then."""
    c = Tcp()
    choose("established")
    counting("tcp")
    c.begin()
    until("few messages take the short way", lambda: c.exchange() > MESSAGES * 3 // 4)
    nft(f"add rule {IP} t c tcp dport {c.port} drop")
    sent = received = 0
    c.b.setblocking(False)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        try:
            c.a.send(struct.pack("!I", sent), socket.MSG_DONTWAIT)
            sent += 1
        except BlockingIOError:
            pass
        try:
            assert c.b.recv(4) == struct.pack("!I", received)
            received += 1
        except BlockingIOError:
            pass
        time.sleep(0.001)
    assert sent > received, "the rule holds nothing"
    nft(f"delete table {IP} t")
    c.b.settimeout(LIMIT)
    for n in range(received, sent):
        got = c.b.recv(4, socket.MSG_WAITALL)
        assert got == struct.pack("!I", n), f"{got} and not {n}"


def shown():
    """Each socket's line names the obstacle."""
    def obstacles(port):
        with open(OPEN, encoding="ascii") as file:
            lines = [line for line in file if f" port={port} " in line or
                     line.rstrip().endswith(f" port={port}")]
        return {line.split(" obstacle=")[1].split()[0] for line in lines}

    for kind in (Udp, Tcp):
        c = kind()
        c.begin()
        port = c.a.getsockname()[1]
        counting(c.kind)
        c.exchange()
        assert obstacles(port) == {"netfilter"}, obstacles(port)
        nft(f"delete table {IP} t")
        choose("off")
        c.exchange()
        assert obstacles(port) == {"off"}, obstacles(port)
        choose("strict")
        until("no message takes the short way", c.exchange)
        assert obstacles(port) == {"none"}, obstacles(port)


CASES = {
    "strict": both(strict), "established": both(established), "off": both(off),
    "translated": both(translated), "translated-later": translated_later, "changed": changed,
    "diverted": diverted, "native": native, "dropped-later": dropped_later,
    "held-later": held_later, "shown": shown,
}


if __name__ == "__main__":
    run("ip link set lo up")
    CASES[sys.argv[1]]()
