# SPDX-License-Identifier: GPL-2.0-only
"""Runs a plan: prepares machines in the background, and has them run the files."""

import os
import pathlib
import platform
import re
import tempfile
import time
from typing import Dict, List, Optional, Sequence, Tuple

from lib import result as results
from lib.durations import Table
from lib.lanes import Lanes
from lib.machines import HOST, MACHINES, Machine
from lib.passed import Passed
from lib.plan import UNIT, Batch, Item, Plan, batches
from lib.processes import TIMED_OUT, Processes
from lib.report import Report
from lib.result import Result

UNIT_SUM = re.compile(r"^(\d+) passed, (\d+) failed", re.MULTILINE)
# Seconds that starting a machine with nothing to run may take
START_LIMIT = 300
EMULATOR = "emulator"
# The machines that the host's files start
STARTED = {"uml", "6.1"}


class Run:
    """One run of the check."""

    def __init__(self, top: pathlib.Path, plan: Plan, report: Report, lanes: Lanes,
                 passed: Passed, resume: bool) -> None:
        self.top = top
        self.plan = plan
        self.report = report
        self.lanes = lanes
        self.passed = passed
        self.resume = resume
        self.processes = Processes()
        self.measured: Table = {}
        self.kernels: Dict[str, str] = {HOST: platform.platform()}
        # pylint: disable=consider-using-with
        self.folder = tempfile.TemporaryDirectory(prefix="strsock-check.")
        self.logs = 0

    def log(self, name: str) -> pathlib.Path:
        self.logs += 1
        return pathlib.Path(self.folder.name, f"{name}.{self.logs}.log")

    def all(self, unit: bool) -> None:
        """Run everything; an interrupt ends the commands that still run."""
        names = self.plan.machines()
        if unit:
            self.lanes.add(1e9, self.unit)
        if HOST in names and os.path.exists("/proc/streams"):
            self.report.say("host: modules are loaded here; only the machines are used")
            names.remove(HOST)
        items = self.plan.items(HOST) if HOST in names else []
        starting = [item for item in items if "machine" in item.file.file_tags]
        self.add(HOST, [item for item in items if item not in starting])
        kernels = sorted((name for name in names if name != HOST), key=self.work, reverse=True)
        try:
            self.lanes.run([lambda: self.prepare_all(kernels, starting)])
        finally:
            self.processes.end()
            self.folder.cleanup()
        for broken in self.lanes.broken:
            self.report.failed("check", "itself", broken.splitlines())

    def work(self, name: str) -> float:
        return sum(item.seconds for item in self.plan.items(name))

    def add(self, name: str, items: Sequence[Item]) -> None:
        """Give the lanes the jobs of this machine, which is ready now."""
        left = []
        for item in items:
            found = self.passed.find(item, self.kernels[name]) if self.resume else None
            if found:
                self.report.result(found)
            else:
                left.append(item)
        for batch in batches(left):
            self.lanes.add(batch.seconds, lambda batch=batch: self.batch(batch))  # type: ignore

    def prepare_all(self, names: Sequence[str], starting: Sequence[Item]) -> None:
        """One machine after another, beside those that run already. The files of the
        host that start machines wait for the kernels that they take, which they would
        otherwise wait for themselves, in a lane."""
        left = set(names) & STARTED
        for name in names:
            if not left:
                self.add(HOST, starting)
                starting = []
            self.prepare(name, self.plan.items(name))
            left.discard(name)
        self.add(HOST, starting)

    def prepare(self, name: str, items: Sequence[Item]) -> None:
        """Have the kernel, build the modules, see that the machine runs; where it cannot
        run another one does its part."""
        if name not in self.kernels:
            begun = self.report.elapsed()
            machine = self.start(MACHINES[name])
            spent = self.report.spent[name]
            spent.ready = self.report.elapsed()
            spent.prepared = spent.ready - begun
            if not machine:
                return
            if machine == EMULATOR and MACHINES[name].instead:
                self.instead(name)
                return
        self.add(name, items)

    def instead(self, name: str) -> None:
        """The emulator does this machine's part, unless that was not asked for."""
        other, items = self.plan.instead(name)
        if other:
            self.report.say(f"{name}: cannot run here, see above; {other} runs its files")
            self.prepare(other, items)
        else:
            self.report.failed(name, "machine", [
                "it cannot run here, see above; choose others with --kernel"])

    def start(self, machine: Machine) -> str:
        """Does the machine run? Then it prints which kernel it has, and what it is."""
        end, output = self.processes.follow(
            [self.top / "tests/vm/run", *machine.options, "--smp", str(machine.processors or 1),
             "--timeout", str(START_LIMIT), "--", "sh", "-c",
             'uname -srv; echo "$STRSOCK_MACHINE"'],
            lambda text: self.report.say(f"{machine.name}: {text}"))
        self.report.spent[machine.name].processor += end.processor
        said = output.splitlines()
        if end.status or len(said) != 2:
            self.report.failed(machine.name, "machine", [
                f"it cannot be had or does not run, see above (status {end.status}); mend that, "
                "or choose others with --kernel (tests/check --help)"])
            return ""
        self.kernels[machine.name] = said[0]
        self.report.say(f"{machine.name}: ready, {said[0]}")
        return said[1] or EMULATOR

    def unit(self) -> None:
        """The unit tests, which have a line of their own at the end."""
        log, start = self.log(UNIT), time.monotonic()
        end = self.processes.run([self.top / "tests/unit/run"], log)
        output = log.read_text(errors="replace")
        sums = UNIT_SUM.findall(output)
        result = Result(UNIT, UNIT, seconds=time.monotonic() - start)
        if sums:
            result.passed, result.failed = int(sums[-1][0]), int(sums[-1][1])
        if end.status:
            result.failed = max(result.failed, 1)
            result.lines = output.splitlines()[-60:]
        self.report.result(result)
        self.report.ran(UNIT, [result], result.seconds, end.processor)

    def command(self, batch: Batch) -> Tuple[List[str], Optional[float]]:
        """The command that runs a batch, and how long it may take."""
        item, machine = batch.items[0], batch.machine
        in_turn = [str(self.top / "tests/in-turn"), "|".join(item.filters),
                   *(str(each.file.path) for each in batch.items)]
        limit = int(max(machine.limit, 5 * batch.seconds)) * (4 if self.plan.choice.full else 1)
        if machine.name == HOST:
            return in_turn, limit
        # The machine ends itself.
        return [str(self.top / "tests/vm/run"), *machine.options,
                "--smp", str(item.processors), "--timeout", str(limit), "--", *in_turn], None

    def batch(self, batch: Batch) -> None:
        """Run the files and say how each went."""
        name = batch.machine.name
        log, start = self.log(name), time.monotonic()
        command, limit = self.command(batch)
        end = self.processes.run(command, log, limit)
        if self.processes.ended:
            return
        took = time.monotonic() - start
        output = log.read_text(errors="replace")
        log.unlink()
        files = results.split(output)
        came = [results.read(name, item.file.name, files.get(item.file.name, []),
                             item.tests, name == HOST) for item in batch.items]
        for result in came:
            self.report.result(result)
        self.report.ran(name, came, took, end.processor)
        self.verdict(batch, came, end.status, output)

    def verdict(self, batch: Batch, came: Sequence[Result], status: int, output: str) -> None:
        """in-turn's status is 1 when a test failed; a machine that died, a kernel that
        complained and too long a time have others, and are failures of their own."""
        if status in (0, 1) and (status == 0 or any(result.failed for result in came)):
            self.keep(batch, came)
            return
        how = "it took too long" if status == TIMED_OUT else "the machine or the kernel failed"
        self.report.failed(batch.machine.name, "machine", [
            f"exit status {status}: {how}; it ran "
            + " ".join(item.file.name for item in batch.items), *output.splitlines()[-60:]])

    def keep(self, batch: Batch, came: Sequence[Result]) -> None:
        """Remember the files that passed, and how long they took."""
        for item, result in zip(batch.items, came):
            if result.failed == 0 and item.tests:
                self.passed.keep(item, self.kernels[batch.machine.name], result)
                self.measured[item.machine.pace, item.file.name] = result.seconds / item.tests
