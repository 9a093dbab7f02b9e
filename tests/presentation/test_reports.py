"""Reports: problems look for people as the style page shows them, and for programs as their formats ask."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tilewright.base.problem import Place, Problem, Source
from tilewright.presentation.problems import render, render_github, render_junit, render_sarif, render_text

TEXT = (
    "a: 1\n" * 13
    + "    when: tripelts == 4\n"
    + "  name: 東風 winds\n"
    + "x" * 150
    + " bad "
    + "y" * 150
    + "\n\twhen: \u202eevil\n"
)
HOUSE = Source("rulesets/house.yaml", TEXT)
MISSPELT = Problem(
    "unknown-word", "no word is called 'tripelts'", HOUSE.place(TEXT.index("tripelts"), 8), "did you mean 'triplets'?"
)
WIDE = Problem("unknown-name", "nothing is called so", HOUSE.place(TEXT.index("風")), None, "warning")
LONG = Problem("too-long", "this is long", HOUSE.place(TEXT.index("bad"), 3))
NOWHERE = Problem("no-file", "there is no file 'a,b'", None, "look again")
HOSTILE = Problem("unknown-word", "no word is called 'a\nb\x1b[31m'", Place(HOUSE, 17, 8, 4), "50% off")
EVERY = [LONG, WIDE, MISSPELT, NOWHERE]

GOLDEN = f"""\
no-file: there is no file 'a,b'
   = hint: look again
rulesets/house.yaml:14:11: unknown-word: no word is called 'tripelts'
  14 |     when: tripelts == 4
     |           ^^^^^^^^
     = hint: did you mean 'triplets'?
rulesets/house.yaml:15:10: warning: unknown-name: nothing is called so
  15 |   name: 東風 winds
     |           ^^
rulesets/house.yaml:16:152: too-long: this is long
  16 | …{"x" * 39} bad {"y" * 56}…
     |  {" " * 40}^^^
"""


def test_text() -> None:
    assert render_text(EVERY, color=False) == GOLDEN
    assert render(EVERY, "text") == GOLDEN
    assert render_text([], color=True) == ""


def test_colour_is_only_added() -> None:
    coloured = render_text(EVERY, color=True)
    assert "\x1b[1;31m^^^^^^^^\x1b[0m" in coloured and "\x1b" not in GOLDEN
    for code in ("0", "1", "1;31", "1;33", "34", "36"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured == GOLDEN


def test_documents_steer_no_terminal() -> None:
    lines = render_text([HOSTILE], color=False).splitlines()
    assert lines == [
        "rulesets/house.yaml:17:8: unknown-word: no word is called 'a�b�[31m'",
        "  17 |  when: �evil",
        "     |        ^^^^",
        "     = hint: 50% off",
    ]


@pytest.mark.parametrize("column", [1, 50, 149, 299, 305])
def test_long_lines_show_their_place(column: int) -> None:
    _, excerpt, caret = render_text([Problem("a", "b", Place(HOUSE, 16, column))], color=False).splitlines()
    assert len(excerpt) <= 110
    at = caret.index("^")
    assert excerpt[at : at + 1] == HOUSE.line(16)[column - 1 : column]


def test_place_behind_the_line() -> None:
    excerpt, caret = render_text([Problem("a", "b", Place(HOUSE, 1, 5))], color=False).splitlines()[1:]
    assert caret.index("^") == len(excerpt)


def test_json() -> None:
    found = json.loads(render(EVERY, "json"))
    assert found[1] == {
        "code": "unknown-word",
        "severity": "error",
        "message": "no word is called 'tripelts'",
        "hint": "did you mean 'triplets'?",
        "file": "rulesets/house.yaml",
        "line": 14,
        "column": 11,
        "length": 8,
    }
    assert found[0]["file"] is None and [problem["line"] for problem in found] == [None, 14, 15, 16]


def test_github() -> None:
    assert render_github([MISSPELT, WIDE, NOWHERE]).splitlines() == [
        "::error title=no-file::there is no file 'a,b'%0Ahint: look again%0Atilewright explain no-file says more",
        "::error file=rulesets/house.yaml,line=14,col=11,endColumn=19,title=unknown-word"
        "::no word is called 'tripelts'%0Ahint: did you mean 'triplets'?%0Atilewright explain unknown-word says more",
        "::warning file=rulesets/house.yaml,line=15,col=10,endColumn=11,title=unknown-name::nothing is called so",
    ]
    odd = Problem("a", "b", Place(Source("x,y:z%.yaml", ""), 1, 1), "50% off")
    line = "::error file=x%2Cy%3Az%25.yaml,line=1,col=1,endColumn=2,title=a::b%0Ahint: 50%25 off\n"
    assert render_github([odd]) == line


def test_sarif() -> None:
    log = json.loads(render_sarif([*EVERY, Problem("a", "b", Place(Source("my rules/東.yaml", "x"), 1, 1))]))
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert log["version"] == "2.1.0" and len({rule["id"] for rule in rules}) == len(rules) == 5
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] and result["message"]["text"]
        assert result["level"] in ("error", "warning")
    assert "locations" not in run["results"][0]
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "rulesets/house.yaml"},
        "region": {"startLine": 14, "startColumn": 11, "endColumn": 19},
    }
    last = run["results"][-1]["locations"][0]["physicalLocation"]
    assert last["artifactLocation"]["uri"] == "my%20rules/%E6%9D%B1.yaml"


def test_paths_are_those_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the command runs, and however it names the file."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "rules/old").mkdir(parents=True)
    (tmp_path / "rules/house.yaml").write_text("x")
    monkeypatch.chdir(tmp_path / "rules/old")
    for name in ("../house.yaml", str(tmp_path / "rules/house.yaml")):
        problem = Problem("a", "b", Place(Source(name, "x"), 1, 1))
        (result,) = json.loads(render_sarif([problem]))["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "rules/house.yaml"
        assert "file=rules/house.yaml," in render_github([problem])


def test_junit() -> None:
    files = [("rulesets/good.yaml", []), ("rulesets/house.yaml", [MISSPELT, WIDE, HOSTILE]), ("warm.yaml", [WIDE])]
    text = render_junit(files)
    root = ElementTree.fromstring(text.encode())
    cases = root.findall("testsuite/testcase")
    assert [case.get("name") for case in cases] == ["rulesets/good.yaml", "rulesets/house.yaml", "warm.yaml"]
    assert root.get("tests") == "3" and root.get("failures") == "1"
    failure = cases[1].find("failure")
    assert failure is not None and failure.get("type") == "unknown-word" and failure.text
    assert render_text([MISSPELT], color=False) in failure.text
    assert len(cases[0]) == 0 and cases[2].find("failure") is None
    named = ElementTree.fromstring(render([MISSPELT, NOWHERE], "junit", ["good.yaml"]).encode())
    assert [case.get("name") for case in named.iter("testcase")] == ["good.yaml", "command", "rulesets/house.yaml"]
