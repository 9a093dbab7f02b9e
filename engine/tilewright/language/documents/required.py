"""Keys required after merging: by a step or line, and by a game.

Knows the schema's x-required (always) and x-playable (of a ruleset, not of a base).
"""

from collections.abc import Iterator

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.schema import Schema, below, document_schema, items


def missing_keys(full: Mapping) -> Iterator[Problem]:
    """Every key that is missing in a merged document."""
    yield from missing(full, document_schema("ruleset"), full.key("kind"), kind_of(full) == "ruleset")


def missing(node: Node, part: Schema, key: Scalar, playable: bool) -> Iterator[Problem]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from missing(item, items(part), key_of(item, key), playable)
    elif isinstance(node, Mapping):
        wanted = [*part.get("x-required", ()), *(part.get("x-playable", ()) if playable else ())]
        for name in wanted:
            if name not in node.entries:
                yield missing_key(key, name, below(part, name))
        for name, value in node.items():
            yield from missing(value, below(part, name), node.key(name), playable)


def key_of(item: Node, outer: Scalar) -> Scalar:
    """The place of an item of a list: its first key."""
    return next((entry.key for entry in item.entries.values()), outer) if isinstance(item, Mapping) else outer


def missing_key(key: Scalar, name: str, part: Schema) -> Problem:
    says = part.get("description", "").rstrip(".")
    what = "the ruleset" if key.text == "kind" else repr(key.text)
    return Problem(
        "missing-key", f"{what} lacks {name!r}", key.place, (says and f"{name}: {says[:1].lower()}{says[1:]}") or None
    )
