"""Tabled cases: what hands need for the slots of a case, from the tables of its blocks.

In: how many of each tile many hands hold, side by side (lanes). Out: how many tiles are missing, and which. Exact, if
need be by the targets that melds and tiles that are out allow. The table of a block has its targets (the tiles that
groups of each state come to), and for every count of its tiles and every state how many tiles are missing at least; it
is kept on disk (`tilewright.base.arrays`). Knows no faces, and no melds but for what they take.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from math import prod

import numpy as np

from tilewright.base.arrays import Array, arrays_of
from tilewright.hands.distance.kernels import HALF, NEVER, compare, fill, keyed, nearest
from tilewright.hands.distance.near import (
    Block,
    BlockChoice,
    BlockKind,
    Chance,
    Limits,
    Near,
    Space,
    WaysToSplit,
    nothing,
    size_of_tree,
    space_of,
)

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


# --- cases

MANY = 100  # lanes, for which numpy is faster than a compiled kernel


@dataclass(frozen=True, eq=False)
class TabledPart:
    """The blocks of a case that share a table."""

    table: Table
    blocks: Sequence[Block]

    @cached_property
    def tiles(self) -> Array:
        """The tiles of each block, after one that counts nothing."""
        return np.array([[0, *block.tiles] for block in self.blocks], np.int64)

    @cached_property
    def most(self) -> Array:
        """How many of each count."""
        most = [count for block in self.blocks for count in (0, *block.kind.most)]
        return np.array(most, np.int32).reshape(-1, 1)

    @cached_property
    def steps(self) -> Array:
        """What one of each adds to the key."""
        return np.tile(np.pad(self.table.steps, (1, 0)), len(self.blocks)).reshape(-1, 1)

    def rows(self, held: Array) -> Array:
        """(states, blocks, 1 + tiles of a block, lanes): each hand, then with each tile drawn."""
        table = self.table
        keys = keyed(held, self.tiles, self.most, self.steps, table.base, table.rank)
        found: Array = np.ascontiguousarray(table.rows.take(keys, axis=0).T)
        return found.reshape(-1, *self.tiles.shape, held.shape[1])


class TabledCase:
    """The tables of a case, for hands of at most `largest` tiles."""

    def __init__(self, blocks: Sequence[Block], limits: Limits, largest: int) -> None:
        self.space = space_of(limits)
        self.largest = largest
        self.parts = [
            TabledPart(table, some)
            for kind, alike in groupby(blocks, key=lambda block: block.kind)
            if (table := table_of(kind, largest)) is not None and (some := list(alike))
        ]
        self.whole = sum(len(part.blocks) for part in self.parts) == len(blocks)
        self.blocks = [(block, part.table) for part in self.parts for block in part.blocks]
        self.drawn = np.array([tile for block, _ in self.blocks for tile in (-1, *block.tiles)], np.int64)
        self.block = np.repeat(np.arange(len(self.blocks)), [1 + len(block.tiles) for block, _ in self.blocks])
        self.padding = size_of_tree(len(self.blocks)) - len(self.blocks)

    def rows(self, held: Array, space: Space) -> tuple[Array, Array]:
        """The rows of all blocks and of all draws, in a space that is perhaps smaller."""
        found = [part.rows(held) for part in self.parts]
        if space is not self.space:
            states = space.inside(self.space)
            found = [rows[states] for rows in found]
        rows = [rows[:, :, 0] for rows in found]
        drawn = [rows.reshape(rows.shape[0], -1, rows.shape[3]) for rows in found]
        if self.padding:
            rows.append(nothing(space, self.padding, held.shape[1]))
        return np.concatenate(rows, axis=1), np.concatenate(drawn, axis=1) if drawn else rows[0][:, :0]


@dataclass(frozen=True, eq=False)
class TabledWay:
    """A case with melds in some slots: `left` of each slot are to be filled, beside tiles that are needed anyway
    (`fixed`). `caps`: how many of each tile the seat may have in these."""

    case: TabledCase
    left: Limits
    fixed: Array
    caps: Array

    @cached_property
    def space(self) -> Space:
        return space_of(self.left)

    @cached_property
    def loops(self) -> "TabledLoops":
        """The same, compiled for few lanes."""
        return TabledLoops(self)

    @cached_property
    def scarce(self) -> Array:
        """Tiles of which a target may want more than there are."""
        return self.most > self.caps - self.fixed

    @cached_property
    def most(self) -> Array:
        """No more of each tile than this is in targets."""
        found = np.zeros(len(self.fixed), np.int64)
        for block, _ in self.case.blocks:
            found[list(block.tiles)] = block.kind.most
        return found

    @cached_property
    def needed(self) -> list[tuple[int, int]]:
        """The fixed tiles, each with how often."""
        return [(tile, count) for tile, count in enumerate(self.fixed.tolist()) if count]

    @cached_property
    def is_exact(self) -> bool:
        """Whether there are enough of each tile for any target."""
        return not self.scarce.any()

    def at_least(self, held: Sequence[int]) -> int:
        """No more than are missing, at a glance."""
        return sum([max(0, count - held[tile]) for tile, count in self.needed])

    def near(self, held: Array) -> Near:
        """What is missing if there are enough of each tile."""
        if held.shape[1] < MANY:
            return self.loops.near(held)
        own = np.maximum(held - self.fixed[:, None], 0) if self.needed else held
        return self._near(held, *self.case.rows(own, self.space))

    def _near(self, held: Array, rows: Array, drawn: Array) -> Near:
        pairs = self.space.pairs
        missing, lowered = nearest(rows, drawn, self.case.block, pairs.left, pairs.right)
        useful = np.zeros((len(held) + 1, held.shape[1]), np.bool_)
        useful[self.case.drawn] = lowered
        useful = useful[:-1]
        if self.needed:
            lacking = np.maximum(self.fixed[:, None] - held, 0)
            useful |= lacking > 0
            missing = np.minimum(missing + lacking.sum(axis=0), NEVER)
        return Near(missing, useful & (missing < NEVER) if missing.max() == NEVER else useful)

    def exact(self, held: Array, near: Near, best: Array) -> Near:
        """What is missing: by the targets that there are tiles for, where others are nearer, and no further than the
        best."""
        if self.is_exact:
            return near
        caps = (self.caps - self.fixed)[:, None]
        own = np.maximum(held - self.fixed[:, None], 0)
        wanted = np.minimum(near.missing + own, self.most[:, None])
        risky = (near.useful & self.scarce[:, None] & (wanted > caps)).any(axis=0) & (near.missing <= best)
        for lane in risky.nonzero()[0].tolist():
            near = near.with_lane(lane, self._capped(held[:, lane : lane + 1]))
        return near

    def _capped(self, held: Array) -> Near:
        """What is missing by the targets that there are tiles for; one lane."""
        own = np.maximum(held - self.fixed[:, None], 0)
        caps = np.maximum(self.caps - self.fixed, own[:, 0])  # what is held may be used
        rows, drawn = self.case.rows(own, self.space)
        for at, (block, table) in enumerate(self.case.blocks):
            tiles = list(block.tiles)
            if self.scarce[tiles].any():
                row, lacks = self._row(table, own[tiles, 0], caps[tiles])
                rows[:, at, 0] = row
                drawn[:, self.case.block == at, 0] = row[:, None] - np.pad(lacks, ((0, 0), (1, 0)))
        return self._near(held, rows, drawn)

    def _row(self, table: Table, held: Array, caps: Array) -> tuple[Array, Array]:
        """By state the fewest missing of targets within the caps, and the tiles that are missing in such a target."""
        row = np.full(len(self.space.states), NEVER, np.uint8)
        lacks = np.zeros((len(row), len(held)), np.uint8)
        for at, state in enumerate(self.space.inside(self.case.space).tolist()):
            targets = table.targets_in(state)
            targets = targets[:, (targets <= caps[:, None]).all(axis=0)]
            if targets.size:
                missing = missing_of(targets, held[:, None])
                row[at] = missing.min()
                lacks[at] = (targets[:, missing == row[at]] > held[:, None]).any(axis=1)
        return row, lacks

    def targets(self, held: Array) -> "TabledTargets":
        """The nearest whole hands, if there are enough of each tile."""
        return TabledTargets(self, held)


class TabledLoops:
    """A way for few lanes, in compiled loops."""

    def __init__(self, way: TabledWay) -> None:
        self.way, case, space = way, way.case, way.space
        self.parts, first, draw = [], 0, 0
        for part in case.parts:
            size = len(part.blocks), part.tiles.shape[1] - 1
            most = np.ascontiguousarray(part.most.reshape(part.tiles.shape)[:, 1:])
            tiles, table = np.ascontiguousarray(part.tiles[:, 1:]), part.table
            self.parts.append((tiles, most, table.steps, table.base, table.rank, table.rows, first, draw))
            first, draw = first + size[0], draw + size[0] * size[1]
        self.states = space.inside(case.space)
        self.tile_of = case.drawn[case.drawn >= 0]
        self.block_of = case.block[case.drawn >= 0]
        self.starts = np.cumsum([0, *map(len, space.sums)])
        self.pairs = np.array([pair for pairs in space.sums for pair in pairs], np.int64).reshape(-1, 2)
        self.space = np.zeros((3, first + 1, len(space.states)), np.int64)
        self.fixed = np.ascontiguousarray(way.fixed, np.int64)

    def near(self, held: Array) -> Near:
        """What is missing if there are enough of each tile."""
        lanes, states = held.shape[1], len(self.states)
        rows = np.empty((lanes, len(self.way.case.blocks), states), np.uint8)
        drawn = np.empty((lanes, len(self.tile_of), states), np.uint8)
        missing, useful = np.empty(lanes, np.int64), np.empty(held.shape, np.bool_)
        fixed, held = self.fixed, np.ascontiguousarray(held, np.int64)
        for tiles, most, steps, base, rank, table, first, draw in self.parts:
            fill(held, fixed, tiles, most, steps, base, rank, table, self.states, first, draw, rows, drawn)
        compare(
            held, fixed, rows, drawn, self.tile_of, self.block_of, self.starts, self.pairs, self.space, missing, useful
        )
        return Near(missing, useful)


class TabledTargets:
    """Some of the nearest whole hands of one hand."""

    def __init__(self, way: TabledWay, held: Array) -> None:
        self.way = way
        own = np.maximum(held - way.fixed, 0)
        rows, _ = way.case.rows(own[:, None], way.space)
        self.ways = WaysToSplit(rows[:, : len(way.case.blocks), 0], way.space)
        self.states = way.space.inside(way.case.space).tolist()
        self.counts = [tuple(own[list(block.tiles)].tolist()) for block, _ in way.case.blocks]

    def one(self, chance: Chance) -> list[int]:
        """The tiles of one of them beside the melds."""
        tiles = [tile for tile, count in self.way.needed for _ in range(count)]
        for (block, table), counts, state in zip(self.way.case.blocks, self.counts, self.ways.one(chance), strict=True):
            if state:
                near = table.nearest(counts, self.states[state])
                chosen = near[:, chance(near.shape[1])].tolist()
                tiles += [tile for tile, count in zip(block.tiles, chosen, strict=True) for _ in range(count)]
        return tiles
