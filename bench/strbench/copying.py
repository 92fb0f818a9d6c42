# SPDX-License-Identifier: GPL-2.0-only
"""Ratios without the instructions that only copy a message's bytes.

Both sides copy the bytes in and out by the same routine of the kernel's. The instructions
of that are those that `floor` takes for a size beyond those it takes for the smallest."""

COUNTED = "instructions_per_message"
# Bytes: the most that the smallest may have, whose copying is not taken off
SMALLEST = 64


def _floor(table, work):
    """size -> instructions of the floor, in this work if it has one."""
    for each in (work, "pipe"):
        found = {size: value for size in table.distinct("size", work=each, impl="floor")
                 if (value := table.value(each, size, "floor", "counted", COUNTED))}
        if found:
            return found
    return {}


def instructions(table, work, size):
    """Those that copy a message's bytes; None if the floor was not measured near the size."""
    floor = _floor(table, work)
    if not floor or min(floor) > SMALLEST:
        return None
    least = floor[min(floor)]
    if size <= min(floor):
        return 0
    # A datagram has not quite 64 KiB.
    for measured, value in sorted(floor.items()):
        if size <= measured <= 1.01 * size:
            return (value - least) * size / measured
    return None


def ratio(table, work, size, impl, base="native"):
    """Against the base, above 1 better; None if something was not measured."""
    copied = instructions(table, work, size)
    native = table.value(work, size, base, "counted", COUNTED)
    ours = table.value(work, size, impl, "counted", COUNTED)
    if copied is None or not native or not ours or ours <= copied:
        return None
    return (native - copied) / (ours - copied)
