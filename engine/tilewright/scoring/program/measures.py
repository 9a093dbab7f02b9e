"""Measures: what counts in a hand in, its measures and any shortfall out, worked out once for each sum of worths.

`KnownValues` is for rulesets whose measures follow from worths, from each other, and from what is the same for every
reading in a form; it agrees with `tilewright.scoring.plain.judge`. Late values wait for measures: `partly` works out
what seats and table decide at once, and the rest as a function of the measures. `programs_of` has the measures of a
table as programs in numbers (`tallies`), for the kernel.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from operator import eq, ne
from typing import Any

from tilewright.base.memory import kept
from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
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
from tilewright.language.compiled.ruleset import CompiledRuleset, Measure
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare import EXTREMES, Scene, ToldBy
from tilewright.language.vocabulary.words import WORDS, is_told_by
from tilewright.scoring.plain.judge import Shortfall, Values, Verdict, verdict, with_late
from tilewright.scoring.plain.resolve import Counted, Resolution
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import OPERATORS, SETS, evaluate, joined, tells, whole
from tilewright.scoring.program.conditions import BY_TABLE
from tilewright.scoring.program.tallies import MOST, NEGATED, OPERATIONS, WIDE, Numbers, Op, Unknown, branch, constant

Number = int | Fraction
SeatValues = Mapping[int, Mapping[str, Number]]  # the measures of each seat
Late = Callable[[SeatValues], Any]  # what measures decide
ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^", "neg", "<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})
BY_ARGUMENTS: frozenset[ToldBy] = frozenset({"arguments"})


class Unplanned(Exception):
    """More than the table and arithmetic on measures decides an expression: it is walked for every hand."""


def told(value: Any, known: SeatValues) -> Any:
    """A value, or that of a function of measures."""
    return value(known) if callable(value) else value


def partly(ir: Ir, scene: Scene) -> Any:
    """The value of an expression, or a function of the measures that decide it. Raises Unplanned."""
    match ir:
        case Lookup(name=name, of=of) if is_measure(ir):
            seats = (scene.seat,) if of is None else decided(of, scene)
            return measure_of(name, seats[0]) if seats and seats[0] < scene.count_of_seats() else 0
        case Apply(op="and" | "or" as op, args=args):
            return joined_later([partly(argument, scene) for argument in args], op == "or")
        case Apply(type="truth", op=op) if op != "not" and not tells(ir, scene):
            return None
        case Apply(op=op, args=args) if op in ARITHMETIC and args[0].type not in SETS:
            return later(EQUALITY.get(op) or OPERATORS[op], *(partly(argument, scene) for argument in args))
        case WordCall(type="number", name=name, args=args) if is_told_by(name, BY_ARGUMENTS):
            word = EXTREME[name] if name in EXTREMES else partial(WORDS[name].ask, scene)
            return later(word, *(partly(argument, scene) for argument in args))
        case Conditional(test=test, then=then, other=other):
            holds = partly(test, scene)
            if not callable(holds):
                return partly(then if holds else other, scene)
            return one_of(holds, as_late(partly(then, scene)), as_late(partly(other, scene)))
        case _:
            return decided(ir, scene)


def decided(ir: Ir, scene: Scene) -> Any:
    """The value of an expression without measures. Raises Unplanned."""
    if not isinstance(ir, Const) and any(map(is_measure, nodes(ir))):
        raise Unplanned
    return evaluate(ir, scene)


EQUALITY: dict[str, Callable[..., Any]] = {"==": eq, "!=": ne}
EXTREME: dict[str, Callable[..., Any]] = {"min": min, "max": max}


def measure_of(name: str, seat: int) -> Late:
    """A measure of a seat."""
    return lambda known: known[seat].get(name, 0)


def joined_later(truths: Sequence[Any], decisive: bool) -> Any:
    """Whether any of the truths holds where True is decisive, or all of them where False is."""
    waiting = [truth for truth in truths if callable(truth)]
    now = joined((truth for truth in truths if not callable(truth)), decisive)
    if now is decisive or not waiting:
        return now
    return lambda known: joined((now, *(truth(known) for truth in waiting)), decisive)


def one_of(test: Late, then: Late, other: Late) -> Late:
    """What one of two functions gives, and the other one is not asked."""
    return lambda known: (then if test(known) else other)(known)


def as_late(value: Any) -> Late:
    """A function of measures, or one that always gives a value."""
    return value if callable(value) else lambda known: value


def later(function: Callable[..., Any], *parts: Any) -> Any:
    """What a function gives for values; where some of them wait for measures, a function of those."""
    match [callable(part) for part in parts]:
        case [True, *rest] if not any(rest):
            ask, *values = parts
            return lambda known: function(ask(known), *values)
        case [False, True]:
            value, ask = parts
            return lambda known: function(value, ask(known))
        case [True, True]:
            ask, other = parts
            return lambda known: function(ask(known), other(known))
        case waiting if any(waiting):
            asks = [as_late(part) for part in parts]
            return lambda known: function(*[ask(known) for ask in asks])
        case _:
            return function(*parts)


# What decides words with one answer for every reading of a hand in one form.


# --- values

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
        wanted = frame.answers, frozenset(sums.items())
        known = self.known.get(wanted) or kept(self.known, wanted, self.of_sums(frame, sums), MOST_KNOWN)
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
            way = None
            with suppress(Unplanned, ArithmeticError):
                way = Measuring(self.data, frame.scene)
            kept(self.ways, frame.answers, way, MOST_KNOWN)
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


# --- programs

MORE_OPERATIONS = {"/": Op.DIVIDE, "%": Op.MODULO, "^": Op.POWER}
OPERATOR_OF = {"min": Op.MINIMUM, "max": Op.MAXIMUM, words.round_up.name: Op.ROUND_UP}
Step = tuple[int, Numbers]  # the cell that it fills, or looks at, and its program


@dataclass(frozen=True, slots=True)
class MeasurePrograms:
    """Programs over cells: what is summed up for each measure, then each measure. `steps` fill those; so many of the
    first ones, `towards`, decide whether the minimum is reached: each cell of `minimum` is at least its program."""

    steps: tuple[Step, ...]
    towards: int
    minimum: tuple[Step, ...]


def programs_of(data: CompiledRuleset, scene: HandScene) -> MeasurePrograms:
    """The programs of measures. Raises Unknown where sums, the table and arithmetic on whole numbers do not decide
    them."""
    return MeasureCompiler(data, scene).made()


class MeasureCompiler:
    """The measures of a table."""

    def __init__(self, data: CompiledRuleset, scene: HandScene) -> None:
        self.measures, self.minimum, self.scene = data.scoring.measures, data.scoring.minimum, scene
        self.cell_of = {measure.id: len(self.measures) + n for n, measure in enumerate(self.measures)}

    def made(self) -> MeasurePrograms:
        """The programs."""
        asked = {measure for measure, _ in self.minimum}
        every = (node for _, least in self.minimum for node in nodes(least))
        asked |= {node.name for node in every if isinstance(node, Lookup) and is_measure(node)}
        steps, towards = list[Step](), 0
        for number, measure in enumerate(self.measures):
            steps += [(self.cell_of[measure.id], code) for code in self.codes(number, measure)]
            towards = len(steps) if measure.id in asked else towards
        minimum = tuple((self.cell_of[measure], self.value(least)) for measure, least in self.minimum)
        return MeasurePrograms(tuple(steps), towards, minimum)

    def codes(self, number: int, measure: Measure) -> Iterator[Numbers]:
        """What a measure is, then its entry in the table that it may have."""
        if measure.value is not None:
            code = self.value(measure.value)
        else:
            start = constant(0) if measure.start is None else self.value(measure.start)
            code = (*start, Op.CELL, number, 0, 0, Op.ADD, 0, 0, 0)
        yield code if measure.cap is None else (*code, *self.value(measure.cap), Op.MINIMUM, 0, 0, 0)
        if measure.table:
            cell = (Op.CELL, self.cell_of[measure.id], 0, 0)
            found = self.value(measure.table[0][1])
            for least, entry in measure.table:
                found = branch((*number_of(least), *cell, Op.LESS_EQUAL, 0, 0, 0), self.value(entry), found)
            yield found

    def value(self, ir: Ir) -> Numbers:
        """Instructions that push a number or a truth. Raises Unknown."""
        if not any(map(is_measure, nodes(ir))):
            return self.fixed(ir)
        match ir:
            case Lookup(kind="measure", name=name, of=None):
                return (Op.CELL, self.cell_of[name], 0, 0)
            case Apply(type="truth", op=op) if op != "not" and not tells(ir, self.scene):
                raise Unknown
            case Apply(op="and" | "or" as op, args=args):
                *parts, whole = map(self.value, args)
                for part in reversed(parts):
                    whole = branch(part, whole, constant(0)) if op == "and" else branch(part, constant(1), whole)
                return whole
            case Apply(op="not", args=(of,)):
                return (*self.value(of), *NEGATED)
            case Apply(op="neg", args=(of,)):
                return (*constant(0), *self.value(of), Op.SUBTRACT, 0, 0, 0)
            case Apply(op=op, args=(one, other)) if {one.type, other.type} <= {"number", "truth"}:
                sides = self.value(one), self.value(other)
                if op in MORE_OPERATIONS:
                    return (*sides[0], *sides[1], MORE_OPERATIONS[op], 0, 0, 0)
                if op in OPERATIONS:
                    operator, swapped, then = OPERATIONS[op]
                    return (*sides[swapped], *sides[not swapped], operator, 0, 0, 0, *then)
            case WordCall(type="number", name=name, args=(one, other), of=None) if name in OPERATOR_OF:
                return (*self.value(one), *self.value(other), OPERATOR_OF[name], 0, 0, 0)
            case Conditional(test=test, then=then_, other=other):
                return branch(*map(self.value, (test, then_, other)))
        raise Unknown

    def fixed(self, ir: Ir) -> Numbers:
        """Push a value that no measure decides."""
        return number_of(evaluate(ir, self.scene))


def stack_of(code: Numbers) -> int:
    """How many numbers a stack has to hold for a program of values and branches."""
    depth = most = 0
    for op in code[::WIDE]:
        depth += 1 if op in (Op.CONST, Op.CELL) else 0 if op == Op.NOT else -1
        most = max(most, depth)
    return most


def number_of(value: object) -> Numbers:
    """Push a number or a truth; where it is no whole number, there is no answer. Raises Unknown."""
    if not isinstance(value, int | Fraction) or max(abs(value.numerator), value.denominator) >= MOST:
        raise Unknown
    over = () if value.denominator == 1 else (*constant(value.denominator), Op.DIVIDE, 0, 0, 0)
    return (*constant(int(value.numerator)), *over)
