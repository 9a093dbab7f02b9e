"""Competition: patterns in, in an order in which each comes after all that could drop it.

Most patterns are dropped as a whole by those that exclude them, and by the best of their family. Where that is not all
(places, rings of groups, worths that the table decides), the plain way decides among patterns that depend on each
other. Knows no hands."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tilewright.language.compiled.ir import Const, Ir
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern

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
