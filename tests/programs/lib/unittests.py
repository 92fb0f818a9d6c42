# SPDX-License-Identifier: GPL-2.0-only
"""Runs tests of Python's unittest and prints a line for each."""
import sys
import unittest

NO_PROGRAM = 77


class Lines(unittest.TestResult):
    """Prints what came of each test, when it is over."""

    def startTest(self, test):
        super().startTest(test)
        self.came = "pass"

    def addError(self, test, err):
        super().addError(test, err)
        self.came = "fail"
        print(self.errors[-1][1], file=sys.stderr)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.came = "fail"
        print(self.failures[-1][1], file=sys.stderr)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.came = "fail"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.came = "skip"

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.came = "fail"

    def stopTest(self, test):
        super().stopTest(test)
        print(self.came, test.id(), file=sys.__stdout__, flush=True)


def run(*modules):
    """Those of the modules; those of the command line alone, if there are any."""
    try:
        from test import support
    except ImportError:
        sys.exit(NO_PROGRAM)
    # No network beyond this host, nothing that takes gigabytes.
    support.use_resources = ("cpu", "subprocess", "walltime")
    names = sys.argv[1:] or modules
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    sys.stdout = sys.stderr
    suite.run(Lines())
