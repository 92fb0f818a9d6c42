# SPDX-License-Identifier: GPL-2.0-only
"""echo.py COUNT: a server echoes COUNT datagrams of many sizes to a client."""
import asyncio
import hashlib
import sys


class Server(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, addr):
        self.transport.sendto(data, addr)


class Client(asyncio.DatagramProtocol):
    def __init__(self, count):
        self.count, self.number = count, 0
        self.seen = hashlib.sha256()
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        self.send()

    def send(self):
        self.transport.sendto(b"%08d" % self.number + b"." * (self.number * 37 % 8000))

    def datagram_received(self, data, addr):
        self.seen.update(data)
        self.number += 1
        if self.number < self.count:
            self.send()
        else:
            self.done.set_result(None)

    def error_received(self, exc):
        self.done.set_exception(exc)


async def main(count):
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(Server, local_addr=("127.0.0.1", 0))
    address = transport.get_extra_info("sockname")
    _, client = await loop.create_datagram_endpoint(lambda: Client(count), remote_addr=address)
    await asyncio.wait_for(client.done, 120)
    print(count, "datagrams echoed", client.seen.hexdigest())


asyncio.run(main(int(sys.argv[1])))
