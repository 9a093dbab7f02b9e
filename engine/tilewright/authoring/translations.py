"""Translations: a document in; its texts in another language out, as far as they are there, as a file of ours or as PO.

A text is missing, stale if what it was made of has changed since, or translated. What was translated elsewhere in the
document moves with its text. In a PO file, which translators' tools read (with polib, of the extra `po`), an entry has
the place of its text as context, and what is stale is fuzzy, with the text that it was made of. Writes nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tilewright.authoring.layout import Comments, Path
from tilewright.authoring.open_rules import CannotBegin
from tilewright.authoring.splitting import EDITORS_LINE, put, texts_file
from tilewright.base.node import Mapping, Node, Scalar
from tilewright.base.node import Sequence as ListNode
from tilewright.language.documents.companions import (
    HEAD,
    OWN_LANGUAGE,
    TEXTS,
    WAS,
    TextPlaces,
    companions_of,
    id_in,
    is_same,
    own_text,
    texts_for,
    translation_in,
    word_at,
    written_parts,
)
from tilewright.language.documents.library import text_places

State = Literal["missing", "stale", "translated"]
STATES: tuple[State, ...] = ("translated", "stale", "missing")


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A text of a document and its translation, "" while that is missing. `was`: what it was made of, if the text has
    changed since; `inline`: the document says it itself."""

    path: Path
    source: str
    translation: str = ""
    was: str = ""
    inline: bool = False

    @property
    def state(self) -> State:
        return "missing" if not self.translation else "stale" if self.was else "translated"


@dataclass(frozen=True, slots=True)
class Translations:
    """The texts of a document in a language, in the order of the document; `unused`: those that it no longer has;
    `comments`: of the file that they are from, and what it begins with."""

    id: str
    language: str
    texts: tuple[TranslatedText, ...]
    unused: tuple[TranslatedText, ...]
    comments: Comments
    start: str

    def count(self, state: State) -> int:
        return sum(one.state == state for one in self.texts)

    @property
    def text(self) -> str:
        """The file: with what is missing, to be filled in, and what is stale, with what it was made of."""
        trees: dict[str, dict[str, object]] = {self.language: {}}
        for one in self.texts:
            if not one.inline:
                said = {OWN_LANGUAGE: one.source, self.language: one.translation}
                put(trees, self.language, one.path, {**said, WAS: one.was} if one.was else said)
        return self.start + texts_file(self.id, self.language, trees[self.language], self.comments)


def translations(document: Mapping, language: str) -> Translations:
    """The translations of a joined document into a language."""
    places = text_places(document)
    sources = dict(texts_below(document, places, ()))
    written = dict(texts_below(written_parts(document)[0], places, ()))
    inline = {path: node for path, node in written.items() if language in languages_in(node)}
    companion = next((one for one in companions_of(document) if is_in(one, language)), None)
    there = {one.path: one for one in texts_in(document, companion, language, places)} if companion else {}
    moved = {one.source: one for one in there.values() if one.path not in sources and one.source}
    found = list[TranslatedText]()
    for path, node in sources.items():
        own = own_text(node)
        if own is None or not own.text.strip():
            continue
        if path in inline:
            text = languages_in(inline[path])[language]
            found.append(TranslatedText(path, own.text, text, inline=True))
        else:
            kept = there.get(path) or moved.pop(own.text, None)
            found.append(renewed(kept, path, own.text) if kept is not None else TranslatedText(path, own.text))
    used = {one.translation for one in found}
    unused = [one for one in there.values() if one.path not in sources and one.translation not in used]
    comments, start = comments_in(companion) if companion is not None else ({}, editors_line(document))
    id = word_at(document, "id")
    return Translations(id, language, tuple(found), tuple(one for one in unused if one.translation), comments, start)


def languages_of(document: Mapping) -> list[str]:
    """The languages of a document besides its own: of its files, and of its texts themselves."""
    of_files = [word_at(one, "language") for one in companions_of(document) if word_at(one, "kind") == TEXTS]
    of_texts = [name for _, node in texts_below(document, text_places(document), ()) for name in languages_in(node)]
    return sorted({*of_files, *of_texts} - {OWN_LANGUAGE})


def renewed(text: TranslatedText, path: Path, source: str) -> TranslatedText:
    """A translation as it stands for a text now."""
    was = text.was or ("" if not text.source or is_same(text.source, source) else text.source)
    return replace(text, path=path, source=source, was=was if text.translation else "")


# --- the texts of a document


def texts_below(node: Node, places: TextPlaces, path: Path) -> Iterator[tuple[Path, Node]]:
    """The texts of a document, each at the path that it has in a file of texts."""
    if isinstance(node, ListNode):
        for number, item in enumerate(node.items, 1):
            yield from texts_below(item, places.in_list(), (*path, id_in(item) or str(number)))
    elif isinstance(node, Mapping):
        for key, value in node.items():
            if not places.has_text(key, OWN_LANGUAGE):
                yield from texts_below(value, places.below(key), (*path, key))
            elif places.has_text(key, "") and own_text(value) is not None:
                yield (*path, key), value


def languages_in(text: Node) -> dict[str, str]:
    """What a text says in each language that it names."""
    pairs = text.items() if isinstance(text, Mapping) else ()
    return {name: value.text for name, value in pairs if isinstance(value, Scalar) and value.value is not None}


# --- a file of texts


def is_in(companion: Mapping, language: str) -> bool:
    """Whether a companion has the texts in this language."""
    return word_at(companion, "kind") == TEXTS and word_at(companion, "language") == language


def texts_in(
    node: Node | None, texts: Node, language: str, places: TextPlaces, path: Path = ()
) -> Iterator[TranslatedText]:
    """What a tree of texts has, whether the document has a place for it or not."""
    for at in texts_for(node, texts, language, places):
        here = (*path, at.key.text)
        if at.is_text or is_pair(at.texts, language):
            text = translation_in(at.texts, language)
            yield TranslatedText(
                here, word_in(at.texts, OWN_LANGUAGE), text.text if text is not None else "", word_in(at.texts, WAS)
            )
        else:
            yield from texts_in(at.node, at.texts, language, at.places, here)


def is_pair(node: Node, language: str) -> bool:
    """Whether this looks like a text beside its translation, where the document has none."""
    return isinstance(node, Mapping) and isinstance(node.get(language), Scalar)


def word_in(text: Node, key: str) -> str:
    return word_at(text, key) if isinstance(text, Mapping) else ""


def editors_line(document: Mapping) -> str:
    """The first line of a document, if it says to editors what its schema is."""
    line = document.place.source.line(1)
    return f"{line}\n" if line.startswith(EDITORS_LINE) else ""


def comments_in(companion: Mapping) -> tuple[Comments, str]:
    """The comments above the entries of a file, and those that it begins with."""
    source = companion.place.source
    found: dict[Path, list[str]] = {}

    def above(line: int) -> list[str]:
        lines = list[str]()
        while (text := source.line(line - 1).strip()).startswith("#"):
            lines.insert(0, text)
            line -= 1
        return lines

    def gather(node: Node, path: Path) -> None:
        for name, entry in node.entries.items() if isinstance(node, Mapping) else ():
            at = (*path, name)
            if (path or name not in HEAD) and (lines := above(entry.key.place.line)):
                found[at] = lines
            gather(entry.value, at)

    gather(companion, ())
    first = min(entry.key.place.line for entry in companion.entries.values())
    start = above(first)
    return found, "".join(f"{line}\n" for line in start)


# --- PO

BETWEEN = "/"  # the keys of a place
FUZZY = "fuzzy"


def as_po(found: Translations) -> str:
    """The translations as the text of a PO file."""
    import polib

    file = polib.POFile(wrapwidth=100)
    file.metadata = {
        "Project-Id-Version": found.id,
        "Language": found.language.replace("-", "_"),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    for one in found.texts:
        if not one.inline:
            entry = polib.POEntry(msgctxt=BETWEEN.join(one.path), msgid=one.source, msgstr=one.translation)
            if one.was:
                entry.flags, entry.previous_msgid = [FUZZY], one.was
            file.append(entry)
    return f"{file}\n"


def with_po(found: Translations, text: str) -> tuple[Translations, tuple[str, ...]]:
    """The translations with those of a PO file, and the places in it that the document does not have. Raises
    CannotBegin if the text is no PO file."""
    import polib

    try:
        file = polib.pofile(text) if "msgid" in text else None
    except (OSError, ValueError, UnicodeError) as error:
        raise CannotBegin(f"this is no PO file: {error}") from None
    if file is None:
        raise CannotBegin("this is no PO file: it has no msgid")
    new: dict[Path, TranslatedText] = {}
    for entry in file:
        if not entry.obsolete and entry.msgctxt:
            path = tuple(entry.msgctxt.split(BETWEEN))
            was = entry.previous_msgid or entry.msgid if FUZZY in entry.flags else ""
            new[path] = TranslatedText(path, entry.msgid, entry.msgstr, was)
    own = {one.path for one in found.texts}
    texts = tuple(taken(found, new))
    return replace(found, texts=texts), tuple(BETWEEN.join(path) for path in new if path not in own)


def taken(found: Translations, new: dict[Path, TranslatedText]) -> Iterator[TranslatedText]:
    """Each text with its translation of the file, if that has one."""
    for one in found.texts:
        given = new.get(one.path)
        if given is None or not given.translation or one.inline:
            yield one
        else:
            was = given.was or ("" if is_same(given.source, one.source) else given.source)
            yield replace(one, translation=given.translation, was=was)
