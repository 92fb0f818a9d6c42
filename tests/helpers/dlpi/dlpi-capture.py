#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Frames that a packet socket is given, and those of a capture file.

dlpi-capture.py packets LINK FILE	write what LINK receives, until a frame with
					the word "the-end" in it; says "ready" first
dlpi-capture.py same FILE CAPTURE	whether a capture file has the same frames;
					status 2: it has not yet the last of them
dlpi-capture.py some FILE CAPTURE	whether it has such frames alone, in order
dlpi-capture.py send LINK COUNT		frames of all kinds
dlpi-capture.py end LINK		the end
"""
import socket
import struct
import sys

ETH_P_ALL = 3
SOL_PACKET = 263
PACKET_AUXDATA = 8
TP_STATUS_VLAN_VALID = 16
END = b"the-end"


def received(sock):
    """A frame as it was on the wire: the kernel keeps the tag of a VLAN beside it."""
    frame, control, _, _ = sock.recvmsg(65536, socket.CMSG_SPACE(20))
    for level, kind, data in control:
        if (level, kind) != (SOL_PACKET, PACKET_AUXDATA):
            continue
        status, _, _, _, _, tci, tpid = struct.unpack("=IIIHHHH", data[:20])
        if status & TP_STATUS_VLAN_VALID:
            frame = frame[:12] + struct.pack(">HH", tpid, tci) + frame[12:]
    return frame


def packets(link, path):
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    sock.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    sock.bind((link, ETH_P_ALL))
    print("ready", flush=True)
    with open(path, "w", encoding="ascii") as out:
        while True:
            frame = received(sock)
            out.write(frame.hex() + "\n")
            if END in frame:
                return 0


def frames(path):
    """Those of a capture file, as far as it is written."""
    with open(path, "rb") as capture:
        data = capture.read()
    found, at = [], 24
    while at + 16 <= len(data):
        _, _, kept, size = struct.unpack("=IIII", data[at:at + 16])
        if at + 16 + kept > len(data) or kept != size:
            break
        found.append(data[at + 16:at + 16 + kept].hex())
        at += 16 + kept
    return found


def same(path, capture, lossy=False):
    with open(path, encoding="ascii") as file:
        want = file.read().split()
    got = frames(capture)
    ends = [number for number, frame in enumerate(got) if END.hex() in frame]
    if not ends:
        return 2
    got = got[:ends[0] + 1]
    at = 0
    for number, frame in enumerate(got):
        while lossy and at < len(want) and want[at] != frame:
            at += 1
        if at == len(want) or want[at] != frame:
            print("frame", number, "by tcpdump is", frame, "and should be", want[at:at + 1])
            return 1
        at += 1
    if at < len(want):
        print(len(want), "frames, by tcpdump", len(got))
        return 1
    print(len(got), "frames")
    return 0


def some(path, capture):
    return same(path, capture, lossy=True)


def sender(link):
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((link, 0))
    return sock, sock.getsockname()[4]


def send(link, count):
    sock, own = sender(link)
    for number in range(int(count)):
        to = (b"\xff" * 6, b"\x03\0\0\0\0\1", b"\x02\0\0\0\0\7")[number % 3]
        kind = (b"\x88\xb5", b"\x08\0", b"\x86\xdd", b"\x08\6",
                b"\x81\0\0\5\x88\xb5", b"\0\x2e\x42\x42\3")[number % 6]
        size = (46, 100, 1000, 1480)[number % 4]
        sock.send(to + own + kind + number.to_bytes(4, "big") +
                  bytes([number % 256]) * (size - 4))
    return 0


def end(link):
    sock, own = sender(link)
    sock.send(b"\xff" * 6 + own + b"\x88\xb5" + END.ljust(46))
    return 0


if __name__ == "__main__":
    sys.exit({"packets": packets, "same": same, "some": some, "send": send,
              "end": end}[sys.argv[1]](*sys.argv[2:]))
