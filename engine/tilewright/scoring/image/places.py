"""Places: a pattern in, the wants of the parts that it uses out, as bits.

Each want of a pattern is a bit, and each part has the bits of the wants that it meets; matching compares numbers.
Knows no worths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from tilewright.language.compiled.ir import Apply, HasGroups, Ir, Term, Want, WantedCase, nodes
from tilewright.language.compiled.ruleset import Pattern
from tilewright.scoring.program.layout import Feature, Layout, feature_of

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
