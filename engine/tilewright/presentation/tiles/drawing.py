"""Drawings: what the face of each tile of a set shows, as data, before anything is drawn.

A tile set in, a `Drawing` for each tile out. It follows from the set alone: the emblem or sign that `faces` gives to
its suit, family or code, else its rank with a letter, else its code. Knows no style, no ruleset and no page.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.presentation.tiles.shapes import OWN_INKS
from tilewright.tiles.tileset import Tile, TileSet

# inks that signs have by default
INK_OF_SIGN = dict.fromkeys("中紅赤火", "red") | dict.fromkeys("發发綠青", "green")
INK_OF_SIGN |= dict.fromkeys("藍水", "blue") | dict.fromkeys("金黃財", "gold")
INKS_OF_FEW = ("blue", "red", "green", "violet")  # of families of single tiles, in turn
FOUR = ("red", "blue", "green", "violet", "gold")  # of suits, if each has one


@dataclass(frozen=True, slots=True)
class Drawing:
    """The content of a face. `sign`: an emblem or a text; `nth`: the index of its suit, else -1; `special`: a copy with
    marks; `ink`: of a sign without one of its own; `place`: a number next to a sign."""

    code: str
    label: str
    sign: str
    rank: int | None = None
    nth: int = -1
    letter: str = ""  # of a suit without emblem
    special: bool = False
    ink: str = "ink"
    hue: str = ""  # the single ink of its suit, if each has one
    place: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data, without defaults."""
        usual = Drawing("", "", "")
        names = ("rank", "nth", "letter", "special", "ink", "hue", "place")
        return {"sign": self.sign} | {n: getattr(self, n) for n in names if getattr(self, n) != getattr(usual, n)}


def drawings(tiles: TileSet) -> Iterator[Drawing]:
    """Every tile, in the order of a sorted hand."""
    without = [suit.id for suit in tiles.suits if suit.id not in tiles.emblems]
    letters = {suit.id: suit.code for suit in tiles.suits}
    nth = {suit.id: place for place, suit in enumerate(tiles.suits)}
    wild = {face for one in tiles.wild for face in one.tiles.tiles}
    few, hues = few_of_each(tiles), hues_of(tiles)
    for face in tiles.order:
        tile = tiles.tiles[face]
        sign, alone = sign_of(tile, tiles, tile.plain in wild)
        suit = tile.suit if tile.rank is not None and not alone else None
        bare = suit in without and not sign
        yield Drawing(
            code=tile.code,
            label=str(tile.rank) if tile.rank is not None else tile.code,
            sign=sign,
            rank=tile.rank if suit else None,
            nth=(without.index(suit) if bare else nth[suit]) if suit else -1,
            letter=letters[suit] if bare and suit else "",
            special=bool(tile.marks),
            ink=INKS_OF_FEW[few.index(tile.family) % len(INKS_OF_FEW)] if tile.family in few else "ink",
            hue=hues.get(suit or "", ""),
            place=None if tile.seat is None or tile.family not in few else tile.seat + 1,
        )


def drawings_in(tiles: Iterable[Mapping[str, Any]]) -> Iterator[Drawing]:
    """The same, from the tile data that a page has."""
    return (Drawing(tile["code"], tile["label"], **tile["draw"]) for tile in tiles)


def hues_of(tiles: TileSet) -> dict[str, str]:
    """One ink for each suit: that of its emblem, if no other suit has it, else the next free one."""
    found: dict[str, str] = {}
    for suit in tiles.suits:
        emblem = tiles.emblems.get(suit.id, "")
        own = OWN_INKS.get(emblem, "")
        left = [ink for ink in FOUR if ink not in found.values()] or [*FOUR]
        found[suit.id] = own if own in left else left[0]
    return found


def few_of_each(tiles: TileSet) -> list[str]:
    """Families without ranks with one copy of each tile: bonus tiles in most games, and drawn so."""
    suits = {suit.id for suit in tiles.suits}
    plain = [tile for tile in tiles.tiles if tile.family not in suits and not tile.marks]
    more = {tile.family for tile in plain if tile.copies > 1}
    return list(dict.fromkeys(tile.family for tile in plain if tile.family not in more))


def sign_of(tile: Tile, tiles: TileSet, wild: bool) -> tuple[str, bool]:
    """The emblem or sign of a tile, and whether it stands for the tile without its rank. A copy looks like its tile."""
    own = tiles.faces.get(tile.index) or tiles.faces.get(tile.plain if tile.marks else tile.index)
    if own:
        return own, True
    if tile.rank is not None:
        return tiles.emblems.get(tile.suit or "", ""), False
    return ("star" if wild else tile.code), True


def ink_of(drawing: Drawing) -> str:
    """The ink of a sign that stands for its tile."""
    return next((INK_OF_SIGN[sign] for sign in drawing.sign if sign in INK_OF_SIGN), drawing.ink)
