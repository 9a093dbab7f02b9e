"""Judging one reading: the patterns that hold, what counts of them, and the resulting measures.

In: a scene with a reading. Out: a verdict. The plain way, over the tree walker; the image has to agree.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from tilewright.language.compiled.ir import Apply, HasGroups, Ir, Term, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset, Measure, Pattern, name_at
from tilewright.scoring.plain.resolve import Counted, Found, Place, Resolution, resolve
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import evaluate, first_match, matchings, possible, whole

Number = int | Fraction
Values = dict[str, Number]
Shortfall = tuple[str, Number, Number]  # the measure, what it is, what it has to be
MOST_MATCHES = 2_000  # ways to match one list of templates in one hand


@dataclass(frozen=True, slots=True)
class Verdict:
    """One reading, judged. `counted`: what makes up the total; `limit`: the limit pattern that does so alone;
    `reaches`: the minimum is reached, or what is missing of it: (measure, has, needs)."""

    scene: HandScene
    found: tuple[Found, ...]
    outcome: Resolution
    counted: tuple[Counted, ...]
    values: Values
    limit: bool
    short: Shortfall | None

    @property
    def stands_alone(self) -> bool:
        """Whether a family counts that lets no others count."""
        sole = self.scene.data.sole
        return bool(sole) and any(c.pattern.family in sole for c in self.counted)

    @property
    def others(self) -> HandScene:
        """The scene with the measures of all patterns but those that ask for them."""
        early = tuple(c for c in self.outcome.counted if c.pattern.late is None)
        return replace(self.scene, values=verdict(self.scene, (), Resolution(early, {})).values)

    def rank(self, best: str) -> tuple[object, ...]:
        """The rank of the verdict: higher is better."""
        enough = self.short is None or not self.scene.situation.won
        return rank_of(enough, self.values, best, self.limit or self.stands_alone)


def rank_of(enough: bool, values: Values, best: str, alone: bool) -> tuple[object, ...]:
    """The rank of measures, which reach the minimum or not, and of which a limit or a family is all that counts."""
    return enough, values[best], alone, tuple(values.values())


def judge(scene: HandScene) -> Verdict:
    """The verdict on a reading."""
    found = tuple(find(scene))
    outcome = resolve(scene.data, found)
    return verdict(scene, found, outcome)


def verdict(scene: HandScene, found: tuple[Found, ...], outcome: Resolution) -> Verdict:
    """The measures of what counts, whether they reach the minimum, and what makes up the total."""
    data = scene.data
    if any(c.pattern.late is not None for c in outcome.counted):
        others = tuple(c for c in outcome.counted if c.pattern.late is None)
        values = verdict(scene, found, replace(outcome, counted=others)).values
        outcome = replace(outcome, counted=with_late(scene, outcome.counted, values))
    values = measure_all(scene, outcome.counted)
    without_extra = tuple(c for c in outcome.counted if not c.pattern.extra)
    towards = values if len(without_extra) == len(outcome.counted) else measure_all(scene, without_extra)
    limits = [c for c in outcome.counted if c.pattern.limit]
    plain = tuple(c for c in outcome.counted if not c.pattern.limit)
    deciding = deciding_limit(scene, limits, plain, values) if limits else None
    if deciding is not None and comes_to(scene, deciding, values):
        values = measure_all(scene, (deciding,))
    return Verdict(
        scene,
        found,
        outcome,
        plain if deciding is None else (deciding,),
        values,
        deciding is not None,
        shortfall(replace(scene, values=towards), data, towards),
    )


def with_late(scene: HandScene, counted: Sequence[Counted], others: Values) -> tuple[Counted, ...]:
    """What counts, without patterns that ask for other measures than those of all others."""
    known = replace(scene, values=others)
    return tuple(c for c in counted if c.pattern.late is None or evaluate(c.pattern.late, known))


def shortfall(scene: HandScene, data: CompiledRuleset, values: Values) -> Shortfall | None:
    """The first measure that stays below the minimum."""
    for measure, least in data.scoring.minimum:
        needs = evaluate(least, scene)
        if values[measure] < needs:
            return (measure, values[measure], needs)
    return None


# --- patterns


def find(scene: HandScene) -> list[Found]:
    """Every pattern that holds in the reading, in the order of the ruleset."""
    counting = (p for p in scene.data.patterns if p.everyone or scene.situation.won)
    return [found for pattern in counting if (found := find_one(pattern, scene)) is not None]


def find_one(pattern: Pattern, scene: HandScene) -> Found | None:
    """The pattern, if it holds in the reading."""
    if pattern.when is not None and not evaluate(pattern.when, scene):
        return None
    places = None if pattern.each is None else places_of(pattern, scene)
    return None if places == () else found_at(pattern, scene, places)


def found_at(pattern: Pattern, scene: HandScene, places: tuple[Place, ...] | None) -> Found:
    """A pattern that holds, at these places if it is counted by them."""
    used = used_by(pattern.when, scene) if pattern.when is not None else None
    everything = frozenset(range(len(scene.parts)))
    times = 1 if pattern.times is None else evaluate(pattern.times, scene)
    return Found(
        pattern,
        worth_of(pattern, scene),
        not scene.concealed,
        frozenset(i for i, part in enumerate(scene.parts) if part.exposed),
        everything if used is None else used,
        times,
        places,
    )


def places_of(pattern: Pattern, scene: HandScene) -> tuple[Place, ...]:
    """Every place where `each` matches, once, in the order of the hand."""
    there = (case for cases in pattern.each or () for case in possible(cases, scene))
    matches = (match for case in there for match in matchings(case, scene))
    return tuple(dict.fromkeys(islice(matches, MOST_MATCHES)))


def worth_of(pattern: Pattern, scene: HandScene) -> Callable[[bool], Mapping[str, Number]]:
    """What the pattern is worth once, closed and exposed."""
    known: dict[bool, Values] = {}

    def worth(exposed: bool) -> Values:
        if exposed not in known:
            written = pattern.exposed if exposed and pattern.exposed is not None else pattern.worth
            known[exposed] = {measure: whole(evaluate(ir, scene)) for measure, ir in written.items()}
        return known[exposed]

    return worth


def used_by(ir: Ir, scene: HandScene) -> Place | None:
    """The groups that `has` matched in a condition that holds; None if it needs no groups."""
    if not any(isinstance(node, HasGroups) for node in nodes(ir)):
        return None
    if isinstance(ir, HasGroups):
        return first_match(ir.cases, scene)
    if isinstance(ir, Term) and ir.of is None:
        return used_by(ir.body, scene) if evaluate(ir.body, scene) else None
    if isinstance(ir, Apply) and ir.op == "and":
        used = [place for child in ir.args if (place := used_by(child, scene)) is not None]
        return frozenset().union(*used) if used else None
    if isinstance(ir, Apply) and ir.op == "or":
        return next(used_by(child, scene) for child in ir.args if evaluate(child, scene))
    return None


# --- measures


def measure_all(scene: HandScene, counted: Sequence[Counted]) -> Values:
    """Every measure of the ruleset, in order: the sum of worths, or its value, or the best limit if that is more."""
    values: Values = {}
    known = replace(scene, values=values)
    for measure in scene.data.scoring.measures:
        number = capped(measure, known, added(measure, known, [c for c in counted if not c.pattern.limit]))
        limits = [c.worth[measure.id] for c in counted if c.pattern.limit and measure.id in c.worth]
        values[measure.id] = looked_up(measure, known, max([number, *limits]))
    return values


def added(measure: Measure, scene: HandScene, counted: Sequence[Counted]) -> Number:
    if measure.value is not None:
        return whole(evaluate(measure.value, scene))
    start = evaluate(measure.start, scene) if measure.start is not None else 0
    return whole(start + sum(c.worth.get(measure.id, 0) for c in counted))


def capped(measure: Measure, scene: HandScene, number: Number) -> Number:
    return number if measure.cap is None else min(number, evaluate(measure.cap, scene))


def looked_up(measure: Measure, scene: HandScene, number: Number) -> Number:
    """The entry of the table at or below the number, the lowest for anything lower."""
    if not measure.table:
        return number
    below = [entry for start, entry in measure.table if start <= number]
    return whole(evaluate(below[-1] if below else measure.table[0][1], scene))


def called(data: CompiledRuleset, values: Mapping[str, Number]) -> Mapping[str, str]:
    """The name of the amount, by language; of several measures with names the last that has one for it."""
    for measure in reversed(data.scoring.measures):
        if measure.names and (name := name_at(measure.names, values[measure.id])):
            return name
    return {}


def deciding_limit(
    scene: HandScene, limits: Sequence[Counted], plain: Sequence[Counted], values: Values
) -> Counted | None:
    """The limit pattern that makes up the total by itself: the one worth most, if the rest is not worth more, or worth
    more only in a measure that does not make the total higher."""
    order = scene.data.scoring.measures
    best = max(limits, key=lambda c: tuple(c.worth.get(m.id, 0) for m in order))
    measured = next(m for m in order if m.id in best.worth)
    rest = measure_all(scene, plain)
    is_most = best.worth[measured.id] >= capped(measured, scene, added(measured, replace(scene, values=rest), plain))
    return best if is_most or comes_to(scene, best, values) else None


def comes_to(scene: HandScene, limit: Counted, values: Values) -> bool:
    """Whether the limit pattern alone gives the same total."""
    total = scene.data.scoring.best
    return measure_all(scene, (limit,))[total] == values[total]
