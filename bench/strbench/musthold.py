# SPDX-License-Identifier: GPL-2.0-only
"""The ratios to native that must hold, and whether they do; above 1 is better."""

import dataclasses

COUNTED = "instructions_per_message"
RATE = "messages_per_second"


@dataclasses.dataclass
class Line:
    """One line: which works, sizes and implementation, and what is asked."""
    what: str
    impl: str = "streams"
    counted_works: tuple = ()
    wall_works: tuple = ()
    sizes: tuple = (1, 65536)       # from, to
    counted: float = None           # at least
    wall: dict = None               # metric -> at least
    counted_metric: str = COUNTED
    profile: bool = True            # a profile shows what the rest is spent on
    base: str = "native"            # the implementation that it is compared with


LINES = [
    Line("pipe 1-64 B, plain system calls", "streams", ("pipe",), ("pipe-two",), (1, 64),
         1.1, {RATE: 1.05}),
    Line("pipe 512 B-64 KiB", "streams", ("pipe",), ("pipe-two",), (512, 65536), 1.4,
         {RATE: 1.25}),
    Line("pipe, worst size of all", "streams", ("pipe", "pipe-two"), ("pipe", "pipe-two"),
         (1, 65536), 1.0, {RATE: 1.0}),
    Line("pipe round trip", "streams", ("pipe-rtt",), ("pipe-rtt",), (1, 65536), 1.2,
         {"latency_p50_us": 1.15, "latency_p99_us": 1.0}),
    Line("UDP loopback 1 B-1 KiB, preload, through IP", "streams", ("udp",), ("udp-two",),
         (1, 1024), 1.2, {RATE: 1.15}),
    Line("the same where two streams may meet directly", "streams", ("udp-direct",),
         ("udp-direct-two",), (1, 1024), 2.5, {RATE: 2.0}),
    Line("UDP 16 KiB", "streams", ("udp",), ("udp-two",), (16384, 16384), 1.5, {RATE: 1.3}),
    Line("raw TPI against native sockets, 1 B-1 KiB, direct", "tpi", ("udp-direct",),
         ("udp-direct-two",), (1, 1024), 1.8, {RATE: 1.5}),
    Line("XTI over the UDP provider, 1 B-1 KiB, direct", "xti", ("xti-udp-direct",),
         ("xti-udp-direct",), (1, 1024), 1.8),
    Line("XTI over sockets, UDP", "xtios", ("xti-udp",), ("xti-udp",), (1, 65536), 1 / 1.4),
    Line("XTI over sockets, TCP 1 B-1 KiB, T_MORE", "xtios-more", ("tcp-burst",), ("tcp-two",),
         (1, 1024), 1.5),
    Line("XTI over sockets, TCP 64 KiB", "xtios", ("tcp",), ("tcp", "tcp-two"),
         (65536, 65536), 1 / 1.1),
    Line("DLPI against UDP sockets over veth, 64 B-1,400 B", "dlpi", ("link",), (), (64, 1400),
         1.3),
    Line("DLPI against packet sockets of SOCK_DGRAM over veth, 64 B-1,400 B", "dlpi", ("link",),
         (), (64, 1400), 1.0, base="packet"),
    Line("UDP sockets beside a bound data link, against without strdlpi.ko", "native-bound",
         ("link",), (), (64, 1400), 0.99, base="native-unloaded"),
    Line("memory of an idle pipe", "streams", ("pipe-memory",), (), (0, 0), 1.0, None,
         "bytes_per_open", False),
    Line("memory of an idle UDP socket", "streams", ("udp-memory",), (), (0, 0), 1 / 2.5, None,
         "bytes_per_open", False),
    Line("creating and closing a pipe", "streams", ("pipe-open",), (), (0, 0), 1 / 1.2, None,
         "instructions_per_open"),
    Line("creating and closing a socket", "streams", ("udp-open",), (), (0, 0), 1 / 1.2, None,
         "instructions_per_open"),
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


def worst(table, mode, line, works, metric, asked):
    """The worst of a line's works and sizes."""
    verdict = Verdict(asked=asked, metric=metric)
    for work in works:
        for size in sorted(table.distinct("size", work=work, mode=mode)):
            if not line.sizes[0] <= size <= line.sizes[1]:
                continue
            found = ratio(table, mode, work, size, line.impl, metric, line.base)
            if found is None:
                continue
            verdict.sizes += (size,)
            if verdict.ratio is None or found < verdict.ratio:
                verdict.ratio, verdict.work, verdict.size = found, work, size
    return verdict


def timed(tables):
    """The mode that times are taken from: this machine's own, if measured."""
    return "native" if "native" in tables else "wall"


def judge(tables):
    """
    [(line, counted verdict or None, [wall verdicts])...], where tables are
    by mode.
    """
    time, judged = timed(tables), []
    for line in LINES:
        counted, wall = None, []
        if "counted" in tables:
            counted = worst(tables["counted"], "counted", line, line.counted_works,
                            line.counted_metric, line.counted)
        if time in tables and line.wall:
            wall = [worst(tables[time], time, line, line.wall_works, metric, asked)
                    for metric, asked in line.wall.items()]
        judged.append((line, counted, wall))
    return judged
