"""The table on the screen: seats, the log, the question, the own tiles and the keys, drawn anew after each change.

Knows the layout and the colours. Knows no rules, and does nothing: `tilewright.terminal.window` plays.
"""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Literal, TypeVar

from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.css.query import NoMatches
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from tilewright.play.model import Refusal
from tilewright.play.view import View
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.seat_advice import Advice
from tilewright.terminal.hand_row import TileRow
from tilewright.terminal.seats import INDENT, SeatLines, over_text
from tilewright.terminal.session import GameSession, KeyedEntries
from tilewright.terminal.widgets import STYLE, HandWidget, KeyButton, Keys, TileChosen

CSS = (
    STYLE
    + """
#table { height: 1fr; }
#head { height: 1; background: $panel; padding: 0 1; }
#upper { height: auto; }
#seats { height: 100%; width: 1fr; padding: 0 1; }
#story { width: 40; height: 100%; border-left: solid $panel-lighten-2; padding: 0 1; display: none; }
#seats, #story { scrollbar-size-vertical: 1; }
#news { height: auto; padding: 0 1; border-top: solid $panel-lighten-2; }
#own, #notice, #offers, #buttons { height: auto; padding: 0 1; }
#own { max-height: 6; border-top: solid $panel-lighten-2; }
#ask { height: 1; padding: 0 1; }
#hand { height: auto; padding: 0 1; }
#keys { height: 1; background: $panel; padding: 0 1; }
#small { display: none; height: 1fr; content-align: center middle; }
"""
)
COLOURS = TerminalTheme(  # the sixteen terminal colours on this screen
    (18, 18, 18),
    (230, 230, 230),
    [
        (0, 0, 0),
        (255, 99, 99),
        (98, 200, 98),
        (222, 184, 65),
        (104, 150, 245),
        (200, 120, 220),
        (70, 190, 190),
        (200, 200, 200),
    ],
    [
        (110, 110, 110),
        (255, 130, 130),
        (130, 230, 130),
        (250, 225, 110),
        (120, 170, 255),
        (240, 150, 245),
        (110, 225, 225),
        (255, 255, 255),
    ],
)
LEAST_WIDTH, LEAST_HEIGHT = 50, 18
WIDE, STORY_WIDTH = 112, 40  # from so many cells on, the log is beside the table
TALL = 30  # from so many lines on, tiles are boxes
LEAST_NEWS, MOST_STORY = 2, 400  # lines of the log: below the table at least, beside it at most
MOST_NOTICES, MOST_REFUSED = 4, 2  # lines below the actions
MOST_OWN = 6  # lines of the own seat
NO_COLOR = "NO_COLOR"  # with any value: no colours (no-color.org)
Ending = Literal["left", "stopped", "failed"]  # how the window was closed


@dataclass
class WindowOptions:
    """The player's preferences: seconds between the moves of others, whether spectators see hands."""

    pace: float = 0.3
    paused: bool = False
    hands_shown: bool = True


Part = TypeVar("Part", bound=Widget)


class DrawnTable(App[Ending]):
    """A session in full screen, as it stands."""

    CSS = CSS

    def __init__(self, session: GameSession, advice: Advice, manner: WindowOptions) -> None:
        super().__init__(ansi_color=True if NO_COLOR in os.environ else None)
        self.ansi_theme_dark = COLOURS
        self.session, self.advice, self.manner = session, advice, manner
        self.row = TileRow(session.names.data.tiles, session.sorts)
        self.asked: KeyedEntries | None = None
        self.notice: list[Text] = []
        self.failure: Exception | None = None
        self.drawn = 0.0  # when
        self.is_small = False
        self.cells: Size | None = None
        self.wake = asyncio.Event()
        self.stepping = asyncio.Lock()
        self.view: View = session.view()
        self.refused: tuple[Refusal, ...] = ()

    @property
    def names(self) -> RulesetNames:
        """The names and messages in the player's language."""
        return self.session.names

    def compose(self) -> ComposeResult:
        with Vertical(id="table"):
            yield Static(id="head")
            with Horizontal(id="upper"):
                with VerticalScroll(id="seats", can_focus=False):
                    yield Static(id="seats_text")
                with VerticalScroll(id="story", can_focus=False):
                    yield Static(id="story_text")
            yield Static(id="news")
            yield Static(id="own")
            yield Static(id="ask")
            yield HandWidget(id="hand")
            yield Keys(id="offers")
            yield Static(id="notice")
            yield Keys(id="buttons")
            yield Keys(id="keys")
        yield Static(id="small")

    def on_resize(self, event: events.Resize) -> None:
        self.cells = event.size
        self.draw()

    # --- drawing

    def draw(self) -> None:
        """Draw the table; nothing if the window is closing."""
        self.drawn = monotonic()
        with suppress(NoMatches):
            self.draw_parts(*(self.cells or self.size))

    def draw_parts(self, width: int, height: int) -> None:
        """Every part of the window, or that it is too small."""
        self.is_small = width < LEAST_WIDTH or height < LEAST_HEIGHT
        self.part("#table", Widget).display = not self.is_small
        self.part("#small", Widget).display = self.is_small
        if self.is_small:
            least = {"least_width": LEAST_WIDTH, "least_height": LEAST_HEIGHT}
            text = self.names.say("terminal.too_small", width=width, height=height, **least)
            self.part("#small", Static).update(Text(text))
            return
        wide, tall = width >= WIDE, height >= TALL
        seating = self.seating(width - 3 - (STORY_WIDTH if wide else 0))
        self.show("#head", [seating.heading()])
        below = self.draw_question(self.seating(width - 2), tall)
        self.draw_seats(seating, height - 2 - below, wide, tall)

    def part(self, id: str, kind: type[Part]) -> Part:
        """A part of the table, even if something covers it."""
        return self.screen_stack[0].query_one(id, kind)

    def seating(self, width: int) -> SeatLines:
        """The table in so many cells."""
        open_hands = self.view.seat is None and self.manner.hands_shown
        hands = self.session.hands() if open_hands else {}
        return SeatLines(self.names, self.view, width, hands, self.session.sorted_zones)

    def show(self, id: str, lines: Sequence[Text]) -> int:
        """Show lines in a part of the window; hide a part without lines. Returns how many there are."""
        part = self.part(id, Static)
        part.update(Text("\n").join(lines))
        part.display = bool(lines)
        return len(lines)

    def draw_seats(self, seating: SeatLines, room: int, wide: bool, tall: bool) -> None:
        """The others and the middle in so many lines; the log beside or below them."""
        lines, story = seating.others(), self.session.story
        self.part("#seats_text", Static).update(seating.boxes() if wide and tall else Text("\n").join(lines))
        self.part("#story", Widget).display = wide
        self.part("#news", Widget).display = not wide
        seats = room if wide else max(1, min(len(lines), room - LEAST_NEWS - 1))
        self.part("#upper", Widget).styles.height = seats
        if wide:
            self.show("#story_text", story[-MOST_STORY:])
            self.part("#story", VerticalScroll).scroll_end(animate=False)
        else:
            news = max(LEAST_NEWS, room - seats - 1)
            self.part("#news", Widget).styles.height = news + 1
            self.show("#news", story[-news:] or [Text()])

    def draw_question(self, seating: SeatLines, tall: bool) -> int:
        """The question, the own tiles and the actions; returns how many lines they take."""
        asked, width = self.asked, seating.width
        own = self.show("#own", [] if self.view.seat is None else seating.seat(self.view.seat))
        self.show("#ask", [self.question_line()])
        places = self.row.places(asked.legal() if asked else None)
        on_tiles = asked is not None and asked.active is not None
        chosen = TileChosen(self.row.cursor if on_tiles else None, frozenset(self.row.marked))
        hand = self.part("#hand", HandWidget)
        hand.display = bool(places)
        hand.draw(places, self.names.faces, chosen, width, boxed=tall)
        offers, buttons = self.part("#offers", Keys), self.part("#buttons", Keys)
        offers.draw(self.offered_keys(), width)
        buttons.draw(self.button_keys(), width)
        folded = [line for text in self.notices() for line in seating.fold(text, INDENT)]
        notices = self.show("#notice", folded[:MOST_NOTICES])
        self.part("#keys", Keys).draw(self.general_keys(), width)
        own = min(own, MOST_OWN) + 1 if own else 0  # with its border
        return own + 1 + hand.lines + offers.lines + buttons.lines + notices

    def question_line(self) -> Text:
        """The question, and how to answer it."""
        if self.asked is None:
            return self.idle_line()
        active = self.asked.active
        line = self.names.question_text(self.asked.question, self.view)
        if active is not None:
            id = "terminal.how_one" if active.pick is None else "terminal.how_many"
            how = self.names.say(id, count=len(self.row.marked))
            if len(self.row.open) > 1:
                how = self.names.say("base.semicolon").join([how, self.names.say("terminal.how_rack")])
            line = Text.assemble(line, ". ", active.label, (f"  {how}", "dim"))
        return line

    def idle_line(self) -> Text:
        if self.session.over:
            return Text(over_text(self.session), "bold")
        if self.manner.paused:
            return Text(self.names.say("terminal.stopped"), "bold yellow")
        return Text(self.names.say("terminal.watching" if self.session.me is None else "terminal.others_play"), "dim")

    def offered_keys(self) -> list[KeyButton]:
        """The possible actions, with their keys."""
        asked = self.asked
        if asked is None:
            return []
        return [
            KeyButton(key.upper(), entry.label, entry is asked.active or asked.cursor == place)
            for place, (key, entry) in enumerate(asked.keys())
        ]

    def notices(self) -> list[Text]:
        """The last notice; else what is refused and why."""
        if self.notice:
            return self.notice
        return [self.names.refusal_text(refusal) for refusal in self.refused[:MOST_REFUSED]]

    def button_keys(self) -> list[KeyButton]:
        """The buttons that are on and answer for the player."""
        session = self.session
        if session.me is None:
            return []
        on = [button for button in session.buttons if button.id in session.pressed and not button.sorts]
        texts = [self.names.say("terminal.is_on", name=self.names.name_of(button.id, button.name)) for button in on]
        return [KeyButton("B", Text(text, "dim")) for text in texts]

    def general_keys(self) -> list[KeyButton]:
        """The keys that always do something, as many as there is room for."""
        if self.session.me is None:
            keys = {"?": "help", "V": "hands", "+": "faster", "-": "slower", "L": "log", "Q": "leave"}
        else:
            near = {"N": "nearest"} if self.advice.has_cards else {}
            keys = {"?": "help", "H": "hint", "W": "waits", **near, "L": "log", "B": "buttons", "Q": "leave"}
        return [KeyButton(key, Text(self.names.say(f"terminal.do_{name}"))) for key, name in keys.items()]

    def show_message(self, id: str, style: str = "", **slots: object) -> None:
        """Show a message of the catalogue to the player until the next key."""
        self.show_notice(Text(self.names.say(id, **slots), style))

    def show_notice(self, *lines: Text) -> None:
        """Show something to the player until the next key."""
        self.notice = list(lines)
        self.draw()

    def quiet(self) -> None:
        """Clear the notice."""
        self.notice = []
        self.draw()
