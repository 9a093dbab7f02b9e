"""A merged ruleset: a document with everything that it extends and all mods, before anything is compiled; and its
digests.

Finds and merges the documents, and says which mods are for which rulesets. Knows no expressions: what an `if` removes
is decided when the ruleset is elaborated.

Digests are the same on every machine. That of the texts says that nothing at all was changed: what pages show of rules
is known by it. That of the rules stays the same where a comment, a translation, a note or an example was changed, or a
part moved to a base: games and logs are known by it. It is of the rules in the newest edition of the language, whatever
edition they are written in.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.base.document import bytes_of
from tilewright.base.memory import TheSame
from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem, RulesetError, Source
from tilewright.language.documents.companions import sources_of
from tilewright.language.documents.editions import MARK
from tilewright.language.documents.fields import entries, kind_of, nowhere, text_at
from tilewright.language.documents.former import NamedToday, called, former_names, named_today, warn
from tilewright.language.documents.library import path_of, read_document, shown
from tilewright.language.documents.merge import merge, put
from tilewright.language.documents.mods import Change, apply, collisions, in_order, unfit
from tilewright.language.documents.options import OptionSetting, presets_of, read_mod
from tilewright.language.documents.packs import ANY, document_id, fits, reference_of
from tilewright.language.documents.schema import Schema, below, document_schema, items

if TYPE_CHECKING:
    from tilewright.language.documents.cards import PlayedCard
    from tilewright.language.documents.shape import MarkedNode

MAX_BASES = 16  # length of a chain of extended documents
REMEMBERED = 48  # documents with all that they extend, and with mods


@dataclass(frozen=True, slots=True)
class NamedMods:
    """The named mods: presets of the ruleset, which take precedence over mods of the same name, and mods.
    `options`: the settings of presets; `mods`: those named, and those of presets; `known`: all presets."""

    presets: tuple[str, ...] = ()
    options: Map[str, object] = field(default_factory=dict)
    mods: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    @staticmethod
    def of(full: Mapping, texts: Several[str]) -> "NamedMods":
        """Those of a document with all that it extends."""
        known = {preset.id: preset for preset in presets_of(full)}
        former = former_names(full)
        named, mods = list[str](), list[str]()
        options: dict[str, object] = {}
        for text in texts:
            name, own = read_mod(text)
            if (today := former.new(name, ("presets",))) is not None:
                warn(called(name, today, former.edition))
                name = today
            if name in known:
                named.append(name)
                options |= {**known[name].options, **own}
                mods += known[name].mods
            else:
                mods.append(text)
        return NamedMods(tuple(named), options, tuple(dict.fromkeys(mods)), tuple(known))


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found of a merged document, whatever the options are, by what it is."""

    known: dict[object, Any] = field(default_factory=dict)

    def once(self, what: object, find: Callable[[], Any]) -> Any:
        """What is found, once for all options."""
        if what not in self.known:
            self.known[what] = find()
        return self.known[what]

    def of_node(self, node: Node, what: str, find: Callable[[], Any]) -> Any:
        """What is found of a node alone, once while it is the very same."""
        known = self.known.get((what, id(node)))
        if known is None or known[0] is not node:
            known = self.known[what, id(node)] = node, find()
        return known[1]


@dataclass(frozen=True)
class MergedRuleset:
    """A ruleset with all that it extends and all mods. `document` is `full` without what `if:` removes;
    `origins`: the document, what it extends, nearest first, and the mods, as written; `cards`: the card of each option
    that selects one; `named`: the presets and mods that were asked for; `found`: what was found of `full`, whatever the
    options are; `shared`: what was found of parts of it, whatever the options and the mods are; `old`: warnings of
    names that something has no longer."""

    document: Mapping
    full: Mapping
    options: dict[str, OptionSetting]
    mods: tuple[str, ...]
    kind: str
    origins: tuple[Mapping, ...]
    cards: "Map[str, PlayedCard]" = field(default_factory=dict)
    named: NamedMods = NamedMods()
    old: tuple[Problem, ...] = ()
    found: Findings = field(default_factory=Findings, compare=False, repr=False)
    shared: Findings = field(default_factory=Findings, compare=False, repr=False)

    def with_documents(self, full: Mapping, document: Mapping) -> "MergedRuleset":
        """The same ruleset with other documents, of which nothing was found yet."""
        return replace(self, full=full, document=document, found=Findings())

    @property
    def uses(self) -> "list[MarkedNode]":
        """Everything in `full` that the schema marks, in the order of the document."""
        from tilewright.language.documents.schema import (
            document_schema,  # imported here: a ruleset from the cache is not walked
        )
        from tilewright.language.documents.shape import walk

        found: list[MarkedNode] = self.found.once("uses", lambda: walk(self.full, document_schema("ruleset")))
        return found

    @property
    def sources(self) -> tuple[Source, ...]:
        """Its source texts, in the order of `origins`, each with those of its companions."""
        return tuple(source for document in self.origins for source in sources_of(document))

    @property
    def own(self) -> frozenset[Source]:
        """The document and the mods, without what is extended."""
        return frozenset(self.sources) - frozenset(self.inherited)

    @property
    def inherited(self) -> tuple[Source, ...]:
        """The sources of what the document extends."""
        extended = self.origins[1 : len(self.origins) - len(self.mods)]
        return tuple(source for document in extended for source in sources_of(document))


# --- extended documents


@dataclass(frozen=True, slots=True)
class ExtendedDocument:
    """A document merged over all that it extends, and all of them as written, the document first. `old`: warnings of
    names that a base has given others; `found`: what was found of parts of it, also with mods."""

    full: Mapping
    line: tuple[Mapping, ...]
    old: tuple[Problem, ...] = ()
    found: Findings = field(default_factory=Findings, compare=False, repr=False)


def extended(path: Path) -> ExtendedDocument:
    """The ruleset or base of a file with all that it extends; raises RulesetError."""
    line = tuple(document for _, document in line_of(path))
    if kind_of(line[0]) not in ("base", "ruleset"):
        raise RulesetError([not_a_ruleset(line[0])])
    return merged_line(TheSame(line))


@lru_cache(maxsize=REMEMBERED)
def merged_line(line: TheSame) -> ExtendedDocument:
    full: Mapping | None = None
    old: list[Problem] = []
    for one in reversed(line):
        today = NamedToday(one) if full is None else named_today(one, full)
        full, problems = merge(full, today.document)
        if problems:
            raise RulesetError(problems)
        old += today.warnings
    assert full is not None
    return ExtendedDocument(full, tuple(line), tuple(old))


def line_of(path: Path) -> Iterator[tuple[Path, Mapping]]:
    """The document of a file and all it extends, nearest first, each with its file."""
    seen, document = [], read_document(path)
    first = document.get("extends")
    while True:
        yield path, document
        seen.append(path.resolve())
        base = document.get("extends")
        if not isinstance(base, Scalar) or base.value is None:
            return
        path = path_of(str(base.value), path.parent, base.place, "base or ruleset")
        if path.resolve() in seen:
            raise RulesetError([extends_itself(first if isinstance(first, Scalar) else base)])
        if len(seen) > MAX_BASES:
            raise RulesetError([extends_too_far(base)])
        document = read_document(path)
        if kind_of(document) not in ("base", "ruleset"):
            raise RulesetError([cannot_extend(base, kind_of(document))])


# --- mods


def read_mod_document(path: Path) -> Mapping:
    """The mod of a file; raises RulesetError, also for what is not a mod."""
    mod = read_document(path)
    if kind_of(mod) != "mod":
        raise RulesetError([not_a_mod(mod)])
    return mod


@dataclass(frozen=True, slots=True)
class PatchedDocument:
    """The whole with mods, without cases that are for other rulesets; warnings of old names; and what was found of
    it."""

    full: Mapping
    old: tuple[Problem, ...] = ()
    found: Findings = field(default_factory=Findings, compare=False, repr=False)


def with_mods(document: ExtendedDocument, mods: Several[Mapping]) -> PatchedDocument:
    """The document with mods, the same for the same ones. Raises RulesetError."""
    return patched_once(TheSame((document, *mods)))


@lru_cache(maxsize=REMEMBERED)
def patched_once(parts: TheSame) -> PatchedDocument:
    document, *mods = parts
    old = [*document.old]
    return PatchedDocument(without_cases_of_others(patched(document, mods, old), document.line), tuple(old))


def patched(document: ExtendedDocument, mods: Several[Mapping], old: list[Problem] | None = None) -> Mapping:
    """The whole with the mods applied, each after those it needs. `old` gets the warnings of old names. Raises
    RulesetError."""
    full = document.full
    if not mods:
        return full
    problems = [*unfit(mods), *(not_for(mod, full) for mod in mods if not is_for_line(mod, document.line))]
    changes: list[Change] = []
    for mod in in_order(mods):
        today = named_today(mod, full)
        if old is not None:
            old += today.warnings
        result = apply(full, without_cases_of_others(today.document, document.line, "add"))
        full = result.full
        problems += result.problems
        changes += result.changes
    problems += collisions(changes, mods)
    if problems:
        raise RulesetError(problems)
    return full


def ids_of(path: Path) -> tuple[str, ...]:
    """The ids of a document and of all it extends, its own first."""
    return tuple(text_at(document, "id") for _, document in line_of(path))


def is_for(mod: Mapping, ids: Several[str]) -> bool:
    """Whether a mod is for the ruleset with these ids, its own first."""
    return kind_of(mod) == "mod" and any(target.meets(ids) for target in targets_of(mod))


def is_for_line(part: Mapping, line: Several[Mapping]) -> bool:
    """Whether a mod, or a case, is for a document with all that it extends, in these versions."""
    return any(
        means(target.name.text, document)
        for target in targets_of(part)
        for document in (line[:1] if target.alone else line)
    )


def without_cases_of_others(document: Mapping, line: Several[Mapping], *part: str) -> Mapping:
    """A document, or a part of it, without the cases that are for other rulesets than one with all that it extends."""
    for name, case in entries(document, *part, "cases"):
        if "for" in case.entries and not is_for_line(case, line):
            document = put(document, [*part, "cases", name], None)
    return document


def means(name: str, document: Mapping) -> bool:
    """Whether a name means a document: its id, or its publisher, id and version where it has them."""
    found = reference_of(name)
    if found is None or "publisher" not in document.entries:
        return document_id(name) == text_at(document, "id")
    is_same = (found.publisher, found.document) == (text_at(document, "publisher"), text_at(document, "id"))
    return is_same and (found.range == ANY or fits(text_at(document, "version"), found.range))


@dataclass(frozen=True, slots=True)
class TargetRuleset:
    """A ruleset or base that a mod or a case is for. `alone`: without what extends it."""

    name: Scalar
    alone: bool = False

    def meets(self, ids: Several[str]) -> bool:
        """Whether the ruleset with these ids, its own first, is meant."""
        return document_id(self.name.text) in (ids[:1] if self.alone else ids)

    def __str__(self) -> str:
        return f"{self.name.text} alone" if self.alone else self.name.text


def targets_of(part: Mapping) -> Iterator[TargetRuleset]:
    """What a mod, or a case, is for."""
    node = part.get("for")
    for item in node.items if isinstance(node, Sequence) else () if node is None else (node,):
        only = item.get("only") if isinstance(item, Mapping) else None
        if isinstance(item, Scalar):
            yield TargetRuleset(item)
        elif isinstance(only, Scalar):
            yield TargetRuleset(only, alone=True)


# --- problems


def not_a_ruleset(document: Mapping) -> Problem:
    node = document.key("kind")
    return Problem(
        "not-a-ruleset",
        f"a {kind_of(document)} is not a ruleset",
        node.place,
        "play it with a ruleset, as a mod or card",
    )


def extends_itself(base: Scalar) -> Problem:
    return Problem("extends-in-a-circle", f"extending {base.value!r} leads back to itself", base.place)


def extends_too_far(base: Scalar) -> Problem:
    return Problem("extends-too-far", f"more than {MAX_BASES} documents are extended, each by the next", base.place)


def cannot_extend(base: Scalar, kind: str) -> Problem:
    return Problem("cannot-extend", f"{base.value!r} is a {kind}; only a base or a ruleset can be extended", base.place)


def not_a_mod(mod: Mapping) -> Problem:
    return Problem("not-a-mod", f"{text_at(mod, 'id')} is a {kind_of(mod)}, not a mod", mod.key("kind").place)


def not_for(mod: Mapping, full: Mapping) -> Problem:
    return Problem(
        "not-for-this",
        f"the mod {text_at(mod, 'id')} is not for {text_at(full, 'id')} {text_at(full, 'version')}".rstrip(),
        mod.key("for").place,
        f"it is for {', '.join(map(str, targets_of(mod)))}",
    )


# --- digests

FORM = Scalar(1, "1", nowhere())  # in place of the edition: raised when the same rules get other digests
FOR_READERS = "x-readers"  # the mark of the schema for what only people read


def text_digest_of(whole: MergedRuleset) -> str:
    """SHA-256 of the texts of all documents, and of the chosen options."""
    read = (bytes_of(played.path, shown(played.path)) for _, played in sorted(whole.cards.items()))
    cards = [content.decode("utf-8-sig", "replace") for content in read]
    documents: list[str] = whole.found.once("texts", lambda: [t for one in whole.origins for t in texts_of(one)])
    return digest_of([[text.replace("\r\n", "\n") for text in documents + cards], chosen(whole)])


def texts_of(document: Mapping) -> Iterator[str]:
    """The texts of a document and of its companions, the same in one file and in several."""
    first, *others = sources_of(document)
    yield first.text
    yield from (source.text.lstrip() for source in others)


def rules_digest_of(whole: MergedRuleset) -> str:
    """SHA-256 of the merged document without what only people read, of the lines of cards, and of the options."""
    cards = [
        [option, [[line.entry.text for line in group.lines] for group in played.card.groups]]
        for option, played in sorted(whole.cards.items())
    ]
    return digest_of_text(f"[{rules_text(whole)}, {json.dumps(cards)}, {json.dumps(chosen(whole))}]")


def rules_text(whole: MergedRuleset) -> str:
    """The document without what only people read, as JSON, whatever edition it was written in. That of a section is
    known while it is the very same."""
    schema, parts = document_schema("ruleset"), list[str]()
    for key, node in {**dict(whole.document.items()), MARK: FORM}.items():
        if FOR_READERS not in (part := below(schema, key)):
            written = partial(rules_of_section, key, node, part)
            parts.append(whole.shared.of_node(node, f"rules of {key}", written))
    return f"[{', '.join(parts)}]"


def rules_of_section(key: str, node: Node, part: Schema) -> str:
    return json.dumps([key, rules_in(node, part)])


def chosen(whole: MergedRuleset) -> list[tuple[str, str]]:
    return sorted((name, str(setting.chosen)) for name, setting in whole.options.items())


def rules_in(node: Node, schema: Schema) -> object:
    """A part of a document as plain data, without what only people read. The order of keys counts: it may be that of
    play."""
    match node:
        case Scalar(value=value):
            return str(value) if isinstance(value, Fraction) else value
        case Sequence(items=found):
            return [rules_in(item, items(schema)) for item in found]
        case Mapping():
            parts = ((key, value, below(schema, key)) for key, value in node.items())
            return [[key, rules_in(value, part)] for key, value, part in parts if FOR_READERS not in part]


def digest_of(content: object) -> str:
    return digest_of_text(json.dumps(content))


def digest_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
