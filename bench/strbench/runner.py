# SPDX-License-Identifier: GPL-2.0-only
"""
Runs tasks on the machine it is on, and reports them in lines of JSON.

In the virtual machine it is another process than bench/run, which reads them.
"""

import json
import os
import subprocess
import sys
import time

from . import machine, results

MODULE_MISSING = 3          # the programs' exit status
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def emit(**event):
    """An event for bench/run."""
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def environment():
    """No rules, variables or preloads but our own."""
    env = {k: v for k, v in os.environ.items()
           if k != "LD_PRELOAD" and not k.startswith("STRSOCK_")}
    env["STRSOCK_CONF"] = "/dev/null"
    env["LC_ALL"] = "C"
    return env


def command(task, build):
    """The task's command line, with programs of the build folder."""
    program, *args = task["argv"]
    folder = TOP if program == "apps" else build
    argv = [os.path.join(folder, "bench", program), *args]
    if task["preload"]:
        argv = [os.path.join(build, "tools", "strsock"), "--require", "--", *argv]
    if task["veth"]:
        argv = [os.path.join(TOP, "bench", "over-veth"), *argv]
    if task["without"]:
        argv = [os.path.join(TOP, "bench", "without"), task["without"], *argv]
    return argv


def run_task(index, task, build, env):
    """Runs one; its samples become events."""
    if task["root"] and os.geteuid() != 0:
        emit(event="skip", task=index, why="needs root")
        return
    argv = command(task, build)
    try:
        follow(index, argv, env)
    # Not built, or its output is not one of our lines
    except (OSError, ValueError) as error:
        why = results.reason(error) if isinstance(error, OSError) else f"no sample: {error}"
        emit(event="error", task=index, status=1, why=why, command=" ".join(argv))


def follow(index, argv, env):
    """Starts it, and reports how it ended."""
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, env=env) as process:
        for line in process.stdout:
            emit(event="sample", task=index, **json.loads(line))
        error = process.stderr.read().strip()
        status = process.wait()
    if status == MODULE_MISSING:
        emit(event="skip", task=index, why=error)
    elif status:
        emit(event="error", task=index, status=status, why=error or f"status {status}",
             command=" ".join(argv))
    else:
        emit(event="done", task=index)


def run_plan(plan):
    """plan: {"build", "counted", "tasks": [[index, task]...]}"""
    env = environment()
    emit(event="machine", machine=machine.describe())
    if plan["counted"]:
        # Idle time costs nothing there: let the boot come to rest.
        time.sleep(20)
    for index, task in plan["tasks"]:
        run_task(index, task, plan["build"], env)
    emit(event="end")
