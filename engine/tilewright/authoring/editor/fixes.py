"""Fixes: the edits that hints of problems propose: another name, the nearest there is; and a document that is
formatted, or upgraded."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tilewright.authoring.editor.workspace import TextEdit, TextPlace, TextRange, Workspace, parsed, path_in
from tilewright.authoring.findings.ignored import UNEXPLAINED, UNUSED, can_be_ignored
from tilewright.authoring.formatting.format import format_text
from tilewright.authoring.upgrading import upgraded
from tilewright.base.problem import BREAK, Place, Problem
from tilewright.language.editions.table import NEWEST, edition_of

MEANT = re.compile(r"^did you mean '([^']+)'\?")
TODAY = re.compile(r"^`[^`]+` is called `([^`]+)` since ")
IGNORED = "# tilewright: ignore"


@dataclass(frozen=True, slots=True)
class Fix:
    """What an author may do about a problem: write the name that was probably `meant`, or a comment that ignores it.
    `what`: the name, or the code of the problem."""

    kind: Literal["meant", "ignore"]
    what: str
    problem: Problem
    edits: tuple[TextEdit, ...]


def fixes(problems: Iterable[Problem]) -> Iterator[Fix]:
    """The fixes of problems; of each, what was meant comes first."""
    for problem in problems:
        place = problem.place
        if place is None:
            continue
        if (name := meant(problem)) is not None:
            edit = TextEdit(path_in(place), TextRange.of(place), name)
            yield Fix("meant", name, problem, (edit,))
        if can_be_ignored(problem) and problem.code not in (UNUSED, UNEXPLAINED):
            yield Fix("ignore", problem.code, problem, (ignoring(place, problem.code),))


def meant(problem: Problem) -> str | None:
    """The name that a hint proposes in place of the one that is underlined."""
    found = MEANT.match(problem.hint or "") or TODAY.match(problem.message) or TODAY.match(problem.hint or "")
    place = problem.place
    if found is None or place is None:
        return None
    written = place.source.line(place.line)[place.column - 1 : place.column - 1 + place.length]
    quote = written[:1] if written[:1] in "\"'" and written[:1] == written[-1:] and len(written) > 1 else ""
    return f"{quote}{found[1]}{quote}"


def ignoring(place: Place, code: str) -> TextEdit:
    """A comment above a line that ignores a problem in it."""
    line = place.source.line(place.line)
    indent = line[: len(line) - len(line.lstrip(" "))]
    at = TextPlace(place.line, 1)
    return TextEdit(path_in(place), TextRange(at, at), f"{indent}{IGNORED}[{code}]\n")


def formatted(workspace: Workspace, path: Path) -> tuple[TextEdit, ...]:
    """The edit that formats a document; none if it is formatted. Raises RulesetError if it does not parse."""
    text = workspace.text(path)
    after = format_text(text, str(path))
    if after == text:
        return ()
    return (whole_edit(path, text, after),)


def upgrade(workspace: Workspace, path: Path) -> tuple[tuple[TextEdit, ...], tuple[Problem, ...]]:
    """The edit that upgrades a document, none if it says all as it is said today; and what a person has to change.
    Raises RulesetError if it does not parse."""
    text = workspace.text(path)
    with workspace.reading():
        done = upgraded(path, text)
    return (() if done.text == text else (whole_edit(path, text, done.text),)), done.left


def is_old(workspace: Workspace, path: Path, problems: Iterable[Problem]) -> bool:
    """Whether a document is of an older edition, or has old names among its problems."""
    with workspace.reading():
        document = parsed(path)
    return document is not None and (edition_of(document) < NEWEST or any(one.code == "old-name" for one in problems))


def whole_edit(path: Path, before: str, after: str) -> TextEdit:
    """The edit of a whole text."""
    lines = BREAK.split(before)
    whole = TextRange(TextPlace(1, 1), TextPlace(len(lines), len(lines[-1]) + 1))
    return TextEdit(path, whole, after)
