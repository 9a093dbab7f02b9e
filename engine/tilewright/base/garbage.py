"""Garbage collections: fewer where they free hardly anything, and in a process that many people wait for."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 20_000  # new objects between two collections of the youngest; most are gone by then
MOST_GROWN = 8_000_000  # blocks of memory, some 900 MB, between two collections of everything

_stays: list[bool] = []  # whether what was left out once stays so
_left_out: list[bool] = []  # whether anything is left out; counting it would take long
_blocks = [0]  # how many blocks of memory there were after the last collection of everything


def keep_frozen() -> None:
    """What was left out stays so, in a process that shares it with others: a collection would write to it."""
    _stays[:] = _left_out[:] = [True]


def spare_what_stays() -> None:
    """Leave out of later collections what lives now: the program, and the rules that were read."""
    gc.set_threshold(YOUNG, 20, 20)
    leave_alone()


def leave_alone() -> None:
    """The same, with collections as often as before."""
    if not _stays:
        gc.unfreeze()  # what was left out earlier, and has become garbage since
    gc.collect()
    gc.freeze()
    _left_out[:] = [True]


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
            if not _left_out:
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
    _left_out[:] = [True]
    gc.set_threshold(50_000, 20, 50)
