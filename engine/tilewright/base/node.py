"""Nodes: what a document is made of. Every node knows its place; a scalar knows the place of each of its characters.

Knows neither YAML's block structure nor any schema; `tilewright.base.document` makes nodes from text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tilewright.base.characters import spans
from tilewright.base.problem import Place

Value = None | bool | int | Fraction | str


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. YAML 1.2 core: `yes`, `on` and `no` are strings. Numbers are exact: 0.2 is Fraction(1, 5)."""

    value: Value
    text: str  # as resolved from the document, before it became a value
    place: Place
    quoted: bool = False

    def at(self, offset: int, length: int = 1) -> Place:
        """The place of some characters of `text`: behind escapes, folds and indentation. Past the end: just after
        it."""
        source = self.place.source
        places = spans(source.text, self.place.offset, self.text)
        if places is None:
            return self.place
        if offset >= len(places):
            return source.place(places[-1][1] if places else self.place.offset)
        first, last = max(0, offset), min(max(offset + length, 1), len(places)) - 1
        return source.place(places[first][0], places[max(first, last)][1] - places[first][0])


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes."""

    items: tuple["Node", ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value. The key is a text, whatever it looks like."""

    key: Scalar
    value: "Node"


@dataclass(frozen=True, slots=True)
class Mapping:
    """Entries by key, in the order of the document. Keys are strings (`1:` is the key "1")."""

    entries: dict[str, Entry]
    place: Place

    def get(self, key: str) -> "Node | None":
        """The value of a key, or None if there is no such key."""
        entry = self.entries.get(key)
        return entry.value if entry else None

    def key(self, key: str) -> Scalar:
        """The key itself, for its place; KeyError if there is none."""
        return self.entries[key].key

    def items(self) -> Iterator[tuple[str, "Node"]]:
        """Keys with their values, in the order of the document."""
        return ((key, entry.value) for key, entry in self.entries.items())


Node = Scalar | Sequence | Mapping


def plain(node: Node) -> object:
    """The node as dict, list and values without places; numbers are int or Fraction."""
    match node:
        case Scalar(value=value):
            return value
        case Sequence(items=items):
            return [plain(item) for item in items]
        case Mapping():
            return {key: plain(value) for key, value in node.items()}
