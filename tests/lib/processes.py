# SPDX-License-Identifier: GPL-2.0-only
"""The commands that a check runs, each of which ends with it."""

import os
import pathlib
import signal
import subprocess
import tempfile
import threading
from typing import IO, Callable, Optional, Sequence, Set, Tuple, Union

Process = subprocess.Popen[bytes]
Command = Sequence[Union[str, pathlib.Path]]
TIMED_OUT = 124


class Processes:
    """Commands running, each in a process group of its own."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.running: Set[Process] = set()
        self.ended = False

    def start(self, command: Command, output: IO[bytes], error: int) -> Process:
        with self.lock:
            if self.ended:
                raise InterruptedError("the check is over")
            # pylint: disable=consider-using-with
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=error, start_new_session=True)
            self.running.add(process)
            return process

    def run(self, command: Command, output: pathlib.Path, limit: Optional[float] = None) -> int:
        """The status of the command, whose output is put into a file."""
        with output.open("wb") as file:
            process = self.start(command, file, subprocess.STDOUT)
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            self.signal(process, signal.SIGTERM)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                self.signal(process, signal.SIGKILL)
                process.wait()
            return TIMED_OUT
        finally:
            self.running.discard(process)

    def follow(self, command: Command, line: Callable[[str], None]) -> Tuple[int, str]:
        """The status and the output of the command; each line of its standard error is
        handed on as it comes."""
        with tempfile.TemporaryFile() as output:
            process = self.start(command, output, subprocess.PIPE)
            assert process.stderr
            try:
                with process.stderr:
                    for text in process.stderr:
                        line(text.decode(errors="replace").rstrip("\n"))
                status = process.wait()
            finally:
                self.running.discard(process)
            output.seek(0)
            return status, output.read().decode(errors="replace")

    @staticmethod
    def signal(process: Process, number: int) -> None:
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass

    def end(self) -> None:
        """End all; virtual machines clear up when they are told to end."""
        with self.lock:
            self.ended = True
            running = list(self.running)
        for process in running:
            self.signal(process, signal.SIGTERM)
        for process in running:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                self.signal(process, signal.SIGKILL)
