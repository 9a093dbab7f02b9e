"""Faces: tiles for a terminal, as letters or as Unicode mahjong tiles. Knows no table and no rule.

A picture is an alias of the tile set in the Unicode block of mahjong tiles; a tile without one is written.
Every tile takes the same number of cells, so that rows of tiles are aligned.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.cells import cell_len
from rich.text import Text

from tilewright.tiles.notation import write_group, write_tile
from tilewright.tiles.tileset import Tile, TileSet

PICTURES = range(0x1F000, 0x1F02C)
PICTURED_BACK, LETTERED_BACK = "\N{MAHJONG TILE BACK}", "▒▒"
SUIT_COLOURS = ("red", "bright_blue", "green", "bright_cyan", "bright_magenta", "bright_yellow")
FAMILY_COLOURS = ("bright_white", "magenta", "yellow", "cyan", "bright_yellow", "bright_magenta")
SPECIAL = "bold underline"


@dataclass(frozen=True)
class TerminalTiles:
    """How the tiles of a game look. `pictured`: as pictures, if there are any."""

    tiles: TileSet
    pictured: bool = False

    def sign(self, face: int | None) -> str:
        """The tile as a picture or as text; of a hidden one, its back."""
        if face is None:
            return PICTURED_BACK if self.pictured else LETTERED_BACK
        written = write_tile(face, self.tiles)
        return self.pictures.get(face, written) if self.pictured else written

    def style(self, face: int | None) -> str:
        """The colour of its suit or family; special tiles are also underlined."""
        if face is None:
            return "dim"
        tile = self.tiles.tiles[face]
        colour = self.colours[tile.suit or tile.family]
        return f"{SPECIAL} {colour}" if tile.marks else colour

    def text(self, face: int | None, more: str = "") -> Text:
        """The tile on its own, with an additional style."""
        return Text(self.sign(face), f"{self.style(face)} {more}".strip())

    def cell(self, face: int | None, more: str = "") -> Text:
        """The tile, padded to the width of the widest."""
        text = self.text(face, more)
        return Text.assemble(text, (" " * (self.width - text.cell_len), more))

    def row(self, faces: Iterable[int | None], more: str = "") -> Text:
        """Tiles side by side."""
        return Text(" ").join(self.text(face, more) for face in faces)

    def together(self, faces: Sequence[int | None], more: str = "") -> Text:
        """The tiles of a group: run together as in notation, or close to each other."""
        if self.pictured or any(face is None for face in faces):
            return Text("" if not self.pictured else " ").join(self.text(face, more) for face in faces)
        known = [face for face in faces if face is not None]
        if len({self.style(face) for face in known}) == 1:
            return Text(write_group(known, self.tiles), f"{self.style(known[0])} {more}".strip())
        return self.row(known, more)

    @cached_property
    def width(self) -> int:
        """How many cells the widest tile takes."""
        return max([cell_len(self.sign(tile.index)) for tile in self.tiles.tiles] + [cell_len(self.sign(None))])

    @cached_property
    def pictures(self) -> Mapping[int, str]:
        """Tile -> its picture. A tile that is equivalent to another one may have none of its own."""
        return {tile: text for text, tile in self.tiles.aliases.items() if len(text) == 1 and ord(text) in PICTURES}

    @cached_property
    def colours(self) -> Mapping[str, str]:
        """Suit or family -> colour, in the order in which they are declared."""
        suits = [suit.id for suit in self.tiles.suits]
        others = [family for family in self.tiles.families if family not in suits]
        found = {id: SUIT_COLOURS[place % len(SUIT_COLOURS)] for place, id in enumerate(suits)}
        return found | {id: FAMILY_COLOURS[place % len(FAMILY_COLOURS)] for place, id in enumerate(others)}

    def tile(self, face: int) -> Tile:
        """The tile of a face."""
        return self.tiles.tiles[face]
