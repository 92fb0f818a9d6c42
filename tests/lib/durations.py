# SPDX-License-Identifier: GPL-2.0-only
"""How long files take: as tests/durations has it and as measured here since.

Kept are the seconds that a test of a file takes on average, which hold for any
selection of its tests, in a column for each pace of machine."""

import pathlib
from typing import Dict, List, Tuple

PACES: List[str] = ["host", "uml", "uml-smp", "uml-debug", "emulated", "debug"]
HEAD = f"""\
# The seconds that a test of each file takes on average, by kind of machine, for
# tests/check to put the longest first. tests/check --record brings it up to date.
#
{'# file':<22} {' '.join(f'{pace:>9}' for pace in PACES)}
"""
# Seconds of a test where nothing is known, and how much slower the paces are
# than User Mode Linux. The time of a file on the host says nothing about
# machines: without modules there is little in it to run.
UNKNOWN = 0.8
SLOWER: Dict[str, float] = {"host": 0.3, "uml": 1, "uml-smp": 2, "uml-debug": 4,
                            "emulated": 4, "debug": 20}

Table = Dict[Tuple[str, str], float]


def read(path: pathlib.Path) -> Table:
    """The seconds by pace and file; none of a file that is not there."""
    table: Table = {}
    if not path.exists():
        return table
    for line in path.read_text().splitlines():
        name, *figures = line.split() or ["#"]
        if name.startswith("#"):
            continue
        table.update({(pace, name): float(figure)
                      for pace, figure in zip(PACES, figures) if figure != "-"})
    return table


def write(path: pathlib.Path, table: Table) -> None:
    lines = []
    for name in sorted({name for _, name in table}):
        figures = (table.get((pace, name)) for pace in PACES)
        row = " ".join(f"{'-' if one is None else f'{one:.2f}':>9}" for one in figures)
        lines.append(f"{name:<22} {row}\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(HEAD + "".join(lines))
    new.replace(path)


class Durations:
    """The tracked table, and beside it the one measured on this machine."""

    def __init__(self, tracked: pathlib.Path, measured: pathlib.Path) -> None:
        self.paths = (tracked, measured)
        self.tracked = read(tracked)
        self.measured = read(measured)

    def seconds(self, pace: str, name: str, tests: int, shared: bool = False) -> float:
        """The time that the given number of tests of a file takes; shared: as every
        machine that has the same tree reckons it."""
        known = dict(self.tracked) if shared else {**self.tracked, **self.measured}
        each = known.get((pace, name))
        if each is None:
            others = [known[other, name] / SLOWER[other] for other in PACES
                      if (other, name) in known and "host" not in (other, pace)]
            each = (max(others) if others else UNKNOWN) * SLOWER[pace]
        return each * tests

    def save(self, new: Table) -> None:
        """Keep the measurements; other checks may have done so meanwhile."""
        self.measured = {**read(self.paths[1]), **new}
        write(self.paths[1], self.measured)

    def record(self, names: List[str]) -> int:
        """Bring the tracked table up to date: how many figures changed. One that is
        about right stays, so that the file changes with the tests, not with the
        weather."""
        table = {key: each for key, each in self.tracked.items() if key[1] in names}
        for key, each in self.measured.items():
            old = table.get(key)
            if key[1] in names and (old is None or abs(each - old) > max(0.3, 0.4 * old)):
                table[key] = each
        changed = sum(self.tracked.get(key) != table.get(key)
                      for key in {*table, *self.tracked})
        write(self.paths[0], table)
        return changed
