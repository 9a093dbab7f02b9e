"""Lint of patterns and conditions: templates that fit no form, conditions that no hand meets or that are always true,
regular expressions that are invalid or too slow."""

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.base.regular import BadPattern, compile_pattern, explodes, literal_signs
from tilewright.language.documents.fields import is_false, section
from tilewright.language.documents.shape import MarkedNode, Path
from tilewright.language.expressions import syntax, trees
from tilewright.language.expressions.lower import always, scope_at
from tilewright.language.expressions.names import tile_codes
from tilewright.language.expressions.scope import declare
from tilewright.language.lint.view import DocumentView, is_true
from tilewright.language.vocabulary import words

NO_BOUND = 99
Templates = tuple[tuple[Scalar, trees.Template], ...]


def room(view: DocumentView) -> Iterator[Problem]:
    """Check that no list of templates needs more groups than a form has."""
    sizes = {key.text: size_of(form) for key, form in view.entries("forms")}
    for use in template_lists(view):
        if use.path[0] != "forms":
            forms = forms_beside(view, use) or list(sizes)
            most = max((sizes.get(form, NO_BOUND) for form in forms), default=NO_BOUND)
            if (wanted := count(parsed(use.node))) > most:
                yield too_many_groups(use, wanted, most)


def size_of(form: Mapping) -> int:
    """The most groups that a form has."""
    pick = form.get("pick")
    if isinstance(pick, Scalar) and isinstance(pick.value, int):
        return pick.value
    templates = parsed(form.get("groups"))
    return NO_BOUND if not templates else count(templates)


def count(templates: Templates) -> int:
    return sum(template.count or 1 for _, template in templates)


def parsed(node: Node | None) -> Templates:
    """The templates of a list with the scalars they stand in; mistakes are reported elsewhere."""
    found = []
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar) and isinstance(item.value, str):
            try:
                found.append((item, syntax.parse_template(item.value)))
            except syntax.SyntaxMistake:
                continue
    return tuple(found)


def template_lists(view: DocumentView) -> Iterator[MarkedNode]:
    return (use for use in view.uses if use.sort == "block" and use.what == "templates")


def forms_beside(view: DocumentView, use: MarkedNode) -> list[str]:
    """The forms that the condition around a list requires."""
    if use.path[-1] != "has":
        return []
    node: Node | None = view.full
    for step in use.path[:-1]:
        node = (
            node.get(step)
            if isinstance(node, Mapping)
            else node.items[int(step)]
            if isinstance(node, Sequence)
            else None
        )
    return names_at(node, "form")


def names_at(node: Node | None, key: str) -> list[str]:
    inner = node.get(key) if isinstance(node, Mapping) else None
    if isinstance(inner, Scalar):
        return [inner.text]
    return [item.text for item in inner.items if isinstance(item, Scalar)] if isinstance(inner, Sequence) else []


# --- conditions that no hand meets


def impossible(view: DocumentView) -> Iterator[Problem]:
    """Tests of one condition that contradict each other or the tiles."""
    suits = len(section(view.full, "tiles", "suits").entries)
    forms = {key.text: form for key, form in view.entries("forms")}
    for use in view.uses:
        if use.sort == "block" and use.what == "condition" and isinstance(use.node, Mapping):
            yield from impossible_tests(use.node, suits, forms)


def impossible_tests(node: Mapping, suits: int, forms: dict[str, Mapping]) -> Iterator[Problem]:
    if (least := least_of(node.get(words.suits.name))) is not None and suits and least > suits:
        yield never_holds(node.key(words.suits.name), f"there are {suits} suits")
    named = names_at(node, "form")
    if is_false(node, words.concealed.name) and named and all(is_true(forms.get(name), "concealed") for name in named):
        yield never_holds(node.key(words.concealed.name), f"{' and '.join(named)} is concealed")
    if named and len(set(named)) < len(named):
        yield Problem(
            "twice-in-list", f"{Counter(named).most_common(1)[0][0]!r} appears here twice", node.key("form").place
        )
    without = set(names_at(node, "without"))
    for test in ("only", "include"):
        both = [name for name in names_at(node, test) if name in without]
        if both and (test == "include" or len(both) == len(names_at(node, test))):
            yield never_holds(node.key(test), f"{both[0]} is in `without` as well")


def least_of(node: Node | None) -> int | None:
    """The least number of a span."""
    if not isinstance(node, Scalar):
        return None
    if isinstance(node.value, int):
        return node.value
    try:
        least = syntax.parse_span(str(node.value)).least
    except syntax.SyntaxMistake:
        return None
    return int(least.value) if isinstance(least, trees.NumberLiteral) else None


def backward_spans(view: DocumentView) -> Iterator[Problem]:
    """Check that a span goes upwards."""
    for use in view.uses:
        if use.sort == "expr" and use.what in ("span", "span_or_option") and isinstance(use.node, Scalar):
            try:
                span = syntax.parse_span(use.node.text)
            except syntax.SyntaxMistake:
                continue
            least, most = span.least, span.most
            if (
                isinstance(least, trees.NumberLiteral)
                and isinstance(most, trees.NumberLiteral)
                and least.value > most.value
            ):
                yield Problem(
                    "backward-span",
                    f"{use.node.text} goes downwards: it contains no number",
                    use.node.place,
                    f"write {trees.unparse(most)}..{trees.unparse(least)}",
                )


# --- conditions that are always true or false


def constant(view: DocumentView) -> Iterator[Problem]:
    """Check that a condition depends on something."""
    scope = declare(view.whole)
    last: Path = ("",)  # what stands in a condition was asked with it
    for use in view.uses:
        asked = (use.sort == "block" and use.what == "condition") or (use.sort == "expr" and use.what == "truth")
        if asked and use.path[-1] != "if" and use.path[: len(last)] != last:
            last = use.path
            if (known := always(use.node, scope_at(view.full, use.path, scope))) is not None:
                yield always_so(use.node.place, known)


# --- regular expressions


MOST_SLOW = 3  # slow regular expressions reported at once


def regulars(view: DocumentView) -> Iterator[Problem]:
    """Check that every regular expression is valid and fast; after a few slow ones, which take time to find, no more
    are tested."""
    slow = 0
    signs = "".join(sorted({sign for code in tile_codes(view.full) for sign in code}))
    for node, options in regular_scalars(view.full):
        anywhere = is_true(options, "anywhere")
        if says_bonus(options) and "bonus" not in section(view.full, "zones").entries:
            yield no_bonus_zone(options)
        try:
            pattern = compile_pattern(node.text)
        except BadPattern as bad:
            yield Problem("bad-regular-expression", bad.message, node.at(bad.offset))
            continue
        yield from unknown_characters(node, signs)
        if slow < MOST_SLOW and explodes(pattern, signs, anywhere=anywhere):
            slow += 1
            yield Problem(
                "slow-regular-expression",
                "this expression takes too long on some hands",
                node.place,
                "let no two alternatives of a repeated part match the same, as in (1|1)+",
            )


def says_bonus(options: Mapping | None) -> TypeGuard[Mapping]:
    """Whether the expression is matched with the tiles set aside."""
    inner = options.get("in") if options is not None else None
    return isinstance(inner, Scalar) and inner.value == "bonus"


def unknown_characters(node: Scalar, signs: str) -> Iterator[Problem]:
    """Check that every character in an expression occurs in tile strings; report the first of equal ones."""
    unknown = {sign: offset for offset, sign in reversed(list(literal_signs(node.text))) if sign not in signs}
    for sign, offset in sorted(unknown.items(), key=lambda one: one[1]):
        other = sign.swapcase()
        yield Problem(
            "unknown-character",
            f"no tile is written with '{sign}', so this never matches it",
            node.at(offset),
            f"did you mean '{other}'?" if other in signs else f"tiles are written with {signs}",
        )


def regular_scalars(node: Node, key: str = "") -> Iterator[tuple[Scalar, Mapping | None]]:
    """Every regular expression below a node, with the mapping of its settings."""
    if isinstance(node, Mapping):
        for inner, value in node.items():
            if key == "matches" and inner == "regex" and isinstance(value, Scalar):
                yield value, node
            else:
                yield from regular_scalars(value, inner)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from regular_scalars(item)
    elif key == "matches" and isinstance(node.value, str):
        yield node, None


CHECKS = (room, impossible, constant, backward_spans, regulars)


# --- problems


def no_bonus_zone(options: Mapping) -> Problem:
    return Problem(
        "no-bonus-zone",
        "this looks at the tiles of the zone bonus, and there is no such zone",
        options.key("in").place,
        "declare the zone, or remove `in` to look at the hand",
    )


def too_many_groups(use: MarkedNode, wanted: int, most: int) -> Problem:
    return Problem("too-many-groups", f"{wanted} groups are needed, and no form has more than {most}", use.node.place)


def always_so(place: Place, known: bool) -> Problem:
    return Problem(
        "always-true" if known else "always-false",
        f"this is always {'true' if known else 'false'}",
        place,
        "leave it out, or write true or false if that is meant",
    )


def never_holds(key: Scalar, why: str) -> Problem:
    return Problem("never-holds", f"{key.text!r} never holds here: {why}", key.place, "leave it out")
