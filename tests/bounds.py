"""How much work something is, on whatever machine: calls that are counted; and an end for what has none."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest

HANGS = 300  # seconds: what takes so long does not end


@contextmanager
def calls(most: int) -> Iterator[None]:
    """The block fails at the first call of a function, of Python or of C, beyond so many."""
    count = 0

    def counted(frame: Any, event: str, what: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")
        if count > most:
            pytest.fail(f"more than {most} calls")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        yield
    finally:
        sys.setprofile(before)


@contextmanager
def ending() -> Iterator[None]:
    """The block fails, rather than all tests wait for it, where it hangs."""

    def hung(*_: object) -> NoReturn:
        pytest.fail(f"no end after {HANGS} seconds")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(HANGS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
