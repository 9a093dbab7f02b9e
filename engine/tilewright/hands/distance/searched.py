"""Searched blocks: rows of blocks for which a table would be too large, or in which wild tiles stand for others.

In: the ways to make the groups of a block. Out: for the tiles of a hand, by state, how many tiles are missing at least,
and as bits which; found by a search that remembers. Counts of tiles are packed in one number, a field for each tile
with a free bit above it. Knows no hand and no copies in the box.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
