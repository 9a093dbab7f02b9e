"""Symbols: what a document declares and where it uses names, each with its place; its outline, and its examples
counted.

A symbol is a name in a section. In expressions, a name is that of the first section that declares it; the same is done
for references that may mean one of several sections. The outline has the sections with their entries, in the order of
the document; beside patterns and cases stands how many examples hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from pathlib import Path as FilePath

from tilewright.authoring.editor.context import PATCHES, EditedDocument, TextPlace, TextRange, Workspace, document_kind
from tilewright.authoring.editor.scanning import KeyInText, TextKeys
from tilewright.authoring.trials import Outcome
from tilewright.authoring.words import type_name
from tilewright.base.memory import latest
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.base.node import Sequence as SequenceNode
from tilewright.base.problem import Place
from tilewright.language.documents.companions import TEXTS, companions_of, word_at
from tilewright.language.documents.fields import items, section
from tilewright.language.documents.former import KEYED, NAMED, OF_SEATS, OF_TURNS, SECTIONS
from tilewright.language.documents.mods import listed
from tilewright.language.documents.options import choices_of
from tilewright.language.documents.schema import document_schema, is_text, resolve
from tilewright.language.documents.shape import REMEMBERED, Identical, MarkedNode, walk
from tilewright.language.expressions.names import RESERVED
from tilewright.language.expressions.syntax import SyntaxMistake, parse_expression, parse_span, parse_template
from tilewright.language.expressions.trees import Compare, NameOf, Quantified

IN_EXPRESSIONS = (
    *("options", "tiles.suits", "tiles.unranked", "tiles.special", "tiles.classes", "zones", "marks", "terms"),
    *("groups", "forms", "phases", "scoring.measures", "actions", "offers", "patterns", "payments"),
)
DECLARING = tuple(dict.fromkeys((*(part for parts in SECTIONS.values() for part in parts), *IN_EXPRESSIONS, "cases")))
Candidates = tuple[str, ...]  # sections
PLURAL = "s"  # of groups in templates


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A name in a section, which is a path with dots."""

    section: str
    name: str


@dataclass(frozen=True, slots=True)
class NameInText:
    """A name with its place: the sections that it may be of, and whether an entry of this name begins there."""

    name: str
    candidates: Candidates
    place: Place
    declares: bool = False
    beside: str = ""  # what it is compared with: of an option it may be a choice
    plural: str = ""  # the word of which it is the singular, unless that is a name itself


def names_in(document: MappingNode) -> tuple[NameInText, ...]:
    """Every name of a document, in no order."""
    return names_of_text(Identical(document))


@latest(lambda one: one.document.place.source.name, REMEMBERED)
def names_of_text(one: Identical) -> tuple[NameInText, ...]:
    document = one.document
    found = [*declared(document), *in_paths(document), *in_cases(document), *in_texts(document)]
    for use in walk(document, document_schema(document_kind(document))):
        found += used(use)
    return tuple(found)


def entries_of(document: MappingNode, part: str, kind: str = "") -> Iterator[tuple[str, Scalar, Node]]:
    """The entries of a section of a document; of a mod, those that it adds and changes too. `kind`: of the document, if
    it does not say so itself."""
    starts: tuple[tuple[str, ...], ...] = ((),)
    if (kind or document_kind(document)) == "mod":
        starts = ((), *((patch,) for patch in PATCHES))
    for start in starts:
        for name, entry in section(document, *start, *part.split(".")).entries.items():
            yield name, entry.key, entry.value


def declared(document: MappingNode) -> Iterator[NameInText]:
    """The keys of the entries of sections."""
    for part in DECLARING:
        for name, key, _ in entries_of(document, part):
            yield NameInText(name, (part,), key.place, declares=True)


def in_texts(document: MappingNode) -> Iterator[NameInText]:
    """The keys of what has texts in files of texts."""
    kind = document_kind(document)
    for companion in companions_of(document):
        if word_at(companion, "kind") != TEXTS:
            continue
        for part in DECLARING:
            for name, key, _ in entries_of(companion, part, kind):
                yield NameInText(name, (part,), key.place)
        for use in walk(companion, document_schema(kind)):
            yield from used(use) if use.sort == "key" else ()


def in_paths(document: MappingNode) -> Iterator[NameInText]:
    """The names in the paths that a document removes, and at which it inserts steps."""
    steps = [one.get(key) for one in items_of(document.get("insert")) for key in ("after", "before")]
    for item in (*listed(document, "remove"), *(one for one in steps if isinstance(one, Scalar))):
        for part in DECLARING:
            if item.text.startswith(f"{part}."):
                start = len(part) + 1
                name = item.text[start:].partition(".")[0]
                yield NameInText(name, (part,), item.at(start, len(name)))


def in_cases(document: MappingNode) -> Iterator[NameInText]:
    """The names that cases expect, and what seats do in plays."""
    for _, _, case in entries_of(document, "cases"):
        if isinstance(case, MappingNode):
            yield from expected(case.get("expect"))
            for turn in items_of(case.get("play")):
                yield from expected(turn.get("expect"))
                does = next((value for key, value in turn.items() if key not in OF_TURNS), None)
                yield from named(does, ("offers",))


def expected(expect: Node | None) -> Iterator[NameInText]:
    """The names that a case or a turn expects."""
    for key, value in expect.items() if isinstance(expect, MappingNode) else ():
        yield from named(value, NAMED.get(key, ()))
        yield from keyed(value, KEYED.get(key, ()))
        for _, one in value.items() if key in OF_SEATS and isinstance(value, MappingNode) else ():
            yield from (found for given in (named, keyed) for found in given(one, OF_SEATS[key]))


def named(node: Node | None, candidates: Candidates) -> Iterator[NameInText]:
    """A name, or each of a list of them."""
    for one in node.items if isinstance(node, SequenceNode) else (node,):
        if candidates and isinstance(one, Scalar):
            yield NameInText(one.text, candidates, one.place)


def keyed(node: Node | None, candidates: Candidates) -> Iterator[NameInText]:
    """The keys of a mapping."""
    for entry in node.entries.values() if candidates and isinstance(node, MappingNode) else ():
        yield NameInText(entry.key.text, candidates, entry.key.place)


def items_of(node: Node | None) -> Iterator[MappingNode]:
    """The mappings in a list."""
    for one in node.items if isinstance(node, SequenceNode) else ():
        if isinstance(one, MappingNode):
            yield one


def used(use: MarkedNode) -> Iterator[NameInText]:
    """The names at a place that the schema marks."""
    node = use.node
    if not isinstance(node, Scalar):
        return
    if use.sort == "expr":
        for name, start, beside in names_of_expression(node.value if isinstance(node.value, str) else "", use.what):
            yield NameInText(name, IN_EXPRESSIONS, node.at(start, len(name)), beside=beside)
            if name.endswith(PLURAL):
                one = name.removesuffix(PLURAL)
                yield NameInText(one, ("groups",), node.at(start, len(one)), plural=name)
    elif use.what in SECTIONS:
        before, dot, after = node.text.rpartition(".")
        if dot:
            yield NameInText(before, ("phases",), node.at(0, len(before)))
        yield NameInText(after, SECTIONS[use.what], node.at(len(before) + len(dot), len(after)))


@lru_cache(maxsize=8_192)
def names_of_expression(text: str, what: str) -> tuple[tuple[str, int, str], ...]:
    """The names in a text, each with its offset and the name that it is compared with, but for letters that the text
    binds itself and words of the language, of which patterns and payments may have the names."""
    for parse in (
        (parse_template, parse_expression, parse_span) if what == "template" else (parse_expression, parse_span)
    ):
        try:
            return tuple(names_of_tree(parse(text), frozenset()))
        except SyntaxMistake:
            continue
    return ()


def names_of_tree(tree: object, bound: frozenset[str], beside: str = "") -> Iterator[tuple[str, int, str]]:
    if isinstance(tree, NameOf):
        if tree.id not in bound and tree.id not in RESERVED:
            yield tree.id, tree.span[0], beside
    elif isinstance(tree, Quantified):
        yield from names_of_tree(tree.body, bound | {tree.letter.id})
        yield from names_of_tree(tree.domain, bound)
    elif isinstance(tree, Compare) and isinstance(tree.left, NameOf) and isinstance(tree.right, NameOf):
        yield from names_of_tree(tree.left, bound, tree.right.id)
        yield from names_of_tree(tree.right, bound, tree.left.id)
    elif is_dataclass(tree):
        for field in fields(tree):
            yield from names_of_tree(getattr(tree, field.name), bound)
    elif isinstance(tree, tuple):
        for one in tree:
            yield from names_of_tree(one, bound)


# --- which symbol a name is


def symbol_of(
    name: str, candidates: Candidates, documents: Sequence[MappingNode], beside: str = "", plural: str = ""
) -> Symbol | None:
    """The symbol that a name is: of the first of these sections that a document declares it in; none of a choice of the
    option `beside` it, or of the singular of a word that is a name itself."""
    if plural and symbol_of(plural, IN_EXPRESSIONS, documents) is not None:
        return None
    if beside and any(name in choices_of(section(document, "options", beside)) for document in documents):
        return None
    for part in candidates:
        if any(name in declared_in(Identical(document)).get(part, ()) for document in documents):
            return Symbol(part, name)
    return None


@latest(lambda one: one.document.place.source.name, REMEMBERED)
def declared_in(one: Identical) -> Mapping[str, frozenset[str]]:
    """The names that a document declares, by section."""
    return {part: frozenset(name for name, _, _ in entries_of(one.document, part)) for part in DECLARING}


# --- the outline

NAMING = ("for", "needs", "conflicts", "authors")  # lists of names
WITHOUT_ENTRIES = ("text", "any", "mod.")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of a section. `within`: the key above it; `range`: all its lines."""

    id: str
    within: str
    range: TextRange


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """A section with its direct entries."""

    id: str
    range: TextRange
    entries: tuple[OutlineEntry, ...]


def outline(workspace: Workspace, path: FilePath) -> tuple[OutlineSection, ...]:
    """The sections of a document."""
    with workspace.reading():
        document = EditedDocument.of(workspace, path)
    keys, sections = document.keys, sections_of(document.kind)
    found = []
    for top in keys.children(()):
        if top.path[0] not in sections:
            continue
        inside = list(keys.children(top.path))
        if top.path[0] in PATCHES and document.kind == "mod":
            inside = [one for part in inside for one in keys.children(part.path)]
        if not inside and top.path[0] in NAMING:
            continue
        entries = tuple(OutlineEntry(one.path[-1], one.path[-2], range_of(one, keys)) for one in inside)
        found.append(OutlineSection(top.path[0], range_of(top, keys), entries))
    return tuple(found)


def range_of(key: KeyInText, keys: TextKeys) -> TextRange:
    """The lines of a key with all below it, without blank ones at the end."""
    lines = list(keys.block(key))
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    return TextRange(TextPlace(key.line, key.column), TextPlace(key.line + len(lines) - 1, len(lines[-1]) + 1))


def sections_of(kind: str) -> frozenset[str]:
    """The keys of a document that hold more than a text."""
    part = document_schema(kind)
    return frozenset(
        key
        for key, inner in part["properties"].items()
        if not is_text(part, key) and type_name(resolve(inner)) not in WITHOUT_ENTRIES
    )


# --- examples that hold

Held = Mapping[Place, bool]  # whether what is at a place holds


@dataclass(frozen=True, slots=True)
class ExampleTally:
    """The examples of the pattern with this key, a path from the root, or the cases below it: how many hold of those
    that were tried. `line`: where the key is."""

    key: tuple[str, ...]
    line: int
    held: int
    tried: int


def tallies(document: MappingNode, held: Held) -> tuple[ExampleTally, ...]:
    """The tallies of a document, in its order."""
    found = []
    for start in ((), *((patch,) for patch in PATCHES)):
        part = section(document, *start)
        for name, entry in section(part, "patterns").entries.items():
            found.append(tally((*start, "patterns", name), entry.key, examples_of(entry.value), held))
        if "cases" in part.entries:
            places = [entry.key.place for entry in section(part, "cases").entries.values()]
            found.append(tally((*start, "cases"), part.key("cases"), places, held))
    return tuple(sorted((one for one in found if one.tried), key=lambda one: one.line))


def examples_of(pattern: object) -> list[Place]:
    """The places of the examples of a pattern."""
    return [item.place for item in items(pattern.get("examples"))] if isinstance(pattern, MappingNode) else []


def tally(path: tuple[str, ...], key: Scalar, places: Sequence[Place], held: Held) -> ExampleTally:
    tried = [held[place] for place in places if place in held]
    return ExampleTally(path, key.place.line, sum(tried), len(tried))


def held_in(outcomes: Sequence[Outcome]) -> Held:
    """Whether the examples and cases of a document hold under all rules that they were tried under."""
    failing = {problem.place for one in outcomes for problem in (*one.problems, *one.inherited)}
    return {place: place not in failing for one in outcomes for place in one.ran}
