"""Plain regular expressions: what every text has that one matches, told from its text alone.

In: an expression of characters, classes, groups, alternatives and repeats. Out: which characters may occur, how often
each occurs at least, and the expression with some characters left out. Of any other expression, nothing is told."""

import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from itertools import chain

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
