"""Terms: every term of a whole lowered, each after those that it uses; cycles are problems.

Knows how terms are declared, not their use.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Map
from dataclasses import replace

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem, has_errors
from tilewright.language.expressions.conditions import condition
from tilewright.language.expressions.lowering import ANY, MAX_LOOPS, Lowering, TermBody
from tilewright.language.expressions.scope import Declared, Scope
from tilewright.language.expressions.syntax import NameOf, SyntaxMistake, parse_expression, parse_template
from tilewright.language.expressions.types import MEMBERS
from tilewright.language.vocabulary.declare import STRATA

MAX_TERM_DEPTH = 100


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
