"""The interface of lowering: an expression, a condition, a list of templates, the terms of a whole in; their typed form
out, or every mistake in it. `check_expressions` does it with every expression of a whole, each with the words of its
place.

Every term is lowered after those that it uses; cycles are problems.
"""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from dataclasses import replace
from typing import TypeVar

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem, has_errors
from tilewright.language.compiled.ir import Apply, Const, Ir, WantedCase, asks_measures
from tilewright.language.documents.fields import items, section
from tilewright.language.documents.shape import MarkedNode
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.expressions.conditions import condition
from tilewright.language.expressions.folding import MEMBERS
from tilewright.language.expressions.lowering import Lowering
from tilewright.language.expressions.naming import ANY, MAX_LOOPS, TermBody
from tilewright.language.expressions.scope import Declared, Lookups, Scope, choice_type, declare
from tilewright.language.expressions.syntax import SyntaxMistake, parse_expression, parse_template
from tilewright.language.expressions.trees import NameOf
from tilewright.language.vocabulary.declare import STRATA, Stratum
from tilewright.language.vocabulary.declare_steps import is_field
from tilewright.language.vocabulary.step_fields import ChoicesField, MarkValues

MAX_TERM_DEPTH = 100
Lowered = tuple[Ir | None, list[Problem]]
L = TypeVar("L")


def lower(text: Scalar, wanted: str, scope: Scope) -> Lowered:
    """One expression of an expected type (truth, number, tiles, seats, group, value ...); None after a mistake."""
    ir, problems = lowered(text, wanted, scope, lambda lowering: lowering.scalar(text, wanted))
    return (None if has_errors(problems) else ir), problems


def lower_condition(node: Node, scope: Scope) -> Lowered:
    """A condition: an expression, or a mapping of tests."""
    ir, problems = lowered(node, "condition", scope, lambda lowering: condition(lowering, node))
    return (None if has_errors(problems) else ir), problems


def lower_in_two(node: Node, scope: Scope) -> tuple[Ir | None, Ir | None, list[Problem]]:
    """A condition in two: what the reading decides, and what asks for measures; both have to hold."""
    (when, late), problems = lowered(node, "in two", scope, lambda lowering: split(condition(lowering, node)))
    return (None, None, problems) if has_errors(problems) else (when, late, problems)


def split(when: Ir | None) -> tuple[Ir | None, Ir | None]:
    if when is None or not asks_measures(when):
        return when, None
    parts = when.args if isinstance(when, Apply) and when.op == "and" else (when,)
    late = [one for one in parts if asks_measures(one)]
    return joined([one for one in parts if one not in late]), joined(late)


def joined(parts: Several[Ir]) -> Ir | None:
    return Apply("truth", "and", tuple(parts)) if len(parts) > 1 else next(iter(parts), None)


def lower_templates(node: Node, scope: Scope, in_form: bool = False) -> tuple[tuple[WantedCase, ...], list[Problem]]:
    """A list of templates; without tiles and groups in the scope it is checked and has no cases."""
    what = "form" if in_form else "templates"
    cases, problems = lowered(node, what, scope, lambda lowering: lowering.template_list(node, in_form))
    return (() if has_errors(problems) else cases), problems


def lower_span(node: Node, scope: Scope) -> tuple[Ir | None, Ir | None, list[Problem]]:
    """The ends of a range of numbers, none if it is open or wrong."""
    (least, most), problems = lowered(node, "span", scope, lambda lowering: lowering.span(node))
    return least, most, problems


def lower_classes(node: Node | None, scope: Scope) -> tuple[Ir, ...]:
    """Each class of a list of them, as tiles."""
    return lowered(node, "classes", scope, lambda lowering: lowering.classes(node))[0] if node is not None else ()


def lowered(node: Node, what: str, scope: Scope, make: Callable[[Lowering], L]) -> tuple[L, list[Problem]]:
    """What a node becomes here, and its problems. What had none becomes the very same again, while the names and
    options in it are the same."""
    earlier = scope.earlier if scope.note is None else None
    key = scope.place_of(node, what)
    if earlier is not None and (known := earlier.recall(key, scope, term_bodies)) is not None:
        return known, []
    lowering = Lowering(scope, term_bodies)
    made = make(lowering)
    scope.tell(lowering.looked_up)
    if earlier is not None and not lowering.problems:
        earlier.keep(key, node, lowering.looked_up, made)
    return made, lowering.problems


def always(node: Node, scope: Scope) -> bool | None:
    """The constant value of a condition, whatever the options are; None if it has none, and for a plain
    `true` or `false`, which is intended."""
    if isinstance(node, Scalar) and not isinstance(node.value, str):
        return None
    lowering = Lowering(scope, term_bodies)
    ir = condition(lowering, node)
    if has_errors(lowering.problems) or lowering.by_option or not isinstance(ir, Const) or ir.type != "truth":
        return None
    return bool(ir.value)


# --- every expression of a whole


def check_expressions(whole: MergedRuleset) -> Iterator[Problem]:
    """The problems of the expressions of a whole, including parts absent with these options."""
    scope = declare(whole)
    found: dict[Problem, None] = {}
    for body in term_bodies(scope).values():
        found.update(dict.fromkeys(body.problems))
    # What may have a problem with other options: uses, with what was looked up if there was none.
    open_uses: list[tuple[MarkedNode, Lookups | None]] = whole.found.once(
        ("expressions", scope.categories), lambda: [(use, None) for use in lowered_uses(whole)]
    )
    left = []
    for use, asked in open_uses:
        if asked is None or not asked.hold(scope, term_bodies):
            problems, asked = problems_of_use(use, scope_at(whole.full, use.path, scope))
            found.update(dict.fromkeys(problems))
            if problems:
                asked = None
            elif asked is None:
                continue
        left.append((use, asked))
    open_uses[:] = left
    yield from found


def lowered_uses(whole: MergedRuleset) -> Iterator[MarkedNode]:
    """Every expression, condition and list of templates outside of terms, without what stands in another."""
    block: tuple[str, ...] = ("terms",)  # the last one
    for use in whole.uses:
        if use.path[: len(block)] != block and use.path[0] != "terms" and use.sort in ("expr", "block"):
            block = use.path if use.sort == "block" else block
            yield use


def problems_of_use(use: MarkedNode, scope: Scope) -> tuple[list[Problem], Lookups | None]:
    """The problems of one expression, condition or list of templates; and what it asks, if that may depend on
    options."""

    def make(lowering: Lowering) -> tuple[Lookups | None]:
        lower_use(lowering, use, scope)
        return (lowering.looked_up if lowering.by_option else None,)

    (asks,), problems = lowered(use.node, f"check {use.what}", scope, make)
    return problems, asks


def lower_use(lowering: Lowering, use: MarkedNode, scope: Scope) -> None:
    """Lower one expression, condition or list of templates."""
    match use.what:
        case "condition":
            condition(lowering, use.node)
        case "templates":
            lowering.template_list(use.node)
        case "span":
            lowering.span(use.node)
        case "set" | "span_or_option" if isinstance(use.node, Scalar) and is_span(use.node):
            lowering.span(use.node)
        case "span_or_option":
            lowering.option_named(use.node)
        case "template":
            lowering.template_list(use.node)
        case _:
            lowering.of_scalar(use.node, wanted_at(use, scope))


def wanted_at(use: MarkedNode, scope: Scope) -> str:
    """The expected type: that of the mark or the argument, for a value."""
    path = use.path
    if use.what != "value" or len(path) < 3:
        return use.what
    sets_mark = is_field(path[:-1], MarkValues)
    if sets_mark or (path[0] == "marks" and path[-1] == "start"):
        name = path[-1] if sets_mark else path[1]
        declared = scope.words.get(name)
        return declared.type if declared is not None and declared.kind == "mark" else use.what
    taken = [one for one in scope.declarations if one.section == "actions" and one.name == path[-1]]
    return next((one.type for one in taken if one.owner == path[-2]), use.what)


def is_span(node: Scalar) -> bool:
    return not isinstance(node.value, str) or ".." in node.value or node.value.isdecimal()


# --- the words of a place

LIMITS: dict[str, tuple[Stratum, str]] = {
    "options": ("table", "an option"),
    "tiles": ("table", "a tile set"),
    "groups": ("table", "a group"),
    "forms": ("table", "a form"),
    "seats": ("table", "the table"),
    "patterns": ("reading", "a pattern"),
    "scoring": ("measure", "a measure"),
}


def scope_at(full: Mapping, path: tuple[str, ...], scope: Scope) -> Scope:
    """The scope of a place: its highest stratum, and the words of the offer, action and loops around it."""
    part = path[0]
    if part in LIMITS and "if" not in path[-1:]:
        limit, subject = LIMITS[part]
        named = f"{subject.split(' ', 1)[1]} {path[1]}" if part in ("forms", "patterns") else subject
        limit = "measure" if part == "patterns" and path[2:3] == ("when",) else limit
        scope = scope.within(limit, named, earlier_measures(full, path))
    return scope.knowing(letters_at(full, path, scope))


def earlier_measures(full: Mapping, path: tuple[str, ...]) -> frozenset[str] | None:
    """The measures that are counted before the one at this path; None if all are."""
    if path[:2] != ("scoring", "measures"):
        return None
    names = list(section(full, "scoring", "measures").entries)
    return frozenset(names[: names.index(path[2])])


def letters_at(full: Mapping, path: tuple[str, ...], scope: Scope) -> dict[str, str]:
    """Words that only this place has: choices of its offer, arguments of its action, letters of loops around it."""
    letters: dict[str, str] = {}
    if path[0] == "offers":
        choices = section(full, "offers", path[1], "choose")
        letters |= chosen_before(choices, path[3:] if path[2:3] == ("choose",) else ())
    if path[0] in ("restrictions", "buttons"):
        letters |= chosen_in_all(full, section(full, *path[:2]))
    if path[0] == "actions":
        letters |= arguments_of(full, path[1])
    if path[0] == "triggers":
        letters |= arguments_followed(full, section(full, *path[:2]))
    node: Node | None = full
    for depth, key in enumerate(path):
        loop = node.get("for") if isinstance(node, Mapping) else None
        if isinstance(loop, Mapping) and key != "for" and depth > 1:
            letters |= names_of_step(loop, scope.knowing(letters))
        node = step_into(node, key)
        if isinstance(node, Mapping) and is_field(path[: depth + 1], ChoicesField):
            letters |= chosen_before(node, path[depth + 1 :])
    return letters


def arguments_of(full: Mapping, action: str) -> dict[str, str]:
    """The arguments of an action, with their types; none of another event."""
    takes = section(full, "actions", action, "takes")
    return {name: value.text for name, value in takes.items() if isinstance(value, Scalar)}


def arguments_followed(full: Mapping, trigger: Mapping) -> dict[str, str]:
    """The arguments that all events have that a trigger follows."""
    events = [arguments_of(full, item.text) for item in items(trigger.get("after")) if isinstance(item, Scalar)]
    first, *others = events or [{}]
    return {name: type for name, type in first.items() if all(one.get(name) == type for one in others)}


def chosen_before(choices: Mapping, path: tuple[str, ...]) -> dict[str, str]:
    """The choices that are known at a path below them, empty for elsewhere: in a choice itself the earlier ones, and in
    its condition also the choice."""
    names = list(choices.entries)
    if path and path[0] in names:
        last = names.index(path[0])
        names = names[: last + 1] if path[1:2] == ("when",) else names[:last]
    return {name: choice_type(choices.entries[name].value) for name in names}


def chosen_in_all(full: Mapping, node: Mapping) -> dict[str, str]:
    """The choices common to all offers that a restriction bars or a button answers."""
    named = [
        item.text for key in ("bars", "takes", "declines") for item in items(node.get(key)) if isinstance(item, Scalar)
    ]
    choices = [chosen_before(section(full, "offers", name.rpartition(".")[2], "choose"), ()) for name in named]
    shared = set[tuple[str, str]].intersection(*(set(one.items()) for one in choices)) if choices else set()
    return dict(sorted(shared))


def step_into(node: Node | None, key: str) -> Node | None:
    if isinstance(node, Mapping):
        return node.get(key)
    return node.items[int(key)] if isinstance(node, Sequence) else None


# --- terms


def term_bodies(scope: Scope) -> dict[str, TermBody]:
    """Every term of the whole, lowered; each after those that it uses. A cycle is a problem of its first term."""
    if "terms" not in scope.memo:
        bodies = scope.memo["terms"] = dict[str, TermBody]()
        plain = replace(scope, letters={}, limit=STRATA[-1], subject="a term", measures=None, parts=[])
        terms = {name: declared for name, declared in scope.words.items() if declared.kind == "term"}
        for name in in_order({name: used_terms(body_of(declared), terms) for name, declared in terms.items()}):
            if isinstance(name, tuple):
                bodies[name[0]] = TermBody(ANY, problems=(circle(name, terms),))
            elif name not in bodies:
                bodies[name] = lowered_term(body_of(terms[name]), plain)
    found: dict[str, TermBody] = scope.memo["terms"]
    return found


def body_of(declared: Declared) -> Node:
    """The body of a term."""
    if isinstance(declared.node, Mapping):
        return declared.node.get("is") or Scalar(None, "", declared.place)
    return declared.node


def lowered_term(body: Node, scope: Scope) -> TermBody:
    """A term with its stratum; a mistake in it is reported here and not again where it is used. The same as before, if
    the names and options in it are the same."""
    earlier = scope.earlier if scope.note is None else None
    key = scope.place_of(body, "term")
    if earlier is not None and (known := earlier.recall(key, scope, term_bodies)) is not None:
        found: TermBody = known
        return found
    lowering = Lowering(scope, term_bodies)
    ir = condition(lowering, body) if isinstance(body, Mapping) else lowering.of_scalar(body, "value")
    if scope.note is not None and ir.type == "truth":
        scope.note(ir, body.place)
    depth = lowering.depth + 1
    if depth > MAX_TERM_DEPTH:
        depth = 1
        lowering.problem("too-deep", f"terms lead through at most {MAX_TERM_DEPTH} others", body.place)
    made = TermBody(
        ANY if has_errors(lowering.problems) else ir,
        lowering.stratum,
        lowering.highest,
        min(lowering.deepest, MAX_LOOPS),
        1 if lowering.expensive else lowering.cost,
        depth,
        lowering.by_option,
        tuple(lowering.problems),
    )
    if earlier is not None and not lowering.problems:
        earlier.keep(key, body, lowering.looked_up, made)
    return made


# --- the order of terms


def in_order(uses: Map[str, set[str]]) -> Iterator[str | tuple[str, ...]]:
    """Every name after those it uses; a cycle is a tuple, once, from its first name back to it."""
    done: set[str] = set()
    for first in uses:
        path: list[tuple[str, Iterator[str]]] = [] if first in done else [(first, iter(sorted(uses[first])))]
        while path:
            name = next(path[-1][1], None)
            if name is None:
                done.add(finished := path.pop()[0])
                yield finished
            elif name in (names := [one for one, _ in path]):
                ring = names[names.index(name) :]
                start = min(ring, key=list(uses).index)
                turned = ring[ring.index(start) :] + ring[: ring.index(start)]
                yield (*turned, start)
            elif name not in done:
                path.append((name, iter(sorted(uses[name]))))


def used_terms(node: Node, terms: Iterable[str]) -> set[str]:
    """Terms named anywhere in a body."""
    known = set(terms)
    match node:
        case Scalar():
            return set(names_in(node)) & known
        case Sequence():
            return set().union(*(used_terms(item, known) for item in node.items))
    return set().union(*(used_terms(value, known) for key, value in node.items() if key != "matches"))


def names_in(text: Scalar) -> list[str]:
    """Names in an expression, in templates as well; none if its syntax is wrong."""
    if not isinstance(text.value, str):
        return []
    for parse in (parse_expression, parse_template):
        try:
            return [one.id for one in walk(parse(text.value))]
        except SyntaxMistake:
            continue
    return []


def walk(node: object) -> Iterator[NameOf]:
    """Every name in a tree."""
    if isinstance(node, NameOf):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from walk(part)
    elif hasattr(node, "__dataclass_fields__"):
        for part in node.__dataclass_fields__:
            if part != "span":
                yield from walk(getattr(node, part))


def circle(names: tuple[str, ...], terms: Map[str, Declared]) -> Problem:
    return Problem(
        "circle",
        f"term in a circle: {' -> '.join(names)}",
        terms[names[0]].place,
        "define one of them without the others",
    )


# --- loops of steps


def names_of_step(loop: Mapping, scope: Scope) -> dict[str, str]:
    """The letter of a `for: {name: set}` with its type."""
    found = {}
    for name, node in loop.items():
        type = "any"
        if isinstance(node, Scalar) and isinstance(node.value, str) and ".." not in node.value:
            ir = Lowering(scope, term_bodies).scalar(node, "value")
            type = MEMBERS.get(ir.type, ir.type)
        elif isinstance(node, Scalar):
            type = "number"
        found[name] = type
    return found
