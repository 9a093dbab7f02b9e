"""Lint of structure: a step has one verb, a group or choice is of one sort, an action gets its arguments, and there are
no cycles.

Other checks rely on these. Cycles of terms are found when terms are typed, and cycles of classes when tiles are made.
"""

from collections.abc import Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as List

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.base.spelling import hint
from tilewright.language.documents.fields import section
from tilewright.language.lint.view import NOT_VERBS, DocumentView, steps_below, text
from tilewright.language.vocabulary.declare_steps import STEPS, written_in
from tilewright.language.vocabulary.step_fields import ChoicesField

SORTS = {
    "groups": ("alike", "run", "ranks", "any"),
    "forms": ("groups", "pick", "card", "matches", "when"),
    "buttons": ("takes", "declines", "sorts"),
}
CHOICES = ("tiles", "group", "form", "number", "seat", "suit", "flag")
Graph = Map[str, Map[str, Place]]  # from -> to -> its place
MOST_STEPS, MOST_DEEP = 1_000, 24  # of an action, with the actions that it uses


def one_verb(view: DocumentView) -> Iterator[Problem]:
    """Check that a step has one verb, or a list of steps."""
    for step, _ in view.steps:
        does = view.verbs_of(step)
        if len(does) + ("do" in step.entries) > 1:
            yield several_verbs(step, [*does, *(["do"] if "do" in step.entries else [])])
        elif not does and "do" not in step.entries:
            yield no_verb(step)


def arguments(view: DocumentView) -> Iterator[Problem]:
    """Check that a step gives an action its arguments."""
    for step, _ in view.steps:
        for verb in view.verbs_of(step):
            if verb in view.actions:
                yield from arguments_of(step, verb, section(view.full, "actions", verb, "takes"))


def arguments_of(step: Mapping, verb: str, takes: Mapping) -> Iterator[Problem]:
    given = step.get(verb)
    names = list(given.entries) if isinstance(given, Mapping) else []
    extra = [name for name in names if name not in takes.entries]
    lacking = [name for name in takes.entries if name not in names]
    for name in extra:
        assert isinstance(given, Mapping)
        yield Problem(
            "action-arguments", f"{verb} takes no {name!r}", given.key(name).place, hint(name, lacking or takes.entries)
        )
    if lacking and len(extra) < len(lacking):
        yield Problem(
            "action-arguments",
            f"{verb} takes {' and '.join(takes.entries)}; {' and '.join(lacking)} is missing",
            step.key(verb).place,
        )


def sorts(view: DocumentView) -> Iterator[Problem]:
    """Check that a group, form or button is of one sort."""
    for part, names in SORTS.items():
        for key, node in view.entries(part):
            found = [name for name in names if name in node.entries]
            if part == "forms":
                found = [name for name in found if name != "when"] or found
            if len(found) != 1:
                yield not_one_sort(key, part[:-1], names, found)
            elif found == ["pick"] and "of" not in node.entries:
                yield Problem("missing-key", f"{key.text!r} lacks 'of', what it picks from", key.place)


def choices(view: DocumentView) -> Iterator[Problem]:
    """Check that a choice is of one sort."""
    for choose in choose_mappings(view):
        for entry in choose.entries.values():
            if isinstance(entry.value, Mapping):
                found = [one for one in CHOICES if one in entry.value.entries]
                if len(found) != 1:
                    yield not_one_sort(entry.key, "choice", CHOICES, found)


def choose_mappings(view: DocumentView) -> Iterator[Mapping]:
    for _, offer in view.entries("offers"):
        if isinstance(choose := offer.get("choose"), Mapping):
            yield choose
    for step, _ in view.steps:
        yield from (choose for choose in written_in(step, ChoicesField) if isinstance(choose, Mapping))


def either(view: DocumentView) -> Iterator[Problem]:
    """Check that a verb has one of two exclusive keys: a move has tiles, or a number."""
    for step, _ in view.steps:
        for verb in view.verbs_of(step):
            node, (one, other) = step.get(verb), STEPS[verb].either if verb in STEPS else ("", "")
            if one and isinstance(node, Mapping) and (one in node.entries) == (other in node.entries):
                what = f"{one} and {other} together" if one in node.entries else f"neither {one} nor {other}"
                code, says = f"{one}-or-{other}", f"a {verb} says {one} or {other}, not {what}"
                yield Problem(code, says, step.key(verb).place)


def specials(view: DocumentView) -> Iterator[Problem]:
    """Check that special copies have codes, of their own or by a sign."""
    for key, special in view.entries("tiles", "special"):
        if "codes" not in special.entries and "sign" not in special.entries:
            yield Problem(
                "missing-key", f"{key.text!r} has neither codes nor a sign, so nobody can write these tiles", key.place
            )


def step_ids_once(view: DocumentView) -> Iterator[Problem]:
    """Check that an id occurs once in a list of steps."""
    seen: dict[tuple[str, ...], set[str]] = {}
    for step, path in view.steps:
        if id := text(step, "id"):
            here = seen.setdefault(path[:-1], set())
            if id in here:
                node = step.get("id")
                assert isinstance(node, Scalar)
                yield Problem("step-twice", f"two steps of this list are called {id!r}", node.place)
            here.add(id)


# --- cycles


def actions(view: DocumentView) -> Iterator[Problem]:
    """Check that actions do not use each other in a cycle, and do not do too much."""
    verbs = {
        key.text: [step.key(verb) for step, _ in steps_below(node, ()) for verb in view.verbs_of(step)]
        for key, node in view.entries("actions")
    }
    found = [*circles("action", {id: {verb.text: verb.place for verb in used} for id, used in verbs.items()})]
    yield from found or too_long(verbs)


def too_long(verbs: Map[str, List[Scalar]]) -> Iterator[Problem]:
    """The first action that does too much; `verbs`: what each action does, none of them itself."""
    size: dict[str, tuple[int, int]] = {}  # steps, with those of the actions that are used; how deep these are
    todo = [*verbs]
    while todo:
        used = [verb.text for verb in verbs[todo[-1]] if verb.text in verbs]
        if first := set(used) - size.keys():
            todo += first
            continue
        id = todo.pop()
        if id in size:
            continue
        steps = len(verbs[id]) + sum(size[verb][0] for verb in used)
        size[id] = steps, 1 + max((size[verb][1] for verb in used), default=0)
        if steps > MOST_STEPS or size[id][1] > MOST_DEEP:
            many = f"does more than {MOST_STEPS:,} steps, with those of the actions that it uses"
            deep = f"uses others inside others, more than {MOST_DEEP} deep"
            message = f"action {id} {many if steps > MOST_STEPS else deep}"
            hint = "use fewer actions inside others, or repeat steps with `for`"
            yield Problem("action-too-long", message, verbs[id][0].place, hint)
            return


def exclusions(view: DocumentView) -> Iterator[Problem]:
    """Check that a pattern is counted after all that could drop it."""
    yield from circles("exclusion", {key.text: listed(node, "excludes") for key, node in view.entries("patterns")})


def groups(view: DocumentView) -> Iterator[Problem]:
    """Check that a kind of group is not made of itself."""
    graph = {}
    for key, node in view.entries("groups"):
        smaller = node.get("stands_for")
        own = {smaller.text: smaller.place} if isinstance(smaller, Scalar) else {}
        graph[key.text] = {**listed(node, "any"), **own}
    yield from circles("group", graph)


def triggers(view: DocumentView) -> Iterator[Problem]:
    """Check that a trigger causes its own event only if it takes a tile, as the wall ends."""
    for key, trigger in view.entries("triggers"):
        done = {verb for step, _ in steps_below(trigger, ()) for verb in view.does(step)}
        again = [(event, place) for event, place in listed(trigger, "after").items() if event in done]
        if again and not takes_tiles(view, done):
            event, place = again[0]
            yield Problem(
                "trigger-in-a-circle",
                f"trigger {key.text} causes {event}, which it waits for",
                place,
                "only what takes a tile from a zone with `when_empty` may repeat itself",
            )


def takes_tiles(view: DocumentView, done: set[str]) -> bool:
    """Whether a tile is taken from a zone that ends play when empty."""
    declared = [STEPS[verb] for verb in done if verb in STEPS]
    takes_some = any(verb.takes_from_zones for verb in declared)
    return any(verb.ends_hands for verb in declared) or (
        takes_some and any(text(zone, "when_empty") for _, zone in view.entries("zones"))
    )


def listed(node: Node, key: str) -> dict[str, Place]:
    inner = node.get(key) if isinstance(node, Mapping) else None
    return (
        {item.text: item.place for item in inner.items if isinstance(item, Scalar)}
        if isinstance(inner, Sequence)
        else {}
    )


def circles(what: str, graph: Graph) -> Iterator[Problem]:
    """Each cycle once, where it closes."""
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


CHECKS = (
    *(one_verb, arguments, sorts, choices, either, specials, step_ids_once),
    *(actions, exclusions, groups, triggers),
)


# --- problems


def several_verbs(step: Mapping, does: list[str]) -> Problem:
    return Problem(
        "several-verbs",
        f"a step has one verb, not {len(does)}: {', '.join(does)}",
        step.key(does[1]).place,
        "make a step of each",
    )


def no_verb(step: Mapping) -> Problem:
    key = next(iter(step.entries), None)
    place = step.key(key).place if key else step.place
    return Problem("no-verb", "this step does nothing", place, f"besides {', '.join(NOT_VERBS[:5])} it needs a verb")


def not_one_sort(key: Scalar, what: str, names: tuple[str, ...], found: list[str]) -> Problem:
    which = f"not {' and '.join(found)} together" if found else "and this one has none of them"
    return Problem("not-one-sort", f"a {what} has one of {', '.join(names)}, {which}", key.place)
