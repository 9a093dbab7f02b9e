"""Former names: names that a base has given others (`former_names`), found where a document that is laid over it still
uses them, each with its place and the name of today.

A name is looked for where the schema says that names are: keys of sections, references, expressions, paths, and what
cases do and expect. What a document declares itself is its own. Knows no grammar of expressions, only that names are
words in them.
"""

import re
import warnings
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem, str_of
from tilewright.language.documents.companions import sources_of
from tilewright.language.documents.editions import (
    COMMAND,
    PATCHES,
    Change,
    Renaming,
    RenewedDocument,
    Words,
    edition_of,
    renewed,
    rewritten,
    since,
)
from tilewright.language.documents.fields import entries, is_null, items, kind_of, names, nowhere, section
from tilewright.language.documents.schema import SECTIONS_BY_KIND, Schema, below, document_schema
from tilewright.language.documents.shape import REMEMBERED, MarkedNode, walk

FORMER = "former_names"
NOWHERE = nowhere()
FAMILIES = ("tiles.suits", "tiles.unranked")
SECTIONS: Map[str, tuple[str, ...]] = {  # by what a reference names
    "option": ("options",),
    "amount": ("options",),  # or a number
    "group": ("groups",),
    "form": ("forms",),
    "zone": ("zones",),
    "offer": ("offers",),
    "pattern": ("patterns",),
    "payment": ("payments",),
    "action": ("actions",),
    "phase": ("phases",),
    "measure": ("scoring.measures",),
    "mark": ("marks", "terms"),
    "assigned": ("marks",),
    "event": ("actions", "offers", "phases"),
    "bar": ("offers", "phases", "actions"),
    "group_or_zone": ("groups", "zones"),
    "class": (*FAMILIES, "tiles.special", "tiles.classes", "marks"),
    "tile": FAMILIES,
    "family": FAMILIES,
    "suit": ("tiles.suits",),
    "drawn": (*FAMILIES, "tiles.special"),
    "titled": (*FAMILIES, "tiles.special", "tiles.classes"),
    "pattern_family": ("families",),
}
OF_TILES = (*FAMILIES, "tiles.special", "tiles.classes")
WORDS = ("options", "zones", "marks", "terms", "groups", "forms", "phases", "scoring.measures")
IN_EXPRESSIONS = (*OF_TILES, *WORDS)
RENAMED = (  # the sections whose entries may have been called otherwise
    *WORDS,
    *("presets", "restrictions", "actions", "triggers", "offers", "families", "patterns", "payments"),
)
WORD = re.compile(r"[A-Za-z_]\w*")
IS_CHOICE = re.compile(r"\b([a-z_]\w*)\s*[=!]=\s*([a-z_]\w*)")  # of an option
LETTER = re.compile(r"\bfor\s+([a-z_]\w*)\s+in\b")  # of a quantifier
OF_TURNS = ("say", "refused", "expect")  # keys of a turn of a play that are not moves

# What cases expect, and the sections of what is named there: as a value or values, or as keys; of seats: below these.
NAMED: Map[str, tuple[str, ...]] = {
    "patterns": ("patterns",),
    "unit": ("scoring.measures",),
    "form": ("forms",),
    "phase": ("phases",),
    "result": ("phases",),
}
KEYED: Map[str, tuple[str, ...]] = {"values": ("scoring.measures",), "marks": SECTIONS["mark"], "zones": ("zones",)}
OF_SEATS: Map[str, tuple[str, ...]] = {"sees": ("zones",), "refused": ("offers",), "legal": ("offers",)}


# --- the newest edition


def in_newest_edition(document: Mapping) -> RenewedDocument:
    """A document in the newest edition of the language."""
    return renewed(document, Words() if kind_of(document) not in SECTIONS_BY_KIND else words_of(document))


def words_of(document: Mapping) -> Words:
    """Where a document may use words of expressions."""
    uses = walk(document, document_schema(kind_of(document)))
    expressions = tuple(use.node for use in uses if use.sort == "expr" and isinstance(use.node, Scalar))
    conditions = tuple(use.node for use in uses if use.what == "condition" and isinstance(use.node, Mapping))
    return Words(expressions, conditions)


# --- names of a base


@dataclass(frozen=True, slots=True)
class FormerNames:
    """Names that entries of a document had: old -> new, by section; those that it has; and names that choices had, by
    option. `edition`: of the document."""

    renamed: Map[str, Map[str, str]] = field(default_factory=dict)
    known: Map[str, frozenset[str]] = field(default_factory=dict)
    choices: Map[str, Map[str, str]] = field(default_factory=dict)
    edition: int = 1

    @property
    def old(self) -> frozenset[str]:
        return frozenset(old for names in (*self.renamed.values(), *self.choices.values()) for old in names)

    @property
    def decisive(self) -> tuple[object, ...]:
        """What decides which names are given up: of the names of today, only those that were something else."""
        again = {part: names & self.old for part, names in self.known.items() if not names.isdisjoint(self.old)}
        return self.renamed, self.choices, self.edition, again

    def new(self, name: str, candidates: Iterable[str]) -> str | None:
        """The name of today of a name of one of these sections; None if one has it today."""
        found = [*candidates]
        if any(name in self.known.get(part, ()) for part in found):
            return None
        return next((self.renamed[part][name] for part in found if name in self.renamed.get(part, ())), None)


def former_names(full: Mapping) -> FormerNames:
    """The names that entries of a document had, but for those that others have now."""
    renamed: dict[str, dict[str, str]] = {}
    for part, old, new in given_up(full):
        there = section(full, *part.split(".")).entries
        if new.text in there and old not in there:
            renamed.setdefault(part, {})[old] = new.text
    known = {part: frozenset(section(full, *part.split(".")).entries) for part in (*OF_TILES, *RENAMED)}
    return FormerNames(renamed, known, dict(choices_given_up(full)), edition_of(full))


def choices_given_up(full: Mapping) -> Iterator[tuple[str, Map[str, str]]]:
    """Names that choices of options had: old -> new, but for those that others have now."""
    for option, renamed in entries(full, FORMER, "choices"):
        of = section(full, "options", option).get("of")
        now = set(of.entries) if isinstance(of, Mapping) else set(names(of))
        old = {was: new.text for was, new in renamed.items() if isinstance(new, Scalar) and not is_null(new)}
        if found := {was: new for was, new in old.items() if was not in now}:
            yield option, found


def given_up(full: Mapping) -> Iterator[tuple[str, str, Scalar]]:
    """Every name that entries of a section had: the section, that name, and the name of today."""
    for part in RENAMED:
        for old, new in section(full, FORMER, part.rpartition(".")[2]).items():
            if isinstance(new, Scalar) and not is_null(new):
                yield part, old, new


@dataclass(frozen=True, slots=True)
class NamedToday:
    """A document with the names of today, and what changed."""

    document: Mapping
    changes: tuple[Renaming, ...] = ()

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return tuple(map(change_made, self.changes))


def named_today(document: Mapping, full: Mapping) -> NamedToday:
    """A document as it is laid over a base or a ruleset, with the names that things have there now."""
    former = former_names(full)
    if not former.old or not mentions(document, former.old):
        return NamedToday(document)
    changes = tuple(old_names(document, former))
    return NamedToday(rewritten(document, changes), changes)


def settings_today(wanted: Map[str, object], former: FormerNames) -> tuple[Map[str, object], tuple[Problem, ...]]:
    """Chosen values of options, by the names that the options have now; and a warning of each old name."""
    today, old = dict[str, object](), list[Problem]()
    for name, value in wanted.items():
        new = former.new(name, ("options",))
        chosen = former.choices.get(new or name, {}).get(str(value))
        today[new or name] = value if chosen is None else chosen
        old += [] if new is None else [called(name, new, former.edition)]
        old += [] if chosen is None else [called(str(value), chosen, former.edition)]
    return today, tuple(old)


def mentions(document: Mapping, names: Iterable[str]) -> bool:
    """Whether the text of a document, or of a companion of it, has one of these words."""
    words = any_of(frozenset(names))
    return any(words.search(source.text) for source in sources_of(document))


@lru_cache(maxsize=REMEMBERED)
def any_of(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})")


def old_names(document: Mapping, former: FormerNames) -> Iterator[Renaming]:
    """Every place of a document with a former name."""
    part = document_schema(kind_of(document))
    own = declared_itself(document, former)
    finder = NameFinder(replace(former, known=own), document, letters_of(document))
    uses = walk(document, part)
    yield from once(
        (
            *(found for use in uses for found in finder.used(use)),
            *(found for start in starts(document) for found in finder.entries(start)),
            *finder.paths(document),
            *(found for start in starts(document) for case in cases_of(start) for found in finder.case(case)),
        )
    )


def once(found: Iterable[Renaming]) -> Iterator[Renaming]:
    """Each renaming of a place once: what two ways lead to."""
    return iter({(id(one.scalar), one.start): one for one in found}.values())


def starts(document: Mapping) -> Iterator[Mapping]:
    """A document, and the parts of a mod that are like a ruleset."""
    yield document
    if kind_of(document) == "mod":
        yield from (section(document, patch) for patch in PATCHES)


def cases_of(document: Mapping) -> Iterator[Mapping]:
    return (case for _, case in section(document, "cases").items() if isinstance(case, Mapping))


def declared_itself(document: Mapping, former: FormerNames) -> dict[str, frozenset[str]]:
    """The names that there are, with those that a document declares itself: where it does not change or remove what had
    the name before, but says all that such a thing needs."""
    own = dict(former.known)
    for start in starts(document):
        if start is not section(document, "change") or start is document:
            for name in (*OF_TILES, *RENAMED):
                found = section(start, *name.split("."))
                own[name] = own.get(name, frozenset()) | {key for key, node in found.items() if is_whole(node, name)}
    return own


def is_whole(node: Node, part: str) -> bool:
    """Whether an entry of a section stands for itself, and does not change another."""
    if is_null(node):
        return False
    if not isinstance(node, Mapping) or part in OF_TILES:
        return True
    if part == "payments":
        return any(isinstance(line, Mapping) and {"from", "amount"} <= line.entries.keys() for _, line in node.items())
    wanted = entry_schema(part)
    needed = (*wanted.get("x-required", ()), *wanted.get("x-playable", ()))
    titles = ("name", "label")
    return all(key in node.entries for key in needed) if needed else any(key in node.entries for key in titles)


@cache
def entry_schema(part: str) -> Schema:
    """The schema of an entry of a section."""
    found = document_schema("ruleset")
    for step in part.split("."):
        found = below(found, step)
    return below(found, "*")


def letters_of(document: Mapping) -> frozenset[str]:
    """The words that a document introduces for one place, whose uses in expressions are its own: letters of
    quantifiers, and what choices, arguments and loops are called."""
    found = set(LETTER.findall(document.place.source.text))
    todo: list[Node] = [document]
    while todo:
        node = todo.pop()
        if isinstance(node, Mapping):
            for key, value in node.items():
                if key in INTRODUCING and isinstance(value, Mapping):
                    found |= value.entries.keys()
                todo.append(value)
        elif isinstance(node, Sequence):
            todo += node.items
    return frozenset(found)


INTRODUCING = ("choose", "takes", "for", "ask", "roll")


@dataclass(frozen=True, slots=True)
class NameFinder:
    """Finds former names in a document or a case. `letters`: words that mean something else in expressions."""

    former: FormerNames
    root: Mapping
    letters: frozenset[str] = frozenset()

    def renaming(
        self, scalar: Scalar, candidates: Iterable[str], name: str | None = None, start: int = 0
    ) -> Iterator[Renaming]:
        """The renaming of a name, the whole scalar by default, that may be of these sections."""
        old = scalar.text if name is None else name
        if (new := self.former.new(old, candidates)) is not None:
            yield Renaming(scalar, start, old, new, self.former.edition)

    def used(self, use: MarkedNode) -> Iterator[Renaming]:
        """The former names at a place that the schema marks."""
        node = use.node
        if not isinstance(node, Scalar) or node.value is None:
            return
        if use.sort == "expr":
            for found in IS_CHOICE.finditer(node.text) if isinstance(node.value, str) else ():
                yield from self.choice(found[1], node, found[2], found.start(2))
            candidates = ("options",) if use.path[-1] == "if" else IN_EXPRESSIONS
            for word in WORD.finditer(node.text) if isinstance(node.value, str) else ():
                if word.group() not in self.letters:
                    yield from self.in_expression(node, candidates, word.group(), word.start())
        elif use.what in SECTIONS:
            before, dot, after = node.text.rpartition(".")
            if dot:
                yield from self.renaming(node, ("phases",), before)
            yield from self.renaming(node, SECTIONS[use.what], after, len(before) + len(dot))
            if use.what == "option" and use.sort == "key" and isinstance(value := at(self.root, use.path), Scalar):
                yield from self.choice(node.text, value, value.text)

    def choice(self, option: str, scalar: Scalar, name: str, start: int = 0) -> Iterator[Renaming]:
        """The renaming of a choice of an option."""
        today = self.former.new(option, ("options",)) or option
        if (new := self.former.choices.get(today, {}).get(name)) is not None:
            yield Renaming(scalar, start, name, new, self.former.edition)

    def in_expression(self, node: Scalar, candidates: tuple[str, ...], word: str, start: int) -> Iterator[Renaming]:
        """A word of an expression; of a kind of groups it may be the plural."""
        found = [*self.renaming(node, candidates, word, start)]
        if not found and word.endswith("s"):
            found = [*self.renaming(node, ("groups",), word[:-1], start)]
        yield from found

    def entries(self, document: Mapping) -> Iterator[Renaming]:
        """The keys of sections."""
        for part in RENAMED:
            found = section(document, *part.split("."))
            for name in self.former.renamed.get(part, ()):
                if name in found.entries and self.former.renamed[part][name] not in found.entries:
                    yield from self.renaming(found.key(name), (part,))
        for option, node in entries(document, "options"):
            if isinstance(chosen := node.get("choice"), Scalar):
                yield from self.choice(option, chosen, chosen.text)

    def paths(self, document: Mapping) -> Iterator[Renaming]:
        """The names in paths: of what is removed, and where steps are inserted."""
        inserted = [
            step.get(key) for step in items(document.get("insert")) if isinstance(step, Mapping) for key in ENDS
        ]
        for item in (*items(document.get("remove")), *inserted):
            for part in RENAMED if isinstance(item, Scalar) else ():
                if isinstance(item, Scalar) and item.text.startswith(f"{part}."):
                    start = len(part) + 1
                    name, _, rest = item.text[start:].partition(".")
                    yield from self.renaming(item, (part,), name, start)
                    if part == "phases" and rest.startswith("offers."):
                        start += len(name) + len(".offers.")
                        yield from self.renaming(item, ("offers",), item.text[start:], start)

    # --- cases

    def case(self, case: Mapping) -> Iterator[Renaming]:
        """What a case expects, and what seats do in its play."""
        yield from self.expected(case.get("expect"))
        for turn in items(case.get("play")):
            if isinstance(turn, Mapping):
                yield from self.expected(turn.get("expect"))
                does = next((value for key, value in turn.items() if key not in OF_TURNS), None)
                yield from self.named(does, ("offers",))

    def expected(self, expect: Node | None) -> Iterator[Renaming]:
        """What a case or a turn expects."""
        for key, value in expect.items() if isinstance(expect, Mapping) else ():
            yield from self.named(value, NAMED.get(key, ()))
            yield from self.keyed(value, KEYED.get(key, ()))
            for _, one in value.items() if key in OF_SEATS and isinstance(value, Mapping) else ():
                yield from self.named(one, OF_SEATS[key])
                yield from self.keyed(one, OF_SEATS[key])

    def named(self, node: Node | None, candidates: tuple[str, ...]) -> Iterator[Renaming]:
        """A name, or each of a list of them."""
        for one in items(node):
            if isinstance(one, Scalar):
                yield from self.renaming(one, candidates)
            elif isinstance(one, Mapping) and isinstance(id := one.get("id"), Scalar):
                yield from self.renaming(id, candidates)

    def keyed(self, node: Node | None, candidates: tuple[str, ...]) -> Iterator[Renaming]:
        """The keys of a mapping."""
        for entry in node.entries.values() if isinstance(node, Mapping) else ():
            yield from self.renaming(entry.key, candidates)


ENDS = ("before", "after")


def at(root: Mapping, path: Iterable[str]) -> Node | None:
    """The node at a path of keys and indices."""
    node: Node | None = root
    for step in path:
        if isinstance(node, Sequence):
            node = node.items[int(step)]
        else:
            node = node.get(step) if isinstance(node, Mapping) else None
    return node


# --- plain data


def case_today(case: Map[str, Any], former: FormerNames) -> tuple[dict[str, Any], tuple[Renaming, ...]]:
    """A case or a layout, as plain data, with the names of today; and what changed."""
    if not former.old or any_of(former.old).search(repr(case)) is None:
        return dict(case), ()
    written: dict[int, tuple[Scalar, object]] = {}
    tree = node_of(case, written)
    assert isinstance(tree, Mapping)
    changes = old_names_of_case(tree, former)
    return data_of(rewritten(tree, changes), written), changes


def old_names_of_case(case: Mapping, former: FormerNames) -> tuple[Renaming, ...]:
    """Every place of a case or a layout with a former name."""
    finder = NameFinder(former, case)
    uses = walk(case, entry_schema("cases"))
    return tuple(once([*(one for use in uses for one in finder.used(use)), *finder.case(case)]))


def node_of(value: object, written: dict[int, tuple[Scalar, object]]) -> Node:
    """Plain data as nodes without places; `written` gets the data of each scalar."""
    if isinstance(value, Map):
        keys = {key: Scalar(str(key), str(key), NOWHERE) for key in value}
        return Mapping({keys[key].text: Entry(keys[key], node_of(one, written)) for key, one in value.items()}, NOWHERE)
    if isinstance(value, list | tuple):
        return Sequence(tuple(node_of(one, written) for one in value), NOWHERE)
    scalar = Scalar(value if isinstance(value, bool | str) or value is None else 0, str(value), NOWHERE)
    written[id(scalar)] = scalar, value
    return scalar


def data_of(node: Node, written: dict[int, tuple[Scalar, object]]) -> Any:
    """The plain data of such nodes."""
    match node:
        case Mapping():
            return {key: data_of(value, written) for key, value in node.items()}
        case Sequence():
            return [data_of(item, written) for item in node.items]
    return written[id(node)][1] if id(node) in written else node.value


class OldName(FutureWarning):
    """A name that something has no longer was used. It still works."""


def warn(problem: Problem) -> None:
    """Warn a program, or who runs a command, of an old name."""
    warnings.warn(str_of(problem), OldName, stacklevel=4)


# --- problems


def old_names_once(changes: Iterable[Renaming]) -> Iterator[Problem]:
    """A warning of each old name."""
    yield from {(one.old, one.new): change_made(one) for one in changes}.values()


def change_made(change: Change) -> Problem:
    """What changes at a place, as a warning."""
    if isinstance(change, Renaming) and change.old.isdigit():
        message = f"this is edition {change.old} of the language"
        return Problem("old-name", message, change.place, f"write {change.new}", "warning")
    if isinstance(change, Renaming):
        return called(change.old, change.new, change.since, change.place)
    shape = f"{{{change.key}: ...}}" if change.key else "a list"
    return Problem("old-name", f"this is {shape} since edition {change.since}", change.place, COMMAND, "warning")


def called(old: str, new: str, edition: int, place: Place | None = None) -> Problem:
    if place is None or not place.source.text:  # not in a file that a command could rewrite
        return Problem("old-name", since(old, new, edition), None, None, "warning")
    return Problem("old-name", since(old, new, edition), place, COMMAND, "warning")
