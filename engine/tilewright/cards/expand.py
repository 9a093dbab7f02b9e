"""Expansion: a line in, all its hands out, with problems of its codes; a card in, its lines with their hands and counts
out.

Stages come first: each makes patterns of patterns. Then every colour gets its suit. An unusable line has a fault and no
hands; the others are not affected. Hands are counted once in a line, in a group and in the card; hands of the same
tiles in different sets are different hands of one tile set. Knows no tile set.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from typing import Any, TypeVar

from tilewright.cards.codes import CODES, Expander, Parts, Stage, part
from tilewright.cards.faults import changes_nothing, no_hands, too_many_hands
from tilewright.cards.line import parse_line, write_pattern
from tilewright.cards.model import (
    ANY,
    COLOURS,
    DRAGON_OF,
    NUMBERS,
    SUITED,
    SUITS,
    Card,
    CardCode,
    CardEntry,
    CardGroup,
    CardLineText,
    CardPattern,
    CardSet,
    ConcreteHand,
    ConcreteSet,
    Fault,
)
from tilewright.cards.text import first_language, with_note

T = TypeVar("T")

MOST_HANDS = 50_000
MOST_STEPS = 2 * MOST_HANDS  # patterns and hands made before equal ones are dropped
ORDER = "FNEWSGR0" + SUITS  # order of the sets in a written hand


class TooManyHands(Exception):
    """A line makes more hands than any card can have."""


@lru_cache(maxsize=4)  # a caller of the hands usually needs their faults next
def hands_of(line: CardLineText) -> tuple[ConcreteHand, ...]:
    """Every hand once, sorted; raises TooManyHands."""
    outcomes = (parts for pattern in line.patterns for parts in outcomes_of(pattern, line.codes))
    found: set[ConcreteHand] = set()
    for hand in bounded(hand for parts in outcomes for hand in hands_in(parts)):
        found.add(hand)
        if len(found) > MOST_HANDS:
            raise TooManyHands
    return tuple(sorted(found))


def bounded(things: Iterable[T]) -> Iterator[T]:
    """The items, one by one, up to the limit."""
    for count, thing in enumerate(things):
        if count == MOST_STEPS:
            raise TooManyHands
        yield thing


# --- stages


def outcomes_of(pattern: CardPattern, codes: tuple[CardCode, ...], ordered: bool = False) -> Iterable[Parts]:
    """The results of the codes for a pattern, each once. If neither a later stage nor the caller (`ordered`) needs the
    order of the sets, they are sorted, so that more are equal."""
    found: Iterable[Parts] = (tuple(part(one.letter, one.count, one.colour) for one in pattern.sets),)
    for expander, stage in stages_of(codes, ordered):
        made = bounded(outcome for parts in found for outcome in expander.expand(parts, stage))
        found = dict.fromkeys(made if stage.ordered else (tuple(sorted(outcome)) for outcome in made))
    return found


def stages_of(codes: tuple[CardCode, ...], ordered: bool) -> list[tuple[Expander, Stage]]:
    """The codes that are stages, with all that they depend on; and whether the final order counts."""
    only = "".join(dict.fromkeys(next((code.chars for code in codes if code.letter == "!"), NUMBERS)))
    staged = [code for code in codes if CODES[code.letter].stage]
    return [
        (
            CODES[code.letter],
            Stage(
                code.chars, only, f"*{at}", ordered or any(CODES[later.letter].ordered for later in staged[at + 1 :])
            ),
        )
        for at, code in enumerate(staged)
    ]


# --- suits


def hands_in(parts: Parts) -> Iterator[ConcreteHand]:
    """The hands of a pattern: colours in different suits, free suits in any."""
    suited = [one for one in parts if one.letter in SUITED]
    open_colours = {one.colour for one in suited} - {*SUITS}
    fixed = [set_of(one.letter, one.size, one.colour) for one in parts if one not in suited or one.colour in SUITS]
    held = {
        (colour, suit): [set_of(one.letter, one.size, suit) for one in suited if one.colour == colour]
        for colour in open_colours
        for suit in SUITS
    }
    for choice in suits_of(open_colours):
        sets = fixed.copy()
        for place in choice:
            sets += held[place]
        sets.sort()
        yield tuple(sets)


def suits_of(colours: Set[str]) -> Iterator[tuple[tuple[str, str], ...]]:
    """Every way to give colours their suits: different ones to g, r and b, any one to each free suit."""
    named, free = [colour for colour in COLOURS if colour in colours], sorted(colours - {*COLOURS})
    for different, any_of in product(permutations(SUITS, len(named)), product(SUITS, repeat=len(free))):
        yield tuple(zip((*named, *free), different + any_of, strict=True))


@lru_cache(maxsize=4_096)
def set_of(letter: str, count: int, suit: str) -> ConcreteSet:
    """This many of the tile of a letter in a suit."""
    if letter == "D":
        return DRAGON_OF[suit], count
    return (suit + letter if letter in NUMBERS else letter), count


# --- the order of the line


def as_typed(line: CardLineText) -> dict[ConcreteHand, tuple[ConcreteSet, ...]]:
    """The sets of the hands of a line in the order of the line; sets from codes take the places of typed ones. If there
    are very many ways to the same hands, only some."""
    found: dict[ConcreteHand, tuple[ConcreteSet, ...]] = {}
    with suppress(TooManyHands):
        outcomes = (parts for pattern in line.patterns for parts in outcomes_of(pattern, line.codes, ordered=True))
        for sets in bounded(sets for parts in outcomes for sets in sets_in(parts)):
            found.setdefault(tuple(sorted(sets)), sets)
    return found


def sets_in(parts: Parts) -> Iterator[tuple[ConcreteSet, ...]]:
    """The hands of a pattern, each with its sets in the order of the pattern."""
    for choice in suits_of({one.colour for one in parts if one.letter in SUITED} - {*SUITS}):
        suits = dict(choice)
        yield tuple(set_of(one.letter, one.size, suits.get(one.colour, one.colour)) for one in parts)


# --- faults


def faults_of(line: CardLineText) -> Iterator[Fault]:
    """Faults that show only in the hands: none, too many, or the same as without a code."""
    try:
        hands = hands_of(line)
    except TooManyHands:
        yield too_many_hands(MOST_HANDS)
        return
    if not hands:
        yield no_hands(next((code for code in line.codes if code.letter == "!"), None))
    yield from (changes_nothing(code) for at, code in enumerate(line.codes) if is_idle(line, at))


def is_idle(line: CardLineText, at: int) -> bool:
    """Whether the code makes no hands, neither in its place nor in the whole line. T does so on purpose, and `*` only
    repeats `a`."""
    code, before, behind = line.codes[at], line.codes[:at], line.codes[at + 1 :]
    if code.letter == "T" or (code.letter == "*" and lists_free_suit(line, code)):
        return False
    if not same_hands(line, line.codes, before + behind):
        return False
    return code.letter == "!" or same_hands(line, before, (*before, code))


def same_hands(line: CardLineText, codes: tuple[CardCode, ...], others: tuple[CardCode, ...]) -> bool:
    """Whether the patterns have the same hands with other codes; too many hands count as different."""
    try:
        return hands_of(replace(line, codes=codes)) == hands_of(replace(line, codes=others))
    except TooManyHands:
        return False


def lists_free_suit(line: CardLineText, code: CardCode) -> bool:
    """Whether one of the sets that it lists is typed in any suit."""
    listed = [int(number) for number in code.chars]
    return any(pattern.sets[at].colour == ANY for pattern in line.patterns for at in listed if at < len(pattern.sets))


# --- hand to text


def in_print_order(hand: ConcreteHand) -> list[ConcreteSet]:
    """The sets as people write them: flowers, winds, dragons, then suit by suit."""
    return sorted(hand, key=lambda one: (ORDER.index(one[0][0]), one[0]))


def write_hand(hand: ConcreteHand) -> str:
    """The hand as a line of suits and tiles: `FF m222 444 666 888`. Reading it gives that hand alone."""
    return write_sets(in_print_order(hand))


def write_sets(ordered: Iterable[ConcreteSet]) -> str:
    """The hand with these sets in this order, as a line."""
    sets: list[CardSet] = []
    for tile, count in ordered:
        colour = tile[0] if len(tile) > 1 else sets[-1].colour if sets else COLOURS[0]
        sets.append(CardSet(tile[-1], count, colour))
    return write_pattern(CardPattern(tuple(sets)))


# --- cards

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
