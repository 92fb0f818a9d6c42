#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Datagrams over IPv6 while addresses, devices, routes and sockets come and go.

    unshare -n udp6-races.py

Each datagram says where it was sent to. A receiver that has one for another address, or
one twice, or one before an earlier one, ends the program with an error.
"""

import errno
import os
import signal
import socket
import subprocess
import sys
import time

STREAMS = 253
PORT = 4000
HOSTS = ["fd00::1", "fd00::2", "fd00::3", "::1"]
SECONDS = 2.5
# The errors of sending to an address that may be removed
EXPECTED = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL, errno.ECONNREFUSED,
            errno.ENETDOWN, errno.EINVAL, errno.EACCES, errno.ENODEV, errno.EAGAIN)


def ip(command, check=False):
    """Runs ip(8); what it changes may be gone already."""
    subprocess.run(["ip", *command.split()], check=check, stderr=subprocess.DEVNULL)


def changes(end):
    """Has addresses, routes, the device and policies come and go."""
    steps = ["addr del fd00::1/128 dev d0", "addr add fd00::1/128 dev d0 nodad",
             "link set d0 down", "link set d0 up", "addr add fd00::2/128 dev lo nodad",
             "-6 route add local fd00::3/128 dev lo table local",
             "-6 route add fd00::3/128 dev d0", "-6 route del fd00::3/128 dev d0",
             "addr del fd00::2/128 dev lo", "-6 route del local fd00::3/128 dev lo table local",
             "link del d0", "link add d0 type dummy", "link set d0 up",
             "addr add fd00::1/128 dev d0 nodad", "xfrm policy add dir out src fd00::77/128",
             "xfrm policy flush"]
    while time.monotonic() < end:
        for step in steps:
            ip(step)


def send(end, connected, number):
    """Sends to each host in turn, in bursts; now and then from a new socket."""
    count = 0
    while time.monotonic() < end:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, STREAMS) as s:
            s.setblocking(False)
            for _ in range(20):
                host = HOSTS[count % len(HOSTS)]
                try:
                    if connected:
                        s.connect((host, PORT))
                    for _ in range(60):
                        count += 1
                        data = f"{number} {host} {count}".encode()
                        s.send(data) if connected else s.sendto(data, (host, PORT))
                except OSError as e:
                    count += 1
                    if e.errno not in EXPECTED:
                        raise


def receive(end, host):
    """Receives what was sent to a host, in order; now and then by a new socket."""
    last = {}
    total = 0
    while time.monotonic() < end:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, STREAMS) as s:
            s.setsockopt(socket.IPPROTO_IPV6, 78, 1)    # IPV6_FREEBIND
            s.bind((host, PORT))
            s.settimeout(0.05)
            try:
                for _ in range(3000):
                    number, to, count = s.recv(100).decode().split()
                    if to != host:
                        sys.exit(f"{host} has a datagram to {to}")
                    if int(count) <= last.get(number, 0):
                        sys.exit(f"{host}: {count} of {number} after {last[number]}")
                    last[number] = int(count)
                    total += 1
            except (TimeoutError, ConnectionError):
                pass
    print(host, total)


def fork(function, *args):
    """Runs a function in a process."""
    pid = os.fork()
    if pid:
        return pid
    signal.alarm(100)
    function(*args)
    sys.stdout.flush()
    os._exit(0)


def main():
    """Runs all of them for a while, in a network namespace that ends with them."""
    ip("link set lo up", check=True)
    ip("link add d0 type dummy", check=True)
    ip("link set d0 up", check=True)
    end = time.monotonic() + SECONDS
    pids = [fork(receive, end, host) for host in HOSTS]
    pids += [fork(send, end, i % 2 == 1, i) for i in range(3)] + [fork(changes, end)]
    for pid in pids:
        _, status = os.waitpid(pid, 0)
        if status:
            sys.exit(f"a process has ended with status {status:#x}")


main()
