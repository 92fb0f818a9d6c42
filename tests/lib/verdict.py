# SPDX-License-Identifier: GPL-2.0-only
"""The results of a program's tests natively and on STREAMS, kept in the cache for
--resume, and shown in tests/programs/RESULTS.md."""

import dataclasses
import json
import os
import pathlib
import subprocess
from typing import Dict, Iterable, List, Optional, Tuple

from lib.passed import digest, sources
from lib.program import Program

# The program runs on these, besides its own file.
RUNS_ON = ("include/", "kmod/", "libstreams/", "preload/", "tests/programs/lib/", "tests/vm/",
           "tools/")
NOT_RUN = "not run"
HEAD = """\
# Results of programs' own tests

Each row is a run of a program's own test suite (`tests/programs/`), natively and under
`strsock`, with the results compared test by test. `tests/programs/run --table` writes this
file from the verdicts of runs on this machine; rows of other machines stay.

- **kernel**: the release that ran, and the machine (`tests/vm/README.md`).
- **equal**: tests with the same result both ways, and how many of them passed, failed and
  were skipped.
- **different**: each other test, with its results natively and on STREAMS, and the cause.
- **commit**: the tree that ran; `+` is a tree with changes.

"""
COLUMNS = ("program", "version", "kernel", "equal", "different", "commit")


def count(results: Iterable[str]) -> str:
    """How many passed, failed, and were skipped."""
    said = list(results)
    return "/".join(str(sum(one.startswith(kind) for one in said))
                    for kind in ("pass", "fail", "skip"))


@dataclasses.dataclass
class Verdict:
    """The results of both runs of a program."""

    program: str
    version: str
    kernel: str
    # the result of each test
    native: Dict[str, str]
    streams: Dict[str, str]
    # tests that came out otherwise, with the reason why they may
    excuses: Dict[str, str]
    # faults of the runs themselves
    faults: List[str]
    pipes: int = 0
    datagrams: int = 0
    # seconds of each run
    took: Tuple[float, float] = (0, 0)
    # the tree that ran, and a key for what the verdict depends on
    commit: str = ""
    key: str = ""
    # sockets of TCP
    connections: int = 0

    def results(self, test: str) -> Tuple[str, str]:
        return self.native.get(test, NOT_RUN), self.streams.get(test, NOT_RUN)

    def different(self) -> List[str]:
        return [test for test in {**self.native, **self.streams}
                if self.native.get(test) != self.streams.get(test)]

    def equal(self) -> List[str]:
        return [test for test in self.native if self.native[test] == self.streams.get(test)]

    def cause(self, test: str, known: Dict[str, str]) -> Optional[str]:
        """Why a test may differ; None: it may not."""
        if test in known and self.results(test) == ("pass", "fail"):
            return known[test]
        return self.excuses.get(test)

    def same(self, known: Dict[str, str]) -> bool:
        return not self.faults and all(self.cause(test, known) for test in self.different())

    def explained(self, known: Dict[str, str]) -> List[str]:
        """A line for each difference, those without a cause first."""
        lines = [(cause or "", f"{test}: natively {native}, on STREAMS {streams}" +
                  (f" ({cause})" if cause else ""))
                 for test in self.different()
                 for cause in [self.cause(test, known)]
                 for native, streams in [self.results(test)]]
        return self.faults + [line for _, line in sorted(lines, key=lambda one: bool(one[0]))]

    def row(self, known: Dict[str, str]) -> List[str]:
        """Its cells in the table."""
        equal = self.equal()
        faults = [f"`{test}` {native}/{streams}: {self.cause(test, known) or '**no cause known**'}"
                  for test in self.different() for native, streams in [self.results(test)]]
        faults += [f"**{fault}**" for fault in self.faults]
        cells = [self.program, self.version, self.kernel,
                 f"{len(equal)} ({count(self.native[test] for test in equal)})",
                 "; ".join(faults) or "none", self.commit]
        return [cell.replace("|", "\\|") for cell in cells]


def commit(top: pathlib.Path) -> str:
    """The commit of the tree, with a + if something was changed since."""
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", top, *words], capture_output=True, text=True,
                              check=False).stdout.strip()
    name = git("rev-parse", "--short=10", "HEAD") or "none"
    return name + "+" * bool(git("status", "--porcelain", "--", *RUNS_ON, "tests/programs",
                                 ":!tests/programs/RESULTS.md"))


class Store:
    """The verdicts of one kind of machine."""

    def __init__(self, folder: pathlib.Path, top: pathlib.Path, build: pathlib.Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.top = top
        self.paths = [path for path in sources(top, build)
                      if os.fspath(path.relative_to(top)).startswith(RUNS_ON)]

    def log(self, program: Program) -> pathlib.Path:
        """The output of its runs."""
        return self.folder / f"{program.name}.log"

    def key(self, program: Program) -> str:
        return digest(self.top, [*self.paths, program.path])

    def tree(self, program: Program) -> Tuple[str, str]:
        """The tree that is about to run: its commit, and the verdict's key."""
        return commit(self.top), self.key(program)

    def keep(self, program: Program, verdict: Verdict, tree: Tuple[str, str]) -> None:
        verdict.commit, verdict.key = tree
        path = self.folder / f"{program.name}.json"
        new = path.with_name(path.name + ".new")
        new.write_text(json.dumps(dataclasses.asdict(verdict), indent=1))
        new.replace(path)

    def find(self, program: Program) -> Optional[Verdict]:
        """The verdict of exactly this tree."""
        verdict = load(self.folder / f"{program.name}.json")
        return verdict if verdict and verdict.key == self.key(program) else None


def parse(text: str) -> Verdict:
    return Verdict(**json.loads(text))


def load(path: pathlib.Path) -> Optional[Verdict]:
    try:
        return parse(path.read_text())
    except (OSError, ValueError, TypeError):
        return None


def rows(document: pathlib.Path) -> List[List[str]]:
    """The cells of the table that a document has."""
    if not document.exists():
        return []
    lines = [line for line in document.read_text().splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").replace("\\|", "\0").split("|")]
            for line in lines[1:]]


def table(document: pathlib.Path, verdicts: Iterable[Verdict], programs: Iterable[str],
          known: Dict[str, str]) -> None:
    """Writes the verdicts into the document, in place of rows of the same program and
    kernel. Rows of programs that do not exist any more are dropped."""
    there = set(programs)
    cells = {(row[0], row[2]): [cell.replace("\0", "\\|") for cell in row]
             for row in rows(document)}
    for verdict in verdicts:
        cells[verdict.program, verdict.kernel] = verdict.row(known)
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    lines += ["| " + " | ".join(row) + " |" for key, row in sorted(cells.items())
              if key[0] in there]
    document.write_text(HEAD + "\n".join(lines) + "\n")
