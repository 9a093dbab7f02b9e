"""The contents of a pack: files in; the manifest that follows from them out, or every problem of them. And the index,
one JSON file that lists packs, which anybody can host beside them.

A pack has one document with a publisher, its head, which gives it its name, version, licence and authors. Beside it are
other documents, texts and cases of documents, plain-text cards, case files, README.md and LICENSE, all in one folder.

    {"index": 1, "title": "...", "packs": {"riverside/taiwanese": [{"version": "1.2.0", "file": "...zip", ...}]}}

Files are names beside the index. Knows no archive, no page and no network.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from semantic_version import Version

from tilewright.base.document import text_of
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.problem import Problem, RulesetError, Source, has_errors
from tilewright.cards.document import read_card, refuse_program
from tilewright.language.documents.companions import COMPANIONS, joined
from tilewright.language.documents.editions import edition_of
from tilewright.language.documents.fields import kind_of, names, text_at, texts
from tilewright.language.documents.library import (
    beginning_at,
    claims_to_be_ours,
    is_document,
    newest,
    read_once,
    shape_problems,
    text_places,
)
from tilewright.language.documents.locked_packs import MOST_FILE, MOST_FILES, Digest, FileName, PackName, ShortText
from tilewright.language.documents.packs import ANY, PACK_NAME, fits, reference_of, version_of
from tilewright.language.documents.publication import check_head, names_of_documents

DOCUMENT, CARD, CASES = ".yaml", ".txt", ".jsonl"
TEXTS = ("LICENSE", "README.md")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)  # as names of files, on Windows
UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class PackedDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A document of a pack: `kind` as it declares, names by language."""

    id: ShortText
    kind: ShortText
    name: dict[str, str]


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a pack says of itself; all of it follows from its files. `pack`: the version of this format; `title` and
    `about` by language; `language`: the newest edition of its documents; `needs`: the packs that it names, with ranges;
    `files`: SHA-256 by name."""

    pack: Literal[1]
    name: PackName
    version: ShortText
    title: dict[str, str]
    about: dict[str, str]
    license: ShortText
    authors: tuple[str, ...]
    language: int
    needs: dict[PackName, ShortText]
    documents: Annotated[tuple[PackedDocument, ...], Meta(max_length=MOST_FILES)]
    files: Annotated[dict[FileName, Digest], Meta(max_length=MOST_FILES)]

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return dict(msgspec.to_builtins(self))

    def text(self) -> bytes:
        """As a file, the same for the same manifest."""
        return msgspec.json.format(msgspec.json.encode(self.plain(), order="sorted"), indent=2) + b"\n"


@dataclass(frozen=True, slots=True)
class PackContents:
    """A pack: its manifest, and its files by name."""

    manifest: Manifest
    files: Mapping[str, bytes]


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder that belong into a pack: those in it whose names are of a kind that packs have. Raises
    RulesetError for documents with other endings."""
    files = [path for path in sorted(folder.iterdir(), key=lambda one: one.name) if path.is_file()]
    if problems := [other_ending(path) for path in files if has_other_ending(path)]:
        raise RulesetError(problems)
    found = {}
    for path in files:
        if belongs(path.name) and not path.is_symlink():
            with path.open("rb") as file:
                found[path.name] = file.read(MOST_FILE + 1)
    return found


def has_other_ending(path: Path) -> bool:
    """Whether a file is read as a document, a card or cases beside others, but has no ending of packs."""
    if belongs(path.name) or path.name.startswith("."):
        return False
    if is_document(path):
        return claims_to_be_ours(beginning_at(path))
    return path.suffix.lower() in (CARD, CASES)


def belongs(name: str) -> bool:
    """Whether files of this name belong into packs."""
    return name in TEXTS or (PurePath(name).suffix in (DOCUMENT, CARD, CASES) and not name.startswith("."))


def contents_of(files: Mapping[str, bytes]) -> PackContents:
    """The pack of these files. Raises RulesetError with every problem of them."""
    if problems := list(name_problems(files)):
        raise RulesetError(problems)
    documents = {}
    for name, content in files.items():
        try:
            if (document := read_file(name, content)) is not None:
                documents[name] = document
        except RulesetError as error:
            problems += error.problems
    problems += () if problems else companion_problems(documents)
    if problems:
        raise RulesetError(problems)
    own = {name: document for name, document in documents.items() if kind_of(document) not in COMPANIONS}
    return PackContents(manifest_of(own, files), dict(files))


def companion_problems(documents: Mapping[str, MappingNode]) -> Iterator[Problem]:
    """The problems of texts and cases whose document is not in the pack, or that are of another one."""
    for name, companion in documents.items():
        if kind_of(companion) in COMPANIONS:
            document = documents.get(f"{name.split('.')[0]}{DOCUMENT}")
            if document is None:
                yield bad_file(name, f"has {kind_of(companion)} of a document that is not in the pack")
                continue
            try:
                joined(document, [companion], text_places(document))
            except RulesetError as error:
                yield from error.problems


# --- names and sizes


def name_problems(files: Mapping[str, bytes]) -> Iterator[Problem]:
    """The problems of the names and sizes of files, before any is read."""
    if len(files) > MOST_FILES:
        yield Problem("too-many-files", f"a pack has at most {MOST_FILES} files, not {len(files)}")
        return
    seen: dict[str, str] = {}
    for name, content in files.items():
        if (why := why_no_name(name)) is not None:
            yield bad_file(name, why)
        elif (other := seen.setdefault(name.lower(), name)) != name:
            yield bad_file(name, f"has the name of {other} where capitals do not count")
        elif not belongs(name):
            yield bad_file(name, f"is no document: a pack has *{DOCUMENT}, *{CARD}, *{CASES}, {' and '.join(TEXTS)}")
        elif len(content) > MOST_FILE:
            yield bad_file(name, f"has more than {MOST_FILE:,} bytes")


def why_no_name(name: str) -> str | None:
    """Why this cannot be the name of a file of a pack; None if it can."""
    if "\0" in name:
        return "has a NUL in its name"
    if name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
        return "is an absolute path"
    if ".." in re.split(r"[/\\]", name):
        return "leads out of the folder"
    if "/" in name or "\\" in name:
        return "is in a folder: the files of a pack lie side by side"
    if RESERVED.fullmatch(name):
        return "has a name that is reserved on Windows"
    if not NAME.fullmatch(name) or name.endswith("."):
        return "has a name with other characters than letters, digits and . _ + -"
    return None


# --- each file


def read_file(name: str, content: bytes) -> MappingNode | None:
    """The document in a file of a pack; None for what is none. Raises RulesetError if it is not what its name says."""
    suffix = PurePath(name).suffix
    if suffix == DOCUMENT:
        return read_document(name, content)
    text = text_of(content, name)
    if suffix == CARD:
        refuse_program(content[:40], name)
        card, problems = read_card(Source(name, text))
        if not card.groups:
            raise RulesetError(
                [bad_file(name, "is no card: all of *.yaml, *.txt and *.jsonl here belongs to the pack")]
            )
        if has_errors(problems):
            raise RulesetError(problems)
    elif suffix == CASES:
        for number, line in enumerate(text.splitlines(), 1):
            check_case_line(name, text, number, line)
    elif UNSEEN.search(text):
        raise RulesetError([bad_file(name, "has characters that no text has")])
    return None


def read_document(name: str, content: bytes) -> MappingNode:
    """The document of a YAML file. Raises RulesetError."""
    document = read_once(name, content)
    if "tilewright" not in document.entries:
        raise RulesetError(
            [bad_file(name, "is no document: all of *.yaml, *.txt and *.jsonl here belongs to the pack")]
        )
    if problems := [*shape_problems(newest(document))]:
        raise RulesetError(problems)
    problems = [*check_head(document)] if isinstance(document, MappingNode) else []
    stem = PurePath(name).stem
    if (id := text_at(document, "id")) != (stem.split(".")[0] if kind_of(document) in COMPANIONS else stem):
        problems.append(
            Problem("bad-file", f"{name} has the id {id}", document.key("id").place, f"call the file {id}{DOCUMENT}")
        )
    if problems:
        raise RulesetError(problems)
    return document


def check_case_line(name: str, text: str, number: int, line: str) -> None:
    """Raises RulesetError for a line of a case file that is not a mapping."""
    try:
        if not line.strip() or isinstance(msgspec.json.decode(line), dict):
            return
    except (msgspec.DecodeError, RecursionError):
        pass
    place = Source(name, "\n" * (number - 1) + line).place(number - 1)
    raise RulesetError([Problem("bad-file", f"line {number} of {name} is no case", place, "a case a line, as JSON")])


# --- the manifest


def manifest_of(documents: Mapping[str, MappingNode], files: Mapping[str, bytes]) -> Manifest:
    """The manifest of valid documents. Raises RulesetError."""
    head = head_of(documents)
    name = f"{text_at(head, 'publisher')}/{text_at(head, 'id')}"
    return Manifest(
        pack=1,
        name=name,
        version=text_at(head, "version"),
        title=dict(texts(head.get("name"))),
        about=dict(texts(head.get("about"))),
        license=text_at(head, "license"),
        authors=names(head.get("authors")),
        language=max(edition_of(one) for one in documents.values()),
        needs=needs_of(documents, name),
        documents=tuple(
            PackedDocument(text_at(one, "id"), kind_of(one), dict(texts(one.get("name"))))
            for _, one in sorted(documents.items())
        ),
        files={file: hashlib.sha256(content).hexdigest() for file, content in sorted(files.items())},
    )


def head_of(documents: Mapping[str, MappingNode]) -> MappingNode:
    """The document with the publisher. Raises RulesetError if there is none, or several."""
    heads = [document for document in documents.values() if "publisher" in document.entries]
    if not heads:
        raise RulesetError([no_head(len(documents))])
    if RESERVED.fullmatch(text_at(heads[0], "publisher")):
        place = heads[0].entries["publisher"].value.place
        raise RulesetError([Problem("bad-file", "this publisher cannot be the name of a folder on Windows", place)])
    if len(heads) > 1:
        raise RulesetError([second_head(one, heads[0]) for one in heads[1:]])
    return heads[0]


def needs_of(documents: Mapping[str, MappingNode], own: str) -> dict[str, str]:
    """The other packs that documents name, with their ranges. Raises RulesetError if two ranges differ."""
    found: dict[str, str] = {}
    problems = []
    for _, document in sorted(documents.items()):
        for node in names_of_documents(document):
            meant = reference_of(node.text.partition(":")[0])
            if meant is None or meant.name == own:
                continue
            if found.get(meant.name, ANY) == ANY:
                found[meant.name] = meant.range
            elif meant.range not in (ANY, found[meant.name]):
                problems.append(
                    Problem(
                        "two-ranges",
                        f"{meant.name} is asked for as {found[meant.name]} and as {meant.range}",
                        node.place,
                        "ask for the same versions everywhere in a pack",
                    )
                )
    if problems:
        raise RulesetError(problems)
    return dict(sorted(found.items()))


def file_name(manifest: Manifest) -> str:
    """The usual name of the archive."""
    assert PACK_NAME.fullmatch(manifest.name)
    return f"{manifest.name.replace('/', '-')}-{manifest.version}.zip"


# --- problems


def bad_file(name: str, why: str) -> Problem:
    return Problem("bad-file", f"{ascii(name[:100])[1:-1]} {why}")


def other_ending(path: Path) -> Problem:
    usual = DOCUMENT if is_document(path) else path.suffix.lower()
    return Problem(
        "bad-file",
        f"{path.name} would be missing in the pack, whose files end in {DOCUMENT}, {CARD} and {CASES}",
        None,
        f"call it {path.stem}{usual}",
    )


def no_head(documents: int) -> Problem:
    what = "no document says who publishes it" if documents else "there is no document"
    return Problem(
        "no-publisher", what, None, "in the main document: `publisher: ID` and `version: 1.0.0`; see docs/sharing.md"
    )


def second_head(document: MappingNode, first: MappingNode) -> Problem:
    return Problem(
        "two-publishers",
        f"{text_at(first, 'id')} has a publisher, too: a pack has one head",
        document.key("publisher").place,
        "leave it out here, or put the two into folders of their own",
    )


# --- an index


INDEX = "index.json"
MOST_BYTES = 8_000_000
MOST_VERSIONS = 1_000  # of a pack


class CheckState(Struct, frozen=True, forbid_unknown_fields=True):
    """What a check of a pack found. `examples`: how many examples and cases were tried."""

    errors: int
    warnings: int
    examples: int


class IndexEntry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A version of a pack. `file`: its archive beside the index, with its SHA-256 and its size in bytes; `pages`,
    `score_cards`, `reports`: names of pages beside the index, by document."""

    version: ShortText
    file: FileName
    sha256: Digest
    size: int
    language: int
    needs: dict[PackName, ShortText]
    title: dict[str, str]
    license: ShortText
    authors: tuple[str, ...]
    check: CheckState | None = None
    pages: dict[str, str] = {}
    score_cards: dict[str, str] = {}
    reports: dict[str, str] = {}


class PackIndex(Struct, frozen=True, forbid_unknown_fields=True):
    """`index`: the version of this format; of each pack its versions, the newest first."""

    index: Literal[1]
    title: ShortText
    packs: dict[PackName, Annotated[tuple[IndexEntry, ...], Meta(max_length=MOST_VERSIONS)]]

    def text(self) -> str:
        """As a file, the same for the same packs."""
        plain = msgspec.json.encode(msgspec.to_builtins(self), order="sorted")
        return msgspec.json.format(plain, indent=1).decode() + "\n"


def read_index(content: bytes, name: str) -> PackIndex:
    """The index in a file. Raises RulesetError."""
    try:
        return msgspec.json.decode(content, type=PackIndex)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        why = str(error)
        message = f"{name} is no index of packs: {why[:1].lower()}{why[1:]}"
        raise RulesetError([Problem("bad-index", message, None, "`tilewright index FOLDER` writes one")]) from None


def best(entries: tuple[IndexEntry, ...], ranges: list[str]) -> IndexEntry | None:
    """The newest version that is in all the ranges."""
    fitting = [entry for entry in entries if all(fits(entry.version, range) for range in ranges)]
    return max(fitting, key=lambda entry: order_of(entry.version), default=None)


def order_of(version: str) -> Version:
    """The version, to compare; those that are none come first."""
    return version_of(version) or Version("0.0.0-0")
