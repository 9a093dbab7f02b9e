"""Pieces of the window: the row of the player's tiles, and the possible actions. They draw and report clicks; no
rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static

from tilewright.presentation.tiles.text import TerminalTiles
from tilewright.terminal.hand_row import TileSlot

APART = 2  # cells between the hand and a tile set apart
NUMBERED = 2  # cells of the number of a rack
CURSOR, MARK = "reverse bold", "▲"
TOP, SIDE, BOTTOM = ("┌", "─", "┐"), "│", ("└", "─", "┘")


@dataclass(frozen=True, slots=True)
class TileChosen:
    """The place of the cursor and of the marked tiles."""

    cursor: int | None = None
    marked: frozenset[int] = frozenset()


class HandWidget(Static):
    """The player's tiles, as boxes or flat. Marked ones are raised, or have a sign below."""

    @dataclass
    class Clicked(Message):
        """A tile was clicked: its place."""

        place: int

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.spans: list[tuple[int, int, int]] = []  # line of blocks, first cell, cell after the last; by place
        self.block = 2
        self.lines = 0

    def draw(
        self, places: Sequence[TileSlot], faces: TerminalTiles, chosen: "TileChosen", room: int, *, boxed: bool
    ) -> None:
        """Show the tiles, in as many rows as needed in so many cells."""
        inside, border = faces.width + (0 if boxed else 2), 2 if boxed else 0
        width = inside + border
        self.block = 4 if boxed else 2
        self.spans = list(laid_out(places, width, room))
        rows = 1 + max((line for line, _, _ in self.spans), default=0)
        lines = [Text() for _ in range(rows * self.block)]
        for line, number in rack_lines(places, self.spans):
            lines[line * self.block + (2 if boxed else 0)].append(str(number), "bold")
        for number, (place, (line, start, _)) in enumerate(zip(places, self.spans, strict=True)):
            drawn = (boxed_tile if boxed else flat_tile)(place, faces, number == chosen.cursor, number in chosen.marked)
            for part, text in zip(lines[line * self.block : (line + 1) * self.block], drawn, strict=True):
                part.append(" " * (start - part.cell_len)).append_text(text)
        self.update(Text("\n").join(lines))
        self.lines = len(lines) if places else 0

    def on_click(self, event: events.Click) -> None:
        line = event.y // self.block
        for place, (row, start, end) in enumerate(self.spans):
            if row == line and start <= event.x < end:
                self.post_message(self.Clicked(place))


def rack_lines(places: Sequence[TileSlot], spans: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """The first line of each of several racks, and its number."""
    shown = 0
    for place, (line, _, _) in zip(places, spans, strict=True):
        if place.rack != shown:
            yield line, (shown := place.rack)


def laid_out(places: Sequence[TileSlot], width: int, room: int) -> Iterator[tuple[int, int, int]]:
    """The position of each tile: its line, its first cell, the cell after its last. A rack begins a line."""
    first = NUMBERED if places and places[0].rack else 0
    line, at, rack = 0, first, places[0].rack if places else 0
    for place in places:
        at += APART if place.apart and at > first else 0
        if (at + width > room and at > first) or place.rack != rack:
            line, at, rack = line + 1, first, place.rack
        yield line, at, at + width
        at += width


def flat_tile(place: TileSlot, faces: TerminalTiles, current: bool, marked: bool) -> tuple[Text, Text]:
    """A tile on a line, and what is below it."""
    shade = "" if place.legal else "dim"
    cell = faces.cell(place.face, shade)
    text = Text.assemble("[", cell, "]") if current else Text.assemble(" ", cell, " ")
    if current:
        text.stylize(CURSOR)
    return text, Text((f" {MARK}" if marked else "").ljust(faces.width + 2), "bold yellow")


def boxed_tile(place: TileSlot, faces: TerminalTiles, current: bool, marked: bool) -> tuple[Text, ...]:
    """A tile as a box of three lines; raised by one if it is marked."""
    shade = "bold bright_white" if current else "" if place.legal else "dim"
    cell = faces.cell(place.face, CURSOR if current else "bold" if place.legal else "dim")
    wide = faces.width
    box = (
        Text(TOP[0] + TOP[1] * wide + TOP[2], shade),
        Text.assemble((SIDE, shade), cell, (SIDE, shade)),
        Text(BOTTOM[0] + BOTTOM[1] * wide + BOTTOM[2], shade),
    )
    blank = Text(" " * (wide + 2))
    under = Text((" " + MARK).ljust(wide + 2), "bold yellow")
    return (*box, under) if marked else (blank, *box)


@dataclass(frozen=True, slots=True)
class KeyButton:
    """A possible action: its key, its text, whether tiles are now chosen for it."""

    key: str
    label: Text
    active: bool = False


class Keys(Static):
    """Possible actions, each with its key, in as many lines as needed."""

    lines = 0

    @dataclass
    class Clicked(Message):
        """A key was clicked."""

        key: str

    def draw(self, keys: Sequence[KeyButton], room: int) -> None:
        lines = [Text()]
        for key in keys:
            text = key_text(key)
            if lines[-1] and lines[-1].cell_len + 2 + text.cell_len > room:
                lines.append(Text())
            if lines[-1]:
                lines[-1].append("  ")
            lines[-1].append_text(text)
        self.update(Text("\n").join(lines))
        self.lines = len(lines) if keys else 0
        self.display = bool(keys)

    def on_click(self, event: events.Click) -> None:
        key = event.style.meta.get("key")
        if key is not None:
            event.stop()
            self.post_message(self.Clicked(str(key)))


def key_text(key: KeyButton) -> Text:
    """The key in brackets and what it does; all of it may be clicked."""
    text = Text.assemble((f"[{key.key}]", "bold reverse" if key.active else "bold"), " ", key.label)
    if key.active:
        text.stylize("underline")
    text.stylize(Style(meta={"key": key.key}))
    return text
