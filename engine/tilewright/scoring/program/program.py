"""The program of a ruleset: which bits of a reading's facts make which patterns hold.

In: the ruleset. Out: numbers of bits, terms over them (`facts & care == value`), and the patterns as items in an order
in which each comes after those that could drop it. Most patterns are dropped as a whole by those that exclude them, and
by the best of their family. Where that is not all (places, rings of groups, worths that the table decides), the plain
way decides among patterns that depend on each other. Knows no hands.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tilewright.language.compiled.ir import Const, Ir
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.scoring.program.conditions import (
    ALWAYS,
    Conditions,
    Count,
    FormIs,
    Gate,
    Literal,
    OfTable,
    Open,
    Question,
    Terms,
    TileBit,
    any_of,
    is_of_table,
)
from tilewright.scoring.program.layout import Field, Layout

Edges = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Contest:
    """Patterns of which at most one counts, or that are decided together, in the order of the ruleset. `dropped_by`:
    for each those outside of it that may drop it. `rankings`: the members best first, in a concealed and in an exposed
    hand; None where only the plain way decides."""

    members: tuple[Pattern, ...]
    dropped_by: Mapping[str, tuple[Pattern, ...]]
    rankings: tuple[tuple[Pattern, ...], tuple[Pattern, ...]] | None


def contests_of(data: CompiledRuleset) -> list[Contest]:
    """The contests of the patterns that count beside others, each after those that its patterns depend on."""
    main = {p.id: p for p in data.patterns if not p.alone}
    excluders: dict[str, list[str]] = {id: [] for id in main}
    for pattern in main.values():
        for id in pattern.excludes:
            if id in main:
                excluders[id].append(pattern.id)
    before = {id: [*excluders[id], *rivals(main[id], data)] for id in main}
    found = []
    for ids in in_order(before):
        members = tuple(p for p in main.values() if p.id in ids)
        outside = {id: tuple(main[other] for other in excluders[id] if other not in ids) for id in ids}
        together = any(other in ids for id in ids for other in excluders[id])
        found.append(Contest(members, outside, None if together else rankings(members, outside, data)))
    return found


def rivals(pattern: Pattern, data: CompiledRuleset) -> list[str]:
    """The other members of its family, of which not all are kept."""
    if pattern.family is None or data.families.get(pattern.family, "best") == "all":
        return []
    return [p.id for p in data.patterns if p.family == pattern.family and p is not pattern and not p.alone]


def rankings(
    members: Sequence[Pattern], outside: Mapping[str, Sequence[Pattern]], data: CompiledRuleset
) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]] | None:
    """The members best first, in a concealed and in an exposed hand; None where places or the table decide."""
    simple = all(p.each is None or not outside[p.id] for p in members)
    kept = {data.families.get(p.family or "", "best") for p in members if p.family}
    if not simple or "once" in kept or (len(members) > 1 and not all(map(is_constant, members))):
        return None
    measures = [measure.id for measure in data.scoring.measures]

    def ranked(is_open: bool) -> tuple[Pattern, ...]:
        worth = {p.id: [constant(worths(p, is_open).get(m)) for m in measures] for p in members}
        return tuple(sorted(members, key=lambda p: worth[p.id], reverse=True))

    return ranked(False), ranked(True)


def is_constant(pattern: Pattern) -> bool:
    """Whether it is always worth the same, once."""
    numbers = [*pattern.worth.values(), *(pattern.exposed or {}).values()]
    return pattern.each is None and pattern.times is None and all(isinstance(ir, Const) for ir in numbers)


def worths(pattern: Pattern, is_open: bool) -> Mapping[str, Ir]:
    return pattern.exposed if is_open and pattern.exposed is not None else pattern.worth


def constant(ir: Ir | None) -> int | Fraction:
    return ir.value if isinstance(ir, Const) and isinstance(ir.value, int | Fraction) else 0


def in_order(before: Edges) -> Iterator[list[str]]:
    """Sets of patterns that depend on each other, each after those that it depends on (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(id: str) -> Iterator[list[str]]:
        number[id] = lowest[id] = len(number)
        stack.append(id)
        for other in before[id]:
            if other not in number:
                yield from visit(other)
            if other in stack:
                lowest[id] = min(lowest[id], lowest[other])
        if lowest[id] == number[id]:
            at = stack.index(id)
            found = stack[at:]
            del stack[at:]
            yield found

    for id in before:
        if id not in number:
            yield from visit(id)


@dataclass(frozen=True, slots=True)
class Item:
    """A bit that says of a pattern that it holds: once (`places` 0), or in so many places or more, `exposed` ones or
    others."""

    pattern: Pattern
    terms: Terms
    places: int = 0
    exposed: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A term of a gate or item: where the facts are as it says, its target is set. `asks`: questions, and the answers
    that it needs."""

    care: int
    value: int
    target: int
    asks: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """Steps that look at no bit that another of them sets. `by_bit`: those that need a bit to be set, by such a bit;
    `always`: the others; `asking`: those with questions."""

    by_bit: dict[int, list[Step]]
    indexed: int
    always: tuple[Step, ...]
    asking: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pattern that counts if some of its items hold and none of those of its droppers counts."""

    pattern: Pattern
    items: int
    droppers: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A contest as bits of items: its own, and those of all that may drop its patterns. `ranked`: its candidates best
    first, in a concealed and in an exposed hand; None where the plain way decides."""

    contest: Contest
    items: int
    droppers: int
    ranked: tuple[tuple[Candidate, ...], tuple[Candidate, ...]] | None


class Program:
    """The bits of facts, from the lowest: counters compared with numbers, tiles, the table, forms, gates, items."""

    def __init__(self, data: CompiledRuleset, layout: Layout) -> None:
        self.data, self.layout = data, layout
        self.conditions = Conditions(data, layout)
        self.placed: set[str] = set()  # patterns whose places no counters tell
        self.contests = contests_of(data)
        self.decided = {p.id for contest in self.contests if contest.rankings is None for p in contest.members}
        main = [item for contest in self.contests for p in contest.members for item in self.items_of(p)]
        self.items = (*main, *(item for p in data.patterns if p.alone for item in self.items_of(p)))
        accepted = {n: self.conditions.terms(f.when) for n, f in enumerate(data.forms) if f.when is not None}
        gates = list(self.conditions.gates)
        self.place_bits([*gates, *(item.terms for item in self.items), *accepted.values()])
        self.looked_at = self.placed - self.decided
        self.levels = self.in_levels(gates)
        self.accepted = {form: list(self.steps(terms, 0)) for form, terms in accepted.items()}
        self.alone = self.bits_of(p for p in data.patterns if p.alone)
        self.beside = [p for contest in self.contests for p in contest.members]
        self.turns = [self.turn(contest) for contest in self.contests]

    # --- items

    def items_of(self, pattern: Pattern) -> Iterator[Item]:
        """The items of a pattern."""
        when = ALWAYS if pattern.when is None else self.conditions.terms(pattern.when)
        for ir in (pattern.times, *pattern.worth.values(), *(pattern.exposed or {}).values()):
            if ir is not None and not isinstance(ir, Const):
                self.number(ir)
        if pattern.each is None:
            yield Item(pattern, when)
            return
        cases = [self.conditions.has([case]) for cases in pattern.each for case in cases]
        places = None if pattern.id in self.decided else self.conditions.places(pattern)
        if places is None:
            self.placed.add(pattern.id)
            known = all(terms is not None for terms in cases)
            met = any_of([terms for terms in cases if terms]) if known else ALWAYS
            yield Item(pattern, self.conditions.all_of([when, met]))
            return
        for exposed, thresholds in enumerate(places):
            for least, terms in enumerate(thresholds, 1):
                yield Item(pattern, self.conditions.all_of([when, terms]), least, bool(exposed))

    def number(self, ir: Ir) -> None:
        """Register a number that is not constant: the table's answer, or a question."""
        if is_of_table(ir):
            self.conditions.of_table.setdefault(ir, len(self.conditions.of_table))
        else:
            self.conditions.question(ir)

    def bits_of(self, patterns: Iterable[Pattern]) -> int:
        """The bits of the items of these patterns, from the lowest item on."""
        ids = {pattern.id for pattern in patterns}
        return sum(1 << number for number, item in enumerate(self.items) if item.pattern.id in ids)

    def turn(self, contest: Contest) -> Turn:
        droppers = self.bits_of(self.droppers(contest))
        ranked = None
        if contest.rankings is not None:
            closed, opened = ([self.candidate(p, contest) for p in ranking] for ranking in contest.rankings)
            ranked = tuple(closed), tuple(opened)
        return Turn(contest, self.bits_of(contest.members), droppers, ranked)

    def droppers(self, contest: Contest) -> list[Pattern]:
        """All that may drop its patterns; also what may drop some places of a pattern that does."""
        found = {p.id: p for patterns in contest.dropped_by.values() for p in patterns}
        known, left = found.keys() | {p.id for p in contest.members}, list(found.values())
        while left and contest.rankings is None:
            dropped = left.pop()
            for pattern in self.beside if dropped.each is not None else ():
                if dropped.id in pattern.excludes and pattern.id not in known:
                    known.add(pattern.id)
                    found[pattern.id] = pattern
                    left.append(pattern)
        return list(found.values())

    def candidate(self, pattern: Pattern, contest: Contest) -> Candidate:
        return Candidate(pattern, self.bits_of([pattern]), self.bits_of(contest.dropped_by[pattern.id]))

    # --- bits

    def place_bits(self, every: Sequence[Terms]) -> None:
        """Give every literal its bit."""
        literals = dict.fromkeys(literal for terms in every for term in terms for literal, _ in term)
        counts = [literal for literal in literals if isinstance(literal, Count)]
        width, layout = self.layout.width, self.layout
        self.moving_at = 64 * layout.words(False)
        self.counters = self.moving_at + 64 * layout.words(True)
        self.leasts = sorted({count.least for count in counts})
        self.tops = sum(1 << self.lowest(field) + width - 1 for field in self.fields)
        bits: dict[Literal, int] = {}
        for count in counts:
            copy, at = divmod(count.least - 1, width)
            bits[count] = copy * self.counters + self.lowest(count.field) + at
        at = self.counters * (1 + max((least - 1 for least in self.leasts), default=0) // width)
        for kind in (TileBit, OfTable, FormIs, Open, Gate):
            known = sorted((one for one in literals if isinstance(one, kind)), key=repr)
            bits |= {literal: at + number for number, literal in enumerate(known)}
            at += len(known)
        self.bits, self.first_item = bits, -(-at // 64) * 64
        self.rarity = {1 << bit: rarity(literal) for literal, bit in bits.items()}

    @property
    def fields(self) -> Iterator[Field]:
        return (field for known in self.layout.features for field in known.values())

    def lowest(self, field: Field) -> int:
        """The lowest bit of a field in the counters of a reading."""
        return self.layout.lowest(field.number) + (self.moving_at if field.moves else 0)

    @cached_property
    def thresholds(self) -> tuple[tuple[int, int, int], ...]:
        """For each number that counters are compared with: what is added, and how far the result is shifted down and
        up."""
        width, found = self.layout.width, []
        for least in self.leasts:
            more = sum((1 << width - 1) - least << self.lowest(field) for field in self.fields)
            copy, at = divmod(least - 1, width)
            found.append((more, width - 1 - at, copy * self.counters))
        return tuple(found)

    # --- steps

    def in_levels(self, gates: Sequence[Terms]) -> list[Level]:
        """The steps of gates and items, level by level."""
        level_of: list[int] = []
        steps: dict[int, list[Step]] = {}
        for number, terms in enumerate(gates):
            level = 1 + max((level_of[lit.number] for t in terms for lit, _ in t if isinstance(lit, Gate)), default=-1)
            level_of.append(level)
            if (bit := self.bits.get(Gate(number))) is not None:
                steps.setdefault(level, []).extend(self.steps(terms, 1 << bit))
        last = max(level_of, default=-1) + 1
        for number, item in enumerate(self.items):
            steps.setdefault(last, []).extend(self.steps(item.terms, 1 << self.first_item + number))
        return [self.level(steps[level]) for level in sorted(steps)]

    def steps(self, terms: Terms, target: int) -> Iterator[Step]:
        for term in terms:
            bits = [(self.bits[literal], holds) for literal, holds in term if not isinstance(literal, Question)]
            asks = tuple((literal.number, holds) for literal, holds in term if isinstance(literal, Question))
            yield Step(sum(1 << b for b, _ in bits), sum(1 << b for b, holds in bits if holds), target, asks)

    def level(self, steps: Sequence[Step]) -> Level:
        plain = [step for step in steps if not step.asks]
        by_bit: dict[int, list[Step]] = {}
        for step in plain:
            if step.value:
                rarest = max((bit for bit in self.rarity if bit & step.value), key=self.rarity.__getitem__)
                by_bit.setdefault(rarest, []).append(step)
        return Level(
            by_bit,
            sum(by_bit),
            tuple(step for step in plain if not step.value),
            tuple(step for step in steps if step.asks),
        )


def rarity(literal: Literal) -> tuple[int, int, int]:
    """How seldom a literal holds, roughly; terms are found by their rarest one."""
    if not isinstance(literal, Count):
        return int(isinstance(literal, Gate)), 0, 0
    want = literal.field.feature.want
    return 2, literal.least, -len(want.groups | want.meld_groups | want.tiles) if want is not None else -1_000
