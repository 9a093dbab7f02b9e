"""The texts that are open in an editor, over the files on disk; and the document around a cursor.

Everything in this package takes a workspace, the path of a document and perhaps a place in it, and gives typed answers.
Lines and columns count from 1, in code points; an end is exclusive. Of a document: its kind, the schema at a path of
it, and the names that it may use: those that the text declares, also where it does not parse, and those of the
documents that it extends or, for a mod, of the first ruleset that it is for.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path as FilePath
from textwrap import dedent
from typing import Any

from tilewright.authoring.editor.scanning import ITEM, KeyInText, Path, TextKeys, keys_in
from tilewright.authoring.words import flow
from tilewright.base.building import MAX_BYTES
from tilewright.base.document import bytes_of, parse
from tilewright.base.files import made_once, unsaved
from tilewright.base.memory import latest
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar, plain
from tilewright.base.problem import BREAK, Place, RulesetError, Source
from tilewright.language.documents.companions import COMPANIONS, document_of, sources_of
from tilewright.language.documents.fields import kind_of, section
from tilewright.language.documents.former import SECTIONS
from tilewright.language.documents.library import path_of, read_whole, siblings
from tilewright.language.documents.schema import Schema, below, document_schema, items, resolve, schema
from tilewright.language.documents.whole import MergedRuleset, extended, ids_of, line_of
from tilewright.language.elaborate import assemble
from tilewright.language.expressions.names import names_of


@dataclass(frozen=True, slots=True, order=True)
class TextPlace:
    """A place between two characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class TextRange:
    """Characters from a place up to another."""

    start: TextPlace
    end: TextPlace

    @staticmethod
    def of(place: Place) -> "TextRange":
        """The characters that a place of a document underlines."""
        return TextRange.in_line(place.line, place.column, place.column + place.length)

    @staticmethod
    def in_line(line: int, start: int, end: int) -> "TextRange":
        """Characters of one line."""
        return TextRange(TextPlace(line, start), TextPlace(line, end))

    def holds(self, at: TextPlace) -> bool:
        """Whether a place is in this range, or at its end."""
        return self.start <= at <= self.end


@dataclass(frozen=True, slots=True, order=True)
class TextLocation:
    """A range of a document."""

    path: FilePath
    range: TextRange


@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """A range of a document, and what replaces it."""

    path: FilePath
    range: TextRange
    text: str


@dataclass(frozen=True, slots=True)
class Workspace:
    """The open texts by absolute path."""

    texts: Mapping[FilePath, str] = field(default_factory=dict)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Documents are read with the open texts."""
        with unsaved(self.texts):
            yield

    def text(self, path: FilePath) -> str:
        """The text of a document, open or not; empty if it cannot be read."""
        if path in self.texts:
            return self.texts[path].removeprefix("\ufeff")[: MAX_BYTES + 1]
        try:
            return bytes_of(path, str(path)).decode("utf-8-sig", "replace")
        except RulesetError:
            return ""


def parsed(path: FilePath) -> MappingNode | None:
    """The tree of a document, with its texts and cases; None if one of them does not parse."""
    return made_once(("tree", path), lambda: read_tree(path))


def read_tree(path: FilePath) -> MappingNode | None:
    """The same, from the files."""
    try:
        return read_whole(path)
    except RulesetError:
        return None


def path_in(place: Place) -> FilePath:
    """The absolute path of the document of a place."""
    return FilePath(place.source.name).absolute()


# --- the document around a cursor

PATCHES = ("add", "change")  # of a mod: sections that have the structure of a ruleset
KINDS = ("base", "ruleset", "mod", "card")
NOT_SHOWN = ("name", "about", "examples", "label")  # in short forms of entries
MOST_OF_ENTRY = 200  # characters
MOST_WHOLES = 32  # that are kept
MOST_BROKEN = 16  # documents that extend each other


@dataclass(frozen=True)
class EditedDocument:
    """A document that is being edited. Made while its workspace is read."""

    workspace: Workspace
    path: FilePath
    text: str
    depth: int = 0  # of broken documents, each extended by the one before

    @staticmethod
    def of(workspace: Workspace, path: FilePath) -> "EditedDocument":
        return EditedDocument(workspace, path, workspace.text(path))

    @cached_property
    def keys(self) -> TextKeys:
        return keys_in(self.text)

    @cached_property
    def kind(self) -> str:
        """The kind that the text declares; by default a ruleset."""
        found = self.value("kind")
        return found if found in KINDS else "ruleset"

    def value(self, name: str) -> str:
        """The value after a key of the document, on its line; of a list, the first."""
        key = self.keys.find((name,))
        if key is None:
            return ""
        line = self.keys.line(key.line)
        return line.partition(":")[2].partition(" #")[0].strip().strip("[]\"' ").partition(",")[0].strip()

    @cached_property
    def over(self) -> FilePath | None:
        """What the document extends or, for a mod, the first ruleset that it is for; of texts and cases, their
        document."""
        if self.value("kind") in COMPANIONS:
            return None if (document := document_of(self.path)) == self.path else document
        name = self.value("for" if self.kind == "mod" else "extends")
        if not name:
            return None
        try:
            return path_of(name, self.path.parent, what="base or ruleset")
        except RulesetError:
            return next(rulesets_like(name, self.path.parent), None) if self.kind == "mod" else None

    @cached_property
    def inherited(self) -> MergedRuleset | None:
        """That with all that it extends itself; None if one of them cannot be read as it is."""
        return None if self.over is None else whole_of(self.over)

    @cached_property
    def broken(self) -> "EditedDocument | None":
        """That, if it cannot be read as it is: its names are those of its text."""
        if self.over is None or self.inherited is not None or self.depth >= MOST_BROKEN:
            return None
        return EditedDocument(self.workspace, self.over, self.workspace.text(self.over.absolute()), self.depth + 1)

    def inherited_names(self, kind: str) -> frozenset[str]:
        """The names of a kind that are inherited."""
        if self.inherited is not None:
            return names_in(self.inherited).get(kind, frozenset())
        return frozenset(self.broken.declared(kind)) if self.broken is not None else frozenset()

    # --- names

    def declared(self, kind: str) -> Iterator[str]:
        """The names of a kind: those of the text, including what a mod adds or changes, then those inherited."""
        own = dict.fromkeys(name for path in SECTIONS.get(kind, ()) for name in self.own(path))
        yield from own
        yield from (name for name in sorted(self.inherited_names(kind)) if name not in own)

    @cached_property
    def own_keys(self) -> dict[str, dict[str, KeyInText]]:
        """The keys below sections of the text, by name, as far as they were asked for."""
        return {}

    def own(self, section: str) -> Mapping[str, KeyInText]:
        """The keys below a section of the text, by name."""
        if section not in self.own_keys:
            where = tuple(section.split("."))
            starts = [where] if self.kind != "mod" else [where, *((patch, *where) for patch in PATCHES)]
            found = self.own_keys[section] = dict[str, KeyInText]()
            for key in (key for start in starts for key in self.keys.children(start)):
                found.setdefault(key.path[-1], key)
        return self.own_keys[section]

    def declarations(self, kind: str, name: str) -> Iterator[Node]:
        """The entries of a name: that of the text, and the inherited one."""
        for part in SECTIONS.get(kind, ()):
            yield from self.entries(part, name)

    def entries(self, part: str, name: str) -> Iterator[Node]:
        """The entries of a section with this name: of the text, and inherited."""
        own = self.own(part).get(name)
        if own is not None and (node := entry_in(self.keys.block(own), own)) is not None:
            yield node
        whole = self.inherited
        found = None if whole is None else section(whole.full, *part.split(".")).get(name)
        if found is not None:
            yield found
        elif self.broken is not None:
            yield from self.broken.entries(part, name)

    def said_of(self, kind: str, name: str) -> str:
        """The name and the note of what is called so, as far as it has them."""
        return next(filter(None, map(description_of, self.declarations(kind, name))), "")

    def short_of(self, kind: str, name: str) -> str:
        """What is called so, in one line."""
        return next(filter(None, map(short_form, self.declarations(kind, name))), "")


def rulesets_like(id: str, folder: FilePath) -> Iterator[FilePath]:
    """The rulesets near a folder that extend a document with this id."""
    for path in siblings(folder):
        try:
            if id in ids_of(path):
                yield path
        except (RulesetError, OSError):
            continue


# --- merged documents


def whole_of(path: FilePath) -> MergedRuleset | None:
    """A document with all that it extends; None if it has mistakes."""
    try:
        return merged(Line(path, tuple(document for _, document in line_of(path))))
    except RulesetError:
        return None


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    """A document with all that it extends, compared by their texts."""

    path: FilePath
    documents: tuple[MappingNode, ...]

    def sources(self) -> tuple[Source, ...]:
        return tuple(source for document in self.documents for source in sources_of(document))

    def __hash__(self) -> int:
        return hash(self.sources())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line) and self.sources() == other.sources()


@latest(lambda line: line.path, MOST_WHOLES)
def merged(line: Line) -> MergedRuleset:
    """The merged documents, also where keys are missing or options do not fit. Raises RulesetError."""
    document = extended(line.path)
    try:
        return assemble(document)
    except RulesetError:
        return MergedRuleset(document.full, document.full, {}, (), kind_of(document.full), document.line)


def names_in(whole: MergedRuleset) -> Mapping[str, frozenset[str]]:
    """The names of a merged document, by kind."""
    return names_of_sources(Known(whole))


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """A merged document, compared by its texts."""

    whole: MergedRuleset

    def __hash__(self) -> int:
        return hash(self.whole.sources)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.whole.sources == other.whole.sources


@latest(lambda known: known.whole.sources[0].name, MOST_WHOLES)
def names_of_sources(known: Known) -> Mapping[str, frozenset[str]]:
    return {kind: frozenset(names) for kind, names in names_of(known.whole).items()}


# --- the schema at a path


def schema_at(path: Path, kind: str) -> Schema:
    """The schema at a path; {} if there is none."""
    part = document_schema(kind)
    if path and path[0] in schema()["properties"]:
        part = resolve(schema()["properties"][path[0]])
        path = path[1:]
    for step in path:
        part = items(part) if step == ITEM else below(part, step)
    return part


def as_part(value: Any) -> Schema:
    return value if isinstance(value, dict) else {}


def top_keys(kind: str) -> Mapping[str, Schema]:
    """The keys of a document of a kind."""
    return {**schema()["properties"], **document_schema(kind)["properties"]}


# --- entries


@lru_cache(maxsize=512)
def entry_in(lines: tuple[str, ...], key: KeyInText) -> Node | None:
    """The value of a key in its own lines; None if they do not parse by themselves."""
    start = key.column - 1
    text = dedent("\n".join((" " * start + lines[0][start:], *lines[1:])))
    try:
        return parse(Source("entry", text)).get(key.path[-1])
    except RulesetError:
        return None


def description_of(node: Node | None) -> str:
    """The name and the note of an entry, as far as it has them."""
    if not isinstance(node, MappingNode):
        return ""
    return ". ".join(part for key in ("name", "label", "about") if (part := text_in(node.get(key)))).strip()


def short_form(node: Node | None) -> str:
    """An entry in one line, without its texts and examples."""
    if node is None or (isinstance(node, Scalar) and node.value is None):
        return ""
    if isinstance(node, MappingNode):
        shown = {key: plain(value) for key, value in node.items() if key not in NOT_SHOWN}
        text = ", ".join(f"{key}: {flow(value)}" for key, value in shown.items() if value is not None)
    else:
        text = flow(plain(node))
    text = BREAK.sub(" ", text)
    return text if len(text) <= MOST_OF_ENTRY else f"{text[:MOST_OF_ENTRY]} …"


def text_in(node: Node | None) -> str:
    """A text, in English or else any language."""
    if isinstance(node, MappingNode):
        chosen = node.get("en") or next((inner for _, inner in node.items()), None)
        return text_in(chosen)
    return " ".join(node.text.split()) if isinstance(node, Scalar) and node.value is not None else ""


def document_kind(document: MappingNode) -> str:
    """The kind of a parsed document, a ruleset where it is none that there is."""
    kind = kind_of(document)
    return kind if kind in KINDS else "ruleset"
