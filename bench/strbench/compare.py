# SPDX-License-Identifier: GPL-2.0-only
"""Counted results of several kernels side by side, as tables in Markdown."""

import sys

from . import copying, musthold, results
from .options import Parser

PIPES = (1, 64, 512, 4096, 16384, 65536)
DATAGRAMS = (1, 64, 512, 4096, 16384, 65507)
DATAGRAMS6 = (1, 64, 512, 4096, 16384, 65487)
# A row for each size: its title, work and implementation
ROWS = [
    ("pipe, one process", "pipe", "streams", PIPES),
    ("pipe, two processes", "pipe-two", "streams", PIPES),
    ("pipe, round trip", "pipe-rtt", "streams", PIPES),
    ("UDP through IP", "udp", "streams", DATAGRAMS),
    ("UDP, the same host", "udp-direct", "streams", DATAGRAMS),
    ("UDP over IPv6, through IP", "udp6", "streams", DATAGRAMS6),
    ("UDP over IPv6, the same host", "udp6-direct", "streams", DATAGRAMS6),
    ("full-duplex pipe", "pipe", "streams-duplex", PIPES),
    ("putmsg and getmsg on a pipe", "pipe", "streams-putmsg", PIPES),
    ("TPI, the same host", "udp-direct", "tpi", DATAGRAMS),
    ("XTI, the same host", "xti-udp-direct", "xti", DATAGRAMS),
    ("TPI through IP", "udp", "tpi", DATAGRAMS),
    ("XTI through IP", "xti-udp", "xti", DATAGRAMS),
    ("TCP by XTI, one way", "tcp-burst", "xtios", PIPES),
    ("TCP by XTI, one way, T_MORE", "tcp-burst", "xtios-more", PIPES),
    ("pipe, created and closed", "pipe-open", "streams", (0,)),
]


def kernel(table):
    """The release, without the name of its configuration."""
    name = str(table.machine.get("kernel", "?"))
    return name.split("+")[0].removesuffix("-amd64")


def cell(table, work, impl, size):
    """Natively / on STREAMS, the ratio, and that excluding copying; empty if not measured."""
    metric = copying.COUNTED if size else "instructions_per_open"
    native = table.value(work, size, "native", "counted", metric)
    ours = table.value(work, size, impl, "counted", metric)
    if not native or not ours:
        return ""
    without = copying.ratio(table, work, size, impl) if size else None
    ratios = f"{native / ours:.2f}" + (f"; {without:.2f}" if without else "")
    return f"{native:,.0f} / {ours:,.0f} ({ratios})"


def row(cells):
    """A row of a table."""
    return "| " + " | ".join(cells) + " |"


def head(titles):
    """A table's first two rows."""
    return [row(titles), "|" + "---|" * len(titles)]


def messages(tables):
    """The table of the instructions of a message."""
    lines = head(["work", "size"] + [kernel(t) for t in tables])
    for title, work, impl, sizes in ROWS:
        for size in sizes:
            cells = [cell(t, work, impl, size) for t in tables]
            if any(cells):
                lines.append(row([title, f"{size:,} B" if size else ""] + cells))
    return lines


def verdict(judged):
    """The ratio at the worst size, marked if that is less than asked; empty if not measured."""
    if judged is None or judged.ratio is None:
        return ""
    at = f" ({judged.size:,} B)" if judged.size else ""
    return f"{judged.ratio:.2f}{at}" + ("" if judged.met() else " *")


def asked(line):
    """The least ratios on 6.1 and on later kernels."""
    old, new = line.counted
    return f"{old:.2f}" + (f"; {new:.2f}" if new != old else "")


def requirements(tables):
    """The table of the required ratios."""
    lines = head(["work", "excluding copying", "required: 6.1; later"] +
                 [kernel(t) for t in tables])
    judged = [musthold.judge({"counted": t}) for t in tables]
    for i, line in enumerate(musthold.LINES):
        full = [verdict(each[i][1]) for each in judged]
        without = [verdict(each[i][2]) for each in judged]
        if any(full):
            lines.append(row([line.what, "", asked(line)] + full))
        if any(without):
            lines.append(row(["", "yes", f"{line.copying:.2f}"] + without))
    return lines


def main():
    """Command line."""
    parser = Parser(prog="bench/compare", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="counted results of bench/run, one for each kernel")
    args = parser.parse_args()
    tables = []
    for path in args.files:
        try:
            tables.append(results.Table(results.load(path)))
        except (OSError, ValueError) as error:
            text = results.reason(error) if isinstance(error, OSError) else error
            print(f"bench/compare: {text}", file=sys.stderr)
            return 2
    print("\n".join(messages(tables) + [""] + requirements(tables)))
    return 0
