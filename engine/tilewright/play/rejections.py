"""Rejections: which hands are quickly seen to be no form. What passes may or may not be one.

By blocks: the tile set is cut into blocks of tiles that share no group; for each block and its counts, the cases of
forms that could use it up are cached. A hand without a case that can use up every block is not a form. Melds do not
matter, except those that may stand where a form has fixed tiles.

By sizes: how many tiles of each suit or family a full hand may have. A hand whose tiles are spread over the families as
in no form is rejected.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import product

from tilewright.base.memory import Remembered, TheSame
from tilewright.hands.reading import Groups, Shape, Slot, WildTiles
from tilewright.hands.readings import ReadingSearch
from tilewright.language.compiled.ruleset import Form
from tilewright.play.model import TableMeld
from tilewright.scoring.image.engine import CaseLookup, Engine
from tilewright.scoring.image.tables import Block, options_of
from tilewright.tiles.tileset import TileSet

MOST_ENGINES = 4  # of several engines
Rest = tuple[tuple[int, int], ...]  # the other tiles of a group that a wild tile completes: (tile, how many)


@lru_cache(maxsize=MOST_ENGINES)
def blocks_of(parts: TheSame, faces: tuple[int, ...]) -> "Blocks":
    """The blocks of an engine and its search of readings, for tables of some tiles: most mods and options leave them as
    they are."""
    engine, reader, _ = parts
    return Blocks(engine, reader, faces)


class Blocks:
    """Which hands the blocks allow, for the forms that tables know. `weights`: what each tile of the table adds to the
    number, a wild one beyond all blocks; `known`: these forms, none where cards decide."""

    def __init__(self, engine: Engine, reader: ReadingSearch, faces: Sequence[int]) -> None:
        self.engine = engine
        self.wild, self.keys = reader.wild, engine.keys
        wild = bool(self.wild.stands_for)  # they may stand for fixed tiles, which is more than blocks show
        covered = [row for row in engine.lookups if row and not (wild and any(lookup.key for lookup in row))]
        self.lookups = [lookup for row in covered for lookup in row if lookup.possible]
        self.weights = [engine.weights[face] for face in faces]
        self.beyond = self.keys.all.bit_length()
        self.helped = [list(dict.fromkeys(self.helped_by_one(lookup))) for lookup in self.lookups]
        self.order = sorted(range(len(self.keys.blocks)), key=lambda number: len(self.keys.blocks[number].tiles))
        self.blocks = [(block.at, block.mask, block) for block in (self.keys.blocks[number] for number in self.order)]
        # By the counts of a block: the cases that could use them up.
        self.cases = [Remembered(partial(self.usable, number)) for number in range(len(self.blocks))]
        self.cases_with_one = [Remembered(partial(self.usable_with_one, number)) for number in range(len(self.blocks))]
        looked_at = engine.fits and all(self.lies_in_one(rest) for rests in self.helped for rest in rests)
        self.known = frozenset(engine.data.forms[row[0].case.form].id for row in covered) if looked_at else frozenset()

    def stuck_at(self, key: int, first: int) -> int:
        """The number of a block after which no case is left that may use up a hand of these tiles, none of them wild;
        -1 where some case may. Fastest if `first` is that block."""
        at, mask, _ = self.blocks[first]
        if not self.cases[first][key >> at & mask]:
            return first
        cases = -1
        for number, (at, mask, _) in enumerate(self.blocks):
            cases &= self.cases[number][key >> at & mask]
            if not cases:
                return number
        return -1

    def hosts_one(self, melds: Iterable[TableMeld]) -> bool:
        """Whether some of the melds may stand where a form has fixed tiles."""
        for meld in melds:  # noqa: SIM110 - a generator takes longer, and every discard comes by here
            if (meld.group, meld.exposed) in self.engine.unplaced:
                return True
        return False

    @property
    def hosts(self) -> bool:
        """Whether there are such melds."""
        return bool(self.engine.unplaced)

    def allow_wild(self, key: int, wild: int) -> bool:
        """Whether some case may use up a hand with so many wild tiles. That two wild tiles suffice for a block is
        assumed."""
        if not self.lookups:
            return True
        needs = [0] * len(self.lookups)
        for number, (at, mask, _) in enumerate(self.blocks):
            counts = key >> at & mask
            alone = self.cases[number][counts]
            for case, need in enumerate(needs):
                if need <= wild and not alone >> case & 1:
                    needs[case] += 2 if need == wild or not self.cases_with_one[number][counts] >> case & 1 else 1
            if min(needs) > wild:
                return False
        return True

    def usable(self, number: int, counts: int) -> int:
        """The cases, as bits, that could use up these counts of a block's tiles."""
        return sum(self.uses_up(lookup, number, counts) << at for at, lookup in enumerate(self.lookups))

    def usable_with_one(self, number: int, counts: int) -> int:
        """The cases that could use them up with one wild tile in one of their groups."""
        block = self.blocks[number][2]
        bits = [
            any(self.uses_up(lookup, number, counts - less) for less in self.less(rests, block, counts))
            for lookup, rests in zip(self.lookups, self.helped, strict=True)
        ]
        return sum(bit << at for at, bit in enumerate(bits))

    def uses_up(self, lookup: CaseLookup, number: int, counts: int) -> bool:
        """Whether a case could use up these counts, beside its fixed tiles."""
        block = self.blocks[number][2]
        left = lookup.left_in(block, counts)
        return left is not None and left in lookup.tables[self.order[number]]

    def less(self, rests: Sequence[Rest], block: Block, counts: int) -> Iterable[int]:
        """The counts of the other tiles of each group that one wild tile completes, if the block has them."""
        held = dict(zip(block.tiles, self.keys.counts(block, counts), strict=True))
        for rest in rests:
            if all(held.get(tile, 0) >= number for tile, number in rest):
                yield sum(number * self.keys.weight[tile] >> block.at for tile, number in rest)

    def helped_by_one(self, lookup: CaseLookup) -> Iterable[Rest]:
        """The other tiles, counted, of every group of a case that a wild tile may stand in."""
        groups = self.engine.data.groups.groups
        for part in (part for slot in lookup.case.slots for part in options_of(slot, self.engine.tables.groups)):
            served = self.wild.served(groups[part.group].kinds) if part.group >= 0 else {}
            for stands in dict.fromkeys(tile for tile in part.tiles if tile in served):
                rest = list(part.tiles)
                rest.remove(stands)
                yield tuple(sorted((tile, rest.count(tile)) for tile in set(rest)))

    def lies_in_one(self, rest: Rest) -> bool:
        """Whether the tiles, if any, are all of one block."""
        return len({self.keys.place.get(tile, (-1, 0))[0] for tile, _ in rest}) < 2


Spread = tuple[int, ...]  # tiles of each family
MOST_SPREADS = 50_000
MOST_KNOWN = 16


@lru_cache(maxsize=MOST_KNOWN)
def sizes_of(parts: TheSame) -> "GroupSizes":
    """The sizes of tiles, groups and forms: most mods and options leave them as they are."""
    tiles, groups, *forms = parts
    return GroupSizes(tiles, groups, forms)


class GroupSizes:
    """The spreads that occur. Rejects nothing (`every` is true) where cards or conditions decide."""

    def __init__(self, tiles: TileSet, groups: Groups, forms: Sequence[Form]) -> None:
        self.tiles, self.groups, self.forms = tiles, groups, forms
        families = {tile.family: None for tile in tiles.tiles}
        number = {family: index for index, family in enumerate(families)}
        self.count = len(number)
        self.family = [number[tile.family] for tile in tiles.tiles]

    @cached_property
    def every(self) -> bool:
        """Whether any spread may be a form."""
        return not all(form.shape.cases and not form.shape.listed for form in self.forms)

    @cached_property
    def wild(self) -> dict[int, tuple[int, ...]]:
        """Wild tiles, each with the families that it may count to, its own among them."""
        stands_for = WildTiles(self.tiles).stands_for
        return {
            tile: tuple(sorted({self.family[one] for one in (tile, *stands)})) for tile, stands in stands_for.items()
        }

    def fits(self, spread: list[int], wild: Sequence[tuple[int, ...]]) -> bool:
        """Whether some form has such a spread, with each wild tile counted to one of its families."""
        allowed = self.allowed
        if allowed is None:
            return True
        for families in product(*wild):
            there = list(spread)
            for family in families:
                there[family] += 1
            if tuple(there) in allowed:
                return True
        return False

    @cached_property
    def allowed(self) -> frozenset[Spread] | None:
        """The spreads of tiles outside melds that some form has; None for any."""
        if self.every:
            return None
        found: set[Spread] = set()
        for form in self.forms:
            for case in form.shape.cases:
                found |= self.of_case(form.shape, case)
                if len(found) > MOST_SPREADS:
                    return None
        return frozenset(found)

    def of_case(self, shape: Shape, case: Sequence[Slot]) -> set[Spread]:
        """The spreads of a case, any of its groups being in melds."""
        if shape.pick is not None:
            return self.of_pick(shape.pick, case)
        nothing: Spread = (0,) * self.count
        found = {nothing}
        for slot in case:
            spreads = set(self.of_slot(slot))
            for _ in range(1 if slot.each else slot.count):
                found |= {added(one, other) for one in found for other in spreads}
        return found | {taken for spread in found for taken in self.hosted(shape, spread)}

    def of_pick(self, number: int, case: Sequence[Slot]) -> set[Spread]:
        """The spreads of at most so many different tiles of those in a case."""
        groups = self.groups.groups
        pool = {tile for slot in case for tile in slot.tiles}
        pool |= {tile for slot in case for group in slot.groups for tile in groups[group].tiles}
        most = self.spread(pool)
        return {spread for spread in combined([range(count + 1) for count in most]) if sum(spread) <= number}

    def hosted(self, shape: Shape, spread: Spread) -> Iterator[Spread]:
        """If other groups on the table may replace tiles, any part of the hand may be there."""
        if shape.melds:
            yield from combined([range(number + 1) for number in spread])

    def of_slot(self, slot: Slot) -> Iterator[Spread]:
        """The spreads of one group, or tile, of a slot."""
        if slot.each:
            yield self.spread(slot.tiles)
            return
        yield from {self.spread((tile,)) for tile in slot.tiles}
        yield from {self.spread(self.groups.groups[group].tiles) for group in slot.groups}

    def spread(self, tiles: Iterable[int]) -> Spread:
        counts = [0] * self.count
        for tile in tiles:
            counts[self.family[tile]] += 1
        return tuple(counts)


def added(one: Spread, other: Spread) -> Spread:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def combined(ranges: Sequence[range]) -> Iterator[Spread]:
    """Every choice of one number of each range."""
    if not ranges:
        yield ()
        return
    for rest in combined(ranges[1:]):
        yield from ((number, *rest) for number in ranges[0])
