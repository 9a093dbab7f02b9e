"""Writing a rulebook: blocks as plain data, spacing as the language has it, and the teller of every section.

A teller has rules and their documents, and gives words. Knows no page.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

from tilewright.base.node import Mapping as MappingNode
from tilewright.language.compiled.ruleset import CompiledRuleset, Text
from tilewright.language.documents.fields import section, texts
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.documents.wordings import wordings
from tilewright.play.rules import Rules
from tilewright.presentation.catalogue import has
from tilewright.rulebook.clauses import FRAMES, TITLES, sentence
from tilewright.rulebook.expressions import Sentences
from tilewright.scoring.case_hands import seat_names
from tilewright.tiles.tileset import Tile, TileSet

Plain = dict[str, Any]
Codes = tuple[str, ...]
BlockKind = Literal["text", "list", "heading", "tiles", "table", "example", "entry"]

# What a block of each kind always has, be it empty, and what it may have beside.
FIELDS: Mapping[BlockKind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "text": (("text",), ()),
    "list": (("items",), ()),
    "heading": (("text",), ("id",)),
    "tiles": (("groups",), ("label",)),
    "table": (("head", "rows"), ()),
    "example": (("groups",), ("win", "melds", "bonus", "text", "yes")),
    "entry": (("text", "blocks"), ("id", "worth")),
}


@dataclass(frozen=True, slots=True)
class BookBlock:
    """A piece of a section, of a kind; fields that its kind does not have (`FIELDS`) are empty.

    text: `text`. list: `items`. heading: `text`, with `id`. tiles: `groups` of codes under a `label`. table: `head`,
    `rows`. example: `groups`, the last tile `win` apart, `melds` on the table, `bonus`, a note in `text`, `yes` or not.
    entry: `text` is its title, `worth`, and blocks inside it."""

    block: BlockKind
    text: str = ""
    id: str = ""
    items: tuple[str, ...] = ()
    label: str = ""
    groups: tuple[Codes, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    win: str = ""
    melds: tuple[Codes, ...] = ()
    bonus: Codes = ()
    yes: bool | None = None
    worth: str = ""
    blocks: "tuple[BookBlock, ...]" = ()

    def to_json(self) -> Plain:
        """As plain data, with the fields of its kind; without those that it may have, where they are empty."""
        always, perhaps = FIELDS[self.block]
        values = asdict(replace(self, blocks=())) | {"blocks": [block.to_json() for block in self.blocks]}
        kept = (*always, *(name for name in perhaps if values[name] not in EMPTY))
        return {"block": self.block} | {name: values[name] for name in kept}

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it would be seen."""
        return not (self.text or self.items or self.groups or self.rows or self.win or self.melds or self.blocks)


EMPTY = ("", (), None)


def filled(blocks: Iterable[BookBlock]) -> tuple[BookBlock, ...]:
    """The blocks, and those inside them, without empty ones."""
    found = (replace(one, blocks=filled(one.blocks)) if one.blocks else one for one in blocks)
    return tuple(one for one in found if not one.is_empty)


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    blocks: tuple[BookBlock, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The whole document. `tiles`: those of the game, for pictures."""

    id: str
    title: str
    language: str
    digest: str
    sections: tuple[Section, ...]
    tiles: TileSet
    words: Mapping[str, str]

    def to_json(self) -> Plain:
        return {
            "id": self.id,
            "title": self.title,
            "lang": self.language,
            "digest": self.digest,
            "sections": [
                {"id": one.id, "title": one.title, "blocks": [block.to_json() for block in one.blocks]}
                for one in self.sections
            ],
        }


# --- spacing


GAP = re.compile(r"(?<=[\u2e80-\uffef]) +(?=[\u2e80-\uffef])")
BESIDE_NUMBER = re.compile(r"(?<=[\u3400-\u9fff])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z])(?=[\u3400-\u9fff])")


def spaced(say: Sentences, text: str) -> str:
    """A text as the language spaces it."""
    return text if say.is_spaced else BESIDE_NUMBER.sub(say.number_gap, GAP.sub("", text))


def spaced_section(say: Sentences, section: Section) -> Section:
    """A section with all its texts so."""
    if say.is_spaced:
        return section
    return replace(section, blocks=tuple(spaced_block(say, block) for block in section.blocks))


def spaced_block(say: Sentences, block: BookBlock) -> BookBlock:
    return replace(
        block,
        text=spaced(say, block.text),
        label=spaced(say, block.label),
        worth=spaced(say, block.worth),
        items=tuple(spaced(say, item) for item in block.items),
        head=tuple(spaced(say, cell) for cell in block.head),
        rows=tuple(tuple(spaced(say, cell) for cell in row) for row in block.rows),
        blocks=tuple(spaced_block(say, inner) for inner in block.blocks),
    )


# --- the teller


@dataclass(frozen=True)
class Teller:
    """`whole`: the rules before compiling."""

    rules: Rules
    whole: MergedRuleset
    say: Sentences

    @property
    def data(self) -> CompiledRuleset:
        return self.rules.data

    @property
    def sources(self) -> tuple[MappingNode, ...]:
        """The documents of the rules, including a chosen card."""
        given = {played.path: played.document for played in self.whole.cards.values() if played.given}
        return (*self.whole.origins, *(document for document in given.values() if document is not None))

    def title(self, id: str) -> str:
        return self.say.word(TITLES, id)

    def frame(self, key: str, **named: object) -> str:
        return sentence(self.say.word(FRAMES, key, **named), "")

    def within(self, key: str, **named: object) -> str:
        """The same inside a sentence."""
        return self.say.word(FRAMES, key, **named)

    def heading(self, id: str) -> BookBlock:
        return BookBlock("heading", self.title(id), id=id)

    def seat_names(self) -> list[str]:
        """Seats with the names of their winds, if any."""
        names = seat_names(self.data)[: self.data.seats.count]
        found = []
        for place, name in enumerate(names):
            wind = self.data.seats.winds[place] if place < len(self.data.seats.winds) else None
            known = wind is not None and wind in self.data.tiles.names and self.data.tiles.tiles[wind].code == name
            found.append(self.say.tile_name(wind) if known and wind is not None else self.direction(name))
        return found

    def direction(self, name: str) -> str:
        """The name of a seat in the language, if it is called E, S, W or N."""
        id = f"names.seat_{name}"
        return self.say.phrase(id) if has(id) else name

    @property
    def colon(self) -> str:
        return self.within("colon")

    def in_order(self) -> list[Tile]:
        return [self.data.tiles.tiles[face] for face in self.data.tiles.order]

    def note(self, *path: str) -> str:
        """The note on a part of the document, or on the whole; in English if the language has none."""
        node = section(self.whole.document, *path) if path else self.whole.document
        return sentence(self.say.named("", texts(node.get("about"))))

    @cached_property
    def wordings(self) -> dict[tuple[str, str], Text]:
        """What authors say in place of derived sentences, by section and id; without what is out of date."""
        return {(one.part, one.id): one.text for one in wordings(self.whole) if not one.is_stale}

    def wording(self, part: str, id: str) -> str:
        """The author's sentences on a part; empty if it has none."""
        return sentence(self.say.named("", self.wordings.get((part, id))))

    def family(self, id: str) -> str:
        """The name of a family of patterns."""
        return self.say.named(id, self.data.family_names.get(id))
