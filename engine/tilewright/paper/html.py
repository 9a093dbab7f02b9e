"""A card as SVG, one picture of the size of the paper for each page, and as one HTML document to be printed.

Every text is stretched to its width in the layout. Sets classes and ids for pages to style: `.line`, `.set`,
`.suit-r`, `#g2-l3`. Next to the pictures of a document is the card in words, for screen readers. Fetches nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

import htpy as h
from markupsafe import Markup

from tilewright.cards.model import Card
from tilewright.paper.layout import PlacedText, PlacedTile, PrintBlock, PrintRow, Stroke, names_of
from tilewright.paper.sheet import PAPERS, Page, PaperSize, Placed, pages, sections_of
from tilewright.paper.small_print import spoken
from tilewright.paper.typeface import printable
from tilewright.presentation.catalogue import ENGLISH, say
from tilewright.presentation.markup import document, joined, lines, written
from tilewright.presentation.tile_svg import XMLNS, symbol_id

INKS = {"g": "#006b3c", "r": "#c4122f", "b": "#1747a6", "a": "#7b2d8e"}
MONO_FACES = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
FACES = "Arial, Helvetica, 'Liberation Sans', sans-serif"
THICK = {"single": 0.075, "double": 0.05, "dotted": 0.09}  # of the size: strokes under sets
APART = 0.14  # and the gap in a double one
LOOKS = {  # role of a text -> its look
    "text": f"font-family:{FACES};fill:#1a1a1a",
    ".set .sign .suit .way .value .or": f"font-family:{MONO_FACES};font-weight:bold",
    "text.name text.title text.typed": "font-weight:bold",
    ".or": "font-weight:normal;font-style:italic",
    ".words .key .fault": "fill:#444",
    ".frame": "fill:#f3f3f3;stroke:#555;stroke-width:.7;stroke-dasharray:3 2",
    ".rule": "stroke:#777;stroke-width:.6",
    **{f".suit-{ink}": f"fill:{colour}" for ink, colour in INKS.items()},
    **{f".mark-{ink}": f"stroke:{colour}" for ink, colour in INKS.items()},
}
NO_LOOK: Mapping[str, str] = MappingProxyType({})


@cache
def style() -> Markup:
    """The style sheet of a picture; it affects nothing else on a page."""
    return Markup("".join(f"{scoped(names)}{{{look}}}" for names, look in LOOKS.items()))


def scoped(names: str) -> str:
    """A selector for these names inside a picture."""
    return ",".join(f".card-sheet {name}" for name in names.split())


def show_svg(card: Card, paper: str = "a4") -> str:
    """The card as an SVG document; several pages are stacked."""
    return svg_document(picture(card, pages(card, paper)))


def svg_document(picture: h.Element) -> str:
    """A picture as a file."""
    return written(Markup('<?xml version="1.0" encoding="UTF-8"?>\n'), picture, "\n")


def picture(card: Card, sheets: Sequence[Page], styled: bool = True) -> h.Element:
    """One svg element with these pages of a card, stacked; `styled`: including the style sheet."""
    count = sum(len(group.entries) for group in card.groups)
    about = f"A card of hands: {count} lines in {len(card.groups)} groups"
    return drawn(sheets, names_of(card)[0], about, h.style[style()] if styled else None)


def drawn(sheets: Sequence[Page], name: str, about: str, first: h.Node = None) -> h.Element:
    """One svg element with these pages, stacked, and `first` in front of them."""
    paper, count = sheets[0].paper, len(sheets)
    down = f"{number(float(paper.down[:-2]) * count)}{paper.down[-2:]}"
    box = f"0 0 {number(paper.width)} {number(paper.height * count)}"
    return h.svg(".card-sheet", xmlns=XMLNS, role="img", width=paper.across, height=down, viewBox=box)[
        h.title[name],
        h.desc[about],
        first,
        "\n",
        lines(page_element(page, at * paper.height) for at, page in enumerate(sheets)),
    ]


def page_element(page: Page, down: float) -> h.Element:
    """A page as a group, moved down."""
    width, height = number(page.paper.width), number(page.paper.height)
    return h.g(".page", id=f"page{page.number}", transform=f"translate(0 {number(down)})")[
        h.rect(".paper", width=width, height=height, fill="#fff"),
        "\n",
        lines(block_element(placed, page.number) for placed in page.placed),
    ]


def block_element(placed: Placed, page: int) -> h.Element:
    """A block as a group at its place."""
    block = placed.block
    id = block.id if block.kind not in ("head", "foot") else f"{block.id}{page}"
    return h.g(id=id, class_=block.kind, transform=f"translate({number(placed.x)} {number(placed.y)})")[
        frame(block) if block.framed else None,
        joined(line for stroke in block.strokes for line in stroke_lines(stroke)),
        joined(map(tile_element, block.tiles)),
        joined(map(text_element, block.texts)),
    ]


def frame(block: PrintBlock) -> h.Element:
    return h.rect(".frame", width=number(block.width), height=number(block.height), rx="2")


def tile_element(tile: PlacedTile) -> h.Element:
    """A tile, drawn by the symbol of the sprite."""
    width, height = number(tile.width), number(tile.width * 4 / 3)
    return h.use(href=f"#{symbol_id(tile.code)}", x=number(tile.x), y=number(tile.y), width=width, height=height)


def text_element(text: PlacedText) -> h.Element:
    """A text centred in its width, so that right-to-left text works too."""
    return h.text(
        class_=f"{text.role} suit-{text.ink}" if text.ink else text.role,
        x=number(text.x + text.width / 2),
        y=number(text.y),
        text_anchor="middle",
        font_size=number(text.size),
        textLength=number(text.width),
        lengthAdjust="spacingAndGlyphs",
    )[text.text]


def stroke_lines(stroke: Stroke) -> Iterator[h.Element]:
    """A rule, or the mark under a set: one stroke, two thin ones, or dots."""
    if stroke.kind == "rule":
        yield line_element(stroke, "rule", 0)
        return
    thick = THICK[stroke.kind] * stroke.size
    look = {"stroke-width": number(thick)}
    if stroke.kind == "dotted":
        look |= {"stroke-linecap": "round", "stroke-dasharray": f"0 {number(1.8 * thick)}"}
    for at in range(2 if stroke.kind == "double" else 1):
        yield line_element(stroke, f"mark mark-{stroke.ink}", at * APART * stroke.size, look)


def line_element(stroke: Stroke, names: str, down: float, look: Mapping[str, str] = NO_LOOK) -> h.Element:
    y, inset = number(stroke.y + down), 0.06 * stroke.size
    start, end = number(stroke.x + inset), number(stroke.x + stroke.width - inset)
    return h.line(look, class_=names, x1=start, x2=end, y1=y, y2=y)


def number(value: float) -> str:
    """A length with two decimals, no more than needed."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


# --- documents

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
    return document(language, title, page_style(paper), content)


def page_style(paper: PaperSize) -> Markup:
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
