"""Contexts: what the table says, asked once for all hands at such a table, and what counts there.

In: the scene of a hand that is not read. Out: the bits of facts that the table decides, the answers behind them, and by
the numbers of items what counts with what it is worth. Bonus tiles that decide nothing differently belong to one table.
Knows no readings: groups that a pattern uses are stood for by numbers.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tilewright.base.memory import kept
from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    Ir,
    Lookup,
    Matches,
    Quantifier,
    Term,
    Var,
    children,
    nodes,
)
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.scoring.plain.resolve import Counted, Found, Worth, beside_sole, count
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.plain.walker import evaluate, whole
from tilewright.scoring.program.conditions import OfTable, Open, is_of_table
from tilewright.scoring.program.measures import Frame
from tilewright.scoring.program.program import Program

MOST_KNOWN = 20_000  # entries of a memory before it is emptied


@dataclass(slots=True)
class Context:
    """`bits`: the facts; `answers` in the order of the questions; `classes`: the tiles of each class that the table
    decides; `is_open`: whether the hand is exposed; `frames`: what measures ask, by form."""

    bits: int
    answers: tuple[Any, ...]
    classes: tuple[frozenset[int], ...]
    is_open: bool
    frames: dict[int, Frame] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableQuestions:
    """What is asked of a table. `bits`: of those that are facts; `open_bit`: of an exposed hand; `classes`: the numbers
    of those that are classes of tiles."""

    questions: tuple[Ir, ...]
    bits: tuple[int | None, ...]
    open_bit: int | None
    classes: tuple[int, ...]

    @classmethod
    def of(cls, program: Program) -> "TableQuestions":
        """The questions of a program."""
        questions, bits = tuple(program.conditions.of_table), program.bits
        return cls(
            questions,
            tuple(bits.get(OfTable(ir)) for ir in questions),
            bits.get(Open()),
            tuple(questions.index(ir) for ir in program.layout.classes),
        )

    def asked(self, scene: HandScene) -> Context:
        """The context of a hand, by the scene before it is read."""
        answers = tuple([evaluate(ir, scene) for ir in self.questions])
        bits = sum([1 << bit for bit, answer in zip(self.bits, answers, strict=True) if bit is not None and answer])
        if self.open_bit is not None and not scene.concealed:
            bits |= 1 << self.open_bit
        return Context(bits, answers, tuple(frozenset(answers[number]) for number in self.classes), not scene.concealed)


# --- bonus tiles

OF_SEAT = frozenset({"seat_wind", "round_wind", "own", "seat", "dealer"})  # words that seat and round decide
OF_SIDE = OF_SEAT | {"self_draw", "concealed", "winner"}  # the same, with whether its win is a self-draw
BONUS = Lookup("tiles", "zone", "bonus")
MOST_SIGNATURES = 10_000


@dataclass(frozen=True, slots=True)
class BonusQuestions:
    """What is asked of bonus tiles. `asks_more`: expressions ask more of a table than who wins, marks and bonus tiles;
    then each set of these is one of its own."""

    asks_more: bool
    parts: tuple[Ir, ...]

    @classmethod
    def of(cls, asked: Collection[Ir]) -> "BonusQuestions":
        """Of the expressions that are asked of a table."""
        asks_more = not all(is_known(n) for ir in asked for n in nodes(ir))
        parts = [BONUS] if asks_more else [part for ir in asked for part in bonus_parts(ir)]
        return cls(asks_more, tuple(dict.fromkeys(parts)))


class BonusTiles:
    """What the bonus tiles of a seat decide."""

    def __init__(self, data: CompiledRuleset, asked: BonusQuestions) -> None:
        self.data, self.asked = data, asked
        self.signatures: dict[Hashable, Hashable] = {}

    def signature(self, situation: Situation) -> Hashable:
        """What the bonus tiles of a situation decide."""
        bonus = situation.hand.bonus
        if not bonus:
            return ()
        if self.asked.asks_more:
            return tuple(sorted(bonus))
        key = bonus, situation.seat, situation.seat_known, situation.round_wind
        return self.signatures.get(key) or kept(self.signatures, key, self.newly(situation), MOST_SIGNATURES)

    def newly(self, situation: Situation) -> Hashable:
        scene = HandScene(self.data, situation)
        return None, *(plain(evaluate(part, scene)) for part in self.asked.parts)


def plain(answer: Any) -> Hashable:
    """An answer, the order of tiles aside."""
    found: Hashable = tuple(sorted(answer)) if isinstance(answer, tuple) else answer
    return found


def is_bonus(ir: Ir) -> bool:
    return ir == BONUS or (isinstance(ir, Matches) and ir.of == "bonus")


def is_known(ir: Ir) -> bool:
    """Whether a part of an expression asks for nothing of the table but who wins, a mark of theirs, or bonus tiles."""
    if isinstance(ir, Lookup):
        return ir.of is None and (ir.kind != "word" or ir.name in OF_SIDE)
    if isinstance(ir, Matches):
        return is_bonus(ir)
    return isinstance(ir, Apply | Conditional | Const | Quantifier | Term | Var) and getattr(ir, "of", None) is None


def is_of_seat(ir: Ir) -> bool:
    """Whether a part of an expression asks for bonus tiles, or for what the seat decides."""
    if isinstance(ir, Lookup):
        return is_bonus(ir) or (ir.of is None and ir.kind == "word" and ir.name in OF_SEAT)
    return is_known(ir)


def bonus_parts(ir: Ir) -> Iterator[Ir]:
    """Parts of an expression that ask for bonus tiles and for nothing else but the seat: their answers decide what the
    bonus tiles are worth to it. The tiles themselves where such a part would have letters of its surroundings."""
    if not any(map(is_bonus, nodes(ir))):
        return
    if all(map(is_of_seat, nodes(ir))):
        yield ir
    elif isinstance(ir, Apply | Conditional | Term):
        for child in children(ir):
            yield from bonus_parts(child)
    else:
        yield BONUS


# --- what counts


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
        self.counts: dict[Hashable, Sequence[Counted]] = {}

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
        key = number, is_open, own, values
        found = self.counts.get(key)
        if found is None:
            exposed = (own & self.items.exposed).bit_count()
            found = kept(self.counts, key, self.newly(number, is_open, own.bit_count(), exposed, values), MOST_KNOWN)
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
