# SPDX-License-Identifier: GPL-2.0-only
"""Runs tests of Python's unittest and prints a line for each."""
import faulthandler
import importlib.util
import sys
import unittest

NO_PROGRAM = 77
LIMIT = 600  # seconds for a test: then it tells where it is, and all is over


class Lines(unittest.TestResult):
    """Prints the result of each test when it has ended."""

    def startTest(self, test):
        super().startTest(test)
        self.came = "pass"
        print("---", test.id(), file=sys.stderr)
        faulthandler.dump_traceback_later(LIMIT, exit=True, file=sys.__stderr__)

    def tell(self, came, test):
        """The result of a test; at once if it is that of a whole class or module."""
        self.came = came
        if not isinstance(test, unittest.TestCase):
            print(came, test.id(), file=sys.__stdout__, flush=True)

    def addError(self, test, err):
        super().addError(test, err)
        print(self.errors[-1][1], file=sys.stderr)
        self.tell("fail", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        print(self.failures[-1][1], file=sys.stderr)
        self.tell("fail", test)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            print(subtest, (self.failures + self.errors)[-1][1], file=sys.stderr)
            self.came = "fail"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print("skipped:", reason, file=sys.stderr)
        # A test may skip some of its parts and fail in others.
        if not isinstance(test, unittest.TestCase) or self.came == "pass":
            self.tell("skip", test)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.tell("fail", test)

    def stopTest(self, test):
        super().stopTest(test)
        faulthandler.cancel_dump_traceback_later()
        print(self.came, test.id(), file=sys.__stdout__, flush=True)


def there(*modules):
    """Ends the program if its modules are not installed."""
    try:
        if all(importlib.util.find_spec(module) for module in modules):
            return
    except ModuleNotFoundError:
        pass
    sys.exit(NO_PROGRAM)


def run(*modules):
    """Those of the modules; those of the command line alone, if there are any."""
    names = sys.argv[1:] or modules
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    sys.stdout = sys.stderr
    suite.run(Lines())


def run_python(*modules, network=False):
    """Those of Python's own; those of some modules say network and mean this host."""
    there("test.support", "test.test_os")
    from test import support  # pylint: disable=import-outside-toplevel
    # No network beyond this host, nothing that takes gigabytes.
    support.use_resources = ("cpu", "subprocess", "walltime", *(["network"] if network else []))
    run(*modules)
