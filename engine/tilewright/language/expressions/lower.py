"""The interface of lowering: an expression, a condition, a list of templates in; its typed form out, or
every mistake in it. `check_expressions` does it with every expression of a whole, each with the words of its place.
"""

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Several
from typing import TypeVar

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem, has_errors
from tilewright.language.compiled.ir import Apply, Const, Ir, WantedCase, asks_measures
from tilewright.language.documents.fields import items, section
from tilewright.language.documents.shape import MarkedNode
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.expressions.conditions import condition
from tilewright.language.expressions.lowering import Lowering
from tilewright.language.expressions.scope import Lookups, Scope, choice_type, declare
from tilewright.language.expressions.terms import names_of_step, term_bodies
from tilewright.language.vocabulary.declare import Stratum
from tilewright.language.vocabulary.steps.declare import is_field
from tilewright.language.vocabulary.steps.fields import ChoicesField, MarkValues

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
