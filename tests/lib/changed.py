# SPDX-License-Identifier: GPL-2.0-only
"""The files of tests that a change concerns, for --changed."""

import json
import pathlib
import re
import subprocess
from typing import Dict, FrozenSet, Iterable, List, Optional, Sequence, Set, Tuple

from lib.batsfile import BatsFile

# The sources that each file ran, by their names below kmod/
Map = Dict[str, FrozenSet[str]]


def read_map(path: pathlib.Path) -> Map:
    """As tests/cover wrote it; empty where it did not run."""
    try:
        return {name: frozenset(ran) for name, ran in json.loads(path.read_text()).items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def write_map(path: pathlib.Path, ran: Dict[str, Set[str]]) -> None:
    """Keeps what is known of files that did not run now."""
    known = {name: sorted(sources) for name, sources in read_map(path).items()}
    known.update({name: sorted(sources) for name, sources in ran.items()})
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(known, indent=1, sort_keys=True))
    new.replace(path)


def paths(top: pathlib.Path, base: str) -> List[str]:
    """The files that changed since this branch left base, committed or not, and new files."""
    def git(*words: str) -> List[str]:
        done = subprocess.run(["git", "-C", top, *words], capture_output=True, text=True,
                              check=False)
        if done.returncode:
            raise ValueError(f"git {words[0]}: {done.stderr.strip() or base}")
        return [name for name in done.stdout.split("\0") if name]
    fork = git("merge-base", base, "HEAD")[0].strip()
    return sorted({*git("diff", "--name-only", "--no-renames", "-z", fork, "--"),
                   *git("ls-files", "-z", "--others", "--exclude-standard")})


class Concerned:
    """Finds the files of tests for each changed path."""

    def __init__(self, files: Sequence[BatsFile], ran: Map) -> None:
        self.ran = ran
        self.texts = {file.name: file.path.read_text(errors="replace") for file in files}
        # Files with tests that run where the modules are
        self.modules = {file.name for file in files
                        if any(not tags & {"host", "machine"} for tags in file.tests)}

    def mention(self, word: str) -> Set[str]:
        """The files in whose text the word stands."""
        pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        return {name for name, text in self.texts.items() if pattern.search(text)}

    def tests(self, path: str) -> Optional[Set[str]]:
        """The files for one path; None: it may concern any."""
        found: Set[str] = set()
        parts = pathlib.PurePath(path)
        if parts.parent == pathlib.PurePath("tests/bats") and parts.suffix == ".bats":
            # One that was removed has no tests.
            return {parts.stem} & set(self.texts)
        if path.startswith("tests/helpers/") and parts.suffix == ".c":
            found = self.mention(parts.stem)
        elif path.startswith("kmod/") and parts.suffix in (".c", ".h"):
            source = path[len("kmod/"):]
            found = {name for name, sources in self.ran.items() if source in sources}
            if found:
                # The map does not have new files, nor those that tests/cover does not run.
                found |= self.modules - set(self.ran) | self.mention("kmod")
        elif path.startswith("man/") or parts.suffix == ".md":
            found = self.mention("man") | self.mention(parts.name)
        return found & set(self.texts) or None


def chosen(files: Sequence[BatsFile], changed: Iterable[str],
           ran: Map) -> Tuple[List[BatsFile], str]:
    """The files to run, and a path for which these are all, if there is one."""
    concerned, names = Concerned(files, ran), set()
    for path in changed:
        found = concerned.tests(path)
        if found is None:
            return list(files), path
        names |= found
    return [file for file in files if file.name in names], ""
