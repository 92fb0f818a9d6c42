# SPDX-License-Identifier: GPL-2.0-only
"""The figures published for Linux Fast-STREAMS, from bench/seeds/*.csv."""

import csv
import dataclasses
import os

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "seeds")

# The one drawn beside ours: x86_64 and SMP as today's machines
BESIDE = {"pipe": "8", "udp": "6"}


@dataclasses.dataclass
class Published:
    """A table of a paper."""
    table: str
    host: str
    system: str
    kernel: str
    series: dict                # impl -> {size: messages a second}

    def title(self):
        """Its description in a table."""
        return f"{self.system} ({self.kernel}) on {self.host}, table {self.table}"

    def short(self):
        """In a chart."""
        return f"{self.system} on {self.host}"


def source(kind):
    """Where the figures are from, as the file says."""
    with open(os.path.join(FOLDER, f"{kind}.csv"), encoding="utf-8") as f:
        return " ".join(line[1:].strip() for line in f if line.startswith("#"))


def published(kind):
    """The tables of a kind, pipe or udp."""
    tables = {}
    with open(os.path.join(FOLDER, f"{kind}.csv"), encoding="utf-8") as f:
        for row in csv.DictReader(line for line in f if not line.startswith("#")):
            table = tables.setdefault(row["table"], Published(
                row["table"], row["host"], row["system"], row["kernel"], {}))
            table.series.setdefault(row["impl"], {})[int(row["size"])] = float(row["per_second"])
    return list(tables.values())


def improvement(series, base):
    """Percent above the base, by size."""
    return {size: 100 * (rate / base[size] - 1) for size, rate in series.items() if size in base}
