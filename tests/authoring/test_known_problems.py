"""Problems that stay for now: comments that ignore them, and baselines. What is expected stands at the line."""

import json
import re
from pathlib import Path

import pytest
from budget import budget
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.authoring.findings import Baseline, ignores_in, without_ignored
from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.problem import Problem, Source
from tilewright.cli.check_files import check_file

RULESET = """tilewright: 1
kind: ruleset
id: mine
name: {en: Mine}
extends: standard
scoring: {measures: {points: {}}, best: points}
patterns:
  drawn:
    name: Drawn
    worth: 1
    when: self_draw
    examples:
      - {hand: 234m 567p 88s 234s CC, win: C, yes: true}  # tilewright: ignore[example-fails] it is not drawn
      # tilewright: ignore[example-fails, case-fails] nor is this # is: unused-ignore
      # another comment

      - {hand: 234m 567p 88s 234s CC, win: C, yes: true}
      - {hand: 234m 567p 88s 234s CC, win: C, yes: true}  # is: example-fails
      - {hand: 234m 567p 88s 234s CC, win: C, yes: false}  # tilewright: ignore[example-fails] # is: unused-ignore
cases:
  # tilewright: ignore[] # is: unused-ignore
  plain: {hand: 234m 567p 88s 234s 22s, win_tile: 2s, expect: {total: 5, called: x}}  # is: case-fails case-fails
  # tilewright: ignore[case-fails] # is: unexplained-ignore
  other: {hand: 234m 567p 88s 234s 22s, win_tile: 2s, expect: {total: 5, patterns: [drawn]}}
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine.yaml").write_text(RULESET)
    return tmp_path / "mine.yaml"


def test_comments_ignore_problems_and_are_reported_where_they_do_not(mine: Path) -> None:
    found: dict[int, list[str]] = {}
    for one in check_file(str(mine), RulesChoice()).problems:
        assert one.place is not None
        found.setdefault(one.place.line, []).append(one.code)
    lines = enumerate(RULESET.splitlines(), 1)
    assert found == {number: wanted[1].split() for number, line in lines if (wanted := re.search("# is: (.*)", line))}


def test_errors_that_keep_a_ruleset_from_being_used_are_not_ignored(mine: Path) -> None:
    mine.write_text(RULESET.replace("when: self_draw\n", "when: self_dra  # tilewright: ignore[unknown-word]\n"))
    (problem,) = check_file(str(mine), RulesChoice()).problems
    assert problem.code == "unknown-word"


@given(st.text(alphabet="# \n\r\x85tilewright: ignore[a-b,]'", max_size=200))
@settings(max_examples=budget(30))
def test_comments_are_found_in_any_text(text: str) -> None:
    source = Source("x", text)
    for one in ignores_in(source):
        line = source.line(one.place.line)
        assert line[one.place.column - 1 :].startswith("#") and one.line >= one.place.line
        problem = Problem("a-b", "so", source.place(source_offset(source, one.line)), severity="warning")
        kept = [each.code for each in without_ignored([problem], None)]
        assert ("a-b" in kept) is not any("a-b" in each.codes for each in ignores_in(source) if each.line == one.line)


def source_offset(source: Source, line: int) -> int:
    return next(at for at in range(len(source.text) + 1) if source.place(at).line == line)


@pytest.mark.long
def test_a_baseline_leaves_only_what_is_new(mine: Path) -> None:
    file = mine.parent / "known.json"
    assert run("check", str(mine)).returncode == 1
    written = run("check", str(mine), "--baseline", str(file), "--write-baseline")
    assert written.returncode == 0 and "7 problems written" in written.stdout
    assert run("check", str(mine), "--baseline", str(file)).stdout.endswith(
        "1 file checked, 4 examples and 2 cases tried: no problems\n"
    )
    (mine.parent / "deep").mkdir()
    there = "check", "../mine.yaml", "--baseline", "../known.json"
    assert run(*there, cwd=mine.parent / "deep").returncode == 0, "it holds from any folder"
    mine.write_text(RULESET.replace("patterns:\n", "\n# moved\npatterns:\n", 1).replace("total: 5", "total: 6"))
    found = run("check", str(mine), "--baseline", str(file), "--json")
    data = json.loads(found.stdout)
    assert found.returncode == 1 and {one["code"] for one in data["problems"]} == {"case-fails"}
    assert data["baseline"][0]["gone"] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "was not written by --write-baseline"),
        ("[]", "was not written by --write-baseline"),
        ('{"tilewright": 2, "problems": []}', "its format is not 1"),
        ('{"tilewright": 1, "problems": [{"file": 1}]}', "was not written by --write-baseline"),
        (
            '{"tilewright": 1, "problems": [{"file":"","code":"","message":"","text":"","count":true}]}',
            "was not written",
        ),
        ("[" * 100_000, "was not written by --write-baseline"),
        (None, "cannot be read"),
    ],
)
def test_a_wrong_baseline_is_refused(mine: Path, text: str | None, said: str) -> None:
    file = mine.parent / "known.json"
    if text is not None:
        file.write_text(text)
    done = run("check", str(mine), "--baseline", str(file))
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_writing_needs_a_file(mine: Path) -> None:
    assert "needs --baseline" in run("check", str(mine), "--write-baseline").stderr


@given(st.lists(st.sampled_from([Problem(code, "so") for code in "abc"])))
@settings(max_examples=budget(30))
def test_a_baseline_knows_each_problem_as_often_as_it_was(problems: list[Problem]) -> None:
    known = Baseline.of(problems, Path())
    assert known.new([*problems, problems[0]] if problems else []) == problems[:1]
    assert known.gone == 0
