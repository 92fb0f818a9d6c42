# SPDX-License-Identifier: GPL-2.0-only
"""How the commands read their options."""

import argparse


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see --help\n")
