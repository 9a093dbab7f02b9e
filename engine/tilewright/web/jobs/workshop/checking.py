"""Checking a text: its problems, its outline, and how a list shows it; and the results of jobs that may be problems
instead, as plain data.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tilewright.authoring.editor.completion import Fix, fixes, is_old
from tilewright.authoring.editor.context import TextEdit, TextRange, Workspace
from tilewright.authoring.editor.symbols import OutlineSection, outline
from tilewright.authoring.findings import static_stages, without_ignored
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.base.problem import Problem, RulesetError, has_errors
from tilewright.language.check import first_of
from tilewright.language.documents.bundled import document_folders
from tilewright.language.documents.fields import kind_of, text_at
from tilewright.language.documents.library import kind_in, read_document
from tilewright.play.rules import Rules
from tilewright.web.jobs.workshop.texts import NAME, Plain, opened, placed, targets_of, text_in


def check(payload: Plain) -> Plain:
    """All problems of a text that need no game, with its head and its outline."""
    text = text_in(payload)
    found: Plain = {"kind": None, "id": "", "name": {}, "targets": []}
    with placed(text, payload) as path:
        *_, found_there = static_stages(path)
        problems = without_ignored(found_there, None)
        sections = outline(Workspace({path: text}), path)
        return {
            **found,
            **head_of(path),
            "outline": [*map(section_json, sections)],
            "beside": payload.get("beside") or [],
            "problems": [*problems_json(problems, path)],
            "good": not has_errors(problems),
            "old": is_old(Workspace({path: text}), path, problems),
        }


def shelved(payload: Plain) -> Plain:
    """The kind under which a text is kept: mod or ruleset, as it declares; a ruleset by default."""
    return {"kind": "mod" if kind_in(text_in(payload)) == "mod" else "ruleset"}


def head_of(path: Path) -> Plain:
    """The head of a document, as far as it can be read."""
    try:
        document = read_document(path)
    except RulesetError:
        return {}
    kind = kind_of(document)
    names = document.get("name")
    return {
        "kind": kind,
        "id": text_at(document, "id"),
        "name": by_language(names),
        "targets": list(targets_of(path, document)) if kind == "mod" else [],
    }


def by_language(node: Node | None) -> dict[str, str]:
    if isinstance(node, MappingNode):
        return {language: one.text for language, one in node.items() if isinstance(one, Scalar)}
    return {"en": node.text} if isinstance(node, Scalar) else {}


def section_json(section: OutlineSection) -> Plain:
    """A section of the outline."""
    entries = [{"id": one.id, "line": one.range.start.line, "in": one.within} for one in section.entries]
    return {"section": section.id, "line": section.range.start.line, "entries": entries}


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
