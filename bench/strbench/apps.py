# SPDX-License-Identifier: GPL-2.0-only
"""The command bench/apps: unmodified applications, natively and on STREAMS."""

import argparse
import json
import subprocess
import sys
import tempfile

from . import applications, command, modes, plan, results, runner, tcp_applications
from .options import Parser

# streams-no-pipe is the library with pipes left native, floor-library a preloaded library
# without functions (bench/libempty.c).
IMPLS = ("native", "streams", "streams-no-pipe", "floor-library")
APPS = applications.APPS + tcp_applications.APPS
SCALES = {"counted": (1 / 16, 1 / 128), "wall": (1 / 4, 1 / 32), "native": (1, 1 / 8)}


def impls(app):
    """Those an application is measured with."""
    return IMPLS[:2] if app.tcp else IMPLS


def measured(bench, impl, mode):
    """Samples of a run, by their metric."""
    seconds, ran, switches = bench.run(impl)
    samples = {"context_switches_per_run": switches}
    if mode != "counted":
        return {**samples, "seconds_per_run": seconds, "cpu_seconds_per_run": ran / 1e9}
    samples["ns_per_run"] = ran
    if bench.app.unit:
        more = bench.run(impl, 2)[1] - ran
        samples[f"ns_per_{bench.app.unit}"] = more / bench.count
    return samples


def one(argv):
    """In the machine: APP SCALE REPEAT MODE BUILD; prints samples."""
    name, scale, repeat, mode, build = argv
    app = next(a for a in APPS if a.name == name)
    lacking = applications.missing(app)
    if lacking:
        print(f"not installed: {', '.join(lacking)} (bench/packages)", file=sys.stderr)
        return runner.MODULE_MISSING
    with tempfile.TemporaryDirectory(prefix="strbench.") as folder:
        bench = applications.Bench(app, folder, build, float(scale), runner.environment())
        try:
            bench.prepare()
            for impl in impls(app):     # programs come into the page cache
                bench.run(impl)
            for _ in range(int(repeat)):
                for impl in impls(app):
                    for metric, value in measured(bench, impl, mode).items():
                        print(json.dumps({"impl": impl, "size": 0, "metric": metric,
                                          "value": value}), flush=True)
        except applications.Unready as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        except OSError as error:
            print(f"{name}: {results.reason(error)}", file=sys.stderr)
            return 1
        except subprocess.CalledProcessError as error:
            print(f"{name}: its input could not be made: status {error.returncode}",
                  file=sys.stderr)
            return 1
    return 0


def _scale(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0 and up to 100")
    return value


def parser():
    """The command's options."""
    names = [a.name for a in APPS]
    p = Parser(
        prog="bench/apps", description="Measure unmodified applications, natively and under "
                                       "strsock: " + "; ".join(f"{a.name}: {a.what}"
                                                               for a in APPS) + ".",
        epilog="Modes as in bench/run. counted: instructions of all processes of the machine.")
    p.add_argument("--mode", choices=("counted", "wall", "native"), required=True)
    p.add_argument("--out", metavar="FILE.json", help="where the results go")
    p.add_argument("--quick", action="store_true", help="a smaller scale, fewer repetitions")
    p.add_argument("--apps", metavar="LIST", type=command.patterns(names), help="only these")
    p.add_argument("--scale", metavar="F", type=_scale,
                   help="part of the full amount of work (counted 1/16, wall 1/4, native 1)")
    p.add_argument("--repeat", metavar="N", type=command.number(1, 1000), help="runs of each (3)")
    command.machine_options(p)
    return p


def measure(options):
    """Runs it; returns the exit status."""
    command.prepare(options)
    build = modes.build_folder(options.build)
    scale = options.scale or SCALES[options.mode][options.quick]
    repeat = options.repeat or (2 if options.quick else 3)
    tasks = [plan.Task(f"app-{a.name}", ", ".join(impls(a)),
                       ("apps", "--one", a.name, str(scale), str(repeat), options.mode, build),
                       False, (), len(impls(a)) * repeat)
             for a in APPS
             if plan.matches(a.name, options.apps) and options.mode in a.modes]
    if not tasks:
        raise modes.Failure(f"none of these is measured with --mode {options.mode}")
    return command.run_tasks(options, tasks, build, {"scale": scale})


def main(argv=None):
    """bench/apps"""
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["--one"]:
        return one(argv[1:])
    return command.guarded("bench/apps", lambda: measure(parser().parse_args(argv)))
