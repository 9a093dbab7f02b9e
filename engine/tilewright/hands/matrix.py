"""Matrices of listed hands: how many tiles every row misses, all rows in one expression.

Knows no hand, no meld and no wild tile: tiles are columns, wild tiles a number. numpy is imported here and by those who
count with these, and so only where listed hands are asked about.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int16]
Truths = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Rows side by side. `columns`: the tiles that some row has. `fixed[t, r]`: places of row r for tile t where no
    wild tile may stand, `free[t, r]`: those where one may. `sets`: of each set that occurs, how many every row has.
    `starts`: where the rows of each of `entries` begin."""

    columns: tuple[int, ...]
    fixed: Numbers
    free: Numbers
    sets: Mapping[tuple[int, int], Numbers]
    entry: Places  # of every row
    concealed: Truths
    entries: Places
    starts: Places

    @property
    def sizes(self) -> Numbers:
        """How many tiles every row has."""
        return summed(self.fixed) + summed(self.free)

    def column(self, counts: Mapping[int, int]) -> Numbers:
        """The counts as a column that goes with any row."""
        return np.array([[counts.get(tile, 0)] for tile in self.columns], np.int16).reshape(-1, 1)

    def allowing(self, sets: Mapping[tuple[int, int], int], exposed: bool) -> Truths:
        """The rows that have this many of each of these sets, and may have exposed ones if these are."""
        allowed: Truths = ~(self.concealed & exposed)
        for one, times in sets.items():
            allowed = allowed & (self.sets[one] >= times if one in self.sets else False)
        return allowed

    def of(self, rows: Places) -> "Matrix":
        """Some rows, to be counted with."""
        return replace(self, fixed=self.fixed[:, rows], free=self.free[:, rows])

    def missing(self, fixed: Numbers, taken: Numbers | int, wild: Numbers | int) -> Numbers:
        """How many tiles every row misses. `fixed`: naturals that are there, `taken`: places for wild tiles that are
        filled already, `wild`: wild tiles that are there. Columns, or matrices and rows of the same shape."""
        spare = fixed - self.fixed
        short = summed(np.maximum(self.free - taken - np.maximum(spare, 0), 0))
        found: Numbers = np.maximum(short - wild, 0) - summed(np.minimum(spare, 0))
        return found

    def lowering(self, fixed: Numbers, taken: Numbers, wild: int) -> tuple[Truths, Truths]:
        """Which tiles would make each row miss one less, and whether a wild tile would."""
        spare = fixed - self.fixed
        short = self.free - taken - np.maximum(spare, 0)
        open_places = summed(np.maximum(short, 0)) > wild
        return (spare < 0) | ((short > 0) & open_places), open_places

    def lacking(self, melded: Numbers, left: Numbers, there: Numbers) -> tuple[Numbers, Numbers]:
        """How many naturals too few there are for each tile of each row, and how many wild tiles every row has to have
        in their place. `left`: naturals that can still fill places beside those of melds, of which `melded` are filled
        already; `there`: naturals wherever they are."""
        fixed = np.maximum(np.maximum(self.fixed - melded, 0) - left, 0)
        return fixed, summed(np.maximum(self.free - np.maximum(there - self.fixed, 0), 0))

    def best(self, missing: Numbers, live: Numbers) -> Places:
        """Of each entry the row that misses least, of equals the one with most live tiles, then the first."""
        count = len(self.entry)
        rank = ((missing.astype(np.int64) << 16) - live) * count + np.arange(count)
        rows: Places = np.minimum.reduceat(rank, self.starts) % count if count else self.starts
        return rows

    def first_complete(self, wall: Sequence[int], helpers: Sequence[int], least: int) -> Places:
        """After how many tiles of the wall, from `least` on, some row of each entry misses none; all of the wall where
        that never is. The more tiles, the fewer are missing, so it is found by halving, for all entries at once."""
        natural, wild = self._running(wall, helpers)
        low, high = np.full(len(self.entries), least), np.full(len(self.entries), len(wall))
        of_rows = np.searchsorted(self.entries, self.entry)
        while (low < high).any():
            middle = (low + high) // 2
            here = middle[of_rows]
            done = np.minimum.reduceat(self.missing(natural[:, here], 0, wild[here]), self.starts) == 0
            low, high = np.where(done, low, np.minimum(middle + 1, high)), np.where(done, middle, high)
        return low

    def _running(self, wall: Sequence[int], helpers: Sequence[int]) -> tuple[Numbers, Numbers]:
        """How many tiles of each column, and of the helpers, are among the first 0, 1, 2... of the wall."""
        tiles = np.array([-1, *wall])
        natural = np.array(self.columns).reshape(-1, 1) == tiles
        return natural.cumsum(axis=1, dtype=np.int16), np.isin(tiles, helpers).cumsum(dtype=np.int16)


def summed(matrix: Numbers) -> Numbers:
    """The sum of every row; it stays a small number, which is what makes it fast."""
    total: Numbers = matrix.sum(axis=0, dtype=np.int16)
    return total


def matrix_of(
    rows: Sequence[Sequence[tuple[int, int]]],
    entries: Sequence[int],
    concealed: frozenset[int],
    free: frozenset[tuple[int, int]],
) -> Matrix:
    """The matrix of these rows of sets; `free`: the sets in which wild tiles may be used."""
    kinds = sorted({one for row in rows for one in row})
    number = {kind: at for at, kind in enumerate(kinds)}
    columns = tuple(sorted({tile for tile, _ in kinds}))
    times = np.zeros((len(kinds), len(rows)), np.int16)
    pairs = [(number[one], at) for at, row in enumerate(rows) for one in row]
    np.add.at(times, tuple(np.array(pairs, np.intp).reshape(-1, 2).T), 1)
    places = [np.zeros((len(columns), len(rows)), np.int16) for _ in range(2)]
    for (tile, count), row_times in zip(kinds, times, strict=True):
        places[(tile, count) in free][columns.index(tile)] += row_times * count
    of_rows = np.array(entries, np.intp)
    known, starts = np.unique(of_rows, return_index=True)
    return Matrix(
        columns,
        places[False],
        places[True],
        dict(zip(kinds, times, strict=True)),
        of_rows,
        np.isin(of_rows, list(concealed)),
        known,
        starts,
    )
