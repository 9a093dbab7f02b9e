"""Modern faces: flat shapes as on dice, characters cut out of seals and bands, emblems in outline.

A drawing in, SVG out; tile_faces.py draws the same in the usual way. Knows no ruleset and no page.
"""

from collections.abc import Sequence

import htpy as h
from markupsafe import Markup

from tilewright.presentation.markup import joined
from tilewright.presentation.tile_faces import CENTRE, MIDDLE, ROOM, TALL, field_of, place_beside, placed, sign_alone
from tilewright.presentation.tile_shapes import (
    BADGE_INKS,
    BADGES,
    FIRST_IDEOGRAPH,
    OWN_INKS,
    Drawing,
    Paint,
    Shape,
    SpriteSheet,
    around,
    drawn,
    ink_of,
    number,
    points,
    row_of,
)
from tilewright.tiles.tileset import EMBLEMS, numeral

# pips in rows
DOTS = {1: (1,), 2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 7: (2, 3, 2), 8: (3, 2, 3)}
DOTS |= {9: (3, 3, 3), 10: (3, 4, 3), 11: (4, 3, 4), 12: (4, 4, 4), 13: (3, 2, 3, 2, 3), 14: (4, 3, 3, 4)}
DOTS |= {15: (3,) * 5, 16: (4,) * 4}
BARS = {2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3), 7: (4, 3), 8: (4, 4), 9: (3, 3, 3), 10: (5, 5)}
BARS |= {11: (4, 3, 4), 12: (4, 4, 4), 13: (5, 4, 4), 14: (5, 4, 5), 15: (5, 5, 5), 16: (4,) * 4}
SEAL = 0.78  # of the usual size is a sign in a seal


def content(sheet: SpriteSheet, drawing: Drawing) -> Markup:
    """The content of a face, in the middle of its front."""
    if drawing.rank is None:
        if drawing.sign in EMBLEMS:
            shape, ink = SHAPES[drawing.sign], OWN_INKS[drawing.sign]
            return placed(drawn(shape, sheet.paint, ink), MIDDLE, CENTRE, 2.55 if drawing.sign == "frame" else 2.0)
        return sealed(sheet, drawing) + place_beside(sheet, drawing)
    if drawing.letter:
        return lettered(sheet, drawing)
    if drawing.sign in EMBLEMS:
        return counted(sheet, drawing.sign, drawing.rank)
    return banded(sheet, drawing.sign, drawing.rank)


# --- emblems


def counted(sheet: SpriteSheet, name: str, rank: int) -> Markup:
    """As many emblems as the rank; a number over one, where there are none or too many."""
    shape, ink = SHAPES[name], OWN_INKS[name]
    if rank == 1:
        alone = {"rings": drawn(great_disc, sheet.paint), "sticks": drawn(bird, sheet.paint)}
        return placed(alone.get(name) or drawn(shape, sheet.paint, ink), MIDDLE, CENTRE, 2.15)
    rows = (BARS if name == "sticks" else DOTS).get(rank)
    if rows is None:
        digits = row_of(sheet, str(rank), MIDDLE, 20, ROOM, 25, sheet.paint("ink"))
        return digits + placed(drawn(shape, sheet.paint, ink), MIDDLE, 53, 1.3)
    spots = bars(rank, rows) if name == "sticks" else dots(rank, rows)
    middle = middle_of(rows)
    inks = ["red" if nth == middle and name in ("rings", "sticks") else ink for nth in range(rank)]
    return joined(
        placed(drawn(shape, sheet.paint, one), x, y, scale, 0, narrow)
        for one, (x, y, scale, narrow) in zip(inks, spots, strict=True)
    )


def middle_of(rows: Sequence[int]) -> int | None:
    """Which one is the middle of its row, of those with an odd number the one nearest to the centre."""
    odd = [row for row, count in enumerate(rows) if count % 2]
    if not odd or sum(rows) % 2 == 0:
        return None
    row = min(odd, key=lambda one: abs(one - (len(rows) - 1) / 2))
    return sum(rows[:row]) + rows[row] // 2


Spot = tuple[float, float, float, float]  # x, y, scale, how much narrower than high


def dots(rank: int, rows: Sequence[int]) -> list[Spot]:
    """Rows of round things; three of them lie across the face."""
    centre, tall = field_of(rank)
    high, wide = tall / len(rows), ROOM / max(rows)
    scale = 1.0 if rank == 3 else min(high, wide) / 2 / 10.2
    found = []
    for row, count in enumerate(rows):
        y = centre + (row - (len(rows) - 1) / 2) * high
        step = wide if max(rows) > 2 else ROOM / 2
        aside = (row - 1) * 12.4 if rank == 3 else 0
        found += [(MIDDLE + aside + (at - (count - 1) / 2) * step, y, min(scale, 1.3), 1.0) for at in range(count)]
    return found


def bars(rank: int, rows: Sequence[int]) -> list[Spot]:
    """Rows of upright bars, as high as there is room."""
    centre, tall = field_of(rank)
    high = min(tall / len(rows), 46)
    wide = ROOM / max(*rows, 3)
    found = []
    for row, count in enumerate(rows):
        y = centre + (row - (len(rows) - 1) / 2) * high
        scale = high * 0.9 / 20
        found += [(MIDDLE + (at - (count - 1) / 2) * wide, y, scale, wide * 0.8 / 8 / scale) for at in range(count)]
    return found


# --- signs


def sealed(sheet: SpriteSheet, drawing: Drawing) -> Markup:
    """A sign cut out of a seal; of a tile with a place in a round one. `--tile-seal: none` leaves the sign alone."""
    text = drawing.sign
    seal = {"fill": sheet.paint(ink_of(drawing)), "display": "var(--tile-seal,inline)"}
    stacked = text[:1] >= FIRST_IDEOGRAPH and len(text) in (2, 3)
    if drawing.place is not None and len(text) == 1:
        ground = Markup(h.circle(seal, cx=number(MIDDLE), cy=number(CENTRE + 1), r="22"))
        return ground + row_of(sheet, text, MIDDLE, CENTRE + 1, 30, 29, sheet.paint("paper"))
    wide, high = (31.0, TALL) if stacked else (46.0, 46.0)
    x, y = number(MIDDLE - wide / 2), number(CENTRE - high / 2)
    ground = Markup(h.rect(seal, x=x, y=y, width=number(wide), height=number(high), rx="7"))
    return ground + sign_alone(sheet, text, "paper", 0.9 if stacked else SEAL)


def banded(sheet: SpriteSheet, sign: str, rank: int) -> Markup:
    """A rank over a band with the sign of its suit: a Chinese numeral over a Chinese sign, else digits."""
    written = numeral(rank) if sign[:1] >= FIRST_IDEOGRAPH else str(rank)
    band = Markup(h.rect(x="7", y="45", width="46", height="22.4", rx="5", fill=sheet.paint("red")))
    above = row_of(sheet, written, MIDDLE, 25.4, ROOM, 33, sheet.paint("ink"))
    return above + band + row_of(sheet, sign, MIDDLE, 56.2, 40, 18.4, sheet.paint("paper"))


def lettered(sheet: SpriteSheet, drawing: Drawing) -> Markup:
    """A number over the letter of a suit without an emblem, cut out of a badge of its own."""
    ink = sheet.paint(BADGE_INKS[drawing.nth % len(BADGE_INKS)])
    digits = row_of(sheet, str(drawing.rank), MIDDLE, 21, ROOM, 29, sheet.paint("ink"))
    ground = placed(Markup(h.g(fill=ink)[BADGES[drawing.nth % len(BADGES)]]), MIDDLE, 54, 1.36)
    return digits + ground + row_of(sheet, drawing.letter, MIDDLE, 54, 15, 14.5, sheet.paint("paper"))


# --- shapes, each in a box that reaches 10 to every side


def disc(paint: Paint, ink: str) -> h.Node:
    return [h.circle(r="9.6", fill=paint(ink)), h.circle(r="3.2", fill=paint("paper"))]


def great_disc(paint: Paint) -> h.Node:
    """The single disc of a suit: a target."""
    return [
        h.circle(r="10", fill=paint("blue")),
        h.circle(r="7.4", fill=paint("paper")),
        h.circle(r="5.4", fill=paint("red")),
        h.circle(r="2", fill=paint("paper")),
    ]


def bar(paint: Paint, ink: str) -> h.Node:
    """An upright bar with a notch on both sides, 8 wide."""
    return h.path(
        d="M-3.6 -7.2A2.4 2.4 0 0 1 -1.2 -9.6H1.2A2.4 2.4 0 0 1 3.6 -7.2V-1.1L2.2 0L3.6 1.1V7.2"
        "A2.4 2.4 0 0 1 1.2 9.6H-1.2A2.4 2.4 0 0 1 -3.6 7.2V1.1L-2.2 0L-3.6 -1.1Z",
        fill=paint(ink),
    )


def bird(paint: Paint, ink: str = "green") -> h.Node:
    """A bird of half a disc, looking left."""
    return [
        h.path(d="M3.6 -.6L10 -9.6L8.4 -.6Z", fill=paint("red")),
        h.path(d="M-8.4 -.6H8.4A8.4 8.4 0 0 1 -8.4 -.6Z", fill=paint(ink)),
        h.circle(cx="-4.6", cy="-4.2", r="3.9", fill=paint(ink)),
        h.path(d="M-7.8 -6L-10.8 -4.1L-7.8 -2.5Z", fill=paint("red")),
        h.circle(cx="-5.2", cy="-4.8", r="1.1", fill=paint("paper")),
        h.path(d="M-2.4 1H6.2A4.3 4.3 0 0 1 -2.4 1Z", fill=paint("paper")),
        h.path(d="M-1.6 7.4V10M2 7.4V10", stroke=paint("ink"), stroke_width="1.4", stroke_linecap="round"),
    ]


def outline(paint: Paint, ink: str, path: str, width: float = 2.0) -> h.Node:
    return h.path(
        d=path,
        fill="none",
        stroke=paint(ink),
        stroke_width=number(width),
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def frame(paint: Paint, ink: str) -> h.Node:
    """The four corners of a frame."""
    return outline(paint, ink, "M-7 -4.6V-9.4H-2.6M2.6 -9.4H7V-4.6M7 4.6V9.4H2.6M-2.6 9.4H-7V4.6")


def blank(paint: Paint, ink: str) -> h.Node:
    return h.circle(r="2", fill="none", stroke=paint(ink), stroke_width=".8", opacity=".55")


def star(paint: Paint, ink: str) -> h.Node:
    outer, inner = around(5, 9.2), around(5, 4.4, -54)
    pairs = [pair for both in zip(outer, inner, strict=True) for pair in both]
    return [
        h.polygon(points=points(pairs), fill="none", stroke=paint(ink), stroke_width="1.9", stroke_linejoin="round"),
        h.circle(r="2.1", fill=paint(ink)),
    ]


def blossom(paint: Paint, ink: str) -> h.Node:
    petals = [h.circle(cx=number(x), cy=number(y), r="3.4") for x, y in around(5, 5.8)]
    return [h.g(fill="none", stroke=paint(ink), stroke_width="1.5")[petals], h.circle(r="2.1", fill=paint("gold"))]


def leaf(paint: Paint, ink: str) -> h.Node:
    return outline(paint, ink, "M0 -9.4C6.6 -4.6 6.4 3.6 0 7C-6.4 3.6 -6.6 -4.6 0 -9.4ZM0 -2.6V9.6", 1.8)


def diamond(paint: Paint, ink: str) -> h.Node:
    inner = h.path(d="M0 -4.2L3.2 0L0 4.2L-3.2 0Z", fill=paint(ink))
    return [outline(paint, ink, "M0 -9.2L7 0L0 9.2L-7 0Z", 1.8), inner]


def heart(paint: Paint, ink: str) -> h.Node:
    halves = (
        "M0 8.6C-5 4.8 -8.8 1.2 -8.8 -3.2C-8.8 -8.2 -2.4 -9.6 0 -4.8C2.4 -9.6 8.8 -8.2 8.8 -3.2C8.8 1.2 5 4.8 0 8.6Z"
    )
    return outline(paint, ink, halves)


def drop(paint: Paint, ink: str) -> h.Node:
    return outline(
        paint,
        ink,
        "M0 -9.2C3.4 -4.6 6 -1.4 6 2.8A6 6 0 0 1 -6 2.8C-6 -1.4 -3.4 -4.6 0 -9.2ZM-2.6 3.4A2.8 2.8 0 0 0 0 6",
    )


def sun(paint: Paint, ink: str) -> h.Node:
    rays = [h.path(d="M0 -9.6V-7.2", transform=f"rotate({45 * nth})") for nth in range(8)]
    return h.g(fill="none", stroke=paint(ink), stroke_width="1.9", stroke_linecap="round")[h.circle(r="4.2"), rays]


def moon(paint: Paint, ink: str) -> h.Node:
    return outline(paint, ink, "M2.8 -8.8A9 9 0 1 0 8.2 5.2A7.6 7.6 0 0 1 2.8 -8.8Z")


SHAPES: dict[str, Shape] = dict(
    zip(OWN_INKS, (disc, bar, frame, blank, star, blossom, leaf, diamond, heart, drop, sun, moon, bird), strict=True)
)
