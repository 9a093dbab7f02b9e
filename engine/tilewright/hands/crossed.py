"""Crossed: hands whose groups are described twice, as kinds of groups and as what these are made of, as listed hands.

In: alternative lists of slots for either side. Out: a listing. A set that may be of any of several tiles stays one set
(`Listing.choices`) where no other set of the hand may have these tiles, which makes far fewer rows. Knows no letters.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

from tilewright.hands.reading import Listing, Sets, Slot

MOST_ROWS = 50_000


class TooManyRows(ValueError):
    """There are too many such hands to list."""


@dataclass(frozen=True, slots=True)
class Block:
    """One group of a hand: this many of any one of the tiles, or one of each of them (`apart`). `template`: blocks of
    one template may have the same tile, others not."""

    tiles: tuple[int, ...]
    count: int
    template: int
    apart: bool = False


Blocks = tuple[Block, ...]
Case = tuple[Slot, ...]


@lru_cache(maxsize=4)  # the same with most options and mods of a ruleset
def crossed(
    kinds: tuple[tuple[Case, ...], ...],
    sides: tuple[Case, ...],
    rest: tuple[Slot, ...],
    groups: tuple[tuple[int, ...], ...],
    first: int,
) -> Listing:
    """All hands of which each group is of a slot of one of `kinds` (lists, each with its cases: an entry of the
    listing), and of a slot of one of the `sides` or of the rest. `groups`: the tiles of each. Choices are numbered from
    `first` on. Raises TooManyRows."""
    cross = Cross(groups, frozenset(index for slot in rest for index in slot.groups | slot.meld_groups))
    rows: dict[Sets, tuple[int, Sets]] = {}
    numbers: dict[tuple[int, ...], int] = {}
    for entry, cases in enumerate(kinds):
        for case, side in product(cases, sides):
            for blocks in cross.hands(case, side):
                sets = tuple(one for block in blocks for one in sets_of(block, numbers, first))
                rows.setdefault(tuple(sorted(sets)), (entry, sets))
            if len(rows) > MOST_ROWS:
                raise TooManyRows
    found = tuple(rows.values())
    return Listing(tuple(sets for _, sets in found), tuple(entry for entry, _ in found), choices=tuple(numbers))


def sets_of(block: Block, numbers: dict[tuple[int, ...], int], first: int) -> Sets:
    """A block as sets of a row."""
    if block.apart:
        return tuple((tile, 1) for tile in block.tiles)
    if len(block.tiles) == 1:
        return ((block.tiles[0], block.count),)
    return ((numbers.setdefault(block.tiles, first + len(numbers)), block.count),)


@dataclass(frozen=True, slots=True)
class Cross:
    """Gives the groups of one side to the slots of the other. `rest`: groups for those that are left."""

    groups: tuple[tuple[int, ...], ...]
    rest: frozenset[int]

    def hands(self, kinds: Case, side: Case) -> Iterator[Blocks]:
        """Every hand of a case of each side, as blocks that share no tile."""
        left = sum(slot.count for slot in kinds) - sum(slot.count for slot in side)
        if left < 0 or (left and not self.rest):
            return
        for named, rooms in self.placed(side, tuple(slot.count for slot in kinds), kinds):
            others = [self.others(slot, room) for slot, room in zip(kinds, rooms, strict=True)]
            for more in product(*others):
                unnamed = enumerate((block for blocks in more for block in blocks), len(side))
                yield from apart((*named, *(replace(block, template=number) for number, block in unnamed)))

    def placed(
        self, side: Case, rooms: tuple[int, ...], kinds: Case, template: int = 0
    ) -> Iterator[tuple[Blocks, tuple[int, ...]]]:
        """Every way to give the slots of a side to places of kinds, and the room that is left of these."""
        if not side:
            yield (), rooms
            return
        wanted = of_slot(side[0])
        for taken in combinations_with_replacement(range(len(rooms)), side[0].count):
            left = tuple(room - taken.count(at) for at, room in enumerate(rooms))
            if min(left) < 0:
                continue
            choices = [list(self.blocks(wanted & of_slot(kinds[at]), template)) for at in taken]
            for blocks in dict.fromkeys(product(*choices)):
                for more, room in self.placed(side[1:], left, kinds, template + 1):
                    yield (*blocks, *more), room

    def others(self, slot: Slot, room: int) -> Iterator[Blocks]:
        """Every way to fill what is left of a slot with groups of the rest."""
        found = [
            replace(block, tiles=tiles)
            for block in self.blocks(of_slot(slot) & self.rest, 0)
            for tiles in ([block.tiles] if room == 1 or block.apart else [(tile,) for tile in block.tiles])
        ]
        return combinations(found, room)

    def blocks(self, indices: frozenset[int], template: int) -> Iterator[Block]:
        """Groups as blocks, those of so many identical tiles as one."""
        alike: dict[int, list[int]] = {}
        for index in sorted(indices):
            tiles = self.groups[index]
            if len(set(tiles)) == 1:
                alike.setdefault(len(tiles), []).append(tiles[0])
            else:
                yield Block(tiles, 1, template, apart=True)
        yield from (Block(tuple(tiles), count, template) for count, tiles in alike.items())


def of_slot(slot: Slot) -> frozenset[int]:
    return slot.groups | slot.meld_groups


def apart(blocks: Blocks) -> Iterator[Blocks]:
    """The blocks with tiles of their own: where two may have one tile, each choice by itself."""
    for at, block in enumerate(blocks):
        others = [one for one in blocks if one is not block and one.template != block.template]
        shared = {tile for one in others for tile in one.tiles}
        if shared.isdisjoint(block.tiles):
            continue
        if block.apart or len(block.tiles) == 1:
            if any(one.apart or len(one.tiles) == 1 for one in others if not set(one.tiles).isdisjoint(block.tiles)):
                return
            continue
        for tile in block.tiles:
            yield from apart((*blocks[:at], replace(block, tiles=(tile,)), *blocks[at + 1 :]))
        return
    yield blocks
