# SPDX-License-Identifier: GPL-2.0-only
"""The output of a check: each file as it ends, and at last where the time was spent."""

import collections
import dataclasses
import threading
import time
from typing import DefaultDict, List, Sequence

from lib.cases import Cases
from lib.lanes import Lanes
from lib.result import Result

# How many of a file's lines about each failure are printed again at the end
SHOWN_AGAIN = 20
# Seconds that a file should take at most
LONG_FILE = 40


@dataclasses.dataclass
class Spent:
    """The time of a kind of machine, in seconds, counted from the check's start."""

    # to have its kernel, build the modules and start it once
    prepared: float = 0.0
    ready: float = 0.0
    machines: int = 0
    files: int = 0
    in_files: float = 0.0
    in_machines: float = 0.0
    # of the processor, with that for preparing it
    processor: float = 0.0
    ended: float = 0.0


class Report:
    """Prints and keeps results."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.begun = time.monotonic()
        self.results: List[Result] = []
        self.cases = Cases()
        self.spent: DefaultDict[str, Spent] = collections.defaultdict(Spent)

    def elapsed(self) -> float:
        return time.monotonic() - self.begun

    @staticmethod
    def write(text: str) -> None:
        print(time.strftime("%H:%M:%S ") + text, flush=True)

    def say(self, text: str, lines: Sequence[str] = ()) -> None:
        with self.lock:
            self.write(text)
            for line in lines:
                print("    " + line, flush=True)

    def result(self, result: Result) -> None:
        """Keep it and print it, with what there is to show."""
        with self.lock:
            self.results.append(result)
            self.cases.add(result.cases)
            # Of some files there is nothing to run on the host.
            if result.ran:
                self.write(f"{result.machine:<9} {result.name:<20} {result.passed:4d} passed "
                           f"{result.failed:3d} failed {result.skipped:3d} skipped "
                           + ("earlier" if result.earlier else f"{result.seconds:5.0f} s"))
            for line in result.lines:
                print(f"    {result.machine} {result.name}: {line}", flush=True)

    def failed(self, machine: str, name: str, why: Sequence[str]) -> None:
        self.result(Result(machine, name, failed=1, lines=list(why)))

    def ran(self, machine: str, results: Sequence[Result], took: float,
            processor: float) -> None:
        """One machine has ended."""
        with self.lock:
            spent = self.spent[machine]
            spent.machines += 1
            spent.files += len(results)
            spent.in_files += sum(result.seconds for result in results)
            spent.in_machines += took
            spent.processor += processor
            spent.ended = self.elapsed()

    def print_cases(self) -> None:
        for line in self.cases.table():
            print(line)

    def print_skipped(self) -> None:
        """Tests that passed on no machine, and why: a test that one machine cannot run
        another should."""
        passed = {(result.name, title) for result in self.results for _, title in result.tests}
        skipped = {(result.name, title): why for result in self.results
                   for title, why in result.left_out}
        nowhere = [(key, why) for key, why in skipped.items() if key not in passed]
        if nowhere:
            self.write(f"{len(nowhere)} tests ran nowhere:")
        for (name, title), why in nowhere:
            print(f"    {name}: {title} # {why}")

    def print_failed(self) -> None:
        """The failed tests once more: a log of which only the end is kept shows them too."""
        bad = [result for result in self.results if result.failed]
        if bad:
            self.write("failed:")
        for result in bad:
            left = SHOWN_AGAIN
            for line in result.lines:
                left = SHOWN_AGAIN if line.startswith("not ok ") else left - 1
                if left > 0:
                    print(f"    {result.machine} {result.name}: {line}")

    def print_times(self, lanes: Lanes) -> None:
        """The seconds of files, tests, machines with their builds and starts, lanes."""
        slow = [(seconds, result, title) for result in self.results if not result.earlier
                for seconds, title in result.tests]
        self.write(f"the longest files, in seconds (of one over {LONG_FILE} tests/README.md "
                   "has the reason):")
        files = [result for result in self.results if result.ran and not result.earlier]
        for result in sorted(files, key=lambda one: -one.seconds)[:15]:
            print(f"{result.seconds:6.0f} s  {result.machine} {result.name}, "
                  f"{result.ran} tests")
        self.write("the slowest tests:")
        for seconds, result, title in sorted(slow, key=lambda one: -one[0])[:15]:
            print(f"{seconds:6.0f} s  {result.machine} {result.name}: {title}")
        self.write("where the time was spent, in seconds:")
        print(f"{'':<14}{'prepared':>9}{'ready at':>10}{'machines':>10}{'files':>7}"
              f"{'in files':>10}{'beside':>8}{'ended at':>10}{'processor':>11}")
        for name, spent in self.spent.items():
            print(f"{name:<14}{spent.prepared:>9.0f}{spent.ready:>10.0f}"
                  f"{spent.machines:>10}{spent.files:>7}{spent.in_files:>10.0f}"
                  f"{spent.in_machines - spent.in_files:>8.0f}{spent.ended:>10.0f}"
                  f"{spent.processor:>11.0f}")
        whole = self.elapsed()
        for number, (busy, last) in enumerate(zip(lanes.busy, lanes.last), 1):
            print(f"lane {number}: busy {busy:.0f} s, ended at {last:.0f} s of {whole:.0f}")

    def sum_up(self) -> bool:
        """The last line: did tests pass and none fail?"""
        passed = sum(result.passed for result in self.results)
        failed = sum(result.failed for result in self.results)
        skipped = sum(result.skipped for result in self.results)
        earlier = sum(result.passed for result in self.results if result.earlier)
        processor = sum(spent.processor for spent in self.spent.values())
        self.write(f"all done in {self.elapsed():.0f} s, {processor:.0f} s of the processor, "
                   f"{skipped} skipped"
                   + (f", {earlier} passed earlier" if earlier else ""))
        print(f"{passed} passed, {failed} failed")
        return passed > 0 and failed == 0
