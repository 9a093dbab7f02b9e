"""Retelling: the events of a game in, a line for each out, every tile open; and the table as it stands at a question.

Speaks in the names of the ruleset. Knows no file.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from tilewright.language.compiled.ruleset import RulesetData
from tilewright.play.match import Match
from tilewright.play.model.events import Event
from tilewright.play.model.melds import TableMeld
from tilewright.play.model.moves import Move
from tilewright.play.model.results import HandResult, Won
from tilewright.play.view import View
from tilewright.presentation.console import Row, table
from tilewright.presentation.names import Wording
from tilewright.presentation.round_table import round_lines
from tilewright.presentation.scores import score_lines, signed
from tilewright.presentation.tiles.text import Faces
from tilewright.scoring.score import show_number

DIGITS = 5  # of the number of an event
HANDS = ("hand", "melds")  # zones that are told first


@dataclass
class Retelling:
    """Tells a game from its beginning. `players`: what they are called; `told`: events that have been told; `hand`: the
    number of the hand that is told, from 0; `sits`: who sits in each seat, by its name."""

    game: Match
    data: RulesetData
    players: tuple[str, ...] = ()
    told: int = 0
    hand: int = -1
    sits: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wording = Wording(self.data, Faces(self.data.tiles))

    def more(self) -> Iterator[Text]:
        """What has happened since the last time; after the deal, what everybody holds."""
        began = False
        for number in range(self.told, len(self.game.events)):
            event = self.game.events[number]
            began = began or event.kind == "hand"
            yield from self.lines(number + 1, event)
        self.told = len(self.game.events)
        if began and not self.game.over:
            yield from self.hands()

    def lines(self, number: int, event: Event) -> Iterator[Text]:
        """An event under its number, and what belongs to it below."""
        if event.kind == "hand":
            self.hand += 1
            self.sits = {name: self.called(player) for name, player in (event.told("players") or {}).items()}
            yield Text()
        tell = TOLD.get(event.kind, Retelling.something)
        yield Text.assemble((f"{number:{DIGITS}}  ", "dim"), tell(self, event))
        if event.kind == "declare" and (won := self.won_by(event.seat)) is not None:
            yield from (Text(" " * DIGITS) + line for line in score_lines(won.score, self.data))
        if event.kind == "result":
            result = self.game.results[self.hand]
            names = [self.called(player) for player in range(len(result.scores))]
            standing = round_lines(result, self.game.results, self.wording, names)
            yield from (Text(" " * DIGITS) + line for line in (*self.gains(result), *standing))

    def won_by(self, seat: int | None) -> Won | None:
        """The hand that a seat won, in the hand that is told."""
        if self.hand < len(self.game.results):
            return next((won for won in self.game.results[self.hand].won if won.seat == seat), None)
        return None if seat is None else self.game.won.get(seat)

    def gains(self, result: HandResult) -> list[Text]:
        """What each player got or paid, and has now."""
        rows: list[Row] = []
        for seat, name in enumerate(self.wording.seats):
            player = result.player(seat)
            gain = Text(signed(result.gains[player]), "green" if result.gains[player] > 0 else "")
            rows.append([f"{name} {self.called(player)}", gain, show_number(result.scores[player])])
        return table(rows, frozenset({1, 2}))

    # --- the table

    def hands(self) -> Iterator[Text]:
        """What everybody holds."""
        for seat in range(len(self.wording.seats)):
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
                    owner = Text.assemble(" of ", self.who(seat)) if zone.of == "seat" else Text()
                    name = Text(self.plain(zone.id), "dim")
                    yield Text.assemble(" " * (DIGITS + 2), name, owner, f" ({len(row)})  ", self.lying(zone.id, seat))
        for seat in self.game.asked:
            yield self.asked(seat)

    def asked(self, seat: int) -> Text:
        """What a seat may answer."""
        question = self.game.question(seat)
        assert question is not None
        hand = [self.game.program.code[tile] for tile in self.game.zones.get("hand", [[]] * (seat + 1))[seat]]
        labels = [entry.label for entry in self.wording.entries(question, hand)]
        asked = self.wording.question_text(question, View(self.game, seat))
        return Text.assemble(" " * (DIGITS + 2), self.who(seat), " is asked  ", asked, "  ", Text(", ").join(labels))

    def lying(self, zone: str, seat: int) -> Text:
        """The tiles of a zone: those of a hand in order, groups as groups."""
        row: list[Any] = self.game.zones[zone][seat]
        if zone == "hand":
            row = sorted(row, key=self.game.program.place.__getitem__)
        groups = [member for member in row if isinstance(member, TableMeld)]
        if groups:
            return Text("  ").join(self.group(group) for group in groups)
        return self.wording.faces.row([self.game.program.face[tile] for tile in row])

    def group(self, group: TableMeld) -> Text:
        """A group on the table, a hidden one in brackets."""
        tiles = self.wording.faces.together([self.game.program.face[tile] for tile in group.tiles])
        return tiles if group.exposed else Text.assemble(("[", "dim"), tiles, ("]", "dim"))

    # --- words

    def called(self, player: int) -> str:
        name = self.players[player] if player < len(self.players) else ""
        return f"{player + 1} {name}".rstrip()

    def who(self, seat: int | None) -> Text:
        return Text("" if seat is None else self.game.program.names[seat], "bold")

    def tiles(self, event: Event) -> Text:
        return self.wording.faces.row(event.tiles)

    def plain(self, id: object) -> str:
        return str(id).replace("_", " ")

    def place(self, place: object, own: int | None = None) -> Text:
        """A zone, and whose, where it is not that of the seat itself."""
        zone, _, seat = str(place).partition("@")
        theirs = seat and (own is None or self.wording.seats[own] != seat)
        return Text(f"{self.plain(zone)} of {seat}" if theirs else self.plain(zone), "dim")

    def value(self, value: object) -> str:
        """The value of a mark or a die."""
        if isinstance(value, list | tuple):
            return " ".join(map(str, value)) or "none"
        return (
            {True: "yes", False: "no"}.get(value, self.plain(value)) if isinstance(value, bool) else self.plain(value)
        )

    def answer(self, seat: str, answer: Mapping[str, str]) -> Text:
        """What a seat answered."""
        at = self.wording.seats.index(seat)
        move = Move(at, answer["move"], tuple((name, text) for name, text in answer.items() if name != "move"))
        return Text.assemble((seat, "bold"), " ", self.wording.move_text(move))

    # --- events

    def deal(self, event: Event) -> Text:
        """A hand begins, and who sits where."""
        level = self.wording.level
        head = f"{level('hand')} {event.told('number')}, {level('round')} {event.told('round')}"
        sits = "  ".join(f"{seat} {player}" for seat, player in self.sits.items())
        return Text.assemble((f"{head}: ", "bold"), sits)

    def shuffle(self, event: Event) -> Text:
        return Text.assemble(f"{event.told('tiles')} tiles are shuffled into ", self.place(event.told("zone")))

    def move(self, event: Event) -> Text:
        """Tiles that go from a place to another, drawn ones too."""
        origin, goal = (self.place(event.told(name), event.seat) for name in ("from", "to"))
        who, tiles, start = self.who(event.seat), self.tiles(event), Text.assemble((" from ", "dim"), origin)
        if event.kind == "draw":
            return Text.assemble(who, " draws ", tiles, start)
        return Text.assemble(who, " moves ", tiles, start, (" to ", "dim"), goal)

    def answers(self, event: Event) -> Text:
        """What those said who were asked."""
        answers: Mapping[str, Mapping[str, str]] = event.told("answers") or {}
        said = Text("; ").join([self.answer(seat, answer) for seat, answer in answers.items()])
        return Text.assemble((f"{self.plain(event.told('to'))}: ", "dim"), said)

    def take(self, event: Event) -> Text:
        return Text.assemble(self.who(event.seat), " → ", self.wording.offer_name(str(event.told("offer"))))

    def swap(self, event: Event) -> Text:
        places: list[str] = event.told("places") or []
        ends = [
            Text.assemble(self.wording.faces.text(face), (" of ", "dim"), self.place(place))
            for face, place in zip(event.tiles, places, strict=False)
        ]
        return Text.assemble(self.who(event.seat), " exchanges ", Text(" and ").join(ends))

    def meld(self, event: Event) -> Text:
        tiles = self.wording.faces.together(event.tiles)
        how = "" if event.told("exposed") else " concealed"
        stands: list[str] = event.told("stands_for") or []
        return Text.assemble(self.who(event.seat), " makes ", tiles, how, f" ({' '.join(stands)})" if stands else "")

    def reveal(self, event: Event) -> Text:
        to = (
            ""
            if event.seen_by is None
            else " to " + " ".join(self.wording.seats[seat] for seat in sorted(event.seen_by))
        )
        return Text.assemble(self.who(event.seat), " shows ", self.tiles(event), to)

    def mark(self, event: Event) -> Text:
        """What is remembered, of a seat or of the table; what is rolled."""
        declared = self.data.marks.get(str(event.told("name")))
        name = self.plain(self.wording.name_of(str(event.told("name")), declared.name if declared is not None else {}))
        who = Text.assemble(self.who(event.seat), ": ") if event.seat is not None else Text()
        return Text.assemble(who, (f"{name} ", "magenta"), self.value(event.told("value")))

    def said(self, event: Event) -> Text:
        """What everybody answered, told to everybody."""
        answers: Mapping[str, Mapping[str, str]] = event.told("answers") or {}
        name = self.wording.said(event.told("name") or {})
        return Text.assemble((f"{name}: ", "dim"), Text("; ").join([self.answer(*pair) for pair in answers.items()]))

    def retire(self, event: Event) -> Text:
        return Text.assemble(self.who(event.seat), f" plays no more in this {self.wording.level('hand')}")

    def declare(self, event: Event) -> Text:
        fed = event.told("discarder")
        how = f" of {fed}" if fed else " drawn" if event.told("self_draw") else ""
        return Text.assemble(self.who(event.seat), (" wins ", "bold green"), self.tiles(event), how)

    def pay(self, event: Event) -> Text:
        why = f"{self.plain(event.told('payments'))}, {self.plain(event.told('line'))}"
        amount = show_number(event.told("amount"))
        return Text.assemble(f"{event.told('from')} pays {event.told('to')} ", (amount, "bold"), (f"  {why}", "dim"))

    def problem(self, event: Event) -> Text:
        return Text.assemble(("problem: ", "yellow"), str(event.told("says")))

    def result(self, event: Event) -> Text:
        winners: list[str] = event.told("winners") or []
        return Text.assemble(
            ("ended: ", "bold"), f"{self.plain(event.told('ended'))}, {' '.join(winners) or 'nobody'} won"
        )

    def over(self, event: Event) -> Text:
        return Text(f"the {self.wording.level('all')} is over", "bold")

    def something(self, event: Event) -> Text:
        """An event of a kind that has no sentence of its own."""
        details = "  ".join(f"{name} {self.value(value)}" for name, value in event.detail)
        return Text.assemble(self.who(event.seat), f" {self.plain(event.kind)} ", self.tiles(event), f" {details}")


TOLD: dict[str, Callable[[Retelling, Event], Text]] = {
    "hand": Retelling.deal,
    "shuffle": Retelling.shuffle,
    "move": Retelling.move,
    "draw": Retelling.move,
    "answers": Retelling.answers,
    "take": Retelling.take,
    "swap": Retelling.swap,
    "meld": Retelling.meld,
    "reveal": Retelling.reveal,
    "mark": Retelling.mark,
    "roll": Retelling.mark,
    "told": Retelling.said,
    "retire": Retelling.retire,
    "declare": Retelling.declare,
    "pay": Retelling.pay,
    "problem": Retelling.problem,
    "result": Retelling.result,
    "over": Retelling.over,
}
