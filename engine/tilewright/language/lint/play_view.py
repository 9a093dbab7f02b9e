"""A compiled play as the lint sees it: its steps, choices and ways, and where in the documents each stands.

Judges nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tilewright.base.node import Mapping, Node
from tilewright.base.problem import Place
from tilewright.language.compiled.choices import Choose
from tilewright.language.compiled.ir import Choice, Ir, Word
from tilewright.language.compiled.play import Play
from tilewright.language.compiled.ruleset import RulesetData
from tilewright.language.compiled.steps import Block, Step, Use
from tilewright.language.expressions.lower import step_into
from tilewright.language.lint.view import View
from tilewright.language.vocabulary.steps.declare import held
from tilewright.language.vocabulary.steps.fields import Choices


@dataclass(frozen=True)
class PlayView:
    """A whole with what was compiled of it."""

    view: View
    data: RulesetData
    play: Play

    @cached_property
    def lists(self) -> tuple[tuple[Step, ...], ...]:
        """Every list of steps that is not inside another."""
        play = self.play
        return (
            *(phase.do for phase in play.phases.values()),
            *(offer.do for offer in play.offers.values()),
            *(action.do for action in play.actions.values()),
            *(trigger.do for trigger in play.triggers),
        )

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every step, outer ones first."""
        return tuple(step for steps in self.lists for step in every_step(steps))

    @cached_property
    def choices(self) -> tuple[tuple[Choose, str], ...]:
        """Every choice with its path."""
        offered = [
            (choose, f"offers.{offer.id}.choose.{choose.name}")
            for offer in self.play.offers.values()
            for choose in offer.choose
        ]
        return (*offered, *self.asked)

    @cached_property
    def asked(self) -> tuple[tuple[Choose, str], ...]:
        """The choices that steps ask for, with their paths."""
        return tuple(
            (choose, f"{step.path}.{step.verb}.{part.key}.{choose.name}")
            for step in self.steps
            for part, choices in held(step.does, Choices)
            for choose in choices
        )

    def done(self, steps: tuple[Step, ...], seen: frozenset[str] = frozenset()) -> Iterator[Step]:
        """Every step below a list, those of the actions that it uses included."""
        for step in every_step(steps):
            yield step
            if isinstance(step.does, Use) and step.does.action not in seen:
                action = self.play.actions.get(step.does.action)
                yield from self.done(action.do if action else (), seen | {step.does.action})

    def place(self, path: str) -> Place:
        """Where something stands: what is behind the last key, or its key where that is a mapping."""
        node: Node | None = self.view.whole.document
        place = self.view.full.place
        for key in path.split("."):
            inner = step_into(node, key)
            if isinstance(inner, Mapping) and isinstance(node, Mapping):
                place = node.key(key).place
            elif inner is not None:
                place = inner.place
            node = inner
        return place


def every_step(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Every step of a list and of those inside it."""
    for step in steps:
        yield step
        if isinstance(step.does, Block):
            yield from every_step(step.does.steps)
        yield from every_step(step.other)


def zones_in(ir: Ir | None) -> tuple[Word, ...] | None:
    """The zones that an expression for a zone may mean; None where it means something else."""
    if isinstance(ir, Choice):
        then, other = zones_in(ir.then), zones_in(ir.other)
        return None if then is None or other is None else (*then, *other)
    return (ir,) if isinstance(ir, Word) and ir.kind == "zone" else None


def is_several(ir: Ir | None) -> bool:
    """Whether a zone is asked of several seats."""
    return isinstance(ir, Word) and ir.of is not None and ir.of.type == "seats"
