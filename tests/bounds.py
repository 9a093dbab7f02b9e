"""How much work something is, on whatever machine: calls that are counted."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


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
