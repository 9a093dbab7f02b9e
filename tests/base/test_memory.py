"""What is remembered is made once, and only so much of it is kept."""

import pytest

from tilewright.base import memory
from tilewright.base.memory import Remembered


def test_what_is_remembered_is_made_once_and_dropped_when_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST_KEPT", 3)
    made = list[int]()
    squares = Remembered[int, int](lambda key: made.append(key) or key * key)
    assert [squares[key] for key in (2, 2, 3, 4, 2)] == [4, 4, 9, 16, 4]
    assert made == [2, 3, 4]
    assert squares[5] == 25
    assert len(squares) == 1
