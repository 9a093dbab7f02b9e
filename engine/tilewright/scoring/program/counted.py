"""Counted: the patterns of a program that count in a hand, by numbers in, with what they are worth out.

Knows no readings: groups that a pattern uses are stood for by numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tilewright.language.compiled.ir import Const, Ir
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.scoring.plain.resolve import Counted, Found, Worth, beside_sole, count
from tilewright.scoring.plain.walker import whole
from tilewright.scoring.program.conditions import is_of_table
from tilewright.scoring.program.contexts import Context, Memory
from tilewright.scoring.program.program import Program

Number = int | Fraction
Asked = tuple[bool, int]  # whether the table answers it, and the number of a question


@dataclass(frozen=True, slots=True)
class CountedItems:
    """The items of a program: the number of each one's pattern, and which of them count exposed places; those of
    patterns that contests decide; by pattern, what its numbers ask."""

    pattern_of: tuple[int, ...]
    exposed: int
    contested: tuple[int, ...]
    numbers: tuple[tuple[Asked, ...], ...]

    @classmethod
    def of(cls, program: Program) -> "CountedItems":
        """The items of a program."""
        order = {pattern.id: number for number, pattern in enumerate(program.data.patterns)}
        turns = [turn.items for turn in program.turns if turn.ranked is None]
        return cls(
            tuple(order[item.pattern.id] for item in program.items),
            sum(1 << number for number, item in enumerate(program.items) if item.exposed),
            tuple(item for items in turns for item in bits_in(items)),
            tuple(tuple(numbers_of(pattern, program)) for pattern in program.data.patterns),
        )


def numbers_of(pattern: Pattern, program: Program) -> Iterator[Asked]:
    """What the worths and times of a pattern ask."""
    known = program.conditions
    for ir in numbers_in(pattern):
        if not isinstance(ir, Const):
            yield (True, list(known.of_table).index(ir)) if is_of_table(ir) else (False, known.questions[ir])


class Counting:
    """What counts, under one ruleset."""

    def __init__(self, data: CompiledRuleset, items: CountedItems) -> None:
        self.data, self.items = data, items
        self.contested = frozenset(items.pattern_of[item] for item in items.contested)
        self.order = {pattern.id: number for number, pattern in enumerate(data.patterns)}
        self.counts = Memory()

    def summed(
        self, held: int, contested: Sequence[Counted], context: Context, answers: Mapping[int, int]
    ) -> tuple[Counted, ...]:
        """What counts where these items hold, beside what contests came to, in the order of the ruleset. `answers`: of
        the hand, by question."""
        found: list[list[Counted]] = [[*contested], []]
        own: dict[int, int] = {}
        for item in bits_in(held):
            number = self.items.pattern_of[item]
            own[number] = own.get(number, 0) | 1 << item
        for number in sorted(own.keys() - self.contested):
            values = tuple(
                [context.answers[n] if of_table else answers[n] for of_table, n in self.items.numbers[number]]
            )
            found[self.data.patterns[number].alone] += self.numbered(number, own[number], context.is_open, values)
        counted, _ = beside_sole(self.data, found[0])
        if all(one.pattern.extra or one.pattern.late is not None for one in counted):
            counted += tuple(found[1])
        return tuple(sorted(counted, key=lambda one: self.order[one.pattern.id]))

    def numbered(self, number: int, own: int, is_open: bool, values: Sequence[Any]) -> Sequence[Counted]:
        """What counts of a pattern by its items."""
        at, exposed = own.bit_count(), (own & self.items.exposed).bit_count()
        found: Sequence[Counted] = self.counts.known(
            (number, is_open, own, values), lambda: self.newly(number, is_open, at, exposed, values)
        )
        return found

    def newly(self, number: int, is_open: bool, at: int, exposed: int, values: Sequence[Any]) -> list[Counted]:
        """What counts of a pattern with these numbers, with stand-ins for the groups that it uses; if it counts at each
        place, `at` so many, some of them exposed."""
        pattern = self.data.patterns[number]
        places = None if pattern.each is None else tuple(frozenset({n}) for n in range(at))
        worth, times = worth_of(pattern, values)
        found = Found(pattern, worth, is_open, frozenset(range(exposed)), frozenset(), times, places)
        return count(found, found.places)


def worth_of(pattern: Pattern, values: Sequence[Any]) -> tuple[Callable[[bool], Worth], Number]:
    """What a pattern is worth once, closed and exposed, and how often it counts, by its numbers."""
    asked = [ir for ir in numbers_in(pattern) if not isinstance(ir, Const)]
    known = dict(zip(asked, values, strict=True))

    def number(ir: Ir) -> Any:
        return whole(ir.value if isinstance(ir, Const) else known[ir])  # type: ignore[arg-type]

    closed = {measure: number(ir) for measure, ir in pattern.worth.items()}
    opened = closed if pattern.exposed is None else {m: number(ir) for m, ir in pattern.exposed.items()}
    return lambda shown: opened if shown else closed, 1 if pattern.times is None else number(pattern.times)


def numbers_in(pattern: Pattern) -> list[Ir]:
    """The numbers that a pattern is worth and counts, each once."""
    irs: Mapping[Ir | None, None] = dict.fromkeys(
        (pattern.times, *pattern.worth.values(), *(pattern.exposed or {}).values())
    )
    return [ir for ir in irs if ir is not None]


def bits_in(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
