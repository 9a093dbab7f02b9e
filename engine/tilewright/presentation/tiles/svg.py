"""Faces: the tiles of any game as one SVG, a symbol for each tile and one for its back.

A tile set in, text out. A tile's face follows from the set alone: the emblem or sign that `faces` gives to its suit,
family or code, else its rank with a letter, else its code. Signs are outlines from `glyphs.json`; those without one are
text. Colours are custom properties of the page (`--tile-face`, `--tile-red` ...) with a default for each;
`--tile-index: inline` shows the index in the corner, for which a page moves `.on-face` aside. Knows no ruleset and no
page.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from tilewright.presentation.tiles.shapes import (
    BADGE_INKS,
    CONTRAST,
    INKS,
    SHAPES,
    Paint,
    badge,
    bird,
    great_ring,
    number,
    ring,
    stick,
)
from tilewright.tiles.emblems import EMBLEMS, numeral
from tilewright.tiles.tileset import Tile, TileSet

WIDTH, HEIGHT = 60, 80
MIDDLE, CENTRE = 30.0, 37.2  # of the front, which ends above the lower edge
ROOM, TALL = 43.0, 57.0  # of the drawing on it
SETS = ("plain", "four", "contrast")
FIRST_IDEOGRAPH = "\u2e80"
PLAIN_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-")

# inks that signs have by default
INK_OF_SIGN = dict.fromkeys("中紅赤火", "red") | dict.fromkeys("發发綠青", "green")
INK_OF_SIGN |= dict.fromkeys("藍水", "blue") | dict.fromkeys("金黃財", "gold")
INKS_OF_FEW = ("blue", "red", "green", "violet")  # of families of single tiles, in turn
FOUR = ("red", "blue", "green", "violet", "gold")  # of suits, if each has one

# pips in rows; more if they fit
RINGS = {7: (), 10: (3, 2, 2, 3), 11: (4, 3, 4), 12: (3, 3, 3, 3), 13: (3, 2, 3, 2, 3), 14: (3, 4, 4, 3), 15: (3,) * 5}
RINGS |= {1: (1,), 2: (1, 1), 3: (), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 8: (2, 2, 2, 2), 9: (3, 3, 3), 16: (4,) * 4}
STICKS = {2: (1, 1), 3: (1, 2), 4: (2, 2), 5: (2, 1, 2), 6: (3, 3), 7: (1, 3, 3), 9: (3, 3, 3), 10: (3, 4, 3)}
STICKS |= {11: (4, 3, 4), 12: (4, 4, 4), 13: (4, 5, 4), 14: (5, 4, 5), 15: (5, 5, 5), 16: (4, 4, 4, 4)}
MOST_PIPS = 16
COUNTED_AT_A_GLANCE = 9  # with more of them, the number is always in the corner


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


@dataclass(slots=True)
class SpriteSheet:
    """The symbols drawn so far, and the outlines that they use, each once."""

    paint: Paint
    four: bool = False
    outlines: dict[str, str] = field(default_factory=dict)


def sprite(tiles: TileSet, style: str = "plain") -> str:
    """The whole sprite: `<symbol id="t-CODE">` for each tile, `t-back` for the back."""
    return sprite_of(drawings(tiles), style)


def sprite_of(drawn: Iterable[Drawing], style: str = "plain") -> str:
    """The same of drawings."""
    sheet = SpriteSheet(Paint(contrast=style == "contrast"), four=style == "four")
    symbols = [symbol(sheet, drawing) for drawing in drawn]
    defs = "".join(sheet.outlines.values())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
        f"<defs>{defs}</defs>{''.join(symbols)}{back(sheet)}</svg>\n"
    )


def picture(tiles: TileSet, code: str, style: str = "plain") -> str:
    """One tile as an SVG of its own; raises KeyError for an unknown code."""
    drawing = {drawing.code: drawing for drawing in drawings(tiles)}[code]
    sheet = SpriteSheet(Paint(contrast=style == "contrast"), four=style == "four")
    content = front(sheet, drawing)
    defs = "".join(sheet.outlines.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><defs>{defs}</defs>{content}</svg>\n'
    )


def symbol_id(code: str) -> str:
    """The id of a tile's symbol: characters other than ASCII letters and digits are `_` and two hexadecimal digits a
    byte."""
    signs = (chr(byte) if chr(byte) in PLAIN_CHARACTERS else f"_{byte:02x}" for byte in code.encode())
    return f"t-{''.join(signs)}"


# --- content of faces


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
        own = SHAPES[emblem][1] if emblem in SHAPES else ""
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


# --- one tile


def symbol(sheet: SpriteSheet, drawing: Drawing) -> str:
    """A tile as a symbol."""
    return f'<symbol id="{symbol_id(drawing.code)}" viewBox="0 0 {WIDTH} {HEIGHT}">{front(sheet, drawing)}</symbol>'


def front(sheet: SpriteSheet, drawing: Drawing) -> str:
    """The front of a tile with what it shows."""
    usual = sheet.paint
    if drawing.special:
        sheet.paint = Paint(usual.contrast, "red")
    elif sheet.four and drawing.hue:
        sheet.paint = Paint(usual.contrast, drawing.hue)
    shown = content(sheet, drawing)
    mark = f'<path d="M50.5 5.5l4 4l-4 4l-4 -4z" fill="{sheet.paint("red")}"/>' if drawing.special else ""
    sheet.paint = usual
    return f'{body(sheet)}<g class="on-face">{shown}</g>{mark}{index(sheet, drawing)}'


def body(sheet: SpriteSheet) -> str:
    """Ivory with a lower edge."""
    if sheet.paint.contrast:
        return (
            f'<rect x="1" y="1" width="58" height="78" rx="7" fill="{CONTRAST["face"]}" stroke="{CONTRAST["ink"]}"'
            ' stroke-width="2"/>'
        )
    return (
        '<rect x=".5" y="4" width="59" height="75.5" rx="7.5" fill="var(--tile-edge,#c9bb99)"/>'
        f'<rect x=".9" y=".9" width="58.2" height="73" rx="7.2" fill="var(--tile-face,{INKS["face"]})"'
        ' stroke="var(--tile-line,#b9ab8a)" stroke-width=".8"/>'
    )


def back(sheet: SpriteSheet) -> str:
    """The back of every tile."""
    lines = 'fill="none" stroke="#fff" stroke-opacity=".38" stroke-width="1.1"'
    return (
        f'<symbol id="t-back" viewBox="0 0 {WIDTH} {HEIGHT}">'
        '<rect x=".5" y="4" width="59" height="75.5" rx="7.5" fill="var(--tile-back-edge,#28555e)"/>'
        '<rect x=".5" y=".5" width="59" height="73.8" rx="7.5" fill="var(--tile-back,#3f7f8c)"/>'
        f'<rect x="6" y="6" width="48" height="62.8" rx="4" {lines}/>'
        f'<path d="M30 25.4l9 12l-9 12l-9 -12z" {lines}/>'
        '<path d="M30 32.4l3.8 5l-3.8 5l-3.8 -5z" fill="#fff" fill-opacity=".38"/></symbol>'
    )


def index(sheet: SpriteSheet, drawing: Drawing) -> str:
    """The index in the corner, shown if the page wants it, or if there are too many emblems to count."""
    label = drawing.label
    shown = line_of(sheet, label, 4.4, 4.2, 22, 11.4, sheet.paint("ink"))
    wide, ground = number(3.2 + 6.6 * len(label)), sheet.paint("face")
    display = "" if is_crowded(drawing) else ' display="var(--tile-index,none)"'
    return (
        f'<g class="index"{display}>'
        f'<rect x="3" y="3.2" width="{wide}" height="13.2" rx="3.6" fill="{ground}"/>{shown}</g>'
    )


def is_crowded(drawing: Drawing) -> bool:
    """Whether there are too many emblems to count at a glance."""
    rank = drawing.rank or 0
    return drawing.sign in EMBLEMS and COUNTED_AT_A_GLANCE < rank <= MOST_PIPS


def field_of(rank: int) -> tuple[float, float]:
    """The centre and the height of the area for so many emblems; many leave the corner to their number."""
    return (CENTRE + 4.6, TALL - 9.2) if rank > COUNTED_AT_A_GLANCE else (CENTRE, TALL)


def content(sheet: SpriteSheet, drawing: Drawing) -> str:
    """The content of a face, in the middle of its front."""
    if drawing.rank is None:
        if drawing.sign in EMBLEMS:
            return emblem_alone(sheet, drawing.sign)
        return sign_alone(sheet, drawing.sign, drawing.ink) + place_beside(sheet, drawing)
    if drawing.letter:
        return lettered(sheet, drawing)
    if drawing.sign in EMBLEMS:
        return counted(sheet, drawing.sign, drawing.rank)
    return under_rank(sheet, drawing.sign, drawing.rank)


# --- emblems


def emblem_alone(sheet: SpriteSheet, name: str) -> str:
    """One emblem, as large as looks good."""
    shape, ink = SHAPES[name]
    scale = 2.55 if name == "frame" else 1.9
    return placed(shape(sheet.paint, ink), MIDDLE, CENTRE, scale)


def placed(shape: str, x: float, y: float, scale: float, turn: float = 0, narrow: float = 1) -> str:
    """A shape, moved and scaled."""
    turned = f" rotate({number(turn)})" if turn else ""
    sizes = number(scale) if narrow == 1 else f"{number(scale * narrow)} {number(scale)}"
    return f'<g transform="translate({number(x)} {number(y)}){turned} scale({sizes})">{shape}</g>'


def counted(sheet: SpriteSheet, name: str, rank: int) -> str:
    """As many emblems as the rank; without an emblem a number, with too many a number next to one."""
    if not 1 <= rank <= MOST_PIPS:
        return numbered(sheet, name, rank)
    if name == "rings":
        return rings(sheet, rank)
    if name == "sticks":
        return sticks(sheet, rank)
    shape, ink = SHAPES[name]
    scale = {1: 1.9, 2: 1.15, 3: 1.0}.get(rank, 10.0)
    spots = pips(rank)
    scale = min(scale, *(room for _, _, room in spots))
    return "".join(placed(shape(sheet.paint, ink), x, y, scale) for x, y, _ in spots)


def numbered(sheet: SpriteSheet, name: str, rank: int) -> str:
    """A number over one emblem."""
    shape, ink = SHAPES[name]
    digits = line_of(sheet, str(rank), MIDDLE, 8, ROOM, 24, sheet.paint("ink"), "middle")
    return f"{digits}{placed(shape(sheet.paint, ink), MIDDLE, 52, 1.3)}"


def pips(rank: int) -> list[tuple[float, float, float]]:
    """Places of so many emblems, with a scale that fits."""
    if rank == 3:
        return [(MIDDLE + step * 12.6, CENTRE + step * 18, 1.02) for step in (-1, 0, 1)]
    if rank == 7:
        three = [(MIDDLE + step * 13.4, CENTRE - 17.8 + step * 6.4, 0.72) for step in (-1, 0, 1)]
        four = [(MIDDLE + x * 8.6, CENTRE + 7.4 + y * 15.6, 0.76) for y in (0, 1) for x in (-1, 1)]
        return [*three, *four]
    rows = RINGS[rank]
    centre, tall = field_of(rank)
    high = tall / len(rows)
    widest = max(rows)
    wide = ROOM / widest
    room = min(wide, high) / 2 / 10.2
    found = []
    for nth, count in enumerate(rows):
        y = centre + (nth - (len(rows) - 1) / 2) * high
        step = ROOM / 4 if widest == 4 else wide if count == widest else min(wide, ROOM / 2)
        found += [(MIDDLE + (place - (count - 1) / 2) * step, y, min(room, 1.3)) for place in range(count)]
    return found


def rings(sheet: SpriteSheet, rank: int) -> str:
    """Rings, a single one as a great wheel."""
    if rank == 1:
        return placed(great_ring(sheet.paint), MIDDLE, CENTRE, 2.1)
    found = []
    spots = pips(rank)
    for nth, (x, y, room) in enumerate(spots):
        ink, core = ring_inks(rank, nth, len({row for _, row, _ in spots}), sorted({r for _, r, _ in spots}).index(y))
        found.append(placed(ring(sheet.paint, ink, core), x, y, room))
    return "".join(found)


def ring_inks(rank: int, nth: int, rows: int, row: int) -> tuple[str, str]:
    """Inks of the nth ring and of its core."""
    if rank in (2, 3):
        return ("green", "blue", "green")[nth + 3 - rank] if rank == 2 else ("blue", "red", "green")[nth], ""
    if rank == 4:
        return ("blue", "green", "green", "blue")[nth], ""
    if rank == 7:
        return ("green" if nth < 3 else "red"), ""
    if rank == 6:
        return ("green" if row == 0 else "red"), ""
    if rows % 2 and row == rows // 2:
        return "red", ""
    return ("green" if row < rows / 2 else "blue"), ""


def sticks(sheet: SpriteSheet, rank: int) -> str:
    """Sticks, a single one as a bird."""
    if rank == 1:
        return placed(bird(sheet.paint), MIDDLE + 0.4, CENTRE, 2.35)
    if rank == 8:
        return eight_sticks(sheet)
    rows = STICKS[rank]
    centre, tall = field_of(rank)
    high = min(tall / len(rows), 28)
    found = []
    for row, count in enumerate(rows):
        y = centre + (row - (len(rows) - 1) / 2) * high
        step = min(ROOM / max(max(rows), 3), 14.5) if count > 1 else 0
        if count == 2:
            step = 20 if max(rows) == 2 else step * 1.5
        for place in range(count):
            x = MIDDLE + (place - (count - 1) / 2) * step
            found.append(one_stick(sheet, x, y, high, max(rows), stick_ink(rank, row, place)))
    return "".join(found)


def stick_ink(rank: int, row: int, place: int) -> str:
    """The odd one is red: the middle of five, the top of seven, the middle column of nine."""
    if (rank, row) in ((5, 1), (7, 0)) or (rank == 9 and place == 1):
        return "red"
    return "blue" if rank in (9,) and row == 1 and place != 1 else "green"


def one_stick(sheet: SpriteSheet, x: float, y: float, high: float, most: int, ink: str, turn: float = 0) -> str:
    scale = high / 20 * 0.93
    wide = min(1.75, 1.24 * ROOM / max(most, 3) / 9.2) if most > 2 else 1.75
    return placed(stick(sheet.paint, ink), x, y, scale, turn, wide / scale)


def eight_sticks(sheet: SpriteSheet) -> str:
    """Eight in the traditional way: like an M over a W."""
    found = []
    for y, way in ((CENTRE - 14.6, 1), (CENTRE + 14.6, -1)):
        found += [one_stick(sheet, MIDDLE + side * 18, y, 27, 4, "green") for side in (-1, 1)]
        found += [one_stick(sheet, MIDDLE + side * 7, y, 25, 4, "blue", side * way * -24) for side in (-1, 1)]
    return "".join(found)


# --- signs


def under_rank(sheet: SpriteSheet, sign: str, rank: int) -> str:
    """A rank over the sign of its suit: a Chinese numeral over a Chinese sign, else digits."""
    written = numeral(rank) if sign[:1] >= FIRST_IDEOGRAPH else str(rank)
    above = row_of(sheet, written, MIDDLE, 20.6, 38, 24, sheet.paint("ink"))
    return above + row_of(sheet, sign, MIDDLE, 51.6, 40, 29, sheet.paint("red"))


def lettered(sheet: SpriteSheet, drawing: Drawing) -> str:
    """A number over the letter of a suit without an emblem, in an outline of its own."""
    ink = BADGE_INKS[drawing.nth % len(BADGE_INKS)]
    digits = row_of(sheet, str(drawing.rank), MIDDLE, 21.2, ROOM, 25, sheet.paint("ink"))
    letter = row_of(sheet, drawing.letter, MIDDLE, 53.4, 15, 14.5, sheet.paint(ink))
    return digits + placed(badge(sheet.paint, drawing.nth), MIDDLE, 53.4, 1.42) + letter


def place_beside(sheet: SpriteSheet, drawing: Drawing) -> str:
    """The number of the seat that a tile belongs to, small at the upper right."""
    if drawing.place is None:
        return ""
    return row_of(sheet, str(drawing.place), 51, 10.4, 12, 10, sheet.paint(drawing.ink))


def sign_alone(sheet: SpriteSheet, text: str, usual: str) -> str:
    """A sign in the middle: letters side by side, Chinese ones below each other, four of them in a square."""
    colour = sheet.paint(next((INK_OF_SIGN[sign] for sign in text if sign in INK_OF_SIGN), usual))
    if text[:1] < FIRST_IDEOGRAPH or len(text) == 1:
        return row_of(sheet, text, MIDDLE, CENTRE, 41, 43 if len(text) == 1 else 30, colour)
    if len(text) == 4:
        rows: Sequence[str] = (text[:2], text[2:])
    else:
        rows = tuple(text)
    high = TALL / len(rows)
    return "".join(
        row_of(sheet, row, MIDDLE, CENTRE + (nth - (len(rows) - 1) / 2) * high, 41, min(high * 0.92, 27), colour)
        for nth, row in enumerate(rows)
    )


def row_of(sheet: SpriteSheet, text: str, x: float, y: float, wide: float, high: float, colour: str) -> str:
    """A text in one row around a point, as large as fits."""
    shown = line_of(sheet, text, x, y - high / 2, wide, high, colour, "middle")
    return shown


def line_of(
    sheet: SpriteSheet, text: str, x: float, top: float, wide: float, high: float, colour: str, anchor: str = "start"
) -> str:
    """A text in a box `high` high and at most `wide`, from its left or around its middle."""
    table = glyphs()
    if not all(sign in table for sign in text):
        return fallback(text, x, top, wide, high, colour, anchor)
    tall = [table[sign] for sign in text]
    ideographs = text[:1] >= FIRST_IDEOGRAPH
    above, below = (0, 0) if ideographs else (max(g.height - g.below for g in tall), max(g.below for g in tall))
    body = 372 if ideographs else max(above + below, 290)
    gap = 14.0
    total = sum(advance(g, ideographs) for g in tall) + gap * (len(tall) - 1)
    scale = min(high / body, wide / total)
    narrow = 1.0
    if ideographs and len(tall) == 2 and scale * body < high * 0.86:
        narrow = 0.86  # two signs in a row are set a little narrower, so that they stay as high as they can
        scale = min(high / body, wide / (total * narrow))
    left = x - total * scale * narrow / 2 if anchor == "middle" else x
    middle = top + high / 2
    found = []
    for sign, glyph in zip(text, tall, strict=True):
        sheet.outlines.setdefault(sign, f'<path id="{glyph_id(sign)}" d="{glyph.path}"/>')
        space = advance(glyph, ideographs)
        at = left + (space - glyph.width) / 2 * scale * narrow
        if ideographs:
            y = middle - glyph.height / 2 * scale
        else:
            line = middle + (above - below) / 2 * scale
            y = line - (glyph.height - glyph.below) * scale
        sizes = number4(scale) if narrow == 1 else f"{number4(scale * narrow)} {number4(scale)}"
        found.append(
            f'<use href="#{glyph_id(sign)}" fill="{colour}"'
            f' transform="translate({number(at)} {number(y)}) scale({sizes})"/>'
        )
        left += (space + gap) * scale * narrow
    return "".join(found)


def advance(glyph: "Glyph", ideograph: bool) -> float:
    """The width of a sign in a row."""
    return max(glyph.width, 340) if ideograph else glyph.width


def number4(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def fallback(text: str, x: float, top: float, wide: float, high: float, colour: str, anchor: str) -> str:
    """A text without outlines, in any available font; escaped."""
    broad = sum(1.0 if sign >= FIRST_IDEOGRAPH else 0.62 for sign in text)
    size = min(high, wide / max(broad, 0.5))
    return (
        f'<text x="{number(x)}" y="{number(top + high / 2)}" font-size="{number(size)}" font-weight="700"'
        f' font-family="serif" text-anchor="{anchor}" dominant-baseline="central" fill="{colour}">{escape(text)}</text>'
    )


# --- outlines


@dataclass(frozen=True, slots=True)
class Glyph:
    """The outline of a sign: its inked box starts at 0 0; `below`: its descent below the line."""

    width: float
    height: float
    advance: float
    below: float
    path: str


@cache
def glyphs() -> dict[str, Glyph]:
    """Every sign that has an outline."""
    data = json.loads(Path(__file__).with_name("glyphs.json").read_text(encoding="utf-8"))
    return {sign: Glyph(*glyph) for sign, glyph in data["glyphs"].items()}


def glyph_id(sign: str) -> str:
    return f"g-{ord(sign):x}"
