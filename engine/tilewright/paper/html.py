"""A card as a page to be printed: a card in, one HTML document out, each side of paper a picture of its size.

Next to the pictures is the card in words, for screen readers. Fetches nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from tilewright.cards.model import Card
from tilewright.paper.layout import PrintRow, names_of
from tilewright.paper.sheet import PAPERS, PaperSize, SheetSection, pages, sections_of
from tilewright.paper.small_print import spoken
from tilewright.paper.svg import picture
from tilewright.paper.typeface import printable
from tilewright.presentation.catalogue import ENGLISH, say

STYLE = """
@page { size: PAPER; margin: 0 }
html { background: #d8d8d8 }
body { margin: 0 }
.sheet { width: ACROSS; height: DOWN; margin: 6mm auto; overflow: hidden; background: #fff }
.sheet svg { display: block }
.sheet .card-sheet { width: 100%; height: 100% }
.in-words { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media screen and (max-width: WIDE) { .sheet { width: auto; height: auto; margin: 0 } }
@media print {
  html { background: none; print-color-adjust: exact; -webkit-print-color-adjust: exact }
  .sheet { margin: 0; break-inside: avoid }
  .sheet + .sheet { break-before: page }
  .in-words { display: none }
}
"""


def show_html(card: Card, paper: str = "a4") -> str:
    """The whole document; printed, it takes one side of paper for each page of the card."""
    pictures = [picture(card, [page]) for page in pages(card, paper)]
    return document(names_of(card)[0], ENGLISH, PAPERS[paper], pictures, words_lines(card))


def document(title: str, language: str, paper: PaperSize, pictures: Sequence[str], words: Iterable[str]) -> str:
    """A page with a picture for each side of paper, and the same in words."""
    return "\n".join(document_lines(title, language, paper, pictures, words)) + "\n"


def document_lines(
    title: str, language: str, paper: PaperSize, pictures: Sequence[str], words: Iterable[str]
) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield f'<html lang="{escape(language)}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>"
    yield f"<style>{style(paper)}</style>"
    yield "</head>"
    yield "<body>"
    yield "<main>"
    yield from (f'<div class="sheet">{picture}</div>' for picture in pictures)
    yield f'<section class="in-words" aria-label="{escape(say("sheet.in_words", language))}">'
    yield from words
    yield "</section>"
    yield "</main>"
    yield "</body>"
    yield "</html>"


def style(paper: PaperSize) -> str:
    """The style sheet for this paper."""
    words = {"PAPER": paper.name, "ACROSS": paper.across, "DOWN": paper.down, "WIDE": paper.across}
    text = STYLE
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def words_lines(card: Card) -> Iterator[str]:
    """The card as headings and lists."""
    yield f"<h1>{escape(names_of(card)[0])}</h1>"
    if printable(card.about):
        yield f"<p>{escape(printable(card.about))}</p>"
    for section in sections_of(card):
        yield from section_lines(section)


def section_lines(section: SheetSection) -> Iterator[str]:
    """A group: its title, its note, a list of its lines."""
    yield f"<h2>{escape(printable(section.group.title))}</h2>"
    if printable(section.group.note):
        yield f"<p>{escape(printable(section.group.note))}</p>"
    yield "<ul>"
    yield from (f"<li>{escape(row_words(row))}</li>" for row in section.rows)
    yield "</ul>"


def row_words(row: PrintRow) -> str:
    """A line as it is read aloud."""
    if row.line is None:
        return f"Not understood: {printable(row.text)} ({row.words})"
    way = "exposed" if row.line.exposed else "concealed"
    words = f". {row.words}" if row.words else ""
    return f"{spoken(row.line)}; {way}, worth {row.line.value}{words}."
