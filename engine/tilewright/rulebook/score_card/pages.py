"""A score card as SVG, or as a page to be printed. A ScoreCard in, text out; both fetch nothing."""

from collections.abc import Iterator, Sequence

import htpy as h
from markupsafe import Markup

from tilewright.paper.html import drawn, paper_document, style, svg_document
from tilewright.paper.sheet import PAPERS, Page
from tilewright.paper.typeface import printable
from tilewright.presentation.catalogue import say
from tilewright.presentation.markup.pieces import joined, lines
from tilewright.presentation.tiles.drawing import drawings
from tilewright.presentation.tiles.svg import sprite_of
from tilewright.rulebook.score_card.card import ScoreCard
from tilewright.rulebook.score_card.layout import score_card_pages


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
