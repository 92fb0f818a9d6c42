# SPDX-License-Identifier: GPL-2.0-only
"""The result of a file on a machine, read from the output of tests/in-turn."""

import dataclasses
import re
from typing import Dict, List, Tuple

OK = re.compile(r"ok \d+ (.*?)(?: in (\d+)ms)?(?: # skip ?(.*))?$")
ANNOUNCED = re.compile(r"1\.\.(\d+)$")
TOOK = re.compile(r"# took ([\d.]+)$")
CASE = re.compile(r"# case: (\S+ \S+ \d+ \d+)$")


@dataclasses.dataclass
class Result:
    """How a file's tests ended."""

    machine: str
    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    # seconds and title of each test that passed
    tests: List[Tuple[float, str]] = dataclasses.field(default_factory=list)
    # title of each test that was skipped, and why
    left_out: List[Tuple[str, str]] = dataclasses.field(default_factory=list)
    # "CALL GIVES CASES PASSED": the cases that calls on streams were tested with
    cases: List[str] = dataclasses.field(default_factory=list)
    # the lines to show: of failed tests their own
    lines: List[str] = dataclasses.field(default_factory=list)
    # passed earlier, on the same tree
    earlier: bool = False

    @property
    def ran(self) -> int:
        return self.passed + self.failed + self.skipped


def split(output: str) -> Dict[str, List[str]]:
    """The lines of each file."""
    files: Dict[str, List[str]] = {}
    lines: List[str] = []
    for line in output.splitlines():
        if line.startswith("# file "):
            lines = files.setdefault(line[len("# file "):], [])
        else:
            lines.append(line)
    return files


def failures(lines: List[str]) -> List[str]:
    """A failed test's own lines, or the end of the output."""
    shown, showing = [], False
    for line in lines:
        showing = line.startswith("not ok ") or showing and not line.startswith("ok ")
        if showing:
            shown.append(line)
    return shown[:200] or lines[-60:]


def read(machine: str, name: str, lines: List[str], planned: int, on_host: bool) -> Result:
    """Each test of the file must be announced, and each announced one have a result."""
    result = Result(machine, name)
    announced, without_modules = 0, 0
    for line in lines:
        if line.startswith("not ok "):
            result.failed += 1
        elif found := OK.match(line):
            title, milliseconds, skipped = found.groups()
            if skipped is None:
                result.passed += 1
                result.tests.append((int(milliseconds or 0) / 1000, title))
            elif on_host and skipped.startswith("needs STREAMS modules"):
                # These are not left out: another machine runs them.
                without_modules += 1
            else:
                result.skipped += 1
                result.left_out.append((title, skipped))
        elif found := ANNOUNCED.match(line):
            announced = announced or int(found[1])
        elif found := TOOK.match(line):
            result.seconds = float(found[1])
        elif found := CASE.match(line):
            result.cases.append(found[1])
    heard = result.ran + without_modules
    if announced != heard or announced != planned or not planned:
        lines = lines + [f"# {planned} tests planned, {announced} announced, {heard} reported"]
        result.failed = max(result.failed, 1)
        result.lines = failures(lines)
        if result.lines[-1] != lines[-1]:
            result.lines.append(lines[-1])
    elif result.failed:
        result.lines = failures(lines)
    return result
