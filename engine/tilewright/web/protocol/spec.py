"""Specs: what is played, as a page sends it. In: untrusted plain data; out: a Spec, its Rules, or every problem.

Documents are named by id, or come as texts. Texts are written into a private folder of the process and read from there;
names that lead anywhere else are not found (`library.confine`). Problems name documents as their authors do, and no
file of this machine.
"""

import gc
import json
import os
import re
import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.base.problem import Problem
    from tilewright.play.rules import Rules

Plain = dict[str, Any]
ID = re.compile(r"[a-z0-9_]{1,60}")
MOST_TEXT = 256_000  # bytes of a document
MOST_MODS, MOST_OPTIONS = 16, 64
MOST_NAME, MOST_VALUE = 80, 200  # characters
MOST_HANDS = 1_000
MOST_SEED = 2**53
LOOKED_AT = 4_000  # characters, to tell a card in YAML from one in plain text
DOCUMENT = re.compile(r"""^[ {]*["']?(tilewright|kind)["']? *:""", re.MULTILINE)
KEPT = 16  # compiled rules in a process
CACHE = "TILEWRIGHT_CACHE"


class BadSpec(Exception):
    """The spec cannot be played; `problems`: each with code, message, hint, severity, file, line, column ..."""

    def __init__(self, problems: Iterable[Mapping[str, Any]]) -> None:
        self.problems = tuple(dict(problem) for problem in problems)
        super().__init__(self.problems[0]["message"] if self.problems else "this cannot be played")


@dataclass(frozen=True, slots=True)
class SpecDocument:
    """A bundled document, by its id, or a user's: its text and its name."""

    id: str = ""
    text: str | None = None
    name: str = ""

    def to_json(self) -> Plain:
        return {"id": self.id} if self.text is None else {"name": self.name, "text": self.text}


@dataclass(frozen=True, slots=True)
class Spec:
    """What is played. `options`: of the ruleset and of its mods, as text; `card`: one that replaces the choice of an
    option; `hands`: so many, or (None) the match."""

    ruleset: SpecDocument
    mods: tuple[SpecDocument, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    card: SpecDocument | None = None
    hands: int | None = None
    seed: int = 0

    @property
    def documents(self) -> tuple[SpecDocument, ...]:
        """Every document that it names, except choices of options."""
        return (self.ruleset, *self.mods, *((self.card,) if self.card is not None else ()))

    @property
    def is_untrusted(self) -> bool:
        """Whether some of it is text written by users."""
        return any(document.text is not None for document in self.documents)

    @property
    def key(self) -> str:
        """A key, equal for specs with the same rules."""
        documents = [one.to_json() for one in (self.ruleset, *self.mods)]
        card = None if self.card is None else self.card.to_json()
        return json.dumps([documents, sorted(self.options.items()), card], ensure_ascii=False)


# --- reading


def read_spec(data: object) -> Spec:
    """The Spec in plain data. Raises BadSpec if it is invalid."""
    if not isinstance(data, Mapping):
        raise bad("a spec is an object")
    options: dict[str, str] = {}
    cards: list[SpecDocument] = []
    read_options(data.get("options"), options, cards)
    mods = listed(data.get("mods"), MOST_MODS, "mods")
    for mod in mods:
        read_options(mod.get("options") if isinstance(mod, Mapping) else None, options, cards)
    if len(cards) > 1:
        raise bad("only one card is played at a time")
    return Spec(
        read_document(data.get("ruleset"), "ruleset"),
        tuple(read_document(mod, "mod") for mod in mods),
        options,
        cards[0] if cards else None,
        whole_number(data.get("hands"), 1, MOST_HANDS, "hands") if data.get("hands") is not None else None,
        whole_number(data.get("seed", 0), 0, MOST_SEED, "seed"),
    )


def read_document(data: object, what: str) -> SpecDocument:
    """A document by its id, or with its text. Raises BadSpec."""
    if not isinstance(data, Mapping):
        raise bad(f"a {what} is an object with an id, or with a name and a text")
    if (text := data.get("text")) is not None:
        if not isinstance(text, str) or len(text.encode(errors="replace")) > MOST_TEXT:
            raise bad(f"the {what} is longer than {MOST_TEXT:,} bytes, or not a text")
        return SpecDocument("", text, file_name(data.get("name"), what))
    id = data.get("id")
    if not isinstance(id, str) or not ID.fullmatch(id):
        raise bad(f"no {what} has this id")
    return SpecDocument(id)


def file_name(name: object, what: str) -> str:
    """A safe file name, without parts that lead elsewhere."""
    clean = re.sub(r"[^\w-]+", "_", name[:MOST_NAME]).strip("_") if isinstance(name, str) else ""
    return clean or what


def read_options(data: object, options: dict[str, str], cards: list[SpecDocument]) -> None:
    """Settings as text, and chosen cards. Raises BadSpec."""
    if data is None:
        return
    if not isinstance(data, Mapping) or len(data) > MOST_OPTIONS:
        raise bad(f"options are an object of at most {MOST_OPTIONS} settings")
    for name, value in data.items():
        if not isinstance(name, str) or not ID.fullmatch(name):
            raise bad("an option is called by its id")
        if isinstance(value, Mapping):
            cards.append(read_document(value, "card"))
        elif isinstance(value, bool | int | float | str) and len(str(value)) <= MOST_VALUE:
            options[name] = str(value).lower() if isinstance(value, bool) else str(value)
        else:
            raise bad(f"the setting of {name} is neither a truth, a number nor a short text")


def listed(data: object, most: int, what: str) -> list[Any]:
    if data is None:
        return []
    if not isinstance(data, list) or len(data) > most:
        raise bad(f"{what} are a list of at most {most}")
    return data


def whole_number(data: object, least: int, most: int, what: str) -> int:
    if type(data) is not int or not least <= data <= most:
        raise bad(f"{what} is a whole number from {least:,} to {most:,}")
    return data


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

    def file(self, document: SpecDocument, what: str) -> str:
        """A document's name for the loader: an id, or the path of its text."""
        if document.text is None:
            return document.id
        suffix = ".txt" if what == "card" and not DOCUMENT.search(document.text[:LOOKED_AT]) else ".yaml"
        path = self.path / f"{what}-{len(self.names)}{suffix}"
        path.write_text(document.text, encoding="utf-8", errors="replace")
        self.names[str(path)] = f"{document.name}{suffix}"
        return str(path)

    def problems_json(self, problems: "Iterable[Problem]") -> list[Plain]:
        """Problems as plain data, with the authors' names of documents."""
        from tilewright.presentation.problems import as_json, in_order

        return [self.clean(as_json(problem)) for problem in in_order(problems)]

    def clean(self, problem: Mapping[str, Any]) -> Plain:
        return {key: self.without_paths(value) if isinstance(value, str) else value for key, value in problem.items()}

    def without_paths(self, text: str) -> str:
        """A text without paths of this machine."""
        from tilewright.language.documents.bundled import KINDS, data_folder

        for path, name in self.names.items():
            text = text.replace(path, name).replace(Path(path).name, name)
        text = text.replace(f"{self.path}/", "")
        for kind in KINDS:
            text = text.replace(f"{data_folder(kind).parent}/", "")
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


def rules_of(spec: Spec) -> "Rules":
    """The rules of a spec, compiled once in a process. Raises BadSpec with every problem."""
    if spec.key in _kept:
        _kept.move_to_end(spec.key)
        return _kept[spec.key]
    rules = _kept[spec.key] = loaded(spec)
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    leave_alone()
    return rules


def leave_alone() -> None:
    """Exclude present objects from garbage collection until other rules are loaded: each collection would delay every
    table of the process by a tenth of a second."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


_caches: list[str | None] = []  # for bundled documents, where all else has its own


def keep_cache_apart(folder: Path) -> None:
    """From now on only bundled documents use the shared cache, and all else one in a folder."""
    _caches[:] = [os.environ.get(CACHE)]
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


def loaded(spec: Spec) -> "Rules":
    """The compiled rules, ready for play. Raises BadSpec."""
    from tilewright.base.problem import RulesetError
    from tilewright.play.rules import load

    with cache_for(spec), folder_of_texts() as folder:
        try:
            rules = load(*asked_of(spec, folder))
        except RulesetError as error:
            raise BadSpec(folder.problems_json(error.problems)) from None
    try:
        rules.program  # noqa: B018 - it is made here, and not in the first game
    except ValueError as error:
        raise BadSpec([problem_of("not-playable", str(error))]) from None
    return rules


def asked_of(spec: Spec, folder: DocumentFolder) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The arguments of the loader: the ruleset, settings, and mods with the card."""
    mods = [folder.file(mod, "mod") for mod in spec.mods]
    if spec.card is not None:
        mods.append(folder.file(spec.card, "card"))
    return folder.file(spec.ruleset, "ruleset"), dict(spec.options), tuple(mods)
