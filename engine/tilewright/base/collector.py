"""The garbage collector, where it would take much time and free hardly anything."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause garbage collection: each run would scan all new objects and free hardly any."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def collect_rarely() -> None:
    """From now on pass over all objects that there are, and collect seldom: for a process whose rules do not change and
    whose work leaves little garbage."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
