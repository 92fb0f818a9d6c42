# SPDX-License-Identifier: GPL-2.0-only
"""Which differences of a step's line the file known explains."""

import re

FIELDS = ("call", "result", "signals", "state", "context")


class Failure(Exception):
    """An error that is reported in one line, with status 2."""


class Known:
    """Differences that stand in the file known, each with its reason."""

    KEYS = ("what", "field", "call", "context", "native", "streams",
            "native-more")
    TEXTS = KEYS[2:]

    def __init__(self, path, what):
        entries = []
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.read().split("\n")
        except UnicodeDecodeError as error:
            raise Failure(f"{path}: {error}") from error
        for number, line in enumerate(lines, 1):
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                entries.append({"name": line.strip("[]"), "line": number})
                continue
            key, colon, value = line.partition(":")
            if not entries or not colon or key not in self.KEYS or key in entries[-1]:
                raise Failure(f"{path}:{number}: makes no sense: {line}")
            value = value.removeprefix(" ") if key in ("native", "streams") else value.strip()
            if key in self.TEXTS:
                try:
                    value = re.compile(value)
                except re.error as error:
                    raise Failure(f"{path}:{number}: {error}: {line}") from error
            entries[-1][key] = value
        for entry in entries:
            self.check(path, entry)
        # An entry of a name alone tells what the player does not do.
        self.entries = [e for e in entries
                        if "field" in e and what in e.get("what", "pipe udp udp6 tcp").split()]

    @staticmethod
    def check(path, entry):
        """A whole entry, or only a name."""
        keys = entry.keys() - {"name", "line", "what", "context"}
        if entry.keys() == {"name", "line"}:
            return
        if keys not in ({"field", "call", "native", "streams"}, {"field", "call", "native-more"}):
            raise Failure(f"{path}:{entry['line']}: [{entry['name']}] needs field, call, and "
                          "native and streams, or native-more")
        if entry["field"] not in FIELDS:
            raise Failure(f"{path}:{entry['line']}: [{entry['name']}]: there is no such field")

    @staticmethod
    def without(pattern, context, more, less):
        """A text, and another, without those parts that it may have more than the other."""
        def parts(text):
            return re.split(" (?=[A-Z]|slot )", text)

        def may(part):
            return pattern.match(f"{part};{context}")

        taken = [part for part in parts(more) if may(part)]
        kept = [part for part in parts(more) if not may(part)]
        rest = parts(less)
        for part in taken:
            if part in rest:
                rest.remove(part)
        # The signals of a step begin with a space, that is with a part of nothing.
        return " ".join(kept), " ".join(rest)

    def explains(self, field, native, streams):
        """The names of those known that explain a difference in a field of a step, or None."""
        step = dict(zip(FIELDS, native[1:]))
        one, two = (line[1 + FIELDS.index(field)] for line in (native, streams))
        names = []
        entries = [e for e in self.entries
                   if e["field"] == field and e["call"].search(step["call"])
                   and ("context" not in e or e["context"].search(step["context"]))]
        # Extra parts are removed first: the rest may match another known difference.
        for entry in entries:
            before = one, two
            if "native-more" in entry:
                one, two = self.without(entry["native-more"], step["context"], one, two)
            if (one, two) != before:
                names.append(entry["name"])
        if one == two:
            return names
        for entry in entries:
            if "native" in entry and entry["native"].fullmatch(one) \
                    and entry["streams"].fullmatch(two):
                return names + [entry["name"]]
        return None
