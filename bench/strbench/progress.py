# SPDX-License-Identifier: GPL-2.0-only
"""How far it is: a bar on a terminal, lines elsewhere."""

import shutil
import sys
import time


class Progress:
    """Of a known number of steps."""

    def __init__(self, total, stream=sys.stderr):
        self.total = max(total, 1)
        self.done = 0
        self.stream = stream
        self.tty = stream.isatty()
        self.start = time.monotonic()
        self.label = ""

    def elapsed(self):
        """Seconds so far, as m:ss."""
        seconds = int(time.monotonic() - self.start)
        return f"{seconds // 60}:{seconds % 60:02}"

    def say(self, text):
        """A line that stays."""
        if self.tty:
            self.stream.write("\r\033[K")
        self.stream.write(text + "\n")
        self.draw()

    def step(self, label, steps=1):
        """Another step; label: of what."""
        self.done = min(self.done + steps, self.total)
        if not self.tty and label != self.label:
            self.stream.write(f"{self.elapsed():>6} {100 * self.done // self.total:3}% {label}\n")
            self.stream.flush()
        self.label = label
        self.draw()

    def draw(self):
        """The bar, on a terminal."""
        if not self.tty:
            return
        width = min(30, max(5, shutil.get_terminal_size().columns - 50))
        full = width * self.done // self.total
        spent = time.monotonic() - self.start
        left = int(spent * (self.total - self.done) / self.done) if self.done else 0
        self.stream.write(f"\r\033[K[{'#' * full}{'.' * (width - full)}] "
                          f"{100 * self.done // self.total:3}% {self.label[:32]} "
                          f"{self.elapsed()}, {left // 60}:{left % 60:02} left")
        self.stream.flush()

    def end(self):
        """The bar is over."""
        if self.tty:
            self.stream.write("\r\033[K")
            self.stream.flush()
