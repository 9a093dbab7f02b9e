"""Entries: every example and case that a ruleset and all that it extends have written down, each with the rules under
which it ran, or with the reason why it did not.

Reads the documents as they are written and compares them with what trials tell; nothing is taken to have been tried.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import Outcome, mod_of, outcome
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node
from tilewright.base.problem import Place
from tilewright.language.check import names_with_needed, rulesets_near
from tilewright.language.documents.fields import entries, items, kind_of, section, text_at
from tilewright.language.documents.library import read_document
from tilewright.language.documents.whole import MergedRuleset, is_for, is_for_line, line_of, targets_of
from tilewright.language.elaborate import open_whole


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """An example or case of a document. `name`: `patterns.pinfu.examples.2` or `cases.tsumo`; `under`: the rules that
    it ran under, empty if it did not; `reason`: why not."""

    ruleset: str
    name: str
    place: Place
    under: str
    reason: str = ""


def entries_of(path: Path, choices: RulesChoice) -> Iterator[WrittenEntry]:
    """The entries of a ruleset and of all that it extends; of a mod those of every ruleset that it is for. Raises
    RulesetError."""
    document = read_document(path)
    if kind_of(document) == "ruleset":
        yield from of_ruleset(path, choices.mods, choices.settings)
    elif kind_of(document) == "mod":
        mod, names = document, names_with_needed(path, document)
        for target, ids in rulesets_near(path).items():
            if is_for(mod, ids):
                yield from of_ruleset(target, names, {})


def of_ruleset(path: Path, mods: Sequence[str], settings: Mapping[str, str]) -> Iterator[WrittenEntry]:
    """The entries of a ruleset with mods."""
    done = outcome(path, mods, settings, read_document(path))
    whole = open_whole(str(path), settings, mods)
    line = [document for _, document in line_of(path)]
    documents = [*line, *(mod for text in mods if (mod := mod_of(text, path)) is not None)]
    kept = {place: name for name, place in written(whole.full)}
    for document in documents:
        for part in (document, section(document, "change"), section(document, "add")):
            elsewhere = dict(cases_of_others(part, line))
            for name, place in written(part):
                reason = "" if place in done.ran else why_not(place, kept, elsewhere, whole, done)
                yield WrittenEntry(done.ruleset, name, place, done.ran.get(place, ""), reason)


def cases_of_others(part: MappingNode, line: Sequence[MappingNode]) -> Iterator[tuple[Place, str]]:
    """The cases that are for other rulesets than this one with all that it extends, and for which."""
    cases = section(part, "cases")
    for name, case in entries(cases):
        if "for" in case.entries and not is_for_line(case, line):
            yield cases.key(name).place, f"it is for {', '.join(map(str, targets_of(case)))}"


def why_not(
    place: Place, kept: Mapping[Place, str], elsewhere: Mapping[Place, str], whole: MergedRuleset, done: Outcome
) -> str:
    """Why an entry was not tried; empty if there is no reason. `elsewhere`: cases that are for other rulesets."""
    if place in done.excluded:
        return done.excluded[place]
    if place not in kept:
        return elsewhere.get(place, "replaced or removed by what extends it")
    section_of, id, *_ = kept[place].split(".")
    if section_of == "patterns" and id not in section(whole.document, "patterns").entries:
        return f"pattern {id} is off"
    if section_of == "cases" and not section(whole.document, "cases", id, "expect").entries:
        return "it expects nothing"
    return ""


def written(document: MappingNode) -> Iterator[tuple[str, Place]]:
    """The name and the place of every example and case that a document writes down."""
    for pattern, node in entries(document, "patterns"):
        for name, item in named(node.get("examples")):
            yield f"patterns.{pattern}.examples.{name}", item.place
    cases = section(document, "cases")
    for name, _ in entries(cases):
        yield f"cases.{name}", cases.key(name).place


def named(examples: Node | None) -> Iterator[tuple[str, MappingNode]]:
    """Examples by id, where they have one, or by number."""
    if isinstance(examples, MappingNode):
        yield from entries(examples)
        return
    for number, item in enumerate(items(examples), 1):
        if isinstance(item, MappingNode):
            yield text_at(item, "id") or str(number), item
