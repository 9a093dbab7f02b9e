"""The table of changes: a document of any edition in, the same in the newest edition out, with what changed and what a
person has to change.

Knows the table and the structure of documents, but no schema: what is an expression or a condition is handed in.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.base.version import EDITION
from tilewright.language.editions.rewriting import Change, Renaming, Wrapping, rewritten

FIRST, NEWEST = 1, EDITION  # editions that are read
MARK = "tilewright"  # the key with the edition
PATCHES = ("add", "change")  # of a mod: they have the structure of a ruleset
TABLE = Path(__file__).with_name("edition_changes.yaml")
NAME = re.compile(r"[A-Za-z_]\w*")
COMMAND = "`tilewright upgrade` renames it"


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
