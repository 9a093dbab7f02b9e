"""Features: what patterns need to know of the groups and tiles of a reading, counted in the digits of one integer.

Each feature is a property of one group (`a concealed triplet of dragons`, `holds no terminal`), and has four bits in
a sum over the groups of a reading; properties of single tiles (`outside of this class`) are bits that are combined.
A reading thus becomes two integers, by additions and unions of what is known of its groups. Knows no tables.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tilewright.hands.group import Groups
from tilewright.hands.reading import Part
from tilewright.language.compiled.ir import Want
from tilewright.scoring.walker import is_wanted
from tilewright.tiles.tileset import TileSet

WIDTH = 4  # bits of a counter
MOST = (1 << WIDTH) - 1  # groups that a reading may have


@dataclass(frozen=True, slots=True)
class Feature:
    """A property of one group of a reading: it meets a want, or holds no tile of a class, or completed a wait."""

    want: Want | None = None
    lacks: frozenset[int] | None = None
    wait: str | None = None

    def of(self, part: Part, wait: str | None) -> bool:
        if self.want is not None:
            return is_wanted(part, self.want)
        if self.lacks is not None:
            return self.lacks.isdisjoint(part.tiles)
        return part.completed and wait == self.wait


@dataclass(frozen=True, slots=True)
class TileFeature:
    """A property of one tile: it is in these, or it is outside of them."""

    tiles: frozenset[int]
    inside: bool


@dataclass
class Layout:
    """Where each feature is counted. Counters start at bit `base`: below it the slots of a form are counted."""

    tiles: TileSet
    groups: Groups
    base: int
    features: dict[Feature, int] = field(default_factory=dict)
    tile_features: dict[TileFeature, int] = field(default_factory=dict)
    rows: dict[tuple[int, tuple[int, ...], bool, bool, bool, str | None], int] = field(default_factory=dict)

    @property
    def lacks(self) -> int:
        """The lowest bit beyond those of tiles."""
        return len(self.tile_features)

    def place(self, feature: Feature) -> int:
        """The lowest bit of the feature's counter, given out at the first call."""
        return self.features.setdefault(feature, self.base + WIDTH * len(self.features))

    def bit(self, feature: TileFeature) -> int:
        """The number of the tile feature's bit."""
        return self.tile_features.setdefault(feature, len(self.tile_features))

    def row(self, part: Part, wait: str | None = None) -> int:
        """The counters of one group."""
        wait = wait if part.completed else None
        key = (part.group, part.tiles, part.exposed, part.melded, part.completed, wait)
        known = self.rows.get(key)
        if known is None:
            known = self.rows[key] = sum(1 << at for feature, at in self.features.items() if feature.of(part, wait))
        return known

    def tile_bits(self, tiles: Iterable[int]) -> int:
        """The bits of all these tiles together."""
        bits = 0
        for tile in set(tiles):
            for feature, bit in self.tile_features.items():
                if (tile in feature.tiles) == feature.inside:
                    bits |= 1 << bit
        return bits

    def counters(self, features: Iterable[Feature]) -> int:
        """A mask over the counters of these features."""
        return sum(MOST << self.features[feature] for feature in set(features))


# --- wants as features


def static(want: Want) -> Want:
    """The want without what only the table decides and without its number."""
    return replace(want, count=1, of=None, unless=None, text="", different=False)


def by_tile(want: Want, groups: Groups) -> dict[int, Feature] | None:
    """For a want whose class the table decides: a feature for each tile that its groups can be made of; None where
    its groups are of several tiles."""
    result: dict[int, set[int]] = {}
    for index in want.groups | want.meld_groups:
        kinds = set(groups.groups[index].tiles)
        if len(kinds) != 1:
            return None
        result.setdefault(kinds.pop(), set()).add(index)
    if want.tiles:
        return None
    return {
        tile: Feature(replace(static(want), groups=want.groups & indices, meld_groups=want.meld_groups & indices))
        for tile, indices in sorted(result.items())
    }


def are_apart(wants: Sequence[Want]) -> bool:
    """Whether no group could meet two of the wants."""
    return all(apart(a, b) for number, a in enumerate(wants) for b in wants[:number])


def apart(a: Want, b: Want) -> bool:
    if None not in (a.exposed, b.exposed) and a.exposed != b.exposed:
        return True
    return not ((a.groups | a.meld_groups) & (b.groups | b.meld_groups) or a.tiles & b.tiles)
