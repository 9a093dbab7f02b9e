"""Joining: a document and its companions in; the document with their texts and cases in place.

A companion is of kind texts, in one language, or of kind cases. Texts are the same tree as the document, with only the
texts. One that translates stands beside what it translates: `{en: Rounds, ja: 場数}`; one in the language of the
document stands alone. What the document says itself takes precedence. Knows no files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from tilewright.base.node import Entry, Mapping, Node, Scalar
from tilewright.base.node import Sequence as ListNode
from tilewright.base.problem import Problem, RulesetError, Source

TEXTS, CASES = "texts", "cases"  # kinds of companions
COMPANIONS = (TEXTS, CASES)
OWN_LANGUAGE = "en"  # of texts that do not say their language
WAS = "was"  # what a translation was made of, where the text has changed since
HEAD = ("tilewright", "kind", "id", "language")  # of a companion


@dataclass(frozen=True, slots=True)
class JoinedDocument(Mapping):
    """A document with what its companions say. `written`: the document without; `companions`: these, as written."""

    written: Mapping
    companions: tuple[Mapping, ...]


def joined(document: Mapping, companions: Sequence[Mapping], places: "TextPlaces") -> Mapping:
    """The document with its companions; `places`: where it has texts. Raises RulesetError for those of another one."""
    id, kind = word_at(document, "id"), word_at(document, "kind")
    problems = [of_another(one, id) for one in companions if word_at(one, "id") != id]
    if problems:
        raise RulesetError(problems)
    whole: Node | None = document
    for one in sorted(companions, key=order_of):
        if word_at(one, "kind") == CASES:
            path = ("add", CASES) if kind == "mod" else (CASES,)
            whole = with_entries(whole, path, one.get(CASES))
        else:
            whole = with_texts(whole, one, word_at(one, "language"), places)
    assert isinstance(whole, Mapping)
    return JoinedDocument(whole.entries, document.place, document, tuple(companions)) if companions else document


def companions_of(document: Mapping) -> tuple[Mapping, ...]:
    """The companions that a document was joined with."""
    return document.companions if isinstance(document, JoinedDocument) else ()


def written_parts(document: Mapping) -> tuple[Mapping, ...]:
    """A document and its companions, each as it is written."""
    return (document.written, *document.companions) if isinstance(document, JoinedDocument) else (document,)


def sources_of(document: Mapping) -> tuple[Source, ...]:
    """The texts that a document was read from, its own first."""
    return tuple(one.place.source for one in written_parts(document))


def order_of(companion: Mapping) -> tuple[bool, bool]:
    """Cases come first, since they have texts; then what is translated."""
    return word_at(companion, "kind") != CASES, word_at(companion, "language") != OWN_LANGUAGE


def word_at(document: Mapping, key: str) -> str:
    """The word under a key, "" if there is none."""
    node = document.get(key)
    return node.text if isinstance(node, Scalar) else ""


# --- cases


def with_entries(node: Node | None, path: Sequence[str], added: Node | None) -> Node | None:
    """The node with entries added to the mapping at a path."""
    if not isinstance(added, Mapping):
        return node
    around = node if isinstance(node, Mapping) else Mapping({}, added.place)
    if not path:
        return Mapping({**added.entries, **around.entries}, around.place)
    inner = with_entries(around.get(path[0]), path[1:], added)
    assert inner is not None
    return with_entry(around, Scalar(path[0], path[0], added.place), inner)


def with_entry(node: Mapping, key: Scalar, value: Node) -> Mapping:
    """The mapping with another value at a key."""
    entry = node.entries.get(key.text)
    return Mapping({**node.entries, key.text: Entry(entry.key if entry else key, value)}, node.place)


# --- texts


class TextPlaces(Protocol):
    """Where a part of a document has texts for people, as its schema says."""

    @property
    def exist(self) -> bool:
        """Whether there can be such a part."""

    def has_text(self, key: str, language: str) -> bool:
        """Whether the value of a key is one in this language."""

    def below(self, key: str) -> "TextPlaces":
        """The same of the value of a key."""

    def in_list(self) -> "TextPlaces":
        """The same of the items of a list."""


@dataclass(frozen=True, slots=True)
class TextsAt:
    """What a tree of texts has for a part of a document. `key`: where, in the tree; `node`: the part, None if there is
    none; `is_text`: it is to be one."""

    key: Scalar
    node: Node | None
    texts: Node
    places: TextPlaces
    is_text: bool


def with_texts(node: Node | None, texts: Node, language: str, places: TextPlaces) -> Node | None:
    """A part of a document with the texts for it."""
    if node is None and language == OWN_LANGUAGE and places.exist:
        node = Mapping({}, texts.place)
    for at in texts_for(node, texts, language, places):
        if at.is_text:
            changed = with_text(at.node, translation_in(at.texts, language), language)
        else:
            changed = with_texts(at.node, at.texts, language, at.places)
        if changed is None or changed is at.node:
            continue
        if isinstance(node, Mapping):
            node = with_entry(node, at.key, changed)
        elif isinstance(node, ListNode):
            node = ListNode(tuple(changed if one is at.node else one for one in node.items), node.place)
    return node


def texts_for(node: Node | None, texts: Node, language: str, places: TextPlaces) -> Iterator[TextsAt]:
    """What a tree of texts has for the parts of a node."""
    inner = places.in_list() if isinstance(node, ListNode) else None
    for name, entry in texts.entries.items() if isinstance(texts, Mapping) else ():
        if name in HEAD and isinstance(entry.value, Scalar):
            continue
        if inner is not None:
            yield TextsAt(entry.key, part_at(node, name), entry.value, inner, False)
        else:
            is_text = places.has_text(name, language)
            yield TextsAt(entry.key, part_at(node, name), entry.value, places.below(name), is_text)


def part_at(node: Node | None, name: str) -> Node | None:
    """The part of a node that a key of texts means: in a list, the item with that id, or of that number from 1."""
    if isinstance(node, Mapping):
        return node.get(name)
    if isinstance(node, ListNode):
        return next((item for number, item in enumerate(node.items, 1) if name in (id_in(item), str(number))), None)
    return None


def id_in(item: Node) -> str | None:
    id = item.get("id") if isinstance(item, Mapping) else None
    return id.text if isinstance(id, Scalar) else None


def translation_in(text: Node, language: str) -> Scalar | None:
    """The text itself; None while it is missing."""
    found = text.get(language) if isinstance(text, Mapping) else text
    return found if isinstance(found, Scalar) and found.text.strip() and found.value is not None else None


def with_text(node: Node | None, text: Scalar | None, language: str) -> Node | None:
    """A text with its translation; what the document says in this language stays."""
    if text is None or isinstance(node, ListNode):
        return node
    if node is None:
        return text if language == OWN_LANGUAGE else None
    if isinstance(node, Mapping):
        return node if language in node.entries else with_entry(node, Scalar(language, language, text.place), text)
    if node.value is None or language == OWN_LANGUAGE:
        return node
    own = Entry(Scalar(OWN_LANGUAGE, OWN_LANGUAGE, node.place), node)
    return Mapping({OWN_LANGUAGE: own, language: Entry(Scalar(language, language, text.place), text)}, node.place)


# --- problems


def of_another(companion: Mapping, id: str) -> Problem:
    key = companion.get("id") or companion
    what = word_at(companion, "kind")
    return Problem("of-another", f"these are {what} of {word_at(companion, 'id')}, not of {id}", key.place, f"id: {id}")
