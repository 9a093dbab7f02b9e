"""A rulebook as a self-contained page that prints well, or as Markdown. A Rulebook in, text out; decides nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import htpy as h
from markupsafe import Markup

from tilewright.base.spelling import seen
from tilewright.presentation.markup import NOTHING, document, joined, lines, styled
from tilewright.presentation.tile_svg import sprite, symbol_id
from tilewright.rulebook.writing import BookBlock, Codes, Rulebook, Section
from tilewright.tiles.notation import INVISIBLE

FITS_A_PHONE = 4  # columns of a table
STYLE = Markup("""
:root { --ink: #24221d; --soft: #5f584a; --line: #d8d1c0; --paper: #fffdf8; --warm: #f3eee1; --accent: #17654f;
  --bad: #a52a20 }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #eceae3; --soft: #b3b8b2; --line: #38413f; --paper: #1b201f; --warm: #252c2a; --accent: #7fd8b8;
    --bad: #ff9c8f }
}
* { box-sizing: border-box }
html { background: var(--paper); color: var(--ink) }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 52rem;
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans CJK TC", "PingFang TC", sans-serif }
:lang(ja) body { font-family: system-ui, "Hiragino Sans", "Yu Gothic", "Noto Sans CJK JP", sans-serif }
h1 { font-size: 2.2rem; line-height: 1.15; margin: 0 0 1.5rem; letter-spacing: -.01em }
h2 { font-size: 1.5rem; margin: 3rem 0 1rem; padding-bottom: .35rem; border-bottom: 2px solid var(--accent) }
h3 { font-size: 1.1rem; margin: 1.8rem 0 .5rem }
p, ul { margin: .5rem 0 } li { margin: .2rem 0 }
nav ol { columns: 2; column-gap: 3rem; padding-left: 1.8rem; margin: 0 }
nav li { margin: 0; padding: .15rem 0 .15rem .1rem; break-inside: avoid } nav a { color: inherit }
nav { background: var(--warm); border-radius: .6rem; padding: 1rem 1.25rem }
.tile { display: inline-block; width: 2.1rem; height: 2.8rem; vertical-align: middle }
.group { display: inline-block; white-space: nowrap; margin: 0 .45rem .3rem 0 }
.row { line-height: 1; margin: .35rem 0 .2rem } .label { color: var(--soft); font-size: .9rem }
.win { display: inline-block; margin-left: .3rem; padding: 2px; border-radius: .4rem; outline: 2px solid var(--accent) }
.lying { display: inline-block; padding-left: .6rem; border-left: 1px solid var(--line) }
.entry { border-top: 1px solid var(--line); padding: .9rem 0 .6rem }
.entry h3 { display: flex; gap: 1rem; justify-content: space-between; margin: 0 }
.worth { font-weight: 600; color: var(--accent); text-align: right; font-variant-numeric: tabular-nums }
.example { margin: .5rem 0; padding-left: .2rem } .example .label { margin-right: .5rem }
.yes { color: var(--accent) } .no { color: var(--bad) }
table { border-collapse: collapse; margin: .75rem 0; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th { color: var(--soft); font-weight: 600 } footer { margin-top: 3rem; color: var(--soft); font-size: .875rem }
@media (max-width: 40rem) { .group { white-space: normal } .entry h3 { flex-wrap: wrap }
  table { display: block; overflow-x: auto } }
@page { margin: 16mm 14mm }
@media print {
  html { background: none; print-color-adjust: exact; -webkit-print-color-adjust: exact }
  body { padding: 0; max-width: none; font-size: 10pt } h2 { break-after: avoid } h3 { break-after: avoid }
  .tiles, .example, .row, .entry, tr, table:not(:has(tr:nth-of-type(14))) { break-inside: avoid }
  table:has(+ table), table + table { display: inline-table; vertical-align: top; margin-right: 1.8rem }
  :is(p, .example):has(+ table), p:has(+ ul) { break-after: avoid } nav { display: none }
  .tile { width: 1.55rem; height: 2.07rem } h2 { margin-top: 1.8rem } h3 { margin-top: 1.1rem }
  .entry { padding: .45rem 0 .2rem } .entry > h3, .entry > p { break-after: avoid }
  .example { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .6rem; margin: .2rem 0 }
  .example .label { margin: 0 } .example > .label:first-child { width: 8.5rem; white-space: nowrap }
  p, ul { orphans: 3; widows: 3 } th, td { padding: .2rem .9rem .2rem 0 }
}
""")

# --- HTML


def page(book: Rulebook) -> str:
    """The whole document as HTML; fetches nothing."""
    write, rows = BlockWriter(book.words), book.sections
    contents = (h.li[h.a(href=f"#{one.id}")[one.title]] for one in rows)
    parts = (h.section(id=one.id)[h.h2[one.title], "\n", lines(map(write.block, one.blocks))] for one in rows)
    content = h.main[
        h.h1[book.title],
        "\n",
        h.nav(aria_label=book.words["contents"])[h.ol[lines(contents)]],
        "\n",
        lines(parts),
        h.footer[book.words["made_from"]],
    ]
    return book_document(book.language, book.title, STYLE, sprite(book.tiles), content)


def book_document(language: str, title: str, look: Markup, *content: h.Node) -> str:
    """A page without invisible characters."""
    text = document(language, title, look, *content)
    for sign in INVISIBLE:
        text = text.replace(sign, "")
    return text


@dataclass(frozen=True)
class BlockWriter:
    """Writes blocks as HTML. `words`: those of the rulebook; `text`: writes a text; `element`: the one around tiles
    that lie together, or the last tile; `symbol`: the id of a tile's picture."""

    words: Mapping[str, str]
    text: Callable[[str], h.Node] = lambda text: text
    element: Callable[[Codes | str], h.Element] = lambda tiles: h.span
    symbol: Callable[[str], str] = symbol_id

    def block(self, block: BookBlock) -> h.Element | Markup:
        """A block as HTML."""
        match block.block:
            case "text":
                return h.p[self.text(block.text)] if block.text else NOTHING
            case "list":
                return h.ul[joined(h.li[self.text(item)] for item in block.items)]
            case "heading":
                return h.h3(id=block.id or None)[self.text(block.text)]
            case "tiles":
                return styled(h.div, ".tiles")[
                    styled(h.div, ".label")[self.text(block.label)], styled(h.div, ".row")[self.groups(block.groups)]
                ]
            case "table":
                head = h.tr[joined(h.th[self.text(cell)] for cell in block.head)]
                rows = joined(h.tr[joined(h.td[self.text(cell)] for cell in row)] for row in block.rows)
                is_wide = len(block.head) > FITS_A_PHONE  # it may be scrolled sideways
                return h.table(tabindex="0" if is_wide else None)[h.thead[head], h.tbody[rows]]
            case "example":
                return styled(h.div, ".example")[joined(self.example(block))]
            case "entry":
                inside = lines(map(self.block, block.blocks))
                return h.div(".entry", id=block.id or None)[self.entry_head(block), "\n", inside]

    def entry_head(self, block: BookBlock) -> h.Element:
        """The title of an entry, with its worth."""
        worth = styled(h.span, ".worth")[self.text(block.worth)] if block.worth else None
        return h.h3[h.span[self.text(block.text)], worth]

    def example(self, block: BookBlock) -> Iterator[h.Element]:
        """A hand: whether it counts, its groups, the last tile, its tiles on the table."""
        if block.yes is not None:
            sign, kind, key = ("✓ ", ".label.yes", "counts") if block.yes else ("✗ ", ".label.no", "does_not")
            yield styled(h.span, kind)[sign, self.text(self.words[key])]
        yield styled(h.div, ".row")[
            self.groups(block.groups),
            styled(self.element(block.win), ".win")[self.tile(block.win)] if block.win else None,
            [" ", styled(h.span, ".lying")[self.groups(block.melds)]] if block.melds else None,
            [" ", styled(h.span, ".lying")[self.groups((block.bonus,))]] if block.bonus else None,
        ]
        if block.text:
            yield styled(h.div, ".label")[self.text(block.text)]

    def groups(self, groups: Iterable[Codes]) -> Markup:
        """Tiles that lie together."""
        found = (styled(self.element(codes), ".group")[joined(map(self.tile, codes))] for codes in groups if codes)
        return joined(found)

    def tile(self, code: str) -> Markup:
        """A tile as a picture with its code for screen readers."""
        return tile_picture(code, self.symbol(code))


@lru_cache(maxsize=1024)
def tile_picture(name: str, symbol: str) -> Markup:
    return Markup(h.svg(".tile", role="img", aria_label=name, viewBox="0 0 60 80")[h.use(href=f"#{symbol}")])


# --- Markdown

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")


def markdown(book: Rulebook) -> str:
    """The whole document as Markdown, tiles as codes."""
    return "\n".join(markdown_lines(book)) + "\n"


def markdown_lines(book: Rulebook) -> Iterator[str]:
    yield f"# {plain(book.title)}\n"
    for section in book.sections:
        yield from section_lines(section, book)
    yield f"\n---\n\n{plain(book.words['made_from'])}"


def section_lines(section: Section, book: Rulebook) -> Iterator[str]:
    yield f"\n## {plain(section.title)}\n"
    level = 3  # of an entry: below a heading, if there is one
    for block in section.blocks:
        yield from markdown_block(block, book, level if block.block == "entry" else 3)
        level = 4 if block.block == "heading" else level


def markdown_block(block: BookBlock, book: Rulebook, level: int) -> Iterator[str]:
    """A block as lines, followed by an empty one."""
    match block.block:
        case "text" if block.text:
            yield f"{plain(block.text)}\n"
        case "list":
            yield from (f"- {plain(item)}" for item in block.items)
            yield ""
        case "heading":
            yield f"{'#' * level} {plain(block.text)}\n"
        case "tiles":
            yield f"{plain(block.label)}  \n{written(block.groups)}\n"
        case "table":
            yield f"| {' | '.join(map(plain, block.head))} |"
            yield "|" + "---|" * len(block.head)
            yield from (f"| {' | '.join(map(plain, row))} |" for row in block.rows)
            yield ""
        case "example":
            yield f"{example_text(block, book)}\n"
        case "entry":
            yield f"{'#' * level} {plain(block.text)}" + (f" – {plain(block.worth)}" if block.worth else "") + "\n"
            for inner in block.blocks:
                yield from markdown_block(inner, book, level + 1)


def example_text(block: BookBlock, book: Rulebook) -> str:
    """A hand in one line."""
    parts = [written(block.groups)] + ([f"+ `{block.win}`"] if block.win else [])
    if block.melds:
        parts.append(bracketed(f"{book.words['exposed']}{book.words['colon']}", written(block.melds), book))
    if block.bonus:
        parts.append(bracketed(f"{book.words['besides']}{book.words['colon']}", written((block.bonus,)), book))
    if block.text:
        parts.append(bracketed(block.text, "", book))
    if block.yes is None:
        return " ".join(parts)
    counts = plain(book.words["counts" if block.yes else "does_not"] + book.words["colon"].rstrip())
    return f"{'✓' if block.yes else '✗'} {counts} {' '.join(parts)}"


def bracketed(text: str, more: str, book: Rulebook) -> str:
    """A text in brackets, followed by Markdown."""
    return plain(book.words["brackets"].strip()).replace("\\{\\}", plain(text) + more)


def written(groups: Iterable[Codes]) -> str:
    return " ".join(f"`{' '.join(codes)}`" for codes in groups if codes)


def plain(text: str) -> str:
    """A text with Markdown escaped."""
    return SPECIAL.sub(r"\\\1", seen(text))
