"""Measures: what sums of worths come to at a table, as programs in numbers (`tallies`).

In: the measures of a ruleset, and the scene of a table without groups. Out: steps, each of which fills a cell. Knows no
sums."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tilewright.language.compiled.ir import Apply, Conditional, Ir, Lookup, WordCall, is_measure, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset, Measure
from tilewright.language.vocabulary import words
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import evaluate, tells
from tilewright.scoring.program.tallies import MOST, NEGATED, OPERATORS, WIDE, Numbers, Op, Unknown, branch, constant

MORE_OPERATORS = {"/": Op.DIVIDE, "%": Op.MODULO, "^": Op.POWER}
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
                if op in MORE_OPERATORS:
                    return (*sides[0], *sides[1], MORE_OPERATORS[op], 0, 0, 0)
                if op in OPERATORS:
                    operator, swapped, then = OPERATORS[op]
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
