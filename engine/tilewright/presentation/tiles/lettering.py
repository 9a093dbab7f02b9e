"""Lettering: signs as outlines, in a box of any size.

Outlines come from `glyphs.json`; a text with a sign that has none is text. Knows no tile and no game.
"""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import htpy as h
from markupsafe import Markup

from tilewright.presentation.markup.pieces import joined
from tilewright.presentation.tiles.shapes import Paint, number

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
