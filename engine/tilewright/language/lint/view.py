"""A ruleset as lint sees it: declarations, uses, and steps, each found once; and its compiled play: its steps, choices
and goals, with their places in the documents.

Knows the schema's marks and the sections; judges nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Source
from tilewright.language.compiled.ir import Conditional, Ir, Lookup
from tilewright.language.compiled.play import Choose, Play, Step, Use, every_step
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.fields import section
from tilewright.language.documents.shape import MarkedNode, Path
from tilewright.language.expressions.lower import step_into
from tilewright.language.vocabulary.declare_steps import held
from tilewright.language.vocabulary.step_fields import ChoicesField

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

NAME = re.compile(r"[^\W\d]\w*")
NOT_VERBS = ("id", "if", "when", "unless", "for", "until", "do", "else")
STEP_LISTS = ("do", "else")


@dataclass(frozen=True)
class DocumentView:
    """`own`: the sources that are checked; others get no warnings."""

    whole: "MergedRuleset"
    own: frozenset[Source]

    @property
    def full(self) -> Mapping:
        return self.whole.full

    def is_own(self, place: Place) -> bool:
        return place.source in self.own

    def may_warn(self, key: Scalar) -> bool:
        """Whether it matters if nothing uses this: not in a base, whose names are for others."""
        return self.whole.kind == "ruleset" and self.is_own(key.place)

    def entries(self, *path: str) -> Iterator[tuple[Scalar, Mapping]]:
        """The ids of a section that are described by mappings."""
        for _, entry in section(self.full, *path).entries.items():
            if isinstance(entry.value, Mapping):
                yield entry.key, entry.value

    def keys(self, *path: str) -> dict[str, Scalar]:
        """The ids of a section with their keys."""
        return {id: entry.key for id, entry in section(self.full, *path).entries.items()}

    @property
    def uses(self) -> list[MarkedNode]:
        return self.whole.uses

    @cached_property
    def uses_by_name(self) -> dict[str, list[MarkedNode]]:
        """The uses of each name, in expressions or as references."""
        found: dict[str, list[MarkedNode]] = {}
        for use in self.uses:
            for name in dict.fromkeys(names_in(use)):
                found.setdefault(name, []).append(use)
        return found

    def refs(self, what: str) -> Iterator[MarkedNode]:
        """References of one kind."""
        return (use for use in self.uses if use.sort in ("ref", "key") and use.what == what)

    @cached_property
    def steps(self) -> tuple[tuple[Mapping, Path], ...]:
        """Every step with its path."""
        parts = ("actions", "triggers", "phases", "offers")
        return tuple(found for part in parts for found in steps_below(section(self.full, part), (part,)))

    @cached_property
    def actions(self) -> dict[str, Scalar]:
        return self.keys("actions")

    def verbs_of(self, step: Mapping) -> list[str]:
        """The verbs and actions that a step does."""
        return [key for key in step.entries if key not in NOT_VERBS]

    def does(self, step: Mapping) -> set[str]:
        """Verbs that a step does, including those of inner steps and used actions."""
        done, todo = set[str](), [step, *(one for one, _ in steps_below(step, ()))]
        while todo:
            verbs = set(self.verbs_of(todo.pop())) - done
            done |= verbs
            for verb in verbs & self.actions.keys():
                todo += (one for one, _ in steps_below(section(self.full, "actions", verb), ()))
        return done

    def closure(self, names: set[str]) -> set[str]:
        """The names, with those that the terms among them are made of."""
        todo, done = set(names), set()
        while todo:
            name = todo.pop()
            done.add(name)
            todo |= names_below(section(self.full, "terms").get(name)) - done
        return done


def names_in(use: MarkedNode) -> list[str]:
    """The names in a use."""
    if not isinstance(use.node, Scalar) or use.sort == "block":
        return []
    if use.sort == "expr":
        return NAME.findall(use.node.text) if isinstance(use.node.value, str) else []
    return [use.node.text, *use.node.text.split(".")]


def names_below(node: Node | None) -> set[str]:
    """Every name in the texts and keys below a node."""
    match node:
        case Scalar(value=str(text)):
            return set(NAME.findall(text))
        case Sequence():
            return {name for item in node.items for name in names_below(item)}
        case Mapping():
            return {name for key, value in node.items() for name in (key, *names_below(value))}
    return set()


def steps_below(node: Node, path: Path) -> Iterator[tuple[Mapping, Path]]:
    """Every step in the lists below a node, outer ones first."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key in STEP_LISTS and isinstance(value, Sequence):
                for index, item in enumerate(value.items):
                    if isinstance(item, Mapping):
                        yield item, (*path, key, str(index))
            yield from steps_below(value, (*path, key))
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from steps_below(item, (*path, str(index)))


def text(node: Node | None, key: str) -> str:
    """The text under a key of a mapping, or nothing."""
    inner = node.get(key) if isinstance(node, Mapping) else None
    return inner.text if isinstance(inner, Scalar) and inner.value is not None else ""


def is_true(node: Node | None, key: str) -> bool:
    inner = node.get(key) if isinstance(node, Mapping) else None
    return isinstance(inner, Scalar) and inner.value is True


# --- the compiled form


@dataclass(frozen=True)
class PlayView:
    """A whole with its compiled form."""

    view: DocumentView
    data: CompiledRuleset
    play: Play

    @cached_property
    def following(self) -> dict[str, frozenset[str]]:
        """The phases that may follow each phase, as far as somebody has asked."""
        return {}

    @cached_property
    def goals(self) -> dict[int, tuple[str, ...]]:
        """The phases that steps lead to, by the identity of their lists, as far as somebody has asked."""
        return {}

    @cached_property
    def reached(self) -> dict[str, frozenset[str]]:
        """The phases that may be reached from each phase, as far as somebody has asked."""
        return {}

    @cached_property
    def below(self) -> dict[int, tuple[Step, ...]]:
        """The steps that are `done`, by the identity of their lists, as far as somebody has asked."""
        return {}

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
            for part, choices in held(step.does, ChoicesField)
            for choose in choices
        )

    def done(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Every step below a list, and those of the actions that these use, each action once."""
        if id(steps) not in self.below:
            self.below[id(steps)] = tuple(self.done_by(steps))
        return self.below[id(steps)]

    def done_by(self, steps: tuple[Step, ...]) -> Iterator[Step]:
        todo, seen = [steps], set[str]()
        for some in todo:
            for step in every_step(some):
                yield step
                if isinstance(step.does, Use) and step.does.action not in seen:
                    seen.add(step.does.action)
                    todo += (action.do for action in (self.play.actions.get(step.does.action),) if action)

    def place(self, path: str) -> Place:
        """The place at a path: that of the value of the last key, or of the key if the value is a mapping."""
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


def zones_in(ir: Ir | None) -> tuple[Lookup, ...] | None:
    """The zones that an expression may mean; None if it is not for a zone."""
    if isinstance(ir, Conditional):
        then, other = zones_in(ir.then), zones_in(ir.other)
        return None if then is None or other is None else (*then, *other)
    return (ir,) if isinstance(ir, Lookup) and ir.kind == "zone" else None


def is_several(ir: Ir | None) -> bool:
    """Whether it is the zone of several seats."""
    return isinstance(ir, Lookup) and ir.of is not None and ir.of.type == "seats"
