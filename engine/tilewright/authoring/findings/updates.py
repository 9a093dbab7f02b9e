"""Updates: what the cases of a document expect and what they give now, and fingerprints beside wordings, as changes of
its text.

Only the values of `expect` and of `wording_of` change, and what a document has to say of inherited examples and cases
is added: comments and layout stay. In: the path of a ruleset, a mod or a case file. Out: changes, and the text with
them. Asks nobody and writes nothing.
"""

import json
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TypeVar

from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import Node

from tilewright.authoring.case_files import CaseFile, case_of, checked
from tilewright.authoring.findings.differences import differing
from tilewright.authoring.findings.entries import Span, below, span_of, spliced, tree_of, with_value, written
from tilewright.authoring.findings.inherited import revisions
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import OpenedRules
from tilewright.base.node import Mapping as Document
from tilewright.base.node import Scalar
from tilewright.base.problem import Place, Source
from tilewright.language.check import inherited_by, names_with_needed, rulesets_near
from tilewright.language.companions.joining import sources_of
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.library import read_document
from tilewright.language.documents.whole import is_for
from tilewright.language.elaborate import open_whole
from tilewright.language.wording.wordings import OF, wordings
from tilewright.scoring.case_mistakes import CaseError

Result = TypeVar("Result")
PARTS: tuple[tuple[str, ...], ...] = ((), ("change",), ("add",))  # where a document has cases


@dataclass(frozen=True, slots=True)
class Update:
    """A value that a case expects, or a fingerprint, and what it is now. `span`: its characters in the text; None of
    what is inherited, at `place`, and is written at a `path` of another `file`."""

    place: Place
    name: str
    was: str
    becomes: str
    span: Span | None = None
    path: tuple[str, ...] = ()
    file: str = ""


def update_at(source: Source, name: str, span: Span, becomes: str) -> Update:
    """The update of a value that stands in a text."""
    return Update(source.place(span[0], span[1] - span[0]), name, source.text[slice(*span)], becomes, span)


def updates_of(path: Path, choices: RulesChoice) -> list[Update]:
    """The updates of cases and wordings that a document has, in its files, then of examples and cases that it
    inherits: of a mod, where all its rulesets give the same. Raises RulesetError."""
    document = read_document(path)
    trees = {source: tree_of(source.text) for source in sources_of(document)}
    found: dict[tuple[str, Span], set[Update]] = {}
    targets = list(rules_of(path, document, choices))
    for opened in targets:
        rules = opened.rules()
        for entry in rules.data.cases:
            if entry.place is not None and (tree := trees.get(entry.place.source)) is not None:
                source = entry.place.source
                for key, now in differing(rules, opened.rules, entry.case, entry.expect):
                    if (node := expected_at(tree, entry.id, key)) is not None:
                        span, name = span_of(node), f"cases.{entry.id}.expect.{key}"
                        update = update_at(source, name, span, written(tree, now))
                        found.setdefault((source.name, span), set()).add(update)
    if kind_of(document) in ("ruleset", "base"):
        for span, one in fingerprints(path, trees):
            found[one.place.source.name, span] = {one}
    updates = [one for at in sorted(found) if len(found[at]) == 1 for one in found[at]]
    tree = trees[document.place.source]
    if kind_of(document) == "mod" or not (choices.mods or choices.settings):
        inherited = inherited_by(path, document)
        for revision in revisions(
            document, targets, inherited, lambda id: any(expected_at(one, id) for one in trees.values())
        ):
            was, now = written(tree, revision.was), written(tree, revision.now)
            name, file = ".".join(revision.path), document.place.source.name
            updates.append(Update(revision.place, name, was, now, path=revision.path, file=file))
    return updates


def updates_of_lines(path: Path, choices: RulesChoice) -> list[Update]:
    """The updates of the lines of a case file; none of lines that cannot be tried. Raises OSError, and ValueError for a
    file that is no text."""
    file, source = CaseFile(path, choices), Source(str(path), path.read_bytes().decode("utf-8-sig"))
    start, found = 0, list[Update]()
    for line in StringIO(source.text, newline=""):
        with suppress(CaseError, YAMLError):
            case = case_of(line)
            rules = returned(file.rules_for(case))
            expect = checked(case.pop("expect", {}))
            case.pop("ruleset", None)
            tree = tree_of(line) if rules is not None else None
            for key, now in differing(rules, None, case, expect) if rules is not None else ():
                if (node := below(tree, ("expect", key))) is not None:
                    first, last = span_of(node)
                    span = start + first, start + last
                    found.append(update_at(source, f"expect.{key}", span, json.dumps(now, ensure_ascii=False)))
        start += len(line)
    return found


def returned(steps: Generator[object, None, Result]) -> Result:
    """What a generator returns, whatever it yields."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def fingerprints(path: Path, sources: Collection[Source]) -> Iterator[tuple[Span, Update]]:
    """The fingerprints beside wordings of a document that describe what has changed since: its author says by updating
    them that the wordings still fit."""
    for wording in wordings(open_whole(str(path))):
        node = wording.node.get(OF)
        if wording.is_stale and isinstance(node, Scalar) and node.place.source in sources:
            start = node.at(0, len(wording.of)).offset
            span = (start, start + len(wording.of))
            yield span, update_at(node.place.source, f"{wording.part}.{wording.id}.{OF}", span, wording.now)


def rules_of(path: Path, document: Document, choices: RulesChoice) -> Iterator[OpenedRules]:
    """The rules that the cases of a document are tried under."""
    if kind_of(document) == "ruleset":
        yield OpenedRules(str(path), tuple(choices.mods), tuple(choices.settings.items()))
    elif kind_of(document) == "mod":
        for target, ids in rulesets_near(path).items():
            if is_for(document, ids):
                yield OpenedRules(str(target), names_with_needed(path, document))


def updated(text: str, updates: Sequence[Update]) -> str:
    """The text with the updates."""
    in_text = [(one.span, one.becomes) for one in updates if one.span is not None]
    for span, becomes in sorted(in_text, reverse=True):
        text = spliced(text, span, becomes)
    for one in updates:
        if one.span is None:
            text = with_value(text, one.path, one.becomes, blocks=2 if one.path[0] == "change" else 1)
    return text


def expected_at(tree: Node, id: str, *key: str) -> Node | None:
    """What a case expects, or a value of it, in a document; None where another document says it."""
    return next((node for part in PARTS if (node := below(tree, (*part, "cases", id, "expect", *key)))), None)
