"""Needs: what a hand still needs for a list of slots, exactly: how many tiles, and which could be among them.

A target is a choice of groups for every slot; a hand needs the missing tiles of the nearest targets. No
target takes more of a tile than there is. Tables are kept for each part of the tile set (tiles that share no group are
apart), for each number of its tiles: groups of each slot, and wild tiles used -> fewest tiles missing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from tilewright.hands.reading import Groups, Slot, WildTiles

MOST_STEPS = 500_000  # table entries looked at for one question
MOST_TILES = 150  # of a hand
MOST_KEPT = 300_000  # tables kept between questions
MOST_FILLINGS = 60_000  # ways to make the groups of a case, with wild tiles

Key = int  # packed numbers: groups in each slot, then wild tiles of each sort
Table = dict[Key, tuple[int, int]]  # -> tiles missing; packed: the most of each tile that is missing in a nearest way


class TooManyNeeds(Exception):
    """What a hand needs cannot be found in reasonable time in this ruleset."""


@dataclass(frozen=True, slots=True)
class Need:
    """How many tiles are missing, and every tile that is among them in some nearest target."""

    missing: int
    tiles: frozenset[int]


@dataclass(frozen=True, slots=True)
class Holding:
    """What a seat has: `held` plain tiles that a target may take, `out` those that it cannot."""

    held: Counter[int]
    out: Counter[int]


@dataclass(frozen=True, slots=True)
class FlatChoice:
    """A way to make a group for a slot: natural tiles that it needs, and how many wild tiles of each sort. `group`:
    only if the slot needs different ones, otherwise -1."""

    slot: int
    group: int
    needs: tuple[tuple[int, int], ...]
    units: tuple[int, ...]


class CaseNeeds:
    """The tables of one list of slots."""

    def __init__(self, groups: Groups, wild: WildTiles, slots: tuple[Slot, ...]) -> None:
        self.slots = slots
        self.wild = wild
        self.wild_tiles = tuple(sorted(wild.stands_for))
        limits = [slot.count for slot in slots] + [wild.copies[tile] for tile in self.wild_tiles]
        self.packing = _Packing(limits)
        fillings = list(self._fillings(groups))
        self.columns = tuple(sorted({tile for filling in fillings for tile, _ in filling.needs}))
        self._at = {tile: number for number, tile in enumerate(self.columns)}
        demand = sum(
            slot.count * max((len(f.tiles) for f in fillings if f.slot == at), default=0)
            for at, slot in enumerate(slots)
        )
        self.width = 1 + max((min(wild.copies[tile], demand) for tile in self.columns), default=0)
        self.parts = [_Part(self, part) for part in _parted(fillings)]
        self.steps = 0

    def need(self, holding: Holding, left: tuple[int, ...], used: frozenset[tuple[int, int]]) -> Need | None:
        """What is needed to fill what is left of the slots; None if no target fits. `used`: (slot, group) that melds
        took of slots which need different groups."""
        self.steps = 0
        if holding.held.total() > MOST_TILES:
            raise TooManyNeeds
        rooms = {tile: self.wild.copies[tile] - holding.out[tile] - holding.held[tile] for tile in self.columns}
        tracked: frozenset[int] = frozenset()
        while True:
            found = self._nearest(_Question(holding, rooms, tracked, used, self._units(holding)), left)
            if found is None:
                return None
            missing, most = found
            over = {tile for tile in self.columns if self._bit(most, tile, max(rooms[tile], 0))} - tracked
            if not over:
                return Need(missing, frozenset(tile for tile in self.columns if self._bit(most, tile, 0)))
            tracked |= over

    def _bit(self, most: int, tile: int, number: int) -> bool:
        """Whether more than this many of the tile are missing in some nearest way."""
        return number < self.width and bool(most >> self.field(tile) + number & 1)

    def field(self, tile: int) -> int:
        """Where the bits of a tile begin: the lowest n are set if n of it may be missing."""
        return self._at[tile] * self.width

    def choices(self) -> "Iterator[tuple[tuple[int, ...], tuple[FlatChoice, ...]]]":
        """For each part of the tile set its tiles, and every way to make a group of them."""
        for part in self.parts:
            yield (
                part.tiles,
                tuple(
                    FlatChoice(
                        choice.slot,
                        choice.group,
                        tuple((part.tiles[at], count) for at, count in choice.needs),
                        self.packing.unpacked(choice.key)[len(self.slots) :],
                    )
                    for choice in part.choices
                ),
            )

    def step(self, number: int) -> None:
        """Count work, and stop a ruleset that needs too much of it."""
        self.steps += number
        if self.steps > MOST_STEPS:
            raise TooManyNeeds

    def _units(self, holding: Holding) -> tuple[int, ...]:
        return tuple(holding.held[tile] for tile in self.wild_tiles)

    def _nearest(self, question: "_Question", left: tuple[int, ...]) -> tuple[int, int] | None:
        whole: Table = {0: (0, 0)}
        spare = [self.wild.copies[tile] - question.holding.out[tile] for tile in self.wild_tiles]
        packing = self.packing.narrowed([*left, *(max(0, number) for number in spare)])
        for part in self.parts:
            whole = self._joined(whole, part.table(question), packing)
        best: tuple[int, int] | None = None
        for key, (missing, most) in whole.items():
            numbers = packing.unpacked(key)
            if numbers[: len(left)] == left:
                wanted = sum(max(0, n - held) for n, held in zip(numbers[len(left) :], question.units, strict=True))
                best = _better(best, (missing + wanted, most))
        return best

    def _joined(self, one: Table, other: Table, packing: "_Packing") -> Table:
        joined: Table = {}
        self.step(len(one) * len(other))
        for key, (missing, most) in one.items():
            for more, (further, others) in other.items():
                if packing.holds(key + more):
                    joined[key + more] = _better(joined.get(key + more), (missing + further, most | others))
        return joined

    # Ways to make a group

    def _fillings(self, groups: Groups) -> "Iterator[_Filling]":
        made = 0
        for number, slot in enumerate(self.slots):
            for filling in self._of_slot(number, slot, groups):
                made += 1
                if made > MOST_FILLINGS:
                    raise TooManyNeeds
                if self.packing.holds(filling.key):
                    yield filling

    def _of_slot(self, number: int, slot: Slot, groups: Groups) -> "Iterator[_Filling]":
        for index in sorted(slot.groups):
            group = groups.groups[index]
            served = self.wild.served(group.kinds | group.meld_kinds)
            yield from self._of_tiles(number, index if slot.different else -1, group.tiles, served)
        singles = [tuple(sorted(slot.tiles))] if slot.each else [(tile,) for tile in sorted(slot.tiles)]
        for tiles in singles if slot.tiles else ():
            yield from self._of_tiles(number, -2 - tiles[0] if slot.different else -1, tiles, {})

    def _of_tiles(
        self, number: int, group: int, tiles: tuple[int, ...], served: dict[int, tuple[int, ...]]
    ) -> "Iterator[_Filling]":
        """Each tile by itself, or by wild tiles; a wild tile counts as wild everywhere."""
        each = [
            [
                (tile, count - away, helpers)
                for away in range(count + 1)
                for helpers in combinations_with_replacement(served.get(tile, ()), away)
            ]
            for tile, count in sorted(Counter(tiles).items())
        ]
        for way in product(*each):
            needs = tuple((tile, count) for tile, count, _ in way if count and tile not in self.wild_tiles)
            units = Counter(helper for _, _, helpers in way for helper in helpers)
            units.update({tile: count for tile, count, _ in way if tile in self.wild_tiles})
            numbers = [at == number for at in range(len(self.slots))] + [units[tile] for tile in self.wild_tiles]
            yield _Filling(number, group, tiles, needs, self.packing.packed(numbers))


@dataclass(frozen=True, slots=True)
class _Filling:
    """A way to make a group for a slot: natural tiles needed, and what it counts for. `group`: only if the slot
    needs different ones, otherwise -1."""

    slot: int
    group: int
    tiles: tuple[int, ...]
    needs: tuple[tuple[int, int], ...]
    key: Key


@dataclass(frozen=True, slots=True)
class _Question:
    """A holding, how many of each tile are left for it, tiles whose missing number is kept count of, groups that may
    not be taken again, and wild tiles held."""

    holding: Holding
    rooms: dict[int, int]
    tracked: frozenset[int]
    used: frozenset[tuple[int, int]]
    units: tuple[int, ...]


class _Packing:
    """Small numbers side by side in one integer, with a free bit above each that shows when its limit is passed."""

    def __init__(self, limits: Iterable[int], widths: tuple[int, ...] = ()) -> None:
        self.limits = tuple(limits)
        self.widths = widths or tuple(limit.bit_length() + 2 for limit in self.limits)
        self.starts = tuple(sum(self.widths[:at]) for at in range(len(self.widths)))
        tops = [1 << (width - 2) for width in self.widths]
        self.offset = sum(top - 1 - limit << at for top, limit, at in zip(tops, self.limits, self.starts, strict=True))
        self.guard = sum(3 * top << at for top, at in zip(tops, self.starts, strict=True))

    def narrowed(self, limits: list[int]) -> "_Packing":
        """The same places with lower limits."""
        return _Packing((min(pair) for pair in zip(limits, self.limits, strict=True)), self.widths)

    def packed(self, numbers: Iterable[int]) -> Key:
        """The numbers in one; one too large for its place is kept just above its limit."""
        pairs = zip(numbers, self.limits, self.starts, strict=True)
        return sum(min(number, limit + 1) << at for number, limit, at in pairs)

    def unpacked(self, key: Key) -> tuple[int, ...]:
        return tuple(key >> at & (1 << width) - 1 for at, width in zip(self.starts, self.widths, strict=True))

    def holds(self, key: Key) -> bool:
        """No number is above its limit. `key` is a sum of at most two keys that hold."""
        return not key + self.offset & self.guard


State = tuple[tuple[int, ...], tuple[int, ...], frozenset[int]]  # tiles left, missing of tracked ones, groups used


class _Part:
    """Tiles whose groups share no tile with others."""

    def __init__(self, case: CaseNeeds, fillings: list[_Filling]) -> None:
        self.case = case
        self.tiles = tuple(sorted({tile for filling in fillings for tile, _ in filling.needs}))
        self.fields = tuple(case.field(tile) for tile in self.tiles)
        at = {tile: number for number, tile in enumerate(self.tiles)}
        self.choices = [
            _NeedChoice(number, f.key, tuple((at[tile], count) for tile, count in f.needs), f.slot, f.group)
            for number, f in enumerate(dict.fromkeys(fillings))
        ]
        self.through = [
            [c for c in self.choices if any(tile == lowest for tile, _ in c.needs)] for lowest in range(len(self.tiles))
        ]
        self.kept: dict[object, dict[State, Table]] = {}
        self.number_kept = 0

    def table(self, question: _Question) -> Table:
        """Fewest tiles missing for every number of groups and wild tiles."""
        held = question.holding.held
        rooms = [question.rooms[tile] for tile in self.tiles]
        tracked = tuple(number for number, tile in enumerate(self.tiles) if tile in question.tracked)
        limits = _Limits(
            closed=tuple(room <= 0 for room in rooms),
            tracked=tracked,
            rooms=tuple(rooms[number] for number in tracked),
            units=question.units,
        )
        used = frozenset(c.number for c in self.choices if c.group != -1 and (c.slot, c.group) in question.used)
        return _NeedSearch(self, limits).table((tuple(held[tile] for tile in self.tiles), (0,) * len(tracked), used))

    def memory(self, limits: "_Limits") -> dict[State, Table]:
        """Tables made under these limits; all are dropped when there are too many."""
        if self.number_kept > MOST_KEPT:
            self.kept.clear()
            self.number_kept = 0
        return self.kept.setdefault(limits, {})

    def rivals(self, choice: "_NeedChoice") -> frozenset[int]:
        """Choices that a slot of different groups cannot take beside this one."""
        if choice.group == -1:
            return frozenset()
        return frozenset(c.number for c in self.choices if (c.slot, c.group) == (choice.slot, choice.group))


@dataclass(frozen=True, slots=True)
class _NeedChoice:
    """A filling with the positions of its tiles in a part."""

    number: int
    key: Key
    needs: tuple[tuple[int, int], ...]
    slot: int
    group: int


@dataclass(frozen=True, slots=True)
class _Limits:
    """By position: tiles of which none may be missing, those whose missing number is counted and how many there are;
    and the wild tiles held."""

    closed: tuple[bool, ...]
    tracked: tuple[int, ...]
    rooms: tuple[int, ...]
    units: tuple[int, ...]


class _NeedSearch:
    """The tables of a part under the same limits."""

    def __init__(self, part: _Part, limits: _Limits) -> None:
        self.part = part
        self.limits = limits
        self.case = part.case
        self.packing = part.case.packing
        self.known = part.memory(limits)
        self.bits = (1 << part.case.width) - 1

    def table(self, state: State) -> Table:
        """What can be made of the tiles left: the lowest goes into a group, or is not used."""
        found = self.known.get(state)
        if found is None:
            lowest = next((number for number, count in enumerate(state[0]) if count), None)
            found = self._sparing(self._of_nothing(state) if lowest is None else self._of_tiles(state, lowest))
            self.known[state] = found
            self.part.number_kept += 1
        return found

    def _of_tiles(self, state: State, lowest: int) -> Table:
        counts, missed, used = state
        table = dict(self.table(((*counts[:lowest], 0, *counts[lowest + 1 :]), missed, used)))
        for choice in self.part.through[lowest]:
            taken = self._taken(state, choice)
            if taken:
                self._add(table, self.table(taken[0]), choice.key, taken[1])
        return table

    def _taken(self, state: State, choice: _NeedChoice) -> tuple[State, list[tuple[int, int]]] | None:
        """The tiles left when this is made, and what is missing for it; None if there cannot be so much."""
        counts, missed, used = state
        if choice.number in used:
            return None
        after = list(counts)
        lacks = []
        for tile, count in choice.needs:
            have = after[tile]
            if have >= count:
                after[tile] = have - count
                continue
            if self.limits.closed[tile]:
                return None
            after[tile] = 0
            lacks.append((tile, count - have))
        counted = self._counted(missed, lacks) if missed and lacks else missed
        if counted is None:
            return None
        return (tuple(after), counted, used | self.part.rivals(choice)), lacks

    def _counted(self, missed: tuple[int, ...], lacks: list[tuple[int, int]]) -> tuple[int, ...] | None:
        more = dict(lacks)
        total = tuple(m + more.get(tile, 0) for tile, m in zip(self.limits.tracked, missed, strict=True))
        return total if all(m <= room for m, room in zip(total, self.limits.rooms, strict=True)) else None

    def _add(self, table: Table, others: Table, key: Key, lacks: list[tuple[int, int]]) -> None:
        """Enter everything of `others` with one group more. The innermost loop of all: written out for speed."""
        self.case.step(len(others))
        total = sum(count for _, count in lacks)
        offset, guard, known = self.packing.offset, self.packing.guard, table.get
        for other, (missing, most) in others.items():
            both = other + key
            if both + offset & guard:
                continue
            old = known(both)
            if old is None or old[0] > missing + total:
                table[both] = missing + total, self._with(most, lacks)
            elif old[0] == missing + total:
                table[both] = old[0], old[1] | self._with(most, lacks)

    def _with(self, most: int, lacks: list[tuple[int, int]]) -> int:
        """Each of the tiles missing this many times more."""
        for tile, count in lacks:
            start = self.part.fields[tile]
            field = most >> start & self.bits
            most |= ((field << count | (1 << count) - 1) & self.bits) << start
        return most

    def _of_nothing(self, state: State) -> Table:
        """Groups of which no tile is there: layer by layer, one group more in each."""
        table: Table = {0: (0, 0)}
        layer: dict[tuple[Key, State], tuple[int, int]] = {(0, state): (0, 0)}
        while layer:
            further: dict[tuple[Key, State], tuple[int, int]] = {}
            for (key, at), (missing, most) in layer.items():
                self.case.step(len(self.part.choices))
                for choice in self.part.choices:
                    taken = self._taken(at, choice) if self.packing.holds(key + choice.key) else None
                    if taken:
                        so_far = (missing + sum(count for _, count in taken[1]), self._with(most, taken[1]))
                        place = (key + choice.key, taken[0])
                        further[place] = _better(further.get(place), so_far)
            for (key, _), found in further.items():
                table[key] = _better(table.get(key), found)
            layer = further
        return table

    def _sparing(self, table: Table) -> Table:
        """Without entries that need a wild tile drawn and miss no fewer others for it."""
        for at, held in enumerate(self.limits.units, len(self.case.slots)):
            start, mask = self.packing.starts[at], (1 << self.packing.widths[at]) - 1
            table = {
                key: found
                for key, found in table.items()
                if key >> start & mask <= held or (less := table.get(key - (1 << start))) is None or less[0] > found[0]
            }
        return table


def _better(old: tuple[int, int] | None, new: tuple[int, int]) -> tuple[int, int]:
    """The one with fewer missing; of equals both."""
    if old is None or new[0] < old[0]:
        return new
    return old if old[0] < new[0] else (old[0], old[1] | new[1])


def _parted(fillings: list[_Filling]) -> list[list[_Filling]]:
    """The fillings, parted where they share no tile, and no group that may stand only once."""
    parent: dict[object, object] = {}

    def root(token: object) -> object:
        parent.setdefault(token, token)
        while parent[token] != token:
            parent[token] = token = parent[parent[token]]
        return token

    tokens = {}
    for filling in fillings:
        own: list[object] = [tile for tile, _ in filling.needs]
        own += [(filling.slot, filling.group)] if filling.group != -1 else []
        tokens[filling] = own[0] if own else None
        for token in own[1:]:
            parent[root(token)] = root(own[0])
    parts: dict[object, list[_Filling]] = {}
    for filling in fillings:
        parts.setdefault(root(tokens[filling]), []).append(filling)
    return list(parts.values())
