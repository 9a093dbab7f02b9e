"""Counting, written as Python source: the facts of a reading and the answers of the table in, what counts out.

What `finder.py` and `resolve.py` say one pattern at a time, for the usual case: no pattern that holds drops another,
no place has to be looked at in the reading itself. Other cases are left to the plain way.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.features import MOST, WIDTH
from tilewright.scoring.finder import (
    Fact,
    FormIs,
    Formula,
    Joined,
    KnownReadings,
    OfReading,
    OfTable,
    Rule,
    found_of,
)
from tilewright.scoring.resolve import Counted, count, families
from tilewright.scoring.tables import LookupTable
from tilewright.scoring.walker import whole

Answers = Mapping[int, Any]
# facts, answers of the table, whether the hand is exposed, form, answers of the reading -> what counts, what counts
# only alone, and the questions that are still open; None where the plain way must decide
Count = Callable[[int, Sequence[Any], bool, str, Answers], tuple[list[Counted], list[Counted], dict[int, None]] | None]
BOTH = (1 << 2 * WIDTH) - 1


def count_of(rules: Sequence[Rule], data: CompiledRuleset) -> Count:
    """The compiled counting of these rules."""
    return Counting(rules, data).compiled()


@dataclass
class Counting:
    """Writes the source. F: facts, T, A: answers of table and reading, x: exposed; held, barred: patterns that hold
    and patterns that these exclude, as bits; seen, again: families that occur, once and more than once."""

    rules: Sequence[Rule]
    data: CompiledRuleset

    def __post_init__(self) -> None:
        self.names: dict[str, Any] = {"settled": self.settled}
        main = [rule.pattern for rule in self.rules if not rule.pattern.alone]
        ids = {pattern.id for pattern in main}
        self.barring = {p.id: [id for id in p.excludes if id in ids] for p in main}
        excluded = sorted({id for barred in self.barring.values() for id in barred})
        self.bits = {id: 1 << number for number, id in enumerate(excluded)}
        self.families = sorted({p.family for p in main if p.family and self.keeps(p.family) == "best"})
        self.order = {pattern.id: number for number, pattern in enumerate(self.data.patterns)}

    def keeps(self, family: str | None) -> str:
        return self.data.families.get(family or "", "best")

    def compiled(self) -> Count:
        lines = ["def count(F, T, x, form, A):"]
        lines += ["    out, alone, asks = [], [], {}", "    held = barred = seen = again = 0"]
        for number, rule in enumerate(self.rules):
            lines += ["    " + line for line in self.rule(number, rule)]
        lines += [
            "    if held & barred:",
            "        return None",
            "    return settled(out) if again else out, alone, asks",
        ]
        exec(compile("\n".join(lines), "<counting>", "exec"), self.names)
        compiled: Count = self.names["count"]
        return compiled

    def settled(self, counted: list[Counted]) -> list[Counted]:
        """What each family keeps, in the order of the ruleset."""
        kept, _ = families(self.data, counted)
        return sorted(kept, key=lambda c: self.order[c.pattern.id])

    # --- one rule

    def rule(self, number: int, rule: Rule) -> Iterator[str]:
        """Lines that add what counts of a pattern."""
        depth = ""
        parts = parts_of(rule.when)
        plain = [part for part in parts if not questions(part)]
        asked = [part for part in parts if questions(part)]
        if plain:
            yield f"if {' and '.join(map(self.truth, plain))}:"
            depth = "    "
        if asked:
            for line in self.asked(asked):
                yield depth + line
            depth += "    "
        for line in self.holding(number, rule):
            yield depth + line

    def asked(self, parts: Sequence[Formula]) -> Iterator[str]:
        """Lines that test what holds when its questions are answered; the last one opens a block."""
        needed = sorted({number for part in parts for number in questions(part)})
        if len(parts) == 1 and is_bare(parts[0]):
            yield f"if {needed[0]} not in A:"
            yield f"    asks[{needed[0]}] = None"
            yield f"elif {self.truth(parts[0])}:"
            return
        yield f"if {' or '.join(f'{number} not in A' for number in needed)}:"
        yield "    return None"
        yield f"if {' and '.join(map(self.truth, parts))}:"

    def holding(self, number: int, rule: Rule) -> Iterator[str]:
        """Lines for a pattern that holds, if it has any places."""
        pattern = rule.pattern
        if (pattern.each is not None and rule.each_at is None) or self.keeps(pattern.family) == "once":
            yield "return None"
            return
        depth = ""
        if pattern.each is not None:
            yield f"n = F >> {rule.each_at} & {BOTH if rule.both else MOST}"
            yield "if n:"
            depth = "    "
        for line in self.adding(number, rule):
            yield depth + line

    def adding(self, number: int, rule: Rule) -> Iterator[str]:
        """Lines that add the pattern as often as it counts."""
        pattern = rule.pattern
        moving = [
            f for f in (rule.times, *rule.worth.values(), *rule.exposed.values()) if not isinstance(f, KnownReadings)
        ]
        for question in dict.fromkeys(f.number for f in moving if isinstance(f, OfReading)):
            yield f"if {question} not in A:"
            yield f"    asks[{question}] = None"
        at = "x" if pattern.each is None else "n"
        key = at if not moving else f"{at}, {', '.join(map(self.number, moving))}"
        self.names[f"k{number}"] = LookupTable(partial(self.made, rule, moving))
        yield f"{'alone' if pattern.alone else 'out'} += k{number}[{key}]"
        if pattern.alone:
            return
        if pattern.id in self.bits:
            yield f"held |= {self.bits[pattern.id]}"
        if self.barring[pattern.id]:
            yield f"barred |= {sum(self.bits[id] for id in set(self.barring[pattern.id]))}"
        if pattern.family in self.families:
            bit = 1 << self.families.index(pattern.family)
            yield f"again |= seen & {bit}"
            yield f"seen |= {bit}"

    def made(self, rule: Rule, moving: Sequence[Formula], key: Any) -> list[Counted]:
        """What counts of a pattern in this many places, or of an exposed hand or not, with these numbers."""
        at, *numbers = key if moving else (key,)
        values: Iterator[Any] = iter(numbers)

        def number(formula: Formula) -> Any:
            return whole(formula.value if isinstance(formula, KnownReadings) else next(values))

        times = number(rule.times)
        worth, exposed = ({m: number(f) for m, f in written.items()} for written in (rule.worth, rule.exposed))
        each = rule.pattern.each is not None
        places = (at & MOST, at >> WIDTH) if each else (0, 0)
        found = found_of(rule.pattern, bool(at) and not each, places, times, worth, exposed)
        return count(found, found.places)

    # --- formulas

    def number(self, formula: Formula) -> str:
        if isinstance(formula, OfTable):
            return f"T[{formula.number}]"
        if isinstance(formula, OfReading):
            return f"A.get({formula.number}, 0)"
        raise TypeError(f"{formula} is not a number")

    def truth(self, formula: Formula) -> str:
        match formula:
            case KnownReadings(value):
                return repr(bool(value))
            case Fact(bit):
                return f"F & {1 << bit}"
            case FormIs(name, equal):
                return f"form {'==' if equal else '!='} {name!r}"
            case OfTable(number):
                return f"T[{number}]"
            case OfReading(number):
                return f"A[{number}]"
            case Joined("not", parts):
                return f"(not {self.truth(parts[0])})"
            case Joined(op, parts):
                return "(" + f" {op} ".join(map(self.truth, parts)) + ")" if parts else repr(op == "and")


def parts_of(formula: Formula | None) -> tuple[Formula, ...]:
    """The conditions that must hold together."""
    if formula is None:
        return ()
    return formula.parts if isinstance(formula, Joined) and formula.op == "and" else (formula,)


def questions(formula: Formula) -> set[int]:
    """The questions to the reading in a formula."""
    if isinstance(formula, OfReading):
        return {formula.number}
    return {n for part in formula.parts for n in questions(part)} if isinstance(formula, Joined) else set()


def is_bare(formula: Formula) -> bool:
    """One question to the reading, or its opposite."""
    bare = formula.parts[0] if isinstance(formula, Joined) and formula.op == "not" else formula
    return isinstance(bare, OfReading)
