"""The plain judge: a situation in, the verdict on its best reading out: what counts, and the resulting measures.

Joins the search of `tilewright.hands` with the conditions of the ruleset's forms, and judges each reading over the tree
walker. It is the oracle of the image.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice

from tilewright.base.memory import TheSame
from tilewright.hands.reading import Hand, Reading, sizes_of
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.waits import distance, waits
from tilewright.language.compiled.ir import Apply, HasGroups, Ir, Lookup, Term, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset, Form, Measure, Pattern, name_at
from tilewright.scoring.plain.resolve import Counted, Found, Place, Resolution, resolve
from tilewright.scoring.plain.scene import HandScene, Situation, told_of
from tilewright.scoring.plain.walker import evaluate, first_match, matches, matchings, possible, whole

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


# --- every reading of a situation

MOST_READERS = 16

BestReading = tuple[Verdict, Callable[[], HandScene]]  # the verdict on it, and how to get its scene


@dataclass(frozen=True)
class PlainJudge:
    """The plain way to score hands under one ruleset: every reading, judged by the tree walker."""

    data: CompiledRuleset

    @cached_property
    def reader(self) -> ReadingSearch:
        data = self.data
        return reader_of(TheSame((data.tiles, data.groups, *(form.shape for form in data.forms))))

    @cached_property
    def forms(self) -> dict[str, Form]:
        return {form.id: form for form in self.data.forms}

    def best(self, situation: Situation) -> Verdict | None:
        """The verdict on the best reading, None for a hand without one."""
        best: Verdict | None = None
        for verdict in self.verdicts(situation):
            if best is None or self.rank(verdict) > self.rank(best):
                best = verdict
        return best

    def best_with_scene(self, situation: Situation) -> BestReading | None:
        """The verdict on the best reading, and how to get its scene."""
        best = self.best(situation)
        return None if best is None else (best, lambda: best.scene)

    def rank(self, verdict: Verdict) -> tuple[object, ...]:
        return verdict.rank(self.data.scoring.best)

    def verdicts(self, situation: Situation) -> Iterator[Verdict]:
        """Every reading of the hand, judged, in the order of the forms."""
        return (judge(scene) for scene in self.scenes(situation))

    def lost(self, situation: Situation, known: bool = True) -> Values:
        """The measures of a hand that did not win: nothing where only winners count. Not `known`: those of no tiles."""
        if not self.for_everyone:
            return {measure.id: 0 for measure in self.data.scoring.measures}
        verdict = self.best(situation) if known else None
        return measure_all(self.scene(situation), ()) if verdict is None else verdict.values

    def scenes(self, situation: Situation) -> Iterator[HandScene]:
        if not situation.won and not self.for_everyone:
            return
        if situation.seat in situation.flags_of:
            situation = told_of(self.data, situation)
        readings = self.won(situation) if situation.won else self.reader.loose(situation.hand, self.kinds_for_losers)
        for reading in readings:
            scene = self.scene(situation, reading)
            if not situation.won or self.accepts(scene):
                yield scene

    def scene(self, situation: Situation, reading: Reading | None = None) -> HandScene:
        return HandScene(self.data, situation, reading, judge=self)

    def won(self, situation: Situation) -> Iterator[Reading]:
        exposes = self.data.scoring.completed_by_discard == "exposed" and not situation.self_draw
        return self.reader.readings(situation.hand, exposes)

    def accepts(self, scene: HandScene) -> bool:
        """Whether the form of the reading holds as a condition too."""
        assert scene.reading is not None
        form = self.forms[scene.reading.form]
        return (form.when is None or bool(evaluate(form.when, scene))) and (
            form.matches is None or matches(form.matches, scene)
        )

    def waits(self, situation: Situation) -> tuple[int, ...]:
        """The tiles that complete the hand without its winning tile to a form."""
        hand = replace(situation.hand, win=None)
        return tuple(waits(self.reader, hand, self.form_of(situation), every=self.data.scoring.waits == "all"))

    def distance(self, situation: Situation, seen: Sequence[int] = ()) -> int:
        """How many tiles the hand lacks for a form. `seen`: tiles besides the hand's that cannot be drawn."""
        return distance(self.reader, situation.hand, seen)

    def wins(self, situation: Situation) -> bool:
        """Whether the hand is a form and reaches the minimum."""
        best = self.best(situation)
        return best is not None and best.short is None

    def potential(self, situation: Situation) -> Number:
        """The most that the hand is worth over its waits, counting only tiles of which it does not hold every copy."""
        hand, wild = replace(situation.hand, win=None), self.reader.wild
        if self.size(hand) in self.full_sizes:
            return 0
        left = wild.copies - wild.in_the_box([*hand.tiles, *(tile for meld in hand.melds for tile in meld.tiles)])
        there = replace(situation, won=True, self_draw=False, discarder=None, others={})
        tiles = [tile for tile in self.waits(replace(situation, hand=hand)) if left[tile] > 0]
        best = [self.best(replace(there, hand=replace(hand, win=tile))) for tile in tiles]
        total = self.data.scoring.best
        return max((one.values[total] for one in best if one is not None and one.short is None), default=0)

    def form_of(self, situation: Situation) -> Callable[[Hand], bool]:
        """Whether a full hand is a form, its conditions included."""
        if all(form.when is None and form.matches is None and form.shape.has_groups for form in self.data.forms):
            return self.reader.fits
        return lambda hand: next(self.scenes(replace(situation, hand=hand, won=True)), None) is not None

    @cached_property
    def full_sizes(self) -> frozenset[int]:
        """How many tiles the forms have, groups that stand for smaller ones counted as those; {} if a form leaves it
        open."""
        return self.known_sizes if all(form.shape.has_groups for form in self.data.forms) else frozenset()

    @cached_property
    def known_sizes(self) -> frozenset[int]:
        """The same of the forms that do say."""
        return frozenset().union(*(sizes_of(form.shape, self.data.groups) for form in self.data.forms))

    def size(self, hand: Hand) -> int:
        """How many tiles the hand has, its winning tile included, melds counted as in forms."""
        declared = sum(self.data.groups.size(meld.group) for meld in hand.melds)
        return len(hand.tiles) + (hand.win is not None) + declared

    @cached_property
    def for_everyone(self) -> tuple[Pattern, ...]:
        return tuple(pattern for pattern in self.data.patterns if pattern.everyone)

    @cached_property
    def kinds_for_losers(self) -> frozenset[str]:
        """The kinds of groups that matter for a hand that did not win: those that its patterns can tell apart."""
        wanted: set[int] = set()
        for pattern in self.for_everyone:
            conditions = [ir for ir in (pattern.when, pattern.times) if ir is not None]
            lists = [node.cases for ir in conditions for node in nodes(ir) if isinstance(node, HasGroups)]
            for case in (case for cases in (*lists, *(pattern.each or ())) for case in cases):
                wanted.update(*(want.groups for want in case.wants))
            if any(isinstance(node, Lookup) and node.type == "groups" for ir in conditions for node in nodes(ir)):
                wanted.update(range(len(self.data.groups.groups)))
        kinds = {kind for index in wanted for kind in self.data.groups.groups[index].kinds}
        return frozenset(kind for kind in kinds if not self.data.groups.kinds[kind].any) & self.kinds_in_forms

    @cached_property
    def kinds_in_forms(self) -> frozenset[str]:
        """Every basic kind that some form uses."""
        used = {
            index
            for form in self.data.forms
            for case in form.shape.cases
            for slot in case
            for index in slot.groups | slot.meld_groups
        }
        return frozenset(kind for index in used for kind in self.data.groups.groups[index].kinds)


@lru_cache(maxsize=MOST_READERS)
def reader_of(parts: TheSame) -> ReadingSearch:
    """The search of tiles, groups and shapes: most options and mods leave them as they are."""
    tiles, groups, *shapes = parts
    return ReadingSearch(tiles, groups, shapes)
