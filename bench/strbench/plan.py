# SPDX-License-Identifier: GPL-2.0-only
"""The measurements: works, implementations, and the programs' arguments."""

import dataclasses
import fnmatch

POWERS = [1 << i for i in range(17)]
QUICK = [1, 64, 512, 4096, 65536]
QUICK_UDP = [1024, 16384]   # also, for requirements on datagrams
UDP_MOST = 65507            # a datagram holds no 65536 bytes
UDP6_MOST = 65487
MANY = [1, 16, 256, 4096]
PROCESSORS = [1, 2, 4]
MEMORY_CHANNELS = 4000


@dataclasses.dataclass(frozen=True)
class Impl:
    """An implementation: a transport of a program, perhaps under strsock."""
    name: str
    program: str
    args: tuple
    preload: bool = False
    works: tuple = ()           # in these works only, else in all
    root: bool = False
    without: str = ""           # a module that is not loaded meanwhile


@dataclasses.dataclass(frozen=True)
class Work:
    """A work: the program and its name of the work, and where it is measured."""
    name: str
    program: str
    work: str
    args: tuple = ()
    modes: tuple = ("counted", "wall", "native")
    sized: bool = True
    size: int = 0               # one size only
    impls: tuple = ()           # these only, else all of the program
    processors: int = 0         # a machine of its own with this number; 0: shared
    root: bool = False
    times: int = 1              # as many messages, where they are counted
    most: int = 0               # bytes of a message, if its transports have less
    veth: bool = False          # between two network namespaces


@dataclasses.dataclass(frozen=True)
class Task:
    """One run of a program: a work, an implementation, its sizes."""
    work: str
    impl: str
    argv: tuple
    preload: bool
    sizes: tuple
    samples: int                # lines of the first metric expected
    processors: int = 0
    root: bool = False
    veth: bool = False
    without: str = ""


IMPLS = [
    Impl("native", "perftest", ("-t", "pipe")),
    Impl("unix", "perftest", ("-t", "unix")),
    Impl("streams", "perftest", ("-t", "pipe"), preload=True),
    Impl("streams-direct", "perftest", ("-t", "fifo")),
    Impl("streams-duplex", "perftest", ("-t", "duplex")),
    Impl("streams-putmsg", "perftest", ("-t", "putmsg")),
    Impl("streams-1module", "perftest", ("-t", "duplex", "-p", "1")),
    Impl("streams-4modules", "perftest", ("-t", "duplex", "-p", "4")),
    Impl("floor", "perftest", ("-t", "floor"), works=("turn", "rtt")),
    Impl("floor-putmsg", "perftest", ("-t", "floor-putmsg"), works=("turn",)),
    Impl("floor-pair", "perftest", ("-t", "floor-pair"), works=("create",)),
    Impl("floor-null", "perftest", ("-t", "null"), works=("turn", "create")),
    Impl("native", "udptest", ("-t", "socket")),
    Impl("unix", "udptest", ("-t", "unix")),
    Impl("streams", "udptest", ("-t", "socket"), preload=True),
    Impl("streams-direct", "udptest", ("-t", "streams")),
    Impl("tpi", "udptest", ("-t", "tpi")),
    Impl("xti", "udptest", ("-t", "xti")),
    Impl("xtios", "udptest", ("-t", "xtios")),
    Impl("native-connected", "udptest", ("-t", "socket", "-c")),
    Impl("streams-connected", "udptest", ("-t", "socket", "-c"), preload=True),
    Impl("packet", "udptest", ("-t", "packet")),
    Impl("packet-raw", "udptest", ("-t", "packet-raw")),
    Impl("native-unloaded", "udptest", ("-t", "socket"), without="strdlpi"),
    Impl("native-bound", "udptest", ("-t", "socket-dlpi")),
    Impl("dlpi", "udptest", ("-t", "dlpi")),
    Impl("dlpi-1module", "udptest", ("-t", "dlpi", "-p", "1")),
    Impl("dlpi-4modules", "udptest", ("-t", "dlpi", "-p", "4")),
    Impl("native", "conntest", ("-t", "socket")),
    Impl("streams", "conntest", ("-t", "socket"), preload=True),
    Impl("native-more", "conntest", ("-t", "socket-more")),
    Impl("sockmap", "conntest", ("-t", "sockmap"), works=("turn", "rtt"), root=True),
    Impl("xtios", "conntest", ("-t", "xti")),
    Impl("xtios-more", "conntest", ("-t", "xti-more")),
]

# Where every variant would give the same figures
PLAIN = ("native", "unix", "streams", "streams-direct", "streams-duplex", "tpi")
SOCKETS = ("native", "unix", "streams", "streams-direct", "tpi", "native-connected",
           "streams-connected")
SOCKETS6 = ("native", "streams", "tpi", "native-connected", "streams-connected")
XTI = ("native", "xti", "xtios")
LINKS = ("native", "tpi", "packet", "packet-raw", "dlpi")
LINK_MOST = 1400            # bytes of a datagram or frame
TIMED = ("wall", "native")
BURST = 16                  # messages


def _works():
    yield Work("pipe", "perftest", "turn")
    # The moments of switches vary between runs: more messages even them out.
    yield Work("pipe-two", "perftest", "two", impls=PLAIN + ("streams-putmsg", "streams-1module"),
               times=3)
    yield Work("pipe-rtt", "perftest", "rtt",
               impls=PLAIN + ("streams-putmsg", "streams-1module", "floor"))
    yield Work("pipe-open", "perftest", "create", sized=False,
               impls=PLAIN + ("floor-pair",), times=5)
    yield Work("pipe-memory", "perftest", "memory", ("-k", str(MEMORY_CHANNELS)), sized=False,
               impls=PLAIN)
    for n in MANY:
        yield Work(f"pipe-pairs-{n}", "perftest", "many", ("-k", str(n)), size=64, impls=PLAIN)
    # With an observer all datagrams pass through IP, natively or not; without,
    # some bypass it.
    seen = ("--observed",)
    yield Work("udp", "udptest", "turn", seen, impls=SOCKETS, root=True)
    yield Work("udp-direct", "udptest", "turn", impls=SOCKETS)
    yield Work("udp-rtt", "udptest", "rtt", seen, impls=PLAIN, root=True)
    yield Work("udp-direct-rtt", "udptest", "rtt", impls=PLAIN)
    # How many are lost is chance, even where instructions are counted.
    yield Work("udp-two", "udptest", "two", seen, modes=TIMED, impls=SOCKETS, root=True)
    yield Work("udp-direct-two", "udptest", "two", modes=TIMED, impls=SOCKETS)
    yield Work("udp-open", "udptest", "create", sized=False, impls=PLAIN, times=3)
    yield Work("udp-memory", "udptest", "memory", ("-k", str(MEMORY_CHANNELS)), sized=False,
               impls=PLAIN)
    # The loopback interface carries no whole datagram of more bytes by IPv6.
    six = ("--inet6",)
    yield Work("udp6", "udptest", "turn", (*six, *seen), impls=SOCKETS6, root=True, most=UDP6_MOST)
    yield Work("udp6-direct", "udptest", "turn", six, impls=SOCKETS6, most=UDP6_MOST)
    for n in MANY:
        yield Work(f"udp-pairs-{n}", "udptest", "many", ("-k", str(n)), size=64, impls=PLAIN)
    yield Work("xti-udp", "udptest", "turn", seen, impls=XTI, root=True)
    yield Work("xti-udp-direct", "udptest", "turn", impls=XTI)
    link = {"most": LINK_MOST, "veth": True, "root": True}
    yield Work("link", "udptest", "turn",
               impls=LINKS + ("native-unloaded", "native-bound", "dlpi-1module", "dlpi-4modules"),
               **link)
    yield Work("link-rtt", "udptest", "rtt", impls=LINKS, **link)
    yield Work("link-two", "udptest", "two", modes=TIMED, impls=LINKS, **link)
    for kind, args, xti in (("tcp", (), ("xtios",)), ("tcp6", ("--inet6",), ())):
        alone = ("native", "streams", "sockmap", *xti)
        # Where no message follows another at once, T_MORE would measure nothing.
        impls = alone + ("native-more", "xtios-more") if xti else alone
        yield Work(kind, "conntest", "turn", args, impls=alone)
        yield Work(f"{kind}-burst", "conntest", "turn", (*args, "--burst", str(BURST)),
                   impls=impls)
        yield Work(f"{kind}-two", "conntest", "two", args, impls=impls, times=3)
        yield Work(f"{kind}-rtt", "conntest", "rtt", args, impls=alone)
        yield Work(f"{kind}-open", "conntest", "create", args, impls=alone, sized=False,
                   times=3)
        # With an observer all bytes pass through TCP, natively or not.
        # Bytes that BPF redirects pass no observer.
        yield Work(f"{kind}-observed", "conntest", "turn", (*args, "--observed"),
                   impls=("native", "streams", *xti), root=True)
    # SCTP waits 200 ms for each acknowledgement: of time nothing else would show.
    sctp = ("native", "xtios")
    yield Work("sctp", "conntest", "turn", ("--sctp",), modes=("counted",), impls=sctp)
    sctp += ("native-more", "xtios-more")
    yield Work("sctp-burst", "conntest", "turn", ("--sctp", "--burst", str(BURST)),
               modes=("counted",), impls=sctp)
    yield Work("sctp-two", "conntest", "two", ("--sctp",), impls=sctp, times=3)
    for n in PROCESSORS:
        for program, kind in (("perftest", "pipe"), ("udptest", "udp-direct")):
            yield Work(f"{kind}-jobs-{n}", program, "jobs", ("-j", str(n)), modes=("wall",),
                       size=64, impls=("native", "streams"), processors=n)


WORKS = list(_works())


def modes(name):
    """The modes a work is measured in."""
    return next(w.modes for w in WORKS if w.name == name)


def matches(name, patterns):
    """Whether a name matches one of the shell patterns; none match all."""
    return not patterns or any(fnmatch.fnmatchcase(name, p) for p in patterns)


def names(values):
    """Distinct names, in order."""
    return list(dict.fromkeys(v.name for v in values))


def _sizes(work, options):
    sizes = options.sizes
    if not work.sized:
        return ()
    if work.size:
        return (work.size,)
    if work.program == "udptest":
        also = QUICK_UDP if options.quick and sizes == QUICK else []
        return tuple(sorted({min(s, work.most or UDP_MOST) for s in sizes + also}))
    return tuple(sizes)


def _task(work, impl, options):
    sizes = _sizes(work, options)
    repeat = options.repeat
    args = [*impl.args, "-w", work.work, *work.args]
    if sizes:
        args += ["-s", ",".join(map(str, sizes))]
    if options.mode == "counted":
        args += ["-n", str(options.count * work.times)]
    else:
        args += ["-m", str(options.time)]
        repeat = 1              # rounds repeat it
    args += ["-r", str(repeat)]
    return Task(work.name, impl.name, (work.program, *args), impl.preload, sizes,
                repeat * max(len(sizes), 1), work.processors, work.root or impl.root, work.veth,
                impl.without)


def tasks(options):
    """
    The tasks of a run, in order. options: mode, works, impls (patterns),
    sizes, count, time (ms), repeat.
    """
    plan = []
    for work in WORKS:
        if options.mode not in work.modes or not matches(work.name, options.works):
            continue
        if work.processors and options.quick:
            continue
        impls = [i for i in IMPLS if i.program == work.program and matches(i.name, options.impls)
                 and (not work.impls or i.name in work.impls)
                 and (not i.works or work.work in i.works)]
        # In turn, A B A B, so that what changes meanwhile is in all of them
        rounds = 1 if options.mode == "counted" else options.repeat
        for _ in range(rounds):
            plan += [_task(work, impl, options) for impl in impls]
    return plan
