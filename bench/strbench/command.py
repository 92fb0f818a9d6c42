# SPDX-License-Identifier: GPL-2.0-only
"""The command bench/run."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time

from . import modes, plan, results, runner
from .options import Parser


def numbers(text):
    """Bytes, separated by commas."""
    try:
        values = [int(v) for v in text.split(",")]
    except ValueError:
        values = []
    if not values or any(not 1 <= v <= 1 << 20 for v in values):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a list of bytes from 1 to 1048576, as 1,64,4096")
    return values


def patterns(known):
    """Names or patterns of them."""
    def parse(text):
        wanted = text.split(",")
        for pattern in wanted:
            if not any(plan.matches(name, [pattern]) for name in known):
                raise argparse.ArgumentTypeError(
                    f"'{pattern}' is none of {', '.join(known)} (* and ? match any)")
        return wanted
    return parse


def number(least, most):
    """A whole number."""
    def parse(text):
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number from {least} to {most}")
        return value
    return parse


def machine_options(p):
    """The options that say where it is measured, which bench/apps has too."""
    p.add_argument("--kernel", metavar="NAME", default="",
                   help="of the virtual machine, as tests/vm/run takes it: 6.12, 6.1.0-56-amd64 "
                        "(the host's)")
    p.add_argument("--mitigations", choices=("on", "off"), default="on",
                   help="of the virtual machine's processor (on: the kernel's default)")
    p.add_argument("--build", metavar="FOLDER", help="the folder built in (build/)")


def parser():
    """The command's options."""
    p = Parser(
        prog="bench/run",
        description="Measure STREAMS against the native kernel; bench/report shows the results.",
        epilog="Modes: counted, in the virtual machine with a clock that counts instructions: "
               "the same figures whatever else the host does. wall, in the virtual machine with "
               "2 processors, by time. native, by time on this machine, whose kernel must have "
               "the modules loaded. See bench/README.md.")
    p.add_argument("--mode", choices=("counted", "wall", "native"), required=True)
    p.add_argument("--out", metavar="FILE.json", help="where the results go")
    p.add_argument("--quick", action="store_true",
                   help="fewer sizes (" + ",".join(map(str, plan.QUICK)) + ") and repetitions")
    p.add_argument("--works", metavar="LIST", type=patterns(plan.names(plan.WORKS)),
                   help="only these works: pipe,udp*")
    p.add_argument("--impls", metavar="LIST", type=patterns(plan.names(plan.IMPLS)),
                   help="only these implementations: native,streams*")
    p.add_argument("--sizes", metavar="LIST", type=numbers, help="bytes of a message")
    p.add_argument("--repeat", metavar="N", type=number(1, 1000),
                   help="measurements of each figure (counted 3, else 7; quick 2, 3)")
    p.add_argument("--count", metavar="N", type=number(100, 10000000), default=1000,
                   help="counted: messages of 1 byte; fewer of large ones (1000)")
    p.add_argument("--time", metavar="MS", type=number(10, 600000), default=200,
                   help="wall, native: how long one measurement takes (200)")
    machine_options(p)
    p.add_argument("--list", action="store_true", help="print what would be run, and end")
    return p


def _commit():
    try:
        out = subprocess.run(["git", "-C", modes.TOP, "describe", "--always", "--dirty"],
                             capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        out = ""
    return out or "unknown"


def prepare(options):
    """Reports errors before anything takes time."""
    if not options.out:
        raise modes.Failure("where do the results go? --out FILE.json")
    folder = os.path.dirname(os.path.abspath(options.out))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise modes.Failure(f"--out {options.out}: {folder} is not a folder that can be written")
    # It is replaced as a whole in the end, which cannot be done with a device.
    if os.path.exists(options.out) and not os.path.isfile(options.out):
        raise modes.Failure(f"--out {options.out}: there already, and no file")
    if options.mode == "native" and options.kernel:
        raise modes.Failure(f"--kernel {options.kernel}: --mode native measures the kernel that "
                            "this machine runs")
    if options.mode == "native" and not modes.loaded_here():
        raise modes.Failure(
            "--mode native needs the modules loaded on this machine, and /proc/streams is not "
            "there: modprobe -a strpipe strudp strsock strinet as root, or use --mode wall or "
            "counted, which start a virtual machine")


def run_tasks(options, tasks, build, facts):
    """Runs tasks, writes the results; returns the exit status."""
    start = time.monotonic()
    run = modes.Run(options.mode, tasks, build,
                    append="mitigations=off" if options.mitigations == "off" else "",
                    kernel=options.kernel)
    run.run()
    machine = {**run.machine, "mode": options.mode, "commit": _commit(),
               "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
               "seconds": round(time.monotonic() - start), **facts,
               "virtual": options.mode != "native", "skipped": sorted(set(run.skips)),
               "failed": run.errors}
    results.save(options.out, {"machine": machine, "results": run.samples.results()})
    for skip in machine["skipped"]:
        print(f"skipped: {skip}", file=sys.stderr)
    for error in run.errors:
        print(f"failed: {error}", file=sys.stderr)
    print(f"{len(run.samples.values)} results in {options.out}, {machine['seconds']} s")
    return 1 if run.errors else 0


def measure(options):
    """Runs it; returns the exit status."""
    counted = options.mode == "counted"
    options.sizes = options.sizes or (plan.QUICK if options.quick else plan.POWERS)
    if not options.repeat:
        options.repeat = (2 if counted else 3) if options.quick else (3 if counted else 7)
    tasks = plan.tasks(options)
    if not tasks:
        raise modes.Failure("no work is left: those of --works and --impls are not measured "
                            f"together, or not with --mode {options.mode}")
    if options.list:
        for task in tasks:
            print(task.work, task.impl, *task.argv)
        return 0
    prepare(options)
    return run_tasks(options, tasks, modes.build_folder(options.build),
                     {"sizes": options.sizes, "repeat": options.repeat})


def guarded(name, function):
    """Runs it; failures are reported in a line, not as a trace."""
    # SIGTERM counts as an interrupt: results so far are kept, the machine ends.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return function()
    except modes.Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{name}: {results.reason(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\n{name}: interrupted", file=sys.stderr)
        return 130


def main(argv=None):
    """bench/run"""
    argv = sys.argv[1:] if argv is None else argv
    if len(argv) == 2 and argv[0] == "--here":
        with open(argv[1], encoding="utf-8") as f:
            runner.run_plan(json.load(f))
        return 0
    return guarded("bench/run", lambda: measure(parser().parse_args(argv)))
