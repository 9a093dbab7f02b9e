"""Session: a game at a table in which a person may take part.

Carries out the answers of bots, buttons and the person one at a time, and records what happens as it happens; what a
player is asked stands in entries with keys. Knows no screen.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.text import Text

from tilewright.base.spelling import seen
from tilewright.language.compiled.play import Button
from tilewright.play.model import Event, HandResult, Move, Question, Refusal
from tilewright.play.table import Table
from tilewright.play.view import View
from tilewright.players.player import Player
from tilewright.presentation.console import table
from tilewright.presentation.events import HAND, EventTeller
from tilewright.presentation.line import LineWriter, SeatSlot
from tilewright.presentation.names import ActionEntry, RulesetNames

YOU = "you"  # the person's player number
Record = Callable[[Table], None]  # records the new lines of the table's log


@dataclass(frozen=True, slots=True)
class GameNews:
    """The outcome of one answer: the lines to show, and the hand that ended with it."""

    lines: tuple[Text, ...] = ()
    ended: HandResult | None = None


@dataclass
class GameSession:
    """`bots` by player, None for the person; `labels`: the names of the players; `reports`: errors of players that are
    programs, as they occur; `pressed`: buttons that are on."""

    table: Table
    names: RulesetNames
    bots: Sequence[Player | None]
    labels: Sequence[str]
    record: Record
    reports: list[str] = field(default_factory=list)
    pressed: set[str] = field(default_factory=set)
    sorts: bool = True
    story: list[Text] = field(default_factory=list)
    refused: tuple[Refusal, ...] = ()
    shown: int = 0  # events
    ended: int = 0  # hands

    def __post_init__(self) -> None:
        self.teller = EventTeller(self.names.data)
        self.pressed |= {button.id for button in self.buttons if button.on}
        self.sorts = self.sorts_hand()
        self.ended = len(self.table.results)
        self.new_lines()
        self.record(self.table)

    # --- who sits where

    @property
    def me(self) -> int | None:
        """The person's player number."""
        return next((player for player, bot in enumerate(self.bots) if bot is None), None)

    @property
    def seat(self) -> int | None:
        """The person's seat in this hand."""
        return None if self.me is None else self.table.game.seat_of(self.me)

    def view(self) -> View:
        """What the person sees; with only bots, what everybody sees."""
        return self.table.view(self.seat)

    def hands(self) -> dict[int, tuple[int | None, ...]]:
        """The hand of each seat, as its player sees it: for spectators."""
        seats = range(self.names.data.seats.count) if HAND in self.names.data.zones else ()
        return {seat: self.table.view(seat).zone(HAND, seat) for seat in seats}

    @property
    def people(self) -> Mapping[str, str]:
        """The player at each seat in this hand, by the name of the seat."""
        player = self.table.game.player
        return {name: self.labels[player(seat)] for seat, name in enumerate(self.names.seats)}

    # --- the course

    @property
    def over(self) -> bool:
        return self.table.over

    @property
    def question(self) -> Question | None:
        """The question for the person, once all others have answered and no button answers for it."""
        if self.seat is None or self.table.asked != (self.seat,) or self.button_move() is not None:
            return None
        return self.table.question(self.seat)

    def advance(self) -> GameNews | None:
        """Take the next answer of a bot or a button and return its outcome; None if the person has to answer, or the
        match is over."""
        seats = [seat for seat in self.table.asked if seat != self.seat]
        if seats:
            bot = self.bots[self.table.game.player(seats[0])]
            assert bot is not None
            return self.answer(bot.choose(self.table.view(seats[0])))
        move = self.button_move()
        return None if move is None else self.answer(move)

    def answer(self, move: Move) -> GameNews:
        """Carry out a move and return its outcome. Raises IllegalMove."""
        self.table = self.table.push(move)
        self.record(self.table)
        lines = self.new_lines()
        results = self.table.results
        ended = results[-1] if len(results) > self.ended else None
        if ended is not None:
            self.notify_bots()
        self.ended = len(results)
        return GameNews(tuple(lines), ended)

    def new_refusals(self) -> list[Text]:
        """New refusals: what the person might have expected to be asked about."""
        before = self.refused
        passed_over = self.seat is not None and self.seat not in self.table.asked
        self.refused = self.table.refusals(self.seat) if self.seat is not None and passed_over else ()
        who = Text() if self.seat is None else Text(self.seat_name(self.seat), "bold")
        new = [refusal for refusal in self.refused if refusal not in before]
        return [Text.assemble(who, ": ", self.names.refusal_text(refusal)) for refusal in new]

    def notify_bots(self) -> None:
        """Notify every bot that a hand has ended."""
        for player, bot in enumerate(self.bots):
            if bot is not None:
                bot.ended(self.table.view(self.table.game.seat_of(player)))

    def new_lines(self) -> list[Text]:
        """The lines that have not been shown yet."""
        events = self.table.events[self.shown :]
        self.shown += len(events)
        if any(event.kind == HAND for event in events):
            self.sort_again()
        reports = [Text(seen(report), "yellow") for report in self.reports]
        self.reports.clear()
        lines = [*reports, *(self.writer.text(line) for _, line in self.teller.lines(events, self.sees))]
        self.word(self.names)
        lines += self.new_refusals()
        self.story += lines
        return lines

    def word(self, names: RulesetNames) -> None:
        """Use these names from now on."""
        self.names = replace(names, people=self.people)

    # --- names

    @property
    def writer(self) -> LineWriter:
        return LineWriter(self.names, self.seat_text, self.me)

    def sees(self, event: Event) -> bool:
        """Whether the person sees the tiles of an event."""
        seat = next((at for at, player in enumerate(self.teller.players.values()) if player == self.me), None)
        return event.seen_by is None or seat in event.seen_by

    def seat_text(self, slot: SeatSlot, does: bool) -> Text:
        """A seat and its player; the person is "you"."""
        if slot.player is None:
            return Text(slot.seat)
        if slot.player == self.me:
            return Text(self.names.say("table.you" if does else "table.you_object"), "bold")
        return Text(f"{slot.seat} {self.labels[slot.player]}")

    def seat_name(self, seat: int) -> str:
        return f"{self.names.seats[seat]} {self.labels[self.table.game.player(seat)]}"

    # --- buttons

    @property
    def buttons(self) -> tuple[Button, ...]:
        return self.names.play.buttons

    def press(self, id: str) -> None:
        """Switch a button on or off."""
        self.pressed ^= {id}
        self.sorts = self.sorts_hand()

    def sort(self, wanted: bool) -> None:
        """Sort the hand or stop sorting; with the game's button for it, if it has one."""
        found = [button.id for button in self.buttons if button.sorts == HAND]
        self.pressed = self.pressed | set(found) if wanted else self.pressed - set(found)
        self.sorts = wanted

    def sort_again(self) -> None:
        """Switch on the buttons that sort the hand and are on by default, whatever the player did in the last hand."""
        self.pressed |= {button.id for button in self.buttons if button.sorts == HAND and button.on}
        self.sorts = self.sorts_hand()

    def sorts_hand(self) -> bool:
        """Whether a button that sorts the hand is on; true if there is none."""
        found = [button.id for button in self.buttons if button.sorts == HAND]
        return not found or any(id in self.pressed for id in found)

    @property
    def sorted_zones(self) -> frozenset[str]:
        """The zones that buttons sort."""
        return frozenset(button.sorts for button in self.buttons if button.sorts and button.id in self.pressed)

    def button_move(self) -> Move | None:
        """The answer that pressed buttons give for the person."""
        return None if self.seat is None else self.table.answer_by(self.seat, self.pressed)


# --- keys


PASSING = ("p", "0")


@dataclass
class KeyedEntries:
    """The current question as entries; `active`: the entry that tiles of the hand are chosen for."""

    question: Question
    entries: tuple[ActionEntry, ...]
    active: ActionEntry | None
    cursor: int | None = None  # at an entry, if tiles are not asked for

    def keys(self) -> list[tuple[str, ActionEntry]]:
        """Every entry with its key."""
        numbered = [entry for entry in self.entries if not entry.passes]
        passing = [entry for entry in self.entries if entry.passes]
        return [*((str(n), entry) for n, entry in enumerate(numbered, 1)), *((PASSING[0], e) for e in passing)]

    def legal(self) -> Counter[str] | None:
        """How many of each tile may be chosen; None: tiles are not asked for, and all look the same."""
        if self.active is None:
            return None
        if self.active.pick is not None:
            return Counter(self.active.pick.tiles)
        return Counter(move.choice[-1][1] for move in self.active.moves)


def key_lines(ids: Iterable[str], names: RulesetNames, indent: str = "") -> list[Text]:
    """Keys or words with their descriptions; two spaces separate them in the message."""
    return table([names.say(id).split("  ") for id in ids], indent=indent)
