"""Searched blocks: rows of blocks for which a table would be too large, or in which wild tiles stand for others.

In: the ways to make the groups of a block. Out: for the tiles of a hand, by state, how many tiles are missing at least,
and as bits which; found by a search that remembers. Counts of tiles are packed in one number, a field for each tile
with a free bit above it. Knows no hand and no copies in the box.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from tilewright.hands.distance.kernels import NEVER
from tilewright.hands.distance.states import Chance, Space
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


class SearchedBlock:
    """Tiles that share no group with those of other blocks, with every way to make a group of them."""

    def __init__(self, tiles: Sequence[int], choices: Sequence[FlatChoice]) -> None:
        self.tiles = tuple(tiles)
        at = {tile: number for number, tile in enumerate(self.tiles)}
        self.choices = [(choice, tuple((at[tile], count) for tile, count in choice.needs)) for choice in choices]
        self.guard = sum(1 << WIDTH * at + WIDTH - 1 for at in range(len(self.tiles)))
        self.kept = 0
        self._searches: dict[tuple[Space, Takes], BlockSearch] = {}

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


@dataclass(frozen=True, slots=True)
class Use:
    """Ways to make a group that take the same tiles, packed: how many are missing, and as bits which may be. `moves`:
    from which state to which."""

    takes: int
    moves: list[tuple[int, int]]
    missing: int
    lacks: int
    choices: tuple[FlatChoice, ...]


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
            use, key, number = next(self._ways(key, number, chance))
            if use is not None:
                yield use.choices[chance(len(use.choices))]

    def _ways(self, key: int, number: int, chance: Chance) -> Iterator[tuple[Use | None, int, int]]:
        """The last group of a state, or none of the lowest tile, with what was there before; beginning anywhere."""
        least, lowest, guard = self.row(key).missing[number], lowest_of(key), self.block.guard
        uses: list[Use | None] = [*self.uses(lowest), *([None] if key else [])]
        first = chance(len(uses))
        for use in uses[first:] + uses[:first]:
            if use is None:
                unused = without(key, lowest)
                if self.row(unused).missing[number] == least:
                    yield None, unused, number
                continue
            rest = key + guard - use.takes
            for before, to in use.moves if rest & guard == guard else ():
                if to == number and self.row(rest ^ guard).missing[before] + use.missing == least:
                    yield use, rest ^ guard, before

    def uses(self, lowest: int) -> list[Use]:
        """Every way to make a group with this tile and none below it; of no tile that is there if it is -1."""
        if lowest not in self._uses:
            self._uses[lowest] = self._joined(lowest)
        return self._uses[lowest]

    def _joined(self, lowest: int) -> list[Use]:
        """Ways that take the same tiles, and leave the same, together: those with the fewest missing."""
        found: dict[tuple[int, Takes, Counts], dict[int, tuple[int, list[FlatChoice]]]] = {}
        for choice, needs in self.block.choices:
            for takes, lacks in self._taken(needs, lowest):
                for used, paid in self._units(choice.units):
                    missing, bits = sum(lacks.values()) + sum(paid.values()), sum(1 << at for at in lacks | paid)
                    by_number = found.setdefault((choice.slot, takes, used), {})
                    old = by_number.get(missing, (0, []))
                    by_number[missing] = old[0] | bits, [*old[1], choice]
        slots = len(self.space.limits) - len(next(iter(found), (0, (), ()))[2])
        made = []
        for (slot, takes, used), by_number in found.items():
            missing = min(by_number)
            step = (*(int(at == slot) for at in range(slots)), *used)
            bits, choices = by_number[missing]
            made.append(Use(packed(takes), self.space.moves(step), missing, bits, tuple(choices)))
        return made

    def _taken(self, needs: Takes, lowest: int) -> Iterator[tuple[Takes, dict[int, int]]]:
        """Tiles that a group takes, the lowest among them, and those it then lacks."""
        if lowest >= 0 and all(at != lowest for at, _ in needs):
            return
        for own in product(*(range(count + 1) for _, count in needs)):
            takes = tuple((at, count) for (at, _), count in zip(needs, own, strict=True) if count)
            if min((at for at, _ in takes), default=-1) == lowest:
                lacks = {at: count - have for (at, count), have in zip(needs, own, strict=True) if count > have}
                if all(lacks.get(at, 0) <= room for at, room in self.scarce):
                    yield takes, lacks

    def _units(self, units: Counts) -> Iterator[tuple[Counts, dict[int, int]]]:
        """Wild tiles of each sort in a group: how many are held, and which are missing, as position -> number."""
        held, first = self.space.limits[len(self.space.limits) - len(units) :], len(self.block.tiles)
        for used in product(*(range(min(unit, own) + 1) for unit, own in zip(units, held, strict=True))):
            yield (
                used,
                {first + at: unit - own for at, (unit, own) in enumerate(zip(units, used, strict=True)) if unit > own},
            )


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
