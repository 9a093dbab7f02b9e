"""Memory of the kernel: keys of numbers in, what was found for them out, in tables of hashed rows. Knows no rules."""

from bisect import bisect
from collections.abc import Sequence
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.kernel.counting import slot_of

FIRST_ROWS = 256
GAP = 1 << 32


class HashTable:
    """Rows of a key and its values, the first of which is never 0. `rows`: (2**n, width + values)."""

    def __init__(self, width: int, values: int) -> None:
        self.width, self.used = width, 0
        self.rows: Array = np.zeros((FIRST_ROWS, width + values), np.int64)

    def put(self, key: Array, values: Sequence[int]) -> None:
        """Add a row, or replace it."""
        if 2 * self.used >= len(self.rows):
            self.grow()
        place = slot_of(self.rows, key[None], 0, self.width)
        self.used += not self.rows[place, self.width]
        self.rows[place, : self.width], self.rows[place, self.width :] = key, values

    def __contains__(self, key: Array) -> bool:
        return bool(self.rows[slot_of(self.rows, key[None], 0, self.width), self.width])

    def grow(self) -> None:
        """Make room for four times as many."""
        before = self.rows[self.rows[:, self.width] != 0]
        self.rows = np.zeros((4 * len(self.rows), self.rows.shape[1]), np.int64)
        for row in before:
            self.rows[slot_of(self.rows, row[None], 0, self.width)] = row


class Ranks:
    """Numbers for ranks, in their order. They change when there is no room between two."""

    def __init__(self) -> None:
        self.ranks: list[Any] = []
        self.numbers: list[int] = []

    def number(self, rank: Any) -> int | None:
        """The number of a rank; None where all had to change."""
        at = bisect(self.ranks, rank)
        if at and self.ranks[at - 1] == rank:
            return self.numbers[at - 1]
        self.ranks.insert(at, rank)
        below = self.numbers[at - 1] if at else None
        above = self.numbers[at] if at < len(self.numbers) else None
        if below is None or above is None:
            made = GAP if below is None and above is None else below + GAP if below is not None else (above or 0) - GAP
        else:
            made = (below + above) // 2
        if made == below:
            self.numbers = [GAP * number for number in range(len(self.ranks))]
            return None
        self.numbers.insert(at, made)
        return made
