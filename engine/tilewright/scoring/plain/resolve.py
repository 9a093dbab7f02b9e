"""Resolving: the patterns that hold in one reading in, those that count with their worth out.

Exclusions, families and `alone`, as language.md says in section 4. Knows no expressions: worths come in as numbers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern

Number = int | Fraction
Worth = Mapping[str, Number]
Place = frozenset[int]  # groups by their place in the reading
MOST_STEPS = 5_000  # of one choice among places; hands of real games need a few dozen


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern that holds. `places`: every place that its `each` matches, else none; `used`: the groups that `when`
    matched; `times`: how often it counts where it has no `each`. `worth(exposed)`: once."""

    pattern: Pattern
    worth: Callable[[bool], Worth]
    hand_exposed: bool
    exposed: frozenset[int]
    used: Place
    times: Number = 1
    places: tuple[Place, ...] | None = None


@dataclass(frozen=True)
class Counted:
    """A pattern that counts: how often, and the places where it does, each with what it is worth there."""

    pattern: Pattern
    times: Number
    places: tuple[tuple[Place, Worth], ...]

    @cached_property
    def worth(self) -> Mapping[str, Number]:
        """The whole worth in each measure; an int if whole."""
        total: dict[str, Number] = {}
        for _, worth in self.places:
            for measure, number in worth.items():
                total[measure] = total.get(measure, 0) + number
        return {m: number.numerator if number.denominator == 1 else number for m, number in total.items()}

    @property
    def used(self) -> Place:
        """The groups that it used."""
        return frozenset().union(*(place for place, _ in self.places))


@dataclass(frozen=True, slots=True)
class Resolution:
    """What counts, in the order of the ruleset; `dropped`: id -> id of the pattern that excluded or beat it."""

    counted: tuple[Counted, ...]
    dropped: Mapping[str, str]


def resolve(data: CompiledRuleset, found: Sequence[Found]) -> Resolution:
    """Drop what is excluded and what loses in its family, again without the exclusions of the losers until nothing
    changes; drop what does not count with a family; then add what counts alone."""
    main = [f for f in found if not f.pattern.alone]
    losers: dict[str, str] = {}
    while True:
        counted, dropped = exclude(data, main, losers)
        kept, beaten = families(data, counted)
        if beaten.keys() <= losers.keys():
            break
        losers |= beaten
    kept, pushed = beside_sole(data, kept)
    dropped |= beaten | pushed
    if all(c.pattern.extra or c.pattern.late is not None for c in kept):
        kept += [c for f in found if f.pattern.alone for c in count(f, f.places)]
    order = {pattern.id: index for index, pattern in enumerate(data.patterns)}
    return Resolution(tuple(sorted(kept, key=lambda c: order[c.pattern.id])), dropped)


# --- exclusions


def exclude(
    data: CompiledRuleset, found: Sequence[Found], losers: Mapping[str, str]
) -> tuple[list[Counted], dict[str, str]]:
    """Each pattern after all that could drop it; a dropped one drops nothing, nor does one that lost in its family."""
    by_id = {f.pattern.id: f for f in found}
    counted: dict[str, list[Counted]] = {}
    dropped: dict[str, str] = {}
    for id in after_excluders(by_id):
        excluders = [
            c
            for other in by_id.values()
            if id in other.pattern.excludes and other.pattern.id not in losers
            for c in counted[other.pattern.id]
        ]
        counted[id] = remaining(by_id[id], excluders, data)
        if excluders and not counted[id]:
            dropped[id] = excluders[0].pattern.id
    return [c for f in found for c in counted[f.pattern.id]], dropped


def after_excluders(found: Mapping[str, Found]) -> Iterator[str]:
    """Ids in an order in which every pattern comes after those that exclude it."""
    excluded_by: dict[str, list[str]] = {id: [] for id in found}
    for f in found.values():
        for id in f.pattern.excludes:
            if id in excluded_by:
                excluded_by[id].append(f.pattern.id)
    done: set[str] = set()

    def visit(id: str) -> Iterator[str]:
        if id not in done:
            done.add(id)
            for other in excluded_by[id]:
                yield from visit(other)
            yield id

    for id in found:
        yield from visit(id)


def remaining(found: Found, excluders: Sequence[Counted], data: CompiledRuleset) -> list[Counted]:
    """The rest of a pattern: one counted `each` loses only the places inside the groups of what drops it."""
    if found.places is None:
        return [] if excluders else count(found, None)
    places = [p for p in found.places if not any(p <= excluder.used for excluder in excluders)]
    keeps_places = data.families.get(found.pattern.family or "") == "once"
    return count(found, places if keeps_places else most_disjoint(places))


def count(found: Found, places: Sequence[Place] | None) -> list[Counted]:
    """The pattern as counted at these places; nothing where there is none, or where it is worth nothing here."""
    if places is None:
        worth = {m: n * found.times for m, n in found.worth(found.hand_exposed).items()}
        counts = found.times != 0 and (any(worth.values()) or not found.hand_exposed or found.pattern.exposed is None)
        return [Counted(found.pattern, found.times, ((found.used, worth),))] if counts else []
    here = tuple((place, found.worth(not place.isdisjoint(found.exposed))) for place in places)
    return [Counted(found.pattern, len(here), here)] if here else []


def most_disjoint(places: Sequence[Place]) -> list[Place]:
    """As many disjoint places as possible, the first in the order of the hand."""
    unique = list(dict.fromkeys(places))
    best: list[Place] = []
    steps = MOST_STEPS

    def choose(start: int, taken: Place, chosen: list[Place]) -> None:
        nonlocal best, steps
        if len(chosen) > len(best):
            best = chosen
        for index in range(start, len(unique)):
            steps -= 1
            if steps < 0 or len(chosen) + len(unique) - index <= len(best):
                return
            if taken.isdisjoint(unique[index]):
                choose(index + 1, taken | unique[index], [*chosen, unique[index]])

    choose(0, frozenset(), [])
    return best


# --- families


def families(data: CompiledRuleset, counted: Sequence[Counted]) -> tuple[list[Counted], dict[str, str]]:
    """The patterns that each family keeps, and which lost to which."""
    kept: list[Counted] = []
    beaten: dict[str, str] = {}
    groups: dict[str, list[Counted]] = {}
    for c in counted:
        keep = data.families.get(c.pattern.family or "", "best")
        if c.pattern.family is None or keep == "all":
            kept.append(c)
        else:
            groups.setdefault(c.pattern.family, []).append(c)
    for family, members in groups.items():
        chosen = (
            once(data, members) if data.families.get(family) == "once" else [max(members, key=lambda c: value(data, c))]
        )
        kept += chosen
        ids = {c.pattern.id for c in chosen}
        beaten |= {c.pattern.id: chosen[0].pattern.id for c in members if c.pattern.id not in ids and chosen}
    return kept, beaten


def beside_sole(data: CompiledRuleset, counted: Sequence[Counted]) -> tuple[list[Counted], dict[str, str]]:
    """What counts with the first family that lets no others count, and which pattern gave way to which."""
    there = {c.pattern.family for c in counted} if data.sole else ()
    family = next((family for family in data.sole if family in there), None)
    if family is None:
        return list(counted), {}
    first = next(c.pattern.id for c in counted if c.pattern.family == family)
    others = {c.pattern.id: first for c in counted if c.pattern.family != family}
    return [c for c in counted if c.pattern.family == family], others


def value(data: CompiledRuleset, counted: Counted) -> tuple[Number, ...]:
    """The worth of a pattern, by measures in their order."""
    return tuple(counted.worth.get(measure.id, 0) for measure in data.scoring.measures)


def once(data: CompiledRuleset, members: Sequence[Counted]) -> list[Counted]:
    """The most valuable choice of places that forms no ring of groups; computed exactly."""
    options = [
        (c, place, tuple(worth.get(m.id, 0) for m in data.scoring.measures))
        for c in members
        for place, worth in c.places
    ]
    options.sort(key=lambda option: option[2], reverse=True)
    nothing: tuple[Number, ...] = (0,) * len(data.scoring.measures)
    best: tuple[tuple[Number, ...], tuple[int, ...]] = (nothing, ())

    steps = MOST_STEPS

    def choose(start: int, islands: tuple[Place, ...], total: tuple[Number, ...], chosen: tuple[int, ...]) -> None:
        nonlocal best, steps
        if total > best[0]:
            best = (total, chosen)
        for index in range(start, len(options)):
            steps -= 1
            if steps < 0:
                return
            _, place, worth = options[index]
            joined = join(islands, place)
            if joined is not None:
                more = tuple(a + b for a, b in zip(total, worth, strict=True))
                choose(index + 1, joined, more, (*chosen, index))

    choose(0, (), nothing, ())
    return [kept for c in members if (kept := with_places(c, [options[i][1] for i in best[1] if options[i][0] is c]))]


def with_places(counted: Counted, places: Sequence[Place]) -> Counted | None:
    """The pattern counted only at these of its places."""
    kept = tuple(at for at in counted.places if at[0] in places)
    return Counted(counted.pattern, len(kept), kept) if kept else None


def join(islands: tuple[Place, ...], place: Place) -> tuple[Place, ...] | None:
    """The sets of combined groups with this place added; None if two of its groups were combined already."""
    touched = [island for island in islands if island & place]
    if any(len(island & place) > 1 for island in touched):
        return None
    return (*(i for i in islands if i not in touched), place.union(*touched))
