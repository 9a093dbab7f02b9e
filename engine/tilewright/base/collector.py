"""The garbage collector, where it would take much time and free hardly anything."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

MOST_GROWN = 6_000_000  # blocks of memory, some 700 MB, between two collections of everything

_blocks = [0]  # how many there were after the last of them


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause garbage collection: each run would scan all new objects and free hardly any. Afterwards they count as old,
    which only collections of everything scan, unless so many have come that one is due."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if gc.get_freeze_count() == 0:  # others left something out of all collections
                count_as_old()
            gc.enable()


def count_as_old() -> None:
    """Everything that there is counts as old, as if it had outlived collections."""
    if sys.getallocatedblocks() > _blocks[0] + MOST_GROWN:
        gc.collect()
        _blocks[0] = sys.getallocatedblocks()
    else:
        gc.freeze()
        gc.unfreeze()


def collect_rarely() -> None:
    """From now on pass over all objects that there are, and collect seldom: for a process whose rules do not change and
    whose work leaves little garbage."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
