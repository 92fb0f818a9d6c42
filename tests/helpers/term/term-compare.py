#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare a terminal of STREAMS with one of Linux.

term-compare.py SEED STEPS: both get the same random settings, input and output, from
either side; each must show the same bytes at both ends. The STREAMS one is a full-duplex pipe
with pipemod, ptem and ldterm, so this runs under strsock --duplex. A difference is printed with
the steps since the last settings, and the exit status is 1."""

import errno
import os
import random
import select
import sys
import termios
import time

from terminal import open_terminal

LINUX_LINE = 3000       # bytes; no step has as many
IFLAG, OFLAG, CFLAG, LFLAG, CC = 0, 1, 2, 3, 6

IFLAGS = [termios.ISTRIP, termios.IUCLC, termios.INLCR, termios.ICRNL, termios.IGNCR,
          termios.IXON, termios.IXANY, termios.PARMRK, 0o40000]     # IUTF8
OFLAGS = [termios.OPOST, termios.ONLCR, termios.OCRNL, termios.ONOCR, termios.ONLRET,
          termios.OLCUC, termios.TAB3]
LFLAGS = [termios.ISIG, termios.ICANON, termios.ECHO, termios.ECHOE, termios.ECHOK,
          termios.ECHONL, termios.ECHOCTL, termios.ECHOKE, termios.ECHOPRT, termios.IEXTEN,
          termios.NOFLSH]
CHARACTERS = [termios.VINTR, termios.VQUIT, termios.VERASE, termios.VKILL, termios.VEOF,
              termios.VEOL, termios.VEOL2, termios.VSTART, termios.VSTOP, termios.VSUSP,
              termios.VREPRINT, termios.VWERASE, termios.VLNEXT]
WORDS = [b"word", b"two words", b" ", b"\t", b"\n", b"\r", b"\r\n", b"\b", b"_x9", b"\x7f",
         b"\x15", b"\x17", b"\x16", b"\x12", b"\x04", b"\x03", b"\x1a", b"\x1c", b"\x01",
         b"\xff", "ä€".encode(), b"\xa4", b"Z", b"\0", b"\x1b[A"]


class Terminal:
    """Both ends of a terminal, which do not wait."""

    def __init__(self, master: int, slave: int) -> None:
        self.master, self.slave = master, slave
        for fd in master, slave:
            os.set_blocking(fd, False)

    def settings(self) -> list:
        """The settings in use."""
        return termios.tcgetattr(self.slave)


def got(fd: int) -> bytes:
    """The result of one read(); no data yet is b'nothing yet', as no terminal prints it."""
    try:
        return os.read(fd, 8192)
    except OSError as error:
        if error.errno != errno.EAGAIN:
            raise
        return b"nothing yet"


def drained(fd: int) -> bytes:
    """All that is there."""
    data = b""
    while True:
        more = got(fd)
        if more in (b"", b"nothing yet"):
            return data
        data += more


def drained_like(fd: int, model: bytes) -> bytes:
    """All that is there, when it is as much as the model, or no more comes."""
    data = drained(fd)
    while len(data) < len(model) and select.select([fd], [], [], 5)[0]:
        data += drained(fd)
    return data


class Comparison:
    """Steps on both terminals."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.steps: list = []
        self.known = 0
        self.begin()
        self.original = self.model()[CC]

    def begin(self) -> None:
        """Make both terminals."""
        self.ours = Terminal(*open_terminal("streams"))
        self.native = Terminal(*open_terminal("native"))
        self.each(lambda t: termios.tcsetattr(t.slave, termios.TCSANOW, self.model()))

    def model(self) -> list:
        """Settings that both have: those of ours."""
        return self.ours.settings()

    def each(self, step) -> None:
        """Do a step on each terminal."""
        step(self.ours)
        step(self.native)

    def compare(self, what: str, ours: object, native: object) -> None:
        """Fail if they differ."""
        if ours == native:
            return
        print(f"{what}: STREAMS {ours!r}, native {native!r}, after:")
        for step in self.steps[-40:]:
            print("   ", step)
        sys.exit(1)

    def output(self) -> None:
        """The master reads the same."""
        ours = drained(self.ours.master)
        native = drained_like(self.native.master, ours)
        if len(ours) < LINUX_LINE < len(native):
            # Linux's terminal loses the beginning of its line, rarely, and prints its buffer.
            self.known += 1
            for fd in self.native.master, self.native.slave, self.ours.master, self.ours.slave:
                os.close(fd)
            self.begin()
            return
        self.compare("read by the master", ours, native)

    def step_settings(self) -> None:
        """Some flags and characters change, by either side."""
        new = self.model()
        for field, flags in (IFLAG, IFLAGS), (OFLAG, OFLAGS), (LFLAG, LFLAGS):
            for flag in flags:
                if self.random.random() < 0.15:
                    new[field] ^= flag
        if self.random.random() < 0.1:
            index = self.random.choice(CHARACTERS)
            new[CC][index] = self.random.choice([b"\0", b"\n", b"\r", b"x", b"\xff", b"\x02"])
        elif self.random.random() < 0.1:
            new[CC] = list(self.original)
        new[CC][termios.VMIN], new[CC][termios.VTIME] = b"\1", b"\0"
        if new[LFLAG] & termios.ICANON == 0:
            new[CC][termios.VMIN] = 1
            new[CC][termios.VTIME] = 0
        if (new[LFLAG] ^ self.model()[LFLAG]) & termios.ICANON:
            self.read_all()
        when = self.random.choice([termios.TCSANOW, termios.TCSADRAIN, termios.TCSAFLUSH])
        by_master = self.random.random() < 0.3
        self.steps.append(("settings", new, when, by_master))
        self.each(lambda t: termios.tcsetattr(t.master if by_master else t.slave, when, new))
        self.compare("settings", self.ours.settings(), self.native.settings())

    def step_input(self) -> None:
        """The master writes. Output that is stopped by it is started again."""
        data = b"".join(self.random.choice(WORDS) for _ in range(self.random.randint(1, 6)))
        if self.random.random() < 0.2:
            data = bytes(self.random.randrange(256) for _ in range(10))
        settings = self.model()
        stop, start = settings[CC][termios.VSTOP], settings[CC][termios.VSTART]
        # A signal drops echo that waits: START has Linux's terminal print it first.
        if settings[LFLAG] & termios.ISIG and start in bytes(b & 0x7f for b in data):
            return
        seven = bytes(b & 0x7f for b in data).lower()
        if stop.lower() in seven or stop in data:
            if start in (b"\0", b"\xff", stop):
                return
            data += b" " + start
        self.steps.append(("input", data))
        self.each(lambda t: os.write(t.master, data))
        time.sleep(0.001)

    def step_output(self) -> None:
        """The slave writes."""
        data = b"".join(self.random.choice(WORDS) for _ in range(self.random.randint(1, 6)))
        self.steps.append(("output", data))
        self.each(lambda t: os.write(t.slave, data))

    def step_column(self) -> None:
        """The slave writes a tab, which is as many spaces as the column says."""
        before = self.model()
        probe = before[:]
        probe[OFLAG] = termios.OPOST | termios.TAB3
        self.steps.append(("column",))
        self.each(lambda t: termios.tcsetattr(t.slave, termios.TCSANOW, probe))
        self.each(lambda t: os.write(t.slave, b"\t"))
        self.each(lambda t: termios.tcsetattr(t.slave, termios.TCSANOW, before))

    def step_read(self) -> None:
        """The slave reads, once."""
        ours = got(self.ours.slave)
        native = got(self.native.slave)
        if native != ours and select.select([self.native.slave], [], [], 1)[0]:
            native = got(self.native.slave)
        self.steps.append(("read", ours))
        self.compare("read by the slave", ours, native)

    def read_all(self) -> None:
        """The slave reads what there is: of another mode it would be read in other parts."""
        while True:
            self.step_read()
            if self.steps[-1] == ("read", b"nothing yet"):
                break

    def step_flush(self) -> None:
        """The input that is not read is dropped."""
        self.steps.append(("flush",))
        self.each(lambda t: termios.tcflush(t.slave, termios.TCIFLUSH))

    def run(self, steps: int) -> None:
        """Make the given number of steps."""
        kinds = [(self.step_input, 10), (self.step_output, 3), (self.step_read, 6), (self.step_column, 2),
                 (self.step_settings, 2), (self.step_flush, 0.3)]
        for _ in range(steps):
            step = self.random.choices([kind for kind, _ in kinds],
                                       [often for _, often in kinds])[0]
            step()
            self.output()


if __name__ == "__main__":
    # Linux processes input in a work item, which runs before an idle task continues.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    comparison = Comparison(int(sys.argv[1]))
    comparison.run(int(sys.argv[2]))
    print(f"{sys.argv[2]} steps, no difference ({comparison.known} known)")
