"""Editions: a document of any edition in; the same in the newest out, with what changed and what a person has to
change.

Names and shapes change by a table, each with its place; the document with them changed is a tree whose nodes keep their
places, or a text. Knows the table and the structure of documents, but no schema: what is an expression or a condition
is handed in.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.base.version import EDITION

FIRST, NEWEST = 1, EDITION  # editions that are read
MARK = "tilewright"  # the key with the edition
PATCHES = ("add", "change")  # of a mod: they have the structure of a ruleset
TABLE = Path(__file__).with_name("edition_changes.yaml")
NAME = re.compile(r"[A-Za-z_]\w*")
COMMAND = "`tilewright upgrade` renames it"


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


# --- the table


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A change from the edition before `edition`. `kind`: key, word, list, mapping or removed; `of`: the path or the
    word; `new`: what it becomes, or what to write instead."""

    id: str
    edition: int
    kind: str
    of: str
    new: str = ""

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(self.of.split("."))

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path[-1]


Table = tuple[TableEntry, ...]


@cache
def changes() -> Table:
    """The entries of the table in the package."""
    from tilewright.base.document import read  # imported here: a ruleset from the cache is not parsed

    return read_table(read(TABLE))


def read_table(document: Mapping) -> Table:
    """The entries of a table, in its order."""
    return tuple(
        entry_of(id, int(edition), found)
        for edition, of_edition in document.items()
        if isinstance(of_edition, Mapping)
        for id, found in of_edition.items()
        if isinstance(found, Mapping)
    )


def entry_of(id: str, edition: int, found: Mapping) -> TableEntry:
    texts = {key: value.text for key, value in found.items() if isinstance(value, Scalar)}
    kind, of = next(iter(texts.items()))
    return TableEntry(id, edition, kind, of, texts.get("becomes", texts.get("instead", "")))


def edition_of(document: Mapping) -> int:
    """The edition that a document is written in; the newest if it names none that is known."""
    found = document.get(MARK)
    value = found.value if isinstance(found, Scalar) else None
    return value if isinstance(value, int) and FIRST <= value <= NEWEST else NEWEST


@dataclass(frozen=True, slots=True)
class Words:
    """Where words of expressions are: scalars that are expressions, and conditions, whose keys may be words."""

    expressions: tuple[Scalar, ...] = ()
    conditions: tuple[Mapping, ...] = ()


@dataclass(frozen=True, slots=True)
class RenewedDocument:
    """A document in the newest edition, what changed, and what a person has to change."""

    document: Mapping
    changes: tuple[Change, ...]
    removed: tuple[Problem, ...]


def renewed(document: Mapping, words: Words, table: Table | None = None, since: int | None = None) -> RenewedDocument:
    """The document in the newest edition. `since`: the edition that it is written in, unless it says so."""
    edition = edition_of(document) if since is None else since
    later = [entry for entry in (changes() if table is None else table) if entry.edition > edition]
    found, removed = list[Change](), list[Problem]()
    for entry in later:
        if entry.kind == "removed":
            removed += (is_removed(key, entry) for key, _ in at_path(document, entry.path))
        else:
            found += changed(document, entry, words)
    mark = document.get(MARK)
    if edition < NEWEST and isinstance(mark, Scalar):
        found.append(Renaming(mark, 0, mark.text, str(NEWEST), NEWEST))
    return RenewedDocument(rewritten(document, found), tuple(found), tuple(removed))


def changed(document: Mapping, entry: TableEntry, words: Words) -> Iterator[Change]:
    """What an entry changes in a document."""
    if entry.kind == "word":
        for scalar in words.expressions:
            for name in NAME.finditer(scalar.text) if isinstance(scalar.value, str) else ():
                if name.group() == entry.of:
                    yield Renaming(scalar, name.start(), entry.of, entry.new, entry.edition)
        for condition in words.conditions:
            if entry.of in condition.entries:
                yield Renaming(condition.key(entry.of), 0, entry.of, entry.new, entry.edition)
        return
    for key, value in at_path(document, entry.path):
        if entry.kind == "key":
            yield Renaming(key, 0, entry.name, entry.new, entry.edition)
        elif isinstance(value, Scalar) and value.value is not None:
            yield Wrapping(value, entry.new if entry.kind == "mapping" else "", entry.edition)


def at_path(document: Mapping, path: tuple[str, ...]) -> Iterator[tuple[Scalar, Node]]:
    """The keys at a path, with their values: of the document, and of the parts of a mod that are like one."""
    for start in (document, *(document.get(patch) for patch in PATCHES)):
        yield from below(start, path)


def below(node: Node | None, path: tuple[str, ...]) -> Iterator[tuple[Scalar, Node]]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from below(item, path)
    if not isinstance(node, Mapping):
        return
    part, *rest = path
    for name, entry in node.entries.items():
        if part in (name, "*"):
            if rest:
                yield from below(entry.value, tuple(rest))
            else:
                yield entry.key, entry.value


def since(old: str, new: str, edition: int) -> str:
    """The one answer to an old name."""
    return f"`{old}` is called `{new}` since edition {edition}"


def answer_to(name: str, known: Iterable[str], table: Table | None = None) -> str | None:
    """What to say of a key that is not known, if it was one of an older edition; `known`: the keys that are."""
    found = set(known)
    for entry in changes() if table is None else table:
        if entry.name == name and entry.kind == "key" and entry.new in found:
            return f"{since(name, entry.new, entry.edition)}; {COMMAND}"
        if entry.name == name and entry.kind == "removed":
            return entry.new
    return None


# --- problems


def is_removed(key: Scalar, entry: TableEntry) -> Problem:
    message = f"there is no `{entry.name}` since edition {entry.edition} of the language"
    return Problem("unknown-key", message, key.place, entry.new)


# --- rewriting


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
