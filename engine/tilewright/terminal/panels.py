"""Panels that cover the table for a moment: a text to read, a list to choose from. Knows no game."""

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, SelectionList, Static
from textual.widgets.option_list import Option

from tilewright.base.texts.visible import seen

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
