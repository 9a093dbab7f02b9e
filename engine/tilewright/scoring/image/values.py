"""Values: what counts in a hand in, its measures and any shortfall out, worked out once for each sum of worths.

For rulesets whose measures follow from worths, from each other, and from what is the same for every reading in a form.
`tilewright.scoring.plain.judge` does the work. Knows no tables.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tilewright.language.compiled.ir import (
    Const,
    HasGroups,
    Ir,
    Lookup,
    Matches,
    PickedMembers,
    Quantifier,
    Term,
    Test,
    WordCall,
)
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.plain.judge import Shortfall, Values, Verdict, verdict
from tilewright.scoring.plain.resolve import Counted, Resolution
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import children, evaluate, is_measure, nodes
from tilewright.scoring.program.conditions import BY_TABLE

Number = int | Fraction
# What decides words with one answer for every reading of a hand in one form.
BY_FORM: frozenset[ToldBy] = BY_TABLE | {"form"}
MOST_KNOWN = 20_000  # sums whose values are kept


@dataclass(frozen=True, slots=True)
class Frame:
    """What is the same for every reading of a hand in one form: a scene without groups, and what measures ask of it."""

    scene: HandScene
    answers: tuple[Any, ...]


class KnownValues:
    """The values of sums. `static`: measures ask nothing that differs between readings in a form."""

    def __init__(self, data: CompiledRuleset) -> None:
        self.data = data
        asked = list(measuring(data))
        self.static = all(is_static(ir, BY_FORM) and not asks_seats(ir) for ir in asked)
        self.questions = list(dict.fromkeys(part for ir in asked for part in without_measures(ir)))
        self.known: dict[Any, tuple[Values, Shortfall | None]] = {}

    def frame(self, scene: HandScene) -> Frame:
        """The frame of a scene."""
        return Frame(scene, tuple([evaluate(ir, scene) for ir in self.questions]))

    def verdict(self, frame: Frame, counted: tuple[Counted, ...]) -> Verdict:
        """The verdict on what counts."""
        outcome = Resolution(counted, {})
        sums: dict[tuple[str, bool], Number] = {}
        for one in counted:
            if one.pattern.limit:
                return verdict(frame.scene, (), outcome)
            for measure, number in one.worth.items():
                key = measure, one.pattern.extra
                sums[key] = sums.get(key, 0) + number
        known = self.known.get((frame.answers, frozenset(sums.items())))
        if known is None:
            made = verdict(frame.scene, (), outcome)
            if len(self.known) > MOST_KNOWN:
                self.known.clear()
            self.known[frame.answers, frozenset(sums.items())] = made.values, made.short
            return made
        return Verdict(frame.scene, (), outcome, counted, known[0], False, known[1])

    def of_sums(self, frame: Frame, sums: Mapping[tuple[str, bool], int], family: str | None) -> Verdict:
        """The verdict on worths that were added up, by measure, without and with what is extra, with a pattern of the
        family that lets no others count in place of those that count."""
        counted = []
        for (measure, extra), number in sums.items():
            pattern = replace(self.data.patterns[0], extra=extra, limit=False, family=family)
            counted.append(Counted(pattern, 1, ((frozenset(), {measure: number}),)))
        return self.verdict(frame, tuple(counted))


def measuring(data: CompiledRuleset) -> Iterator[Ir]:
    """Every expression that measures look at."""
    for measure in data.scoring.measures:
        yield from (ir for ir in (measure.start, measure.cap, measure.value) if ir is not None)
        yield from (ir for _, ir in measure.table)
    yield from (ir for _, ir in data.scoring.minimum)


def without_measures(ir: Ir) -> Iterator[Ir]:
    """The largest parts of an expression that use no measure, but constants."""
    if isinstance(ir, Const):
        return
    if not any(map(is_measure, nodes(ir))):
        yield ir
        return
    for child in children(ir):
        yield from without_measures(child)


def is_static(ir: Ir, levels: frozenset[ToldBy]) -> bool:
    """Whether it uses only measures, and words that these decide."""
    return not any(
        isinstance(node, Term | HasGroups | Test | Matches | Quantifier)
        or (isinstance(node, Lookup | WordCall) and not is_measure(node) and not is_told_by(node.name, levels))
        for node in nodes(ir)
    )


def asks_seats(ir: Ir) -> bool:
    """Whether some word in it is asked of a named seat."""
    return any(
        isinstance(node, PickedMembers)
        or (isinstance(node, Lookup | Term | WordCall) and node.of is not None and node.of.type in ("seat", "seats"))
        for node in nodes(ir)
    )
