# SPDX-License-Identifier: GPL-2.0-only
"""Samples, the results made of them, and the file of results."""

import collections
import json
import math
import os
import statistics
import tempfile

FIELDS = {"work": str, "size": int, "impl": str, "mode": str, "metric": str,
          "median": (int, float), "min": (int, float), "max": (int, float)}

RATES = {"ns_per_message": "messages_per_second", "ns_per_open": "opens_per_second"}


def reason(error):
    """An OSError as text: the file, and the error."""
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)


class Samples:
    """Collects samples of one mode."""

    def __init__(self, mode):
        self.mode = mode
        self.values = collections.defaultdict(list)

    def add(self, work, impl, size, metric, value):
        """A sample as a program printed it."""
        if self.mode == "counted":
            # The clock counts instructions.
            metric = metric.replace("ns_per_", "instructions_per_")
        elif metric in RATES:
            metric, value = RATES[metric], 1e9 / max(value, 1e-3)
        self.values[work, size, impl, metric].append(value)

    def results(self):
        """The list of results, in the order they came."""
        return [{"work": work, "size": size, "impl": impl, "mode": self.mode, "metric": metric,
                 "median": rounded(statistics.median(values)), "min": rounded(min(values)),
                 "max": rounded(max(values))}
                for (work, size, impl, metric), values in self.values.items()]


def rounded(value):
    """Six digits are more than any measurement has."""
    return float(f"{value:.6g}")


def check(data, name="results"):
    """Raises ValueError, with the reason, unless data matches the schema."""
    if not isinstance(data, dict) or not isinstance(data.get("machine"), dict) \
            or not isinstance(data.get("results"), list):
        raise ValueError(f'{name}: not {{"machine": {{...}}, "results": [...]}}')
    for what in ("skipped", "failed"):
        lines = data["machine"].get(what, [])
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise ValueError(f"{name}: the machine's {what} is not a list of lines")
    for i, result in enumerate(data["results"]):
        if not isinstance(result, dict):
            raise ValueError(f"{name}: result {i} is not an object")
        for field, kind in FIELDS.items():
            if not isinstance(result.get(field), kind):
                raise ValueError(f"{name}: result {i} has no proper {field}")
        if not all(math.isfinite(result[field]) for field in ("min", "median", "max")):
            raise ValueError(f"{name}: result {i} has a figure that is not a number")
        if not result["min"] <= result["median"] <= result["max"]:
            raise ValueError(f"{name}: result {i} has a median outside of min and max")


def load(path):
    """A file of results, checked."""
    with open(path, encoding="utf-8") as f:
        try:
            data = json.load(f)
        except ValueError as error:
            what = "no text" if isinstance(error, UnicodeDecodeError) else error
            raise ValueError(f"{path}: not a file that bench/run or bench/apps wrote: "
                             f"{what}") from None
    check(data, path)
    return data


def save(path, data):
    """All of the file or nothing."""
    check(data)
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as f:
        json.dump({"machine": data["machine"], "results": []}, f, indent=1)
        f.seek(f.tell() - len("[]\n}"))
        f.write("[\n" + ",\n".join("  " + json.dumps(r) for r in data["results"]) + "\n ]\n}\n")
    os.chmod(f.name, 0o644)
    os.replace(f.name, path)


class Table:
    """Results by work, size, impl, mode and metric."""

    def __init__(self, data):
        self.machine = data["machine"]
        self.rows = data["results"]
        self.index = {(r["work"], r["size"], r["impl"], r["mode"], r["metric"]): r
                      for r in self.rows}

    def value(self, work, size, impl, mode, metric):
        """A median, or None."""
        row = self.index.get((work, size, impl, mode, metric))
        return row["median"] if row else None

    def distinct(self, field, **fixed):
        """The values of a field where others are fixed, in order."""
        return list(dict.fromkeys(r[field] for r in self.rows
                                  if all(r[k] == v for k, v in fixed.items())))
