"""Tile sets: the distinct tiles of a game, as frozen data.

A tile is named everywhere by its index in `TileSet.tiles`. Emblems are the shapes that a tile can be drawn with besides
signs; a tile of a suit shows as many as its rank. Knows no notation, no groups, no drawing and no rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

Text = Mapping[str, str]  # language -> text


@dataclass(frozen=True, slots=True)
class Tile:
    """One distinct tile.

    `plain` is the index of the tile that it equals in play: itself, except for specials (a red five equals the five)
    and for tiles drawn differently of an `alike` family (each equals the first). `copies` is how many are in the
    box; a rank without a tile that a wild tile may stand for (a zero of a suit) is a tile with 0 copies.
    """

    index: int
    code: str
    family: str  # id of its suit or unranked family
    suit: str | None  # id of its suit; for ranked tiles, and for families that `suits` assigns to suits
    rank: int | None  # ranked tiles only
    copies: int
    plain: int
    seat: int | None = None  # the seat (0 = dealer's wind) whose `own` tile it is
    marks: frozenset[str] = frozenset()  # ids of the specials it carries
    seen_by: str = ""  # who sees it in any place but a wall; empty: as the place declares


@dataclass(frozen=True, slots=True)
class Suit:
    id: str
    code: str
    ranks: tuple[int, ...]  # ascending; ranks that have tiles
    cyclic: bool = False


@dataclass(frozen=True, slots=True)
class Wild:
    """Tiles that may stand for others inside groups of these kinds (empty: any kind), or while in these zones."""

    id: str
    tiles: "TileClass"
    stands_for: "TileClass"
    groups: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TileClass:
    """A set of plain tiles, and words whose tiles depend on the table (`seat_wind`, a mark of tiles)."""

    tiles: frozenset[int] = frozenset()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spelling:
    """Another way to write tiles than by their codes. `texts`: of each tile, the same for tiles that equal each other;
    `also`: other texts that are read; `suits`: signs before ranks, which hold until another one comes: `m222 444`."""

    texts: tuple[str, ...]
    also: Mapping[str, int] = field(default_factory=dict)
    suits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TileSet:
    """The tiles of a game.

    `families`: id -> indices in order of declaration (suits: ranks ascending; unranked families are cyclic for
    `next`). `classes`: every name an expression may use for tiles: suits, families, classes, specials, `suited`.
    `order`: indices in the order in which a sorted hand is written; `string_order`: the same for tile strings.
    `aliases`: other spellings of single tiles (text -> index): `1z`, Unicode tiles.
    `emblems`: how tiles of a suit are drawn (an emblem, or a sign under their rank); `faces`: the same of single tiles.
    `titles`: the names of suits and families; `names`: those of single tiles; both by language.
    `spelling`: how tiles are read and written, if not by their codes.
    """

    tiles: tuple[Tile, ...]
    suits: tuple[Suit, ...]
    families: Mapping[str, tuple[int, ...]]
    classes: Mapping[str, TileClass]
    order: tuple[int, ...]
    string_order: tuple[int, ...] = ()  # empty: as `order`
    rank_signs: str = ""  # sign of rank i is rank_signs[i]; empty: decimal digits
    wild: tuple[Wild, ...] = ()
    aliases: Mapping[str, int] = field(default_factory=dict)
    emblems: Mapping[str, str] = field(default_factory=dict)
    faces: Mapping[int, str] = field(default_factory=dict)
    titles: Mapping[str, Text] = field(default_factory=dict)
    names: Mapping[int, Text] = field(default_factory=dict)
    spelling: Spelling | None = None

    def by_code(self, code: str) -> Tile | None:
        """The tile with this spelling, if there is one."""
        return next((tile for tile in self.tiles if tile.code == code), None)


EMBLEMS = {
    "rings": "circles, as many as the rank",
    "sticks": "sticks, as many as the rank; a single one is a bird",
    "frame": "an empty frame",
    "blank": "nothing but a mark in the middle",
    "star": "a star",
    "blossom": "a blossom of five petals",
    "leaf": "a leaf",
    "diamond": "a diamond",
    "heart": "a heart",
    "drop": "a drop of water",
    "sun": "a sun",
    "moon": "a crescent",
    "bird": "a bird",
}

MOST_SIGNS = 4  # characters of a sign that stands for a tile
NUMERALS = "零一二三四五六七八九"
TEN = "十"


def numeral(number: int) -> str:
    """A Chinese numeral up to 99: 十六; larger numbers in digits."""
    if not 0 <= number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    before = "" if tens == 0 else TEN if tens == 1 else NUMERALS[tens] + TEN
    return before + (NUMERALS[ones] if ones or not tens else "")
