"""A score card as SVG, or as a page to be printed. A ScoreCard in, text out; both fetch nothing."""

from collections.abc import Iterator, Sequence
from html import escape

from tilewright.paper.html import document
from tilewright.paper.sheet import PAPERS, Page
from tilewright.paper.svg import drawn, style
from tilewright.paper.typeface import printable
from tilewright.presentation.catalogue import say
from tilewright.presentation.tiles.drawing import drawings
from tilewright.presentation.tiles.svg import sprite_of
from tilewright.rulebook.score_card.card import ScoreCard
from tilewright.rulebook.score_card.layout import score_card_pages


def score_card_svg(card: ScoreCard, paper: str = "a4") -> str:
    """An SVG document; several pages are stacked."""
    sheets = score_card_pages(card, paper)
    svg = picture(card, sheets, [f"<style>{style()}</style>", sprite(card, sheets)])
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'


def score_card_page(card: ScoreCard, paper: str = "a4") -> str:
    """An HTML document that prints one side of paper for each page; for screen readers the card in words."""
    sheets = score_card_pages(card, paper)
    pictures = [picture(card, [sheet], [f"<style>{style()}</style>"]) for sheet in sheets]
    pictures[0] = sprite(card, sheets) + pictures[0]
    return document(title_of(card), card.language, PAPERS[paper], pictures, words_lines(card))


def picture(card: ScoreCard, sheets: Sequence[Page], first: Sequence[str]) -> str:
    return drawn(sheets, title_of(card), say("sheet.by_worth", card.language), first)


def title_of(card: ScoreCard) -> str:
    return printable(say("sheet.score_card", card.language, name=card.title))


def sprite(card: ScoreCard, sheets: Sequence[Page]) -> str:
    """The tiles that these pages show."""
    codes = {tile.code for sheet in sheets for placed in sheet.placed for tile in placed.block.tiles}
    return sprite_of(drawing for drawing in drawings(card.tiles) if drawing.code in codes)


def words_lines(card: ScoreCard) -> Iterator[str]:
    """The patterns as headings and lists."""
    yield f"<h1>{escape(title_of(card))}</h1>"
    for group in card.groups:
        yield f"<h2>{escape(printable(group.title))}</h2><ul>"
        for row in group.rows:
            words = (row.name, row.worth, *row.sentences)
            yield f"<li>{escape(printable('. '.join(word.rstrip('.') for word in words if word)))}</li>"
        yield "</ul>"
