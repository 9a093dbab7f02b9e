"""Processes that work for this one: they leave interruptions to it, and end with it. Knows no work."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Any

from tilewright.base.problem import WorkLost

GRACE = 3.0  # seconds that a process has to end by itself


@contextmanager
def pool_of(
    jobs: int, begin: Callable[..., object], *given: Any, stop: Callable[[], object]
) -> Iterator[ProcessPoolExecutor]:
    """So many processes, each begun with what is given; at the end `stop` asks them to stop, and those that do not are
    ended. Raises WorkLost where one of them is lost, as work is given to it or awaited."""
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with unharmed():
        pool = ProcessPoolExecutor(jobs, context, begin, given)
        try:
            yield pool
        except BrokenProcessPool:
            raise WorkLost("a process ended before its work was done", "give it fewer --jobs, or more memory") from None
        finally:
            stop()
            late = threading.Timer(GRACE, end_all, [set(multiprocessing.active_children()) - others])
            late.start()
            pool.shutdown(cancel_futures=True)
            late.cancel()


def end_all(processes: set[BaseProcess]) -> None:
    """End those that did not stop by themselves."""
    for process in processes:
        if process.is_alive():
            process.terminate()


@contextmanager
def unharmed() -> Iterator[None]:
    """Make writing to a dead process an error here, not a fatal signal."""
    if not hasattr(signal, "SIGPIPE") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, before)


@contextmanager
def deaf() -> Iterator[None]:
    """Block Ctrl-C here, and for good in processes started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in such a process


def serve_parent() -> None:
    """Ignore Ctrl-C, which is for the parent, and exit when that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=leave_with_parent, daemon=True).start()


def leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
