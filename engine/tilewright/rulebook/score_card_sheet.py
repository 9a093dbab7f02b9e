"""A score card on paper: its groups, notes, head and foot as blocks of a width, which the sheet arranges.

A ScoreCard in, SVG or a page to be printed out; both fetch nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import htpy as h
from markupsafe import Markup

from tilewright.cards.model import CardGroup
from tilewright.paper.html import drawn, paper_document, style, svg_document
from tilewright.paper.layout import (
    ASCENT,
    DESCENT,
    NAME_ROWS,
    SMALL_PITCH,
    PaperSizes,
    PlacedText,
    PlacedTile,
    PrintBlock,
    Stroke,
    centred,
    note_texts,
    title_block,
)
from tilewright.paper.sheet import PAPERS, Chunk, Page, Sheet, card_group
from tilewright.paper.typeface import measure, printable, wrap
from tilewright.presentation.catalogue import say
from tilewright.presentation.markup import joined, lines
from tilewright.presentation.tile_shapes import drawings
from tilewright.presentation.tile_svg import sprite_of
from tilewright.rulebook.score_card import ScoreCard, ScoreNotes, ScoreRow, ScoreTable
from tilewright.rulebook.writing import Codes

LARGEST = 10.5
COMFORTABLE = 7.25
COLUMNS = {2: 1.0, 3: 0.9}  # weight of the type size, by the number of columns
ROWS = {3: 1.0, 2: 0.97, 1: 0.88, 0: 0.7}  # and of the rows of words under a pattern
HAND = 16.6  # widths of a tile: a hand in its groups
TALLEST = 1.75  # of the size: the width of a tile
APART = 0.4  # of a tile: between groups
NARROWED = 0.8  # how far the tiles of a longer hand shrink to stay in a row
MOST_ROWS = 60  # of a paragraph
TABLE_ROWS, TABLE_PITCH = 12, 1.35  # of a block; of the size, from row to row
CELL, HALF = 0.3, 0.46  # of a column: the widest cell of a table that has others, or one other, beside it


def score_card_pages(card: ScoreCard, paper: str = "a4") -> tuple[Page, ...]:
    """The score card on sheets of a4 or letter paper."""
    return Sheet(PAPERS[paper], ScoreCardContent(card)).pages()


@dataclass(frozen=True)
class ScoreCardContent:
    """A score card, as a sheet asks for it."""

    card: ScoreCard
    rows: Mapping[int, float] = field(default_factory=lambda: ROWS)
    columns: Mapping[int, float] = field(default_factory=lambda: COLUMNS)
    largest: float = LARGEST
    comfortable: float = COMFORTABLE

    @property
    def digits(self) -> int:
        lines = [row.line for section in self.card.cards for row in section.rows if row.line]
        return max((len(str(line.value)) for line in lines), default=2)

    def groups(self, width: float, sizes: PaperSizes) -> list[Chunk]:
        """The lines of cards, the patterns, tables and sentences."""
        found = [card_group(section, width, sizes) for section in self.card.cards]
        for number, group in enumerate(self.card.groups):
            title = titled(f"worth{number}", group.title, width, sizes)
            found.append((title, *(pattern_block(f"worth{number}", row, width, sizes) for row in group.rows)))
        for number, notes in enumerate(self.card.notes):
            if blocks := [*notes_blocks(f"notes{number}", notes, width, sizes)]:
                found.append((titled(f"notes{number}", notes.title, width, sizes), *blocks))
        return found

    def continued(self, line: str, width: float, sizes: PaperSizes) -> PrintBlock:
        id = line.partition("-")[0]
        titles = {one.id: one.group.title for one in self.card.cards}
        titles |= {f"worth{number}": one.title for number, one in enumerate(self.card.groups)}
        titles |= {f"notes{number}": one.title for number, one in enumerate(self.card.notes)}
        title = say("sheet.continued", self.card.language, title=titles[id])
        return titled(f"{line}-title", title, width, sizes)

    def head(self, width: float, sizes: PaperSizes) -> PrintBlock:
        """The name of the game."""
        size = 1.7 * sizes.size
        title = printable(say("sheet.score_card", self.card.language, name=self.card.title))
        rows = wrap(title, width, size, NAME_ROWS, bold=True)
        texts = [centred(row, width, (ASCENT + at * SMALL_PITCH) * size, size, "name") for at, row in enumerate(rows)]
        height = texts[-1].y + DESCENT * size
        return PrintBlock("head", "head", width, height, tuple(texts))

    def foot(self, number: str, width: float, sizes: PaperSizes) -> PrintBlock:
        """What the card was made from, and the number of the page."""
        made = say("rulebook.frame.made_from", self.card.language, digest=self.card.digest[:12])
        text = " · ".join(part for part in (made, number) if part)
        texts = tuple(note_texts(text, width, (), sizes))
        height = max(one.y + DESCENT * one.size for one in texts)
        return PrintBlock("foot", "foot", width, height, texts, (Stroke(0, 0.3, width, sizes.small, "rule"),))


def titled(id: str, title: str, width: float, sizes: PaperSizes) -> PrintBlock:
    return title_block(id, CardGroup(title[:1].upper() + title[1:], ()), width, sizes)


# --- a pattern


def pattern_block(group: str, row: ScoreRow, width: float, sizes: PaperSizes) -> PrintBlock:
    """Its name, with its worth at the right or below, its tiles, and its sentences as far as there is room."""
    size, small = sizes.size, sizes.small
    worth, name = printable(row.worth), printable(row.name)
    room = width - measure(worth, small) - size if worth else width
    beside = measure(name, size, bold=True) <= room
    names = wrap(name, room if beside else width, size, NAME_ROWS + 1, bold=True)
    y = ASCENT * size
    texts = [
        PlacedText(text, 0, y + at * SMALL_PITCH * size, measure(text, size, bold=True), size, "title")
        for at, text in enumerate(names)
    ]
    if worth and beside:
        own = measure(worth, small)
        texts.append(PlacedText(worth, width - own, y, own, small, "words"))
    elif worth:
        texts += rows_below(wrap(worth, width, small, MOST_ROWS), bottom(texts), small)
    tiles = tuple(placed_tiles(row.tiles, bottom(texts) + 0.12 * size, width, sizes))
    end = max((tile.y + tile.width * 4 / 3 for tile in tiles), default=bottom(texts))
    texts += rows_below(said(row.sentences, width, sizes), end + 0.1 * size, small)
    return PrintBlock(f"{group}-{row.id}", "line", width, max(end, bottom(texts)), tuple(texts), tiles=tiles)


def bottom(texts: Iterable[PlacedText]) -> float:
    return max((text.y + DESCENT * text.size for text in texts), default=0.0)


def rows_below(rows: Sequence[str], y: float, size: float) -> Iterator[PlacedText]:
    """Rows of small print, the first of them right under `y`."""
    for at, row in enumerate(rows):
        yield PlacedText(row, 0, y + (ASCENT + at * SMALL_PITCH) * size, measure(row, size), size, "words")


def said(sentences: Sequence[str], width: float, sizes: PaperSizes) -> list[str]:
    """As many whole sentences as fit the rows that there are."""
    for count in range(len(sentences), 0, -1):
        rows = wrap(printable(" ".join(sentences[:count])), width, sizes.small, MOST_ROWS)
        if len(rows) <= sizes.rows:
            return rows
    return []


def placed_tiles(groups: Sequence[Codes], top: float, width: float, sizes: PaperSizes) -> Iterator[PlacedTile]:
    """A hand in a row; a longer one in smaller tiles, or in several rows."""
    wide = min(TALLEST * sizes.size, width / HAND)
    needed = wide * (sum(map(len, groups)) + APART * (len(groups) - 1))
    wide *= max(NARROWED, min(1.0, width / needed)) if needed else 1.0
    x, y = 0.0, top
    for group in groups:
        if x and x + wide * len(group) > width + 0.01:
            x, y = 0.0, y + 1.45 * wide
        for code in group:
            if x + wide > width + 0.01:
                x, y = 0.0, y + 1.45 * wide
            yield PlacedTile(code, x, y, wide)
            x += wide
        x += APART * wide


# --- tables and sentences


def notes_blocks(group: str, notes: ScoreNotes, width: float, sizes: PaperSizes) -> Iterator[PrintBlock]:
    """The tables, then the sentences, each a block."""
    for number, table in enumerate(notes.tables):
        yield from table_blocks(f"{group}-table{number}", table, width, sizes)
    for number, text in enumerate(notes.paragraphs):
        yield text_block(
            f"{group}-text{number}", wrap(printable(text), width, sizes.small, MOST_ROWS), width, sizes.small
        )


def table_blocks(id: str, table: ScoreTable, width: float, sizes: PaperSizes) -> Iterator[PrintBlock]:
    """A table of two columns: its head, then entries side by side; those that are too wide for that, each in rows of
    its own. One of more columns is a grid."""
    if len(table.head) > 2:
        yield grid_block(id, table, width, sizes)
        return
    head, *entries = (printable(" → ".join(row)) for row in (table.head, *table.rows))
    size = sizes.small
    above = list(rows_below(wrap(head, width, size, MOST_ROWS), 0, size))  # stays with the first entries
    widest = max((measure(text, size) for text in entries), default=0.0)
    beside = (
        HALF if widest <= HALF * width else CELL
    )  # all of them in two columns rather than some in rows of their own
    short = [text for text in entries if measure(text, size) <= beside * width]
    cell = max((measure(text, size) for text in short), default=width) + 1.2 * size
    count = max(1, int((width + 1.2 * size) / cell))
    if not short:
        yield PrintBlock(f"{id}-head", "line", width, bottom(above), tuple(above))
    for start in range(0, len(short), TABLE_ROWS * count):
        top = bottom(above) + 0.3 * size if start == 0 else 0.0
        placed = above * (start == 0) + [
            PlacedText(
                text,
                at % count * cell,
                top + (ASCENT + at // count * TABLE_PITCH) * size,
                measure(text, size),
                size,
                "words",
            )
            for at, text in enumerate(short[start : start + TABLE_ROWS * count])
        ]
        yield PrintBlock(f"{id}-from{start}", "line", width, bottom(placed), tuple(placed))
    for number, text in enumerate(text for text in entries if text not in short):
        yield text_block(f"{id}-long{number}", wrap(text, width, size, MOST_ROWS), width, size)


def grid_block(id: str, table: ScoreTable, width: float, sizes: PaperSizes) -> PrintBlock:
    """A table under its caption, in columns as wide as the whole width allows, in smaller type where that is narrow."""
    caption = list(rows_below(wrap(printable(table.caption), width, sizes.small, MOST_ROWS), 0, sizes.small))
    cells = [[printable(cell) for cell in row] for row in (table.head, *table.rows)]
    wide = width / len(table.head)
    widest = max(measure(cell, sizes.small) for row in cells for cell in row)
    size = sizes.small * min(1.0, (wide - 0.3 * sizes.small) / widest)
    top = bottom(caption) + 0.2 * size
    placed = [
        PlacedText(
            cell,
            at * wide,
            top + (ASCENT + number * TABLE_PITCH) * size,
            measure(cell, size),
            size,
            "words" if number else "title",
        )
        for number, row in enumerate(cells)
        for at, cell in enumerate(row)
        if cell
    ]
    return PrintBlock(id, "line", width, bottom(placed), (*caption, *placed))


def text_block(id: str, rows: Sequence[str], width: float, size: float) -> PrintBlock:
    texts = tuple(rows_below(rows, 0, size))
    return PrintBlock(id, "line", width, bottom(texts), texts)


# --- files


def score_card_svg(card: ScoreCard, paper: str = "a4") -> str:
    """An SVG document; several pages are stacked."""
    sheets = score_card_pages(card, paper)
    return svg_document(picture(card, sheets, sprite(card, sheets)))


def score_card_page(card: ScoreCard, paper: str = "a4") -> str:
    """An HTML document that prints one side of paper for each page; for screen readers the card in words."""
    first, *others = sheets = score_card_pages(card, paper)
    pictures = [joined((sprite(card, sheets), "\n", picture(card, [first])))]
    pictures += (Markup(picture(card, [sheet])) for sheet in others)
    return paper_document(title_of(card), card.language, PAPERS[paper], pictures, words(card))


def picture(card: ScoreCard, sheets: Sequence[Page], tiles: h.Node = None) -> h.Element:
    return drawn(sheets, title_of(card), say("sheet.by_worth", card.language), [h.style[style()], tiles])


def title_of(card: ScoreCard) -> str:
    return printable(say("sheet.score_card", card.language, name=card.title))


def sprite(card: ScoreCard, sheets: Sequence[Page]) -> Markup:
    """The tiles that these pages show."""
    codes = {tile.code for sheet in sheets for placed in sheet.placed for tile in placed.block.tiles}
    return sprite_of(drawing for drawing in drawings(card.tiles) if drawing.code in codes)


def words(card: ScoreCard) -> Iterator[h.Element]:
    """The patterns as headings and lists."""
    yield h.h1[title_of(card)]
    for group in card.groups:
        yield h.h2[printable(group.title)]
        rows = ((row.name, row.worth, *row.sentences) for row in group.rows)
        yield h.ul[lines(h.li[printable(". ".join(one.rstrip(".") for one in row if one))] for row in rows)]
