"""Searched cases: what hands need for the slots of a case whose tables would be too large, or with wild tiles.

In and out as of `tilewright.hands.distance.tabled`. A row of a block says by state how many tiles are missing at least,
and as bits which; it is found by a search that remembers. Counts of tiles are packed in one number, a field for each
tile with a free bit above it. Where a target may want more of a tile than there is, the plain way is asked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.kernels import NEVER, nearest
from tilewright.hands.distance.near import (
    Chance,
    Limits,
    Near,
    NoGlance,
    PlainWay,
    Space,
    Targets,
    WaysToSplit,
    nothing,
    size_of_tree,
    space_of,
    too_many,
)
from tilewright.hands.needs import CaseNeeds, FlatChoice

MOST_KEPT = 40_000  # rows of a block
MOST_BLOCKS = 2_000
FEW = 4  # tiles of a part that is put into one block with others
MOST_TILES = 12  # of a block of several parts
WIDTH = 8  # bits of a field

Counts = tuple[int, ...]
Takes = tuple[tuple[int, int], ...]  # (tile of the block, how many)


@dataclass(frozen=True, slots=True)
class SearchedRow:
    """By state: tiles missing, and as bits those that are missing in some nearest way, by position; wild tiles after
    those of the block."""

    missing: list[int]
    lacks: list[int]


def searched_blocks(case: CaseNeeds) -> "list[SearchedBlock] | None":
    """The blocks of a case, small parts joined; None if its slots need different groups."""
    found: list[SearchedBlock] = []
    tiles: tuple[int, ...] = ()
    choices: tuple[FlatChoice, ...] = ()
    for more, ways in sorted(case.choices(), key=lambda part: len(part[0])):
        if any(choice.group != -1 for choice in ways):
            return None
        if len(more) > FEW or len(tiles) + len(more) > MOST_TILES:
            found.append(block_of(more, ways))
        else:
            tiles, choices = tiles + more, choices + ways
    return [*found, block_of(tiles, choices)] if choices else found


@lru_cache(maxsize=MOST_BLOCKS)
def block_of(tiles: tuple[int, ...], choices: tuple[FlatChoice, ...]) -> "SearchedBlock":
    """The block of these choices, the same one for all cases that have it."""
    return SearchedBlock(tiles, choices)


@dataclass(frozen=True, slots=True)
class MadeGroup:
    """A group of tiles that are there and others that are missing, by position, wild tiles after those of the block;
    `used`: the wild tiles held that are in it, by sort."""

    choice: FlatChoice
    takes: Takes
    lacks: Mapping[int, int]
    used: Counts

    @property
    def missing(self) -> int:
        return sum(self.lacks.values())

    def fits(self, scarce: Takes) -> bool:
        """Whether it lacks no more of the scarce tiles than there are."""
        return all(self.lacks.get(at, 0) <= room for at, room in scarce)

    def moves(self, space: Space) -> list[tuple[int, int]]:
        """From which state to which it leads."""
        slots = len(space.limits) - len(self.used)
        return space.moves((*(int(at == self.choice.slot) for at in range(slots)), *self.used))


class SearchedBlock:
    """Tiles that share no group with those of other blocks, with every way to make a group of them."""

    def __init__(self, tiles: Sequence[int], choices: Sequence[FlatChoice]) -> None:
        self.tiles = tuple(tiles)
        at = {tile: number for number, tile in enumerate(self.tiles)}
        self.choices = [(choice, tuple((at[tile], count) for tile, count in choice.needs)) for choice in choices]
        self.guard = sum(1 << WIDTH * at + WIDTH - 1 for at in range(len(self.tiles)))
        self.kept = 0
        self._searches: dict[tuple[Space, Takes], BlockSearch] = {}
        self._groups: dict[tuple[Space, int], list[MadeGroup]] = {}

    def search(self, space: Space, rooms: Sequence[int]) -> "BlockSearch":
        """The search where there are `rooms` more of each tile. Only one group is compared with that, and only where
        there is no more than one tile. The last numbers of a state are wild tiles held that are used."""
        scarce = tuple([(at, room) for at, room in enumerate(rooms) if room < 2])
        if self.kept > MOST_KEPT:
            self._searches.clear()
            self.kept = 0
        if (space, scarce) not in self._searches:
            self._searches[space, scarce] = BlockSearch(self, space, scarce)
        return self._searches[space, scarce]

    def groups(self, space: Space, lowest: int) -> list[MadeGroup]:
        """Every way to make a group with this tile and none below it; of no tile that is there if it is -1."""
        if (space, lowest) not in self._groups:
            self._groups[space, lowest] = [
                MadeGroup(choice, takes, lacks | paid, used)
                for choice, needs in self.choices
                for takes, lacks in taken(needs, lowest)
                for used, paid in units_of(choice, len(self.tiles), space)
            ]
        return self._groups[space, lowest]


@dataclass(frozen=True, slots=True)
class Use:
    """Ways to make a group that take the same tiles, packed: how many are missing, and as bits which may be. `moves`:
    from which state to which."""

    takes: int
    moves: list[tuple[int, int]]
    missing: int
    lacks: int


class BlockSearch:
    """The rows of a block in one space with the same tiles scarce.

    A group may take fewer tiles than there are: what it then lacks either goes into another group, or the same target
    is found nearer where it takes them."""

    def __init__(self, block: SearchedBlock, space: Space, scarce: Takes) -> None:
        self.block = block
        self.space = space
        self.scarce = scarce
        self.known: dict[int, SearchedRow] = {}
        self._uses: dict[int, list[Use]] = {}

    def row(self, key: int) -> SearchedRow:
        """What can be made of the tiles: the lowest goes into a group, or is not used."""
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._of_tiles(key) if key else self._of_nothing()
            self.block.kept += 1
        return found

    def _of_tiles(self, key: int) -> SearchedRow:
        lowest, guard = lowest_of(key), self.block.guard
        unused = self.row(without(key, lowest))
        missing, lacks = list(unused.missing), list(unused.lacks)
        guarded = key + guard
        for use in self.uses(lowest):
            rest = guarded - use.takes
            if rest & guard == guard:
                enter(missing, lacks, self.row(rest ^ guard), use)
        return SearchedRow(missing, lacks)

    def _of_nothing(self) -> SearchedRow:
        """Groups of which no tile is there: in each round one more, until there is room for none."""
        states = len(self.space.states)
        row = SearchedRow([0] + [NEVER] * (states - 1), [0] * states)
        while True:
            before = SearchedRow(list(row.missing), list(row.lacks))
            for use in self.uses(-1):
                enter(row.missing, row.lacks, before, use)
            if row == before:
                return row

    def made(self, key: int, number: int, chance: Chance) -> Iterator[FlatChoice]:
        """Groups that bring the tiles into a state with the fewest missing."""
        while number:
            group, key, number = next(self._ways(key, number, chance))
            if group is not None:
                yield group.choice

    def _ways(self, key: int, number: int, chance: Chance) -> Iterator[tuple[MadeGroup | None, int, int]]:
        """The last group of a state, or none of the lowest tile, with what was there before; beginning anywhere."""
        least, lowest, guard = self.row(key).missing[number], lowest_of(key), self.block.guard
        groups: list[MadeGroup | None] = [*self.block.groups(self.space, lowest), *([None] if key else [])]
        first = chance(len(groups))
        for group in groups[first:] + groups[:first]:
            if group is None:
                unused = without(key, lowest)
                if self.row(unused).missing[number] == least:
                    yield None, unused, number
                continue
            rest = key + guard - packed(group.takes)
            if rest & guard == guard and group.fits(self.scarce):
                for before, to in group.moves(self.space):
                    if to == number and self.row(rest ^ guard).missing[before] + group.missing == least:
                        yield group, rest ^ guard, before

    def uses(self, lowest: int) -> list[Use]:
        """Every way to make a group with this tile and none below it; of no tile that is there if it is -1."""
        if lowest not in self._uses:
            self._uses[lowest] = self._joined(lowest)
        return self._uses[lowest]

    def _joined(self, lowest: int) -> list[Use]:
        """Ways that take the same tiles, and leave the same, together: those with the fewest missing."""
        found: dict[tuple[int, Takes, Counts], dict[int, list[MadeGroup]]] = {}
        for group in self.block.groups(self.space, lowest):
            if group.fits(self.scarce):
                alike = found.setdefault((group.choice.slot, group.takes, group.used), {})
                alike.setdefault(group.missing, []).append(group)
        made = []
        for by_number in found.values():
            missing = min(by_number)
            groups, bits = by_number[missing], 0
            for group in groups:
                bits |= sum(1 << at for at in group.lacks)
            made.append(Use(packed(groups[0].takes), groups[0].moves(self.space), missing, bits))
        return made


def taken(needs: Takes, lowest: int) -> Iterator[tuple[Takes, dict[int, int]]]:
    """Tiles that a group takes, the lowest among them, and those it then lacks."""
    if lowest >= 0 and all(at != lowest for at, _ in needs):
        return
    for own in product(*(range(count + 1) for _, count in needs)):
        takes = tuple((at, count) for (at, _), count in zip(needs, own, strict=True) if count)
        if min((at for at, _ in takes), default=-1) == lowest:
            yield takes, {at: count - have for (at, count), have in zip(needs, own, strict=True) if count > have}


def units_of(choice: FlatChoice, first: int, space: Space) -> Iterator[tuple[Counts, dict[int, int]]]:
    """Wild tiles of each sort in a group: how many are held, and which are missing, as position -> number."""
    units = choice.units
    held = space.limits[len(space.limits) - len(units) :]
    for used in product(*(range(min(unit, own) + 1) for unit, own in zip(units, held, strict=True))):
        short = (unit - own for unit, own in zip(units, used, strict=True))
        yield used, {first + at: count for at, count in enumerate(short) if count}


def enter(missing: list[int], lacks: list[int], others: SearchedRow, use: Use) -> None:
    """Enter everything of `others` with one group more. The innermost loop of all."""
    before, bits, more, also = others.missing, others.lacks, use.missing, use.lacks
    for at, to in use.moves:
        total = before[at] + more
        if total < missing[to]:
            missing[to] = total
            lacks[to] = bits[at] | also
        elif total == missing[to] and total < NEVER:
            lacks[to] |= bits[at] | also


def packed(counts: Iterable[tuple[int, int]]) -> int:
    """The counts of tiles, by position, in one number."""
    return sum([count << WIDTH * at for at, count in counts])


def lowest_of(key: int) -> int:
    """The position of the first tile with a count; -1 if there is none."""
    return ((key & -key).bit_length() - 1) // WIDTH


def without(key: int, at: int) -> int:
    """The counts above this position only."""
    return key >> WIDTH * (at + 1) << WIDTH * (at + 1)


@dataclass(frozen=True, eq=False)

# --- cases


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
