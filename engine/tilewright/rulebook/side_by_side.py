"""Two rulebooks side by side as a page that fetches nothing: the books and the lines of a comparison in, HTML out.

What is the same in both stands once, folded away where it is long; what differs stands in two columns, on a phone below
each other. Its style is after that of a rulebook, for screens and paper. Needs no script. Decides nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby

import htpy as h
from markupsafe import Markup

from tilewright.language.compiled.ruleset import Example
from tilewright.presentation.catalogue import say
from tilewright.presentation.markup import joined, lines
from tilewright.presentation.tile_shapes import Drawing, drawings
from tilewright.presentation.tile_svg import sprite_of, symbol_id
from tilewright.rulebook.aligned import AlignedRow, AlignedSection, MarkedCodes, MarkedText, aligned, marked
from tilewright.rulebook.comparison_lines import SIGNS, ChangeLine, ChangeSection, ComparisonLines
from tilewright.rulebook.differences import HandChange
from tilewright.rulebook.pages import STYLE as BOOK_STYLE
from tilewright.rulebook.pages import BlockWriter, book_document
from tilewright.rulebook.patterns import pictured
from tilewright.rulebook.writing import BookBlock, Codes, Rulebook

MOST_OPEN = 40  # lines about changes that are not folded away
MOST_NAMES = 6  # of what is folded away
OTHERWISE = "\0"  # after the code of a tile that looks otherwise in the old book
ENTRIES = {
    "patterns": "pattern-{}",
    "offers": "offer-{}",
    "phases": "phase-{}",
    "forms": "form-{}",
}  # where rules stand
SECTIONS = {
    **{"game": "what", "tiles": "tiles", "groups": "hands", "forms": "hands", "patterns": "patterns"},
    **{"scoring": "scoring", "payments": "payments", "restrictions": "turn", "triggers": "turn", "match": "match"},
    **{"options": "choices", "presets": "choices", "terms": "words"},
}
SHORT = 160  # characters: unchanged text that is not worth folding away


@dataclass(frozen=True)
class Folded:
    """Rows that are the same in both books."""

    rows: tuple[AlignedRow, ...]

    @property
    def blocks(self) -> tuple[BookBlock, ...]:
        return tuple(block for row in self.rows for block in row.new)

    @property
    def is_short(self) -> bool:
        """Whether it is shown anyway."""
        plain = all(block.block in ("text", "list", "heading") for block in self.blocks)
        return plain and sum(len(text) for block in self.blocks for text in (block.text, *block.items)) <= SHORT

    @property
    def count(self) -> int:
        """The parts: entries, texts, items and rows."""
        return sum(len(one.items) or len(one.rows) or 1 for one in self.blocks if one.block != "heading")

    @property
    def names(self) -> list[str]:
        """What its entries are called."""
        return [block.text for block in self.blocks if block.block == "entry"]


def folded(rows: Sequence[AlignedRow]) -> Iterator[AlignedRow | Folded]:
    """The rows in order; those that are the same in both books together, but for headings of what differs."""
    shown = {at for at, row in enumerate(rows) if not row.is_same}
    shown |= {heading for at in shown if (heading := heading_of(rows, at)) is not None}
    for is_shown, found in groupby(enumerate(rows), lambda one: one[0] in shown):
        members = tuple(row for _, row in found)
        yield from members if is_shown else [Folded(members)]


def heading_of(rows: Sequence[AlignedRow], at: int) -> int | None:
    """The place of the heading above a row. Entries are below a heading only if they follow it at once."""
    if rows[at].kind == "heading":
        return None
    for place in reversed(range(at)):
        if any(block.block == "heading" for block in rows[place].new):
            is_of_entries = rows[place + 1].kind == "entry"
            return place if is_of_entries or rows[at].kind != "entry" else None
    return None


def page(comparison: ComparisonLines, names: tuple[str, str], old: Rulebook, new: Rulebook) -> str:
    """The whole page. `names`: those of the two rulesets, which distinguish them."""
    return SideBySidePage(comparison, names, old, new).text()


@dataclass(frozen=True)
class SideBySidePage:
    """Writes the page. `comparison`: its lines; `ids`: those given away."""

    comparison: ComparisonLines
    names: tuple[str, str]
    old: Rulebook
    new: Rulebook
    ids: set[str] = field(default_factory=set)

    def say(self, id: str, **slots: object) -> str:
        """A message."""
        return say(id, self.new.language, **slots)

    def text(self) -> str:
        """The page."""
        old, new = self.names
        title = self.say("changes.heading", old=old, new=new)
        books = [self.section(one) for one in self.sections]  # gives ids away
        content = h.main[
            h.h1[title],
            "\n",
            self.changes(),
            self.contents(),
            h.label(".unfold")[h.input(type="checkbox"), self.say("changes.page.unfold")],
            h.div(".names")[h.div(".side.old")[old], h.div(".side.new")[new]],
            "\n",
            lines(books),
            h.footer(".sides")[joined(h.div[book.words["made_from"]] for book in (self.old, self.new))],
        ]
        return book_document(self.new.language, title, BOOK_STYLE + STYLE, self.sprite(), content)

    @cached_property
    def sections(self) -> tuple[AlignedSection, ...]:
        return aligned(self.old, self.new)

    # --- tiles

    @cached_property
    def old_pictures(self) -> dict[str, Drawing]:
        """The tiles of the old book that look otherwise in the new one."""
        known = {one.code: one for one in drawings(self.new.tiles)}
        return {one.code: one for one in drawings(self.old.tiles) if one.code in known and one != known[one.code]}

    def sprite(self) -> h.Node:
        """The tiles of both books, each once."""
        every = {one.code: one for one in chain(drawings(self.old.tiles), drawings(self.new.tiles))}
        others = (replace(one, code=one.code + OTHERWISE) for one in self.old_pictures.values())
        return sprite_of(chain(every.values(), others))

    def old_symbol(self, code: str) -> str:
        return symbol_id(code + OTHERWISE if code in self.old_pictures else code)

    @cached_property
    def writers(self) -> tuple[BlockWriter, BlockWriter, BlockWriter]:
        """Of blocks of the old book, of the new one, and of both."""
        return (
            marking(BlockWriter(self.old.words, symbol=self.old_symbol), h.del_),
            marking(BlockWriter(self.new.words), h.ins),
            BlockWriter(self.new.words),
        )

    # --- what changes

    def changes(self) -> Iterator[h.Node]:
        """The verdict, then what changes for players."""
        comparison, verdict = self.comparison, self.comparison.found.verdict
        why = comparison.why()
        colon = self.say("rulebook.frame.colon") if why else ""
        yield h.p(class_=["verdict", verdict])[h.strong[comparison.outcome()], colon, why]
        rules, more = [*comparison.disclosed(), *comparison.rules()], [*comparison.plays(), *comparison.games()]
        others, hands = [*comparison.others()], self.hands()
        if not (rules or more or others or hands):
            return
        few = sum(1 + len(one.more) for part in (*rules, *others) for one in part.lines) <= MOST_OPEN
        yield h.section("#changes")[
            h.h2[self.say("changes.page.heading")],
            lines(self.part(one, few) for one in rules),
            hands,
            lines(self.part(one, False) for one in more),
            lines(self.part(one, few) for one in others),
        ]

    def part(self, part: ChangeSection, is_open: bool) -> h.Element:
        """Lines about one subject."""
        if not part.lines:
            return h.p[h.strong[part.title]]
        return self.fold(part.title, h.ul[joined(map(self.change, part.lines))], is_open, part.lines)

    def fold(self, title: str, content: h.Node, is_open: bool = False, about: Iterable[ChangeLine] = ()) -> h.Element:
        """Lines that may be folded away: what they are about is read in the summary then."""
        which = self.some([f"{SIGNS[one.change.what][0]} {one.name}" for one in about if one.change])
        shown = [" ", h.span(".which")[which]] if which else None
        return h.details(".changes", open=is_open)[h.summary[title, shown], content]

    def change(self, one: ChangeLine) -> h.Element:
        """A change with the lines below it."""
        more = h.ul[joined(h.li[line] for line in one.more)] if one.more else None
        if one.change is None:
            return h.li[one.text, more]
        what = one.change.what
        place = self.place_of(one)
        return h.li[
            h.span(class_=["sign", what], aria_hidden="true")[SIGNS[what][0]],
            h.span(".unseen")[self.say(f"changes.what.{what}"), " "],
            h.strong[h.a(href=f"#{place}")[one.name] if place else one.name],
            [self.say("rulebook.frame.colon"), one.text] if one.text else None,
            more,
        ]

    def place_of(self, one: ChangeLine) -> str:
        """The id of the place in the books that shows a change; empty if none does."""
        assert one.change is not None
        section = one.change.section
        found = (ENTRIES.get(section, "").format(one.change.id), SECTIONS.get(section, ""))
        return next((id for id in found if id in self.ids), "")

    def hands(self) -> h.Element | None:
        """Hands that come out otherwise, each as tiles with both results."""
        comparison = self.comparison
        if not comparison.found.hands:
            return None
        content: h.Node = [h.p[comparison.worths()], "\n", lines(map(self.hand, comparison.hands_shown()))]
        return self.fold(comparison.hands_title(), content)

    def hand(self, one: HandChange) -> h.Element:
        """A hand with what it gives in each ruleset."""
        lines, picture = self.comparison, self.picture_of(one)
        was, now = marked(lines.result(one.was, lines.old), lines.result(one.now, lines.new))
        return h.div(".hand")[
            self.writers[2].block(picture) if picture else None,
            h.p(".case")[lines.hand_text(one)],
            self.both_sides(h.p[self.writers[0].text(was)], h.p[self.writers[1].text(now)]),
        ]

    def picture_of(self, one: HandChange) -> BookBlock | None:
        """The hand as tiles; None if neither ruleset has these tiles."""
        example = Example(one.case, True)
        for side in (self.comparison.found.new, self.comparison.found.old):
            if (block := pictured(side.teller, example)) is not None:
                return replace(block, yes=None, text="")
        return None

    # --- the books

    def contents(self) -> h.Element:
        """The sections with the number of differences in each."""
        rows = (h.li[h.a(href=f"#{one.id}")[one.title], " ", self.count(one)] for one in self.sections)
        return h.nav(aria_label=self.new.words["contents"])[h.ol[lines(rows)]]

    def count(self, section: AlignedSection) -> h.Element:
        """How many differences there are."""
        count = section.differences
        said = self.say("changes.page.differences", count=count) if count else self.say("changes.page.same")
        return h.span(".count")[said]

    def section(self, section: AlignedSection) -> h.Element:
        """A section of both books."""
        self.ids.add(section.id)
        content = lines(self.rows(section.rows)) if section.differences else self.folded(Folded(section.rows))
        kind = None if section.differences else "unchanged"
        return h.section(id=section.id, class_=kind)[h.h2[section.title, " ", self.count(section)], content]

    def rows(self, rows: Sequence[AlignedRow]) -> Iterator[h.Element]:
        for one in folded(rows):
            if isinstance(one, Folded):
                yield self.folded(one) if not one.is_short else self.both(map(unlinked, one.blocks))
            elif one.is_same:
                yield self.both(map(self.once, one.new))
            elif one.is_entry:
                yield self.entry(one)
            else:
                old, new = (self.blocks(map(self.once, side), which) for which, side in enumerate((one.old, one.new)))
                yield self.both_sides(old, new)

    def folded(self, one: Folded) -> h.Element:
        """What is the same in both, folded away."""
        label = self.say("changes.page.unchanged", count=one.count, names=self.some(one.names))
        return h.details(".same")[h.summary[label], h.div[self.blocks(map(unlinked, one.blocks), 2)]]

    def both(self, blocks: Iterable[BookBlock]) -> h.Element:
        """What is the same in both."""
        return h.div(".both")[self.blocks(blocks, 2)]

    def some(self, names: Sequence[str]) -> str:
        """The first of some names, and how many more there are."""
        shown = say("rulebook.frame.comma", self.new.language).join(names[:MOST_NAMES])
        left = len(names) - MOST_NAMES
        return say("changes.page.more", self.new.language, names=shown, count=left) if left > 0 else shown

    def entry(self, row: AlignedRow) -> h.Element:
        """An entry of both books: its titles, then what is in it."""
        [old], [new] = row.old, row.new
        id = self.once(new).id
        if old == new:
            head = h.div(".both-head")[self.writers[2].entry_head(new)]
        else:
            head = self.both_sides(self.writers[0].entry_head(old), self.writers[1].entry_head(new))
        return h.div(".entry", id=id or None)[head, lines(self.rows(row.rows))]

    def both_sides(self, old: h.Node, new: h.Node) -> h.Element:
        """What each of the books says."""
        return h.div(".sides")[self.side(self.names[0], "old", old), self.side(self.names[1], "new", new)]

    def side(self, name: str, kind: str, content: h.Node) -> h.Element:
        """What one of the books says, if anything; `kind`: old or new."""
        return h.div(class_=["side", kind], role="group", aria_label=name)[content] if content else h.div

    def blocks(self, blocks: Iterable[BookBlock], writer: int) -> Markup:
        return joined(map(self.writers[writer].block, blocks))

    def once(self, block: BookBlock) -> BookBlock:
        """The block, without its id if another one has it."""
        if not block.id or block.id in self.ids:
            return unlinked(block)
        self.ids.add(block.id)
        return block


def unlinked(block: BookBlock) -> BookBlock:
    return replace(block, id="")


def marking(writer: BlockWriter, element: h.Element) -> BlockWriter:
    """A writer that also writes marks, with this element."""

    def text(text: str) -> h.Node:
        stretches = text.stretches if isinstance(text, MarkedText) else ((text, False),)
        return joined(element[piece] if is_marked else piece for piece, is_marked in stretches)

    def around(tiles: Codes | str) -> h.Element:
        return element if isinstance(tiles, MarkedCodes | MarkedText) else h.span

    return replace(writer, text=text, element=around)


# --- style


STYLE = Markup("""
:root { --old-bg: #fcefec; --new-bg: #eaf5ef; --old-mark: #f4cdc6; --new-mark: #c3e5d3; --old-line: #c05a4e;
  --new-line: #2f8468 }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --old-bg: #2f2120; --new-bg: #1a2b26; --old-mark: #66312c; --new-mark: #1f5543;
    --old-line: #d0776b; --new-line: #58b894 }
}
body { max-width: 84rem }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
a { color: var(--accent); text-underline-offset: .2em } nav a { color: inherit }
.verdict { font-size: 1.15rem; max-width: 60rem } .verdict strong { color: var(--accent) }
.breaking strong { color: var(--bad) }
.changes { border-top: 1px solid var(--line); padding: .5rem 0 } .changes > ul { margin: .3rem 0 .6rem }
summary { cursor: pointer } .changes > summary { font-weight: 600 }
.changes .which { font-weight: 400; margin-left: .5rem; overflow-wrap: anywhere }
.changes[open] .which { display: none }
.count { color: var(--soft); font-weight: 400 }
.changes ul { list-style: none; padding-left: 1.4rem; max-width: 64rem } .changes ul ul { color: var(--soft) }
h1, h2, h3, p, summary, .changes li { overflow-wrap: anywhere }
.sign { display: inline-block; width: 1.1rem; margin-left: -1.4rem; text-align: center; margin-right: .3rem;
  font-weight: 700 } .added { color: var(--new-line) } .removed { color: var(--old-line) }
.case { font: .875rem/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; color: var(--soft); margin: .2rem 0;
  overflow-wrap: anywhere }
.hand { border-top: 1px solid var(--line); padding: .6rem 0 } .hand .example { margin: 0 }
nav ol { columns: 3 } nav { margin: 2rem 0 1rem }
.unfold { display: none; align-items: center; gap: .5rem; padding: .5rem 0; cursor: pointer; width: fit-content }
.unfold input { width: 1.1rem; height: 1.1rem; accent-color: var(--accent) }
.names { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 2px solid var(--line);
  font-weight: 600; padding: .5rem 0 }
section, .entry { scroll-margin-top: 3.5rem } h2 .count { font-size: 1rem; margin-left: .6rem; letter-spacing: 0 }
.sides, .names { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.5rem; }
.sides { align-items: start; margin: .5rem 0 }
.side { position: relative; padding: .35rem .9rem .35rem 1.5rem; border-radius: .3rem; overflow-wrap: anywhere;
  min-width: 0 }
.side::before { position: absolute; left: .4rem; top: .35rem; font-weight: 700 }
.old::before { content: "−"; content: "−" / ""; color: var(--old-line) }
.new::before { content: "+"; content: "+" / ""; color: var(--new-line) }
.side > :first-child { margin-top: 0 } .side > :last-child { margin-bottom: 0 }
.side h3 { margin: .3rem 0 } .side > h3:not(:first-child) { margin-top: 1.2rem } .side ul { padding-left: 1.2rem }
.old { border-left: 4px solid var(--old-line); background: var(--old-bg) }
.new { border-left: 4px solid var(--new-line); background: var(--new-bg) }
.side table { display: block; overflow: auto hidden; margin: .3rem 0; overflow-wrap: break-word }
.side > .entry:first-child { border-top: 0; padding-top: .2rem } .side > .entry:last-child { padding-bottom: .2rem }
del, ins { text-decoration-thickness: 1px; text-underline-offset: .2em; border-radius: .2rem; padding: 0 .1em;
  -webkit-box-decoration-break: clone; box-decoration-break: clone }
del { background: var(--old-mark) } ins { background: var(--new-mark) }
del.group, ins.group, del.win, ins.win { padding: 3px; border-radius: .4rem }
del.group, del.win { outline: 2px dashed var(--old-line) } ins.group, ins.win { outline: 2px solid var(--new-line) }
.both { max-width: 52rem } .both .entry h3, .both-head h3 { justify-content: flex-start }
.same { margin: .5rem 0 } .same > summary { color: var(--soft); padding: .15rem 0 }
.same > div { max-width: 52rem; padding: 0 0 .5rem 1rem; border-left: 1px solid var(--line) }
footer.sides { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line) }
.unchanged h2 { font-size: 1.15rem; margin: 1.4rem 0 .3rem; border-bottom: 1px solid var(--line) }
.unchanged .same { margin: .2rem 0 }
@supports selector(::details-content) and selector(:has(*)) {
  .unfold { display: flex }
  main:has(.unfold :checked) .same::details-content { content-visibility: visible; display: block; height: auto }
}
@media (max-width: 60rem) { nav ol { columns: 2 } .side .tile { width: 1.8rem; height: 2.4rem } }
@media (max-width: 45rem) {
  nav ol { columns: 1 } h1 { font-size: 1.7rem } .sides { grid-template-columns: minmax(0, 1fr); gap: .25rem }
  .names { gap: 0 .5rem; font-size: .9375rem }
  table { font-size: .875rem } .side th, .side td { padding-right: .5rem }
}
@media print {
  html { font-size: 12.5px } body { font-size: 1rem } .unfold, nav, .changes .which { display: none }
  .names { position: static } .names, .sides { gap: 0 .8rem } .side { padding: .2rem .6rem .2rem 1.2rem }
  .side::before { left: .3rem; top: .2rem } .side .tile, .tile { width: 1.6rem; height: 2.13rem }
  .changes::details-content { content-visibility: visible; display: block; height: auto }
  main:not(:has(.unfold :checked)) .unchanged .same:not([open]) { display: none }
  .side > .entry, .same > summary, .changes li, .hand, h2 + .sides, h3 + .sides { break-inside: avoid }
  .changes > summary, .both-head { break-after: avoid }
}
""")
