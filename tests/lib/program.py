# SPDX-License-Identifier: GPL-2.0-only
"""The programs of tests/programs: the declarations at the head of each one's file."""

import dataclasses
import os
import pathlib
import re
import subprocess
from typing import Dict, List

# Other executable files there
OTHERS = ("run", "fetch")
CHANGELOG = re.compile(r"^\S+ \(([^)]+)\)")


@dataclasses.dataclass(frozen=True)
class Program:
    """A program's file."""

    path: pathlib.Path
    proves: str
    # how many pipes, datagrams and TCP sockets pass through STREAMS at least
    least: Dict[str, int]
    # seconds that a run usually takes on User Mode Linux, and those after which it is ended
    takes: int
    limit: int
    # the Debian package that tells its version; a pattern
    package: str

    @property
    def name(self) -> str:
        return self.path.name

    def version(self, fetched: pathlib.Path) -> str:
        """The installed package's version, or that of the sources fetched."""
        said = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}\n",
                               self.package], capture_output=True, text=True, check=False).stdout
        for line in said.splitlines():
            status, version = line.split(" ", 1)
            if status == "installed":
                return version
        sources = re.search(r"\$\(fetched ([^)]+)\)", self.path.read_text())
        changelog = fetched / (sources[1] if sources else "") / "source/debian/changelog"
        first = changelog.read_text(errors="replace") if changelog.is_file() else ""
        if found := CHANGELOG.match(first):
            return found[1]
        return "unknown"


def declared(path: pathlib.Path, what: str) -> str:
    """The text of a line of the head, such as "Takes"."""
    found = re.search(rf"^#? ?{what}: (.*)$", path.read_text(), re.M)
    if not found:
        raise ValueError(f'{path}: its head has no line "{what}: ..."')
    return found[1]


def read(path: pathlib.Path) -> Program:
    first = re.search(r'^(?:"""|# )(?!SPDX)(.*?)(?:""")?$', path.read_text(), re.M)
    takes = re.fullmatch(r"(\d+) seconds, at most (\d+)", declared(path, "Takes"))
    if not first or not takes:
        raise ValueError(f'{path}: its head has no description, or not "Takes: '
                         'N seconds, at most N"')
    least = {what: int(n) for n, what in
             re.findall(r"(\d+) (pipes|datagrams|connections)", declared(path, "On STREAMS"))}
    return Program(path, first[1], least, int(takes[1]), int(takes[2]),
                   declared(path, "Package"))


def every(folder: pathlib.Path) -> List[Program]:
    """Those of the folder, the shortest first."""
    paths = [path for path in sorted(folder.iterdir())
             if path.is_file() and path.name not in OTHERS and os.access(path, os.X_OK)]
    return sorted((read(path) for path in paths), key=lambda program: program.takes)
