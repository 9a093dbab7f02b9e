"""Finding patterns by facts: the facts of a reading and the answers of the table in, the patterns that hold out.

Conditions are turned once into formulas over numbered bits and answers; a truth may be open while a question to the
reading is unanswered. Knows no tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tilewright.language.compiled.ir import Apply, Const, Ir
from tilewright.language.compiled.ruleset import Pattern
from tilewright.scoring.facts import Facts
from tilewright.scoring.features import MOST, WIDTH
from tilewright.scoring.plan import EachAtom, ScoringPlan, is_form
from tilewright.scoring.resolve import Found
from tilewright.scoring.walker import whole

Number = int | Fraction
NO_GROUPS: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class KnownReadings:
    """A value that never changes."""

    value: Any


@dataclass(frozen=True, slots=True)
class OfTable:
    """The answer to a question to the table."""

    number: int


@dataclass(frozen=True, slots=True)
class OfReading:
    """The answer to a question to the reading; it may be open."""

    number: int


@dataclass(frozen=True, slots=True)
class FormIs:
    """Whether the form has this name, or not."""

    name: str
    equal: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """A bit of the facts."""

    bit: int


@dataclass(frozen=True, slots=True)
class Joined:
    """and, or, not."""

    op: str
    parts: tuple["Formula", ...]


Formula = KnownReadings | OfTable | OfReading | FormIs | Fact | Joined


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with its expressions as formulas. `each_at`: where its places are counted in the facts, None where
    they cannot be; `both`: closed and exposed ones apart."""

    pattern: Pattern
    when: Formula | None
    times: Formula
    worth: Mapping[str, Formula]
    exposed: Mapping[str, Formula]
    each_at: int | None = None
    both: bool = False


def rules_of(patterns: Sequence[Pattern], plan: ScoringPlan, facts: Facts) -> list[Rule]:
    """The patterns as rules."""

    def formula(ir: Ir) -> Formula:
        return formula_of(ir, plan, facts)

    def formulas(numbers: Mapping[str, Ir]) -> dict[str, Formula]:
        return {measure: formula(ir) for measure, ir in numbers.items()}

    return [
        Rule(
            p,
            None if p.when is None else formula(p.when),
            KnownReadings(1) if p.times is None else formula(p.times),
            formulas(p.worth),
            formulas(p.worth if p.exposed is None else p.exposed),
            facts.at.get(p.id),
            isinstance(plan.atoms.get(p.id), EachAtom),
        )
        for p in patterns
    ]


def formula_of(ir: Ir, plan: ScoringPlan, facts: Facts) -> Formula:
    """An expression as a formula."""
    if isinstance(ir, Const):
        return KnownReadings(whole(ir.value) if isinstance(ir.value, Fraction) else ir.value)
    if ir in plan.of_table:
        return OfTable(plan.of_table[ir])
    if isinstance(ir, Apply) and ir.op in ("and", "or", "not") and ir.type == "truth":
        return Joined(ir.op, tuple(formula_of(child, plan, facts) for child in ir.args))
    if is_form(ir):
        assert isinstance(ir, Apply) and isinstance(ir.args[1], Const)
        return FormIs(str(ir.args[1].value), ir.op == "==")
    return Fact(facts.at[ir]) if ir in facts.at else OfReading(plan.of_reading[ir])


@dataclass
class Finder:
    """Finds the patterns that hold. `answers` of the reading by number; `asks` collects the questions that are still
    open; `plain` says that an `each` cannot be counted by facts."""

    table: Sequence[Any]
    exposed: bool
    form: str = ""
    facts: int = 0
    answers: Mapping[int, Any] = field(default_factory=dict)
    asks: dict[int, None] = field(default_factory=dict)
    plain: bool = False

    def found(self, rules: Sequence[Rule]) -> list[Found]:
        """The patterns that hold, with stand-ins for the groups that they use."""
        return [found for rule in rules if (found := self.one(rule)) is not None]

    def one(self, rule: Rule) -> Found | None:
        if rule.when is not None:
            holds = self.truth(rule.when)
            if not holds:
                if holds is None:
                    self.ask(rule.when)
                return None
        closed, exposed = self.places(rule)
        if rule.pattern.each is not None and not closed + exposed:
            return None
        worth = {measure: self.number(formula) for measure, formula in rule.worth.items()}
        open_worth = {measure: self.number(formula) for measure, formula in rule.exposed.items()}
        times = self.number(rule.times)
        return found_of(rule.pattern, self.exposed, (closed, exposed), times, worth, open_worth)

    def places(self, rule: Rule) -> tuple[int, int]:
        """How many closed and how many exposed places an `each` has."""
        if rule.pattern.each is None:
            return 0, 0
        if rule.each_at is None:
            self.plain = True
            return 1, 0  # perhaps: the reading itself must be examined
        value = self.facts >> rule.each_at
        return value & MOST, value >> WIDTH & MOST if rule.both else 0

    def number(self, formula: Formula) -> Number:
        """The value of a number, 0 while its question is open."""
        match formula:
            case KnownReadings(value):
                number: Number = value
            case OfTable(place):
                number = self.table[place]
            case OfReading(question):
                if question not in self.answers:
                    self.asks[question] = None
                number = self.answers.get(question, 0)
            case _:
                raise TypeError(f"{formula} is not a number")
        return whole(number)

    def truth(self, formula: Formula) -> bool | None:
        """The value of a truth, None while it depends on an open question."""
        match formula:
            case Fact(bit):
                return bool(self.facts >> bit & 1)
            case Joined():
                return self.joined(formula)
            case FormIs(name, equal):
                return (self.form == name) == equal
            case OfTable(number):
                return bool(self.table[number])
            case OfReading(number):
                return self.answers.get(number)
            case KnownReadings(value):
                return bool(value)

    def joined(self, formula: Joined) -> bool | None:
        """and, or, not of truths that may be open."""
        if formula.op == "not":
            value = self.truth(formula.parts[0])
            return None if value is None else not value
        decisive, is_open = formula.op == "or", False
        for part in formula.parts:
            value = self.truth(part)
            if value is decisive:
                return decisive
            is_open = is_open or value is None
        return None if is_open else not decisive

    def ask(self, formula: Formula) -> None:
        """Collect the open questions of a truth."""
        if self.truth(formula) is None:
            if isinstance(formula, Joined):
                for part in formula.parts:
                    self.ask(part)
            elif isinstance(formula, OfReading):
                self.asks[formula.number] = None


def found_of(
    pattern: Pattern,
    hand_exposed: bool,
    at: tuple[int, int],
    times: Number,
    worth: Mapping[str, Number],
    open_worth: Mapping[str, Number],
) -> Found:
    """The pattern as one that holds; `at`: in how many closed and exposed places, with stand-ins for groups."""
    closed, exposed = at
    places = None
    if pattern.each is not None:
        places = tuple(frozenset({number}) for number in range(closed + exposed))
    return Found(
        pattern,
        lambda is_open: open_worth if is_open else worth,
        hand_exposed,
        frozenset(range(closed, closed + exposed)),
        NO_GROUPS,
        times,
        places,
    )
