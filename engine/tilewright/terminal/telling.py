"""Telling: events in, the lines that a player at the table reads out; only what this player may see.

What an offer does is told in one line with it: the tile that is discarded, the group that is made. What everybody sees
anyway (shuffling, the deal, draws of others) is passed over.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from tilewright.play.model.events import Event
from tilewright.presentation.names import Wording
from tilewright.presentation.problems import seen
from tilewright.scoring.score import show_number

YOU = "you"
HAND = "hand"


@dataclass
class Teller:
    """Tells one player (by number; None: who only watches) what happens. `labels`: what the players are called."""

    wording: Wording
    me: int | None
    labels: Sequence[str]
    seat: int | None = None
    names: dict[str, str] = field(default_factory=dict)  # seat -> who sits there

    def tell(self, events: Iterable[Event]) -> list[Text]:
        """The lines for these events."""
        lines: list[Text] = []
        doing: Event | None = None  # an offer that was taken and whose tiles are still to come
        for event in events:
            if doing is not None and event.kind in WITH_OFFER and event.seat == doing.seat:
                lines[-1] = Text.assemble(lines[-1], " ", self.tiles(event))
                doing = None
                continue
            line = TOLD[event.kind](self, event) if event.kind in TOLD else None
            if line:
                lines.append(line)
            doing = event if event.kind == "take" else doing if event.kind == "mark" else None
        return lines

    # --- words

    def who(self, seat: int | None) -> Text:
        """The name of a seat and who sits there."""
        return self.who_is(self.wording.seats[seat]) if seat is not None and seat < len(self.wording.seats) else Text()

    def who_is(self, name: str) -> Text:
        person = self.names.get(name, "")
        return Text(f"{name} {person}".rstrip(), "bold" if person == YOU else "")

    def sees(self, event: Event) -> bool:
        """The player sees the tiles of the event."""
        return event.seen_by is None or self.seat in event.seen_by

    def tiles(self, event: Event) -> Text:
        """The tiles of an event, or how many there are."""
        if self.sees(event):
            return self.wording.faces.together(event.tiles)
        return Text(counted(len(event.tiles)))

    def place(self, place: str) -> Text:
        """A zone, and whose: `incoming of S`."""
        zone, _, seat = place.partition("@")
        whose = Text.assemble(" of ", self.who_is(seat)) if seat else Text()
        return Text.assemble(zone.replace("_", " "), whose)

    # --- events

    def hand(self, event: Event) -> Text:
        """A hand begins; from now on these sit there."""
        players: Mapping[str, int] = event.told("players") or {}
        self.names = {name: self.labels[player] for name, player in players.items()}
        self.seat = next((at for at, player in enumerate(players.values()) if player == self.me), None)
        return Text(f"— {self.wording.level('hand')} {event.told('number')} —", "dim")

    def take(self, event: Event) -> Text:
        return Text.assemble(self.who(event.seat), ": ", self.wording.offer_name(str(event.told("offer"))))

    def draw(self, event: Event) -> Text | None:
        """A tile that this player drew."""
        if not self.sees(event) or event.seat != self.seat:
            return None
        return Text.assemble(self.who(event.seat), ": ", ("+", "dim"), self.tiles(event))

    def move(self, event: Event) -> Text | None:
        """Tiles that go from a seat somewhere, or come to the player; the deal is not told."""
        origin, goal = str(event.told("from")), str(event.told("to"))
        stays = origin.partition("@")[2] == goal.partition("@")[2]  # with its seat
        if "@" not in origin or not event.tiles or (stays and not self.sees(event)):
            return None
        if stays and goal.startswith(f"{HAND}@"):
            return Text.assemble(self.who(event.seat), ": ", ("+", "dim"), self.tiles(event))
        return Text.assemble(self.who(event.seat), ": ", self.tiles(event), (" → ", "dim"), self.place(goal))

    def swap(self, event: Event) -> Text:
        return Text.assemble(self.who(event.seat), ": ", Text(" ↔ ").join(self.each(event)))

    def each(self, event: Event) -> list[Text]:
        return [self.wording.faces.text(face if self.sees(event) else None) for face in event.tiles]

    def meld(self, event: Event) -> Text:
        return Text.assemble(self.who(event.seat), ": ", self.tiles(event))

    def reveal(self, event: Event) -> Text | None:
        if not self.sees(event):
            return None
        return Text.assemble(self.who(event.seat), ": ", ("shows ", "dim"), self.wording.faces.row(event.tiles))

    def mark(self, event: Event) -> Text | None:
        """Something with a name that is so from now on, or that has a value."""
        declared = self.wording.data.marks.get(str(event.told("name")))
        value = event.told("value")
        if declared is None or not self.wording.is_named(declared.id, declared.name) or not self.sees(event):
            return None
        if value in (False, None, [], 0):
            return None
        name = Text(self.wording.said(declared.name), "magenta")
        shown = "" if value is True else f" {said_value(value)}"
        return Text.assemble(self.who(event.seat), ": " if event.seat is not None else "", name, shown)

    def roll(self, event: Event) -> Text:
        name = str(event.told("name")).replace("_", " ")
        return Text.assemble(self.who(event.seat), ": ", (name, "dim"), f" {said_value(event.told('value'))}")

    def told(self, event: Event) -> Text:
        """What everybody answered, told to everybody."""
        answers: Mapping[str, Mapping[str, str]] = event.told("answers") or {}
        said = [
            Text.assemble(self.who_is(seat), " ", ", ".join(text for name, text in answer.items() if name != "move"))
            for seat, answer in answers.items()
        ]
        return Text.assemble((f"{self.wording.said(event.told('name') or {})}: ", "dim"), Text("; ").join(said))

    def retire(self, event: Event) -> Text:
        return Text.assemble(self.who(event.seat), ": ", (f"out of this {self.wording.level('hand')}", "red"))

    def declare(self, event: Event) -> Text:
        """A win, with what it is worth."""
        fed = event.told("discarder")
        how = Text.assemble(" from ", self.who_is(fed)) if fed else Text(" drawn" if event.told("self_draw") else "")
        total, unit = event.told("total"), self.wording.measure_name(event.told("unit") or "")
        worth = "" if total is None else f": {show_number(total)} {unit}"
        return Text.assemble(self.who(event.seat), (" wins ", "bold green"), self.tiles(event), how, worth)

    def pay(self, event: Event) -> Text | None:
        amount = event.told("amount")
        if not amount:
            return None
        payer, payee = self.who_is(str(event.told("from"))), self.who_is(str(event.told("to")))
        name = self.wording.line_name(event.told("payments"), event.told("line"))
        return Text.assemble(
            payer, (" pays ", "dim"), payee, f" {show_number(amount)}", (f" ({name})" if name else "", "dim")
        )

    def problem(self, event: Event) -> Text:
        return Text(seen(f"problem: {event.told('says')}"), "yellow")

    def result(self, event: Event) -> Text | None:
        ended = str(event.told("ended"))
        return None if event.told("winners") else Text(f"Nobody won: {ended.replace('_', ' ')}")

    def over(self, event: Event) -> Text:
        return Text(f"— the {self.wording.level('all')} is over —", "dim")


WITH_OFFER = ("move", "meld", "swap")
TOLD: dict[str, Callable[[Teller, Event], Text | None]] = {
    "hand": Teller.hand,
    "take": Teller.take,
    "draw": Teller.draw,
    "move": Teller.move,
    "swap": Teller.swap,
    "meld": Teller.meld,
    "reveal": Teller.reveal,
    "mark": Teller.mark,
    "roll": Teller.roll,
    "told": Teller.told,
    "retire": Teller.retire,
    "declare": Teller.declare,
    "pay": Teller.pay,
    "problem": Teller.problem,
    "result": Teller.result,
    "over": Teller.over,
}


def counted(number: int) -> str:
    return f"{number} tile" if number == 1 else f"{number} tiles"


def said_value(value: object) -> str:
    """A value of a mark or a die, in words."""
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value).replace("_", " ")
