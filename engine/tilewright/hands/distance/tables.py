"""Tables: for every count of a block's tiles and every state, how many tiles are missing at least.

In: a kind of block. Out: its targets (the tiles that groups of each state come to), and a row of the table for each
hand, found by a key in two halves. Kept on disk (`tilewright.base.arrays`). Knows no hand.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import prod

import numpy as np

from tilewright.base.arrays import Array, arrays_of
from tilewright.hands.distance.blocks import BlockChoice, BlockKind
from tilewright.hands.distance.kernels import HALF, NEVER
from tilewright.hands.distance.states import space_of

MOST_TARGETS = 300_000
MOST_TABLES = 200
MOST_NEAREST = 20_000
MOST_HIGH = 1 << 31 - HALF
WHOLE = 100_000  # counts: a table of no more has a row for each


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`rows[base[high] + rank[low]]` is the row of a hand, by the halves of its key; what one tile adds to the key is
    in `steps`. `distinct`: the rows that differ, few; `number`: which of them each row is. `targets`: tiles by
    position, side by side; `starts`: where those of each state begin, and the end."""

    rows: Array
    distinct: Array
    number: Array
    base: Array
    rank: Array
    steps: Array
    targets: Array
    starts: Array

    def targets_in(self, state: int) -> Array:
        """The targets of a state: (tiles, targets)."""
        return self.targets[:, self.starts[state] : self.starts[state + 1]]

    @lru_cache(maxsize=MOST_NEAREST)  # noqa: B019 - tables are kept as long
    def nearest(self, counts: tuple[int, ...], state: int) -> Array:
        """The targets of a state that are nearest to a hand: (tiles, targets)."""
        targets = self.targets_in(state)
        missing = missing_of(targets, np.array(counts)[:, None])
        return targets[:, missing == missing.min()]


def missing_of(targets: Array, held: Array) -> Array:
    """How many tiles of each target are missing."""
    found: Array = np.maximum(targets - held.astype(np.int8), 0).sum(axis=0, dtype=np.int8)
    return found


@lru_cache(maxsize=MOST_TABLES)
def table_of(kind: BlockKind, largest: int) -> Table | None:
    """The table for hands of at most `largest` tiles; None if it would be too large."""
    arrays = arrays_of(("distance", 4, kind, largest), lambda: arrays_for(kind, largest))
    return Table(**arrays) if arrays else None


def arrays_for(kind: BlockKind, largest: int) -> Mapping[str, Array]:
    """The arrays of a table; none if it has too many targets, or halves of keys are too large."""
    radix = [count + 1 for count in kind.most]
    places = np.array([prod(radix[at + 1 :]) for at in range(len(radix))], np.int64)
    split = 0 if prod(radix) <= WHOLE else len(radix) // 2
    keys = targets_of(kind, places) if prod(radix[:split]) <= MOST_HIGH and prod(radix[split:]) < 1 << HALF else None
    if keys is None:
        return {}
    missing = np.full((len(keys), prod(radix)), NEVER, np.uint8)
    for state, found in enumerate(keys):
        missing[state, found] = 0
    spread(missing.reshape(len(keys), *radix))
    sums_high, sums_low = sums_of(radix[:split]), sums_of(radix[split:])
    order = np.argsort(sums_low, kind="stable")
    fitting = np.searchsorted(sums_low[order], largest - sums_high, side="right")
    kept = np.concatenate([high * len(order) + order[:count] for high, count in enumerate(fitting.tolist())])
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    targets = np.concatenate(keys) // places[:, None] % np.array(radix)[:, None]
    rows = np.ascontiguousarray(missing[:, kept].T)
    distinct, number = numbered(rows)
    return {
        "rows": rows,
        "distinct": distinct,
        "number": number.astype(np.int32),
        "base": np.concatenate([[0], fitting.cumsum()[:-1]]).astype(np.int32),
        "rank": rank,
        "steps": np.array(
            [place // len(order) << HALF if at < split else place for at, place in enumerate(places)], np.int32
        ),
        "targets": targets.astype(np.int8),
        "starts": np.cumsum([0, *map(len, keys)]),
    }


def numbered(rows: Array) -> tuple[Array, Array]:
    """Those of some rows of bytes that differ, in their order, and which of them each row is."""
    number, count = np.zeros(len(rows), np.int64), 1
    for column in rows.T:
        number = (number << 8) + column
        seen = np.zeros(count << 8, np.bool_)
        seen[number] = True
        number, count = (seen.cumsum() - 1)[number], int(seen.sum())
    first = np.zeros(count, np.int64)
    first[number[::-1]] = np.arange(len(rows))[::-1]
    return rows[first], number


def sums_of(radix: list[int]) -> Array:
    """For each key of these digits their sum."""
    found = np.zeros(1, np.int64)
    for count in radix:
        found = (found[:, None] + np.arange(count)).reshape(-1)
    return found


def targets_of(kind: BlockKind, places: Array) -> list[Array] | None:
    """By state the tiles that its groups may be, as sorted keys; None if they are too many."""
    space = space_of(kind.limits)
    keys = [np.zeros(int(not number), np.int64) for number in range(len(space.states))]
    for slot, once, choices in rivals(kind):
        moves = space.moves(tuple(int(at == slot) for at in range(len(kind.limits))))
        for at, to in reversed(moves) if once else moves:  # forwards a group may be there again
            more = [shifted(keys[at], one, kind, places) for one in choices]
            if any(map(len, more)):
                keys[to] = np.unique(np.concatenate([keys[to], *more]))
        if sum(map(len, keys)) > MOST_TARGETS:
            return None
    return keys


def rivals(kind: BlockKind) -> Iterator[tuple[int, bool, list[BlockChoice]]]:
    """Choices of which only one may be made, and each other one: their slot, whether only once, and they."""
    ordered = sorted(kind.choices, key=lambda one: (one.slot, one.once))
    for (slot, once), choices in groupby(ordered, key=lambda one: (one.slot, one.once)):
        if once == -1:
            yield from ((slot, False, [one]) for one in choices)
        else:
            yield slot, True, list(choices)


def shifted(keys: Array, choice: BlockChoice, kind: BlockKind, places: Array) -> Array:
    """The keys with the group added where there are enough copies."""
    for at, count in choice.needs:
        keys = keys[keys // places[at] % (kind.most[at] + 1) + count <= kind.most[at]] + count * places[at]
    return keys


def spread(missing: Array) -> None:
    """From targets to all counts, one tile after the other: a tile too few is one more missing, one too many is
    none. First axis: states."""
    for axis in range(1, missing.ndim):
        along = np.moveaxis(missing, axis, 0)
        for count in range(len(along) - 1, 0, -1):
            np.minimum(along[count - 1], along[count] + np.uint8(1), out=along[count - 1])
        for count in range(1, len(along)):
            np.minimum(along[count], along[count - 1], out=along[count])
