# SPDX-License-Identifier: GPL-2.0-only
"""A file of bats tests: the tests' tags, read the way bats reads them."""

import dataclasses
import pathlib
import re
from typing import FrozenSet, Iterable, Sequence, Tuple

TEST = re.compile(r"^[ \t]*@test[ \t]+.*[^ \t][ \t]+\{")
TAGS = re.compile(r"^[ \t]*#[ \t]*bats[ \t]+(file|test)_tags=(.*)$")

# A filter is bats' --filter-tags: "a,!b" takes the tests that have the tag a and not b.
Filters = Tuple[str, ...]


def takes(one: str, tags: FrozenSet[str]) -> bool:
    """Does this filter take a test with these tags?"""
    return all(word[1:] not in tags if word.startswith("!") else word in tags
               for word in one.split(","))


def narrowed(filters: Iterable[str], words: Sequence[str]) -> Filters:
    """The filters, each with further conditions."""
    return tuple(",".join([one, *words] if one else words) for one in filters)


@dataclasses.dataclass(frozen=True)
class BatsFile:
    """One file and the tags of each of its tests."""

    path: pathlib.Path
    tests: Tuple[FrozenSet[str], ...]
    file_tags: FrozenSet[str]

    @property
    def name(self) -> str:
        return self.path.stem

    def count(self, filters: Filters) -> int:
        """How many of its tests the filters take: those that any of them takes."""
        return sum(any(takes(one, tags) for one in filters) for tags in self.tests)


def split(text: str) -> FrozenSet[str]:
    return frozenset(word.strip() for word in text.split(",") if word.strip())


def read(path: pathlib.Path) -> BatsFile:
    """Tags of a file count from their line on, tags of a test for the next test."""
    tests = []
    file_tags: FrozenSet[str] = frozenset()
    test_tags: FrozenSet[str] = frozenset()
    for line in path.read_text(errors="replace").splitlines():
        found = TAGS.match(line)
        if found and found[1] == "file":
            file_tags = split(found[2])
        elif found:
            test_tags = split(found[2])
        elif TEST.match(line):
            tests.append(file_tags | test_tags)
            test_tags = frozenset()
    return BatsFile(path, tuple(tests), file_tags)
