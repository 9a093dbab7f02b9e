"""Checking a text: its problems, its outline, and how a list shows it."""

from pathlib import Path

from tilewright.authoring.editor.fixes import is_old
from tilewright.authoring.editor.outline import OutlineSection, outline
from tilewright.authoring.editor.workspace import Workspace
from tilewright.authoring.findings.checking import static_stages
from tilewright.authoring.findings.ignored import without_ignored
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.base.problem import RulesetError, has_errors
from tilewright.language.documents.fields import kind_of, text_at
from tilewright.language.documents.library import kind_in, read_document
from tilewright.web.jobs.workshop.problems import problems_json
from tilewright.web.jobs.workshop.texts import Plain, placed, targets_of, text_in


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
