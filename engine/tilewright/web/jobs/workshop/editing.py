"""Editing a text: what can be written at a place, what stands there, and edits that rename, format and upgrade."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from tilewright.authoring.editor.completion import complete, describe, formatted, upgrade
from tilewright.authoring.editor.context import TextLocation, TextPlace, TextRange, Workspace
from tilewright.authoring.editor.navigation import CannotRename, definition, references, rename
from tilewright.base.problem import RulesetError
from tilewright.web.jobs.workshop.checking import edit_json, problems_json, range_json, refused
from tilewright.web.jobs.workshop.texts import NAME, Plain, text_in, texts_beside
from tilewright.web.protocol.spec import folder_of_texts


@contextmanager
def edited(payload: Plain) -> Iterator[tuple[Workspace, Path]]:
    """A workspace with the text alone, in a folder with those beside it."""
    with folder_of_texts() as folder:
        path = folder.path / NAME
        folder.put_beside(texts_beside(payload))
        yield Workspace({path: text_in(payload)}), path


def offers(payload: Plain) -> Plain:
    """What can be written at a line and a column: the columns of the word there and the suggestions."""
    with edited(payload) as (workspace, path):
        found = complete(workspace, path, place_in(payload))
        return columns_json(found.range) | {"offers": [asdict(one) for one in found.offers]}


def meaning(payload: Plain) -> Plain:
    """The meaning of the text at a line and a column."""
    with edited(payload) as (workspace, path):
        found = describe(workspace, path, place_in(payload))
        return columns_json(found.range) | {"found": [asdict(found.found)] if found.found else []}


def declared(payload: Plain) -> Plain:
    """Where the name at a line and a column is declared, here, beside it or in a bundled document."""
    with edited(payload) as (workspace, path):
        found = definition(workspace, path, place_in(payload))
        return {"places": [location_json(one, path) for one in found]}


def used(payload: Plain) -> Plain:
    """Every place in the text of the name at a line and a column."""
    with edited(payload) as (workspace, path):
        found = references(workspace, path, place_in(payload))
        return {"places": [location_json(one, path) for one in found if one.path == path]}


def renamed(payload: Plain) -> Plain:
    """The edits that give the name at a line and a column another; or why it cannot be changed."""
    with edited(payload) as (workspace, path):
        try:
            found = rename(workspace, path, place_in(payload), str(payload.get("name", "")))
        except CannotRename as error:
            return {"edits": [], "reason": str(error)}
        elsewhere = next((one.path.stem for one in found if one.path != path), None)
        if elsewhere is not None:
            return {"edits": [], "reason": f"it is also a name in {elsewhere}, another text of the shelf"}
        return {"edits": [*map(edit_json, found)], "reason": None}


def laid_out(payload: Plain) -> Plain:
    """The edits that format the text; its problems, if it is no document."""
    with edited(payload) as (workspace, path):
        try:
            return {"edits": [*map(edit_json, formatted(workspace, path))], "problems": []}
        except RulesetError as error:
            return {"edits": [], **refused(error, path)}


def upgraded(payload: Plain) -> Plain:
    """The edits that upgrade the text to the newest edition of the language, and what a person has to change."""
    with edited(payload) as (workspace, path):
        try:
            edits, left = upgrade(workspace, path)
        except RulesetError as error:
            return {"edits": [], **refused(error, path)}
        return {"edits": [*map(edit_json, edits)], "problems": [*problems_json(left, path)]}


def place_in(payload: Plain) -> TextPlace:
    return TextPlace(int(payload.get("line", 1)), int(payload.get("column", 1)))


def columns_json(range: TextRange) -> Plain:
    return {"start": range.start.column, "end": range.end.column}


def location_json(location: TextLocation, path: Path) -> Plain:
    """A place in the text, or in another document, which is named."""
    file = {} if location.path == path else {"file": location.path.stem}
    return range_json(location.range) | file
