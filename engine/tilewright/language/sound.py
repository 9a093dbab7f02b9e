"""Sound parts: a document with errors in; the same without the entries that these are in out, so that later stages can
check the rest.

A mistake in one pattern hides none in another: it is cut out, as if its author had not written it yet. What then is
wrong because it is gone names something of it, and is not reported. Knows no stage.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.language.documents.schema import schema
from tilewright.language.vocabulary.words import WORDS

NAME = re.compile(r"[^\W\d]\w*")
QUOTED = re.compile(r"'([^']*)'")
ENGLISH = frozenset(
    {"a", "an", "and", "are", "as", "for", "has", "in", "is", "it", "no", "not", "of", "one", "or", "the", "to"}
)
OF_USES = re.compile("^unused-|^unreachable-|-never-|-without-")  # codes of what nothing uses, sets or reaches
MISNAMED = frozenset({"name-twice", "reserved-name", "exists-already", "bad-name"})  # what is meant has another name
DEPTH = {  # by section: how deep the entries lie that are cut out
    **dict.fromkeys(("options", "presets", "groups", "forms", "zones", "marks", "terms", "restrictions", "buttons"), 2),
    **dict.fromkeys(
        ("actions", "triggers", "phases", "offers", "families", "patterns", "payments", "match", "cases"), 2
    ),
    "scoring": 3,
}
PARTS_OF_MODS = ("change", "add")


@dataclass(frozen=True, slots=True)
class SoundPart:
    """A document without what errors are in. `gone`: the names in that."""

    document: Mapping
    gone: frozenset[str] = frozenset()

    def without(self, places: Iterable[Place]) -> "SoundPart | None":
        """Without the entries at these places, too; None if one lies in no entry that others can do without."""
        document, gone = self.document, set(self.gone)
        for place in places:
            path = path_to(document, place.offset)
            if path is None:
                return None
            document, cut = without(document, path)
            gone |= {path[-1], *names_in(cut)} if cut is not None else set()
        return SoundPart(document, frozenset(gone))

    def explains(self, problem: Problem) -> bool:
        """Whether a problem may be there because something is gone: it names that, or says what nobody does."""
        if OF_USES.search(problem.code):
            return True
        said = set(NAME.findall(problem.message)) - ENGLISH
        named = [*QUOTED.findall(problem.message), underlined(problem.place)]
        words = said.union(*map(NAME.findall, named))
        return not self.gone.isdisjoint(words | {word.removesuffix("s") for word in words})


def path_to(document: Mapping, offset: int) -> tuple[str, ...] | None:
    """Where the entry is that is cut out for an error at this character."""
    path = list(names_at(document, offset))
    start = path[:1] if path[:1] and path[0] in PARTS_OF_MODS else []
    depth = len(start) + DEPTH.get(next(iter(path[len(start) :]), ""), 0)
    return tuple(path[:depth]) if len(start) < depth <= len(path) else None


def names_at(node: Node, offset: int) -> Iterator[str]:
    """The keys of the entries around a character, the outermost first."""
    if isinstance(node, Mapping) and (entry := entry_at(node, offset)) is not None:
        yield entry.key.text
        yield from names_at(entry.value, offset)


def entry_at(node: Mapping, offset: int) -> Entry | None:
    """The last entry that begins there or before."""
    begun = [entry for entry in node.entries.values() if entry.key.place.offset <= offset]
    return max(begun, key=lambda entry: entry.key.place.offset, default=None)


def without(node: Mapping, path: tuple[str, ...]) -> tuple[Mapping, Node | None]:
    """The mapping without the entry at a path, and what that was; None if it is gone already."""
    name, *rest = path
    entry = node.entries.get(name)
    if entry is None:
        return node, None
    if not rest:
        return Mapping({key: one for key, one in node.entries.items() if key != name}, node.place), entry.value
    assert isinstance(entry.value, Mapping)
    inner, cut = without(entry.value, tuple(rest))
    return Mapping({**node.entries, name: Entry(entry.key, inner)}, node.place), cut


def names_in(node: Node) -> Iterator[str]:
    """The names that an entry declares or uses, but for those of the language."""
    match node:
        case Scalar():
            yield from (name for name in NAME.findall(node.text) if name not in known_names())
        case Sequence(items=items):
            for item in items:
                yield from names_in(item)
        case Mapping():
            for key, value in node.items():
                yield from {key} - known_names()
                yield from names_in(value)


@cache
def known_names() -> frozenset[str]:
    """The keys and words of the language."""
    return frozenset(WORDS) | frozenset(keys_of(schema()))


def keys_of(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from part.get("properties", {})
        for inner in part.values():
            yield from keys_of(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from keys_of(inner)


def underlined(place: Place | None) -> str:
    return "" if place is None else place.source.line(place.line)[place.column - 1 : place.column - 1 + place.length]
