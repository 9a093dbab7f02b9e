"""Lint of circles: actions, exclusions, groups and triggers that lead back to themselves.

Circles of terms are found where terms are typed, and circles of classes where tiles are made.
"""

from collections.abc import Iterator
from collections.abc import Mapping as Map

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.language.lint.view import View, steps_below, text
from tilewright.language.vocabulary.steps.declare import STEPS

Graph = Map[str, Map[str, Place]]  # from -> to -> where it says so


def actions(view: View) -> Iterator[Problem]:
    """Actions may use others, never in a circle."""
    graph = {
        key.text: {verb: step.key(verb).place for step, _ in steps_below(node, ()) for verb in view.verbs_of(step)}
        for key, node in view.entries("actions")
    }
    yield from circles("action", graph)


def exclusions(view: View) -> Iterator[Problem]:
    """A pattern is counted after all that could drop it."""
    yield from circles("exclusion", {key.text: listed(node, "excludes") for key, node in view.entries("patterns")})


def groups(view: View) -> Iterator[Problem]:
    """A kind of group is not made of itself."""
    graph = {}
    for key, node in view.entries("groups"):
        smaller = node.get("stands_for")
        own = {smaller.text: smaller.place} if isinstance(smaller, Scalar) else {}
        graph[key.text] = {**listed(node, "any"), **own}
    yield from circles("group", graph)


def triggers(view: View) -> Iterator[Problem]:
    """A trigger may cause what it waits for only by taking a tile: the wall ends."""
    for key, trigger in view.entries("triggers"):
        done = {verb for step, _ in steps_below(trigger, ()) for verb in view.does(step)}
        again = [(event, place) for event, place in listed(trigger, "after").items() if event in done]
        if again and not takes_tiles(view, done):
            event, place = again[0]
            yield Problem(
                "trigger-in-a-circle",
                f"trigger {key.text} causes {event}, which it waits for",
                place,
                "only what takes a tile from a zone with `when_empty` may go on so",
            )


def takes_tiles(view: View, done: set[str]) -> bool:
    """Whether a tile is taken from a zone that ends the play when it is empty."""
    declared = [STEPS[verb] for verb in done if verb in STEPS]
    takes_some = any(verb.takes_from_zones for verb in declared)
    return any(verb.ends_hands for verb in declared) or (
        takes_some and any(text(zone, "when_empty") for _, zone in view.entries("zones"))
    )


CHECKS = (actions, exclusions, groups, triggers)


def listed(node: Node, key: str) -> dict[str, Place]:
    inner = node.get(key) if isinstance(node, Mapping) else None
    return (
        {item.text: item.place for item in inner.items if isinstance(item, Scalar)}
        if isinstance(inner, Sequence)
        else {}
    )


def circles(what: str, graph: Graph) -> Iterator[Problem]:
    """Each circle once, where it closes."""
    done: set[str] = set()
    for start in graph:
        if start in done:
            continue
        trail: list[str] = [start]
        work = [iter(graph[start])]
        while work:
            name = next(work[-1], None)
            if name is None:
                done.add(trail.pop())
                work.pop()
            elif name in trail:
                circle = [*trail[trail.index(name) :], name]
                yield Problem(
                    f"{what}-in-a-circle",
                    f"{what} in a circle: {' -> '.join(circle)}",
                    graph[trail[-1]][name],
                    "let one of them do without the others",
                )
            elif name in graph and name not in done:
                trail.append(name)
                work.append(iter(graph[name]))
