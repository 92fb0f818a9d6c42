# SPDX-License-Identifier: GPL-2.0-only
"""The two ends of a terminal: of Linux, or of STREAMS modules on a full-duplex pipe."""

import fcntl
import os
from typing import Tuple

I_PUSH = 0x5302


def make_terminal(stream: int) -> None:
    """Push the modules that make a terminal of a stream."""
    for name in b"pipemod", b"ptem", b"ldterm":
        fcntl.ioctl(stream, I_PUSH, name + b"\0")


def open_terminal(kind: str) -> Tuple[int, int]:
    """The master's and the slave's descriptor; "streams" is for programs under strsock."""
    if kind == "native":
        return os.openpty()
    master, slave = os.pipe()
    make_terminal(slave)
    return master, slave
