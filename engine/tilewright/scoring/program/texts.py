"""Texts: what a regular expression asks of the text of a hand in, an automaton over tiles out.

The text of a row of sorted tiles is spelled tile by tile, so the automaton goes from state to state by tiles, and once
more where the row ends. Only plain expressions are known: characters, classes, groups, alternatives and repeats, whose
parts also say which characters may occur, and how often each occurs at least. `scoring.plain.walker.matches` is the
oracle.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from tilewright.language.compiled.ir import Ir, Matches
from tilewright.tiles.notation import notation_of
from tilewright.tiles.tileset import TileSet

SIGN = re.compile(r"[A-Za-z0-9]")
CLASS = re.compile(r"\[((?:[A-Za-z0-9](?:-[A-Za-z0-9])?)+)\]")
RANGE = re.compile(r"(.)-(.)|(.)")
REPEAT = re.compile(r"([*+?])|\{(\d{1,3})(?:(,)(\d{1,3})?)?\}")
REPEATS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
MOST_NESTED = 20


class NotPlain(Exception):
    """An expression has more than is known here."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One character of a class."""

    signs: frozenset[str]

    def least(self) -> "Counter[str]":
        return Counter(self.signs) if len(self.signs) == 1 else Counter()

    def kept(self, signs: Set[str]) -> str:
        found = "".join(sorted(self.signs & signs))
        return f"[{found}]" + ("" if self.signs <= signs else "?") if found else ""


@dataclass(frozen=True, slots=True)
class Row:
    """One part after the other."""

    parts: "tuple[Part, ...]"

    def least(self) -> "Counter[str]":
        found = Counter[str]()
        for part in self.parts:
            found += part.least()
        return found

    def kept(self, signs: Set[str]) -> str:
        return "".join(part.kept(signs) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Either:
    """One of several."""

    parts: "tuple[Part, ...]"

    def least(self) -> "Counter[str]":
        first, *others = (part.least() for part in self.parts)
        for other in others:
            first &= other
        return first

    def kept(self, signs: Set[str]) -> str:
        return "(?:" + "|".join(part.kept(signs) for part in self.parts) + ")"


@dataclass(frozen=True, slots=True)
class Repeated:
    """A part so often; None: any number of times."""

    part: "Part"
    fewest: int
    most: int | None

    def least(self) -> "Counter[str]":
        return Counter({sign: number * self.fewest for sign, number in self.part.least().items() if self.fewest})

    def kept(self, signs: Set[str]) -> str:
        part = self.part.kept(signs)
        return f"(?:{part}){{{self.fewest},{'' if self.most is None else self.most}}}" if part else ""


Part = OneOf | Row | Either | Repeated


def plain(text: str) -> Part:
    """An expression in its parts. Raises NotPlain."""
    part, end = either(text, 0, 0)
    if end < len(text):
        raise NotPlain(text)
    return part


def either(text: str, at: int, depth: int) -> tuple[Part, int]:
    """Alternatives, and where they end."""
    if depth > MOST_NESTED:
        raise NotPlain(text)
    rows, at = list[Part](), at - 1
    while not rows or text[at : at + 1] == "|":
        row, at = parts_of(text, at + 1, depth)
        rows.append(Row(tuple(row)))
    return (Either(tuple(rows)) if len(rows) > 1 else rows[0]), at


def parts_of(text: str, at: int, depth: int) -> tuple[list[Part], int]:
    """One part after the other, and where they end."""
    found = list[Part]()
    while at < len(text) and text[at] not in "|)":
        part, at = single(text, at, depth)
        repeat = REPEAT.match(text, at)
        if repeat:
            fewest, most = times(repeat)
            part, at = Repeated(part, fewest, most), repeat.end()
            if REPEAT.match(text, at):
                raise NotPlain(text)  # a repeat that is not greedy
        found.append(part)
    return found, at


def single(text: str, at: int, depth: int) -> tuple[Part, int]:
    """A character, a class or a group, and where it ends."""
    if text[at] == "(":
        if text.startswith("(?", at) and not text.startswith("(?:", at):
            raise NotPlain(text)
        part, end = either(text, at + (3 if text.startswith("(?:", at) else 1), depth + 1)
        if text[end : end + 1] != ")":
            raise NotPlain(text)
        return part, end + 1
    if found := CLASS.match(text, at):
        spans = [(first, last) if first else (one, one) for first, last, one in RANGE.findall(found[1])]
        return OneOf(frozenset(chain.from_iterable(span(*ends) for ends in spans))), found.end()
    if SIGN.match(text, at):
        return OneOf(frozenset({text[at]})), at + 1
    raise NotPlain(text)


def span(first: str, last: str) -> list[str]:
    return [chr(code) for code in range(ord(first), ord(last) + 1)]


def times(repeat: re.Match[str]) -> tuple[int, int | None]:
    """How often a repeat takes what is before it."""
    sign, fewest, comma, most = repeat.groups()
    if sign:
        return REPEATS[sign]
    return int(fewest), int(most) if most else None if comma else int(fewest)


def signs_of(part: Part) -> frozenset[str]:
    """The characters that may occur."""
    if isinstance(part, OneOf):
        return part.signs
    if isinstance(part, Repeated):
        return signs_of(part.part)
    return frozenset(chain.from_iterable(map(signs_of, part.parts)))


# --- automata

MOST_SIGNS = 200  # of an expression, its repeats written out or not
MOST_STATES, MOST_RESTS = 100, 30  # of an automaton, and of one of its states
Rest = tuple[Part, ...]  # what is left of an expression to match
Rests = frozenset[Rest | None]  # all that may be left; None where a text that goes on matches, too
State = tuple[Rests, str]  # with the sign of the suit that is not written yet
SIGNS = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class TextAutomaton:
    """`moves`: for each state the next one, by the place of a plain tile in texts; the last is where a row ends.
    `accepts`: whether a text that ends in a state matches. The first state is 0."""

    moves: tuple[tuple[int, ...], ...]
    accepts: tuple[bool, ...]

    def matches(self, rows: Iterable[Iterable[int]]) -> bool:
        """Whether rows of places match, each sorted."""
        state, moves = 0, self.moves
        for row in rows:
            for place in row:
                state = moves[state][place]
            state = moves[state][-1]
        return self.accepts[state]


def text_places(tiles: TileSet) -> dict[int, int]:
    """The place of each plain tile among those of texts."""
    places = notation_of(tiles).string_places
    plain_tiles = sorted({tile.plain for tile in tiles.tiles}, key=places.__getitem__)
    return {tile: number for number, tile in enumerate(plain_tiles)}


def automaton_of(ir: Ir, tiles: TileSet) -> TextAutomaton | None:
    """The automaton of a question about the text of a hand; None where it is another one, is not plain, or needs many
    states."""
    if not isinstance(ir, Matches) or ir.of == "bonus":
        return None
    parts = notation_of(tiles).string_parts
    spelled = tuple((parts[tile][0], parts[tile][1] if ir.suits else "") for tile in text_places(tiles))
    signs = "".join(sorted({sign for pair in spelled for text in pair for sign in text}))
    if len(ir.regex) > MOST_SIGNS or not SIGNS.fullmatch(signs):
        return None
    return made(ir.regex.replace(".", f"[{signs}]"), ir.anywhere, spelled)


@lru_cache(maxsize=128)
def made(regex: str, anywhere: bool, spelled: tuple[tuple[str, str], ...]) -> TextAutomaton | None:
    """The automaton over tiles that are spelled so: each with its head and its tail; None as above."""
    try:
        part = plain(regex)
        return Maker(part, anywhere).automaton(spelled) if size_of(part) <= MOST_SIGNS else None
    except NotPlain:
        return None


def size_of(part: Part) -> int:
    """How many characters an expression has, its repeats written out."""
    match part:
        case OneOf():
            return 1
        case Repeated(of, fewest, most):
            return size_of(of) * (fewest + 1 if most is None else most)
        case Row(parts) | Either(parts):
            return sum(map(size_of, parts))


class Maker:
    """The states of an expression. Raises NotPlain where one has many rests."""

    def __init__(self, part: Part, anywhere: bool) -> None:
        self.anywhere = anywhere
        self.start = self.closed(frozenset({(part,)}))
        self.known: dict[tuple[Rests, str], Rests] = {}

    def automaton(self, spelled: Sequence[tuple[str, str]]) -> TextAutomaton | None:
        """The automaton over tiles that are spelled so; None where it needs many states."""
        numbers: dict[State, int] = {(self.start, ""): 0}
        moves, ahead = list[tuple[int, ...]](), [(self.start, "")]
        for rests, pending in ahead:
            row = []
            for head, tail in (*spelled, ("", "")):
                written = ("" if tail and tail == pending else pending) + head
                state = self.after(rests, written), tail
                if state not in numbers:
                    numbers[state] = len(numbers)
                    ahead.append(state)
                row.append(numbers[state])
            moves.append(tuple(row))
            if len(numbers) > MOST_STATES:
                return None
        return TextAutomaton(tuple(moves), tuple(not pending and self.ends(rests) for rests, pending in ahead))

    def after(self, rests: Rests, signs: str) -> Rests:
        """What is left after some signs."""
        for sign in signs:
            key = rests, sign
            if key not in self.known:
                tried = set[Rest]()
                found = frozenset(left for rest in rests if rest is not None for left in taken(rest, sign, tried))
                if len(found) > MOST_RESTS:
                    raise NotPlain(signs)
                kept = (self.start if self.anywhere else frozenset()) | (frozenset({None}) & rests)
                self.known[key] = self.closed(found | kept)
            rests = self.known[key]
        return rests

    def closed(self, rests: Rests) -> Rests:
        """The same; where a text may go on after what matches, that is all that matters."""
        return frozenset({None}) if None in rests or (self.anywhere and self.ends(rests)) else rests

    @staticmethod
    def ends(rests: Rests) -> bool:
        """Whether the text may end."""
        return any(rest is None or all(map(may_be_empty, rest)) for rest in rests)


def taken(rest: Rest, sign: str, tried: set[Rest]) -> Iterator[Rest]:
    """What may be left of parts after a sign. `tried`: parts that were tried before, of which nothing new is found."""
    if not rest or rest in tried:
        return
    first, *others = rest
    tried.add(rest)
    match first:
        case OneOf(signs):
            if sign in signs:
                yield tuple(others)
        case Row(parts):
            yield from taken((*parts, *others), sign, tried)
        case Either(parts):
            for part in parts:
                yield from taken((part, *others), sign, tried)
        case Repeated(part, fewest, most):
            if most != 0:
                again = Repeated(part, max(0, fewest - 1), None if most is None else most - 1)
                yield from taken((part, again, *others), sign, tried)
            if not fewest:
                yield from taken(tuple(others), sign, tried)


def may_be_empty(part: Part) -> bool:
    """Whether a part matches nothing."""
    match part:
        case OneOf():
            return False
        case Row(parts):
            return all(map(may_be_empty, parts))
        case Either(parts):
            return any(map(may_be_empty, parts))
        case Repeated(of, fewest, _):
            return not fewest or may_be_empty(of)
