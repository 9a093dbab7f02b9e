"""Blocks: the parts of a rulebook, as plain data. Knows no rules and no page."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tilewright.tiles.tileset import TileSet

Plain = dict[str, Any]
Codes = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BookBlock:
    """A piece of a section. `block`: text list heading tiles table example entry; fields that the kind does not use are
    empty.

    text: `text`. list: `items`. heading: `text`, with `id`. tiles: `groups` of codes under a `label`. table: `head`,
    `rows`. example: `groups`, the last tile `win` apart, `melds` on the table, `bonus`, a note in `text`, `yes` or not.
    entry: `text` is its title, `worth`, and blocks inside it."""

    block: str
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
        """As plain data, without what is empty."""
        kept = {key: value for key, value in asdict(self).items() if value not in ("", (), None) and key != "blocks"}
        return kept | ({"blocks": [block.to_json() for block in self.blocks]} if self.blocks else {})


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
