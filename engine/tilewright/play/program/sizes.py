"""Sizes: how many tiles of each suit or family a full hand may have. In: forms of a ruleset. Out: a quick rejection.

A hand whose tiles are spread over the families as in no form is rejected. What passes may or may not be a form; what is
rejected is not.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import product

from tilewright.base.memory import TheSame
from tilewright.hands.group import Groups
from tilewright.hands.reading import Shape, Slot
from tilewright.hands.wild import WildTiles
from tilewright.language.compiled.ruleset import Form
from tilewright.tiles.tileset import TileSet

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
