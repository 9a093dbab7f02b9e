"""Classes of rows: rows that say the same, and what two of them come to when joined.

In: the rows that the blocks of a way may have, and its states. Out: `RowClasses`. Knows no tables and no tiles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.hands.distance.flat.growing import NotFlat
from tilewright.hands.distance.flat.rows import MOST_CLASSES
from tilewright.hands.distance.kernels import NEVER
from tilewright.hands.distance.states import Space
from tilewright.hands.distance.tables import numbered


@dataclass(frozen=True, eq=False)
class RowClasses:
    """`rows`: (classes, states), that of no tiles first. By two classes, `joined`: the class of both together (0 where
    nobody asks); `missing`: how many tiles are missing where both come to a whole hand."""

    rows: Array
    joined: Array
    missing: Array

    def of(self, rows: Array) -> Array:
        """The class of each row; 0 where it has none."""
        distinct, number = numbered(np.concatenate([self.rows, rows]))
        found = np.zeros(len(distinct), np.int64)
        found[number[: len(self.rows)]] = np.arange(len(self.rows))
        here: Array = found[number[len(self.rows) :]]
        return here


def classes_of(space: Space, rows: Sequence[Array], blocks: int) -> RowClasses:
    """The classes of the rows of single blocks, and of what up to all blocks but one come to. Raises NotFlat if they
    are very many."""
    nothing = np.full((1, len(space.states)), NEVER, np.uint8)
    nothing[0, 0] = 0
    single = found = merged([nothing, *rows])
    for _ in range(2, blocks):
        if len(found) > MOST_CLASSES:
            break
        found, before = merged([found, joined_rows(found, single, space).reshape(-1, len(space.states))]), len(found)
        if len(found) == before:
            break
    if len(found) > MOST_CLASSES:
        raise NotFlat(f"rows of tables of more than {MOST_CLASSES} classes")
    found = np.concatenate([nothing, found[(found != nothing).any(axis=1)]])
    both = joined_rows(found, found, space)
    plain = RowClasses(found, both, both[:, :, -1])
    return RowClasses(found, plain.of(both.reshape(-1, len(space.states))).reshape(both.shape[:2]), plain.missing)


def merged(rows: Sequence[Array]) -> Array:
    """Those of the rows that differ."""
    return numbered(np.concatenate(rows))[0]


def joined_rows(one: Array, other: Array, space: Space) -> Array:
    """What each row of one list and each of another come to: (one, other, states)."""
    found = np.full((len(one), len(other), len(space.states)), NEVER, np.uint8)
    for state, pairs in enumerate(space.sums):
        for left, right in pairs:
            here = found[:, :, state]
            np.minimum(here, one[:, left, None] + other[None, :, right], out=here)
    return found
