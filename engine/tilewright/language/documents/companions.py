"""Companions: texts and cases of a document that are written apart from it; where they are, and the document with them.

A companion is of kind texts, in one language, or of kind cases. It is in the file of the document below a line `---`,
or in a file beside it whose name begins with its own: riichi.ja.yaml beside riichi.yaml. Texts are the same tree as
the document, with only the texts. One that translates stands beside what it translates: `{en: Rounds, ja: 場数}`; one
in the language of the document stands alone. What the document says itself takes precedence. A translation that no
longer fits is a problem; a missing one is none: the text is shown in the language of the document. Knows no schema.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from tilewright.base.files import files_in, unsaved_at
from tilewright.base.node import Entry, Mapping, Node, Scalar
from tilewright.base.node import Sequence as ListNode
from tilewright.base.problem import Problem, RulesetError, Source
from tilewright.base.spelling import hint

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


# --- files

ENDINGS = (".yaml", ".yml", ".json")  # of documents
SEPARATOR = re.compile(r"^---[ \t]*(?:#.*)?$(?:\r\n|\n|\r)?", re.MULTILINE)
BEGUN = re.compile(r"^[^#%\s]", re.MULTILINE)  # a line of a document: above it, `---` begins the first one
MOST_KINDS = 256  # of texts that are known at once
MOST_PARTS = 64  # of one text: each is read apart
WRITTEN = re.compile(r"[^\r\n]")


def beside(path: Path) -> list[Path]:
    """The files beside a document with its companions, in order."""
    if path.suffix.lower() not in ENDINGS:
        return []
    start = f"{path.stem}."
    named = (file for file in files_in(path.parent, ENDINGS) if file.stem.startswith(start))
    return [file for file in named if is_companion(file)]


def is_companion(path: Path) -> bool:
    """Whether a file holds texts or cases of a document."""
    return path.suffix.lower() in ENDINGS and "." in path.stem and kind_in_file(path) in COMPANIONS


def kind_in_file(path: Path) -> str:
    """The kind that a file declares; empty if none is declared before a mistake, or it cannot be read."""
    from tilewright.base.document import beginning_of  # imported here: a ruleset from the cache is not parsed

    try:
        return kind_in_content(beginning_of(path, str(path)))
    except RulesetError:
        return ""


@lru_cache(maxsize=MOST_KINDS)
def kind_in_content(content: bytes) -> str:
    """The same of the content of a file."""
    from tilewright.base.document import head_of

    head = head_of(content.decode("utf-8", "replace"), "kind")
    return word_at(Mapping(head.entries, Source("", "").place(0)), "kind")


def document_of(path: Path) -> Path:
    """The file of the document that a file beside it is a companion of: the longest name that is there. The file itself
    if it is none."""
    name = path.stem if is_companion(path) else ""
    while "." in name:
        name = name.rpartition(".")[0]
        for suffix in ENDINGS:
            if (file := path.with_name(f"{name}{suffix}")).is_file() or unsaved_at(file) is not None:
                return file
    return path


def pattern_of(path: Path) -> Path:
    """What the names of all files beside a document look like that might be companions: a path that `names_like`
    looks up."""
    return path.with_name(f"{path.stem}.*")


def names_like(pattern: Path) -> list[str]:
    """The names of the files that look so."""
    start = pattern.name.removesuffix("*")
    return [file.name for file in files_in(pattern.parent, ENDINGS) if file.name.startswith(start)]


def whole_text(path: Path) -> str:
    """The text of a document with its companions below it: one text that says all that the files do."""
    return one_text(file.read_text(encoding="utf-8") for file in (path, *beside(path)))


def one_text(texts: Iterable[str]) -> str:
    """The texts of a document and of its companions as one."""
    first, *more = texts
    return "---\n".join([first, *more] if not more else [f"{one.rstrip()}\n" for one in (first, *more)])


def documents_in(source: Source) -> Iterator[Mapping]:
    """The documents in a text: one, and companions of it. Raises RulesetError with the problems of a text."""
    from tilewright.base.building import several_documents
    from tilewright.base.document import parse

    starts = [0]
    for found in SEPARATOR.finditer(source.text):
        if BEGUN.search(source.text, starts[-1], found.start()):
            starts.append(found.end())
        if len(starts) > MOST_PARTS:
            raise RulesetError([several_documents(source.place(found.start(), 3))])
    ends = [*(source.text.rindex("---", 0, start) for start in starts[1:]), len(source.text)]
    for start, end in zip(starts, ends, strict=True):
        if not start:
            yield parse(source if len(starts) == 1 else Source(source.name, source.text[:end]))
            continue
        blank = WRITTEN.sub(" ", source.text[:start])  # each place is that in the whole text
        document = parse(Source(source.name, blank + source.text[start:end]))
        if word_at(document, "kind") not in COMPANIONS:
            raise RulesetError([several_documents(source.place(source.text.rindex("---", 0, start), 3))])
        yield document


# --- translations that no longer fit

MOST_SHOWN = 60  # characters of a text


def translation_problems(document: Mapping, places: TextPlaces) -> Iterator[Problem]:
    """The texts of a document's companions that have no place in it, or were made of another text."""
    for companion in companions_of(document):
        if word_at(companion, "kind") == TEXTS:
            yield from problems_below(document, companion, word_at(companion, "language"), places)


def problems_below(node: Node, texts: Node, language: str, places: TextPlaces) -> Iterator[Problem]:
    for at in texts_for(node, texts, language, places):
        if at.is_text:
            if at.node is None and translation_in(at.texts, language) is not None:
                yield unknown_text(at.key, node)
            elif (problem := unfit(at.key, at.node, at.texts, language)) is not None:
                yield problem
        elif at.node is None or isinstance(at.node, Scalar) or not isinstance(at.texts, Mapping):
            yield unknown_text(at.key, node)
        else:
            yield from problems_below(at.node, at.texts, language, at.places)


def unfit(key: Scalar, node: Node | None, text: Node, language: str) -> Problem | None:
    """Why a translation does not fit what it stands for."""
    if not isinstance(text, Mapping):
        return None  # a translation that does not say what it was made of
    if unknown := [one for one in text.entries if one not in (OWN_LANGUAGE, WAS, language)]:
        return other_language(text.key(unknown[0]), language)
    source, now = text.get(OWN_LANGUAGE), own_text(node)
    if translation_in(text, language) is None or now is None:
        return None
    if WAS in text.entries or (isinstance(source, Scalar) and not is_same(source.text, now.text)):
        was = text.get(WAS) or source
        return stale_translation(key, was.text if isinstance(was, Scalar) else "", now.text, WAS in text.entries)
    return None


def own_text(node: Node | None) -> Scalar | None:
    """The text of a document in its own language."""
    found = node.get(OWN_LANGUAGE) if isinstance(node, Mapping) else node
    return found if isinstance(found, Scalar) and found.value is not None else None


def is_same(one: str, other: str) -> bool:
    """Whether two texts are the same, however they are laid out."""
    return one.split() == other.split()


# --- problems


def stale_translation(key: Scalar, was: str, now: str, marked: bool) -> Problem:
    return Problem(
        "stale-translation",
        f"this translates {quoted(was)}, which is now {quoted(now)}",
        key.place,
        f"read it again, and remove `{WAS}:` once it fits"
        if marked
        else f"`tilewright translate` marks it with `{WAS}:`",
        "warning",
    )


def unknown_text(key: Scalar, node: Node) -> Problem:
    known = list(node.entries) if isinstance(node, Mapping) else []
    return Problem(
        "unknown-text",
        f"the document has no text {key.text!r} here",
        key.place,
        hint(key.text, known) or "`tilewright translate` leaves out what the document no longer has",
        "warning",
    )


def other_language(key: Scalar, language: str) -> Problem:
    return Problem(
        "unknown-text",
        f"{key.text!r} is none of {OWN_LANGUAGE}, {language} and {WAS}",
        key.place,
        f"texts of another language than {language} are in a file of their own",
        "warning",
    )


def quoted(text: str) -> str:
    """The beginning of a text, in quotes."""
    line = " ".join(text.split())
    return f"'{line if len(line) <= MOST_SHOWN else line[:MOST_SHOWN] + '…'}'"
