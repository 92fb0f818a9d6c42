#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An asyncio server echoes datagrams; its client checks every one.

usage: udp-echo.py server PORT
       udp-echo.py client PORT COUNT

Both on 127.0.0.1. The client has WINDOW datagrams under way at a time, few
enough for any socket's buffer, so that none may be lost.
"""
import asyncio
import random
import sys

ADDRESS = "127.0.0.1"
WINDOW = 40
LARGEST = 1400
SECONDS_WITHOUT_REPLY = 280


class Server(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, addr):
        self.transport.sendto(data, addr)


class Client(asyncio.DatagramProtocol):
    def __init__(self, count):
        self.count, self.sent, self.received = count, 0, 0
        self.under_way = {}
        self.filler = random.Random(1).randbytes(2 * LARGEST)
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        for _ in range(min(WINDOW, self.count)):
            self.send()

    def send(self):
        number = self.sent
        start = number % LARGEST
        data = number.to_bytes(4, "big") + self.filler[start:start + number * 37 % LARGEST]
        self.under_way[number] = data
        self.sent += 1
        self.transport.sendto(data)

    def datagram_received(self, data, addr):
        # Two processors may change the order, and nothing else.
        if self.under_way.pop(int.from_bytes(data[:4], "big"), None) != data:
            self.end(f"a reply that was not asked for, of {len(data)} bytes")
            return
        self.received += 1
        if self.sent < self.count:
            self.send()
        elif self.received == self.count:
            self.end(None)

    def error_received(self, exc):
        self.end(f"the socket's error: {exc}")

    def end(self, complaint):
        if not self.done.done():
            self.done.set_result(complaint)


async def serve(port):
    await asyncio.get_running_loop().create_datagram_endpoint(
        Server, local_addr=(ADDRESS, port))
    await asyncio.Event().wait()


async def ask(port, count):
    _, client = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: Client(count), remote_addr=(ADDRESS, port))
    received = -1
    while not client.done.done():
        if client.received == received:
            client.end(f"no reply for {SECONDS_WITHOUT_REPLY} s")
        received = client.received
        await asyncio.wait([client.done], timeout=SECONDS_WITHOUT_REPLY)
    print(client.received, "of", count, "datagrams came back whole")
    if client.done.result():
        sys.exit(client.done.result())


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "server":
        asyncio.run(serve(int(sys.argv[2])))
    elif len(sys.argv) == 4 and sys.argv[1] == "client":
        asyncio.run(ask(int(sys.argv[2]), int(sys.argv[3])))
    else:
        sys.exit(__doc__)


main()
