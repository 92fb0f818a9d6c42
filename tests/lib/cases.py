# SPDX-License-Identifier: GPL-2.0-only
"""The tested cases of the STREAMS interface's calls and errors: the tests'
"# case:" lines, compared with tests/bats/streams-calls.txt."""

import collections
import pathlib
from typing import Counter, Dict, Iterable, List


class Cases:
    """Cases by call and result."""

    def __init__(self) -> None:
        self.ran: Counter[str] = collections.Counter()
        self.passed: Dict[str, Counter[str]] = {}

    def add(self, lines: Iterable[str]) -> None:
        for line in lines:
            call, gave, ran, passed = line.split()
            self.ran[call] += int(ran)
            self.passed.setdefault(call, collections.Counter())[gave] += int(passed)

    def table(self) -> List[str]:
        if not self.ran:
            return []
        head = f"{'call':<12} {'cases':>6} {'passed':>6}  what it gave"
        return [head] + [
            f"{call:<12} {self.ran[call]:>6} {sum(gives.values()):>6}  "
            + " ".join(sorted(gave for gave, passed in gives.items() if passed))
            for call, gives in sorted(self.passed.items())]

    def missing(self, promises: pathlib.Path) -> List[str]:
        """The promised results and errors without a case that passed."""
        missing = []
        for line in promises.read_text().splitlines():
            call, *promised = line.split() or ["#"]
            if not call.startswith("#"):
                passed = self.passed.get(call, collections.Counter())
                missing += [f"{call} {gives}" for gives in promised if not passed[gives]]
        return missing
