"""Blocks: the parts of a rulebook, as plain data. Knows no rules and no page."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from tilewright.tiles.tileset import TileSet

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
