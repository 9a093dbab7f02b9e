"""What all ways to win have in common: what a way says of many hands side by side (lanes), and the plain way.

States count through how many groups of each slot are made. Blocks cut the tile set where no group goes across; small
ones are joined, and those that are alike share a table. Of the plain way only `tilewright.hands.needs` knows how far it
is: exact and slow.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import Protocol

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.kernels import NEVER, joined
from tilewright.hands.needs import CaseNeeds, FlatChoice, Need
from tilewright.hands.reading import Hand, Meld, Shape, Slot
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.waits import aims, nearest

MOST_STATES = 128
MOST_SPACES = 500

Chance = Callable[[int], int]  # a number from 0 to below another one
Limits = tuple[int, ...]
State = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """For every state the pairs that come to it, in layers: the pairs of a layer, one for each state, stand together.
    A state with fewer pairs than others has its first one again."""

    left: Array
    right: Array


@dataclass(frozen=True)
class Space:
    """The states up to some limits, the last number changing fastest: the state that fills up another one to the limits
    stands as far from the end as that from the beginning."""

    limits: Limits

    @cached_property
    def states(self) -> list[State]:
        return list(product(*(range(limit + 1) for limit in self.limits)))

    @cached_property
    def number(self) -> dict[State, int]:
        return {state: number for number, state in enumerate(self.states)}

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs for the kernels."""
        found = self.sums
        most = max(map(len, found))
        layers = [[pairs[at] if at < len(pairs) else pairs[0] for pairs in found] for at in range(most)]
        left, right = np.array(layers, np.int64).reshape(-1, 2).T
        return Pairs(np.ascontiguousarray(left), np.ascontiguousarray(right))

    @cached_property
    def sums(self) -> list[list[tuple[int, int]]]:
        """For each state, the pairs of states that come to it."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.states]
        for at, state in enumerate(self.states):
            for other, to in self.moves(state):
                found[to].append((at, other))
        return found

    def moves(self, step: State) -> list[tuple[int, int]]:
        """From each state to that with so many groups more in each slot."""
        if step not in self._moves:
            steps = [tuple([a + b for a, b in zip(state, step, strict=True)]) for state in self.states]
            self._moves[step] = [(at, self.number[to]) for at, to in enumerate(steps) if to in self.number]
        return self._moves[step]

    @cached_property
    def _moves(self) -> dict[State, list[tuple[int, int]]]:
        return {}

    @lru_cache(maxsize=MOST_SPACES)  # noqa: B019 - spaces are kept as long
    def inside(self, wide: "Space") -> Array:
        """The number that each state has in a wider space."""
        return np.array([wide.number[state] for state in self.states], np.int64)


@lru_cache(maxsize=MOST_SPACES)
def space_of(limits: Limits) -> Space:
    """The space of these limits, the same one for all that have them."""
    return Space(limits)


def too_many(limits: Limits) -> bool:
    """Whether there are more states than tables should have."""
    return prod(limit + 1 for limit in limits) > MOST_STATES


def size_of_tree(blocks: int) -> int:
    """The next power of two, but not one."""
    return max(2, 1 << (blocks - 1).bit_length())


def nothing(space: Space, blocks: int, lanes: int) -> Array:
    """Rows of blocks without tiles: (states, blocks, lanes)."""
    rows = np.full((len(space.states), blocks, lanes), NEVER, np.uint8)
    rows[0] = 0
    return rows


class WaysToSplit:
    """In which state each block is where a hand is one of the nearest whole ones. `rows`: (states, blocks); without
    blocks every tile is needed anyway."""

    def __init__(self, rows: Array, space: Space) -> None:
        self.space = space
        self.rows = rows.T.tolist()
        pairs, after = space.pairs, nothing(space, 1, 1)
        last = [after[:, 0, 0].tolist()]  # what the blocks behind each come to, the last one first
        self.after = last if self.rows else []
        for at in range(rows.shape[1] - 1, 0, -1):
            one = np.ascontiguousarray(rows[:, at]).reshape(-1, 1, 1)
            after = joined(after, one, pairs.left, pairs.right)
            self.after.append(after[:, 0, 0].tolist())

    def one(self, chance: Chance) -> Iterator[int]:
        """A state for each block."""
        state = len(self.space.states) - 1
        for row, after in zip(self.rows, reversed(self.after), strict=True):
            pairs = self.space.sums[state]
            missing = [row[one] + after[rest] for one, rest in pairs]
            least = min(missing)
            best = [pair for pair, number in zip(pairs, missing, strict=True) if number == least]
            one, state = best[chance(len(best))]
            yield one


# --- blocks

FEW = 4  # tiles of a part that is put into one block with others
MOST_JOINED = 16_000_000  # cells of the table of such a block
MOST_CELLS = 24_000_000  # of any table, before counts that no hand has are left out

Part = tuple[tuple[int, ...], tuple[FlatChoice, ...]]


@dataclass(frozen=True, slots=True, order=True)
class BlockChoice:
    """A way to make a group of a slot: (position, how many) of its tiles. `once`: if not -1, only one of the choices
    with this number may be made, and only once."""

    slot: int
    needs: tuple[tuple[int, int], ...]
    once: int = -1


@dataclass(frozen=True, slots=True)
class BlockKind:
    """All that a table depends on. `most`: no more of each tile is ever in groups."""

    limits: Limits
    most: tuple[int, ...]
    choices: tuple[BlockChoice, ...]

    @property
    def cells(self) -> int:
        """How large a table of all counts is."""
        return prod(count + 1 for count in (*self.most, *self.limits))


@dataclass(frozen=True, slots=True)
class Block:
    """Some tiles, and what their table depends on."""

    tiles: tuple[int, ...]
    kind: BlockKind


def blocks_of(case: CaseNeeds) -> list[Block] | None:
    """The blocks of a case, alike ones one after the other; None if wild tiles stand for others in its groups, or a
    table would be too large."""
    parts = [natural(case, *part) for part in case.choices()]
    found = [part for part in parts if part is not None]
    tiles = [tile for part in found for tile in part[0]]
    if len(found) < len(parts) or len(set(tiles)) < len(tiles):
        return None
    blocks = joined_parts(sorted(found, key=lambda part: (len(part[0]), part[0])), case)
    if any(block.kind.cells > MOST_CELLS for block in blocks):
        return None
    kinds = list(dict.fromkeys(block.kind for block in blocks))
    return sorted(blocks, key=lambda block: kinds.index(block.kind))


def natural(case: CaseNeeds, tiles: Sequence[int], choices: Iterable[FlatChoice]) -> Part | None:
    """The part with wild tiles among its tiles that are there as themselves; None if some stand for others."""
    made: list[FlatChoice] = []
    for choice in choices:
        wild = tuple((tile, count) for tile, count in zip(case.wild_tiles, choice.units, strict=True) if count)
        if wild and choice.needs:
            return None
        made.append(FlatChoice(choice.slot, choice.group, choice.needs or wild, ()))
    return tuple(sorted({*tiles, *(tile for choice in made for tile, _ in choice.needs)})), tuple(made)


def joined_parts(parts: Iterable[Part], case: CaseNeeds) -> list[Block]:
    """The parts as blocks; several small ones as one."""
    found: list[Block] = []
    small: Part = (), ()
    for part in parts:
        if len(part[0]) > FEW:
            found.append(block_of(part, case))
            continue
        both: Part = small[0] + part[0], small[1] + part[1]
        if small[0] and block_of(both, case).kind.cells > MOST_JOINED:
            found.append(block_of(small, case))
            both = part
        small = both
    return [*found, block_of(small, case)] if small[0] else found


def block_of(part: Part, case: CaseNeeds) -> Block:
    """The part with its choices by position."""
    tiles, ways = part
    at = {tile: number for number, tile in enumerate(tiles)}
    rivals = {key: number for number, key in enumerate(dict.fromkeys((one.slot, one.group) for one in ways))}
    choices = {
        BlockChoice(
            one.slot,
            tuple(sorted((at[tile], count) for tile, count in one.needs)),
            -1 if one.group == -1 else rivals[one.slot, one.group],
        )
        for one in ways
    }
    limits = tuple(slot.count for slot in case.slots)
    most = tuple(min(case.wild.copies[tile], most_of(number, choices, limits)) for number, tile in enumerate(tiles))
    return Block(tiles, BlockKind(limits, most, tuple(sorted(choices))))


def most_of(at: int, choices: Iterable[BlockChoice], limits: Limits) -> int:
    """How many of a tile all groups together may have."""
    most = 0
    for slot, limit in enumerate(limits):
        using = [(dict(one.needs)[at], one.once) for one in choices if one.slot == slot and at in dict(one.needs)]
        times = limit if any(once == -1 for _, once in using) else min(limit, len(using))
        most += times * max((count for count, _ in using), default=0)
    return most


# --- ways


Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Near:
    """Of each lane the tiles missing, and by tile and lane whether drawing it makes them fewer."""

    missing: Array
    useful: Array

    def lane(self, lane: int) -> "Near":
        """One lane."""
        return Near(self.missing[lane : lane + 1], self.useful[:, lane : lane + 1])

    def with_lane(self, lane: int, one: "Near") -> "Near":
        """With another lane in this place."""
        missing, useful = self.missing.copy(), self.useful.copy()
        missing[lane], useful[:, lane] = one.missing[0], one.useful[:, 0]
        return Near(missing, useful)


class Targets(Protocol):
    """The nearest whole hands of one hand, if there are enough of each tile."""

    def one(self, chance: Chance) -> list[int]:
        """The tiles of one of them beside the melds; none if that is not known."""
        ...


class Way(Protocol):
    """A way to win, for a seat with known melds. `held`: how many of each tile; in arrays (tiles, lanes)."""

    @property
    def is_exact(self) -> bool:
        """Whether `near` is exact."""
        ...

    def at_least(self, held: Sequence[int]) -> int:
        """No more than are missing, at a glance."""
        ...

    def near(self, held: Array) -> Near:
        """What is missing, as if there were enough of each tile where that is faster."""
        ...

    def exact(self, held: Array, near: Near, best: Array) -> Near:
        """What is missing; `near`: what that says, which is all where more than the `best` number is missing."""
        ...

    def targets(self, held: Array) -> Targets:
        """The nearest whole hands."""
        ...


class NoGlance:
    """A way of which nothing is known at a glance."""

    __slots__ = ()

    def at_least(self, held: Sequence[int]) -> int:
        """Nothing, which is never too much."""
        return 0


@dataclass(frozen=True, slots=True)
class PlainWay(NoGlance):
    """A case (without one: every form) with these melds."""

    reader: ReadingSearch
    melds: tuple[Meld, ...]
    shape: Shape | None = None
    slots: tuple[Slot, ...] = ()

    @property
    def is_exact(self) -> bool:
        """It always is."""
        return True

    def near(self, held: Array) -> Near:
        """What is missing, exactly. Raises TooManyNeeds."""
        near = Near(np.zeros(held.shape[1], np.int64), np.zeros(held.shape, np.bool_))
        for lane, counts in enumerate(held.T.tolist()):
            need = self.need(tuple(counts))
            near.missing[lane] = need.missing
            near.useful[list(self.tiles(need, tuple(counts))), lane] = True
        return near

    def exact(self, held: Array, near: Near, best: Array) -> Near:
        """As near."""
        return near

    def targets(self, held: Array) -> "NoTargets":
        """Not known."""
        return NoTargets()

    def need(self, held: Counts) -> Need:
        """What the hand needs."""
        hand = Hand(tuple(tile for tile, count in enumerate(held) for _ in range(count)), self.melds)
        slow = aims(self.reader)
        if self.shape is None:
            return slow.need(hand, ())
        return nearest(list(slow.of_case(self.shape, self.slots, hand, Counter())))

    def tiles(self, need: Need, held: Counts) -> frozenset[int]:
        """The tiles that would lower it, wild ones among them."""
        wild = set()
        for tile in self.reader.wild.stands_for if need.missing else ():
            more = (*held[:tile], held[tile] + 1, *held[tile + 1 :])
            if self._left(tile, held) and self.need(more).missing < need.missing:
                wild.add(tile)
        return need.tiles | wild

    def _left(self, tile: int, held: Counts) -> bool:
        wild = self.reader.wild
        faces = (tile for meld in self.melds for tile in meld.tiles)
        shown = (other for other, count in enumerate(held) for _ in range(count) if wild.virtual(other))
        return wild.copies[tile] > held[tile] + wild.in_the_box([*faces, *shown])[tile]


class NoTargets:
    """No whole hands are known."""

    def one(self, chance: Chance) -> list[int]:
        """None."""
        return []
