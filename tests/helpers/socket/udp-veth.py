#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Echoes datagrams between two network namespaces joined by a veth.

usage: udp-veth.py NAMESPACE ADDRESS server PROTOCOL
       udp-veth.py NAMESPACE ADDRESS client PROTOCOL SIZE...

PROTOCOL is 17 for native sockets, 253 for STREAMS sockets. The client sends
datagrams of each SIZE and checks what comes back byte for byte.
"""
import os
import socket
import sys

from netns import enter

PORT = 7007


def server(sock, address):
    sock.bind((address, PORT))
    while True:
        data, peer = sock.recvfrom(65535)
        sock.sendto(data, peer)


def client(sock, address, sizes):
    sock.settimeout(60)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    sock.connect((address, PORT))
    for size in sizes:
        sent = os.urandom(size)
        sock.send(sent)
        got = sock.recv(65535)
        print(size, "same" if got == sent else "DIFFERENT")


def main():
    namespace, address, role, protocol = sys.argv[1:5]
    enter(namespace)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_DGRAM, int(protocol))
    if role == "server":
        server(sock, address)
    else:
        client(sock, address, map(int, sys.argv[5:]))


main()
