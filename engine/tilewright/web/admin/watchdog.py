"""The watchdog of the event loop: how long it stood still, as a metric, and what ran meanwhile, as a line of the log.

The loop wakes a task again and again; how late that happens is how long nobody was answered. Time in which the system
had no processor for the loop is not counted, where the system reports it. A thread notes what runs while the task is
late. Knows no request and no table.
"""

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from prometheus_client import Gauge, Histogram

LOG = logging.getLogger("tilewright")
TICK = 0.01  # seconds between two looks at the clock
LIMIT = 0.1  # seconds; what is longer is logged,
SECONDS_BETWEEN = 10.0  # once in so many, unless it is the longest so far
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SCHEDULED = "/proc/thread-self/schedstat"  # of Linux: nanoseconds run, nanoseconds waited for a processor, turns
PACKAGE = str(Path(__file__).parents[2])
MOST_PLACES = 6  # of code that the log names


class Watchdog:
    """`late` and `longest`: seconds that the loop stood still, all of them and the longest."""

    def __init__(self) -> None:
        self.late = Histogram(
            "tilewright_loop_standstill_seconds",
            "How long the event loop stood still, each time it was looked at.",
            buckets=BUCKETS,
            registry=None,
        )
        self.longest = Gauge(
            "tilewright_loop_longest_standstill_seconds", "The longest of them since the start.", registry=None
        )
        self.most, self.logged = 0.0, float("-inf")
        self.due, self.seen, self.doing = float("inf"), 0.0, ""
        self.loops_thread = 0
        self.ended = threading.Event()
        self.running: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Watch the running loop."""
        self.loops_thread = threading.get_ident()
        self.running = asyncio.create_task(self.run())
        threading.Thread(target=self.watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        self.ended.set()
        if self.running is not None:
            self.running.cancel()

    async def run(self) -> None:
        """Look at the clock, for ever."""
        scheduled = opened(SCHEDULED)
        try:
            waited = seconds_waited(scheduled)
            while True:
                self.due = time.monotonic() + TICK
                await asyncio.sleep(TICK)
                now, before, waited = time.monotonic(), waited, seconds_waited(scheduled)
                self.note(max(0.0, now - self.due - (waited - before)), now)
        finally:
            if scheduled is not None:
                os.close(scheduled)

    def note(self, late: float, now: float) -> None:
        """The loop stood still for so long."""
        self.late.observe(late)
        if late > LIMIT and (late > self.most or now > self.logged + SECONDS_BETWEEN):
            self.logged = now
            doing = self.doing if self.seen == self.due else "unknown"
            LOG.warning("the event loop stood still for %.0f ms: %s", 1000 * late, doing)
        if late > self.most:
            self.most = late
            self.longest.set(late)

    def watch(self) -> None:
        """Note what runs while the loop is late: a thread."""
        while not self.ended.wait(LIMIT / 4):
            due = self.due
            if due != self.seen and time.monotonic() - due > LIMIT / 2:
                self.doing, self.seen = self.running_code(), due

    def running_code(self) -> str:
        """Where the threads of this process are in our code, the loop's first."""
        frames = sys._current_frames()
        frames.pop(threading.get_ident(), None)
        threads = sorted(frames, key=lambda thread: thread != self.loops_thread)
        found = [" < ".join(places(frames[thread])) for thread in threads]
        return "; ".join(filter(None, found)) or "code of other packages"


def places(frame: FrameType | None) -> list[str]:
    """The innermost places of our code in a stack."""
    found = (f"{Path(one.f_code.co_filename).name}:{one.f_lineno} {one.f_code.co_name}" for one in ours(frame))
    return [place for place, _ in zip(found, range(MOST_PLACES), strict=False)]


def ours(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            yield frame
        frame = frame.f_back


def opened(path: str) -> int | None:
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return None


def seconds_waited(scheduled: int | None) -> float:
    """How long the thread has waited for a processor so far; 0 where the system does not say."""
    return 0.0 if scheduled is None else int(os.pread(scheduled, 100, 0).split()[1]) / 1e9
