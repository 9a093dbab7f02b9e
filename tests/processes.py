"""Processes that tests start: none outlives its block, whatever happens there; and those that they start."""

import os
import signal
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

HANGS = 240  # seconds: what takes longer does not end, even on a busy machine


@contextmanager
def process(words: Sequence[str | Path], **how: Any) -> Iterator["subprocess.Popen[str]"]:
    """A process while the block runs; `how` as for Popen."""
    with subprocess.Popen(words, encoding="utf-8", **how) as running:
        try:
            yield running
        finally:
            running.kill()


def descendants(pid: int) -> list[int]:
    """Processes that a process started, and that those started."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    children = [child for child, parent in parents.items() if parent == pid]
    return children + [below for child in children for below in descendants(child)]


def kill_all(pids: Iterable[int]) -> None:
    """End these at once; some may have ended already."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
