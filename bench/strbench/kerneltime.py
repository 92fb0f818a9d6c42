# SPDX-License-Identifier: GPL-2.0-only
"""The command bench/kernel-time: nanoseconds of a message, natively and on STREAMS."""

import os
import statistics
import subprocess
import sys

from . import command, modes
from .options import Parser

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROUNDS = 51


def rounds_of(lines):
    """(work, size) -> the rounds' pairs of nanoseconds, natively and on STREAMS."""
    found = {}
    for line in lines:
        words = line.split()
        if len(words) != 4:
            raise modes.Failure(f"bench/timetest printed: {line}")
        found.setdefault((words[0], int(words[1])), []).append((float(words[2]), float(words[3])))
    return found


def row(work, size, pairs):
    """A row of the table: medians, their ratio, and the middle half of the rounds' ratios."""
    native = statistics.median(pair[0] for pair in pairs)
    streams = statistics.median(pair[1] for pair in pairs)
    ratios = sorted(pair[0] / pair[1] for pair in pairs)
    low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
    return (f"| {work} | {size:,} | {native:,.0f} | {streams:,.0f} | {native / streams:.2f} | "
            f"{low:.2f}-{high:.2f} |")


def table(lines):
    """The table in Markdown."""
    return ["| work | bytes | native, ns | STREAMS, ns | ratio | middle half |",
            "|---|---|---|---|---|---|",
            *(row(work, size, pairs) for (work, size), pairs in rounds_of(lines).items())]


def parser():
    """The command's options."""
    p = Parser(
        prog="bench/kernel-time",
        description="Measures the time that the kernel takes for a message that one task writes "
                    "and reads, without the system calls: a pipe, UDP and TCP of one host, both "
                    "families, natively and on STREAMS in turn.",
        epilog="By default in User Mode Linux, whose kernel runs at the processor's own speed. "
               "--here measures on this machine, as root, with the modules loaded (strtime is one "
               "of kmod/test).")
    p.add_argument("--rounds", metavar="N", type=command.number(1, 100000), default=ROUNDS,
                   help=f"measurements of each pair ({ROUNDS})")
    p.add_argument("--here", action="store_true", help="on this machine")
    p.add_argument("--build", metavar="FOLDER", help="the folder built in (build/)")
    return p


def measure(options):
    """Runs it; returns the exit status."""
    build = modes.build_folder(options.build)
    words = [os.path.join(build, "bench", "timetest"), str(options.rounds)]
    if not os.access(words[0], os.X_OK):
        raise modes.Failure(f"{words[0]} is not built: run make")
    if not options.here:
        words = [os.path.join(TOP, "tests", "vm", "run"), "--uml", "--timeout", "1800", "--", *words]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return 1
    print("\n".join(table(done.stdout.splitlines())))
    return 0


def main(argv=None):
    """bench/kernel-time"""
    argv = sys.argv[1:] if argv is None else argv
    return command.guarded("bench/kernel-time", lambda: measure(parser().parse_args(argv)))
