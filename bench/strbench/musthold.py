# SPDX-License-Identifier: GPL-2.0-only
"""The ratios to native that must hold, and whether they do; above 1 is better."""

import dataclasses

from . import copying
from .copying import COUNTED

RATE = "messages_per_second"


@dataclasses.dataclass
class Line:
    """One line: which works, sizes and implementation, and what is asked."""
    what: str
    impl: str = "streams"
    counted_works: tuple = ()
    wall_works: tuple = ()
    sizes: tuple = (1, 65536)       # from, to
    counted: tuple = None           # at least: on Linux 6.1, and on later kernels
    copying: float = None           # at least, excluding copying
    wall: dict = None               # metric -> at least
    counted_metric: str = COUNTED
    profile: bool = True            # a profile shows what the rest is spent on
    base: str = "native"            # the implementation that it is compared with
    floor: str = "floor"            # that which only copies

    def asked(self, kernel):
        """The least ratio on a kernel, by its release."""
        old, new = self.counted
        return old if str(kernel).startswith("6.1.") else new


def both(value):
    """The same on all kernels."""
    return value, value


LINES = [
    Line("pipe, one process, 1-512 B", "streams", ("pipe",), (), (1, 512), (1.35, 1.2), 1.3),
    Line("pipe, one process, 4 KiB", "streams", ("pipe",), (), (4096, 4096), (1.3, 1.1), 1.3),
    Line("pipe, one process, 16-64 KiB", "streams", ("pipe",), (), (16384, 65536), (1.5, 1.3), 3),
    Line("pipe, two processes, 1-512 B", "streams", ("pipe-two",), ("pipe-two",), (1, 512),
         (1.25, 1.15), 1.2, {RATE: 1.05}),
    Line("pipe, two processes, 4-64 KiB", "streams", ("pipe-two",), ("pipe-two",), (4096, 65536),
         (1.6, 1.4), 2.5, {RATE: 1.25}),
    Line("pipe round trip", "streams", ("pipe-rtt",), ("pipe-rtt",), (1, 65536), (1.3, 1.25), 1.3,
         {"latency_p50_us": 1.15, "latency_p99_us": 1.0}),
    Line("pipe created and closed", "streams", ("pipe-open",), (), (0, 0), both(0.75),
         counted_metric="instructions_per_open", floor="floor-pair"),
    Line("full-duplex pipe against a native pipe, 1 B-4 KiB", "streams-duplex", ("pipe",), (),
         (1, 4096), (1.0, 0.9)),
    Line("putmsg and getmsg against a native pipe, 1 B-4 KiB", "streams-putmsg", ("pipe",), (),
         (1, 4096), (1.0, 0.9), floor="floor-putmsg"),
    Line("UDP on one host, 1 B-1 KiB", "streams", ("udp-direct",), ("udp-direct-two",), (1, 1024),
         (2.5, 2.4), wall={RATE: 2.0}),
    Line("UDP through IP, 1 B-1 KiB", "streams", ("udp",), ("udp-two",), (1, 1024), (1.35, 1.3),
         wall={RATE: 1.15}),
    Line("UDP through IP, 16-64 KiB", "streams", ("udp",), ("udp-two",), (16384, 65536), both(1.1),
         1.3, {RATE: 1.0}),
    Line("UDP over IPv6 on one host, 1 B-1 KiB", "streams", ("udp6-direct",), (), (1, 1024),
         both(2.4)),
    Line("UDP over IPv6 through IP, 1 B-1 KiB", "streams", ("udp6",), (), (1, 1024), both(1.3)),
    Line("TPI on one host, 1 B-1 KiB", "tpi", ("udp-direct",), ("udp-direct-two",), (1, 1024),
         (2.1, 2.0), wall={RATE: 1.5}),
    Line("XTI on one host, 1 B-1 KiB", "xti", ("xti-udp-direct",), ("xti-udp-direct",), (1, 1024),
         (1.8, 1.7)),
    Line("TPI through IP, 16-64 KiB", "tpi", ("udp",), (), (16384, 65536), both(1.0)),
    Line("XTI through IP, 16-64 KiB", "xti", ("xti-udp",), (), (16384, 65536), both(1.0)),
    Line("XTI over sockets, UDP", "xtios", ("xti-udp",), ("xti-udp",), (1, 65536), both(1 / 1.4)),
    Line("XTI over sockets, TCP one way, 1 B-1 KiB, T_MORE", "xtios-more", ("tcp-burst",),
         ("tcp-two",), (1, 1024), both(1.0)),
    Line("XTI over sockets, TCP one way, 16-64 KiB", "xtios", ("tcp-burst",), ("tcp-two",),
         (16384, 65536), both(0.9)),
    Line("unmodified programs, worst size of all works", "streams",
         ("pipe", "pipe-two", "pipe-rtt", "udp", "udp-direct"),
         ("pipe-two", "udp-two", "udp-direct-two"), (1, 65536), both(1.0), wall={RATE: 1.0}),
    Line("DLPI against UDP sockets over veth, 64 B-1,400 B", "dlpi", ("link",), (), (64, 1400),
         both(1.3)),
    Line("DLPI against packet sockets of SOCK_DGRAM over veth, 64 B-1,400 B", "dlpi", ("link",),
         (), (64, 1400), both(1.0), base="packet"),
    Line("UDP sockets beside a bound data link, against without strdlpi.ko", "native-bound",
         ("link",), (), (64, 1400), both(0.99), base="native-unloaded"),
    Line("memory of an idle pipe", "streams", ("pipe-memory",), (), (0, 0), both(1.0),
         counted_metric="bytes_per_open", profile=False),
    Line("memory of an idle UDP socket", "streams", ("udp-memory",), (), (0, 0), both(1 / 2.5),
         counted_metric="bytes_per_open", profile=False),
    Line("creating and closing a socket", "streams", ("udp-open",), (), (0, 0), both(1 / 1.2),
         counted_metric="instructions_per_open"),
]


@dataclasses.dataclass
class Verdict:
    """The result of a line in one mode."""
    ratio: float = None
    asked: float = None
    work: str = ""
    size: int = 0
    metric: str = ""
    sizes: tuple = ()

    def met(self):
        """None if not measured."""
        return None if self.ratio is None else self.ratio >= self.asked


def ratio(table, mode, work, size, impl, metric, base="native"):
    """Against the base, above 1 better; None if either was not measured."""
    native = table.value(work, size, base, mode, metric)
    ours = table.value(work, size, impl, mode, metric)
    if not native or not ours:
        return None
    return ours / native if metric.endswith("_per_second") else native / ours


def worst(table, line, works, of, verdict):
    """The worst of a line's works and sizes; of(work, size) is a ratio."""
    for work in works:
        for size in sorted(table.distinct("size", work=work)):
            if not line.sizes[0] <= size <= line.sizes[1]:
                continue
            found = of(work, size)
            if found is None:
                continue
            verdict.sizes += (size,)
            if verdict.ratio is None or found < verdict.ratio:
                verdict.ratio, verdict.work, verdict.size = found, work, size
    return verdict


def timed(tables):
    """The mode that times are taken from: this machine's own, if measured."""
    return "native" if "native" in tables else "wall"


def _counted(table, line):
    """The verdict on a line, and that excluding copying if one is asked."""
    metric = line.counted_metric
    full = worst(table, line, line.counted_works,
                 lambda work, size: ratio(table, "counted", work, size, line.impl, metric, line.base),
                 Verdict(asked=line.asked(table.machine.get("kernel")), metric=metric))
    if not line.copying:
        return full, None
    return full, worst(table, line, line.counted_works,
                       lambda work, size: copying.ratio(table, work, size, line.impl, line.base),
                       Verdict(asked=line.copying, metric=metric))


def judge(tables):
    """
    [(line, counted verdict or None, the same excluding copying, [wall verdicts])...], where
    tables are by mode.
    """
    time, judged = timed(tables), []
    for line in LINES:
        counted = without = None
        wall = []
        if "counted" in tables:
            counted, without = _counted(tables["counted"], line)
        if time in tables and line.wall:
            wall = [worst(tables[time], line, line.wall_works,
                          lambda work, size, metric=metric: ratio(tables[time], time, work, size,
                                                                  line.impl, metric, line.base),
                          Verdict(asked=asked, metric=metric))
                    for metric, asked in line.wall.items()]
        judged.append((line, counted, without, wall))
    return judged
