"""Faces: what the front of a tile shows, drawn as on usual tiles: circles, bamboo, characters.

A drawing in, SVG out. Knows no ruleset and no page.
"""

from collections.abc import Sequence

import htpy as h
from markupsafe import Markup

from tilewright.presentation.markup import NOTHING, joined
from tilewright.presentation.tile_shapes import (
    BADGE_INKS,
    FIRST_IDEOGRAPH,
    OWN_INKS,
    SHAPES,
    Drawing,
    SpriteSheet,
    badge,
    bird,
    drawn,
    great_ring,
    ink_of,
    line_of,
    number,
    ring,
    row_of,
    stick,
)
from tilewright.tiles.tileset import EMBLEMS, numeral

MIDDLE, CENTRE = 30.0, 37.2  # of the front, which ends above the lower edge
ROOM, TALL = 43.0, 57.0  # of the drawing on it

# pips in rows; more if they fit
RINGS = {7: (), 10: (3, 2, 2, 3), 11: (4, 3, 4), 12: (3, 3, 3, 3), 13: (3, 2, 3, 2, 3), 14: (3, 4, 4, 3), 15: (3,) * 5}
RINGS |= {1: (1,), 2: (1, 1), 3: (), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 8: (2, 2, 2, 2), 9: (3, 3, 3), 16: (4,) * 4}
STICKS = {2: (1, 1), 3: (1, 2), 4: (2, 2), 5: (2, 1, 2), 6: (3, 3), 7: (1, 3, 3), 9: (3, 3, 3), 10: (3, 4, 3)}
STICKS |= {11: (4, 3, 4), 12: (4, 4, 4), 13: (4, 5, 4), 14: (5, 4, 5), 15: (5, 5, 5), 16: (4, 4, 4, 4)}
MOST_PIPS = 16
COUNTED_AT_A_GLANCE = 9  # with more of them, the number is always in the corner


def content(sheet: SpriteSheet, drawing: Drawing) -> Markup:
    """The content of a face, in the middle of its front."""
    if drawing.rank is None:
        if drawing.sign in EMBLEMS:
            return emblem_alone(sheet, drawing.sign)
        return sign_alone(sheet, drawing.sign, ink_of(drawing)) + place_beside(sheet, drawing)
    if drawing.letter:
        return lettered(sheet, drawing)
    if drawing.sign in EMBLEMS:
        return counted(sheet, drawing.sign, drawing.rank)
    return under_rank(sheet, drawing.sign, drawing.rank)


# --- emblems


def emblem_alone(sheet: SpriteSheet, name: str) -> Markup:
    """One emblem, as large as looks good."""
    shape, ink = SHAPES[name], OWN_INKS[name]
    scale = 2.55 if name == "frame" else 1.9
    return placed(drawn(shape, sheet.paint, ink), MIDDLE, CENTRE, scale)


def placed(shape: Markup, x: float, y: float, scale: float, turn: float = 0, narrow: float = 1) -> Markup:
    """A shape, moved and scaled."""
    turned = f" rotate({number(turn)})" if turn else ""
    sizes = number(scale) if narrow == 1 else f"{number(scale * narrow)} {number(scale)}"
    return Markup(h.g(transform=f"translate({number(x)} {number(y)}){turned} scale({sizes})")[shape])


def counted(sheet: SpriteSheet, name: str, rank: int) -> Markup:
    """As many emblems as the rank; without an emblem a number, with too many a number next to one."""
    if not 1 <= rank <= MOST_PIPS:
        return numbered(sheet, name, rank)
    if name == "rings":
        return rings(sheet, rank)
    if name == "sticks":
        return sticks(sheet, rank)
    shape, ink = SHAPES[name], OWN_INKS[name]
    scale = {1: 1.9, 2: 1.15, 3: 1.0}.get(rank, 10.0)
    spots = pips(rank)
    scale = min(scale, *(room for _, _, room in spots))
    return joined(placed(drawn(shape, sheet.paint, ink), x, y, scale) for x, y, _ in spots)


def numbered(sheet: SpriteSheet, name: str, rank: int) -> Markup:
    """A number over one emblem."""
    shape, ink = SHAPES[name], OWN_INKS[name]
    digits = line_of(sheet, str(rank), MIDDLE, 8, ROOM, 24, sheet.paint("ink"), "middle")
    return digits + placed(drawn(shape, sheet.paint, ink), MIDDLE, 52, 1.3)


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


def is_crowded(drawing: Drawing) -> bool:
    """Whether there are too many emblems to count at a glance."""
    rank = drawing.rank or 0
    return drawing.sign in EMBLEMS and COUNTED_AT_A_GLANCE < rank <= MOST_PIPS


def field_of(rank: int) -> tuple[float, float]:
    """The centre and the height of the area for so many emblems; many leave the corner to their number."""
    return (CENTRE + 4.6, TALL - 9.2) if rank > COUNTED_AT_A_GLANCE else (CENTRE, TALL)


def rings(sheet: SpriteSheet, rank: int) -> Markup:
    """Rings, a single one as a great wheel."""
    if rank == 1:
        return placed(drawn(great_ring, sheet.paint), MIDDLE, CENTRE, 2.1)
    found: list[Markup] = []
    spots = pips(rank)
    for nth, (x, y, room) in enumerate(spots):
        ink, core = ring_inks(rank, nth, len({row for _, row, _ in spots}), sorted({r for _, r, _ in spots}).index(y))
        found.append(placed(drawn(ring, sheet.paint, ink, core), x, y, room))
    return joined(found)


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


def sticks(sheet: SpriteSheet, rank: int) -> Markup:
    """Sticks, a single one as a bird."""
    if rank == 1:
        return placed(drawn(bird, sheet.paint), MIDDLE + 0.4, CENTRE, 2.35)
    if rank == 8:
        return eight_sticks(sheet)
    rows = STICKS[rank]
    centre, tall = field_of(rank)
    high = min(tall / len(rows), 28)
    found: list[Markup] = []
    for row, count in enumerate(rows):
        y = centre + (row - (len(rows) - 1) / 2) * high
        step = min(ROOM / max(max(rows), 3), 14.5) if count > 1 else 0
        if count == 2:
            step = 20 if max(rows) == 2 else step * 1.5
        for place in range(count):
            x = MIDDLE + (place - (count - 1) / 2) * step
            found.append(one_stick(sheet, x, y, high, max(rows), stick_ink(rank, row, place)))
    return joined(found)


def stick_ink(rank: int, row: int, place: int) -> str:
    """The odd one is red: the middle of five, the top of seven, the middle column of nine."""
    if (rank, row) in ((5, 1), (7, 0)) or (rank == 9 and place == 1):
        return "red"
    return "blue" if rank in (9,) and row == 1 and place != 1 else "green"


def one_stick(sheet: SpriteSheet, x: float, y: float, high: float, most: int, ink: str, turn: float = 0) -> Markup:
    scale = high / 20 * 0.93
    wide = min(1.75, 1.24 * ROOM / max(most, 3) / 9.2) if most > 2 else 1.75
    return placed(drawn(stick, sheet.paint, ink), x, y, scale, turn, wide / scale)


def eight_sticks(sheet: SpriteSheet) -> Markup:
    """Eight in the traditional way: like an M over a W."""
    found: list[Markup] = []
    for y, way in ((CENTRE - 14.6, 1), (CENTRE + 14.6, -1)):
        found += [one_stick(sheet, MIDDLE + side * 18, y, 27, 4, "green") for side in (-1, 1)]
        found += [one_stick(sheet, MIDDLE + side * 7, y, 25, 4, "blue", side * way * -24) for side in (-1, 1)]
    return joined(found)


# --- signs


def under_rank(sheet: SpriteSheet, sign: str, rank: int) -> Markup:
    """A rank over the sign of its suit: a Chinese numeral over a Chinese sign, else digits."""
    written = numeral(rank) if sign[:1] >= FIRST_IDEOGRAPH else str(rank)
    above = row_of(sheet, written, MIDDLE, 20.6, 38, 24, sheet.paint("ink"))
    return above + row_of(sheet, sign, MIDDLE, 51.6, 40, 29, sheet.paint("red"))


def lettered(sheet: SpriteSheet, drawing: Drawing) -> Markup:
    """A number over the letter of a suit without an emblem, in an outline of its own."""
    ink = BADGE_INKS[drawing.nth % len(BADGE_INKS)]
    digits = row_of(sheet, str(drawing.rank), MIDDLE, 21.2, ROOM, 25, sheet.paint("ink"))
    letter = row_of(sheet, drawing.letter, MIDDLE, 53.4, 15, 14.5, sheet.paint(ink))
    return digits + placed(Markup(badge(sheet.paint, drawing.nth)), MIDDLE, 53.4, 1.42) + letter


def place_beside(sheet: SpriteSheet, drawing: Drawing) -> Markup:
    """The number of the seat that a tile belongs to, small at the upper right."""
    if drawing.place is None:
        return NOTHING
    return row_of(sheet, str(drawing.place), 51, 10.4, 12, 10, sheet.paint(drawing.ink))


def sign_alone(sheet: SpriteSheet, text: str, ink: str, size: float = 1) -> Markup:
    """A sign in the middle: letters side by side, Chinese ones below each other, four of them in a square."""
    colour = sheet.paint(ink)
    if text[:1] < FIRST_IDEOGRAPH or len(text) == 1:
        return row_of(sheet, text, MIDDLE, CENTRE, 41 * size, (43 if len(text) == 1 else 30) * size, colour)
    rows: Sequence[str] = (text[:2], text[2:]) if len(text) == 4 else tuple(text)
    high = TALL * size / len(rows)
    return joined(
        row_of(sheet, row, MIDDLE, CENTRE + (nth - (len(rows) - 1) / 2) * high, 41 * size, min(high * 0.92, 27), colour)
        for nth, row in enumerate(rows)
    )
