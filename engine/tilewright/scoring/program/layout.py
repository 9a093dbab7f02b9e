"""The layout of counters: parts of readings in, the integers that count what patterns need to know of them out.

A feature is a property of one group of a reading (`a concealed triplet of dragons`, `holds no terminal`). It is counted
in a field of a 64-bit word; the top bit of a field stays free, so that counts are compared with one addition. What the
table decides (`seat_wind`) is counted in words of its own. The places of a pattern are wants as bits, and each part has
the bits of the wants that it meets. Knows no tables, no conditions and no worths.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from tilewright.hands.reading import Groups, Part
from tilewright.language.compiled.ir import Apply, HasGroups, Ir, Term, Want, WantedCase, nodes
from tilewright.language.compiled.ruleset import Pattern
from tilewright.scoring.plain.walker import is_wanted

WORD = 64


@dataclass(frozen=True, slots=True)
class Feature:
    """A property of one group of a reading: it meets a want (`of` and `unless` may be classes that the table decides),
    or holds no tile of a class, or completed a wait."""

    want: Want | None = None
    lacks: frozenset[int] | None = None
    wait: str | None = None

    @property
    def moves(self) -> bool:
        """The table decides it."""
        return self.want is not None and (self.want.of is not None or self.want.unless is not None)

    def holds(self, part: Part, wait: str | None) -> bool:
        """Whether a part has it, which completed this wait; what the table decides aside."""
        if self.lacks is not None:
            return self.lacks.isdisjoint(part.tiles) and self.lacks.isdisjoint(part.held)
        return part.completed and wait == self.wait if self.want is None else is_wanted(part, self.want)


@dataclass(frozen=True, slots=True)
class Field:
    """The counter of a feature: its number among those that move, or among those that do not."""

    feature: Feature
    number: int

    @property
    def moves(self) -> bool:
        """The table decides the feature."""
        return self.feature.moves


class KnownPart(NamedTuple):
    """A part of a reading with the wait that it completed."""

    part: Part
    wait: str | None = None


class Layout:
    """The fields of features, and the parts that readings are made of, by number. `most`: parts that a reading has at
    most."""

    def __init__(self, groups: Groups, most: int) -> None:
        self.groups, self.most = groups, most
        self.width = most.bit_length() + 1
        self.in_word = WORD // self.width
        self.features: tuple[dict[Feature, Field], dict[Feature, Field]] = ({}, {})
        self.parts: list[KnownPart] = []
        self.numbers: dict[KnownPart, int] = {}
        self.rows: list[int | None] = []

    @property
    def classes(self) -> list[Ir]:
        """The classes that the table decides, which features ask."""
        wants = [feature.want for feature in self.features[True] if feature.want is not None]
        return list(dict.fromkeys(ir for want in wants for ir in (want.of, want.unless) if ir is not None))

    # --- fields

    def field(self, feature: Feature) -> Field:
        """The field of a feature, given out when it is first asked for."""
        known = self.features[feature.moves]
        return known.setdefault(feature, Field(feature, len(known)))

    def lowest(self, number: int) -> int:
        """The lowest bit of a field among its kind."""
        return WORD * (number // self.in_word) + self.width * (number % self.in_word)

    def words(self, moves: bool) -> int:
        """How many words the fields take."""
        return -(-len(self.features[moves]) // self.in_word)

    # --- parts

    def number(self, part: Part, wait: str | None = None) -> int:
        """The number of a part that completed this wait, if it holds the winning tile."""
        known = KnownPart(part, wait if part.completed else None)
        number = self.numbers.get(known)
        if number is None:
            number = self.numbers[known] = len(self.parts)
            self.parts.append(known)
            self.rows.append(None)
        return number

    def row(self, number: int) -> int:
        """The counters of a part, but those that move."""
        row = self.rows[number]
        if row is None:
            known = self.parts[number]
            row = self.rows[number] = sum(
                1 << self.lowest(field.number)
                for feature, field in self.features[False].items()
                if feature.holds(known.part, known.wait)
            )
        return row


# --- wants as features


@lru_cache(maxsize=4_096)  # cases of a pattern have the same wants again and again
def feature_of(want: Want) -> Feature:
    """What is counted for a want: the groups that meet it, one by one."""
    return Feature(replace(want, count=1, text="", different=False))


def are_apart(wants: Sequence[Want]) -> bool:
    """Whether no group could meet two of the wants."""
    return all(apart(a, b) for number, a in enumerate(wants) for b in wants[:number])


def apart(a: Want, b: Want) -> bool:
    if None not in (a.exposed, b.exposed) and a.exposed != b.exposed:
        return True
    return not ((a.groups | a.meld_groups) & (b.groups | b.meld_groups) or a.tiles & b.tiles)


# --- places


Wants = int  # a bit for each want
EXPOSED: Wants = 1  # as if it were a want: that the part is exposed


@dataclass(frozen=True, slots=True)
class Case:
    """Wants that different parts meet: each as its bit, and how many parts it takes."""

    wants: tuple[tuple[Wants, int], ...]


@dataclass(frozen=True, slots=True)
class PatternPlaces:
    """What a pattern that holds uses. `each`: the cases of which every match is a place; None where it counts once, and
    uses the first match of each list in `used`, or every part if there is none. `wants`: all of these."""

    each: tuple[Case, ...] | None
    used: tuple[tuple[Case, ...], ...]
    wants: Wants


class Places:
    """The places of patterns, each looked at when it is first asked for."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.features: dict[Feature, Wants] = {}
        self.bits: dict[Want, Wants | None] = {}
        self.known: dict[str, PatternPlaces | None] = {}

    def of(self, pattern: Pattern) -> PatternPlaces | None:
        """The places of a pattern; None where more than the parts of a reading decides them."""
        if pattern.id not in self.known:
            self.known[pattern.id] = self.newly_of(pattern)
        return self.known[pattern.id]

    def newly_of(self, pattern: Pattern) -> PatternPlaces | None:
        lists = used_by(pattern.when) if pattern.each is None else [[case for cases in pattern.each for case in cases]]
        if lists is None or any(self.bit(want) is None for cases in lists for case in cases for want in case.wants):
            return None
        made = [tuple(map(self.case, cases)) for cases in lists]
        wants = reduce(or_, (bit for cases in made for case in cases for bit, _ in case.wants), 0)
        return PatternPlaces(None, tuple(made), wants) if pattern.each is None else PatternPlaces(made[0], (), wants)

    def case(self, case: WantedCase) -> Case:
        """A case as bits."""
        return Case(tuple((bit, want.count) for want in case.wants if (bit := self.bit(want)) is not None))

    def bit(self, want: Want) -> Wants | None:
        """The bit of a want; None where a part by itself, and the classes that contexts know, do not tell whether it is
        met."""
        if want not in self.bits:
            feature = feature_of(want)
            unknown = feature.moves and feature not in self.layout.features[True]
            alone = want.start is None and not (want.different and want.count > 1) and not unknown
            self.bits[want] = self.features.setdefault(feature, EXPOSED << 1 + len(self.features)) if alone else None
        return self.bits[want]


def used_by(ir: Ir | None) -> Sequence[Sequence[WantedCase]] | None:
    """The lists of cases that a condition that holds has met; None where its groups do not tell which."""
    if ir is None or not any(isinstance(node, HasGroups) for node in nodes(ir)):
        return []
    if isinstance(ir, HasGroups):
        return [ir.cases]
    if isinstance(ir, Apply) and ir.op == "and":
        parts = [used_by(child) for child in ir.args]
        return None if None in parts else [cases for part in parts for cases in part or ()]
    return None if isinstance(ir, Term) or (isinstance(ir, Apply) and ir.op == "or") else []
