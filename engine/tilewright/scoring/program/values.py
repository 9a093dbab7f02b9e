"""Values: what counts in a hand in, its measures and any shortfall out, worked out once for each sum of worths.

For rulesets whose measures follow from worths, from each other, and from what is the same for every reading in a form.
Agrees with `tilewright.scoring.plain.judge`. Knows no tables.
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
    children,
    is_measure,
    nodes,
)
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.plain.judge import Shortfall, Values, Verdict, verdict, with_late
from tilewright.scoring.plain.late import Unplanned, partly, told
from tilewright.scoring.plain.resolve import Counted, Resolution
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import evaluate, whole
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


class Measuring:
    """The measures of sums of worths in a frame. Raises Unplanned where more than sums decides them."""

    def __init__(self, data: CompiledRuleset, scene: HandScene) -> None:
        self.seat = scene.seat
        self.minimum = [(measure, partly(least, scene)) for measure, least in data.scoring.minimum]
        self.measures = [
            (
                measure.id,
                0 if measure.start is None else partly(measure.start, scene),
                None if measure.value is None else partly(measure.value, scene),
                None if measure.cap is None else partly(measure.cap, scene),
                [(start, partly(entry, scene)) for start, entry in measure.table],
            )
            for measure in data.scoring.measures
        ]

    def values(self, sums: Mapping[str, Number]) -> Values:
        """Every measure, in order."""
        values: Values = {}
        known = {self.seat: values}
        for id, start, value, cap, table in self.measures:
            number = whole(told(start, known) + sums.get(id, 0) if value is None else told(value, known))
            if cap is not None:
                number = min(number, told(cap, known))
            if table:
                below = [entry for least, entry in table if least <= number]
                number = whole(told(below[-1] if below else table[0][1], known))
            values[id] = number
        return values

    def short(self, values: Values) -> Shortfall | None:
        """The first measure that stays below the minimum."""
        for measure, least in self.minimum:
            needs = told(least, {self.seat: values})
            if values[measure] < needs:
                return measure, values[measure], needs
        return None


class KnownValues:
    """The values of sums. `static`: measures ask nothing that differs between readings in a form."""

    def __init__(self, data: CompiledRuleset) -> None:
        self.data = data
        asked = list(measuring(data))
        self.static = all(is_static(ir, BY_FORM) and not asks_seats(ir) for ir in asked)
        self.questions = list(dict.fromkeys(part for ir in asked for part in without_measures(ir)))
        self.known: dict[Any, tuple[Values, Shortfall | None]] = {}
        self.ways: dict[Any, Measuring | None] = {}

    def frame(self, scene: HandScene) -> Frame:
        """The frame of a scene."""
        return Frame(scene, tuple([evaluate(ir, scene) for ir in self.questions]))

    def verdict(self, frame: Frame, counted: tuple[Counted, ...]) -> Verdict:
        """The verdict on what counts."""
        if any(one.pattern.late is not None for one in counted):
            others = self.verdict(frame, tuple(one for one in counted if one.pattern.late is None)).values
            counted = with_late(frame.scene, counted, others)
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
            if len(self.known) > MOST_KNOWN:
                self.known.clear()
            known = self.known[frame.answers, frozenset(sums.items())] = self.of_sums(frame, sums)
        return Verdict(frame.scene, (), outcome, counted, known[0], False, known[1])

    def of_sums(self, frame: Frame, sums: Mapping[tuple[str, bool], Number]) -> tuple[Values, Shortfall | None]:
        """The measures and any shortfall of worths that were added up, by measure, without and with what is extra."""
        way = self.way(frame)
        if way is None:
            return self.walked(frame, sums)
        least = {measure: number for (measure, extra), number in sums.items() if not extra}
        values = towards = way.values(least)
        if any(extra for _, extra in sums):
            both = {measure for measure, _ in sums}
            values = way.values({one: sums.get((one, False), 0) + sums.get((one, True), 0) for one in both})
        return values, way.short(towards)

    def way(self, frame: Frame) -> Measuring | None:
        """How sums are measured in a frame; None where expressions have to be walked."""
        if frame.answers not in self.ways:
            if len(self.ways) > MOST_KNOWN:
                self.ways.clear()
            try:
                self.ways[frame.answers] = Measuring(self.data, frame.scene)
            except (Unplanned, ArithmeticError):
                self.ways[frame.answers] = None
        return self.ways[frame.answers]

    def walked(self, frame: Frame, sums: Mapping[tuple[str, bool], Number]) -> tuple[Values, Shortfall | None]:
        """The same by walking the expressions."""
        counted = []
        for (measure, extra), number in sums.items():
            pattern = replace(self.data.patterns[0], extra=extra, limit=False, late=None)
            counted.append(Counted(pattern, 1, ((frozenset(), {measure: number}),)))
        made = verdict(frame.scene, (), Resolution(tuple(counted), {}))
        return made.values, made.short


def measuring(data: CompiledRuleset) -> Iterator[Ir]:
    """Every expression that measures look at, and those that look at them."""
    for measure in data.scoring.measures:
        yield from (ir for ir in (measure.start, measure.cap, measure.value) if ir is not None)
        yield from (ir for _, ir in measure.table)
    yield from (ir for _, ir in data.scoring.minimum)
    yield from (pattern.late for pattern in data.patterns if pattern.late is not None)


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
