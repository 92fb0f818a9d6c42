#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sends to a group between two network namespaces, over a bad line.

usage: udp-netem.py LEFT RIGHT NUMBER LARGEST

NUMBER datagrams of up to LARGEST bytes go from 192.0.2.1 in LEFT, from native
and from STREAMS sockets in turn, to a group that native and STREAMS sockets in
RIGHT have joined. All effects of the line are then the same for all members:
each has to receive the same, in the same order. The sum of UDP misses one of 32 pairs of
damaged bits: a member may receive a damaged datagram, if all others do.
"""
import os
import random
import socket
import subprocess
import sys
import time

from netns import enter

GROUP = "239.192.0.7"
PORT = 7010
NATIVE, STREAMS = 17, 253
SO_RCVBUFFORCE = 33
LAST = b"last"
# Most damaged datagrams with a right sum: 0.01 are expected in a run, without sums 30.
DAMAGED = 2


def datagram(number, largest):
    """Its number, and bytes that depend on that."""
    draw = random.Random(number)
    rest = draw.randbytes(draw.choice((0, 1, 500, largest, draw.randrange(largest))))
    return number.to_bytes(4, "big") + rest


def member(protocol):
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, protocol)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
    sock.bind((GROUP, PORT))
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                    socket.inet_aton(GROUP) + socket.inet_aton("192.0.2.2"))
    sock.settimeout(300)
    return sock


def sender(protocol):
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, protocol)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF,
                    socket.inet_aton("192.0.2.1"))
    sock.bind(("192.0.2.1", 0))
    return sock


def tc(*args):
    return subprocess.run(("tc", *args), check=True, capture_output=True, text=True).stdout


def line_is_busy():
    return " backlog 0b 0p" not in tc("-s", "qdisc", "show", "dev", "veth-left", "root")


def taken(sock):
    """All datagrams before the last, and their senders."""
    got = []
    while True:
        data, peer = sock.recvfrom(65535)
        if data == LAST:
            return got
        got.append((data, peer))


def whole(data, number, largest):
    """Whether it is one of those that were sent."""
    i = int.from_bytes(data[:4], "big")
    return i < number and data == datagram(i, largest)


def main():
    # The line is simulated on one processor: two would race to the members.
    os.sched_setaffinity(0, {0})
    left, right, number, largest = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
    enter(right)
    members = [member(p) for p in (NATIVE, STREAMS, STREAMS, NATIVE)]
    enter(left)
    senders = [sender(p) for p in (NATIVE, STREAMS)]
    for i in range(number):
        senders[i % 2].sendto(datagram(i, largest), (GROUP, PORT))
    while line_is_busy():
        time.sleep(0.01)
    # Nothing is on the line: a datagram sent now, without netem, comes last.
    tc("qdisc", "del", "dev", "veth-left", "root")
    senders[0].sendto(LAST, (GROUP, PORT))
    came = [taken(sock) for sock in members]
    if any(each != came[0] for each in came[1:]):
        sys.exit(f"not the same: {[len(each) for each in came]} datagrams")
    good = [data for data, _ in came[0] if whole(data, number, largest)]
    damaged = len(came[0]) - len(good)
    if damaged > DAMAGED:
        sys.exit(f"{damaged} datagrams are damaged")
    order = [int.from_bytes(data[:4], "big") for data in good]
    print(f"lost {number - len(set(order))},",
          f"twice {len(order) - len(set(order))},",
          f"late {sum(a > b for a, b in zip(order, order[1:]))}")


main()
