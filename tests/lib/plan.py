# SPDX-License-Identifier: GPL-2.0-only
"""The plan of a check: files on machines, in batches, and in shards."""

import dataclasses
import pathlib
from typing import Dict, Iterable, List, Sequence, Tuple

from lib.batsfile import BatsFile, Filters, narrowed
from lib.durations import Durations
from lib.machines import HOST, MACHINES, Machine

UNIT = "unit"


@dataclasses.dataclass(frozen=True)
class Item:
    """One file on one machine."""

    file: BatsFile
    machine: Machine
    filters: Filters
    tests: int
    processors: int
    seconds: float


@dataclasses.dataclass(frozen=True)
class Batch:
    """Files that one machine runs, one after another."""

    items: Tuple[Item, ...]

    @property
    def machine(self) -> Machine:
        return self.items[0].machine

    @property
    def seconds(self) -> float:
        return sum(item.seconds for item in self.items)


@dataclasses.dataclass(frozen=True)
class Choice:
    """The files and machines that the options chose."""

    kernels: Tuple[str, ...]
    host: bool = True
    # tests tagged "machine" too, which start machines on the host
    starts_machines: bool = True
    unit: bool = True
    full: bool = False
    # all tests of the files, not only those of the machines' parts
    whole: bool = False


class Plan:
    """Files, machines and how long they take together."""

    def __init__(self, files: Sequence[BatsFile], choice: Choice, durations: Durations) -> None:
        self.files = files
        self.choice = choice
        self.durations = durations

    def filters(self, machine: Machine) -> Filters:
        """The tests that the choice has this machine run."""
        conditions = [] if self.choice.full else ["!slow"]
        if machine.name == HOST:
            conditions += [] if self.choice.starts_machines else ["!machine"]
            return narrowed(("!never",) if self.choice.full else machine.part, conditions)
        conditions += ["!machine", "!host", "!never"]
        if self.choice.full or self.choice.whole:
            return narrowed(("",), conditions + ["!" + tag for tag in machine.never])
        return narrowed(machine.part, conditions)

    def item(self, file: BatsFile, machine: Machine, filters: Filters) -> Item:
        tests = file.count(filters)
        two = self.choice.full or "smp" in file.file_tags
        return Item(file, machine, filters, tests, machine.processors or (2 if two else 1),
                    self.durations.seconds(machine.pace, file.name, tests))

    def items(self, name: str, filters: Filters = ()) -> List[Item]:
        """The files of a machine. One in which no test was found is run nevertheless:
        bats says why."""
        machine = MACHINES[name]
        filters = filters or self.filters(machine)
        return [self.item(file, machine, filters) for file in self.files
                if file.count(filters) or not file.tests]

    def machines(self) -> List[str]:
        """The machines that have something to run."""
        names = ([HOST] if self.choice.host else []) + list(self.choice.kernels)
        return [name for name in names if self.items(name)]

    def instead(self, name: str) -> Tuple[str, List[Item]]:
        """The machine that does this one's part, if any may, and what it has not to
        run anyway."""
        other = MACHINES[name].instead
        if not other or self.choice.full or self.choice.whole:
            return "", []
        own = {item.file.name: item.tests for item in self.items(other)} \
            if other in self.choice.kernels else {}
        items = self.items(other, self.filters(MACHINES[name]))
        return other, [item for item in items if own.get(item.file.name, 0) < item.tests]


def batches(items: Iterable[Item]) -> List[Batch]:
    """Machines' worth of files: long ones alone, short ones together."""
    full: List[Batch] = []
    begun: Dict[Tuple[str, int, Filters], List[Item]] = {}
    for item in sorted(items, key=lambda item: (-item.seconds, item.file.name)):
        batch = begun.setdefault((item.machine.name, item.processors, item.filters), [])
        batch.append(item)
        if sum(each.seconds for each in batch) >= item.machine.seconds:
            full.append(Batch(tuple(batch)))
            batch.clear()
    full += [Batch(tuple(batch)) for batch in begun.values() if batch]
    return sorted(full, key=lambda batch: -batch.seconds)


def shard(plan: Plan, number: int, count: int) -> Tuple[List[BatsFile], bool]:
    """The files of one shard of count, and whether the unit tests are in it: the
    longest first, each to the shard that has least so far. Every file is in
    exactly one, wherever this is reckoned."""
    names = plan.machines()
    cost: Dict[pathlib.Path, float] = {file.path: 0.0 for file in plan.files}
    for name in names:
        for item in plan.items(name):
            cost[item.file.path] += plan.durations.seconds(
                item.machine.pace, item.file.name, item.tests, shared=True)
    shards: List[List[BatsFile]] = [[] for _ in range(count)]
    loads = [0.0] * count
    # the unit tests, which take some seconds
    loads[0] = 10.0
    for file in sorted(plan.files, key=lambda file: (-cost[file.path], file.name)):
        least = loads.index(min(loads))
        shards[least].append(file)
        loads[least] += cost[file.path]
    return shards[number - 1], number == 1
