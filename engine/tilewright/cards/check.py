"""Checking: a card and its hands in, the problems of its lines and of the card as a whole out, with places.

Mistakes of the document itself are reported by its reader. Knows no ruleset: the number of copies of each tile is in a
`LineTiles`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from tilewright.base.problem import Place, Problem
from tilewright.cards.expand import Processed, ProcessedLine, write_hand
from tilewright.cards.model import (
    DRAGON_OF,
    LETTERS,
    NUMBERS,
    SUITED,
    SUITS,
    Card,
    CardLineText,
    CardPattern,
    CardSet,
    ConcreteHand,
    Fault,
)
from tilewright.cards.sayings import codes_of
from tilewright.cards.text import TITLES_STAND, WORD, category, looks_like_a_title

FINISHED = re.compile(r".*[XC]\s*\d+\s*")
COMMENT = re.compile(r"\s+#")
MOVERS = "*>Y"  # codes that change single sets, so that sets typed the same may become different
TILES = (*(suit + number for suit in SUITS for number in NUMBERS), *(x for x in LETTERS if x not in SUITED))


@dataclass(frozen=True, slots=True)
class LineTiles:
    """The available tiles. `copies`: of each tile, as hands name them ("m1", "F", "G"); None or no entry if not
    known. `wild`: tiles that stand for others; `smallest`: the smallest set that they may stand in. None: not known."""

    copies: Mapping[str, int | None] = field(default_factory=dict)
    wild: int | None = None
    smallest: int | None = None


SINGLES_AND_PAIRS = "singles_and_pairs"  # the group whose hands rules do not double for having no jokers
WORDS_FOR_SINGLES = re.compile("(?:^|_)(?:single|pair)s?(?:_|$)")
USUAL = LineTiles({tile: 8 if tile == "F" else 4 for tile in TILES}, wild=8, smallest=3)  # what cards are printed for


def problems_of_card(card: Card, processed: Processed, box: LineTiles = USUAL) -> Iterator[Problem]:
    """All problems of the lines of a card, and of the card as a whole."""
    yield from same_groups(card)
    yield from groups_like_singles(card)
    for line in processed.lines:
        yield from problems_of_line(line)
        yield from code_in_note(line)
        yield from too_few_copies(line, box)
    yield from repeated_lines(processed)


def problems_of_line(line: ProcessedLine) -> Iterator[Problem]:
    """The faults of a line, each at its place. A comment that was once its end explains them all; of what looks like a
    title, the first one is enough."""
    if (comment := comment_of(line)) is not None:
        yield comment_in_line(comment)
    elif line.line is None and line.error and looks_like_a_title(line.entry.text):
        yield words(line) if WORD.search(line.entry.text) else problem_of(replace(line.error, hint=TITLES_STAND), line)
    else:
        yield from (problem_of(fault, line) for fault in line.faults)


def warnings_of_line(line: ProcessedLine, box: LineTiles = USUAL) -> Iterator[Problem]:
    """The warnings of a line by itself."""
    yield from (problem_of(fault, line) for fault in line.faults)
    yield from code_in_note(line)
    yield from too_few_copies(line, box)


def problem_of(fault: Fault, line: ProcessedLine) -> Problem:
    """The fault at its place in the document."""
    return Problem(fault.code, fault.message, place_of(line, fault.offset, fault.length), fault.hint, fault.severity)


def place_of(line: ProcessedLine, offset: int = 0, length: int | None = None) -> Place | None:
    """The place of some characters of a line, by default of all of it."""
    at = line.entry.at
    return at(offset, max(1, len(line.entry.text)) if length is None else length) if at else None


def comment_of(line: ProcessedLine) -> Place | None:
    """The comment after an unfinished line, which in YAML begins with `#`."""
    end = place_of(line, len(line.entry.text), 1)
    if end is None or not line.entry.text or FINISHED.fullmatch(line.entry.text):
        return None
    rest = end.source.line(end.line)[end.column - 1 :]
    found = COMMENT.match(rest)
    return Place(end.source, end.line, end.column + found.end() - 1, len(rest) - found.end() + 1) if found else None


# --- notes


def code_in_note(line: ProcessedLine) -> Iterator[Problem]:
    """A note that describes a code, on a line without that code."""
    if line.line is not None and not line.error and not line.line.codes:
        for words, code in codes_of(line.entry.note):
            yield note_without_code(line, words, code)
            return


# --- copies


def too_few_copies(line: ProcessedLine, box: LineTiles) -> Iterator[Problem]:
    """Hands of a line that are impossible, as too few of a tile exist."""
    lacking = [(hand, lack) for hand in line.hands if (lack := lack_of(hand, box))]
    alike = list(too_many_alike(line, box))
    if lacking:
        yield few_copies(line, *lacking[0], len(lacking), alike[0] if alike else None)
    elif alike and line.hands:
        yield missing_colour(line, alike[0])


@dataclass(frozen=True, slots=True)
class Alike:
    """Sets of one tile in one colour that need more copies than there are. `first`: the second of them."""

    first: CardSet
    tiles: int
    copies: int


def too_many_alike(line: ProcessedLine, box: LineTiles) -> Iterator[Alike]:
    """Several sets of one tile and one colour that together need too many copies, as typed."""
    if line.line is None or any(code.letter in MOVERS for code in line.line.codes):
        return
    for pattern in line.line.patterns:
        for sets in same_tile(pattern):
            tiles, copies = sum(one.count for one in sets), most_copies(sets[0], box)
            if len(sets) > 1 and copies is not None and tiles > copies:
                yield Alike(sets[1], tiles, copies)


def same_tile(pattern: CardPattern) -> Iterable[list[CardSet]]:
    """The suited sets of a pattern, those of one tile and one colour together."""
    found: dict[tuple[str, str], list[CardSet]] = {}
    for one in pattern.sets:
        if one.letter in SUITED:
            found.setdefault((one.letter, one.colour), []).append(one)
    return found.values()


def most_copies(one: CardSet, box: LineTiles) -> int | None:
    """The copies of the tile of a suited set, in the suit that has most; None if not known."""
    suits = one.colour if one.colour in SUITS else SUITS
    tiles = [DRAGON_OF[suit] if one.letter == "D" else suit + one.letter for suit in suits]
    copies = [count for tile in tiles if (count := box.copies.get(tile)) is not None]
    return max(copies, default=None)


def lack_of(hand: ConcreteHand, box: LineTiles) -> str:
    """The tiles missing for a hand; nothing if it is possible. Wild tiles may be in sets that are large enough."""
    small = Counter[str]()
    whole = Counter[str]()
    for tile, count in hand:
        whole[tile] += count
        small[tile] += count if box.smallest is None or count < box.smallest else 0
    wild = 0
    for tile, count in whole.items():
        copies = box.copies.get(tile)
        if copies is None or count <= copies:
            continue
        if small[tile] > copies and box.smallest is not None:
            return f"its sets of less than {box.smallest} need {small[tile]} of {tile}, and there are {copies}"
        wild += count - copies
    if box.wild is not None and wild > box.wild:
        return f"it needs {wild} wild tiles, and there are {box.wild}"
    return ""


# --- lines compared with others


def repeated_lines(processed: Processed) -> Iterator[Problem]:
    """Lines that add nothing to another line."""
    used = [line for line in processed.lines if line.line is not None and line.hands]
    first: dict[object, ProcessedLine] = {}
    others = []
    for line in used:
        assert line.line is not None
        if (before := first.setdefault(meaning(line.line), line)) is line:
            others.append(line)
        else:
            yield same_line(line, before)
    yield from covered_lines(others)


def meaning(line: CardLineText) -> object:
    """What two spellings of one line have in common."""
    patterns = tuple(tuple(map(plainly, pattern.sets)) for pattern in line.patterns)
    codes = tuple((code.letter, code.chars) for code in line.codes if code.letter != "T")
    return patterns, codes, line.exposed, line.value


def plainly(one: CardSet) -> CardSet:
    """The set without a meaningless colour."""
    return one if one.letter in SUITED else replace(one, colour="")


def covered_lines(lines: list[ProcessedLine]) -> Iterator[Problem]:
    """Lines whose hands are all in one other line that is at least as good; of two equal ones, the second."""
    having: dict[ConcreteHand, int] = {}  # numbers of lines, as bits
    for number, line in enumerate(lines):
        for hand in line.hands:
            having[hand] = having.get(hand, 0) | 1 << number
    for number, line in enumerate(lines):
        bits = ~(1 << number) if line.hands else 0
        for hand in line.hands:
            bits &= having[hand]
        others = [other for at, other in enumerate(lines) if bits >> at & 1 and (at < number or not equal(line, other))]
        if better := [other for other in others if as_good(other, line)]:
            yield covered_line(line, better[0])


def equal(line: ProcessedLine, other: ProcessedLine) -> bool:
    """Whether two lines, one of which has all hands of the other, are worth the same."""
    return line.count == other.count and as_good(line, other) and as_good(other, line)


def as_good(line: ProcessedLine, other: ProcessedLine) -> bool:
    """Whether this line is worth as much as the other one and allows exposed groups if that does."""
    assert line.line and other.line
    return line.line.value >= other.line.value and (line.line.exposed or not other.line.exposed)


# --- groups


def same_groups(card: Card) -> Iterator[Problem]:
    """Titles that give two groups the same name."""
    first: dict[str, str] = {}
    for group in card.groups:
        name = category(group.title)
        if name and name in first:
            yield same_group(group.title, first[name], group.place)
        first.setdefault(name, group.title)


def groups_like_singles(card: Card) -> Iterator[Problem]:
    """Titles that seem to mean singles and pairs, and are not the name by which rules know that group."""
    for group in card.groups:
        name = category(group.title)
        if name != SINGLES_AND_PAIRS and WORDS_FOR_SINGLES.search(name):
            yield like_singles_and_pairs(group.title, group.place)


# --- problems


def comment_in_line(place: Place) -> Problem:
    return Problem(
        "comment-in-line",
        "YAML reads this as a comment, not as part of the line before it",
        place,
        "put the whole line in quotes; if it is a comment, end the line with X or C and the value",
    )


def words(line: ProcessedLine) -> Problem:
    return Problem("not-a-line", "these are words, not a line of hands", place_of(line), TITLES_STAND)


def note_without_code(line: ProcessedLine, words: str, code: str) -> Problem:
    return Problem(
        "note-without-code",
        f"the note says {words!r}, but no code makes it so: a note changes nothing",
        place_of(line),
        f"write a code after the sets, such as {code}; or T, if these hands are all",
        "warning",
    )


def missing_colour(line: ProcessedLine, alike: Alike) -> Problem:
    return Problem(
        "missing-colour",
        f"{alike.tiles} of the tile {alike.first.letter} are needed in one colour, and there are {alike.copies}",
        place_of(line, alike.first.offset, alike.first.count),
        colour_hint(alike.first),
        "warning",
    )


def colour_hint(one: CardSet) -> str:
    """The hint if two sets of one tile probably need two colours."""
    return f"is a colour missing? {'b' if one.colour == 'r' else 'r'}{one.letter * one.count} is of another suit"


def few_copies(line: ProcessedLine, hand: ConcreteHand, lack: str, count: int, alike: Alike | None) -> Problem:
    """`lack`: the missing tiles for one of `count` such hands of the line; `alike`: sets that explain it."""
    which = f"{count} of {line.count} hands" if count < line.count else "every hand" if count > 1 else "the hand"
    return Problem(
        "too-few-copies",
        f"{which} of this line cannot exist, such as {write_hand(hand)}: {lack}",
        place_of(line),
        colour_hint(alike.first) if alike else "use fewer of that tile, or larger sets of it",
        "warning",
    )


def same_line(line: ProcessedLine, before: ProcessedLine) -> Problem:
    return Problem(
        "same-line-twice", f"this line is the same as {named(before)}", place_of(line), "remove it", "warning"
    )


def covered_line(line: ProcessedLine, better: ProcessedLine) -> Problem:
    return Problem(
        "covered-line",
        f"every hand of this line is one of {named(better)}, which is as good or better",
        place_of(line),
        "remove it, or make it worth more than that line",
        "warning",
    )


def named(line: ProcessedLine) -> str:
    """A line by its text and its place."""
    place = place_of(line)
    return f"'{line.entry.text}'" + (f" in line {place.line}" if place else "")


def same_group(title: str, before: str, place: Place | None) -> Problem:
    same = (
        f"two groups are called {title!r}"
        if title == before
        else f"{title!r} and {before!r} are the same name to rules"
    )
    return Problem("same-group-twice", same, place, "put their lines together, or change a title")


def like_singles_and_pairs(title: str, place: Place | None) -> Problem:
    return Problem(
        "like-singles-and-pairs",
        f"rules do not take {title!r} for the group of singles and pairs: its hands are doubled without jokers",
        place,
        "call the group Singles & Pairs; if its hands are to be doubled, give it another title",
        "warning",
    )
