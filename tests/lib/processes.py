# SPDX-License-Identifier: GPL-2.0-only
"""The commands that a check runs, each of which ends with it."""

import dataclasses
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
from typing import IO, Callable, Optional, Sequence, Set, Tuple, Union

Process = subprocess.Popen[bytes]
Command = Sequence[Union[str, pathlib.Path]]
TIMED_OUT = 124


@dataclasses.dataclass(frozen=True)
class End:
    """How a command ended: its status, and the processor's time that it took."""

    status: int
    processor: float


class Processes:
    """Commands running, each in a process group of its own."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.running: Set[Process] = set()
        self.late: Set[Process] = set()
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

    def wait(self, process: Process, limit: Optional[float] = None) -> End:
        """How it ended, and the processor time of it and the children it waited for."""
        late = threading.Timer(limit or 0, self.stop, (process,))
        if limit:
            late.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            late.cancel()
            self.running.discard(process)
        process.returncode = os.waitstatus_to_exitcode(status)
        code = TIMED_OUT if process in self.late else process.returncode
        return End(code, usage.ru_utime + usage.ru_stime)

    def stop(self, process: Process) -> None:
        """End a command that has run out of time."""
        self.late.add(process)
        self.signal(process, signal.SIGTERM)
        for _ in range(50):
            if process not in self.running:
                return
            time.sleep(0.1)
        self.signal(process, signal.SIGKILL)

    def run(self, command: Command, output: pathlib.Path, limit: Optional[float] = None) -> End:
        """How the command ended; its output is put into a file."""
        with output.open("wb") as file:
            process = self.start(command, file, subprocess.STDOUT)
        return self.wait(process, limit)

    def follow(self, command: Command, line: Callable[[str], None]) -> Tuple[End, str]:
        """How the command ended, and its output; each line of its standard error is
        handed on as it comes."""
        with tempfile.TemporaryFile() as output:
            process = self.start(command, output, subprocess.PIPE)
            assert process.stderr
            with process.stderr:
                for text in process.stderr:
                    line(text.decode(errors="replace").rstrip("\n"))
            end = self.wait(process)
            output.seek(0)
            return end, output.read().decode(errors="replace")

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
        # The threads that wait for them take them off the list.
        for _ in range(50):
            if not self.running:
                return
            time.sleep(0.1)
        for process in running:
            self.signal(process, signal.SIGKILL)
