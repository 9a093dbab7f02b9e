"""Every name of every bundled document is renamed and back: the file is as before, and clean in between."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

import pytest
from budget import FACTOR, budget
from test_editor import applied

from tilewright.authoring.editor.navigation import OF_THE_LANGUAGE, references, rename
from tilewright.authoring.editor.symbols import NameInText, names_in
from tilewright.authoring.editor.workspace import TextPlace, Workspace, parsed
from tilewright.base.texts.files import unsaved
from tilewright.language.check import problems_of
from tilewright.language.documents.library import bundled_documents

NEW = "zz_renamed"
BY_DESIGN = {"stale-wording"}  # a fingerprint counts names


@cache
def texts() -> Mapping[Path, str]:
    return {path.absolute(): path.read_text(encoding="utf-8") for path in bundled_documents() if path.suffix == ".yaml"}


@cache
def declared() -> list[tuple[Path, NameInText]]:
    """Every name of every document that may have another, each where it is declared."""
    found = []
    for path in texts():
        tree = parsed(path)
        assert tree is not None
        found += [
            (path, one)
            for one in names_in(tree)
            if one.declares and one.name not in OF_THE_LANGUAGE.get(one.candidates[0], ())
        ]
    return found


def codes(path: Path) -> Counter[str]:
    return Counter(one.code for one in problems_of(path) if one.code not in BY_DESIGN)


def chosen(count: int) -> list[int]:
    every = range(len(declared()))
    return list(every) if FACTOR > 1 else Random(7).sample(every, count)


@pytest.mark.budgeted
def test_every_name_is_renamed_and_back() -> None:
    before: dict[Path, Counter[str]] = {}
    for number in chosen(budget(12)):
        path, name = declared()[number]
        at = TextPlace(name.place.line, name.place.column)
        there = f"{path.name}:{at.line}: {name.candidates[0]}.{name.name}"
        edits = rename(Workspace(texts()), path, at, NEW)
        changed = {
            one: applied(text, [edit for edit in edits if edit.path == one])
            for one, text in texts().items()
            if any(edit.path == one for edit in edits)
        }
        now = {**texts(), **changed}
        with unsaved(now):
            for one in changed:
                if one not in before:
                    with unsaved(texts()):
                        before[one] = codes(one)
                assert codes(one) == before[one], (there, one.name)
        found = references(Workspace(now), path, at)
        assert {one.range.start.line for one in found if one.path == path}, there
        back = rename(Workspace(now), path, at, name.name)
        again = {one: applied(text, [edit for edit in back if edit.path == one]) for one, text in now.items()}
        assert again == texts(), there
