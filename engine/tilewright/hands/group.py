"""Groups: every concrete group that a tile set can make (2m 3m 4m, E E E ...), with the kinds it is.

Knows no hand and no reading.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GroupKind:
    """A kind of group as declared. Exactly one of alike, run, ranks, any is set.

    `families`: where a run may lie (ids of suits or unranked families). `steps`: the differences a run may have
    (a span of 1.. is cut at what fits). `called`: other names in case files, with whether such a meld is concealed
    (name -> True).
    """

    id: str
    alike: int | None = None
    run: int | None = None
    ranks: tuple[tuple[int, ...], ...] = ()
    any: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    steps: tuple[int, int | None] = (1, 1)  # from, to (None: as far as it fits)
    across_suits: bool = False  # suits: different
    stands_for: str | None = None
    called: Mapping[str, bool] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """One concrete group: a multiset of plain tiles. Two kinds that make the same tiles share one Group.

    `kinds`: every name under which a template finds it anywhere, unions (`any`) included.
    `meld_kinds`: further names under which it is found only among melds (through `stands_for`; a kind that stands
    for another is itself found only among melds too, so it is in here and not in `kinds`).
    `start` is its place: the first tile of a run, the tile of alike ones. `rank`, `suit` are those of `start`.
    """

    index: int
    tiles: tuple[int, ...]  # plain tiles in order of place; length = size
    kinds: frozenset[str]
    meld_kinds: frozenset[str]
    start: int
    rank: int | None
    suit: str | None
    step: int | None  # of a run
    suits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Groups:
    """All kinds and all concrete groups of a ruleset. `sizes`: kind -> tiles it takes up in a form (a kind that
    stands for another counts as that one: a quad is three tiles of the fourteen)."""

    kinds: Mapping[str, GroupKind]
    groups: tuple[Group, ...]
    by_tiles: Mapping[tuple[int, ...], int]  # sorted tiles -> index
    sizes: Mapping[str, int]

    def size(self, group: int) -> int:
        """How many tiles a group takes up in a form; kinds whose groups differ in that say nothing of it."""
        kinds = self.groups[group].kinds | self.groups[group].meld_kinds
        return min(self.sizes[kind] for kind in kinds & self.sizes.keys())
