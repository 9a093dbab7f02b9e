"""Tiles of any game as one SVG: a symbol for each tile and one for its back, in one of several styles.

A tile set or its drawings in, text out. Colours are custom properties of the page (`--tile-face`, `--tile-red` ...)
with a default for each; `--tile-index: inline` shows the index in the corner, for which a page moves `.on-face` aside.
Knows no ruleset and no page.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import htpy as h
from markupsafe import Markup

from tilewright.presentation import tile_faces as faces
from tilewright.presentation import tile_modern as modern
from tilewright.presentation.markup import NOTHING, joined
from tilewright.presentation.tile_shapes import CONTRAST, INKS, Drawing, Paint, SpriteSheet, drawings, line_of, number
from tilewright.tiles.tileset import TileSet

XMLNS, BOX = "http://www.w3.org/2000/svg", "0 0 60 80"
LINE = {"fill": "none", "stroke": "#fff", "stroke-opacity": ".38", "stroke-width": "1.1"}
BACK = Markup(
    h.symbol("#t-back", viewBox=BOX)[
        h.rect(x=".5", y="4", width="59", height="75.5", rx="7.5", fill="var(--tile-back-edge,#28555e)"),
        h.rect(x=".5", y=".5", width="59", height="73.8", rx="7.5", fill="var(--tile-back,#3f7f8c)"),
        h.rect(LINE, x="6", y="6", width="48", height="62.8", rx="4"),
        h.path(LINE, d="M30 25.4l9 12l-9 12l-9 -12z"),
        h.path(d="M30 32.4l3.8 5l-3.8 5l-3.8 -5z", fill="#fff", fill_opacity=".38"),
    ]
)  # of every tile
PLAIN_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-")


@dataclass(frozen=True, slots=True)
class Style:
    """How tiles are drawn. `four`: each suit in one ink; `contrast`: in the inks that differ most from the face."""

    content: Callable[[SpriteSheet, Drawing], Markup] = faces.content
    four: bool = False
    contrast: bool = False

    def sheet(self) -> SpriteSheet:
        return SpriteSheet(Paint(self.contrast))


STYLES = {
    "plain": Style(),
    "modern": Style(modern.content),
    "four": Style(four=True),
    "contrast": Style(contrast=True),
}


def sprite(tiles: TileSet, style: str = "plain") -> Markup:
    """The whole sprite: `<symbol id="t-CODE">` for each tile, `t-back` for the back."""
    return sprite_of(drawings(tiles), style)


def sprite_of(drawn: Iterable[Drawing], style: str = "plain") -> Markup:
    """The same of drawings."""
    sheet = STYLES[style].sheet()
    symbols = joined(symbol(sheet, drawing, STYLES[style]) for drawing in drawn)
    content = h.defs[joined(sheet.outlines.values())], symbols, BACK
    return Markup(h.svg(xmlns=XMLNS, width="0", height="0", aria_hidden="true")[content])


def picture(tiles: TileSet, code: str, style: str = "plain") -> Markup:
    """One tile as an SVG of its own; raises KeyError for an unknown code."""
    drawing = {drawing.code: drawing for drawing in drawings(tiles)}[code]
    sheet = STYLES[style].sheet()
    content = front(sheet, drawing, STYLES[style])
    return Markup(h.svg(xmlns=XMLNS, viewBox=BOX)[h.defs[joined(sheet.outlines.values())], content])


@lru_cache(maxsize=1024)
def symbol_id(code: str) -> str:
    """The id of a tile's symbol: characters other than ASCII letters and digits are `_` and two hexadecimal digits a
    byte."""
    signs = (chr(byte) if chr(byte) in PLAIN_CHARACTERS else f"_{byte:02x}" for byte in code.encode())
    return f"t-{''.join(signs)}"


# --- one tile


def symbol(sheet: SpriteSheet, drawing: Drawing, style: Style) -> h.Element:
    """A tile as a symbol."""
    return h.symbol(id=symbol_id(drawing.code), viewBox=BOX)[front(sheet, drawing, style)]


def front(sheet: SpriteSheet, drawing: Drawing, style: Style) -> Markup:
    """The front of a tile with what it shows."""
    usual = sheet.paint
    if drawing.special:
        sheet.paint = Paint(usual.contrast, "red")
    elif style.four and drawing.hue:
        sheet.paint = Paint(usual.contrast, drawing.hue)
    shown = style.content(sheet, drawing)
    mark = h.path(d="M50.5 5.5l4 4l-4 4l-4 -4z", fill=sheet.paint("red")) if drawing.special else NOTHING
    sheet.paint = usual
    return joined((body(sheet.paint.contrast), h.g(".on-face")[shown], mark, index(sheet, drawing)))


@cache
def body(contrast: bool) -> Markup:
    """Ivory with a lower edge."""
    if contrast:
        face, ink = CONTRAST["face"], CONTRAST["ink"]
        return Markup(h.rect(x="1", y="1", width="58", height="78", rx="7", fill=face, stroke=ink, stroke_width="2"))
    face, line = f"var(--tile-face,{INKS['face']})", {"stroke": "var(--tile-line,#b9ab8a)", "stroke-width": ".8"}
    edge = h.rect(x=".5", y="4", width="59", height="75.5", rx="7.5", fill="var(--tile-edge,#c9bb99)")
    return joined((edge, h.rect(line, x=".9", y=".9", width="58.2", height="73", rx="7.2", fill=face)))


def index(sheet: SpriteSheet, drawing: Drawing) -> h.Element:
    """The index in the corner, shown if the page wants it, or if there are too many emblems to count."""
    label = drawing.label
    shown = line_of(sheet, label, 4.4, 4.2, 22, 11.4, sheet.paint("ink"))
    wide = number(3.2 + 6.6 * len(label))
    display = None if faces.is_crowded(drawing) else "var(--tile-index,none)"
    ground = h.rect(x="3", y="3.2", width=wide, height="13.2", rx="3.6", fill=sheet.paint("face"))
    return h.g(".index", display=display)[joined((ground, shown))]
