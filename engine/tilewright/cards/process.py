"""Processing: a card in; its lines as read, their hands and counts out.

An unusable line has a fault and no hands; the others are not affected. Hands are counted once in a
line, in a group and in the card; hands of the same tiles in different sets are different hands of one tile set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.cards.expand import MOST_HANDS, faults_of, hands_of
from tilewright.cards.line import parse_line
from tilewright.cards.model import Card, CardEntry, CardGroup, CardLineText, ConcreteHand, Fault
from tilewright.cards.text import first_language, with_note

MOST_OF_A_CARD = 500_000  # hands of all lines
TOO_MANY = "too-many-hands"
NOTES_STAND = "put a note in brackets at the end of its line"


@dataclass(frozen=True, slots=True)
class ProcessedLine:
    """A line of a card. `line`: as read, None if it could not be read; `faults`: in the order of the line; `hands`:
    sorted, none for an unusable line; `tile_sets`: how many different tile sets they have."""

    entry: CardEntry
    line: CardLineText | None
    faults: tuple[Fault, ...] = ()
    hands: tuple[ConcreteHand, ...] = ()
    tile_sets: int = 0

    @property
    def count(self) -> int:
        """How many hands it has."""
        return len(self.hands)

    @property
    def error(self) -> Fault | None:
        """The error that makes it unusable."""
        return next((fault for fault in self.faults if fault.severity == "error"), None)

    def as_json(self) -> dict[str, Any]:
        """Its data for other programs."""
        if self.line is None or self.error:
            return {"line": self.entry.text, "error": error_json(self.error)}
        return {
            "line": self.entry.text,
            "hands": self.count,
            "tile_sets": self.tile_sets,
            "value": self.line.value,
            "exposed": self.line.exposed,
        }


@dataclass(frozen=True, slots=True)
class ProcessedGroup:
    """A group of a card with the hands of its lines, each counted once."""

    group: CardGroup
    lines: tuple[ProcessedLine, ...]
    count: int
    tile_sets: int

    def as_json(self) -> dict[str, Any]:
        """Its data for other programs."""
        lines = [line.as_json() for line in self.lines]
        return {"name": self.group.title, "hands": self.count, "tile_sets": self.tile_sets, "lines": lines}


@dataclass(frozen=True, slots=True)
class Processed:
    """A card with the hands of its lines, each counted once."""

    card: Card
    groups: tuple[ProcessedGroup, ...]
    count: int
    tile_sets: int

    @property
    def lines(self) -> tuple[ProcessedLine, ...]:
        """The lines of all groups, in order."""
        return tuple(line for group in self.groups for line in group.lines)

    def as_json(self) -> dict[str, Any]:
        """Plain data for other programs."""
        name = self.card.name.get(first_language(self.card), "")
        groups = [group.as_json() for group in self.groups]
        return {"card": name, "hands": self.count, "tile_sets": self.tile_sets, "groups": groups}


def process(card: Card, most: int = MOST_OF_A_CARD) -> Processed:
    """The card with its hands. After `most` hands, counted line by line, lines are refused as having too many; such a
    line counts with the maximum of a line."""
    left = most
    groups = []
    for group in card.groups:
        lines = []
        for entry in group.entries:
            lines.append(processed(entry, left, most))
            left -= work_of(lines[-1])
        groups.append(counted(group, lines))
    every = [line for one in groups for line in one.lines]
    return Processed(card, tuple(groups), *counts(every))


def bare_card(texts: Sequence[str]) -> Processed:
    """Lines without a card around them: one group without a title, with one line for each text."""
    entries = (CardEntry(*with_note(text.replace("\t", " ").rstrip())) for text in texts)
    return process(Card("card", {}, (CardGroup("", tuple(entries)),)), MOST_HANDS * max(1, len(texts)))


def processed(entry: CardEntry, left: int, most: int) -> ProcessedLine:
    """One line, if its hands fit the remaining limit of the card."""
    line, faults = understood(entry.text)
    if line is None:
        return ProcessedLine(entry, None, faults)
    if left <= 0:
        return ProcessedLine(entry, line, in_order([*faults, too_many_in_all(entry.text, most)]))
    faults = in_order([*faults, *faults_of(line)])
    if any(fault.severity == "error" for fault in faults):
        return ProcessedLine(entry, line, faults)
    hands = hands_of(line)
    if len(hands) > left:
        return ProcessedLine(entry, line, in_order([*faults, too_many_in_all(entry.text, most)]))
    return ProcessedLine(entry, line, faults, hands, len(set(map(tiles_of, hands))))


def work_of(line: ProcessedLine) -> int:
    """How many hands were made of a line, at least."""
    return MOST_HANDS if line.error and line.error.code == TOO_MANY else line.count


def understood(text: str) -> tuple[CardLineText | None, tuple[Fault, ...]]:
    """The line in a text. A bracket in it is a malformed note."""
    line, faults = parse_line(text)
    return (None, (misplaced_note(text),)) if line is None and faults[0].offset == text.find("(") else (line, faults)


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """The faults in the order of the line, each once."""
    return tuple(sorted(dict.fromkeys(faults), key=lambda fault: fault.offset))


def tiles_of(hand: ConcreteHand) -> ConcreteHand:
    """Each tile of a hand with how many there are of it, in whatever sets; the hand is sorted."""
    if len({tile for tile, _ in hand}) == len(hand):
        return hand
    counts: dict[str, int] = {}
    for tile, count in hand:
        counts[tile] = counts.get(tile, 0) + count
    return tuple(counts.items())


def counted(group: CardGroup, lines: Sequence[ProcessedLine]) -> ProcessedGroup:
    """The group with the hands of its lines."""
    return ProcessedGroup(group, tuple(lines), *counts(lines))


def counts(lines: Iterable[ProcessedLine]) -> tuple[int, int]:
    """How many hands and how many tile sets lines have together."""
    hands = set[ConcreteHand]().union(*(line.hands for line in lines))
    return len(hands), len(set(map(tiles_of, hands)))


def error_json(fault: Fault | None) -> dict[str, Any]:
    """The data of a fault for other programs; columns count from 1."""
    assert fault is not None  # an unreadable line has a fault
    hint = {"hint": fault.hint} if fault.hint else {}
    return {"code": fault.code, "message": fault.message, "column": fault.offset + 1, **hint}


# --- faults


def too_many_in_all(text: str, most: int) -> Fault:
    """A line with more hands than the lines before it leave of `most`."""
    message = f"up to this line, the lines of the card have more than {f'{most:,}'.replace(',', ' ')} hands"
    return Fault(TOO_MANY, message, 0, len(text), "remove lines, or use fewer codes")


def misplaced_note(text: str) -> Fault:
    """A bracket that is not a note: never closed, or with text behind it, or without a line before it."""
    at = text.index("(")
    if not text[:at].strip():
        return Fault("note-alone", "a note must follow a line or a title", at, len(text) - at, NOTES_STAND)
    if ")" not in text[at:]:
        return Fault("not-closed", "this ( is never closed", at, 1, "put ) at the end of the note")
    behind = text.index(")", at) + 1
    return Fault("text-behind-note", "there is text after a note", behind, max(1, len(text) - behind), NOTES_STAND)
