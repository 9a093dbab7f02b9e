"""Every name of every bundled document is renamed and back: the file is as before, and clean in between."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from test_editor import applied

from tilewright.authoring.editor.context import TextPlace, Workspace, parsed, path_in
from tilewright.authoring.editor.navigation import NAME, OF_THE_LANGUAGE, references, rename
from tilewright.authoring.editor.symbols import NameInText, names_in
from tilewright.base.files import unsaved
from tilewright.language.check import problems_of
from tilewright.language.documents.companions import beside
from tilewright.language.documents.library import bundled_documents

pytestmark = pytest.mark.long

NEW = "zz_renamed"
BY_DESIGN = {"stale-wording"}  # a fingerprint counts names


@cache
def texts() -> Mapping[Path, str]:
    paths = [file.absolute() for path in bundled_documents() for file in (path, *beside(path))]
    return {path: path.read_text(encoding="utf-8") for path in paths}


@cache
def declared() -> list[tuple[Path, NameInText]]:
    """Every name of every document that may have another, each where it is declared; headings of cards are no names."""
    found = []
    for path in bundled_documents():
        tree = parsed(path)
        assert tree is not None
        found += [
            (path_in(one.place), one)
            for one in names_in(tree)
            if one.declares and NAME.fullmatch(one.name) and one.name not in OF_THE_LANGUAGE.get(one.candidates[0], ())
        ]
    return found


def codes(path: Path) -> Counter[str]:
    return Counter(one.code for one in problems_of(path) if one.code not in BY_DESIGN)


SHARED: list[Any] = [  # by bases and mods, with words of the language and events, or by the names of amounts
    pytest.param("american", "options", "flowers", marks=pytest.mark.soak),
    pytest.param("american", "groups", "sequence", marks=pytest.mark.soak),
    pytest.param("american", "groups", "quint", marks=pytest.mark.soak),
    pytest.param("chinese", "patterns", "round_wind", marks=pytest.mark.soak),
    ("uzje", "groups", "fraction"),
    ("hong_kong", "options", "most_faan"),  # from which an amount has its name
]


def renamed_and_back(path: Path, name: NameInText) -> None:
    at = TextPlace(name.place.line, name.place.column)
    there = f"{path.name}:{at.line}: {name.candidates[0]}.{name.name}"
    edits = rename(Workspace(texts()), path, at, NEW)
    changed = {
        one: applied(text, [edit for edit in edits if edit.path == one])
        for one, text in texts().items()
        if any(edit.path == one for edit in edits)
    }
    now = {**texts(), **changed}
    before = {one: unchanged(one) for one in changed}
    with unsaved(now):
        for one in changed:
            assert codes(one) == before[one], (there, one.name)
    found = references(Workspace(now), path, at)
    assert {one.range.start.line for one in found if one.path == path}, there
    back = rename(Workspace(now), path, at, name.name)
    again = {one: applied(text, [edit for edit in back if edit.path == one]) for one, text in now.items()}
    assert again == texts(), there


@cache
def unchanged(path: Path) -> Counter[str]:
    """The codes of a document as it is."""
    with unsaved(texts()):
        return codes(path)


@pytest.mark.parametrize(("id", "section", "name"), SHARED)
def test_a_shared_name_is_renamed_and_back(id: str, section: str, name: str) -> None:
    found = [(path, one) for path, one in declared() if (path.stem, one.candidates[0], one.name) == (id, section, name)]
    renamed_and_back(*found[0])


def test_some_names_are_renamed_and_back() -> None:
    for path, name in Random(7).sample(declared(), 2):
        renamed_and_back(path, name)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))  # each within the time that a test has
def test_every_name_is_renamed_and_back(part: int) -> None:
    for path, name in declared()[part::20]:
        renamed_and_back(path, name)
