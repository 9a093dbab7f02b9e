"""A card as SVG: pages in, one picture in points out, the size of the paper.

Every text is stretched to its width in the layout. Sets classes and ids for pages to style: `.line`,
`.set`, `.suit-r`, `#g2-l3`. Fetches nothing.
"""

from collections.abc import Iterator, Sequence
from html import escape

from tilewright.cards.model import Card
from tilewright.paper.layout import PlacedText, PlacedTile, PrintBlock, Stroke, names_of
from tilewright.paper.sheet import Page, Placed, pages
from tilewright.presentation.tiles.svg import symbol_id

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


def style() -> str:
    """The style sheet of a picture; it affects nothing else on a page."""
    return "".join(f"{scoped(names)}{{{look}}}" for names, look in LOOKS.items())


def scoped(names: str) -> str:
    """A selector for these names inside a picture."""
    return ",".join(f".card-sheet {name}" for name in names.split())


def show_svg(card: Card, paper: str = "a4") -> str:
    """The card as an SVG document; several pages are stacked."""
    sheets = pages(card, paper)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{picture(card, sheets)}\n'


def picture(card: Card, sheets: Sequence[Page], styled: bool = True) -> str:
    """One svg element with these pages of a card, stacked; `styled`: including the style sheet."""
    lines = sum(len(group.entries) for group in card.groups)
    about = f"A card of hands: {lines} lines in {len(card.groups)} groups"
    return drawn(sheets, names_of(card)[0], about, [f"<style>{style()}</style>"] if styled else [])


def drawn(sheets: Sequence[Page], name: str, about: str, first: Sequence[str] = ()) -> str:
    """One svg element with these pages, stacked, and `first` in front of them."""
    paper, count = sheets[0].paper, len(sheets)
    down = f"{number(float(paper.down[:-2]) * count)}{paper.down[-2:]}"
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="card-sheet" role="img" width="{paper.across}"'
            f' height="{down}" viewBox="0 0 {number(paper.width)} {number(paper.height * count)}">',
            f"<title>{escape(name)}</title>",
            f"<desc>{escape(about)}</desc>",
            *first,
            *(line for at, page in enumerate(sheets) for line in page_lines(page, at * paper.height)),
            "</svg>",
        )
    )


def page_lines(page: Page, down: float) -> Iterator[str]:
    """A page as a group, moved down."""
    width, height = number(page.paper.width), number(page.paper.height)
    yield f'<g class="page" id="page{page.number}" transform="translate(0 {number(down)})">'
    yield f'<rect class="paper" width="{width}" height="{height}" fill="#fff"/>'
    for placed in page.placed:
        yield from block_lines(placed, page.number)
    yield "</g>"


def block_lines(placed: Placed, page: int) -> Iterator[str]:
    """A block as a group at its place."""
    block = placed.block
    id = block.id if block.kind not in ("head", "foot") else f"{block.id}{page}"
    yield f'<g class="{block.kind}" id="{id}" transform="translate({number(placed.x)} {number(placed.y)})">'
    if block.framed:
        yield frame(block)
    yield from (line for stroke in block.strokes for line in stroke_lines(stroke))
    yield from (tile_element(tile) for tile in block.tiles)
    yield from (text_element(text) for text in block.texts)
    yield "</g>"


def frame(block: PrintBlock) -> str:
    return f'<rect class="frame" width="{number(block.width)}" height="{number(block.height)}" rx="2"/>'


def tile_element(tile: PlacedTile) -> str:
    """A tile, drawn by the symbol of the sprite."""
    place = f'x="{number(tile.x)}" y="{number(tile.y)}"'
    size = f'width="{number(tile.width)}" height="{number(tile.width * 4 / 3)}"'
    return f'<use href="#{symbol_id(tile.code)}" {place} {size}/>'


def text_element(text: PlacedText) -> str:
    """A text centred in its width, so that right-to-left text works too."""
    ink = f" suit-{text.ink}" if text.ink else ""
    return (
        f'<text class="{text.role}{ink}" x="{number(text.x + text.width / 2)}" y="{number(text.y)}"'
        f' text-anchor="middle" font-size="{number(text.size)}" textLength="{number(text.width)}"'
        f' lengthAdjust="spacingAndGlyphs">{escape(text.text)}</text>'
    )


def stroke_lines(stroke: Stroke) -> Iterator[str]:
    """A rule, or the mark under a set: one stroke, two thin ones, or dots."""
    if stroke.kind == "rule":
        yield line_element(stroke, "rule", 0)
        return
    thick, dots = THICK[stroke.kind] * stroke.size, ""
    if stroke.kind == "dotted":
        dots = f' stroke-linecap="round" stroke-dasharray="0 {number(1.8 * thick)}"'
    for at in range(2 if stroke.kind == "double" else 1):
        look = f' stroke-width="{number(thick)}"{dots}'
        yield line_element(stroke, f"mark mark-{stroke.ink}", at * APART * stroke.size, look)


def line_element(stroke: Stroke, names: str, down: float, look: str = "") -> str:
    y, inset = number(stroke.y + down), 0.06 * stroke.size
    ends = f'x1="{number(stroke.x + inset)}" x2="{number(stroke.x + stroke.width - inset)}"'
    return f'<line class="{names}" {ends} y1="{y}" y2="{y}"{look}/>'


def number(value: float) -> str:
    """A length with two decimals, no more than needed."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
