"""Problems of a text as plain data, and results that may be problems instead."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tilewright.authoring.editor.fixes import Fix, fixes
from tilewright.authoring.editor.workspace import TextEdit, TextRange
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.check import first_of
from tilewright.language.documents.bundled import document_folders
from tilewright.play.rules import Rules
from tilewright.web.jobs.workshop.texts import NAME, Plain, opened


def with_rules(work: Callable[[Rules, Path, Plain], Plain]) -> Callable[[Plain], Plain]:
    """A job that needs rules; if the text gives none, its problems are the result."""

    def done(payload: Plain) -> Plain:
        at = Path(NAME)
        try:
            with opened(payload) as (rules, at):
                return work(rules, at, payload)
        except RulesetError as error:
            found = {one.place.source.name for one in error.problems if one.place is not None}
            own = next((Path(name) for name in found if Path(name).name == NAME), at)
            return refused(error, own)

    return done


def refused(error: RulesetError, path: Path | None = None) -> Plain:
    return {"problems": [*problems_json(error.problems, path or Path(NAME))]}


def problems_json(problems: Sequence[Problem], path: Path) -> Iterator[Plain]:
    """Problems as plain data, those of the text itself without a file. Never shows a path of this machine."""
    for one in first_of(tuple(problems)):
        place = one.place
        found: Plain = {
            "code": one.code,
            "severity": one.severity,
            "message": without_folder(one.message, path),
            "hint": without_folder(one.hint, path) if one.hint else None,
        }
        if place is not None:
            found |= {"line": place.line, "column": place.column, "length": place.length}
            if place.source.name != str(path):
                found["file"] = Path(place.source.name).stem
            else:
                found["fixes"] = [*map(fix_json, fixes([one]))]
        yield found


def fix_json(fix: Fix) -> Plain:
    """What may be done about a problem."""
    return {"kind": fix.kind, "what": fix.what, "edits": [*map(edit_json, fix.edits)]}


def without_folder(text: str, path: Path) -> str:
    for folder in (path.parent, *(folder.parent for folder in document_folders())):
        text = text.replace(f"{folder}{os.sep}", "")
    return text


def edit_json(edit: TextEdit) -> Plain:
    """An edit of the text: from a line and a column to another, exclusive."""
    return range_json(edit.range) | {"text": edit.text}


def range_json(range: TextRange) -> Plain:
    start, end = range.start, range.end
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}
