"""A rulebook as a self-contained page that prints well, or as Markdown. A Rulebook in, text out; decides nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from tilewright.base.texts.visible import seen
from tilewright.presentation.tiles.svg import sprite, symbol_id
from tilewright.rulebook.writing.blocks import BookBlock, Codes, Rulebook, Section
from tilewright.tiles.notation import INVISIBLE

FITS_A_PHONE = 4  # columns of a table
STYLE = """
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
"""

# --- HTML


def page(book: Rulebook) -> str:
    """The whole document as HTML; fetches nothing."""
    return "\n".join(page_lines(book)) + "\n"


def page_lines(book: Rulebook) -> Iterator[str]:
    title, write = text_of(book.title), BlockWriter(book.words)
    yield "<!DOCTYPE html>"
    yield f'<html lang="{escape(book.language)}">'
    yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{STYLE}</style></head>"
    yield f"<body>{sprite(book.tiles)}<main><h1>{title}</h1>"
    yield f'<nav aria-label="{text_of(book.words["contents"])}"><ol>'
    yield from (f'<li><a href="#{escape(one.id)}">{text_of(one.title)}</a></li>' for one in book.sections)
    yield "</ol></nav>"
    for section in book.sections:
        yield f'<section id="{escape(section.id)}"><h2>{text_of(section.title)}</h2>'
        yield from (line for block in section.blocks for line in write.lines(block))
        yield "</section>"
    yield f"<footer>{text_of(book.words['made_from'])}</footer></main></body></html>"


def text_of(text: str) -> str:
    """A text escaped for HTML and visible."""
    return escape(seen("".join(sign for sign in text if sign not in INVISIBLE)))


@dataclass(frozen=True)
class BlockWriter:
    """Writes blocks as HTML. `words`: those of the rulebook; `text`: writes a text; `element`: the one around tiles
    that lie together, or the last tile; `symbol`: the id of a tile's picture."""

    words: Mapping[str, str]
    text: Callable[[str], str] = text_of
    element: Callable[[Codes | str], str] = lambda tiles: "span"
    symbol: Callable[[str], str] = symbol_id

    def lines(self, block: BookBlock) -> Iterator[str]:
        """A block as HTML."""
        match block.block:
            case "text":
                yield f"<p>{self.text(block.text)}</p>" if block.text else ""
            case "list":
                yield f"<ul>{''.join(f'<li>{self.text(item)}</li>' for item in block.items)}</ul>"
            case "heading":
                yield f"<h3{id_of(block)}>{self.text(block.text)}</h3>"
            case "tiles":
                label = f'<div class="label">{self.text(block.label)}</div>'
                yield f'<div class="tiles">{label}<div class="row">{self.groups(block.groups)}</div></div>'
            case "table":
                head = "".join(f"<th>{self.text(cell)}</th>" for cell in block.head)
                rows = "".join(
                    f"<tr>{''.join(f'<td>{self.text(cell)}</td>' for cell in row)}</tr>" for row in block.rows
                )
                keys = ' tabindex="0"' if len(block.head) > FITS_A_PHONE else ""  # it may be scrolled sideways
                yield f"<table{keys}><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            case "example":
                yield f'<div class="example">{self.example(block)}</div>'
            case "entry":
                yield f'<div class="entry"{id_of(block)}>{self.entry_head(block)}'
                yield from (line for inner in block.blocks for line in self.lines(inner))
                yield "</div>"

    def entry_head(self, block: BookBlock) -> str:
        """The title of an entry, with its worth."""
        worth = f'<span class="worth">{self.text(block.worth)}</span>' if block.worth else ""
        return f"<h3><span>{self.text(block.text)}</span>{worth}</h3>"

    def example(self, block: BookBlock) -> str:
        """A hand: whether it counts, its groups, the last tile, its tiles on the table."""
        mark = ""
        if block.yes is not None:
            sign, key = ("✓", "counts") if block.yes else ("✗", "does_not")
            mark = f'<span class="label {"yes" if block.yes else "no"}">{sign} {self.text(self.words[key])}</span>'
        win = self.around(block.win, "win", self.tile(block.win)) if block.win else ""
        lying = f' <span class="lying">{self.groups(block.melds)}</span>' if block.melds else ""
        bonus = f' <span class="lying">{self.groups((block.bonus,))}</span>' if block.bonus else ""
        note = f'<div class="label">{self.text(block.text)}</div>' if block.text else ""
        return f'{mark}<div class="row">{self.groups(block.groups)}{win}{lying}{bonus}</div>{note}'

    def groups(self, groups: Iterable[Codes]) -> str:
        return "".join(self.around(codes, "group", "".join(map(self.tile, codes))) for codes in groups if codes)

    def around(self, tiles: Codes | str, kind: str, pictures: str) -> str:
        element = self.element(tiles)
        return f'<{element} class="{kind}">{pictures}</{element}>'

    def tile(self, code: str) -> str:
        """A tile as a picture with its code for screen readers."""
        name, symbol = escape(code), self.symbol(code)
        return f'<svg class="tile" role="img" aria-label="{name}" viewBox="0 0 60 80"><use href="#{symbol}"/></svg>'


def id_of(block: BookBlock) -> str:
    return f' id="{escape(block.id)}"' if block.id else ""


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
