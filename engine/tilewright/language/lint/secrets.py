"""Lint of secrets: a mark that is set from hidden information must be secret, or it leaks; and what rules disclose.

Taint is tracked by names: of zones, marks, words, and the terms made of them. What is disclosed is read from the
compiled play, where no name matters.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, fields, is_dataclass

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.language.compiled.ir import Apply, Lookup, PickedMembers, WordCall
from tilewright.language.compiled.play import (
    Action,
    Button,
    Offer,
    Phase,
    Play,
    Restriction,
    Step,
    Trigger,
    Use,
    every_step,
)
from tilewright.language.compiled.ruleset import CompiledRuleset, Mark, Zone
from tilewright.language.lint.view import DocumentView, is_true, names_below, text
from tilewright.language.vocabulary.declare_steps import DeclaredVerb, held
from tilewright.language.vocabulary.step_fields import ShownField, ZoneField
from tilewright.language.vocabulary.steps import Hide, MakeMeld
from tilewright.language.vocabulary.words import WORDS

SECTIONS = ("actions", "triggers", "phases")
FOR_ALL, FOR_NOBODY = "everyone", "nobody"


def leaks(view: DocumentView) -> Iterator[Problem]:
    """Marks that reveal private information of their seat."""
    marks = dict(view.entries("marks"))
    public = {key.text: key for key, mark in view.entries("marks") if not is_true(mark, "secret")}
    secret = {
        *(word.name for word in WORDS.values() if word.secret),
        *(key.text for key in marks if key.text not in public),
        *(key.text for key, zone in view.entries("zones") if text(zone, "seen_by") not in ("", FOR_ALL, "nobody")),
    }
    found: dict[str, set[str]] = {}
    for part in SECTIONS:
        for _, node in view.entries(part):
            for mark, names in assigned(node, set()):
                if seen := view.closure(names) & secret - {mark}:
                    found.setdefault(mark, set()).update(seen)
    for mark, names in found.items():
        if mark in public:
            yield leaks_secret(public[mark], names)


def assigned(node: Node, conditions: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Every mark that is set below a node, with the names in its value and in the conditions around it."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from assigned(item, conditions)
    if not isinstance(node, Mapping):
        return
    here = conditions | names_below(node.get("when")) | names_below(node.get("unless"))
    mark = node.get("mark")
    if isinstance(mark, Mapping):
        for name, value in mark.items():
            yield name, here | names_below(value)
    for _, value in node.items():
        yield from assigned(value, here)


CHECKS = (leaks,)


# --- what rules disclose


Part = Phase | Offer | Trigger | Restriction | Action | Button | Mark


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A place where rules show tiles, by a `step`, or act on tiles that are hidden from the seat. `part`: the part of
    the rules; `hidden`: the zones of those tiles, by id, and the secret words asked of others."""

    part: Part
    hidden: tuple[str, ...]
    step: Step | None = None


def disclosures(data: CompiledRuleset) -> Iterator[Disclosure]:
    """Every place where rules show tiles or let hidden ones decide something, in the order of the play. What zones and
    tiles say of who sees them is not among them."""
    if data.play is None:
        return
    showing = showing_actions(data.play)
    for part in parts_of(data.play, data):
        steps = tuple(step for step in every_step(getattr(part, "do", ())) if shows(step, showing))
        for step in steps:
            done = (step.does, *(one.does for one in shown_by(step, data.play, showing)))
            yield Disclosure(part, tuple(dict.fromkeys(hidden_in(done, data))), step)
        if hidden := tuple(dict.fromkeys(hidden_in(part, data, steps))):
            yield Disclosure(part, hidden)


def parts_of(play: Play, data: CompiledRuleset) -> Iterator[Part]:
    """All that happens at the table, may be done there, or is remembered."""
    yield from play.phases.values()
    yield from play.offers.values()
    yield from play.triggers
    yield from play.restrictions
    yield from play.actions.values()
    yield from play.buttons
    yield from data.marks.values()


def showing_actions(play: Play) -> frozenset[str]:
    """The actions of the ruleset that show tiles, themselves or by others."""
    found = frozenset[str]()
    while (more := frozenset(id for id, one in play.actions.items() if any_shows(one.do, found))) != found:
        found = more
    return found


def any_shows(steps: Iterable[Step], showing: Set[str]) -> bool:
    return any(shows(step, showing) for step in every_step(steps))


def shows(step: Step, showing: Set[str]) -> bool:
    """Whether a step decides who sees tiles. `showing`: the actions that do."""
    match step.does:
        case MakeMeld(seen_by=seats):
            return seats is not None
        case Use(action=action):
            return action in showing
    return not isinstance(step.does, Hide) and any(True for _ in held(step.does, ShownField))


def shown_by(step: Step, play: Play, showing: Set[str], above: Set[str] = frozenset()) -> Iterator[Step]:
    """The steps of the actions that a step uses which show tiles."""
    if isinstance(step.does, Use) and step.does.action not in above:
        for one in every_step(play.actions[step.does.action].do):
            if shows(one, showing):
                yield one
                yield from shown_by(one, play, showing, above | {step.does.action})


def hidden_in(
    part: object, data: CompiledRuleset, without: tuple[Step, ...] = (), of_others: bool = False
) -> Iterator[str]:
    """The zones with tiles that the acting seat does not see, and the secret words of others, in a part of the rules;
    not where only tiles are counted, or moved from there unseen. `of_others`: what has no owner is another's."""
    match part:
        case Apply(op="size", args=(Lookup(kind="zone", of=of),)):
            yield from hidden_in(of, data, without, of_others)
            return
        case Lookup(kind="zone") if is_hidden(data.zones[part.name], of_others or part.of is not None):
            yield part.name
        case Lookup(kind="word") | WordCall() if part.name in WORDS and WORDS[part.name].secret:
            if of_others or part.of is not None:
                yield part.name
        case PickedMembers():
            yield from hidden_in(part.test, data, without, True)
            yield from hidden_in(part.seats, data, without, of_others)
            return
        case Step() if part in without:
            return
    unseen = {place.name for place, _ in held(part, ZoneField)} if isinstance(part, DeclaredVerb) else set()
    for one in members_of(part, unseen):
        yield from hidden_in(one, data, without, of_others)


def members_of(part: object, unseen: set[str]) -> Iterator[object]:
    """What a part is made of, but for these fields."""
    if isinstance(part, tuple | list | frozenset):
        yield from part
    elif is_dataclass(part):
        yield from (getattr(part, one.name) for one in fields(part) if one.name not in unseen)


def is_hidden(zone: Zone, of_others: bool) -> bool:
    """Whether tiles of a zone are not seen by the seat that acts."""
    if zone.seen_by == "others":
        return not of_others
    return zone.seen_by == FOR_NOBODY or (zone.seen_by == "owner" and of_others)


# --- problems


def leaks_secret(key: Scalar, names: set[str]) -> Problem:
    return Problem(
        "leaks-secret",
        f"mark {key.text} must be secret: it is set from {', '.join(sorted(names))}",
        key.place,
        "add secret: true",
    )
