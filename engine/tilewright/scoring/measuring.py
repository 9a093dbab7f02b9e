"""Measuring, written as Python source: what counts in, the measures and any shortfall out.

Does what `judge.py` does one expression at a time, for rulesets whose measures use each other and what is the same
for every reading in one form: that is asked once, as a question, and the rest is arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, WordCall
from tilewright.language.compiled.ruleset import CompiledRuleset, Measure
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.judge import Values, Verdict, verdict
from tilewright.scoring.resolve import Counted, Resolution
from tilewright.scoring.scene import HandScene
from tilewright.scoring.source import Function, Writer, functions
from tilewright.scoring.walker import nodes, whole

Number = int | Fraction
Short = tuple[str, Number, Number] | None
ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^", "neg", "<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})
BY_ARGUMENTS: frozenset[ToldBy] = frozenset({"arguments"})


@dataclass(frozen=True, slots=True)
class MeasureFrame:
    """The common part of every reading in one form: a scene without its groups, and its answers."""

    scene: HandScene
    answers: tuple[Any, ...]


class Measures:
    """The measures of a ruleset, compiled."""

    def __init__(self, data: CompiledRuleset) -> None:
        self.data = data
        self.index = {measure.id: number for number, measure in enumerate(data.scoring.measures)}
        self.writer = MeasureWriter(self.index)
        self.writer.lines += [
            "def measured(q, a):",
            *self.written(data.scoring.measures),
            f"    return {{{', '.join(f'{id!r}: m{number}' for id, number in self.index.items())}}}",
            "def short(q, a):",
            *self.written(data.scoring.measures[: self.needed()]),
            *self.shortfall(),
            "    return None",
        ]
        compiled = self.writer.compiled()
        self.measured: Callable[[Sequence[Any], Sequence[Number]], Values] = compiled["measured"]
        self.short: Callable[[Sequence[Any], Sequence[Number]], Short] = compiled["short"]
        named = {f"q{number}": ir for ir, number in self.writer.questions.items()}
        self.questions: list[Function] = list(functions(named).values())

    def frame(self, scene: HandScene) -> MeasureFrame:
        """The scene with the answers that measures need."""
        return MeasureFrame(scene, tuple([ask(scene) for ask in self.questions]))

    def verdict(self, frame: MeasureFrame, counted: tuple[Counted, ...]) -> Verdict:
        """The measures of what counts; where a limit pattern counts, judged plainly."""
        sums: list[Number] = [0] * len(self.index)
        towards = sums.copy()
        for c in counted:
            if c.pattern.limit:
                return verdict(frame.scene, (), Resolution(counted, {}))
            for measure, number in c.worth.items():
                if measure in self.index:
                    sums[self.index[measure]] += number
                    if not c.pattern.extra:
                        towards[self.index[measure]] += number
        answers = frame.answers
        values, short = self.measured(answers, sums), self.short(answers, towards)
        return Verdict(frame.scene, (), Resolution(counted, {}), counted, values, False, short)

    # --- source

    def needed(self) -> int:
        """How many of the measures the minimum needs, in their order."""
        minimum = self.data.scoring.minimum
        named = [measure for measure, _ in minimum]
        named += [node.name for _, ir in minimum for node in nodes(ir) if isinstance(node, Lookup) and is_measure(node)]
        return max((self.index[name] + 1 for name in named), default=0)

    def written(self, measures: Sequence[Measure]) -> list[str]:
        """Lines that compute these measures one after the other."""
        lines = []
        for number, measure in enumerate(measures):
            self.writer.known = number
            lines.append(f"    m{number} = {self.measure(number, measure)}")
        self.writer.known = len(measures)
        return lines

    def measure(self, number: int, measure: Measure) -> str:
        write = self.writer.expression
        added = f"a[{number}]" if measure.start is None else f"{write(measure.start)} + a[{number}]"
        source = f"whole({added if measure.value is None else write(measure.value)})"
        if measure.cap is not None:
            source = f"min({source}, {write(measure.cap)})"
        return self.looked_up(source, measure) if measure.table else source

    def looked_up(self, source: str, measure: Measure) -> str:
        """The entry of the table at or below the number, the lowest for anything lower."""
        (_, lowest), *higher = measure.table
        entry = f"whole({self.writer.expression(lowest)})"
        for start, ir in higher:
            entry = f"whole({self.writer.expression(ir)}) if n >= {self.writer.constant(whole(start))} else {entry}"
        return f"(lambda n: {entry})({source})"

    def shortfall(self) -> list[str]:
        """Lines that give the first measure that stays below the minimum."""
        lines = []
        for measure, least in self.data.scoring.minimum:
            name = f"m{self.index[measure]}"
            lines.append(f"    n = {self.writer.expression(least)}")
            lines.append(f"    if {name} < n: return ({measure!r}, {name}, n)")
        return lines


class MeasureWriter(Writer):
    """Writes measures as variables, and what looks at none of them as the answer to a question. `known`: how many
    measures are worked out already; later ones are nothing yet."""

    def __init__(self, index: dict[str, int]) -> None:
        super().__init__()
        self.index, self.known = index, 0
        self.questions: dict[Ir, int] = {}
        self.names["whole"], self.names["s"] = whole, None

    def expression(self, ir: Ir, s: str = "s") -> str:
        if isinstance(ir, Const):
            return super().expression(ir, s)
        if not any(map(is_measure, nodes(ir))):
            return f"q[{self.questions.setdefault(ir, len(self.questions))}]"
        if is_measure(ir):
            number = self.index[ir.name] if isinstance(ir, Lookup) else self.known
            return f"m{number}" if number < self.known else "0"
        return super().expression(ir, s)


def measures_of(data: CompiledRuleset, written: Sequence[Ir]) -> Measures | None:
    """The compiled measures, None if one of them is more than arithmetic."""
    return Measures(data) if all(map(is_arithmetic, written)) else None


def is_measure(ir: Ir) -> bool:
    return isinstance(ir, Lookup) and ir.kind == "measure"


def is_arithmetic(ir: Ir) -> bool:
    """Whether measures are used in it only for arithmetic."""
    if is_measure(ir):
        return isinstance(ir, Lookup) and ir.of is None
    if not any(map(is_measure, nodes(ir))):
        return True
    match ir:
        case Apply(op=op, args=args):
            return op in ARITHMETIC and all(map(is_arithmetic, args))
        case WordCall(name=name, args=args, of=None):
            return ir.type == "number" and is_told_by(name, BY_ARGUMENTS) and all(map(is_arithmetic, args))
        case Conditional():
            return all(map(is_arithmetic, (ir.test, ir.then, ir.other)))
        case _:
            return False
