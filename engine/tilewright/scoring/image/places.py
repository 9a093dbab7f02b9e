"""Places: the parts of a reading in, the parts that patterns use out, as bits.

Each want of a pattern is a bit, and each part has the bits of the wants that it meets; matching compares numbers.
Places come in the order of `tilewright.scoring.plain.walker.matchings`. Knows no worths.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, islice
from operator import or_

from tilewright.language.compiled.ir import Apply, HasGroups, Ir, Term, Want, WantedCase
from tilewright.language.compiled.ruleset import Pattern
from tilewright.scoring.image.context import Context
from tilewright.scoring.plain.judge import MOST_MATCHES
from tilewright.scoring.plain.walker import nodes
from tilewright.scoring.program.layout import Classes, Feature, Layout, feature_of

Parts = int  # a bit for each part of a reading, the first the lowest
Wants = int  # a bit for each want
EXPOSED: Wants = 1  # as if it were a want: that the part is exposed


@dataclass(frozen=True, slots=True)
class Case:
    """Wants that different parts meet: each as its bit, and how many parts it takes. `needs`: all their bits."""

    needs: Wants
    wants: tuple[tuple[Wants, int], ...]


@dataclass(frozen=True, slots=True)
class PatternPlaces:
    """What a pattern that holds uses. `each`: the cases of which every match is a place; None where it counts once, and
    uses the first match of each list in `used`, or every part if there is none. `wants`: all of these."""

    each: tuple[Case, ...] | None
    used: tuple[tuple[Case, ...], ...]
    wants: Wants

    @property
    def is_whole(self) -> bool:
        """Whether it uses every part."""
        return self.each is None and not self.used

    def found(self, meeting: Mapping[Wants, Parts], there: Wants, every: Parts) -> tuple[Parts, ...]:
        """Its places, or the single one that it uses. `meeting`: the parts that meet each want that is `there`."""
        if self.each is not None:
            return tuple(dict.fromkeys(islice(matches(self.each, meeting, there), MOST_MATCHES)))
        return (reduce(or_, (next(matches(cases, meeting, there)) for cases in self.used)) if self.used else every,)


class PartWants(dict[int, Wants]):
    """The wants that a part meets, by its number."""

    def __init__(self, features: Sequence[tuple[Feature, Wants]], layout: Layout, classes: Classes) -> None:
        super().__init__()
        self.features, self.layout, self.classes = features, layout, classes

    def __missing__(self, number: int) -> Wants:
        part, wait = self.layout.parts[number].part, self.layout.parts[number].wait
        met = EXPOSED if part.exposed else 0
        met += sum([bit for feature, bit in self.features if feature.holds(part, wait, self.classes)])
        self[number] = met
        return met


class Places:
    """The places of patterns, each looked at when it is first asked for."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.features: dict[Feature, Wants] = {}
        self.bits: dict[Want, Wants | None] = {}
        self.known: dict[str, PatternPlaces | None] = {}
        self.parts: dict[tuple[frozenset[int], ...], PartWants] = {}

    def met_by_parts(self, context: Context) -> PartWants:
        """The wants that parts meet at such a table."""
        known = self.parts.get(context.class_key)
        if known is None or len(known.features) < len(self.features):
            known = PartWants(list(self.features.items()), self.layout, context.classes)
            self.parts[context.class_key] = known
        return known

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
        wants = reduce(or_, (case.needs for cases in made for case in cases), 0)
        return PatternPlaces(None, tuple(made), wants) if pattern.each is None else PatternPlaces(made[0], (), wants)

    def case(self, case: WantedCase) -> Case:
        """A case as bits."""
        wants = tuple((bit, want.count) for want in case.wants if (bit := self.bit(want)) is not None)
        return Case(reduce(or_, (bit for bit, _ in wants), 0), wants)

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


# --- matching


def meeting_of(parts: Sequence[Wants]) -> dict[Wants, Parts]:
    """The parts that meet each want."""
    found: dict[Wants, Parts] = {}
    for number, wants in enumerate(parts):
        while wants:
            low = wants & -wants
            wants ^= low
            found[low] = found.get(low, 0) | 1 << number
    return found


def matches(cases: Iterable[Case], meeting: Mapping[Wants, Parts], there: Wants) -> Iterator[Parts]:
    """Every way to meet all wants of a case with different parts, case by case."""
    for case in cases:
        if case.needs & there == case.needs:
            found: Iterator[Parts] = iter((0,))
            for want, count in case.wants:
                found = with_more(found, meeting[want], count)
            yield from found


def with_more(found: Iterator[Parts], fitting: Parts, count: int) -> Iterator[Parts]:
    """Every match with so many more of the fitting parts, in their order."""
    for taken in found:
        free = fitting & ~taken
        for chosen in combinations(bits_of(free), count):
            yield sum(chosen, taken)


def bits_of(bits: int) -> Iterator[int]:
    """Each bit that is set."""
    while bits:
        low = bits & -bits
        yield low
        bits ^= low
