"""Searched cases: what hands need for the slots of a case, where rows of its blocks are searched.

In and out as of `tilewright.hands.distance.tabled`. Where a target may want more of a tile than there is, the plain way
is asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.kernels import NEVER, nearest
from tilewright.hands.distance.near import Near, NoGlance, PlainWay, Targets
from tilewright.hands.distance.searched import BlockSearch, SearchedBlock, packed
from tilewright.hands.distance.states import (
    Chance,
    Limits,
    Space,
    WaysToSplit,
    nothing,
    size_of_tree,
    space_of,
    too_many,
)

MOST_KEPT = 40_000  # rows of a way

Counts = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SearchedWay(NoGlance):
    """A case with melds in some slots: `left` of each slot are to be filled. `caps`: how many of each tile the seat may
    have beside the melds; `wild`: wild tiles."""

    blocks: Sequence[SearchedBlock]
    wild: tuple[int, ...]
    limits: Limits
    left: Limits
    caps: Array
    plainly: PlainWay
    _rows: dict[tuple[int, Space], dict[bytes, Array]] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """Whether there are enough of each tile is only known for a hand."""
        return False

    def near(self, held: Array) -> Near:
        """What is missing if there are enough of each tile; where too many wild tiles are held, the plain answer."""
        near = Near(np.zeros(held.shape[1], np.int64), np.zeros(held.shape, np.bool_))
        for own, lanes in self._by_wild(held).items():
            limits = (*self.left, *own)
            some = held[:, lanes]
            one = self.plainly.near(some) if self.too_many(own) else self._near(some, space_of(limits))
            near.missing[lanes], near.useful[:, lanes] = one.missing, one.useful
        return near

    def too_many(self, wild: Counts) -> bool:
        """Whether that is too many wild tiles."""
        return too_many((*self.limits, *wild))

    def _by_wild(self, held: Array) -> dict[Counts, list[int]]:
        """The lanes with as many of each wild tile."""
        found: dict[Counts, list[int]] = {}
        for lane, own in enumerate(held[list(self.wild)].T.tolist()):
            found.setdefault(tuple(own), []).append(lane)
        return found

    def _near(self, held: Array, space: Space) -> Near:
        lanes = held.shape[1]
        found = [np.stack(self._rows_of(at, space, held), axis=-1) for at in range(len(self.blocks))]
        supply = self.supply(space, lanes)
        padding = nothing(space, size_of_tree(len(found) + 1) - len(found) - 1, lanes)
        rows = np.concatenate([*(one[:, :1] for one in found), supply, padding], axis=1)
        drawn = np.concatenate([one[:, 1:] for one in found], axis=1)
        tiles = [[*block.tiles, *self.wild] for block in self.blocks]
        block = np.repeat(np.arange(len(tiles)), list(map(len, tiles)))
        pairs = space.pairs
        whole, lowered = nearest(rows, drawn, block, pairs.left, pairs.right)
        useful = np.zeros(held.shape, np.bool_)
        np.logical_or.at(useful, np.concatenate([np.array(some, np.int64) for some in tiles]), lowered)
        missing = np.minimum(whole, NEVER).astype(np.int64)
        return Near(missing, useful & (missing > 0) & (missing < NEVER))

    def supply(self, space: Space, lanes: int) -> Array:
        """As a block: any number of the wild tiles held is left over."""
        free = [not any(state[: len(self.left)]) for state in space.states]
        row = np.where(free, 0, NEVER).astype(np.uint8)
        return np.ascontiguousarray(np.broadcast_to(row[:, None, None], (len(row), 1, lanes)))

    def _rows_of(self, number: int, space: Space, held: Array) -> list[Array]:
        """Of each lane (states, 1 + draws): the row of a block, and those with each of its tiles, and then each wild
        one, drawn."""
        known = self._rows.setdefault((number, space), {})
        if len(known) > MOST_KEPT:
            known.clear()
        rows = []
        for counts in np.ascontiguousarray(held[list(self.blocks[number].tiles)].T):
            key = counts.tobytes()
            if key not in known:
                known[key] = self._row(number, space, tuple(counts.tolist()))
            rows.append(known[key])
        return rows

    def _row(self, number: int, space: Space, counts: Counts) -> Array:
        row = self.search(number, space, counts).row(packed(enumerate(counts)))
        states = space.inside(self.wide(space))
        draws = np.arange(len(counts) + len(self.wild))
        lacks = np.array(row.lacks, np.int64)[states, None] >> draws & 1
        missing = np.array(row.missing, np.int64)[states, None]
        return np.concatenate([missing, missing - lacks], axis=1).astype(np.uint8)

    def search(self, number: int, space: Space, counts: Counts) -> BlockSearch:
        """The search for such tiles of a block: in the space of all slots, so that it serves for other melds too."""
        block = self.blocks[number]
        caps = self.caps[list(block.tiles)].tolist()
        return block.search(self.wide(space), [max(0, cap - count) for cap, count in zip(caps, counts, strict=True)])

    def wide(self, space: Space) -> Space:
        """The space with as many wild tiles, without melds."""
        return space_of((*self.limits, *space.limits[len(self.left) :]))

    def exact(self, held: Array, near: Near, best: Array) -> Near:
        """What is missing: plainly where more of some tile may be wanted than there is, and no further than the
        best."""
        risky: Array = near.useful & (near.missing > self.caps[:, None] - held)
        for lane in np.flatnonzero(risky.any(axis=0) & (near.missing <= best)).tolist():
            near = near.with_lane(lane, self.plainly.near(held[:, lane : lane + 1]))
        return near

    def targets(self, held: Array) -> Targets:
        """The nearest whole hands."""
        limits = (*self.left, *held[list(self.wild)].tolist())
        return (
            self.plainly.targets(held)
            if self.too_many(limits[len(self.left) :])
            else SearchedTargets(self, held, space_of(limits))
        )


class SearchedTargets:
    """Some of the nearest whole hands of one hand."""

    def __init__(self, way: SearchedWay, held: Array, space: Space) -> None:
        self.way = way
        counts = held.tolist()
        self.counts = [tuple(counts[tile] for tile in block.tiles) for block in way.blocks]
        self.searches = [way.search(at, space, some) for at, some in enumerate(self.counts)]
        self.states = space.inside(way.wide(space)).tolist()
        rows = [
            search.row(packed(enumerate(some))).missing for search, some in zip(self.searches, self.counts, strict=True)
        ]
        here = np.array(rows, np.uint8).T[self.states]
        self.ways = WaysToSplit(np.column_stack([here, way.supply(space, 1)[:, 0]]), space)

    def one(self, chance: Chance) -> list[int]:
        """The tiles of one of them, wild ones among them."""
        return list(self._tiles(chance))

    def _tiles(self, chance: Chance) -> Iterator[int]:
        for search, counts, state in zip(self.searches, self.counts, self.ways.one(chance), strict=False):
            for choice in search.made(packed(enumerate(counts)), self.states[state], chance):
                for tile, count in (*choice.needs, *zip(self.way.wild, choice.units, strict=True)):
                    yield from (tile for _ in range(count))
