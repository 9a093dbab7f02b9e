"""Fields of documents: the value of a key of a node, as text, list, mapping or flag; empty if missing."""

from collections.abc import Iterator
from collections.abc import Mapping as Map

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Source

OF_PLAY = ("phases", "offers", "restrictions", "triggers", "actions", "match")  # sections that no hand asks for


def section(node: Node | None, *keys: str) -> Mapping:
    """The mapping under keys; empty if missing."""
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node if isinstance(node, Mapping) else EMPTY


def text(node: Node | None, key: str) -> str:
    """The text under a key; empty if missing."""
    found = node.get(key) if isinstance(node, Mapping) else None
    return found.text if isinstance(found, Scalar) and found.value is not None else ""


def items(node: Node | None) -> tuple[Node, ...]:
    """The members of a list, or the one value."""
    if isinstance(node, Sequence):
        return node.items
    return () if node is None or is_null(node) else (node,)


def entries(document: Node, *keys: str) -> Iterator[tuple[str, Mapping]]:
    """Ids of a section with their nodes; `{}` may be left empty, and null removes."""
    for name, node in section(document, *keys).items():
        if isinstance(node, Mapping):
            yield name, node


def texts(node: Node | None) -> Map[str, str]:
    """A text for each language; a plain one is under en."""
    if isinstance(node, Mapping):
        return {
            language: value.text
            for language, value in node.items()
            if isinstance(value, Scalar) and value.value is not None
        }
    return {"en": node.text} if isinstance(node, Scalar) and node.value is not None else {}


def english(node: Node | None, key: str) -> str:
    """The text under a key, the English one of several, or else any."""
    found = texts(node.get(key)) if isinstance(node, Mapping) else {}
    return found.get("en") or next(iter(found.values()), "")


def titled(node: Mapping, name: str) -> Map[str, str]:
    """The name for the table, or the id."""
    return texts(node.get("name")) or {"en": name}


def flag(node: Mapping, key: str) -> bool:
    found = node.get(key)
    return isinstance(found, Scalar) and found.value is True


def is_false(node: Mapping, key: str) -> bool:
    found = node.get(key)
    return isinstance(found, Scalar) and found.value is False


def names(node: Node | None) -> tuple[str, ...]:
    return tuple(item.text for item in items(node) if isinstance(item, Scalar) and item.value is not None)


def is_null(node: Node | None) -> bool:
    return node is None or (isinstance(node, Scalar) and node.value is None)


def nowhere() -> Place:
    return Place(Source("", ""), 1, 1)


EMPTY = Mapping({}, nowhere())


def kind_of(document: Mapping) -> str:
    """The kind of a document: base, ruleset, mod or card."""
    return text_at(document, "kind")


def text_at(document: Mapping, key: str) -> str:
    """The text under a key, "" if there is none."""
    node = document.get(key)
    return str(node.value) if isinstance(node, Scalar) else ""
