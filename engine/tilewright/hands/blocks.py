"""Blocks: parts of the tile set that share no group, each with a table for every number of its tiles: groups in each
slot -> tiles missing. Tables are made when they are first asked for and joined by looking up what was joined before.

Knows slots and ways to fill them, as `tilewright.hands.needs` finds them; knows no hand and no copies in the box.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

from tilewright.hands.listed import NEVER
from tilewright.hands.needs import FlatChoice

MOST_KEPT = 40_000  # tables of a block, rows of a hand, joins
MOST_SPACES = 500
NO_TILES: frozenset[int] = frozenset()

Counts = tuple[int, ...]
Vector = tuple[int, ...]  # tiles missing, by state
Free = tuple[int, ...]  # wild tiles held that are used, of each sort
Chance = Callable[[int], int]  # a number from 0 to below another one


@dataclass(frozen=True, slots=True)
class BlockTable:
    """By state: tiles missing, and packed the most of each tile that is missing in a nearest way."""

    missing: list[int]
    most: list[int]


class Space:
    """States: numbers of groups in each slot, then of wild tiles used, each up to a limit, counted through."""

    def __init__(self, slots: Sequence[int], held: Free) -> None:
        self.slots = tuple(slots)
        self.limits = (*slots, *held)
        self.states = list(product(*(range(limit + 1) for limit in self.limits)))
        self.number = {state: at for at, state in enumerate(self.states)}
        self._moves: dict[tuple[int, Free], list[tuple[int, int]]] = {}
        self._joins: Joins | None = None

    def moves(self, slot: int, free: Free) -> list[tuple[int, int]]:
        """From each state to that with one group more in the slot and this many wild tiles more."""
        key = (slot, free)
        if key not in self._moves:
            step = (*(int(at == slot) for at in range(len(self.slots))), *free)
            self._moves[key] = list(self._pairs(step))
        return self._moves[key]

    def _pairs(self, step: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        for at, state in enumerate(self.states):
            to = self.number.get(tuple(a + b for a, b in zip(state, step, strict=True)))
            if to is not None:
                yield at, to

    @cached_property
    def sums(self) -> list[list[tuple[int, int]]]:
        """For each state, the pairs of states that come to it."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.states]
        for at, state in enumerate(self.states):
            for other, to in self._pairs(state):
                found[to].append((at, other))
        return found

    @property
    def joins(self) -> "Joins":
        """The joins of its vectors so far; new ones when there are too many."""
        if self._joins is None or self._joins.full:
            self._joins = Joins(self)
        return self._joins

    @cached_property
    def wholes(self) -> list[tuple[int, int]]:
        """The pairs of states that fill every slot together."""
        full = [at for at, state in enumerate(self.states) if state[: len(self.slots)] == self.slots]
        return [pair for at in full for pair in self.sums[at]]


@lru_cache(maxsize=MOST_SPACES)
def space_of(slots: Counts, held: Free) -> Space:
    """The space of these limits, the same one for all that have them."""
    return Space(slots, held)


class Joins:
    """Vectors of a space, each with a number, and what they come to when joined. All of it is remembered."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._numbers: dict[Vector, int] = {}
        self._vectors: list[Vector] = []
        self._joined: dict[tuple[int, int], int] = {}
        self._wholes: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
        self.nothing = self.number((0, *(NEVER for _ in space.states[1:])))

    def number(self, vector: Vector) -> int:
        """The number of the vector."""
        found = self._numbers.get(vector)
        if found is None:
            found = self._numbers[vector] = len(self._vectors)
            self._vectors.append(vector)
        return found

    def joined(self, one: int, other: int) -> int:
        """The fewest missing if both blocks are there."""
        key = (one, other) if one <= other else (other, one)
        found = self._joined.get(key)
        if found is None:
            a, b = self._vectors[one], self._vectors[other]
            vector = tuple(min(NEVER, min(a[i] + b[j] for i, j in pairs)) for pairs in self.space.sums)
            found = self._joined[key] = self.number(vector)
        return found

    def whole(self, one: int, rest: int) -> tuple[int, tuple[int, ...]]:
        """The fewest missing to fill every slot, and the states of the first in which that is so."""
        found = self._wholes.get((one, rest))
        if found is None:
            a, b = self._vectors[one], self._vectors[rest]
            least = min([a[i] + b[j] for i, j in self.space.wholes], default=NEVER)
            states = {i for i, j in self.space.wholes if a[i] + b[j] == least} if least < NEVER else ()
            found = self._wholes[one, rest] = (min(least, NEVER), tuple(sorted(states)))
        return found

    def missing(self, number: int, state: int) -> int:
        """How many tiles are missing in a state of a vector."""
        return self._vectors[number][state]

    @property
    def full(self) -> bool:
        """Whether so much is remembered that it should be dropped."""
        return len(self._joined) + len(self._wholes) + len(self._numbers) > MOST_KEPT


class TileBlock:
    """Tiles that share no group with those of other blocks, with every way to make a group of them. Numbers of missing
    tiles are packed in fields, one for each tile and then one for each sort of wild tiles: the lowest n bits are set if
    n of it may be missing."""

    def __init__(self, tiles: Sequence[int], choices: Sequence[FlatChoice], width: int, sorts: int) -> None:
        self.tiles = tuple(tiles)
        self.width = width
        self.sorts = sorts
        at = {tile: number for number, tile in enumerate(self.tiles)}
        self.choices = [(choice, tuple((at[tile], count) for tile, count in choice.needs)) for choice in choices]
        self.kept = 0
        self._scopes: dict[tuple[Space, Takes, Counts], _Scope] = {}

    def table(
        self, space: Space, counts: Counts, rooms: Sequence[int], tracked: frozenset[int] = NO_TILES
    ) -> BlockTable:
        """The table of these counts of tiles, of which there may be `rooms` more. No group needs more than that of a
        tile where there may be one more or none; what all groups need together is only compared for `tracked` ones."""
        scope = self._scope(space, rooms, tracked)
        return scope.table((counts, NONE, tuple([rooms[at] for at in scope.tracked])))

    def made(
        self, space: Space, counts: Counts, rooms: Sequence[int], tracked: frozenset[int], number: int, chance: Chance
    ) -> Iterator[FlatChoice]:
        """Groups that bring these tiles into a state with the fewest missing, one such way by chance."""
        scope = self._scope(space, rooms, tracked)
        return scope.made((counts, NONE, tuple([rooms[at] for at in scope.tracked])), number, chance)

    def _scope(self, space: Space, rooms: Sequence[int], tracked: frozenset[int]) -> "_Scope":
        if self.kept > MOST_KEPT:
            self._scopes.clear()
            self.kept = 0
        scarce = tuple([(at, room) for at, room in enumerate(rooms) if room < 2])
        counted = tuple(sorted(tracked))
        scope = self._scopes.get((space, scarce, counted))
        if scope is None:
            scope = self._scopes[space, scarce, counted] = _Scope(self, space, scarce, counted)
        return scope

    def shifts(self, lacks: Mapping[int, int]) -> tuple[tuple[int, int, int], ...]:
        """What raises these fields by these numbers. For each number: itself, the bits that move up so far, and those
        that are set at the bottom."""
        found: dict[int, tuple[int, int]] = {}
        for field, count in lacks.items():
            low, ones = found.get(count, (0, 0))
            start, kept = field * self.width, max(0, self.width - count)
            found[count] = low | ((1 << kept) - 1) << start, ones | ((1 << self.width - kept) - 1) << start
        return tuple((count, low, ones) for count, (low, ones) in found.items())


Rival = tuple[int, int]  # (slot, group) that may be filled so only once
NONE: frozenset[Rival] = frozenset()


@dataclass(frozen=True, slots=True)
class _Use:
    """Ways to make a group that take the same tiles: how many are missing, and packed which ones may be. `holds`: bits
    of the tiles taken; `before`: from which state each is reached; `rival`: what cannot be done again; `counted`:
    tracked tiles that are missing; `choices`: the groups."""

    holds: int
    takes: "Takes"
    moves: list[tuple[int, int]]
    before: dict[int, int]
    missing: int
    shifts: tuple[tuple[int, int, int], ...]
    rival: Rival | None
    counted: Counts
    choices: tuple[FlatChoice, ...]

    @property
    def plain(self) -> bool:
        """Whether it can be repeated."""
        return self.rival is None and not any(self.counted)


State = tuple[Counts, frozenset[Rival], Counts]  # tiles, groups that are made, tracked tiles that may be missing


class _Scope:
    """The tables of a block in one space with the same tiles scarce and tracked.

    A group may take fewer tiles than there are: what it then lacks either goes into another group, or the same target
    is found nearer where it takes them."""

    def __init__(self, block: TileBlock, space: Space, scarce: "Takes", tracked: Counts) -> None:
        self.block = block
        self.space = space
        self.held = space.limits[len(space.slots) :]
        self.scarce = scarce
        self.tracked = tracked
        self.known: dict[State, BlockTable] = {}
        self._through: dict[int, list[_Use]] = {}

    def table(self, state: State) -> BlockTable:
        """What can be made of the tiles: the lowest goes into a group, or is not used."""
        found = self.known.get(state)
        if found is None:
            lowest = next((at for at, count in enumerate(state[0]) if count), -1)
            found = self._of_nothing(state) if lowest < 0 else self._of_tiles(state, lowest)
            self.known[state] = found
            self.block.kept += 1
        return found

    def _of_tiles(self, state: State, lowest: int) -> BlockTable:
        counts, used, rooms = state
        unused = self.table(((*counts[:lowest], 0, *counts[lowest + 1 :]), used, rooms))
        missing, most = list(unused.missing), list(unused.most)
        absent = sum([1 << at for at, count in enumerate(counts) if not count])
        for use in self._uses(lowest):
            if not use.holds & absent:
                after = self._after(state, use)
                if after is not None:
                    self._enter(missing, most, self.table(after), use)
        return BlockTable(missing, most)

    def _of_nothing(self, state: State) -> BlockTable:
        """Groups of which no tile is there."""
        uses = self._uses(-1)
        table = self._again_and_again([use for use in uses if use.plain])
        once: dict[Rival, list[_Use]] = {}
        for use in uses:
            if use.rival is not None and use.rival not in state[1] and not any(use.counted):
                once.setdefault(use.rival, []).append(use)
        for ways in once.values():
            before = BlockTable(list(table.missing), list(table.most))
            for use in ways:
                self._enter(table.missing, table.most, before, use)
        for use in uses:
            after = self._after(state, use) if any(use.counted) else None
            if after is not None:
                self._enter(table.missing, table.most, self.table(after), use)
        return table

    def _again_and_again(self, uses: list[_Use]) -> BlockTable:
        """Any number of these groups: in each round one more, until there is room for none."""
        missing, most = [NEVER] * len(self.space.states), [0] * len(self.space.states)
        missing[0] = 0
        while True:
            before = BlockTable(list(missing), list(most))
            for use in uses:
                self._enter(missing, most, before, use)
            if (missing, most) == (before.missing, before.most):
                return before

    def _after(self, state: State, use: _Use) -> State | None:
        """What is left when this group is made; None if it cannot be."""
        counts, used, rooms = state
        left = list(counts)
        for at, count in use.takes:
            if left[at] < count:
                return None
            left[at] -= count
        if use.rival is not None:
            if use.rival in used:
                return None
            used = used | {use.rival}
        if rooms and any(use.counted):
            rooms = tuple(room - count for room, count in zip(rooms, use.counted, strict=True))
            if min(rooms) < 0:
                return None
        return tuple(left), used, rooms

    def made(self, state: State, number: int, chance: Chance) -> Iterator[FlatChoice]:
        """Groups that bring the tiles into a state with the fewest missing."""
        while number:
            use, state, number = next(self._ways(state, number, chance))
            if use is not None:
                yield use.choices[chance(len(use.choices))]

    def _ways(self, state: State, number: int, chance: Chance) -> "Iterator[tuple[_Use | None, State, int]]":
        """The last group of a state, or none of the lowest tile, with what was there before; beginning anywhere."""
        counts, used, rooms = state
        least = self.table(state).missing[number]
        lowest = next((at for at, count in enumerate(counts) if count), -1)
        uses: list[_Use | None] = [*self._uses(lowest), *([None] if lowest >= 0 else [])]
        first = chance(len(uses))
        for use in uses[first:] + uses[:first]:
            if use is None:
                unused = ((*counts[:lowest], 0, *counts[lowest + 1 :]), used, rooms)
                if self.table(unused).missing[number] == least:
                    yield None, unused, number
                continue
            before = use.before.get(number)
            after = self._after(state, use) if before is not None else None
            if after is not None and before is not None and self.table(after).missing[before] + use.missing == least:
                yield use, after, before

    def _enter(self, missing: list[int], most: list[int], others: BlockTable, use: _Use) -> None:
        """Enter everything of `others` with one group more. The innermost loop of all."""
        further, packings = others.missing, others.most
        for at, to in use.moves:
            total = further[at] + use.missing
            if total > missing[to] or total >= NEVER:
                continue
            packed = packings[at]
            for count, low, ones in use.shifts:
                packed |= (packed & low) << count | ones
            if total < missing[to]:
                missing[to] = total
                most[to] = packed
            else:
                most[to] |= packed

    def _uses(self, lowest: int) -> list[_Use]:
        """Every way to make a group with this tile and none below it; of no tile that is there if it is -1."""
        if lowest not in self._through:
            self._through[lowest] = self._joined(lowest)
        return self._through[lowest]

    def _joined(self, lowest: int) -> list[_Use]:
        """Ways that take the same tiles, and leave the same, together."""
        found: dict[Alike, tuple[int, dict[int, int], list[FlatChoice]]] = {}
        for choice, needs in self.block.choices:
            rival = None if choice.group == -1 else (choice.slot, choice.group)
            for takes, lacks in self._taken(needs, lowest):
                counted = tuple([lacks.get(at, 0) for at in self.tracked])
                for free, paid in self._units(choice.units):
                    self._add(found, (choice.slot, takes, free, rival, counted), lacks | paid, choice)
        return [
            _Use(
                sum(1 << at for at, _ in takes),
                takes,
                self.space.moves(slot, free),
                {to: at for at, to in self.space.moves(slot, free)},
                missing,
                self.block.shifts(most),
                rival,
                counted,
                tuple(choices),
            )
            for (slot, takes, free, rival, counted), (missing, most, choices) in found.items()
        ]

    def _add(
        self,
        found: "dict[Alike, tuple[int, dict[int, int], list[FlatChoice]]]",
        key: "Alike",
        lacks: dict[int, int],
        choice: FlatChoice,
    ) -> None:
        """The fewest missing; of equals the most of each."""
        missing = sum(lacks.values())
        known = found.get(key)
        if known is None or known[0] > missing:
            found[key] = (missing, lacks, [choice])
        elif known[0] == missing:
            known[2].append(choice)
            for field, count in lacks.items():
                known[1][field] = max(known[1].get(field, 0), count)

    def _taken(self, needs: "Takes", lowest: int) -> "Iterator[tuple[Takes, dict[int, int]]]":
        """Tiles that a group takes, the lowest among them, and those it then lacks."""
        if lowest >= 0 and all(at != lowest for at, _ in needs):
            return
        for own in product(*(range(count + 1) for _, count in needs)):
            takes = tuple((at, count) for (at, _), count in zip(needs, own, strict=True) if count)
            if min((at for at, _ in takes), default=-1) != lowest:
                continue
            lacks = {at: count - have for (at, count), have in zip(needs, own, strict=True) if count > have}
            if all(lacks.get(at, 0) <= room for at, room in self.scarce):
                yield takes, lacks

    def _units(self, units: Free) -> list[tuple[Free, dict[int, int]]]:
        """Wild tiles of each sort in a group: how many are held, and which are missing, as field -> number."""
        first = len(self.block.tiles)
        ways = product(*(range(min(unit, held) + 1) for unit, held in zip(units, self.held, strict=True)))
        return [
            (
                free,
                {first + at: unit - own for at, (unit, own) in enumerate(zip(units, free, strict=True)) if unit > own},
            )
            for free in ways
        ]


Takes = tuple[tuple[int, int], ...]  # (tile of the block, how many)
Alike = tuple[
    int, Takes, Free, Rival | None, Counts
]  # slot, tiles taken, wild ones, what cannot be done again, tracked
