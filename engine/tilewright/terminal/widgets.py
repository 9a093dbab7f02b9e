"""Pieces of the window: the player's tiles, the possible actions, and panels that cover the table for a moment.

They draw and report clicks, texts that were read and what was chosen. Know no rules and no game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import OptionList, SelectionList, Static
from textual.widgets.option_list import Option

from tilewright.base.spelling import seen
from tilewright.presentation.tile_text import TerminalTiles
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


# --- panels


STYLE = """
TextPanel, Menu { align: center middle; background: $background 40%; }
.panel { border: round $accent; background: $surface; padding: 0 1; width: auto; min-width: 40; height: auto;
         max-width: 96%; max-height: 92%; border-title-style: bold; }
.panel VerticalScroll { scrollbar-size-vertical: 1; }
.panel Static { width: auto; max-width: 100%; height: auto; }
.panel VerticalScroll { width: auto; height: auto; max-height: 100%; }
.panel OptionList { width: auto; min-width: 24; height: auto; max-height: 100%; border: none; padding: 0; }
"""
READ = "Enter"


class TextPanel(ModalScreen[None]):
    """Lines to read, scrolled if there are many."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,space,escape,q", "close"),
        ("up", "scroll(-1)"),
        ("down", "scroll(1)"),
        ("pageup", "scroll(-10)"),
        ("pagedown", "scroll(10)"),
        ("home", "edge(False)"),
        ("end", "edge(True)"),
    ]

    def __init__(self, heading: str, lines: Sequence[Text], *, at_end: bool = False, seconds: float = 0) -> None:
        """`at_end`: the last lines are shown first; `seconds`: after them it closes by itself."""
        super().__init__()
        self.heading, self.at_end, self.seconds = seen(heading), at_end, seconds
        self.lines = [steers_nothing(line) for line in lines]

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel") as panel:
            panel.border_title, panel.border_subtitle = Text(self.heading), READ
            with VerticalScroll(can_focus=False):
                yield Static(Text("\n").join(self.lines))

    def on_mount(self) -> None:
        if self.at_end:
            self.call_after_refresh(self.action_edge, True)
        if self.seconds:
            self.set_timer(self.seconds, self.action_close)

    def on_click(self) -> None:
        self.action_close()

    def action_close(self) -> None:
        if self.is_current:
            self.dismiss(None)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_edge(self, end: bool) -> None:
        scroll = self.query_one(VerticalScroll)
        if end:
            scroll.scroll_end(animate=False)
        else:
            scroll.scroll_home(animate=False)


def steers_nothing(line: Text) -> Text:
    """The line without terminal control characters, whatever a document holds."""
    shown = line.copy()
    shown.plain = seen(line.plain)
    return shown


Chosen = TypeVar("Chosen")


class ListPanel(ModalScreen[Chosen | None]):
    """A list to choose from; None: nothing was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q", "back")]

    def __init__(self, heading: str, options: Sequence[Text], how: str) -> None:
        """`how`: the keys to use."""
        super().__init__()
        self.heading, self.options, self.how = seen(heading), [steers_nothing(option) for option in options], how

    def action_back(self) -> None:
        self.dismiss(None)


class Menu(ListPanel[int]):
    """A list to choose one entry from: its number."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel") as panel:
            panel.border_title, panel.border_subtitle = Text(self.heading), self.how
            yield OptionList(*(Option(self.prompt(number, text)) for number, text in enumerate(self.options)))

    def prompt(self, number: int, text: Text) -> Text:
        return Text.assemble((f"{number + 1} " if number < 9 else "  ", "dim"), text)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)

    def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal() and 0 < int(event.key) <= len(self.options):
            event.stop()
            self.dismiss(int(event.key) - 1)


class PickPanel(ListPanel[list[int]]):
    """A list to choose several entries from: their numbers."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "done", priority=True)]

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel") as panel:
            panel.border_title, panel.border_subtitle = Text(self.heading), self.how
            yield SelectionList[int](*((text, number) for number, text in enumerate(self.options)))

    def action_done(self) -> None:
        self.dismiss(sorted(self.query_one(SelectionList).selected))
