# SPDX-License-Identifier: GPL-2.0-only
"""Runs tests of pytest and prints a line for each."""
import os
import sys

import unittests

PACKAGES = "/usr/lib/python3/dist-packages"


class Lines:
    """Prints the result of each test when it has ended."""

    def __init__(self, out):
        self.out = out
        self.came = {}

    def pytest_runtest_logreport(self, report):
        """One of a test's three parts is over: before it, itself, after it."""
        came = report.outcome.replace("ed", "").replace("skipp", "skip")
        # A failure that is expected
        if came == "skip" and hasattr(report, "wasxfail"):
            came = "pass"
        if self.came.get(report.nodeid, "pass") == "pass":
            self.came[report.nodeid] = came
        if report.when == "teardown":
            print(self.came.pop(report.nodeid), report.nodeid, file=self.out, flush=True)


def run(*files):
    """Those of the files; those of the command line alone, if there are any."""
    unittests.there("pytest")
    if not all(os.path.exists(os.path.join(PACKAGES, file)) for file in files):
        sys.exit(unittests.NO_PROGRAM)
    import pytest  # pylint: disable=import-outside-toplevel
    with os.fdopen(os.dup(1), "w") as out:
        os.dup2(2, 1)
        names = [os.path.join(PACKAGES, name) for name in sys.argv[1:] or files]
        # 1: the lines show which failed.
        status = pytest.main(["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", PACKAGES,
                              "-o", "faulthandler_timeout=600", *names], plugins=[Lines(out)])
    sys.exit(0 if status == 1 else status)
