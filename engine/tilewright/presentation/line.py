"""Told lines: what a front end renders. A message of the catalogue with the values of its blanks, as data; as JSON for
the page; as text for a terminal.

The blank `who` is the acting player: if that is the reader, the message ID_me is used if there is one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rich.text import Text

from tilewright.base.spelling import seen
from tilewright.presentation import catalogue
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.score import json_number, show_number

WHO = "who"  # the blank of the acting player
ME = "_me"  # suffix of an id: the message for the reader's own actions


@dataclass(frozen=True, slots=True)
class SeatSlot:
    """A seat by its name, and its player; None: nobody, as for the pot."""

    seat: str
    player: int | None


@dataclass(frozen=True, slots=True)
class TilesSlot:
    """Tiles by their codes; of hidden ones only the number. `apart`: they are not a group."""

    codes: tuple[str, ...]
    count: int
    apart: bool = False


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A message by its id. `kind`: its event kind; `sound`: the sound to play."""

    id: str
    slots: Mapping[str, "Slot"] = field(default_factory=dict)
    kind: str = ""
    sound: str = ""


Slot = (
    str | int | Fraction | Mapping[str, str] | SeatSlot | TilesSlot | ToldLine | tuple["Slot", ...] | None
)  # a mapping: names by language; a tuple: slots side by side


def line_json(line: ToldLine) -> dict[str, Any]:
    """A line as plain data (docs/web-protocol.md), with the blanks that its messages have."""
    shown = catalogue.blanks_everywhere(line.id) | {WHO}
    slots = {name: slot_json(slot) for name, slot in line.slots.items() if slot is not None and name in shown}
    found: dict[str, Any] = {"id": line.id, "slots": slots}
    return found | ({"sound": line.sound} if line.sound else {})


def slot_json(slot: Slot) -> Any:
    match slot:
        case SeatSlot():
            return {"seat": slot.seat, "player": slot.player}
        case TilesSlot():
            return {"tiles": list(slot.codes)} if slot.codes else {"count": slot.count}
        case ToldLine():
            return line_json(slot)
        case tuple():
            return [slot_json(one) for one in slot]
        case Mapping():
            return {"names": dict(slot)}
        case Fraction():
            return json_number(slot)
    return slot


# --- as text

STYLES = {
    "hand": "dim",
    "over": "dim",
    "draw": "dim",
    "move": "dim",
    "pay": "dim",
    "shuffle": "dim",
    "declare": "bold green",
    "retire": "red",
    "problem": "yellow",
}  # of the words of a line, by its kind
NAMED = {"mark": "magenta", "roll": "magenta"}  # of names in it


@dataclass(frozen=True)
class LineWriter:
    """Writes told lines as coloured text. `seat_text`: the name of a seat, given whether it is the acting one. `me`:
    the player who reads."""

    names: RulesetNames
    seat_text: Callable[[SeatSlot, bool], Text]
    me: int | None = None

    def text(self, line: ToldLine, style: str = "") -> Text:
        """The line, its words in the style of its kind."""
        style = STYLES.get(line.kind, style)
        slots = {name: self.slot_text(slot, name == WHO, NAMED.get(line.kind, "")) for name, slot in line.slots.items()}
        parts = catalogue.pieces(self.id_of(line), self.names.language, slots)
        return Text.assemble(*((part, style) if isinstance(part, str) else part for part in parts if part is not None))

    def id_of(self, line: ToldLine) -> str:
        """The message for the reader's own actions, if there is one."""
        who = line.slots.get(WHO)
        mine = isinstance(who, SeatSlot) and self.me is not None and who.player == self.me
        return f"{line.id}{ME}" if mine and catalogue.has(f"{line.id}{ME}") else line.id

    def slot_text(self, slot: Slot, does: bool, style: str) -> Text | None:
        match slot:
            case None | "" | ():
                return None
            case SeatSlot():
                return self.seat_text(slot, does)
            case TilesSlot():
                return self.tiles_text(slot)
            case ToldLine():
                return self.text(slot)
            case tuple():
                between = self.names.say("base.semicolon") if isinstance(slot[0], ToldLine) else " "
                return Text(between).join(filter(None, (self.slot_text(one, does, style) for one in slot)))
            case Mapping():
                return Text(self.names.translated(slot), style)
            case str():
                return Text(seen(slot))
        return Text(show_number(slot))

    def tiles_text(self, slot: TilesSlot) -> Text:
        """The tiles, or how many there are."""
        if not slot.codes:
            return Text(catalogue.say("events.tiles", self.names.language, count=slot.count))
        faces = [self.names.codes[code] for code in slot.codes]
        return self.names.faces.row(faces) if slot.apart else self.names.faces.together(faces)
