# SPDX-License-Identifier: GPL-2.0-only
"""streams.py COMMAND...: run it while streams of every kind are open.

For strview: this process and a child have a pipe, a FIFO, sockets, and devices with
modules, one of them a multiplexor. By root, with the modules strecho, strmux, strcount
and nullmod loaded. STRSOCK_BUILD is the build folder, or libstreams is installed.
"""
import ctypes
import fcntl
import os
import socket
import subprocess
import sys

I_PUSH, I_LINK, I_PLINK, I_PUNLINK = 0x5302, 0x530c, 0x5316, 0x5317
IPPROTO_STREAMS = 253
LOCALHOST = ("127.0.0.1", 0)


def make(family: int, kind: int, address: str) -> socket.socket:
    """Return a STREAMS socket with a port."""
    made = socket.socket(family, kind, IPPROTO_STREAMS)
    made.bind((address, 0))
    return made


def duplex() -> tuple:
    """Return both ends of a full-duplex pipe."""
    build = os.environ.get("STRSOCK_BUILD")
    library = f"{build}/libstreams/.libs/libstreams.so" if build else "libstreams.so.1"
    ends = (ctypes.c_int * 2)()
    if ctypes.CDLL(library, use_errno=True).strpipe(ends):
        raise OSError(ctypes.get_errno(), "strpipe")
    return tuple(ends)


def device(name: str, *modules: str) -> int:
    """Return a stream of a driver with modules on it."""
    made = os.open("/dev/streams/" + name, os.O_RDWR)
    for module in modules:
        fcntl.ioctl(made, I_PUSH, module.encode() + b"\0")
    return made


def main() -> int:
    """Open the streams, and run the command."""
    ours, theirs = duplex()
    fcntl.ioctl(ours, I_PUSH, b"nullmod\0")
    os.write(theirs, b"seven!\n")
    child = subprocess.Popen(["sleep", "1000"], stdin=theirs)
    os.close(theirs)

    datagrams = make(socket.AF_INET6, socket.SOCK_DGRAM, "::1")
    listener = make(socket.AF_INET, socket.SOCK_STREAM, "127.0.0.1")
    listener.listen()
    client = make(socket.AF_INET, socket.SOCK_STREAM, "127.0.0.1")
    client.connect(listener.getsockname())
    server = listener.accept()[0]
    client.send(b"x" * 50000)

    mux, lower = device("mux", "count"), device("echo", "nullmod")
    fcntl.ioctl(mux, I_LINK, lower)
    persistent = device("echo")
    control = device("mux")
    muxid = fcntl.ioctl(control, I_PLINK, persistent)
    os.close(persistent)
    try:
        return subprocess.call(sys.argv[1:], close_fds=True, stdin=subprocess.DEVNULL)
    finally:
        fcntl.ioctl(control, I_PUNLINK, muxid)
        child.kill()
        child.wait()
        for each in (datagrams, listener, client, server):
            each.close()


sys.exit(main())
