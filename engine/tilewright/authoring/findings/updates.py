"""Updates: what the cases of a document expect and what they give now, and fingerprints beside wordings, as changes of
its text.

Only the values of `expect` and of `wording_of` change: comments and layout stay. In: the path of a ruleset, a mod
or a case file. Out: changes, and the text with them. Asks nobody and writes nothing.
"""

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import CollectionNode, MappingNode, Node

from tilewright.authoring.case_files import CaseFile, case_of, checked
from tilewright.authoring.findings.flow import flow
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import OpenedRules
from tilewright.base.node import Mapping as Document
from tilewright.base.node import Scalar
from tilewright.base.problem import Place, RulesetError, Source
from tilewright.language.check import names_with_needed, rulesets_near
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.library import read_document
from tilewright.language.documents.whole import is_for
from tilewright.language.elaborate import open_whole
from tilewright.language.wording.wordings import OF, wordings
from tilewright.scoring.case import CaseError
from tilewright.scoring.examples import Reopen, agrees, found_as, with_options
from tilewright.scoring.rules import ScoringRules

Result = TypeVar("Result")
Span = tuple[int, int]
PARTS: tuple[tuple[str, ...], ...] = ((), ("change",), ("add",))  # where a document has cases


@dataclass(frozen=True, slots=True)
class Update:
    """A value that a case expects, or a fingerprint, and what it is now. `span`: its characters in the text."""

    place: Place
    name: str
    span: Span
    becomes: str

    @property
    def was(self) -> str:
        return self.place.source.text[slice(*self.span)]


def updates_of(path: Path, choices: RulesChoice) -> list[Update]:
    """The updates of the cases and wordings that a document itself has: of a mod, where all its rulesets give the
    same. Raises RulesetError."""
    document = read_document(path)
    source = document.place.source
    tree = YAML(pure=True).compose(source.text)
    found: dict[Span, set[Update]] = {}
    for opened in rules_of(path, document, choices):
        rules = opened.rules()
        for entry in rules.data.cases:
            if entry.place is not None and entry.place.source == source:
                for key, now in differing(rules, opened.rules, entry.case, entry.expect):
                    if (span := span_of(tree, entry.id, key)) is not None:
                        at = source.place(span[0], span[1] - span[0])
                        found.setdefault(span, set()).add(Update(at, f"cases.{entry.id}.expect.{key}", span, flow(now)))
    if kind_of(document) in ("ruleset", "base"):
        for one in fingerprints(path, source):
            found[one.span] = {one}
    return [one for span in sorted(found) if len(found[span]) == 1 for one in found[span]]


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
            tree = YAML(pure=True).compose(line) if rules is not None else None
            for key, now in differing(rules, None, case, expect) if rules is not None else ():
                if (node := below(tree, ("expect", key))) is not None:
                    span = start + node.start_mark.index, start + end_of(node)
                    at = source.place(span[0], span[1] - span[0])
                    found.append(Update(at, f"expect.{key}", span, json.dumps(now, ensure_ascii=False)))
        start += len(line)
    return found


def returned(steps: Generator[object, None, Result]) -> Result:
    """What a generator returns, whatever it yields."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def fingerprints(path: Path, source: Source) -> Iterator[Update]:
    """The fingerprints beside wordings of a document that describe what has changed since: its author says by updating
    them that the wordings still fit."""
    for wording in wordings(open_whole(str(path))):
        node = wording.node.get(OF)
        if wording.is_stale and isinstance(node, Scalar) and node.place.source == source:
            place = node.at(0, len(wording.of))
            span = (place.offset, place.offset + len(wording.of))
            yield Update(place, f"{wording.part}.{wording.id}.{OF}", span, wording.now)


def rules_of(path: Path, document: Document, choices: RulesChoice) -> Iterator[OpenedRules]:
    """The rules that the cases of a document are tried under."""
    if kind_of(document) == "ruleset":
        yield OpenedRules(str(path), tuple(choices.mods), tuple(choices.settings.items()))
    elif kind_of(document) == "mod":
        for target, ids in rulesets_near(path).items():
            if is_for(document, ids):
                yield OpenedRules(str(target), names_with_needed(path, document))


def differing(
    rules: ScoringRules, reopen: Reopen | None, case: Mapping[str, Any], expect: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Every key that a case expects otherwise, with what it gives now; none of a hand that no longer wins, or can no
    longer be read: that needs an author."""
    if "hand" not in case or "play" in case or "error" in expect:
        return
    try:
        there, hand = (rules, case) if reopen is None else with_options(rules, case, reopen)
        score = there.score_case(hand)
    except (CaseError, RulesetError):
        return
    if not score.win and expect.get("win") is not False and "reason" not in expect:
        return
    result = score.as_json()
    for key, wanted in expect.items():
        now = result.get(key)
        if key in result and not agrees(key, wanted, now):
            yield key, as_written(key, wanted, found_as(key, now))


def as_written(key: str, wanted: Any, found: Any) -> Any:
    """What was found, in the way the case writes it: the same values, payments that are not zero, a name in English."""
    if key == "values" and isinstance(wanted, Mapping):
        return {name: found[name] for name in wanted if name in found}
    if key == "payments" and isinstance(found, Mapping):
        return {seat: amount for seat, amount in found.items() if amount or seat in wanted}
    if key == "called" and isinstance(found, Mapping):
        return found.get("en") or next(iter(found.values()), None)
    return found


def updated(text: str, updates: Sequence[Update]) -> str:
    """The text with the updates."""
    for one in sorted(updates, key=lambda update: update.span, reverse=True):
        text = text[: one.span[0]] + one.becomes + text[one.span[1] :]
    return text


# --- places in the text


def span_of(tree: Node, id: str, key: str) -> Span | None:
    """The characters of a value that a case expects; None where another document has it."""
    for part in PARTS:
        node = below(tree, (*part, "cases", id, "expect", key))
        if node is not None:
            return node.start_mark.index, end_of(node)
    return None


def below(node: Node | None, path: tuple[str, ...]) -> Node | None:
    for key in path:
        if not isinstance(node, MappingNode):
            return None
        node = next((value for name, value in node.value if name.value == key), None)
    return node


def end_of(node: Node) -> int:
    """Where a node ends: a block ends with the last value in it, not with the comments behind."""
    if isinstance(node, CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return end_of(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)
