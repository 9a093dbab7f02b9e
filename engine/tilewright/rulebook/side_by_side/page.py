"""Two rulebooks side by side as a page that fetches nothing: the books and the lines of a comparison in, HTML out.

What is the same in both stands once, folded away where it is long; what differs stands in two columns, on a phone below
each other. Needs no script. Decides nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from itertools import chain

from tilewright.language.compiled.ruleset import Example
from tilewright.presentation.catalogue import say
from tilewright.presentation.tiles.drawing import Drawing, drawings
from tilewright.presentation.tiles.svg import sprite_of, symbol_id
from tilewright.rulebook.comparison.hands import HandChange
from tilewright.rulebook.comparison.lines import SIGNS, ChangeLine, ChangeSection, ComparisonLines
from tilewright.rulebook.pages import STYLE as BOOK_STYLE
from tilewright.rulebook.pages import BlockWriter, text_of
from tilewright.rulebook.sections.examples import pictured
from tilewright.rulebook.side_by_side.aligned import AlignedRow, AlignedSection, aligned
from tilewright.rulebook.side_by_side.folding import Folded, folded
from tilewright.rulebook.side_by_side.marks import MarkedCodes, MarkedText, marked
from tilewright.rulebook.side_by_side.style import STYLE
from tilewright.rulebook.writing.blocks import BookBlock, Codes, Rulebook

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


def page(lines: ComparisonLines, names: tuple[str, str], old: Rulebook, new: Rulebook) -> str:
    """The whole page. `names`: those of the two rulesets, which distinguish them."""
    return "\n".join(SideBySidePage(lines, names, old, new).lines()) + "\n"


@dataclass(frozen=True)
class SideBySidePage:
    """Writes the page. `comparison`: its lines; `ids`: those given away."""

    comparison: ComparisonLines
    names: tuple[str, str]
    old: Rulebook
    new: Rulebook
    ids: set[str] = field(default_factory=set)

    def say(self, id: str, **slots: object) -> str:
        """A message, for HTML."""
        return text_of(say(id, self.new.language, **slots))

    def lines(self) -> Iterator[str]:
        """The page, line by line."""
        old, new = self.names
        title = self.say("changes.heading", old=old, new=new)
        body = [line for section in self.sections for line in self.section_lines(section)]  # gives ids away
        yield "<!DOCTYPE html>"
        yield f'<html lang="{escape(self.new.language)}">'
        yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<title>{title}</title><style>{BOOK_STYLE}{STYLE}</style></head>"
        yield f"<body>{self.sprite()}<main><h1>{title}</h1>"
        yield from self.change_lines()
        yield from self.contents()
        yield f'<label class="unfold"><input type="checkbox">{self.say("changes.page.unfold")}</label>'
        yield f'<div class="names"><div class="side old">{text_of(old)}</div>'
        yield f'<div class="side new">{text_of(new)}</div></div>'
        yield from body
        made_from = (text_of(book.words["made_from"]) for book in (self.old, self.new))
        yield f'<footer class="sides">{"".join(f"<div>{one}</div>" for one in made_from)}</footer></main></body></html>'

    @cached_property
    def sections(self) -> tuple[AlignedSection, ...]:
        return aligned(self.old, self.new)

    # --- tiles

    @cached_property
    def old_pictures(self) -> dict[str, Drawing]:
        """The tiles of the old book that look otherwise in the new one."""
        known = {one.code: one for one in drawings(self.new.tiles)}
        return {one.code: one for one in drawings(self.old.tiles) if one.code in known and one != known[one.code]}

    def sprite(self) -> str:
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
            marking(BlockWriter(self.old.words, symbol=self.old_symbol), "del"),
            marking(BlockWriter(self.new.words), "ins"),
            BlockWriter(self.new.words),
        )

    # --- what changes

    def change_lines(self) -> Iterator[str]:
        """The verdict, then what changes for players."""
        comparison, verdict = self.comparison, self.comparison.found.verdict
        why = text_of(comparison.why())
        colon = self.say("rulebook.frame.colon") if why else ""
        yield f'<p class="verdict {verdict}"><strong>{text_of(comparison.outcome())}</strong>{colon}{why}</p>'
        rules, more = [*comparison.disclosed(), *comparison.rules()], [*comparison.plays(), *comparison.games()]
        others, hands = [*comparison.others()], [*self.hand_lines()]
        if not (rules or more or others or hands):
            return
        yield f'<section id="changes"><h2>{self.say("changes.page.heading")}</h2>'
        few = sum(1 + len(one.more) for part in (*rules, *others) for one in part.lines) <= MOST_OPEN
        yield from self.part_lines(rules, few)
        yield from hands
        yield from self.part_lines(more, False)
        yield from self.part_lines(others, few)
        yield "</section>"

    def part_lines(self, parts: Iterable[ChangeSection], is_open: bool) -> Iterator[str]:
        for part in parts:
            if not part.lines:
                yield f"<p><strong>{text_of(part.title)}</strong></p>"
                continue
            yield self.fold_head(part.title, is_open, part.lines)
            yield f"<ul>{''.join(map(self.change_html, part.lines))}</ul></details>"

    def fold_head(self, title: str, is_open: bool = False, lines: Iterable[ChangeLine] = ()) -> str:
        """The head of lines that may be folded away: what they are about is read there then."""
        which = self.some([f"{SIGNS[one.change.what][0]} {one.name}" for one in lines if one.change])
        shown = f' <span class="which">{text_of(which)}</span>' if which else ""
        return f'<details class="changes"{" open" if is_open else ""}><summary>{text_of(title)}{shown}</summary>'

    def change_html(self, one: ChangeLine) -> str:
        """A change with the lines below it."""
        below = "".join(f"<li>{text_of(line)}</li>" for line in one.more)
        more = f"<ul>{below}</ul>" if below else ""
        if one.change is None:
            return f"<li>{text_of(one.text)}{more}</li>"
        what = one.change.what
        sign = f'<span class="sign {what}" aria-hidden="true">{SIGNS[what][0]}</span>'
        spoken = f'<span class="unseen">{self.say(f"changes.what.{what}")} </span>'
        place = self.place_of(one)
        name = f'<a href="#{escape(place)}">{text_of(one.name)}</a>' if place else text_of(one.name)
        text = self.say("rulebook.frame.colon") + text_of(one.text) if one.text else ""
        return f"<li>{sign}{spoken}<strong>{name}</strong>{text}{more}</li>"

    def place_of(self, one: ChangeLine) -> str:
        """The id of the place in the books that shows a change; empty if none does."""
        assert one.change is not None
        section = one.change.section
        found = (ENTRIES.get(section, "").format(one.change.id), SECTIONS.get(section, ""))
        return next((id for id in found if id in self.ids), "")

    def hand_lines(self) -> Iterator[str]:
        """Hands that come out otherwise, each as tiles with both results."""
        found = self.comparison.found
        if not found.hands:
            return
        yield self.fold_head(self.comparison.hands_title())
        yield f"<p>{text_of(self.comparison.worths())}</p>"
        lines = self.comparison
        for one in lines.hands_shown():
            picture = self.picture_of(one)
            shown = "".join(self.writers[2].lines(picture)) if picture else ""
            yield f'<div class="hand">{shown}<p class="case">{text_of(lines.hand_text(one))}</p><div class="sides">'
            was, now = marked(lines.result(one.was, lines.old), lines.result(one.now, lines.new))
            yield self.side(self.names[0], "old", f"<p>{self.writers[0].text(was)}</p>")
            yield self.side(self.names[1], "new", f"<p>{self.writers[1].text(now)}</p>")
            yield "</div></div>"
        yield "</details>"

    def picture_of(self, one: HandChange) -> BookBlock | None:
        """The hand as tiles; None if neither ruleset has these tiles."""
        example = Example(one.case, True)
        for side in (self.comparison.found.new, self.comparison.found.old):
            if (block := pictured(side.teller, example)) is not None:
                return replace(block, yes=None, text="")
        return None

    # --- the books

    def contents(self) -> Iterator[str]:
        """The sections with the number of differences in each."""
        yield f'<nav aria-label="{text_of(self.new.words["contents"])}"><ol>'
        for one in self.sections:
            link = f'<a href="#{escape(one.id)}">{text_of(one.title)}</a>'
            yield f'<li>{link} <span class="count">{self.counted(one)}</span></li>'
        yield "</ol></nav>"

    def counted(self, section: AlignedSection) -> str:
        count = section.differences
        return self.say("changes.page.differences", count=count) if count else self.say("changes.page.same")

    def section_lines(self, section: AlignedSection) -> Iterator[str]:
        self.ids.add(section.id)
        kind = "" if section.differences else ' class="unchanged"'
        yield f'<section id="{escape(section.id)}"{kind}><h2>{text_of(section.title)}'
        yield f'<span class="count">{self.counted(section)}</span></h2>'
        if section.differences:
            yield from self.row_lines(section.rows)
        else:
            yield self.folded_html(Folded(section.rows))
        yield "</section>"

    def row_lines(self, rows: Sequence[AlignedRow]) -> Iterator[str]:
        for one in folded(rows):
            if isinstance(one, Folded):
                yield self.folded_html(one) if not one.is_short else self.both(map(unlinked, one.blocks))
            elif one.is_same:
                yield self.both(map(self.once, one.new))
            elif one.is_entry:
                yield from self.entry_lines(one)
            else:
                yield self.sides(map(self.once, one.old), map(self.once, one.new))

    def folded_html(self, one: Folded) -> str:
        """What is the same in both, folded away."""
        inside = self.blocks_html(map(unlinked, one.blocks), 2)
        label = self.say("changes.page.unchanged", count=one.count, names=self.some(one.names))
        return f'<details class="same"><summary>{label}</summary><div>{inside}</div></details>'

    def both(self, blocks: Iterable[BookBlock]) -> str:
        """What is the same in both."""
        return f'<div class="both">{self.blocks_html(blocks, 2)}</div>'

    def some(self, names: Sequence[str]) -> str:
        """The first of some names, and how many more there are."""
        shown = say("rulebook.frame.comma", self.new.language).join(names[:MOST_NAMES])
        left = len(names) - MOST_NAMES
        return say("changes.page.more", self.new.language, names=shown, count=left) if left > 0 else shown

    def entry_lines(self, row: AlignedRow) -> Iterator[str]:
        """An entry of both books: its titles, then what is in it."""
        [old], [new] = row.old, row.new
        id = self.once(new).id
        yield f'<div class="entry" id="{escape(id)}">' if id else '<div class="entry">'
        if old == new:
            yield f'<div class="both-head">{self.writers[2].entry_head(new)}</div>'
        else:
            yield '<div class="sides">'
            yield self.side(self.names[0], "old", self.writers[0].entry_head(old))
            yield self.side(self.names[1], "new", self.writers[1].entry_head(new))
            yield "</div>"
        yield from self.row_lines(row.rows)
        yield "</div>"

    def sides(self, old: Iterable[BookBlock], new: Iterable[BookBlock]) -> str:
        one = self.side(self.names[0], "old", self.blocks_html(old, 0))
        return f'<div class="sides">{one}{self.side(self.names[1], "new", self.blocks_html(new, 1))}</div>'

    def side(self, name: str, kind: str, content: str) -> str:
        """What one of the books says; `kind`: old or new."""
        if not content:
            return "<div></div>"
        return f'<div class="side {kind}" role="group" aria-label="{text_of(name)}">{content}</div>'

    def blocks_html(self, blocks: Iterable[BookBlock], writer: int) -> str:
        return "".join(line for block in blocks for line in self.writers[writer].lines(block))

    def once(self, block: BookBlock) -> BookBlock:
        """The block, without its id if another one has it."""
        if not block.id or block.id in self.ids:
            return unlinked(block)
        self.ids.add(block.id)
        return block


def unlinked(block: BookBlock) -> BookBlock:
    return replace(block, id="")


def marking(writer: BlockWriter, element: str) -> BlockWriter:
    """A writer that also writes marks, with this element."""

    def text(text: str) -> str:
        if not isinstance(text, MarkedText):
            return text_of(text)
        pieces = ((text_of(piece), is_marked) for piece, is_marked in text.stretches)
        return "".join(f"<{element}>{piece}</{element}>" if is_marked else piece for piece, is_marked in pieces)

    def around(tiles: Codes | str) -> str:
        return element if isinstance(tiles, MarkedCodes | MarkedText) else "span"

    return replace(writer, text=text, element=around)
