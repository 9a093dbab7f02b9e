"""What a game uses of the parts of its ruleset: bases have more, and nobody wants to read about what cannot happen.

A compiled ruleset in, the ids of phases, offers, verbs and terms out.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import Any

from tilewright.language.compiled.ir import Term
from tilewright.language.compiled.play import Offer, Phase, Play, Restriction, Step, StepBlock, Trigger, Use
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.declare_steps import leads_to
from tilewright.rulebook.course_sentences import is_empty, is_never

START = "deal"


@dataclass(frozen=True)
class InUse:
    """What can happen in a game."""

    data: CompiledRuleset

    @property
    def play(self) -> Play:
        return self.data.play or Play()

    @cached_property
    def triggers(self) -> tuple[Trigger, ...]:
        """The triggers that some tile of this game may set off."""
        return tuple(one for one in self.play.triggers if not is_never(one.when))

    @cached_property
    def phases(self) -> frozenset[str]:
        """The phases that are reached from the deal, an effect, or an empty zone."""
        found = set[str]()
        todo = {START} | {zone.when_empty for zone in self.data.zones.values()}
        todo |= {goal for trigger in self.triggers for goal in self.goals(trigger.do)}
        while todo:
            id = todo.pop()
            if id in self.play.phases and id not in found:
                found.add(id)
                todo |= set(self.after(self.play.phases[id]))
        return frozenset(found)

    def after(self, phase: Phase) -> Iterator[str]:
        """The phases that may follow one, also for a while."""
        offers = [self.play.offers[offer] for offer in phase.offers]
        yield from (goal.phase for goal in (phase.then, phase.otherwise, *(one.then for one in offers)) if goal)
        for steps in (phase.do, *(offer.do for offer in offers)):
            yield from self.goals(steps)

    def goals(self, steps: Iterable[Step]) -> Iterator[str]:
        return (goal for step in self.inside(steps) for goal in leads_to(step.does))

    def inside(self, steps: Iterable[Step]) -> Iterator[Step]:
        """The steps that some tile of this game may cause, and those of the actions that they use, each action once."""
        todo, used = [*steps], set[str]()
        for step in todo:
            todo += step.other
            if is_never(step.when) or any(is_empty(loop.members) for loop in step.loops):
                continue
            yield step
            if isinstance(step.does, StepBlock):
                todo += step.does.steps
            if isinstance(step.does, Use) and step.does.action not in used:
                used.add(step.does.action)
                todo += self.play.actions[step.does.action].do

    @cached_property
    def offers(self) -> frozenset[str]:
        """The offers of these phases."""
        return frozenset(offer for phase in self.phases for offer in self.play.phases[phase].offers)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every step that may be done."""
        phases = [self.play.phases[id].do for id in self.phases]
        offers = [self.play.offers[id].do for id in self.offers]
        every = [*phases, *offers, *(trigger.do for trigger in self.triggers)]
        return tuple(step for steps in every for step in self.inside(steps))

    @cached_property
    def verbs(self) -> frozenset[str]:
        return frozenset(step.verb for step in self.steps)

    def is_offered(self, offer: Offer) -> bool:
        return offer.id in self.offers

    def bars(self, restriction: Restriction) -> tuple[str, ...]:
        """What it bars of what can happen."""
        return tuple(bar for bar in restriction.bars if self.can_happen(bar))

    def can_happen(self, bar: str) -> bool:
        phase, _, name = bar.rpartition(".")
        return (not phase or phase in self.phases) and (name in self.offers or name in self.verbs)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms that something asks for."""
        data, play = self.data, self.play
        phases = [play.phases[id] for id in self.phases]
        offers = [play.offers[id] for id in self.offers]
        barred = [one.when for one in play.restrictions if self.bars(one)]
        whole = (data.patterns, data.forms, data.payments, data.scoring, data.wild_when, self.triggers, play.buttons)
        return frozenset(terms_in((*whole, play.match, phases, offers, self.steps, barred)))


def terms_in(part: object) -> Iterator[str]:
    """The terms in compiled data, in their order, those inside others too."""
    todo: list[Any] = [part]
    while todo:
        one = todo.pop()
        if names := fields_of(one.__class__):
            if isinstance(one, Term):
                yield one.name
            todo += [getattr(one, name) for name in names]
        elif isinstance(one, tuple | list):
            todo += reversed(one)
        elif isinstance(one, Mapping):
            todo += reversed([*one.values()])


@cache
def fields_of(kind: Any) -> tuple[str, ...]:
    """The names of the fields of a kind of part, the last one first; of everything else none."""
    return tuple(one.name for one in reversed(fields(kind))) if is_dataclass(kind) else ()
