"""Garbage collections, which stop a process that many people wait for: what stays is left out of them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 20_000  # new objects between two collections of the youngest; most are gone by then


_stays: list[bool] = []  # whether what was left out once stays so


def keep_frozen() -> None:
    """What was left out stays so, in a process that shares it with others: a collection would write to it."""
    _stays[:] = [True]


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


@contextmanager
def collected_less() -> Iterator[None]:
    """Fewer collections meanwhile: much is made, and most of it is needed to the end."""
    before = gc.get_threshold()
    gc.set_threshold(10 * YOUNG, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
