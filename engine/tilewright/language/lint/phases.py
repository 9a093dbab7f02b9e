"""Lint of the play: phases that are never reached or never stop, offers that compete without a rank."""

from collections.abc import Iterator

from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Problem
from tilewright.language.documents.fields import section
from tilewright.language.expressions import syntax, trees
from tilewright.language.expressions.names import ENDS, offers_of
from tilewright.language.lint.structure import takes_tiles
from tilewright.language.lint.view import DocumentView, steps_below
from tilewright.language.vocabulary.declare_steps import written_in
from tilewright.language.vocabulary.step_fields import GoalField
from tilewright.language.vocabulary.words import WORDS

START = "deal"


def ranks(view: DocumentView) -> Iterator[Problem]:
    """Check that an offer to several seats has a rank."""
    wanting: dict[str, list[str]] = {}
    for key, phase in view.entries("phases"):
        if several_seats(phase.get("who")):
            for offer in offers_of(phase):
                if "rank" not in section(view.full, "offers", offer).entries:
                    wanting.setdefault(offer, []).append(key.text)
    offers = view.keys("offers")
    for offer, phases in wanting.items():
        if offer in offers:
            yield needs_rank(offers[offer], phases)


def several_seats(who: object) -> bool:
    """Whether an expression may name more than one seat."""
    if not isinstance(who, Scalar) or not isinstance(who.value, str):
        return False
    try:
        tree = syntax.parse_expression(who.value)
    except syntax.SyntaxMistake:
        return False
    match tree:
        case trees.NameOf(id=name):
            return name in WORDS and WORDS[name].type == "seats"
        case trees.Picked() | trees.Quantified() | trees.Arithmetic():
            return True
    return False


def ways(view: DocumentView) -> Iterator[Problem]:
    """Check that every phase leads somewhere, and if so, that each is reached."""
    yield from list(go_on(view)) or reached(view)


def reached(view: DocumentView) -> Iterator[Problem]:
    """Check that every phase can be reached from the deal, or from a trigger, an action or an empty zone."""
    if view.whole.kind != "ruleset" or START not in view.keys("phases"):
        return
    found, todo = set(), {START} | {name for part in ("triggers", "actions", "zones") for name in goals(view, part)}
    while todo:
        name = todo.pop()
        found.add(name)
        offers = offers_of(section(view.full, "phases", name))
        todo |= {
            *goals(view, "phases", name),
            *(goal for offer in offers for goal in goals(view, "offers", offer)),
        } - found
    for name, key in view.keys("phases").items():
        if name not in found and view.is_own(key.place):
            yield Problem(
                "unreachable-phase",
                f"phase {name} is never reached",
                key.place,
                "name it in `then`, `otherwise`, `go`, `interrupt` or `when_empty`",
            )


def goals(view: DocumentView, *path: str) -> Iterator[str]:
    """The phases named below a path."""
    for use in view.refs("phase"):
        if use.path[: len(path)] == path and isinstance(use.node, Scalar) and use.node.text not in ENDS:
            yield use.node.text


def go_on(view: DocumentView) -> Iterator[Problem]:
    """Check that every phase, and every offer in it, leads somewhere."""
    if view.whole.kind != "ruleset":
        return
    for key, phase in view.entries("phases"):
        if "then" in phase.entries or leaves(phase):
            continue
        if "who" not in phase.entries:
            yield Problem("no-way-on", f"phase {key.text} leads nowhere", key.place, "add `then`")
        for offer in offers_of(phase):
            node = section(view.full, "offers", offer)
            if offer in view.keys("offers") and "then" not in node.entries and not leaves(node):
                yield Problem(
                    "no-way-on",
                    f"after {offer} in {key.text} nothing follows",
                    view.keys("offers")[offer].place,
                    "add `then` to the offer or to the phase",
                )


def leaves(node: Mapping) -> bool:
    """Whether one of its steps goes to a phase."""
    return any(True for step, _ in steps_below(node, ()) for _ in written_in(step, GoalField))


def stops(view: DocumentView) -> Iterator[Problem]:
    """Check that cycles of phases without a question take tiles or retire a seat."""
    phases = dict(section(view.full, "phases").items())
    reported: set[frozenset[str]] = set()
    for start, key in view.keys("phases").items():
        trail: list[str] = []
        name = start
        while name in phases and name not in trail and "who" not in section(view.full, "phases", name).entries:
            trail.append(name)
            name = then_of(section(view.full, "phases", name))
        done = {verb for one in trail for step, _ in steps_below(phases[one], ()) for verb in view.does(step)}
        if name == start and trail and frozenset(trail) not in reported and not takes_tiles(view, done):
            reported.add(frozenset(trail))
            yield Problem(
                "never-stops",
                f"{' -> '.join([*trail, start])} never stops: nobody is asked and no tile is taken",
                key.place,
            )


def then_of(phase: Mapping) -> str:
    goal = phase.get("then")
    if isinstance(goal, Mapping):
        return next(iter(goal.entries), "")
    return goal.text if isinstance(goal, Scalar) else ""


def offered(view: DocumentView) -> Iterator[Problem]:
    """Check that every offer is one of a phase."""
    if view.whole.kind != "ruleset":
        return
    there = {offer for _, phase in view.entries("phases") for offer in offers_of(phase)}
    for name, key in view.keys("offers").items():
        if name not in there and view.is_own(key.place):
            yield Problem(
                "unused-offer", f"no phase has the offer {name}", key.place, "name it in `offers` of a phase", "warning"
            )


CHECKS = (ranks, ways, stops, offered)


# --- problems


def needs_rank(key: Scalar, phases: list[str]) -> Problem:
    return Problem(
        "needs-rank",
        f"offer {key.text} needs a rank: in {' and '.join(phases)} several seats may take it",
        key.place,
        "rank: 1 goes before rank: 2",
    )
