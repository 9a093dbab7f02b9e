"""Lookup of the groups that tiles make: with a tile in question, in a hand, of a meld and one more tile.

In: a compiled ruleset; hands are counts of plain tiles. Knows no table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.hands.reading import WildTiles
from tilewright.language.compiled.ruleset import CompiledRuleset

Counted = tuple[tuple[int, int], ...]  # plain tiles with their counts


@dataclass(frozen=True, slots=True)
class MeldWay:
    """A group that a tile can be part of, the tile as `stands`; `rest`: the others of the group, counted."""

    group: int
    stands: int
    rest: Counted


class GroupIndex:
    """The groups of a ruleset, by what makes them."""

    def __init__(self, data: CompiledRuleset, wild: WildTiles) -> None:
        self.data, self.wild = data, wild
        self.ways: dict[tuple[str, int], tuple[MeldWay, ...]] = {}  # a cache, like those below
        self.groups_by_kind: dict[str, tuple[int, ...]] = {}
        self.needs: dict[str, tuple[tuple[int, Counted], ...]] = {}
        self.served_kinds: dict[str, bool] = {}
        self.grown_by: dict[tuple[str, int], tuple[tuple[int, int], ...]] = {}
        self.served_by: dict[int, dict[int, tuple[int, ...]]] = {}

    def ways_of(self, kind: str, tile: int) -> tuple[MeldWay, ...]:
        """The groups of a kind that a plain tile can be part of, as itself or as what it stands for."""
        known = self.ways.get((kind, tile))
        if known is None:
            known = self.ways[kind, tile] = tuple(self.found_ways(kind, tile))
        return known

    def found_ways(self, kind: str, tile: int) -> Iterator[MeldWay]:
        for index in self.groups_of(kind):
            served, tiles = self.served(index), self.data.groups.groups[index].tiles
            for stands in dict.fromkeys(tiles):
                if stands == tile or tile in served.get(stands, ()):
                    rest = Counter(tiles)
                    rest[stands] -= 1
                    yield MeldWay(index, stands, tuple(sorted((+rest).items())))

    def groups_of(self, kind: str) -> tuple[int, ...]:
        """The concrete groups that are made as this kind."""
        if kind not in self.groups_by_kind:
            self.groups_by_kind[kind] = tuple(self.made_as(kind))
        return self.groups_by_kind[kind]

    def made_as(self, kind: str) -> Iterable[int]:
        """The groups of a kind, without those of other kinds that only stand for it."""
        groups = self.data.groups
        declared = groups.kinds.get(kind)
        if declared is None:
            return []
        if declared.any:
            return sorted({index for one in declared.any for index in self.groups_of(one)})
        sizes = {declared.alike, declared.run, *map(len, declared.ranks)}
        return [
            g.index
            for g in groups.groups
            if len(g.tiles) in sizes and (kind in g.kinds or (declared.stands_for and kind in g.meld_kinds))
        ]

    def needs_of(self, kind: str) -> tuple[tuple[int, Counted], ...]:
        """The concrete groups of a kind, each with its plain tiles counted."""
        if kind not in self.needs:
            groups = self.data.groups.groups
            self.needs[kind] = tuple((g, tuple(sorted(Counter(groups[g].tiles).items()))) for g in self.groups_of(kind))
        return self.needs[kind]

    def in_hand(self, kind: str, counts: list[int]) -> list[tuple[int, Counted]]:
        """The groups of a kind that a hand with these counts may hold."""
        needs = self.needs_of(kind)
        if self.is_served(kind) and (wild := self.wild_in(counts)):
            return [one for one in needs if self.may_fill(one[0], one[1], counts, wild)]
        least, singles = self.single_needs.get(kind, (0, []))
        if singles:
            return [needs[at] for at, tile in singles if counts[tile] >= least] if max(counts) >= least else []
        return [one for one in needs if enough(counts, one[1])]

    def is_served(self, kind: str) -> bool:
        """Whether wild tiles may stand in some group of the kind."""
        if kind not in self.served_kinds:
            self.served_kinds[kind] = any(self.served(group) for group in self.groups_of(kind))
        return self.served_kinds[kind]

    def wild_in(self, counts: list[int]) -> int:
        """How many wild tiles a hand with these counts has."""
        return sum([counts[tile] for tile in self.wild.stands_for])

    def may_fill(self, group: int, needs: Counted, counts: list[int], wild: int) -> bool:
        """Whether the tiles of a hand, with so many wild ones, are enough for a group."""
        served = self.served(group)
        for tile, number in needs:
            if counts[tile] < number:
                wild -= number - counts[tile]
                if wild < 0 or tile not in served:
                    return False
        return True

    @cached_property
    def single_needs(self) -> dict[str, tuple[int, list[tuple[int, int]]]]:
        """For kinds of identical tiles: how many, and of each group its index and its tile."""
        found: dict[str, tuple[int, list[tuple[int, int]]]] = {}
        for kind in self.data.groups.kinds:
            groups = self.needs_of(kind)
            numbers = {number for _, needs in groups for _, number in needs}
            if len(numbers) == 1 and all(len(needs) == 1 for _, needs in groups):
                found[kind] = (numbers.pop(), [(at, needs[0][0]) for at, (_, needs) in enumerate(groups)])
        return found

    def held_ways(self, kind: str, tile: int, counts: list[int]) -> Sequence[MeldWay]:
        """The groups of a kind that a plain tile may make with a hand of these counts."""
        ways = self.ways_of(kind, tile)
        if self.is_served(kind) and (wild := self.wild_in(counts)):
            return [way for way in ways if self.may_fill(way.group, way.rest, counts, wild)]
        return [way for way in ways if enough(counts, way.rest)]

    def grown(self, kind: str, group: int) -> tuple[tuple[int, int], ...]:
        """The groups of a kind that this one becomes with one more tile, each with that plain tile."""
        if (kind, group) not in self.grown_by:
            self.grown_by[kind, group] = tuple(self.found_grown(kind, group))
        return self.grown_by[kind, group]

    def found_grown(self, kind: str, group: int) -> Iterator[tuple[int, int]]:
        before = Counter(self.data.groups.groups[group].tiles)
        for grown, needs in self.needs_of(kind):
            if len(self.data.groups.groups[grown].tiles) == before.total() + 1:
                more = Counter(dict(needs)) - before
                if more.total() == 1:
                    yield grown, next(iter(more))

    def stands_in(self, group: int) -> dict[int, int]:
        """Wild tile -> what it stands for in this group; of several that it may, or where it is itself a tile of the
        group, nothing."""
        found = self.all_stands(group)
        tiles = self.data.groups.groups[group].tiles
        return {wild: stands[0] for wild, stands in found.items() if len(stands) == 1 and wild not in tiles}

    def is_ambiguous(self, group: int) -> bool:
        """Whether what a wild tile stands for does not follow from the group."""
        return self.stands_in(group).keys() != self.all_stands(group).keys()

    def all_stands(self, group: int) -> dict[int, list[int]]:
        """Wild tile -> all it may stand for in this group."""
        found: dict[int, list[int]] = {}
        served = self.served(group)
        for stands in dict.fromkeys(self.data.groups.groups[group].tiles):
            for wild in served.get(stands, ()):
                found.setdefault(wild, []).append(stands)
        return found

    def served(self, group: int) -> dict[int, tuple[int, ...]]:
        """Plain tile -> the wild tiles that may be it in this group."""
        if not self.data.tiles.wild:
            return {}
        if group not in self.served_by:
            declared = self.data.groups.groups[group]
            self.served_by[group] = self.wild.served(declared.kinds | declared.meld_kinds, "melds")
        return self.served_by[group]


def enough(counts: list[int], needs: Counted) -> bool:
    """Whether there are as many of each tile as needed."""
    for tile, number in needs:  # noqa: SIM110 - a generator takes twice as long, and this is asked at every turn
        if counts[tile] < number:
            return False
    return True
