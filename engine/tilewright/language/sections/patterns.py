"""Patterns with their examples, the cases of a ruleset, and which patterns are left out with these options."""

from collections.abc import Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from functools import partial

from tilewright.base.node import Mapping, Node, plain
from tilewright.base.problem import Place, Problem
from tilewright.language.compiled.ir import Const, Ir, WantedCase
from tilewright.language.compiled.ruleset import Example, LeftOut, Measure, Pattern, RulesetCase
from tilewright.language.documents.fields import (
    entries,
    flag,
    is_false,
    is_null,
    items,
    names,
    section,
    text,
    text_at,
    texts,
    titled,
)
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.expressions.scope import Scope
from tilewright.language.sections.elaboration import Elaboration


def patterns(elaboration: Elaboration, measures: Several[Measure]) -> Iterator[Pattern]:
    brought = tuple((measure.id, *measure.brings.items()) for measure in measures)
    for name, node in entries(elaboration.whole.document, "patterns"):
        yield elaboration.once("pattern", node, partial(pattern, elaboration, name, measures), name, brought)


def pattern(elaboration: Elaboration, name: str, measures: Several[Measure]) -> Pattern:
    node = section(elaboration.whole.document, "patterns", name)
    first = measures[0].id if measures else ""
    brings = {measure.id: measure.brings for measure in measures}
    scope = elaboration.scope.within("reading", f"pattern {name}")
    exposed = node.get("exposed")
    when, late = elaboration.condition_in_two(node.get("when"), scope.within("measure", scope.subject))
    if late is not None:
        elaboration.problems.extend(decided_last(name, node))
    return Pattern(
        id=name,
        name=titled(node, name),
        about=texts(node.get("about")),
        everyone=text(node, "for") == "everyone",
        worth=with_brought(worth(elaboration, node.get("worth"), first, scope), brings),
        exposed=None
        if exposed is None or is_null(exposed)
        else with_brought(worth(elaboration, exposed, first, scope), brings),
        when=when,
        each=each(elaboration, node.get("each"), scope),
        times=elaboration.expression(node.get("times"), "number", scope),
        family=text(node, "family") or None,
        excludes=names(node.get("excludes")),
        limit=flag(node, "limit"),
        extra=flag(node, "extra"),
        alone=flag(node, "alone"),
        provisional=flag(node, "provisional"),
        examples=elaboration.whole.shared.of_node(node, "examples", lambda: tuple(examples(node.get("examples")))),
        place=section(elaboration.whole.document, "patterns").key(name).place,
        late=late,
    )


def decided_last(name: str, node: Mapping) -> Iterator[Problem]:
    """What a pattern cannot be that is decided once all others are."""
    for key in ("excludes", "family", "alone"):
        if not is_null(node.get(key)) and not is_false(node, key):
            message = f"pattern {name} is decided after all others, as it asks for what they come to: it has no {key}"
            way_out = "let others exclude it, or leave the measure out of its `when`"
            yield Problem("decided-last", message, node.key(key).place, way_out)


def worth(elaboration: Elaboration, node: Node | None, first: str, scope: Scope) -> dict[str, Ir]:
    """Worth by measure; a plain number is of the first measure."""
    if node is None or is_null(node):
        return {}
    if isinstance(node, Mapping):
        return {name: elaboration.needed(value, "number", scope) for name, value in node.items() if not is_null(value)}
    return {first: elaboration.needed(node, "number", scope)}


def with_brought(worth: Map[str, Ir], brings: Map[str, Map[str, Const]]) -> dict[str, Ir]:
    """A worth with what its measures bring, unless it says so itself."""
    brought = {name: number for measure in worth for name, number in brings.get(measure, {}).items()}
    return {**brought, **worth}


def each(elaboration: Elaboration, node: Node | None, scope: Scope) -> tuple[tuple[WantedCase, ...], ...] | None:
    if node is None or is_null(node):
        return None
    lists = items(node.get("any")) if isinstance(node, Mapping) else (node,)
    return tuple(elaboration.cases_of(one, scope) for one in lists)


def examples(node: Node | None) -> Iterator[Example]:
    for item in items(node):
        if isinstance(item, Mapping):
            case = {key: plain(value) for key, value in item.items() if key not in ("id", "yes") and not is_null(value)}
            yield Example(case, flag(item, "yes"), item.place, text_at(item, "id"))


def cases(elaboration: Elaboration) -> Iterator[RulesetCase]:
    document, shared = elaboration.whole.document, elaboration.whole.shared
    for name, node in entries(document, "cases"):
        made = partial(case, name, node, section(document, "cases").key(name).place)
        yield shared.of_node(node, "case", made)


def case(name: str, node: Mapping, place: Place) -> RulesetCase:
    given = {key: plain(value) for key, value in node.items() if key not in ("for", "expect") and not is_null(value)}
    expect = plain(section(node, "expect"))
    moves = tuple(item.place for item in items(node.get("play")))
    return RulesetCase(name, given, expect if isinstance(expect, dict) else {}, place, moves)


def left_out(whole: MergedRuleset) -> Iterator[LeftOut]:
    """The patterns with examples that do not exist with these options."""
    there = section(whole.document, "patterns").entries
    for name, node in entries(whole.full, "patterns"):
        if name not in there and (count := len(items(node.get("examples")))):
            yield LeftOut(name, count, section(whole.full, "patterns").key(name).place)
