# SPDX-License-Identifier: GPL-2.0-only
"""The report on one or more files of results: tables, charts, requirements."""

import glob
import os
import sys

from . import charts, copying, fit, musthold, plan, results, seeds
from .document import Document
from .options import Parser

TITLES = {"counted": "Counted instructions", "wall": "Time, in the virtual machine",
          "native": "Time, on this machine"}
COUNTED_NOTE = (
    "One processor whose clock ticks once for each instruction, so the same figures whatever else "
    "the host does. Parallel work and delays of a real processor (caches, the cost of a system "
    "call's entry) do not show, and each byte that a string instruction copies counts as one "
    "instruction: at large sizes ratios are nearer to 1 here than by time.")
CHARTED = {"pipe": ("pipe", "pipe-two"),
           "udp": ("udp", "udp-direct", "xti-udp", "xti-udp-direct", "udp-two", "udp-direct-two")}
SECTIONS = [
    ("Messages", ("instructions_per_message", "messages_per_second"), None),
    ("Round trips: latency", ("latency_p50_us", "latency_p99_us", "latency_p999_us"), None),
    ("Making and closing", ("instructions_per_open", "opens_per_second"), None),
    ("Memory of an idle channel", ("bytes_per_open",), None),
    ("Context switches", ("context_switches_per_message",), None),
    ("System calls that send or receive", ("system_calls_per_message",), None),
    ("Datagrams lost for want of room", ("lost_percent",), None),
]


def number(value):
    """Four digits, with thousands apart."""
    if value is None:
        return ""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def rates(table, work, mode):
    """impl -> {size: messages a second}; of counted, per 10^9 instructions."""
    found = {}
    for row in table.rows:
        # Not drawable: without a result there is no rate.
        if row["work"] != work or row["mode"] != mode or row["median"] <= 0:
            continue
        if row["metric"] == "instructions_per_message":
            found.setdefault(row["impl"], {})[row["size"]] = 1e9 / row["median"]
        elif row["metric"] == "messages_per_second":
            found.setdefault(row["impl"], {})[row["size"]] = row["median"]
    return found


def without_copying(table, work):
    """impl -> {size: messages per 10^9 instructions}, excluding copying."""
    found = {}
    for row in table.rows:
        if row["work"] == work and row["metric"] == copying.COUNTED and not row["impl"].startswith("floor"):
            copied = copying.instructions(table, work, row["size"])
            if copied is not None and row["median"] > copied:
                found.setdefault(row["impl"], {})[row["size"]] = 1e9 / (row["median"] - copied)
    return found


def describe(doc, path, machine):
    """The machine measured on."""
    doc.heading(3, f"{machine.get('mode', '?')}: {os.path.basename(path)}")
    emulated = " (emulated by QEMU's TCG)" if machine.get("emulated") else ""
    place = "a virtual machine" if machine.get("virtual") else "the machine itself"
    doc.table(["", ""], [
        ["kernel", f"{machine.get('kernel')} {machine.get('kernel_version', '')}"],
        ["processor", f"{machine.get('processors')} of {machine.get('cpu')}{emulated}, in {place}"],
        ["mode", machine.get("mode")],
        ["mitigations", machine.get("mitigations")],
        ["checksums", machine.get("checksums")],
        ["netfilter", machine.get("netfilter")],
        ["observer", machine.get("observer")],
        ["kernel command line", machine.get("cmdline")],
        ["revision, date, duration", f"{machine.get('commit')}, {machine.get('date')}, "
                                     f"{machine.get('seconds')} s"]])
    for what in ("skipped", "failed"):
        if machine.get(what):
            doc.paragraph(f"{what.capitalize()}:")
            doc.verbatim("\n".join(machine[what]))


def _verdict(found):
    if found is None or found.ratio is None:
        return "", "not measured"
    return (f"{found.ratio:.3g} ({found.work}, {found.size} B)" if found.size
            else f"{found.ratio:.3g}"), "met" if found.met() else "NOT MET"


def _unmet(table, mode, line, found):
    """The row of a line that is not met."""
    native, ours = (table.value(found.work, found.size, impl, mode, found.metric)
                    for impl in (line.base, line.impl))
    floor = table.value(found.work, found.size, line.floor, mode, found.metric)
    room = musthold.ratio(table, mode, found.work, found.size, line.floor, found.metric)
    profile = f"bench/profile --work {found.work} --impl {line.impl}" \
        + (f" --size {found.size}" if found.size else "")
    # A profile is of instructions: works measured by time only have none.
    if not line.profile or "counted" not in plan.modes(found.work):
        profile = ""
    return [f"{line.what}, {mode}", found.metric.replace("_", " "), number(native), number(ours),
            number(floor), number(room), profile]


def must_hold(doc, tables, profiles):
    """The table of requirements, and where to look if one is not met."""
    doc.heading(2, "Requirements")
    doc.paragraph("Ratio to native, above 1 is better (fewer instructions, more messages, less "
                  "latency, memory or cost); the worst of a line's sizes and works is judged. "
                  "asked is the least ratio, on this kernel. Excluding copying: less the "
                  "instructions that the floor takes for the bytes of a message, on both sides.")
    rows, unmet = [], []
    timed = musthold.timed(tables)
    kernel = tables["counted"].machine.get("kernel") if "counted" in tables else ""
    for line, counted, without, wall in musthold.judge(tables):
        text, met = _verdict(counted)
        rows.append([line.what, line.impl, f"{line.asked(kernel):.3g}", text, met])
        if counted and counted.met() is False:
            unmet.append((line, counted, "counted"))
        if line.copying:
            text, met = _verdict(without)
            rows.append([f"{line.what}, excluding copying", line.impl, f"{line.copying:.3g}",
                         text, met])
        for found in wall:
            text, met = _verdict(found)
            rows.append([f"{line.what}, {found.metric}", line.impl, f"{found.asked:.3g}",
                         text, f"{met} (time)"])
            if found.met() is False:
                unmet.append((line, found, timed))
    doc.table(["work", "impl", "asked", "worst (where)", "verdict"], rows)
    if not unmet:
        return
    doc.paragraph("Lines not met, where they are worst, and the command that shows where the "
                  "instructions go. floor: the same system calls on a file that only copies and "
                  "wakes by the kernel's own functions, strfloor; the ratio beside it is what "
                  "that would come to (ours can be better still where it copies by words of its "
                  "own). Of pipe-open (floor-pair): a file that is found by its name, a second "
                  "one that its ioctl opens, both closed; the files do nothing (strpair).")
    doc.table(["line", "metric", "native", "ours", "floor", "native to floor", "profile"],
              [_unmet(tables[mode], mode, line, found) for line, found, mode in unmet])
    for path in profiles:
        doc.paragraph(f"Profile {os.path.basename(path)}:")
        with open(path, encoding="utf-8", errors="replace") as f:
            doc.verbatim("\n".join(f.read().splitlines()[:60]))


def _cell(table, row, mode):
    text = number(row["median"])
    if mode != "counted" and row["median"] and row["max"] > row["min"]:
        text += f" ±{50 * (row['max'] - row['min']) / row['median']:.0f} %"
    other = musthold.ratio(table, mode, row["work"], row["size"], row["impl"], row["metric"])
    if other and row["impl"] != "native":
        bare = copying.ratio(table, row["work"], row["size"], row["impl"]) \
            if row["metric"] == copying.COUNTED else None
        text += f" ({other:.2f}; {bare:.2f})" if bare else f" ({other:.2f})"
    return text


def figures(doc, table, mode):
    """Tables of all figures of a mode."""
    for title, metrics, _ in SECTIONS:
        for metric in metrics:
            works = [w for w in table.distinct("work", mode=mode, metric=metric)
                     if not w.startswith("app-")]
            if not works:
                continue
            doc.heading(3, f"{title}: {metric.replace('_', ' ')}")
            for work in works:
                rows = [r for r in table.rows if r["work"] == work and r["mode"] == mode
                        and r["metric"] == metric]
                impls = list(dict.fromkeys(r["impl"] for r in rows))
                sizes = sorted({r["size"] for r in rows})
                cells = {(r["size"], r["impl"]): _cell(table, r, mode) for r in rows}
                doc.table([work, *impls],
                          [[f"{size} B" if size else "-", *(cells.get((size, i), "") for i in impls)]
                           for size in sizes])


def chart(doc, folder, name, text, *panels):
    """Draws it if it can be drawn, and puts it into the document."""
    if charts.available() and charts.draw(os.path.join(folder, name), *panels):
        doc.picture(name, text)


def draw_work(doc, folder, table, kind, work, mode):
    """The four charts of a work beside those of the paper of its kind."""
    ours = rates(table, work, mode)
    if "native" not in ours or max(map(len, ours.values())) < 2:
        return
    ours = {i: s for i, s in ours.items() if not i.startswith("floor-")}
    unit = charts.Unit.of(mode == "counted")
    theirs = charts.Unit.of(False)
    tables = seeds.published(kind)
    beside = next(t for t in tables if t.table == seeds.BESIDE[kind])
    most = charts.FIT_MOST[kind]
    here = f"{work}, {mode}, Linux {table.machine.get('kernel', '?')}"
    there = f"published: {beside.short()}"
    name = f"{work}-{mode}"
    doc.heading(3, f"{work}")
    chart(doc, folder, f"{name}-performance", f"{work}: messages per second",
          charts.performance(ours, unit, f"Performance: {here}"),
          charts.performance(beside.series, theirs, f"Performance, {there}"))
    chart(doc, folder, f"{name}-delay", f"{work}: delay per message",
          charts.delay(ours, unit, f"Delay: {here}", most),
          charts.delay(beside.series, theirs, f"Delay, {there}", most))
    chart(doc, folder, f"{name}-throughput", f"{work}: throughput",
          charts.throughput(ours, unit, f"Throughput: {here}"),
          charts.throughput(beside.series, theirs, f"Throughput, {there}"))
    chart(doc, folder, f"{name}-improvement", f"{work}: improvement over native",
          charts.improvement({i: s for i, s in ours.items() if i != "floor"}, [],
                             f"Improvement: {here}"),
          charts.improvement({}, tables, "Improvement, published: Linux Fast-STREAMS"))
    bare = without_copying(table, work) if mode == "counted" else {}
    if "native" in bare:
        chart(doc, folder, f"{name}-improvement-bare",
              f"{work}: improvement over native, excluding copying",
              charts.improvement(bare, [], f"Improvement, excluding copying: {here}"))
    fits(doc, ours, beside, unit, most)


def fits(doc, ours, beside, unit, most):
    """Intercepts and slopes, ours and theirs."""
    rows = []
    for whose, series, what in (("here", ours, unit.delay),
                                (f"published, {beside.title()}", beside.series, "nanoseconds")):
        for impl, points in series.items():
            found = fit.line([(s, 1e9 / r) for s, r in sorted(points.items()) if s <= most])
            if found:
                rows.append([f"{impl} ({whose})", number(found[0]), f"{found[1]:.3g}", what])
    doc.table([f"delay up to {most} B", "intercept", "slope per byte", "in"], rows)


def published(doc):
    """The figures that the papers printed."""
    doc.heading(2, "The published figures")
    for kind in ("pipe", "udp"):
        tables = seeds.published(kind)
        doc.paragraph(seeds.source(kind))
        sizes = (1, 64, 512, 1024, 4096, 16384)
        rows = []
        for table in tables:
            better = seeds.improvement(table.series["streams"], table.series["native"])
            row = [table.title()]
            row += [f"{better[s]:+.0f} %" if s in better else "" for s in sizes]
            for impl in ("native", "streams"):
                a, b = fit.line([(s, 1e9 / r) for s, r in sorted(table.series[impl].items())])
                row.append(f"{a:,.0f} + {b:.3g}/B")
            rows.append(row)
        doc.table([f"{kind}: improvement over native at", *(f"{s} B" for s in sizes),
                   "native, ns", "streams, ns"], rows)


def applications(doc, tables):
    """Unmodified programs."""
    found = {mode: [w for w in t.distinct("work", mode=mode) if w.startswith("app-")]
             for mode, t in tables.items()}
    if not any(found.values()):
        return
    doc.heading(2, "Applications, unmodified, under strsock")
    for mode, works in found.items():
        table = tables[mode]
        rows = []
        for work in works:
            for metric in table.distinct("metric", work=work, mode=mode):
                native = table.value(work, 0, "native", mode, metric)
                ours = table.value(work, 0, "streams", mode, metric)
                rows.append([work, metric.replace("_", " "), number(native), number(ours),
                             f"{native / ours:.3g}" if native and ours else ""])
        doc.table([f"{mode}", "metric", "native", "streams", "native / streams"], rows)


def build(paths, folder, profiles):
    """Writes report.md, report.html and the charts into the folder."""
    loaded = [(path, results.load(path)) for path in paths]
    # gnuplot writes the charts, and its message would be no better.
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise ValueError(f"--out {folder}: there already, and no folder")
    os.makedirs(folder, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise ValueError(f"--out {folder}: cannot be written in")
    doc = Document()
    doc.heading(1, "STREAMS and the native kernel, measured")
    tables = {}
    for path, data in loaded:
        for mode in dict.fromkeys(r["mode"] for r in data["results"]):
            if mode in tables:          # several files of a mode are one
                merged = {"machine": tables[mode].machine,
                          "results": tables[mode].rows + data["results"]}
                tables[mode] = results.Table(merged)
            else:
                tables[mode] = results.Table(data)
    must_hold(doc, tables, profiles)
    doc.heading(2, "Machines measured")
    for path, data in loaded:
        describe(doc, path, data["machine"])
    if not charts.available():
        doc.paragraph("No charts: gnuplot is not installed (bench/packages).")
    for mode, table in tables.items():
        doc.heading(2, TITLES.get(mode, mode))
        if mode == "counted":
            doc.paragraph(COUNTED_NOTE)
        elif table.machine.get("emulated"):
            doc.paragraph("Time under an emulated processor: ratios say something, seconds do not.")
        for kind, works in CHARTED.items():
            for work in works:
                draw_work(doc, folder, table, kind, work, mode)
        doc.paragraph("In parentheses: ratio to native, above 1 is better; after the semicolon, "
                      "excluding copying. ± is half the spread.")
        figures(doc, table, mode)
    applications(doc, tables)
    published(doc)
    for name, text in (("report.md", doc.markdown()), ("report.html", doc.html("strsock: bench"))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)


def main(argv=None):
    """bench/report"""
    p = Parser(prog="bench/report",
               description="Make a report of the results of bench/run and bench/apps: report.md, "
                           "report.html, charts.")
    p.add_argument("results", metavar="FILE.json", nargs="+")
    p.add_argument("--out", metavar="FOLDER", required=True, help="made if it is not there")
    p.add_argument("--profiles", metavar="FOLDER", help="outputs of bench/profile, *.txt, to put in")
    options = p.parse_args(argv)
    try:
        if options.profiles and not os.path.isdir(options.profiles):
            raise ValueError(f"--profiles {options.profiles}: no such folder")
        profiles = sorted(glob.glob(os.path.join(options.profiles, "*.txt"))) \
            if options.profiles else []
        build(options.results, options.out, profiles)
    except OSError as error:
        print(f"bench/report: {results.reason(error)}", file=sys.stderr)
        return 2
    except (ValueError, RuntimeError) as error:
        print(f"bench/report: {error}", file=sys.stderr)
        return 2
    print(os.path.join(options.out, "report.html"))
    return 0
