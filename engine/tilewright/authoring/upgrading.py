"""Upgrading: the text of a document, a case file or a layout in; the same in the newest edition of the language, with
the names that things have today, out, and what a person has to change.

Only what changed is written anew, so that comments stay where they are; a document that was formatted still is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tilewright.authoring.case_files import LineRules, kind_of_lines
from tilewright.authoring.format import format_text, is_same
from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.document import parse
from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.language.check import rulesets_near, with_needed
from tilewright.language.documents.companions import COMPANIONS, document_of
from tilewright.language.documents.editions import MARK, Change, Renaming, can_be_written, rewritten, rewritten_text
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.former import (
    FormerNames,
    change_made,
    former_names,
    in_newest_edition,
    old_names,
    old_names_of_case,
)
from tilewright.language.documents.library import path_of, read_document
from tilewright.language.documents.mods import mod_id
from tilewright.language.documents.schema import SECTIONS_BY_KIND
from tilewright.language.documents.whole import extended, is_for, patched
from tilewright.scoring.case_mistakes import CaseError

LINES = ".jsonl"
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class UpgradedText:
    """A text in the newest edition. `changed`: a warning for each place that changed; `left`: what a person has to
    change."""

    text: str
    changed: tuple[Problem, ...] = ()
    left: tuple[Problem, ...] = ()


def upgraded(path: Path, text: str, rules: str = "", name: str = "") -> UpgradedText:
    """The text of a file, upgraded. `rules`: the ruleset of a layout or of cases that do not name theirs; `name`: what
    problems call the file. Raises RulesetError for a text that cannot be read."""
    name = name or str(path)
    if path.suffix.lower() == LINES:
        return upgraded_lines(path, text, rules, name)
    source = Source(name, text.removeprefix(BOM))
    document = parse(source)
    if MARK not in document.entries:
        return upgraded_layout(path, text, document, rules)
    changes, left = changes_of(path, document)
    return written(text, document, changes, left, formats=True)


def written(
    text: str, document: Mapping, changes: Iterable[Change], left: Iterable[Problem], *, formats: bool = False
) -> UpgradedText:
    """A text with those changes that can be written, which has to say the same as the document with them."""
    able, unable = list[Change](), list[Change]()
    for one in changes:
        (able if can_be_written(one) else unable).append(one)
    source = document.place.source
    new = rewritten_text(source.text, able)
    if not able or not is_same(rewritten(document, able), parse(Source(source.name, new))):
        new, able, unable = source.text, [], [*able, *unable]
    if formats and able and is_formatted(source.text):
        new = format_text(new, source.name)
    bom = BOM if text.startswith(BOM) else ""
    done = tuple(replace(change_made(one), hint=None) for one in able)
    return UpgradedText(bom + new, done, (*left, *map(to_write, unable)))


def is_formatted(text: str) -> bool:
    """Whether a text is laid out as documents are."""
    try:
        return format_text(text) == text
    except RulesetError:
        return False


# --- documents


def changes_of(path: Path, document: Mapping) -> tuple[list[Change], list[Problem]]:
    """What changes in a document, and what a person has to change."""
    found = in_newest_edition(document)
    names: dict[tuple[int, int], Renaming] = {}
    left = [*found.removed]
    try:
        for full in documents_under(path, document):
            for one in old_names(found.document, former_names(full)):
                first = names.setdefault((id(one.scalar), one.start), one)
                if first.new != one.new:
                    left.append(of_two(first, one))
    except RulesetError as error:
        left += error.problems
    doubtful = {one.place for one in left}
    return [*found.changes, *(one for one in names.values() if one.place not in doubtful)], left


def documents_under(path: Path, document: Mapping) -> Iterator[Mapping]:
    """What a document is laid over, merged: what it extends or, for a mod, each ruleset that it is for, with the mods
    that it needs; for cases in a file of their own, the document that they are beside. Raises RulesetError."""
    kind, base = kind_of(document), document.get("extends")
    if kind in COMPANIONS:
        if (beside := document_of(path)) != path:
            of = read_document(beside)
            yield from [extended(beside).full] if kind_of(of) in ("base", "ruleset") else documents_under(beside, of)
    elif kind == "mod":
        needed = [mod for mod in with_needed(path, document) if mod_id(mod) != mod_id(document)]
        for target, ids in rulesets_near(path).items():
            if is_for(document, ids):
                yield patched(extended(target), needed)
    elif kind in SECTIONS_BY_KIND and isinstance(base, Scalar) and base.value is not None:
        yield extended(path_of(base.text, path.parent, base.place, "base or ruleset")).full


# --- layouts and case files


def upgraded_layout(path: Path, text: str, document: Mapping, rules: str) -> UpgradedText:
    """A layout, or a case in a file of its own. Raises RulesetError."""
    found = former_of(LineRules(path.parent, RulesChoice(), rules), document, path)
    return written(text, document, old_names_of_case(document, found), ())


def upgraded_lines(path: Path, text: str, rules: str, name: str) -> UpgradedText:
    """A case file; other lines of JSON stay as they are."""
    if kind_of_lines(text) != "cases":
        return UpgradedText(text)
    named = LineRules(path.parent, RulesChoice(), rules)
    lines, changed, left = list[str](), list[Problem](), list[Problem]()
    for number, line in enumerate(text.split("\n"), 1):
        found = upgraded_line(path, line, named, name) if line.strip() else UpgradedText(line)
        lines.append(found.text)
        changed += (on_line(one, name, text, number) for one in found.changed)
        left += (on_line(one, name, text, number) for one in found.left)
    return UpgradedText("\n".join(lines), tuple(changed), tuple(left))


def upgraded_line(path: Path, line: str, rules: LineRules, name: str) -> UpgradedText:
    """A case on a line."""
    try:
        document = parse(Source(name, line.removeprefix(BOM)))
        changes = old_names_of_case(document, former_of(rules, document, path))
        return written(line, document, changes, ())
    except RulesetError as error:
        return UpgradedText(line, (), error.problems)


def former_of(rules: LineRules, case: Mapping, path: Path) -> FormerNames:
    """The names that the rules of a case gave up: those that it names, that were given, or by which the file is called.
    Raises RulesetError."""
    named = case.get("ruleset")
    given: dict[str, object] = {"ruleset": named.text} if isinstance(named, Scalar) else {}
    try:
        return rules.of(given, None if rules.usual else path.name.split(".")[0]).data.former
    except CaseError as error:
        raise RulesetError([replace(error.problem, place=case.place)]) from None


def on_line(problem: Problem, name: str, text: str, number: int) -> Problem:
    """A problem of a line, in the whole text."""
    place = problem.place
    if place is None or place.source.text == text:
        return problem
    return replace(problem, place=Place(Source(name, text), number, place.column, place.length))


# --- problems


def of_two(one: Renaming, other: Renaming) -> Problem:
    message = f"`{one.old}` is called `{one.new}` in one ruleset and `{other.new}` in another"
    return Problem("old-name", message, one.place, "write a mod for each, or the name of the one that is meant")


def to_write(change: Change) -> Problem:
    """A change that has to be written by hand, since of how it is written."""
    return replace(
        change_made(change), severity="error", hint="write it by hand: it is behind escapes or on several lines"
    )
