# SPDX-License-Identifier: GPL-2.0-only
"""The papers' four charts, drawn by gnuplot."""

import dataclasses
import os
import shutil
import subprocess

from . import fit, seeds

COLOURS = {"native": "#000000", "streams": "#d62728", "streams-direct": "#ff7f0e",
           "unix": "#1f77b4",
           "streams-duplex": "#9467bd", "streams-putmsg": "#2ca02c", "tpi": "#2ca02c",
           "floor": "#7f7f7f", "lis": "#8c564b", "xti": "#d62728",
           "xtios": "#1f77b4"}
OTHERS = ("#17becf", "#bcbd22", "#e377c2", "#8c6d31", "#5254a3", "#637939", "#ad494a", "#393b79",
          "#31a354")
FIT_MOST = {"pipe": 4096, "udp": 16384}     # the papers' largest sizes


@dataclasses.dataclass
class Unit:
    """The units of a rate and of a delay."""
    rate: str
    delay: str

    @classmethod
    def of(cls, counted):
        """Counted or by time."""
        return (cls("messages per 10^9 instructions", "instructions") if counted
                else cls("messages per second", "nanoseconds"))


@dataclasses.dataclass
class Panel:
    """A chart's axes and curves."""
    title: str
    xlabel: str
    ylabel: str
    logscale: str
    curves: list = dataclasses.field(default_factory=list)  # (title, points, gnuplot style)


def colour(impl, seen):
    """The same implementation, the same colour."""
    return COLOURS.get(impl) or OTHERS[len(seen) % len(OTHERS)]


def _style(impl, seen, dash=1):
    return f"with linespoints lw 1.5 ps 0.5 pt 7 dt {dash} lc rgb '{colour(impl, seen)}'"


def _per_size(panel, rates, value):
    for n, (impl, series) in enumerate(rates.items()):
        points = [(s, value(s, r)) for s, r in sorted(series.items())]
        panel.curves.append((impl, points, _style(impl, list(rates)[:n])))
    return panel


def performance(rates, unit, title):
    """Messages per second over the logarithm of the size."""
    return _per_size(Panel(title, "bytes in a message", unit.rate, "x 2"), rates, lambda s, r: r)


def throughput(rates, unit, title):
    """Bytes per second, both axes logarithmic."""
    panel = Panel(title, "bytes in a message", unit.rate.replace("messages", "bytes"), "xy")
    return _per_size(panel, rates, lambda s, r: s * r)


def delay(rates, unit, title, most):
    """Time for a message over its size, with the line through it."""
    panel = Panel(title, "bytes in a message", f"{unit.delay} per message", "")
    for n, (impl, series) in enumerate(rates.items()):
        points = [(s, 1e9 / r) for s, r in sorted(series.items()) if s <= most]
        found = fit.line(points)
        name = impl
        if found:
            name = f"{impl}: {found[0]:.0f} + {found[1]:.3g} per byte"
            ends = [(0, found[0]), (most, found[0] + most * found[1])]
            panel.curves.append((None, ends, f"with lines dt 3 lc rgb "
                                             f"'{colour(impl, list(rates)[:n])}'"))
        panel.curves.append((name, points, "with points pt 7 ps 0.6 lc rgb "
                                           f"'{colour(impl, list(rates)[:n])}'"))
    return panel


def improvement(rates, published, title):
    """Percent over native; the published ones are in it, dashed."""
    panel = Panel(title, "bytes in a message", "percent more than native", "x 2")
    base = rates.get("native", {})
    for n, (impl, series) in enumerate(rates.items()):
        points = sorted(seeds.improvement(series, base).items())
        panel.curves.append((impl, points, _style(impl, list(rates)[:n])))
    for n, table in enumerate(published):
        points = sorted(seeds.improvement(table.series["streams"], table.series["native"]).items())
        panel.curves.append((f"{table.system}, {table.host}", points,
                             f"with lines dt 2 lc rgb '{OTHERS[n % len(OTHERS)]}'"))
    return panel


def _quoted(text):
    return '"' + text.replace("\\", "").replace('"', "'") + '"'


def _plot(panel, n):
    lines, plots = [], []
    for i, (title, points, style) in enumerate(panel.curves):
        if not points:
            continue
        lines += [f"$d{n}_{i} << EOD", *(f"{x} {y:.6g}" for x, y in points), "EOD"]
        label = f"title {_quoted(title)}" if title else "notitle"
        plots.append(f"$d{n}_{i} using 1:2 {style} {label}")
    lines += ["unset logscale", f"set title {_quoted(panel.title)}",
              f"set xlabel {_quoted(panel.xlabel)}", f"set ylabel {_quoted(panel.ylabel)}"]
    if panel.logscale:
        lines.append(f"set logscale {panel.logscale}")
    lines.append("plot 0 notitle with lines lc rgb '#cccccc'" + "".join(
        f", {p}" for p in plots) if panel.ylabel.startswith("percent")
                 else "plot " + ", ".join(plots))
    return lines


def available():
    """Whether charts can be drawn here."""
    return shutil.which("gnuplot") is not None


def draw(path, *panels):
    """Draws panels side by side as PATH.svg and PATH.png."""
    panels = [p for p in panels if any(points for _, points, _ in p.curves)]
    if not panels:
        return False
    size = f"{760 * len(panels)},460"
    body = ["set encoding utf8", "set grid lc rgb '#dddddd'",
            "set key outside right top font ',8' noenhanced width -2",
            "set title noenhanced font ',10'", "set border 3", "set tics nomirror",
            "set format x '%.0f'", "set xtics rotate by -40 font ',8'"]
    body.append(f"set multiplot layout 1,{len(panels)}")
    for n, panel in enumerate(panels):
        body += _plot(panel, n)
    body.append("unset multiplot")
    for terminal, suffix in (("svg noenhanced font 'Sans,10' background 'white'", "svg"),
                             ("pngcairo noenhanced font 'Sans,10'", "png")):
        script = "\n".join([f"set terminal {terminal} size {size}",
                            f"set output {_quoted(f'{path}.{suffix}')}", *body, "unset output", ""])
        done = subprocess.run(["gnuplot"], input=script, capture_output=True, text=True,
                              check=False)
        if done.returncode or not os.path.exists(f"{path}.{suffix}"):
            raise RuntimeError(f"gnuplot: {done.stderr.strip()}")
    return True
