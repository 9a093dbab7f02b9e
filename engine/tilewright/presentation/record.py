"""The record of a game: its events in, a line for each out, every tile open; and the table at a question.

Uses the names of the ruleset. Knows no file.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.match import Match
from tilewright.play.model import Event, TableMeld, Won
from tilewright.play.view import View
from tilewright.presentation.events import EventTeller, points_lines, ranked_lines, round_lines
from tilewright.presentation.line import LineWriter
from tilewright.presentation.names import RulesetNames, in_words
from tilewright.presentation.scores import score_lines
from tilewright.tiles.tileset import Spelling

DIGITS = 5  # of the number of an event
HANDS = ("hand", "melds")  # zones shown first


@dataclass
class GameRecord:
    """Shows a game from its beginning. `players`: their names; `spelling`: of tiles, if not by code; `shown`: how many
    events have been shown; `hand`: the number of the hand being shown, from 0."""

    game: Match
    data: CompiledRuleset
    players: tuple[str, ...] = ()
    spelling: Spelling | None = None
    shown: int = 0
    hand: int = -1

    def __post_init__(self) -> None:
        self.names = RulesetNames(self.data, spelling=self.spelling)
        self.teller = EventTeller(self.data, record=True)
        self.writer = LineWriter(self.names, lambda slot, does: Text(slot.seat, "bold"))

    def more(self) -> Iterator[Text]:
        """The events since the last call; after the deal, all hands."""
        new = self.game.events[self.shown :]
        for number, event in enumerate(new, self.shown + 1):
            yield from self.lines(number, event)
        self.shown = len(self.game.events)
        if any(event.kind == "hand" for event in new) and not self.game.over:
            yield from self.hands()

    def lines(self, number: int, event: Event) -> Iterator[Text]:
        """An event under its number, with its details below."""
        ((_, line),) = self.teller.lines([event], lambda event: True)
        text = self.writer.text(line)
        if event.kind == "hand":
            self.hand += 1
            sits = "  ".join(f"{seat} {self.called(player)}" for seat, player in self.teller.players.items())
            text = Text.assemble((f"{text.plain}: ", "bold"), sits)
            yield Text()
        yield Text.assemble((f"{number:{DIGITS}}  ", "dim"), text)
        if event.kind == "declare" and (won := self.won_by(event.seat)) is not None:
            yield from (Text(" " * DIGITS) + line for line in score_lines(won.score, self.names, at_table=True))
        if event.kind == "result":
            result = self.game.results[self.hand]
            names = [self.called(player) for player in range(len(result.scores))]
            standing = round_lines(result, self.game.results, self.names, names)
            seats = [f"{seat} {self.called(result.player(at))}" for at, seat in enumerate(self.names.seats)]
            yield from (Text(" " * DIGITS) + line for line in (*points_lines(result, seats), *standing))

        if event.kind == "over" and self.game.placement:
            scores = self.game.scores[: self.game.program.count]
            names = [self.called(player) for player in range(len(scores))]
            yield from (Text(" " * DIGITS) + line for line in ranked_lines(scores, names, self.game.placement))

    def won_by(self, seat: int | None) -> Won | None:
        """The hand that a seat won, in the hand being shown."""
        if self.hand < len(self.game.results):
            return next((won for won in self.game.results[self.hand].won if won.seat == seat), None)
        return None if seat is None else self.game.won.get(seat)

    # --- the table

    def hands(self) -> Iterator[Text]:
        """All hands."""
        for seat in range(len(self.names.seats)):
            lies = [self.lying(zone, seat) for zone in HANDS if self.game.zones.get(zone, [[]] * (seat + 1))[seat]]
            yield Text.assemble(" " * (DIGITS + 2), self.who(seat), "  ", Text("  ").join(lies))

    def standing(self) -> Iterator[Text]:
        """The table at a question: every zone, and who is asked for what."""
        yield Text()
        yield from self.hands()
        zones = [zone for zone in self.data.zones.values() if zone.id not in HANDS]
        for zone in zones:
            for seat, row in enumerate(self.game.zones[zone.id]):
                if row:
                    place = Text(in_words(zone.id), "dim")
                    if zone.of == "seat":
                        place = self.names.filled("events.place", "", zone=place, whom=self.who(seat))
                    yield Text.assemble(" " * (DIGITS + 2), place, f" ({len(row)})  ", self.lying(zone.id, seat))
        for seat in self.game.asked:
            yield self.asked(seat)

    def asked(self, seat: int) -> Text:
        """What a seat may answer."""
        question = self.game.question(seat)
        assert question is not None
        hand = [self.game.program.code[tile] for tile in self.game.zones.get("hand", [[]] * (seat + 1))[seat]]
        labels = [entry.label for entry in self.names.entries(question, hand)]
        asked = self.names.question_text(question, View(self.game, seat))
        slots = {"who": self.who(seat), "asked": asked, "answers": Text(", ").join(labels)}
        return Text(" " * (DIGITS + 2)) + self.names.filled("questions.asked", "", **slots)

    def lying(self, zone: str, seat: int) -> Text:
        """The tiles of a zone: those of a hand in order, groups as groups."""
        row: list[Any] = self.game.zones[zone][seat]
        if zone == "hand":
            row = sorted(row, key=self.game.program.place.__getitem__)
        groups = [member for member in row if isinstance(member, TableMeld)]
        if groups:
            return Text("  ").join(self.group(group) for group in groups)
        return self.names.faces.row([self.game.program.face[tile] for tile in row])

    def group(self, group: TableMeld) -> Text:
        """A group on the table, a hidden one in brackets."""
        tiles = self.names.faces.together([self.game.program.face[tile] for tile in group.tiles])
        return tiles if group.exposed else Text.assemble(("[", "dim"), tiles, ("]", "dim"))

    def called(self, player: int) -> str:
        name = self.players[player] if player < len(self.players) else ""
        return f"{player + 1} {name}".rstrip()

    def who(self, seat: int) -> Text:
        return Text(self.game.program.names[seat], "bold")
