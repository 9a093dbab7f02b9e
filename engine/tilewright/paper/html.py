"""A card as a page to be printed: a card in, one HTML document out, each side of paper a picture of its size.

Next to the pictures is the card in words, for screen readers. Fetches nothing.
"""

from collections.abc import Iterable, Iterator

import htpy as h
from markupsafe import Markup

from tilewright.cards.model import Card
from tilewright.paper.layout import PrintRow, names_of
from tilewright.paper.sheet import PAPERS, PaperSize, pages, sections_of
from tilewright.paper.small_print import spoken
from tilewright.paper.svg import picture
from tilewright.paper.typeface import printable
from tilewright.presentation.catalogue import ENGLISH, say
from tilewright.presentation.markup import document, lines

STYLE = Markup("""
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
""")


def show_html(card: Card, paper: str = "a4") -> str:
    """The whole document; printed, it takes one side of paper for each page of the card."""
    pictures = (picture(card, [page]) for page in pages(card, paper))
    return paper_document(names_of(card)[0], ENGLISH, PAPERS[paper], pictures, words(card))


def paper_document(
    title: str, language: str, paper: PaperSize, pictures: Iterable[h.Element | Markup], words: Iterable[h.Element]
) -> str:
    """A page with a picture for each side of paper, and the same in words."""
    content = h.main[
        lines(h.div(".sheet")[one] for one in pictures),
        h.section(".in-words", aria_label=say("sheet.in_words", language))["\n", lines(words)],
    ]
    return document(language, title, style(paper), content)


def style(paper: PaperSize) -> Markup:
    """The style sheet for this paper."""
    words = {"PAPER": paper.name, "ACROSS": paper.across, "DOWN": paper.down, "WIDE": paper.across}
    text = STYLE
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def words(card: Card) -> Iterator[h.Element]:
    """The card as headings and lists."""
    yield h.h1[names_of(card)[0]]
    if about := printable(card.about):
        yield h.p[about]
    for section in sections_of(card):
        yield h.h2[printable(section.group.title)]
        if note := printable(section.group.note):
            yield h.p[note]
        yield h.ul[lines(h.li[row_words(row)] for row in section.rows)]


def row_words(row: PrintRow) -> str:
    """A line as it is read aloud."""
    if row.line is None:
        return f"Not understood: {printable(row.text)} ({row.words})"
    way = "exposed" if row.line.exposed else "concealed"
    words = f". {row.words}" if row.words else ""
    return f"{spoken(row.line)}; {way}, worth {row.line.value}{words}."
