"""What the faces of tiles are made of: drawings as data, emblems as elements of SVG, signs as outlines.

A tile set in, a `Drawing` for each tile out: the emblem or sign that `faces` of the set gives to its suit, family or
code, else its rank with a letter, else its code. A shape is drawn around 0 0 and reaches 10 to every side; its user
moves and scales it. An ink is the name of a colour (`INKS`), which the page may set: `--tile-red` and so on. Outlines
come from `glyphs.json`; a text with a sign that has none is text. Knows no style, no ruleset and no page.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import htpy as h
from markupsafe import Markup

from tilewright.presentation.markup import joined
from tilewright.tiles.tileset import Tile, TileSet

INKS = {
    "ink": "#26241f",
    "red": "#b3261e",
    "green": "#17693f",
    "blue": "#1d4f8f",
    "gold": "#8a5a00",
    "violet": "#6a3d8a",
    "face": "#fbf7ec",
    "paper": "var(--tile-face,#fbf7ec)",  # what is left free within an emblem, where the face itself is not drawn
}
CONTRAST = {
    "ink": "#000000",
    "red": "#a30000",
    "green": "#00551c",
    "blue": "#00308f",
    "gold": "#6b3d00",
    "violet": "#4f1a75",
    "face": "#ffffff",
    "paper": "#ffffff",
}


@dataclass(frozen=True, slots=True)
class Paint:
    """How inks become colours. `only`: the one ink for everything, overriding others."""

    contrast: bool = False
    only: str = ""

    def __call__(self, ink: str) -> str:
        """The colour of an ink, as an attribute value."""
        name = self.only if self.only and ink not in ("face", "paper") else ink
        if self.contrast:
            return f"var(--tile-contrast-{name},{CONTRAST[name]})"
        return f"var(--tile-{name},{INKS[name]})"


def number(value: float) -> str:
    """The shortest form of a number."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0" if abs(value) < 0.005 else "-0")


def points(pairs: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)


def around(count: int, radius: float, start: float = -90.0) -> list[tuple[float, float]]:
    """So many points on a circle, the first at the top."""
    turns = [(start + 360.0 * nth / count) * pi / 180 for nth in range(count)]
    return [(radius * cos(turn), radius * sin(turn)) for turn in turns]


Shape = Callable[..., h.Node]  # of a paint and inks


@lru_cache(maxsize=1024)
def drawn(shape: Shape, paint: Paint, *inks: str) -> Markup:
    """A shape in these inks, written once."""
    return Markup(h.fragment[shape(paint, *inks)])


# --- pips


def ring(paint: Paint, ink: str = "blue", heart: str = "") -> h.Node:
    """A ring with a disc in it."""
    return [
        h.circle(r="8", fill="none", stroke=paint(ink), stroke_width="3"),
        h.circle(r="3.4", fill=paint(heart or ink)),
    ]


def great_ring(paint: Paint) -> h.Node:
    """The single ring of a suit: a wheel."""
    dots = [h.circle(cx=number(x), cy=number(y), r="1.05", fill=paint("green")) for x, y in around(12, 6.6)]
    petals = [
        h.ellipse(cx="0", cy="-2.75", rx="1.15", ry="1.9", fill=paint("red"), transform=f"rotate({60 * nth})")
        for nth in range(6)
    ]
    return [
        h.circle(r="9.2", fill="none", stroke=paint("green"), stroke_width="1.5"),
        dots,
        h.circle(r="5", fill="none", stroke=paint("blue"), stroke_width=".8"),
        petals,
        h.circle(r="1.1", fill=paint("blue")),
    ]


def stick(paint: Paint, ink: str = "green") -> h.Node:
    """A cane with its knots, as high as the box and narrow."""
    return [
        h.path(
            d="M-2.7 -9.2C-1 -10.3 1 -10.3 2.7 -9.2C3.3 -8.6 3.1 -7.9 2.4 -7.4C1.8 -5.4 1.8 -3.2 2.2 -1.3"
            "C3.1 -.7 3.1 .7 2.2 1.3C1.8 3.2 1.8 5.4 2.4 7.4C3.1 7.9 3.3 8.6 2.7 9.2C1 10.3 -1 10.3 -2.7 9.2"
            "C-3.3 8.6 -3.1 7.9 -2.4 7.4C-1.8 5.4 -1.8 3.2 -2.2 1.3C-3.1 .7 -3.1 -.7 -2.2 -1.3"
            "C-1.8 -3.2 -1.8 -5.4 -2.4 -7.4C-3.1 -7.9 -3.3 -8.6 -2.7 -9.2Z",
            fill=paint(ink),
        ),
        h.path(d="M0 -6.6V-2.6M0 2.6V6.6", stroke=paint("paper"), stroke_width="1", stroke_linecap="round"),
    ]


def bird(paint: Paint, ink: str = "green") -> h.Node:
    """A bird on its branch, looking left."""
    return [
        h.path(d="M1.2 3.4C3.2 5.2 4.3 7.4 4.6 9.9C2.5 8.8 .9 6.9 .1 4.3Z", fill=paint("red")),
        h.path(d="M2.6 2.2C5.2 3.6 7.1 5.6 8.2 8.4C5.4 7.9 3 6.4 1.3 4Z", fill=paint("blue")),
        h.path(d="M3.3 .7C6.2 1.1 8.4 2.5 10 4.9C7 5.2 4.3 4.4 2.2 2.7Z", fill=paint(ink)),
        h.path(
            d="M-6.6 -5.6C-6.4 -8.2 -3.4 -9.3 -1.4 -7.7C-.1 -6.6 -.3 -4.9 .9 -3.9"
            "C3.4 -2 4.4 .4 3.6 2.6C2.7 5 -.6 5.6 -3.2 4.2C-6.2 2.6 -6.9 -.8 -5.4 -3.4C-5 -4.1 -5.3 -4.6 -6.6 -5.6Z",
            fill=paint(ink),
        ),
        h.path(d="M-6.4 -6.6L-9.6 -5.9L-6.2 -5Z", fill=paint("red")),
        h.path(d="M-3.6 -8.6C-3.4 -9.7 -2.6 -10 -1.6 -10C-1.9 -9.3 -1.8 -8.7 -1.5 -7.9Z", fill=paint("red")),
        h.circle(cx="-4.2", cy="-6.5", r=".85", fill=paint("paper")),
        h.path(d="M-3.3 -1.6C-1.4 -2.4 1.4 -1.2 2.3 1.6C-.3 2.6 -3.1 1.4 -3.3 -1.6Z", fill=paint("paper")),
        h.path(d="M-2.3 -.9C-.9 -1.1 .6 -.2 1.2 1C-.4 1.3 -1.9 .6 -2.3 -.9Z", fill=paint("blue")),
        h.path(
            d="M-2.6 4.4L-2.9 8.2M-.5 4.8L-.6 8.2M-5.6 8.4H1.6",
            fill="none",
            stroke=paint("ink"),
            stroke_width=".9",
            stroke_linecap="round",
        ),
    ]


def star(paint: Paint, ink: str = "red") -> h.Node:
    """A star of five points."""
    outer, inner = around(5, 10), around(5, 4.3, -54)
    pairs = [pair for both in zip(outer, inner, strict=True) for pair in both]
    return [
        h.polygon(points=points(pairs), fill=paint(ink), stroke=paint(ink), stroke_width=".8", stroke_linejoin="round"),
        h.circle(r="1.7", fill=paint("paper")),
    ]


def blossom(paint: Paint, ink: str = "red") -> h.Node:
    """Five petals."""
    petals = [h.circle(cx=number(x), cy=number(y), r="4.1", fill=paint(ink)) for x, y in around(5, 5.6)]
    return [petals, h.circle(r="3.2", fill=paint("paper")), h.circle(r="1.7", fill=paint("gold"))]


def leaf(paint: Paint, ink: str = "green") -> h.Node:
    return [
        h.path(d="M0 -10C7 -5.6 7.4 3.6 .7 7.4V10H-.7V7.4C-7.4 3.6 -7 -5.6 0 -10Z", fill=paint(ink)),
        h.path(
            d="M0 -6.4V6.4M0 -1.6L3.6 -4.6M0 -1.6L-3.6 -4.6M0 2.8L4 -.6M0 2.8L-4 -.6",
            fill="none",
            stroke=paint("paper"),
            stroke_width=".9",
            stroke_linecap="round",
        ),
    ]


def diamond(paint: Paint, ink: str = "red") -> h.Node:
    return [
        h.path(d="M0 -10L7.4 0L0 10L-7.4 0Z", fill=paint(ink), stroke=paint(ink), stroke_linejoin="round"),
        h.path(d="M0 -4.4L3.2 0L0 4.4L-3.2 0Z", fill=paint("paper")),
    ]


def heart(paint: Paint, ink: str = "red") -> h.Node:
    return h.path(
        d="M0 9.4C-5.4 5.2 -9.6 1.4 -9.6 -3.3C-9.6 -6.6 -7.4 -8.8 -4.7 -8.8C-2.6 -8.8 -.9 -7.6 0 -5.7"
        "C.9 -7.6 2.6 -8.8 4.7 -8.8C7.4 -8.8 9.6 -6.6 9.6 -3.3C9.6 1.4 5.4 5.2 0 9.4Z",
        fill=paint(ink),
    )


def drop(paint: Paint, ink: str = "blue") -> h.Node:
    return [
        h.path(
            d="M0 -10C3.6 -5 6.6 -1.4 6.6 3C6.6 7 3.7 9.8 0 9.8C-3.7 9.8 -6.6 7 -6.6 3C-6.6 -1.4 -3.6 -5 0 -10Z",
            fill=paint(ink),
        ),
        h.path(
            d="M-3.6 3.4C-3.6 5.4 -2.2 6.9 -.4 7.1",
            fill="none",
            stroke=paint("paper"),
            stroke_width="1.3",
            stroke_linecap="round",
        ),
    ]


def sun(paint: Paint, ink: str = "gold") -> h.Node:
    rays = [h.path(d="M-1.4 -6.7H1.4L0 -10Z", transform=f"rotate({45 * nth})") for nth in range(8)]
    return h.g(fill=paint(ink))[h.circle(r="5"), rays]


def moon(paint: Paint, ink: str = "violet") -> h.Node:
    return h.path(
        d="M3.2 -9.4A9.6 9.6 0 1 0 8.8 5.4A8 8 0 0 1 3.2 -9.4Z",
        fill=paint(ink),
        stroke=paint(ink),
        stroke_width=".8",
        stroke_linejoin="round",
    )


def frame(paint: Paint, ink: str = "blue") -> h.Node:
    """An empty frame of full height, narrower than high."""
    return [
        h.rect(
            x="-7.2", y="-10", width="14.4", height="20", rx="1.6", fill="none", stroke=paint(ink), stroke_width="1.5"
        ),
        h.rect(x="-5", y="-7.8", width="10", height="15.6", rx=".7", fill="none", stroke=paint(ink), stroke_width=".6"),
    ]


def blank(paint: Paint, ink: str = "ink") -> h.Node:
    return h.path(d="M0 -2.4L2.4 0L0 2.4L-2.4 0Z", fill="none", stroke=paint(ink), stroke_width=".7", opacity=".55")


OWN_INKS = {
    "rings": "blue",
    "sticks": "green",
    "frame": "blue",
    "blank": "ink",
    "star": "red",
    "blossom": "red",
    "leaf": "green",
    "diamond": "red",
    "heart": "red",
    "drop": "blue",
    "sun": "gold",
    "moon": "violet",
    "bird": "green",
}
SHAPES: dict[str, Shape] = dict(
    zip(OWN_INKS, (ring, stick, frame, blank, star, blossom, leaf, diamond, heart, drop, sun, moon, bird), strict=True)
)

# --- badges: outlines around the letter of a suit without an emblem, each different

BADGES = (
    h.circle(r="9.3"),
    h.rect(x="-8.6", y="-8.6", width="17.2", height="17.2", rx="2.4"),
    h.path(d="M0 -10L9.4 -5V5L0 10L-9.4 5V-5Z"),
    h.path(d="M-8.6 -9H8.6V1C8.6 5.4 5 8.4 0 10C-5 8.4 -8.6 5.4 -8.6 1Z"),
    h.path(d="M0 -10.6L10.6 0L0 10.6L-10.6 0Z"),
    h.path(d="M-6 -9.4H6L10 0L6 9.4H-6L-10 0Z"),
)
BADGE_INKS = ("blue", "green", "red", "violet", "gold", "ink")


def badge(paint: Paint, nth: int) -> h.Element:
    """The outline of the nth suit without an emblem."""
    outline, ink = BADGES[nth % len(BADGES)], BADGE_INKS[nth % len(BADGE_INKS)]
    return h.g(fill="none", stroke=paint(ink), stroke_width="1.4", stroke_linejoin="round")[outline]


# --- signs


FIRST_IDEOGRAPH = "\u2e80"


@dataclass(slots=True)
class SpriteSheet:
    """The paint of the symbols that are drawn, and the outlines that they use, each once."""

    paint: Paint
    outlines: dict[str, h.Element] = field(default_factory=dict)


def row_of(sheet: SpriteSheet, text: str, x: float, y: float, wide: float, high: float, colour: str) -> Markup:
    """A text in one row around a point, as large as fits."""
    return line_of(sheet, text, x, y - high / 2, wide, high, colour, "middle")


def line_of(
    sheet: SpriteSheet, text: str, x: float, top: float, wide: float, high: float, colour: str, anchor: str = "start"
) -> Markup:
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
    found: list[h.Element] = []
    for sign, glyph in zip(text, tall, strict=True):
        sheet.outlines.setdefault(sign, h.path(id=glyph_id(sign), d=glyph.path))
        space = advance(glyph, ideographs)
        at = left + (space - glyph.width) / 2 * scale * narrow
        if ideographs:
            y = middle - glyph.height / 2 * scale
        else:
            line = middle + (above - below) / 2 * scale
            y = line - (glyph.height - glyph.below) * scale
        sizes = number4(scale) if narrow == 1 else f"{number4(scale * narrow)} {number4(scale)}"
        found.append(
            h.use(
                href=f"#{glyph_id(sign)}", fill=colour, transform=f"translate({number(at)} {number(y)}) scale({sizes})"
            )
        )
        left += (space + gap) * scale * narrow
    return joined(found)


def advance(glyph: "Glyph", ideograph: bool) -> float:
    """The width of a sign in a row."""
    return max(glyph.width, 340) if ideograph else glyph.width


def number4(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def fallback(text: str, x: float, top: float, wide: float, high: float, colour: str, anchor: str) -> Markup:
    """A text without outlines, in any available font."""
    broad = sum(1.0 if sign >= FIRST_IDEOGRAPH else 0.62 for sign in text)
    size = min(high, wide / max(broad, 0.5))
    return Markup(
        h.text(
            x=number(x),
            y=number(top + high / 2),
            font_size=number(size),
            font_weight="700",
            font_family="serif",
            text_anchor=anchor,
            dominant_baseline="central",
            fill=colour,
        )[text]
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


# --- drawings


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
