"""What a mod or a ruleset does not inherit: `not_inherited`, and `check --own`."""

from pathlib import Path

import pytest
from commands import run
from test_update_inherited import CHILD, MOD, PARENT

from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.problem import Problem
from tilewright.cli.check_files import check_file
from tilewright.language.load import load_data

pytestmark = pytest.mark.long
CHANGED = "terms: {counts: not self_draw}\n"  # what the examples of `drawn`, and two cases, do not hold under
ALL = ["drawn.by_itself", "drawn.claimed", "chows.1", "chows.2", "dragons", "unwon", "pungs"]
LEFT = {
    "[all]": [],
    '["*"]': ["drawn.by_itself", "drawn.claimed", "chows.1", "chows.2"],
    '["*.*"]': ["dragons", "unwon", "pungs"],
    "[drawn.*, dragons, pungs]": ["chows.1", "chows.2", "unwon"],
    "[drawn.claimed, chows.1]": ["drawn.by_itself", "chows.2", "dragons", "unwon", "pungs"],
    '["?n*"]': ["drawn.by_itself", "drawn.claimed", "chows.1", "chows.2", "dragons", "pungs"],
}
WRONG = {
    "[dragon]": "did you mean 'dragons'?",
    "[drawn]": "write drawn.* for the examples of that pattern",
    "[nobody]": "write CASE, PATTERN.EXAMPLE or all",
    "[chows.3]": "did you mean 'chows.2'?",
}


def written(folder: Path, kind: str, text: str) -> Path:
    """A document over the parent."""
    (folder / "parent.yaml").write_text(PARENT)
    file = folder / f"{kind}.yaml"
    head, body = (MOD, f"change: {{{text.strip()}}}\n") if kind == "dear" else (CHILD, text)
    file.write_text(head + body)
    return file


def problems(file: Path, own: bool = False) -> tuple[Problem, ...]:
    return check_file(str(file), RulesChoice(), own=own).problems


@pytest.mark.parametrize("kind", ["dear", "child"])
@pytest.mark.parametrize(("names", "left"), LEFT.items())
def test_the_rest_is_inherited(kind: str, names: str, left: list[str], tmp_path: Path) -> None:
    file = written(tmp_path, kind, "patterns: {chows: {name: Three}}\n")
    file.write_text(f"{file.read_text()}not_inherited: {names}\n")
    data = load_data(str(file)) if kind == "child" else load_data(str(tmp_path / "parent.yaml"), {}, [str(file)])
    places = {one.place: one.id or str(n) for p in data.patterns for n, one in enumerate(p.examples, 1)}
    whole = load_data(str(tmp_path / "parent.yaml"))
    before = {e.place: f"{p.id}.{e.id or n}" for p in whole.patterns for n, e in enumerate(p.examples, 1)}
    assert [before[place] for place in places] + [one.id for one in data.cases] == left
    assert problems(file) == ()


@pytest.mark.parametrize("kind", ["dear", "child"])
@pytest.mark.parametrize(("names", "hint"), WRONG.items())
def test_what_is_not_there(kind: str, names: str, hint: str, tmp_path: Path) -> None:
    file = written(tmp_path, kind, "patterns: {chows: {name: Three}}\n")
    file.write_text(f"{file.read_text()}not_inherited: {names}\n")
    (one,) = problems(file)
    assert (one.code, one.hint, one.place and one.place.column) == ("nothing-to-remove", hint, 17)


@pytest.mark.parametrize("kind", ["dear", "child"])
def test_one_line_is_enough(kind: str, tmp_path: Path) -> None:
    file = written(tmp_path, kind, CHANGED)
    assert {one.place.line for one in problems(file) if one.place} == {14, 15, 26, 28}
    assert "not_inherited" in (problems(file)[0].hint or "")
    assert problems(file, own=True) == ()
    assert "no problems" in run("check", str(file), "--own").stdout
    file.write_text(f"{file.read_text()}not_inherited: [drawn.*, dragons, pungs]\n")
    assert problems(file) == ()


def test_its_own_are_tried_alone(tmp_path: Path) -> None:
    """Also those that it changes."""
    file = written(tmp_path, "child", CHANGED + "cases: {pungs: {expect: {total: 7}}, unwon: {self_draw: true}}\n")
    (one,) = problems(file, own=True)
    assert one.code == "case-fails" and one.place is not None and one.place.source.name == str(file)
