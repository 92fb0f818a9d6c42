# SPDX-License-Identifier: GPL-2.0-only
"""Network namespaces, for the programs that use two of them."""
import ctypes
import os
import sys

CLONE_NEWNET = 0x40000000


def enter(namespace):
    """Sockets made from now on are of the namespace of that name."""
    libc = ctypes.CDLL(None, use_errno=True)
    fd = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    if libc.setns(fd, CLONE_NEWNET):
        sys.exit(f"setns {namespace}: {os.strerror(ctypes.get_errno())}")
    os.close(fd)
