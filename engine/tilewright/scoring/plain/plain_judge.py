"""Reading a situation: every scene for scoring its hand.

Joins the search of `tilewright.hands` with the conditions of the ruleset's forms.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from tilewright.base.memory import TheSame
from tilewright.hands.reading import Hand, Reading, sizes_of
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.waits import distance, waits
from tilewright.language.compiled.ir import HasGroups, Lookup, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset, Form, Pattern
from tilewright.scoring.plain.judge import Number, Values, Verdict, judge, measure_all
from tilewright.scoring.plain.scene import HandScene, told_of
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import evaluate, matches

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
