# SPDX-License-Identifier: GPL-2.0-only
"""Jobs side by side, a limited number at a time, the longest that can run first."""

import heapq
import threading
import time
import traceback
from typing import Callable, List, Tuple

Job = Callable[[], None]


class Lanes:
    """Each lane is a thread that takes one job after another. Jobs may be added while
    others run, as long as a caller holds the lanes open."""

    def __init__(self, count: int) -> None:
        self.changed = threading.Condition()
        self.ready: List[Tuple[float, int, Job]] = []
        self.added = 0
        self.open = 0
        self.broken: List[str] = []
        self.busy = [0.0] * count
        self.last = [0.0] * count
        self.begun = time.monotonic()

    def add(self, seconds: float, job: Job) -> None:
        with self.changed:
            self.added += 1
            heapq.heappush(self.ready, (-seconds, self.added, job))
            self.changed.notify()

    def hold(self, jobs: Job) -> threading.Thread:
        """Run in the background what adds jobs."""
        def held() -> None:
            try:
                self.guarded(jobs)
            finally:
                with self.changed:
                    self.open -= 1
                    self.changed.notify_all()
        self.open += 1
        return threading.Thread(target=held, daemon=True)

    def take(self) -> Job:
        """The next job; StopIteration when there will be no more."""
        with self.changed:
            while not self.ready and self.open:
                self.changed.wait()
            if not self.ready:
                raise StopIteration
            return heapq.heappop(self.ready)[2]

    def guarded(self, job: Job) -> None:
        """A job of the check's own that breaks is a failure, not the end."""
        try:
            job()
        except InterruptedError:
            pass
        except Exception:  # pylint: disable=broad-except
            self.broken.append(traceback.format_exc())

    def work(self, lane: int) -> None:
        while True:
            try:
                job = self.take()
            except StopIteration:
                return
            start = time.monotonic()
            self.guarded(job)
            end = time.monotonic()
            self.busy[lane] += end - start
            self.last[lane] = end - self.begun

    def run(self, background: List[Job]) -> None:
        """Run all jobs, those added by the jobs in the background too."""
        threads = [self.hold(jobs) for jobs in background]
        threads += [threading.Thread(target=self.work, args=(lane,), daemon=True)
                    for lane in range(len(self.busy))]
        for thread in threads:
            thread.start()
        for thread in threads:
            # A signal's handler runs between two waits.
            while thread.is_alive():
                thread.join(1)
