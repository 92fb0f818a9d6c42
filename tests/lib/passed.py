# SPDX-License-Identifier: GPL-2.0-only
"""Files that have passed, for --resume, kept in the cache by tree and machine."""

import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
from typing import Iterable, Iterator, Optional

from lib.plan import Item
from lib.result import Result

# Trees that are remembered
KEPT = 8


def sources(top: pathlib.Path, build: pathlib.Path) -> Iterator[pathlib.Path]:
    """The tree's files, with those not committed; outside git all but what is built."""
    listed = subprocess.run(["git", "-C", top, "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard"], capture_output=True, check=False)
    if listed.returncode == 0:
        for name in sorted(set(listed.stdout.split(b"\0")) - {b""}):
            yield top / os.fsdecode(name)
        return
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders
                            if pathlib.Path(folder, name) != build and name != "__pycache__")
        yield from (pathlib.Path(folder, name) for name in sorted(names))


def digest(top: pathlib.Path, paths: Iterable[pathlib.Path]) -> str:
    """A key for the content of files."""
    key = hashlib.sha256()
    for path in paths:
        key.update(os.fsencode(path.relative_to(top) if path.is_relative_to(top) else path))
        if path.is_symlink():
            key.update(b"\0link\0" + os.fsencode(os.readlink(path)))
        elif path.is_file():
            content = path.read_bytes()
            executable = os.access(path, os.X_OK)
            key.update(f"\0{len(content)} {executable}\0".encode() + content)
    return key.hexdigest()[:32]


def tree(top: pathlib.Path, build: pathlib.Path) -> str:
    """A key for the tree's content, and how it was configured."""
    return digest(top, [*sources(top, build), build / "Makefile"])


class Passed:
    """The files that have passed on this tree."""

    def __init__(self, cache: pathlib.Path, key: str) -> None:
        self.folder = cache / key
        self.folder.mkdir(parents=True, exist_ok=True)
        os.utime(self.folder)
        trees = sorted(cache.iterdir(), key=lambda path: path.stat().st_mtime)
        for old in trees[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)

    def path(self, item: Item, kernel: str) -> pathlib.Path:
        """kernel: the release and the build that the machine runs"""
        key = hashlib.sha256(repr((kernel, item.filters, item.processors)).encode())
        return self.folder / f"{item.machine.name}.{item.file.name}.{key.hexdigest()[:16]}"

    def find(self, item: Item, kernel: str) -> Optional[Result]:
        try:
            result = Result(**json.loads(self.path(item, kernel).read_text()))
            result.earlier = True
            return result
        except (OSError, ValueError, TypeError):
            return None

    def keep(self, item: Item, kernel: str, result: Result) -> None:
        path = self.path(item, kernel)
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.write_text(json.dumps(dataclasses.asdict(result)))
        new.replace(path)
