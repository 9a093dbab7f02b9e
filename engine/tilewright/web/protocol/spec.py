"""Specs: what is played, as typed classes like the messages of pages. In: untrusted plain data; out: a Spec, its Rules,
or every problem.

Documents are named by id, or come as texts. Texts are written into a private folder of the process and read from there;
names that lead anywhere else are not found (`library.confine`). Problems name documents as their authors do, and no
file of this machine.
"""

import os
import re
import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tilewright.base.garbage import leave_alone
from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.shape import json_text, read_as, worded, wrong
from tilewright.web.storage.rows import clean_name

if TYPE_CHECKING:
    from tilewright.base.problem import Problem
    from tilewright.play.rules import Rules

Plain = dict[str, Any]
Texts = Mapping[str, str]  # of bundled documents, by their ids
NO_TEXTS: Texts = {}
MOST_TEXT = 256_000  # bytes of a document
MOST_CARD_TEXT = 100_000  # characters of a card as one
MOST_GAMES = 1_000  # that are simulated at once
MOST_MODS, MOST_OPTIONS, MOST_BESIDE = 16, 64, 8
MOST_NAME, MOST_VALUE = 80, 200  # characters
MOST_HANDS = 1_000
MOST_NUMBER = 2**53  # that JavaScript counts exactly
ID = re.compile(r"[a-z][a-z0-9_]{0,59}")  # of a document, as its file is called
KEPT = 16  # compiled rules in a process
CACHE = "TILEWRIGHT_CACHE"
DocumentSort = Literal["ruleset", "mod", "beside", "card"]
CARD: DocumentSort = "card"  # decides what hands are worth, and nothing else

Id = Annotated[
    str,
    Meta(pattern=r"^[a-z0-9_]{1,60}$(?!\n)"),  # `$` matches before a line end, too
    worded("shape.id"),
]


class BadSpec(Exception):
    """The spec cannot be played; `problems`: each with code, message, hint, severity, file, line, column ..."""

    def __init__(self, problems: Iterable[Mapping[str, Any]]) -> None:
        self.problems = tuple(dict(problem) for problem in problems)
        super().__init__(self.problems[0]["message"] if self.problems else "this cannot be played")


class SpecDocument(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A bundled document by its `id`, or a user's: its `text` and its `name`."""

    id: Id = ""
    name: Annotated[str, Meta(max_length=10_000)] = ""  # as given; cut to so many as fit
    text: Annotated[str, Meta(max_length=MOST_TEXT)] | None = None

    def __post_init__(self) -> None:
        text = self.text or ""
        if bool(self.id) == (self.text is not None) or len(text.encode(errors="replace")) > MOST_TEXT:
            raise ValueError("a document has either an id or a text that is not too long")
        msgspec.structs.force_setattr(self, "name", clean_name(self.name, MOST_NAME) if self.text is not None else "")


IS_DOCUMENT = worded("shape.document", most=f"{MOST_TEXT:,}")
Value = (
    bool | Annotated[int, Meta(ge=-MOST_NUMBER, le=MOST_NUMBER)] | float | Annotated[str, Meta(max_length=MOST_VALUE)]
)
Options = Annotated[
    dict[Id, Value | SpecDocument],
    worded("shape.options", longest=MOST_OPTIONS, most=MOST_OPTIONS, length=MOST_VALUE),
]


class SpecMod(SpecDocument, frozen=True):
    """A mod, as a document, with its options."""

    options: Options = {}


class Spec(Struct, frozen=True, forbid_unknown_fields=True):
    """What is played. `hands`: so many, or (null) the match; `seed`: of a single player; `beside`: texts that the
    others name by their ids, which are their names. At most one card may replace the choice of an option."""

    ruleset: Annotated[SpecDocument, IS_DOCUMENT]
    mods: Annotated[
        tuple[Annotated[SpecMod, IS_DOCUMENT], ...],
        worded("shape.mods", longest=MOST_MODS, most=MOST_MODS),
    ] = ()
    options: Options = {}
    hands: Annotated[int, Meta(ge=1, le=MOST_HANDS)] | None = None
    seed: Annotated[int, Meta(ge=0, le=MOST_NUMBER)] | None = None
    beside: Annotated[
        tuple[Annotated[SpecDocument, IS_DOCUMENT], ...],
        worded("shape.beside", longest=MOST_BESIDE, most=MOST_BESIDE),
    ] = ()

    def __post_init__(self) -> None:
        if sum(isinstance(value, SpecDocument) for _, value in self.chosen) > 1:
            raise wrong("spec", "options", translations("shape.one_card"))

    def to_json(self) -> Plain:
        """As stored and sent."""
        found: Plain = msgspec.to_builtins(self)
        return found if self.beside else {key: value for key, value in found.items() if key != "beside"}

    @property
    def chosen(self) -> Iterator[tuple[str, Value | SpecDocument]]:
        """Every option with its choice."""
        for options in (self.options, *(mod.options for mod in self.mods)):
            yield from options.items()

    @property
    def settings(self) -> dict[str, str]:
        """Options as text, except a card."""
        plain = [(name, value) for name, value in self.chosen if not isinstance(value, SpecDocument)]
        return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in plain}

    @property
    def card(self) -> SpecDocument | None:
        """The card that replaces the choice of an option."""
        return next((value for _, value in self.chosen if isinstance(value, SpecDocument)), None)

    @property
    def is_untrusted(self) -> bool:
        """Whether some of it is text written by users."""
        return any(True for _ in own_documents(self))

    @property
    def key(self) -> str:
        """A key, equal for specs with the same rules."""
        documents = [(one.id, one.name, one.text) for one in (self.ruleset, *self.mods, *self.beside)]
        return json_text((documents, sorted(self.settings.items()), self.card))


def own_documents(spec: Spec) -> Iterator[tuple[DocumentSort, SpecDocument]]:
    """The documents that are texts written by users, each with what it is."""
    card = () if spec.card is None else (spec.card,)
    sorts: tuple[tuple[DocumentSort, Iterable[SpecDocument]], ...] = (
        ("ruleset", (spec.ruleset,)),
        ("mod", spec.mods),
        ("beside", spec.beside),
        (CARD, card),
    )
    return ((sort, one) for sort, documents in sorts for one in documents if one.text is not None)


def read_spec(found: object) -> Spec:
    """The Spec in plain data. Raises Refused if it is invalid."""
    return read_as(Spec, found, "spec")


def file_name(name: str, what: str) -> str:
    """A safe file name, without parts that lead elsewhere."""
    return re.sub(r"[^\w-]+", "_", name).strip("_") or what


def bad(message: str) -> BadSpec:
    """The error for a spec that our pages never send."""
    return BadSpec([problem_of("bad-spec", message)])


def problem_of(code: str, message: str, hint: str | None = None) -> Plain:
    """A problem without a place, as plain data."""
    place = dict.fromkeys(("file", "line", "column", "length"))
    return {"code": code, "severity": "error", "message": message, "hint": hint, **place}


# --- texts as files


@dataclass(frozen=True)
class DocumentFolder:
    """The texts of a spec, as files. `names`: their authors' names for them, by path."""

    path: Path
    names: dict[str, str] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)  # ids of bundled documents with other texts than now

    def file(self, document: SpecDocument, what: str) -> str:
        """A document's name for the loader: an id, or the path of its text."""
        from tilewright.language.documents.library import claims_to_be_ours

        if document.text is None:
            return str(self.path / f"{document.id}.yaml") if document.id in self.kept else document.id
        suffix = ".txt" if what == CARD and not claims_to_be_ours(document.text) else ".yaml"
        path = self.path / f"{what}-{len(self.names)}{suffix}"
        path.write_text(document.text, encoding="utf-8", errors="replace")
        self.names[str(path)] = f"{file_name(document.name, what)}{suffix}"
        return str(path)

    def put_kept(self, texts: Texts) -> None:
        """Put texts of bundled documents, by their ids, where they are found before those of now."""
        for id, text in texts.items():
            (self.path / f"{id}.yaml").write_text(text, encoding="utf-8")
            self.kept.add(id)

    def put_beside(self, documents: "Iterable[SpecDocument]") -> None:
        """Put texts where the others find them by their ids."""
        for document in documents:
            if document.text is not None and ID.fullmatch(document.name):
                path = self.path / f"{document.name}.yaml"
                path.write_text(document.text, encoding="utf-8", errors="replace")

    def problems_json(self, problems: "Iterable[Problem]") -> list[Plain]:
        """Problems as plain data, with the authors' names of documents."""
        from tilewright.presentation.problems import as_json, in_order

        return [self.clean(as_json(problem)) for problem in in_order(problems)]

    def clean(self, problem: Mapping[str, Any]) -> Plain:
        return {key: self.without_paths(value) if isinstance(value, str) else value for key, value in problem.items()}

    def without_paths(self, text: str) -> str:
        """A text without paths of this machine."""
        from tilewright.language.documents.bundled import document_folders

        for path, name in self.names.items():
            text = text.replace(path, name).replace(Path(path).name, name)
        text = text.replace(f"{self.path}/", "")
        for folder in document_folders():
            text = text.replace(f"{folder.parent}/", "")
        return text


@contextmanager
def folder_of_texts() -> Iterator[DocumentFolder]:
    """A temporary folder for texts, in the private one of the process."""
    from tilewright.language.documents import library

    with tempfile.TemporaryDirectory(prefix="texts-") as name:
        path = Path(name).resolve()
        before = list(library.CONFINED)
        if not before:
            library.confine(path)
        try:
            yield DocumentFolder(path)
        finally:
            library.CONFINED[:] = before


# --- rules


_kept: "OrderedDict[str, Rules]" = OrderedDict()


def rules_of(spec: Spec, kept: Texts = NO_TEXTS) -> "Rules":
    """The rules of a spec, compiled once in a process. `kept`: texts of bundled documents, as they were when a table
    was made. Raises BadSpec with every problem."""
    kept = NO_TEXTS if are_bundled(kept) else kept
    key = json_text((spec.key, sorted(kept.items()))) if kept else spec.key
    if key in _kept:
        _kept.move_to_end(key)
        return _kept[key]
    rules = _kept[key] = loaded(spec, kept)
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    leave_alone()  # each collection would delay every table of the process by a tenth of a second
    return rules


def are_bundled(texts: Texts) -> bool:
    """Whether these are the texts of bundled documents as they are now."""
    from tilewright.language.documents.bundled import bundled_file
    from tilewright.language.documents.companions import whole_text

    files = ((bundled_file(id), text) for id, text in texts.items())
    return all(path is not None and whole_text(path) == text for path, text in files)


def kept_texts(spec: Spec, digest: str | None) -> Texts | None:
    """The texts of all bundled documents that a spec is made of, by their ids: as they are now, or as they were in the
    version of which the digest is. None if no known version has this digest. Compiles nothing."""
    from tilewright.base.problem import RulesetError
    from tilewright.language.documents.bundled import earlier_documents
    from tilewright.language.documents.whole import text_digest_of
    from tilewright.language.elaborate import open_whole

    for earlier in chain([NO_TEXTS], earlier_documents()):
        with cache_for(spec), folder_of_texts() as folder:
            try:
                whole = open_whole(*asked_of(spec, folder, earlier))
            except RulesetError:
                continue
            if digest in (None, text_digest_of(whole)):
                cards = (played.path for played in whole.cards.values())
                documents = (Path(document.place.source.name) for document in whole.origins)
                return dict(texts_of_ours([*documents, *cards], folder))
    return None


def texts_of_ours(paths: Iterable[Path], folder: DocumentFolder) -> Iterator[tuple[str, str]]:
    """The texts of those files that are bundled documents, or were, each with those of its companions."""
    from tilewright.language.documents.bundled import document_folders
    from tilewright.language.documents.companions import whole_text

    ours = {other.resolve() for other in document_folders()}
    for path in map(Path.resolve, paths):
        if path.parent in ours or (path.parent == folder.path and path.stem in folder.kept):
            yield path.stem, whole_text(path)


_caches: list[str | None] = []  # for bundled documents, where all else has its own


def keep_cache_apart(folder: Path) -> None:
    """From now on only bundled documents use the shared cache, and all else one in a folder. Arrays are also read from
    the shared one: their names say all that they follow from."""
    from tilewright.base import files

    _caches[:] = [os.environ.get(CACHE)]
    files.READ_TOO[:] = [files.folder()]
    os.environ[CACHE] = str(folder)


@contextmanager
def cache_for(spec: Spec) -> Iterator[None]:
    """The cache for the rules of this spec."""
    apart = os.environ.get(CACHE)
    if not _caches or spec.is_untrusted:
        yield
        return
    set_cache(_caches[0])
    try:
        yield
    finally:
        set_cache(apart)


def set_cache(folder: str | None) -> None:
    if folder is None:
        os.environ.pop(CACHE, None)
    else:
        os.environ[CACHE] = folder


def loaded(spec: Spec, kept: Texts = NO_TEXTS) -> "Rules":
    """The compiled rules, ready for play. Raises BadSpec."""
    from tilewright.base.problem import RulesetError
    from tilewright.play.rules import load

    with cache_for(spec), folder_of_texts() as folder:
        try:
            rules = load(*asked_of(spec, folder, kept))
        except RulesetError as error:
            raise BadSpec(folder.problems_json(error.problems)) from None
    try:
        rules.program  # noqa: B018 - it is made here, and not in the first game
    except ValueError as error:
        raise BadSpec([problem_of("not-playable", str(error))]) from None
    return rules


def asked_of(spec: Spec, folder: DocumentFolder, kept: Texts = NO_TEXTS) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The arguments of the loader: the ruleset, settings, and mods with the card. Raises RulesetError for a text
    that is given as a card and is not one."""
    from tilewright.base.problem import RulesetError
    from tilewright.language.documents.cards import is_card
    from tilewright.language.documents.library import not_a_card, read_document

    folder.put_kept(kept)
    folder.put_beside(spec.beside)
    mods = [folder.file(mod, "mod") for mod in spec.mods]
    if spec.card is not None:
        mods.append(folder.file(spec.card, CARD))
        if spec.card.text is not None and not is_card(path := Path(mods[-1])):
            raise RulesetError([not_a_card(read_document(path))])
    return folder.file(spec.ruleset, "ruleset"), spec.settings, tuple(mods)
