# SPDX-License-Identifier: GPL-2.0-only
"""Where tasks run: in the virtual machine, or here."""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile

from .progress import Progress
from .results import Samples
from .runner import TOP

WALL_PROCESSORS = 2

# QEMU counts each step of a repeated string instruction, a byte or a word, as an
# instruction: the kernel is told that the processor has no fast ones. (7.2's routine
# has steps of a word all the same.)
NO_STRINGS = "clearcpuid=erms,rep_good,fsrm"


class Failure(Exception):
    """An error to be reported to the user."""


def build_folder(path):
    """The folder built in; its programs must be there."""
    candidates = [path] if path else [os.environ.get("STRSOCK_BUILD", ""),
                                      os.path.join(TOP, "build"), TOP]
    for folder in filter(None, candidates):
        if os.access(os.path.join(folder, "bench", "perftest"), os.X_OK):
            return os.path.abspath(folder)
    raise Failure(f"nothing is built in {' or '.join(filter(None, candidates))}: run make there, "
                  "or name the build folder with --build")


def loaded_here():
    """Whether the modules are loaded on this machine."""
    return os.path.exists("/proc/streams/counters")


class Run:
    """A run of tasks in one mode."""

    def __init__(self, mode, tasks, build, append="", kernel="", timeout=7200):
        self.mode = mode
        self.tasks = tasks
        self.build = build
        self.append = f"{NO_STRINGS} {append}".strip() if mode == "counted" else append
        self.kernel = kernel
        self.timeout = timeout
        self.samples = Samples(mode)
        self.machine = None
        self.errors = []
        self.skips = []
        self.progress = None
        self.first = {}             # a task's first metric counts its steps

    def event(self, event):
        """Handles an event from the runner."""
        kind = event["event"]
        if kind == "machine":
            self.machine = self.machine or event["machine"]
            return kind
        if kind == "end":
            return kind
        index = event["task"]
        task = self.tasks[index]
        label = f"{task.work} {task.impl}"
        if kind == "sample":
            self.samples.add(task.work, event.get("impl", task.impl), event["size"],
                             event["metric"], event["value"])
            if self.first.setdefault(index, event["metric"]) == event["metric"]:
                self.progress.step(label)
        elif kind == "skip":
            self.skips.append(f"{label}: {event['why']}")
            self.progress.step(label, task.samples)
        elif kind == "error":
            self.errors.append(f"{label}: {event['why']}\n    {event['command']}")
            self.progress.say(f"{label}: {event['why']}")
        return kind

    def plan(self, indexes):
        """The runner's input."""
        return {"build": self.build, "counted": self.mode == "counted",
                "tasks": [[i, dataclasses.asdict(self.tasks[i])] for i in indexes]}

    @staticmethod
    def told(line):
        """The event in a line of the runner's output."""
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict) or "event" not in event:
            raise Failure(f"the benchmark printed no result but: {line.strip()}")
        return event

    def follow(self, argv):
        """Starts a runner and follows its events."""
        last = None
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, cwd=TOP) as process:
            try:
                for line in process.stdout:
                    last = self.event(self.told(line))
            except BaseException:
                process.terminate()
                raise
            error = process.stderr.read().strip()
            status = process.wait()
        if status or last != "end":
            raise Failure(f"{argv[0]} ended with status {status} before its time:\n{error}")
        if error:
            self.progress.say(error)

    def machine_argv(self, processors):
        """tests/vm/run as this mode needs it."""
        argv = [os.path.join(TOP, "tests", "vm", "run"), "--timeout", str(self.timeout)]
        argv += ["--icount"] if self.mode == "counted" else ["--smp", str(processors)]
        if self.kernel:
            argv += ["--kernel", self.kernel]
        if self.append:
            argv += ["--append", self.append]
        return [*argv, "--"]

    def run(self):
        """All tasks; those that need more processors in machines of their own."""
        self.progress = Progress(sum(t.samples for t in self.tasks))
        groups = {}
        for index, task in enumerate(self.tasks):
            groups.setdefault(task.processors or WALL_PROCESSORS, []).append(index)
        # The machine described is that of most tasks.
        for processors, indexes in sorted(groups.items(), key=lambda g: -len(g[1])):
            try:
                self.follow_group(processors, indexes)
            except (Failure, KeyboardInterrupt) as failure:
                if not self.samples.values:
                    raise
                # The samples taken so far are worth keeping.
                self.errors.append(f"{self.progress.label}, and all after it: "
                                   f"{str(failure) or 'interrupted'}")
                break
        self.progress.end()

    def follow_group(self, processors, indexes):
        """Tasks of one machine."""
        with tempfile.TemporaryDirectory(prefix="strbench.") as folder:
            path = os.path.join(folder, "plan")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(self.plan(indexes), f)
            where = [] if self.mode == "native" else self.machine_argv(processors)
            self.follow([*where, sys.executable, "-B", os.path.join(TOP, "bench", "run"),
                         "--here", path])
