"""Settling: the patterns that hold in a reading in, those that count out.

A pattern that is dropped as a whole, or not, takes a comparison of bits; what else competes is decided by
`tilewright.scoring.plain.resolve`, once for each combination of places. Knows no tables.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any, Protocol

from tilewright.language.compiled.ir import Const, Ir
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.scoring.image.context import Context
from tilewright.scoring.image.lookup import Memory
from tilewright.scoring.image.places import EXPOSED, Parts, PatternPlaces, Places, Wants, meeting_of
from tilewright.scoring.plain.judge import MOST_MATCHES, find_one, found_at
from tilewright.scoring.plain.resolve import Counted, Found, Worth, count, resolve
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import matchings, whole
from tilewright.scoring.program.conditions import is_of_table
from tilewright.scoring.program.program import Program, Turn

Number = int | Fraction


class Asked(Protocol):
    """A reading of a hand, asked about numbers."""

    @property
    def context(self) -> Context: ...
    def answer(self, question: int) -> Any: ...


@dataclass(frozen=True, slots=True)
class Answered:
    """A reading whose questions about numbers are answered."""

    context: Context
    answers: Mapping[int, int]

    def answer(self, question: int) -> int:
        """The answer to a question."""
        return self.answers[question]


class ReadingQuery(Asked, Protocol):
    """A reading of a hand. `parts` are those of the hand in its order, after the melds."""

    @property
    def facts(self) -> int: ...
    @property
    def scene(self) -> HandScene: ...
    @property
    def parts(self) -> Sequence[int]: ...


class Settling:
    """What counts, under one ruleset."""

    def __init__(self, data: CompiledRuleset, program: Program) -> None:
        self.data, self.program = data, program
        self.bits = {p.id: program.bits_of([p]) for p in data.patterns}
        self.exposed = sum(1 << number for number, item in enumerate(program.items) if item.exposed)
        self.numbers = {p.id: self.numbers_of(p) for p in data.patterns}
        self.turns = {1 << n: turn for turn in program.turns for n in bits_in(turn.items)}
        self.places = Places(program.layout)
        self.counts, self.results = Memory(), Memory()
        self.known_rivals, self.contests, self.outcomes = Memory(), Memory(), Memory()

    def numbers_of(self, pattern: Pattern) -> list[tuple[bool, int]]:
        """What its worths and times ask: of the table or not, and the number of the question."""
        known = self.program.conditions
        asked = [ir for ir in numbers_in(pattern) if not isinstance(ir, Const)]
        return [
            (True, list(known.of_table).index(ir)) if is_of_table(ir) else (False, known.questions[ir]) for ir in asked
        ]

    def settled(self, items: int, query: ReadingQuery) -> tuple[list[Counted], list[Counted]]:
        """What counts of the items that hold, and what counts only alone."""
        main, counts = items & ~self.program.alone, 0
        found: list[Counted] = []
        while main:
            turn = self.turns[main & -main]
            own = main & turn.items
            main ^= own
            if turn.ranked is None:
                made = self.contested(turn, own, counts, query)
                for one in made:
                    counts |= own & self.bits[one.pattern.id]
                found += made
                continue
            for candidate in turn.ranked[query.context.is_open]:
                held = own & candidate.items
                if held and not counts & candidate.droppers and (made := self.counted(candidate.pattern, held, query)):
                    counts |= held
                    found += made
                    break
        return found, self.counting_alone(items & self.program.alone, query)

    def counting_alone(self, items: int, query: ReadingQuery) -> list[Counted]:
        """What counts only alone."""
        return [one for pattern, own in self.held(items) for one in self.counted(pattern, own, query)]

    def held(self, items: int) -> Iterator[tuple[Pattern, int]]:
        """The patterns of these items, each with its own."""
        while items:
            pattern = self.program.items[(items & -items).bit_length() - 1].pattern
            own = items & self.bits[pattern.id]
            items ^= own
            yield pattern, own

    def counted(self, pattern: Pattern, own: int, query: ReadingQuery) -> Sequence[Counted]:
        """What counts of a pattern that nothing drops."""
        if pattern.id in self.program.looked_at:
            return self.together(self.rivals(own, 0), query)
        return self.numbered(pattern, own, query)

    def numbered(self, pattern: Pattern, own: int, query: Asked) -> Sequence[Counted]:
        """What counts of a pattern that numbers decide."""
        numbers = self.numbers[pattern.id]
        values = tuple([self.value(one, query) for one in numbers]) if numbers else ()
        key = pattern.id, query.context.is_open, own, values
        known: Sequence[Counted] | None = self.counts.get(key)
        if known is None:
            at, exposed = own.bit_count(), (own & self.exposed).bit_count()
            known = self.counts.keep(key, self.newly_counted(pattern, query.context.is_open, at, exposed, values))
        return known

    def value(self, number: tuple[bool, int], query: Asked) -> Any:
        """The answer to a question about a number."""
        of_table, question = number
        return query.context.answers[question] if of_table else query.answer(question)

    def newly_counted(
        self, pattern: Pattern, is_open: bool, at: int, exposed: int, values: Sequence[Any]
    ) -> list[Counted]:
        """What counts of a pattern with these numbers, with stand-ins for the groups that it uses; if it counts at each
        place, `at` so many, some of them exposed."""
        places = None if pattern.each is None else tuple(frozenset({n}) for n in range(at))
        worth, times = self.worth(pattern, values)
        found = Found(pattern, worth, is_open, frozenset(range(exposed)), frozenset(), times, places)
        return count(found, found.places)

    def worth(self, pattern: Pattern, values: Sequence[Any]) -> tuple[Callable[[bool], Worth], Number]:
        """What a pattern is worth once, closed and exposed, and how often it counts, by its numbers."""
        asked = [ir for ir in numbers_in(pattern) if not isinstance(ir, Const)]
        known = dict(zip(asked, values, strict=True))

        def number(ir: Ir) -> Any:
            return whole(ir.value if isinstance(ir, Const) else known[ir])  # type: ignore[arg-type]

        closed = {measure: number(ir) for measure, ir in pattern.worth.items()}
        opened = closed if pattern.exposed is None else {m: number(ir) for m, ir in pattern.exposed.items()}
        return lambda shown: opened if shown else closed, 1 if pattern.times is None else number(pattern.times)

    # --- contests

    def contested(self, turn: Turn, own: int, droppers: int, query: ReadingQuery) -> Sequence[Counted]:
        """What counts of patterns that are decided together. `droppers`: what counts already, and may drop them."""
        return self.together(self.rivals(own, droppers & turn.droppers), query)

    def together(self, rivals: "Rivals", query: ReadingQuery) -> Sequence[Counted]:
        """What counts of rivals."""
        if rivals.places is None:
            return self.decided(rivals, query)
        met, asked, whole = self.places.met_by_parts(query.context), rivals.wants, rivals.whole
        parts = tuple([wants for number in query.parts if (wants := met[number] & asked) or whole])
        values = tuple([self.value(one, query) for one in rivals.numbers])
        key = rivals, parts, values, rivals.differs and query.context.is_open
        known: Sequence[Counted] | None = self.contests.get(key)
        return known if known is not None else self.contests.keep(key, self.newly_decided(*key))

    def rivals(self, own: int, droppers: int) -> "Rivals":
        """The patterns of these items."""
        known: Rivals | None = self.known_rivals.get((own, droppers))
        if known is None:
            patterns = self.patterns(own | droppers)
            places = [self.places.of(p) for p in patterns]
            numbers = [number for p in patterns for number in self.numbers[p.id]]
            known = Rivals(patterns, {p.id for p in self.patterns(own)}, places, numbers)
            self.known_rivals.keep((own, droppers), known)
        return known

    def newly_decided(
        self, rivals: "Rivals", parts: Sequence[Wants], values: Sequence[Any], is_open: bool
    ) -> Sequence[Counted]:
        """What counts of rivals, by the wants that each part meets. Few of the combinations differ in their places."""
        meeting = meeting_of(parts)
        key = rivals, rivals.found(meeting, (1 << len(parts)) - 1), meeting.get(EXPOSED, 0), values, is_open
        known: Sequence[Counted] | None = self.outcomes.get(key)
        return known if known is not None else self.outcomes.keep(key, self.resolved(*key))

    def resolved(
        self, rivals: "Rivals", found: Sequence[Sequence[Parts]], exposed: Parts, values: Sequence[Any], is_open: bool
    ) -> list[Counted]:
        """What counts of rivals that are found at these places. Results that are alike are one object, as verdicts are
        known by them."""
        left, held = iter(values), list[Found]()
        for pattern, places in zip(rivals.patterns, found, strict=True):
            worth, times = self.worth(pattern, list(islice(left, len(self.numbers[pattern.id]))))
            sets = tuple([frozenset(bits_in(place)) for place in places])
            if sets:
                at = sets if pattern.each is not None else None
                held.append(Found(pattern, worth, is_open, frozenset(bits_in(exposed)), sets[0], times, at))
        counted = [one for one in resolve(self.data, held).counted if one.pattern.id in rivals.members]
        keys = [(one.pattern.id, one.times, tuple(one.worth.items())) for one in counted]
        return [self.results.get(key) or self.results.keep(key, one) for key, one in zip(keys, counted, strict=True)]

    def patterns(self, items: int) -> list[Pattern]:
        """The patterns of these items, in the order of the ruleset."""
        ids = {self.program.items[number].pattern.id for number in bits_in(items)}
        return [p for p in self.data.patterns if p.id in ids]

    def decided(self, rivals: "Rivals", query: ReadingQuery) -> list[Counted]:
        """What counts of rivals, the plain way. Nothing is remembered, as all of the hand may matter."""
        found = [one for p in rivals.patterns if (one := self.found(p, query)) is not None]
        return [one for one in resolve(self.data, found).counted if one.pattern.id in rivals.members]

    def found(self, pattern: Pattern, query: ReadingQuery) -> Found | None:
        """A pattern whose items hold, with the groups that it uses; None where it is met nowhere."""
        if pattern.each is None:
            return found_at(pattern, query.scene, None)
        cases = self.program.cases_of_places.get(pattern.id)
        if cases is None:
            return find_one(pattern, query.scene)
        matches = (m for case, needs in cases if query.facts & needs == needs for m in matchings(case, query.scene))
        places = tuple(dict.fromkeys(islice(matches, MOST_MATCHES)))
        return found_at(pattern, query.scene, places) if places else None


class Rivals:
    """Patterns that hold and are decided together. `members`: those that do not only drop others; `numbers`: what they
    ask; `places`: None where only the plain way knows them; `wants`: what matters of a part. `whole`: some pattern uses
    every part; `differs`: some pattern is worth something else where it is exposed."""

    def __init__(
        self,
        patterns: Sequence[Pattern],
        members: Set[str],
        places: Sequence[PatternPlaces | None],
        numbers: Sequence[tuple[bool, int]],
    ) -> None:
        self.patterns, self.members, self.numbers = patterns, members, numbers
        known = [one for one in places if one is not None]
        self.places = known if len(known) == len(places) else None
        self.differs = any(p.exposed is not None for p in patterns)
        self.whole = any(one.is_whole for one in known)
        self.wants = reduce(or_, (one.wants for one in known), EXPOSED if self.differs else 0)

    def found(self, meeting: Mapping[Wants, Parts], every: Parts) -> tuple[tuple[Parts, ...], ...]:
        """The places of each pattern."""
        there = sum(meeting)
        return tuple([one.found(meeting, there, every) for one in self.places or ()])


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
