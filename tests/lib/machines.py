# SPDX-License-Identifier: GPL-2.0-only
"""Where tests run: on this machine, and in virtual machines of several kernels."""

import dataclasses
from typing import Dict, List, Tuple

HOST = "host"


@dataclasses.dataclass(frozen=True)
class Machine:
    """A kind of machine."""

    name: str
    # the options of tests/vm/run that choose it
    options: Tuple[str, ...] = ()
    # the tests that it runs there without --full, as filters of tags
    part: Tuple[str, ...] = ("",)
    # the tests that it cannot run, as tags
    never: Tuple[str, ...] = ()
    # its processors; 0: one, but two for files about what two do
    processors: int = 1
    # the column of tests/durations that has its pace
    pace: str = ""
    # One machine is given files that take about this number of seconds altogether:
    # starting it should take little beside that.
    seconds: int = 60
    # how many seconds it may take at least before it counts as hanging
    limit: int = 900
    # the machine that does its part on a host where it cannot run
    instead: str = ""


# Tests tagged "host" need no modules, those tagged "machine" start machines
# themselves, and those tagged "bare" run without modules too. "matrix" and "oldest" are
# explained in tests/README.md. Emulated, two
# processors that hand work to each other take thrice the time of one: only files
# tagged "smp" have them.
MACHINES: Dict[str, Machine] = {each.name: each for each in (
    Machine(HOST, part=("host", "machine", "bare"), pace="host", seconds=1),
    Machine("uml", ("--uml",), ("!nouml",), ("nouml",),
            pace="uml", seconds=30, instead="6.1"),
    Machine("uml-smp", ("--uml",), ("!nouml",), ("nouml",), 2,
            pace="uml-smp", seconds=30, instead="6.1"),
    Machine("uml-debug", ("--uml", "--debug"), ("!nouml,!nodebug,!longdebug",), ("nouml",),
            pace="uml-debug", seconds=90, limit=2400, instead="debug"),
    Machine("uml-debug-smp", ("--uml", "--debug"), ("!nouml,!nodebug",), ("nouml",), 2,
            pace="uml-debug", seconds=90, limit=2400, instead="debug"),
    Machine("6.1", ("--kernel", "6.1"), ("matrix", "oldest", "nouml"), (), 0,
            pace="emulated", seconds=90),
    Machine("6.12", ("--kernel", "6.12"), ("matrix",), (), 0, pace="emulated", seconds=90),
    Machine("7.2", ("--kernel", "7.2"), ("matrix",), (), 0, pace="emulated", seconds=90),
    Machine("debug", ("--debug",), ("!nodebug,!longdebug",), (), 0,
            pace="debug", seconds=240, limit=2400),
)}

KERNELS: List[str] = [name for name in MACHINES if name != HOST]
# The emulated debug kernel takes hours for what the others do in minutes. User Mode
# Linux with two processors wants kernels of its own, ten minutes each to build; the
# stock kernels have two for what is about that.
USUAL: List[str] = ["uml", "uml-debug", "6.1", "6.12", "7.2"]
QUICK: List[str] = ["uml"]
