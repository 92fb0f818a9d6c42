#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The behaviour of a terminal in scripted cases: see open_terminal() for the argument, the kind.

Both kinds print the same lines."""

import os
import select
import struct
import subprocess
import sys
import termios
from fcntl import ioctl

from terminal import open_terminal

IFLAG, OFLAG, CFLAG, LFLAG, CC = 0, 1, 2, 3, 6
master, slave = open_terminal(sys.argv[1])


def show(what: str, *values: object) -> None:
    """Print a case and its results."""
    print(what + ":", *values, flush=True)


def settings(lflag_off: int = 0, lflag_on: int = 0, iflag_on: int = 0, **characters: int) -> None:
    """The first settings, with some flags and characters changed."""
    new = [field[:] if isinstance(field, list) else field for field in first]
    new[LFLAG] = new[LFLAG] & ~lflag_off | lflag_on
    new[IFLAG] |= iflag_on
    for name, value in characters.items():
        new[CC][getattr(termios, name)] = value
    termios.tcsetattr(slave, termios.TCSANOW, new)


def output(size: int) -> bytes:
    """The given number of bytes of output."""
    data = b""
    while len(data) < size:
        data += os.read(master, size - len(data))
    return data


def read_while(*written: bytes) -> bytes:
    """The result of read() when the master writes, a part each time that the reader sleeps."""
    child = os.fork()
    if child:
        data = os.read(slave, 100)
        os.waitpid(child, 0)
        return data
    for part in written:
        state = ""
        while state != "S":
            with open(f"/proc/{os.getppid()}/stat", encoding="ascii") as file:
                state = file.read().rsplit(") ", 1)[1][0]
        os.write(master, part)
    os._exit(0)


def readable(fd: int) -> bool:
    """Does poll() report input at once?"""
    return bool(select.select([fd], [], [], 0)[0])


def becomes_readable(fd: int) -> bool:
    """Does it within 10 seconds?"""
    return bool(select.select([fd], [], [], 10)[0])


def write_all() -> None:
    """Write until there is no room."""
    os.set_blocking(slave, False)
    try:
        while True:
            os.write(slave, b"o" * 100)
    except BlockingIOError:
        os.set_blocking(slave, True)


first = termios.tcgetattr(slave)
show("a terminal", os.isatty(slave), os.isatty(master))
show("first settings", first)

# Lines
os.write(master, b"not ended")
output(9)
show("a line that has not ended", readable(slave))
os.write(master, b", ended\nsecond\n")
becomes_readable(slave)
show("a short read", os.read(slave, 5))
show("the rest of the line", os.read(slave, 100))
show("the next line", os.read(slave, 100))
show("echo", output(17))
os.write(master, b"\4")
becomes_readable(slave)
show("end of the file", os.read(slave, 100))
os.write(master, b"part\4more\n")
becomes_readable(slave)
show("a part by EOF", os.read(slave, 100), os.read(slave, 100))
output(10)
settings(lflag_off=termios.ECHO)
for _ in range(50):
    os.write(master, b"x" * 100)
os.write(master, b"\n")
becomes_readable(slave)
line = os.read(slave, 8000)
show("a line of 5,000 bytes", len(line), line[-3:])

# MIN and TIME
RAW = termios.ICANON | termios.ECHO | termios.ISIG
settings(lflag_off=RAW, VMIN=1, VTIME=0)
show("MIN 1", read_while(b"x"))
settings(lflag_off=RAW, VMIN=5, VTIME=0)
show("MIN 5", read_while(b"abc", b"de"))
settings(lflag_off=RAW, VMIN=0, VTIME=0)
show("MIN 0, TIME 0, nothing there", os.read(slave, 100))
os.write(master, b"y")
becomes_readable(slave)
show("MIN 0, TIME 0", os.read(slave, 100))
settings(lflag_off=RAW, VMIN=0, VTIME=1)
show("MIN 0, TIME 1, nothing there", os.read(slave, 100))
settings(lflag_off=RAW, VMIN=0, VTIME=255)
show("MIN 0, TIME 255", read_while(b"z"))
settings(lflag_off=RAW, VMIN=5, VTIME=1)
show("MIN 5, TIME 1", read_while(b"12"))
settings(lflag_off=RAW, VMIN=3, VTIME=255)
show("MIN 3, TIME 255", read_while(b"1", b"23"))

# Stopped output
settings(lflag_off=termios.ECHO)
os.write(master, b"\x13\n")
becomes_readable(slave)
os.read(slave, 100)

write_all()
show("output that STOP stopped", readable(master), select.select([], [slave], [], 0)[1])
termios.tcflush(slave, termios.TCOFLUSH)
os.write(master, b"\x11\n")
becomes_readable(slave)
os.read(slave, 100)
os.write(slave, b"after START")
show("output that START started", output(11))
termios.tcflow(slave, termios.TCOOFF)
os.write(master, b"\x11\n")
becomes_readable(slave)
os.read(slave, 100)
write_all()
show("START does not undo TCOOFF", readable(master))
termios.tcflush(slave, termios.TCOFLUSH)
termios.tcflow(slave, termios.TCOON)
os.write(slave, b"after TCOON")
show("output that TCOON started", output(11))
termios.tcflow(slave, termios.TCIOFF)
termios.tcflow(slave, termios.TCION)
show("STOP and START are sent", output(2))
termios.tcdrain(slave)
termios.tcsendbreak(slave, 0)

# Input that is dropped
os.write(master, b"dropped\n")
becomes_readable(slave)
termios.tcflush(slave, termios.TCIFLUSH)
show("TCIFLUSH", readable(slave))
os.write(master, b"dropped\n")
becomes_readable(slave)
termios.tcsetattr(slave, termios.TCSAFLUSH, first)
show("TCSAFLUSH", readable(slave))

# The size of the window, from either side
ioctl(master, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 1, 2))
show("size that the master set", struct.unpack("4H", ioctl(slave, termios.TIOCGWINSZ, b"0" * 8)))
ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 50, 132, 3, 4))
show("size that the slave set", struct.unpack("4H", ioctl(master, termios.TIOCGWINSZ, b"0" * 8)))

# Settings by struct termio, and those of stty
show("struct termio", ioctl(slave, termios.TCGETA, b"0" * 18))
ioctl(slave, termios.TCSETA, struct.pack("4HB8sx", 0, 5, 0xbf, 0, 0, b"12345678"))
show("set by struct termio", termios.tcgetattr(slave))
for field in IFLAG, OFLAG, CFLAG, LFLAG:
    for bit in range(17):
        flags = first[:]
        flags[field] ^= 1 << bit
        try:
            termios.tcsetattr(slave, termios.TCSANOW, flags)
            show(f"bit {bit} of field {field}", termios.tcgetattr(slave)[field])
        except termios.error as error:
            show(f"bit {bit} of field {field}", error)
termios.tcsetattr(slave, termios.TCSANOW, first)
for setting in sys.argv[2:]:
    done = subprocess.run(["stty", *setting.split()], stdin=slave, check=False)
    shown = subprocess.run(["stty", "-a"], stdin=slave, check=False, capture_output=True)
    show("stty", setting, done.returncode, shown.stdout.decode())
