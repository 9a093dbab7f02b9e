"""Documents for tests of merging and mods: YAML text in, nodes and plain values out."""

from textwrap import dedent
from typing import Any

from tilewright.base.document import parse
from tilewright.base.node import Mapping, plain
from tilewright.base.problem import Problem, Source


def document(text: str, name: str = "test.yaml") -> Mapping:
    """The nodes of a document; its head is added."""
    node = parse(Source(name, dedent(text)))
    assert isinstance(node, Mapping)
    return node


def values(node: Mapping, *keys: str) -> Any:
    """The plain value at a path."""
    found: Any = plain(node)
    for key in keys:
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


def at_lines(problems: list[Problem] | tuple[Problem, ...]) -> list[tuple[str, int]]:
    """Codes with lines."""
    return [(one.code, one.place.line if one.place else 0) for one in problems]
