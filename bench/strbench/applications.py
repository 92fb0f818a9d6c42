# SPDX-License-Identifier: GPL-2.0-only
"""Unmodified programs, full of pipes or datagrams."""

import dataclasses
import os
import random
import shutil
import subprocess
import time

MIB = 1 << 20


class Unready(Exception):
    """A program is missing, or a server does not come up."""


@dataclasses.dataclass
class App:
    """
    A program to measure. prepare(folder, scale) writes what it reads; server
    and command are shell commands run in the folder, where $SCALE is a whole
    number, at least 1, and $JOBS the processors.

    An application that has a unit serves $COUNT of them, each * $SCALE or twice as
    many: counted, the difference between both is the cost of a unit, without what
    starts, connects and ends.
    """
    name: str
    what: str
    needs: tuple
    command: str
    prepare: object = None
    server: str = ""
    port: int = 0                       # UDP (TCP: negative) it has when it is up
    modes: tuple = ("counted", "wall", "native")
    unit: str = ""
    each: int = 1
    tcp: bool = False                   # its TCP sockets are what is measured


def _text(folder, scale):
    """Lines of text, 256 MiB at scale 1."""
    line = b"The quick brown fox jumps over the lazy dog, and 0123456789 times.\n"
    block = line * (MIB // len(line))
    with open(os.path.join(folder, "text"), "wb") as f:
        for _ in range(max(1, int(256 * scale))):
            f.write(block)


def _tree(folder, scale):
    """Source-like files, 64 MiB at scale 1."""
    rng = random.Random(1)
    words = [bytes(rng.choices(b"abcdefghijklmnopqrstuvwxyz_", k=rng.randint(2, 12)))
             for _ in range(2000)]
    for i in range(max(8, int(4096 * scale))):
        sub = os.path.join(folder, "tree", f"d{i % 37}")
        os.makedirs(sub, exist_ok=True)
        with open(os.path.join(sub, f"f{i}.c"), "wb") as f:
            f.write(b" ".join(rng.choices(words, k=2200)))


def _repository(folder, scale):
    """A repository of three commits of such files."""
    _tree(folder, scale)
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "a",
           "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
           "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
           "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}
    script = ("cd tree && git init -q . && for n in 1 2 3; do date >>d0/n$n; git add . && "
              "git commit -q -m $n; done && git repack -q -a -d")
    subprocess.run(["sh", "-c", script], cwd=folder, env=env, check=True)


def _makefile(folder, scale):
    """Targets in two makes below one, which share its job server."""
    n = max(10, int(2000 * scale))
    with open(os.path.join(folder, "Makefile"), "w", encoding="ascii") as f:
        f.write("all: one two\none two:\n\t+@$(MAKE) -s -f Many\n")
    with open(os.path.join(folder, "Many"), "w", encoding="ascii") as f:
        names = " ".join(f"t{i}" for i in range(n))
        f.write(f"all: {names}\n.PHONY: all {names}\n{names}:\n\t@: $@; :\n")


def _zone(folder, scale):
    with open(os.path.join(folder, "unbound.conf"), "w", encoding="ascii") as f:
        f.write("server:\n interface: 127.0.0.1@25353\n do-ip6: no\n do-tcp: no\n username: \"\"\n"
                f" chroot: \"\"\n directory: \"{folder}\"\n pidfile: \"\"\n use-syslog: no\n"
                " do-daemonize: no\n num-threads: 1\n local-zone: \"bench.\" static\n"
                " local-data: \"a.bench. A 192.0.2.1\"\nremote-control:\n control-enable: no\n")
    with open(os.path.join(folder, "queries"), "w", encoding="ascii") as f:
        f.write("a.bench A\n")


def _transfer(folder, scale):
    with open(os.path.join(folder, "file"), "wb") as f:
        f.write(random.Random(2).randbytes(max(65536, int(16 * MIB * scale))))
    os.chmod(folder, 0o755)


APPS = [
    App("filters", "a shell pipeline of six filters over 256 MiB", ("tr", "tee"),
        "cat text | tr a-z A-Z | tee /dev/null | head -c 1000000000 | tail -c +1 | "
        "wc -c >/dev/null",
        _text),
    App("tar", "tar | zstd | tar of 64 MiB", ("tar", "zstd"),
        "rm -rf out && mkdir out && tar -cf - tree | zstd -q -1 -T1 -c | "
        "tar -I 'zstd -d' -xf - -C out", _tree),
    App("hackbench", "hackbench -p", ("hackbench",),
        "hackbench -p -g 2 -f 8 -s 100 -l $SCALE >/dev/null"),
    App("perf-pipe", "perf bench sched pipe", ("perf",),
        "perf bench -f simple sched pipe -l $((SCALE * 100)) >/dev/null"),
    App("shell-pipe", "a pipe and two forks of a shell", ("bash",),
        "exec bash -c 'for ((i = 0; i < 4 * SCALE; i++)); do : | :; done'"),
    App("shell-output", "a command's output in a shell's variable", ("bash",),
        "exec bash -c 'for ((i = 0; i < 4 * SCALE; i++)); do x=$(:); done'"),
    App("make", "make -j with its job server", ("make",), "make -s -j $((JOBS + 1))", _makefile),
    App("git", "git clone over a pipe", ("git",),
        "rm -rf clone && git -c protocol.file.allow=always -c safe.directory='*' clone -q "
        "--no-local file://$PWD/tree clone", _repository),
    App("dnsperf", "dnsperf asks unbound", ("dnsperf", "unbound"),
        "dnsperf -s 127.0.0.1 -p 25353 -d queries -T 1 -c 1 -q 20 -n $((SCALE * 100)) >log && "
        "grep -q 'Queries lost: *0 ' log", _zone, "exec unbound -c unbound.conf", 25353),
    App("iperf3", "iperf3 -u, 1,400-byte datagrams", ("iperf3",),
        "iperf3 -c 127.0.0.1 -p 25201 -u -b 0 -l 1400 -k $((SCALE * 100)) >log",
        None, "exec iperf3 -s -p 25201 >/dev/null", -25201),
    App("tftp", "curl gets 16 MiB by tftp, a datagram and its answer at a time",
        ("curl", "in.tftpd"),
        "curl -s tftp://127.0.0.1:26969/file -o got && cmp file got",
        _transfer,
        "exec in.tftpd -L -4 --address :26969 -s \"$PWD\" -u \"$(id -un)\"", 26969,
        # Its timeouts end it where idle time takes none.
        ("wall", "native")),
]


def missing(app):
    """The programs it needs that are not there."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return [n for n in app.needs if not shutil.which(n, path=path)]


def _bound(port):
    """Whether a UDP port, or a TCP port given negative, is taken."""
    table = "/proc/net/tcp" if port < 0 else "/proc/net/udp"
    found = []
    for name in (table, table + "6"):
        try:
            with open(name, encoding="ascii") as f:
                found += f.read().splitlines()[1:]
        except OSError:
            pass
    return any(int(line.split()[1].rpartition(":")[2], 16) == abs(port) for line in found)


def _usage():
    """(nanoseconds all processors ran tasks, context switches) since boot"""
    with open("/proc/stat", encoding="ascii") as f:
        stat = {words[0]: words[1:] for words in map(str.split, f)}
    try:
        with open("/proc/schedstat", encoding="ascii") as f:
            ran = sum(int(line.split()[7]) for line in f if line.startswith("cpu"))
    except FileNotFoundError:
        # To a tick only: all but idle and iowait
        ticks = [int(n) for n in stat["cpu"][:8]]
        ran = (sum(ticks) - ticks[3] - ticks[4]) * 10 ** 9 // os.sysconf("SC_CLK_TCK")
    return ran, int(stat["ctxt"][0])


class Bench:
    """Runs one application, natively and under strsock in turn."""

    def __init__(self, app, folder, build, scale, env):
        self.app, self.folder, self.scale = app, folder, scale
        strsock = [os.path.join(build, "tools", "strsock"), "--require"]
        self.prefix = {"native": [], "streams": [*strsock, "--"],
                       "streams-no-pipe": [*strsock, "--no-pipe", "--"],
                       "floor-library": ["env", "LD_PRELOAD=" + os.path.join(
                           build, "bench", ".libs", "libempty.so")]}
        self.count = app.each * max(1, int(1000 * scale))
        self.env = {**env, "SCALE": str(max(1, int(1000 * scale))), "JOBS": str(os.cpu_count()),
                    "PATH": env.get("PATH", "") + ":/usr/sbin:/sbin", "LC_ALL": "C"}

    def argv(self, command, impl):
        """The shell and all below it natively, or on STREAMS"""
        return [*self.prefix[impl], "sh", "-c", command]

    def start_server(self, impl):
        """Starts it and waits for its port."""
        if not self.app.server:
            return None
        with open(os.path.join(self.folder, "server.log"), "wb") as log:
            # pylint: disable=consider-using-with
            server = subprocess.Popen(self.argv(self.app.server, impl), cwd=self.folder,
                                      env=self.env, stdin=subprocess.DEVNULL, stdout=log,
                                      stderr=log, start_new_session=True)
        # Where instructions are counted, seconds pass at once while a disk is
        # waited for: so look many times.
        for _ in range(10000):
            if _bound(self.app.port):
                return server
            if server.poll() is not None:
                break
            time.sleep(0.05)
        self.stop_server(server)
        with open(os.path.join(self.folder, "server.log"), encoding="utf-8",
                  errors="replace") as f:
            raise Unready(f"its server did not come up: {f.read().strip()[-400:]}")

    @staticmethod
    def stop_server(server):
        """Ends the server this started, with its children."""
        if server is None:
            return
        try:
            os.killpg(server.pid, 15)
        except ProcessLookupError:
            pass
        server.wait()

    def run(self, impl, times=1):
        """A run of N times the units: (seconds, nanoseconds of processors, context
        switches)"""
        server = self.start_server(impl)
        try:
            time.sleep(0.2)             # let earlier work end
            ran, switches = _usage()
            start = time.monotonic()
            done = subprocess.run(self.argv(self.app.command, impl), cwd=self.folder,
                                  env={**self.env, "COUNT": str(times * self.count)},
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  check=False)
            seconds = time.monotonic() - start
            ran_then, switches_then = _usage()
        finally:
            self.stop_server(server)
        if done.returncode:
            raise Unready(f"{impl}: status {done.returncode}: {done.stderr.strip()[-400:]}")
        return seconds, ran_then - ran, switches_then - switches

    def prepare(self):
        """Prepares the files that it reads."""
        if self.app.prepare:
            self.app.prepare(self.folder, self.scale)
