"""Conditions: mappings of tests, all of which must hold, lowered to what the same expressions are.

A test asks the word of its name, as the word declares, or is one of those below. The schema declares what a key may
hold; expressions are lowered elsewhere.
"""

from collections.abc import Callable

from tilewright.base.node import Entry, Mapping, Node, Scalar
from tilewright.language.compiled.ir import Const, HasGroups, Ir, Matches, Test
from tilewright.language.documents.fields import is_null, items
from tilewright.language.expressions import folding
from tilewright.language.expressions.folding import converted
from tilewright.language.expressions.lowering import UNSURE, Lowering
from tilewright.language.expressions.naming import ANY
from tilewright.language.expressions.syntax import parse_span
from tilewright.language.expressions.trees import NameOf, NumberLiteral, Range
from tilewright.language.vocabulary.declare import Flag, OneOf, Span
from tilewright.language.vocabulary.words import WORDS


def condition(lowering: Lowering, node: Node) -> Ir:
    """An expression, or all lines of a mapping."""
    if isinstance(node, Mapping):
        return folding.apply(
            "truth", "and", *(line(lowering, entry) for entry in node.entries.values() if not is_null(entry.value))
        )
    return lowering.of_scalar(node, "truth")


def line(lowering: Lowering, entry: Entry) -> Ir:
    """One line of a condition, which is written from its key on."""
    found = test(lowering, entry.key.text, entry.value)
    if lowering.scope.note is not None:
        start, value = entry.key.place, entry.value.place
        lowering.scope.note(found, start.source.place(start.offset, value.offset + value.length - start.offset))
    return found


def test(lowering: Lowering, key: str, node: Node) -> Ir:
    """One line of a condition; unknown keys are reported with the shape."""
    test = TESTS.get(key) or test_of_word(key)
    return test(lowering, key, node) if test else folding.TRUE


def test_of_word(key: str) -> "LoweredTest | None":
    """How a condition tests the word of this name."""
    match WORDS[key].test if key in WORDS else None:
        case OneOf():
            return is_one_of
        case Span():
            return in_span
        case Flag():
            return is_so
    return None


def is_one_of(lowering: Lowering, key: str, node: Node) -> Ir:
    subject = word_of_test(lowering, key, node)
    names = [Const("name", item.text) for item in items(node) if isinstance(item, Scalar)]
    return folding.apply("truth", "or", *(folding.apply("truth", "==", subject, name) for name in names))


def word_of_test(lowering: Lowering, key: str, node: Node) -> Ir:
    lowering.text = node if isinstance(node, Scalar) else Scalar(key, key, node.place)
    return lowering.name(NameOf(key, (0, len(lowering.text.text))))


def in_span(lowering: Lowering, key: str, node: Node) -> Ir:
    subject = converted(word_of_test(lowering, key, node), "number") or ANY
    if not isinstance(node, Scalar):
        return UNSURE
    exact = NumberLiteral(node.value) if isinstance(node.value, int) else None
    tree = Range(exact, exact) if exact else lowering.parsed(node, parse_span)
    if tree is None:
        return UNSURE
    ends = [None if end is None else lowering.wanted(end, "number") for end in (tree.least, tree.most)]
    if ends[0] == ends[1] and ends[0] is not None:
        return lowering.apply("truth", "==", tree.span, subject, ends[0])
    bounds = [
        lowering.apply("truth", op, tree.span, subject, end) for op, end in zip((">=", "<="), ends, strict=True) if end
    ]
    return folding.apply("truth", "and", *bounds)


def is_so(lowering: Lowering, key: str, node: Node) -> Ir:
    subject = word_of_test(lowering, key, node)
    return subject if isinstance(node, Scalar) and node.value is True else folding.apply("truth", "not", subject)


def marked(lowering: Lowering, key: str, node: Node) -> Ir:
    """Truth marks and terms, each of which must hold."""
    return folding.apply("truth", "and", *(mark(lowering, item) for item in items(node) if isinstance(item, Scalar)))


def mark(lowering: Lowering, item: Scalar) -> Ir:
    lowering.text = item
    if lowering.word(item.text) is None:
        return UNSURE  # reported where names are linked
    return lowering.fit(lowering.name(NameOf(item.text, (0, len(item.text)))), "truth", (0, len(item.text)))


def groups_wanted(lowering: Lowering, key: str, node: Node) -> Ir:
    return HasGroups(
        lowering.template_list(node), ", ".join(item.text for item in items(node) if isinstance(item, Scalar))
    )


def test_of_tiles(lowering: Lowering, key: str, node: Node) -> Ir:
    return Test(key, lowering.classes(node))


def matches(lowering: Lowering, key: str, node: Node) -> Ir:
    return matches_of(node)


def matches_of(node: Node) -> Matches:
    """A regular expression for the whole hand, or a mapping with more details."""
    if isinstance(node, Mapping):
        given = {key: value.value for key, value in node.items() if isinstance(value, Scalar) and not is_null(value)}
        return Matches(
            str(given.get("regex", "")),
            anywhere=bool(given.get("anywhere", False)),
            of=str(given.get("in", "hand")),
            order=str(given.get("order", "sorted")),
            suits=bool(given.get("suits", True)),
            stands_for=bool(given.get("stands_for", False)),
        )
    return Matches(node.text if isinstance(node, Scalar) else "")


def expression_test(lowering: Lowering, key: str, node: Node) -> Ir:
    return condition(lowering, node)


def junction(lowering: Lowering, key: str, node: Node) -> Ir:
    parts = [condition(lowering, item) for item in items(node)]
    if key == "none":
        return folding.apply("truth", "and", *(folding.apply("truth", "not", part) for part in parts))
    return folding.apply("truth", "and" if key == "all" else "or", *parts)


LoweredTest = Callable[[Lowering, str, Node], Ir]
TESTS: dict[str, LoweredTest] = {  # tests that use no word
    "marks": marked,
    "has": groups_wanted,
    "only": test_of_tiles,
    "without": test_of_tiles,
    "every": test_of_tiles,
    "include": test_of_tiles,
    "matches": matches,
    "test": expression_test,
    "all": junction,
    "any": junction,
    "none": junction,
}
