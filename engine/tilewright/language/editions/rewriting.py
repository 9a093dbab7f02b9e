"""Rewriting: names and shapes that change in a document, each with its place; the document with them changed, as a tree
whose nodes keep their places, or as a text.

Knows no schema and no edition.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place


@dataclass(frozen=True, slots=True)
class Renaming:
    """A name in a scalar or a key that becomes another. `since`: the edition in which it has the new name."""

    scalar: Scalar
    start: int  # of the name, in the text of the scalar
    old: str
    new: str
    since: int

    @property
    def place(self) -> Place:
        """The place of the old name."""
        return self.scalar.at(self.start, len(self.old))


@dataclass(frozen=True, slots=True)
class Wrapping:
    """A single value that becomes a list of it or, with a key, a mapping."""

    scalar: Scalar
    key: str
    since: int

    @property
    def place(self) -> Place:
        return self.scalar.place

    def around(self, node: Node) -> Node:
        """The list or the mapping with the value."""
        if not self.key:
            return Sequence((node,), node.place)
        return Mapping({self.key: Entry(Scalar(self.key, self.key, node.place), node)}, node.place)


Change = Renaming | Wrapping


def rewritten(document: Mapping, changes: Iterable[Change]) -> Mapping:
    """The document with the changes."""
    names: dict[int, list[Renaming]] = {}
    shapes: dict[int, Wrapping] = {}
    for one in changes:
        if isinstance(one, Renaming):
            names.setdefault(id(one.scalar), []).append(one)
        else:
            shapes[id(one.scalar)] = one
    if not names and not shapes:
        return document
    found = Rewriter({key: renamed(ones) for key, ones in names.items()}, shapes).node(document)
    assert isinstance(found, Mapping)
    return found


def renamed(changes: list[Renaming]) -> Scalar:
    """A scalar with its names changed."""
    scalar = changes[0].scalar
    text = scalar.text
    for one in sorted(changes, key=lambda change: change.start, reverse=True):
        text = text[: one.start] + one.new + text[one.start + len(one.old) :]
    return replace(scalar, text=text, value=text if isinstance(scalar.value, str) else int(text))


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Rewrites nodes; those without a change stay the same ones."""

    scalars: dict[int, Scalar]
    shapes: dict[int, Wrapping]

    def node(self, node: Node) -> Node:
        match node:
            case Scalar():
                new: Node = self.scalars.get(id(node), node)
                return self.shapes[id(node)].around(new) if id(node) in self.shapes else new
            case Sequence():
                items = tuple(map(self.node, node.items))
                return node if all(map(same, items, node.items)) else Sequence(items, node.place)
        entries = [self.entry(entry) for entry in node.entries.values()]
        if all(map(same, entries, node.entries.values())):
            return node
        return Mapping({entry.key.text: entry for entry in entries}, node.place)

    def entry(self, entry: Entry) -> Entry:
        key, value = self.scalars.get(id(entry.key), entry.key), self.node(entry.value)
        return entry if key is entry.key and value is entry.value else Entry(key, value)


def same(one: object, other: object) -> bool:
    return one is other


# --- texts


def rewritten_text(text: str, changes: Iterable[Change]) -> str:
    """The text of a document with the changes; a scalar that takes several lines is not wrapped."""
    for start, length, new in sorted({edit for one in changes for edit in edits(text, one)}, reverse=True):
        text = text[:start] + new + text[start + length :]
    return text


def edits(text: str, change: Change) -> Iterable[tuple[int, int, str]]:
    """The edits of a change: offset, length, new text."""
    place = change.place
    if isinstance(change, Renaming):
        yield place.offset, place.length, change.new
        return
    opening, closing = (f"{{{change.key}: ", "}") if change.key else ("[", "]")
    written = text[place.offset : place.offset + place.length]
    yield place.offset, place.length, f"{opening}{written}{closing}"


def can_be_written(change: Change) -> bool:
    """Whether the change can be made in the text: names are found behind escapes, but a text of several lines is not
    wrapped."""
    source = change.place.source
    written = source.text[change.place.offset : change.place.offset + change.place.length]
    return written == change.old if isinstance(change, Renaming) else "\n" not in change.scalar.text.rstrip("\n")
