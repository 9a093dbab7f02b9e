"""`check --update` writes what cases give, and changes nothing else."""

import re
import shutil
from pathlib import Path

import pytest
from commands import run
from games import EXAMPLES_TRIED

from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.updates import updated, updates_of
from tilewright.cli.check_files import check_file
from tilewright.language.documents.library import path_of

pytestmark = pytest.mark.long
RULESET = """tilewright: 1
kind: ruleset
id: mine   # the name of the club
name: {en: Mine}
extends: standard
scoring: {measures: {points: {names: {2: Fine}}}, best: points}
patterns:
  drawn: {name: Drawn, worth: 1, when: self_draw}
  chows: {name: Chows, worth: 2, when: {has: [3 sequences]}}
payments: {win: {all: {from: losers, amount: points}}}
cases:

  # sevens and eights
  short: {hand: 234m 567p 88s 234s 22s, win_tile: 2s, expect: {total: 5,   patterns: [drawn]}}  # of 1990
  long:
    hand: 234m 567p 88s 234s CC
    win_tile: C
    self_draw: true
    seat_wind: E
    expect:
      total: "7"       # seven
      patterns:
        - chows   # all of them
        # and more
      values: {points: 9}
      payments: {E: 1, S: -1}
      called: Poor

  # by hand
  lost: {hand: 234m 567p 88s 234s CF, win_tile: C, expect: {total: 3}}
  right: {hand: 234m 567p 88s 234s 22s, win_tile: 2s, expect: {total: 2}}
"""
AFTER = {
    "total: 5,   patterns: [drawn]": "total: 2,   patterns: [chows]",
    'total: "7" ': "total: 3 ",
    "        - chows   # all of them": "        [drawn, chows]   # all of them",
    "{points: 9}": "{points: 3}",
    "{E: 1, S: -1}": "{E: 9, S: -3, W: -3, N: -3}",
    "called: Poor": "called: Fine",
}


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_cases_give_is_written_and_nothing_else(ends: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    text, expected = RULESET, RULESET
    for was, becomes in AFTER.items():
        expected = expected.replace(was, becomes)
    file.write_bytes(text.replace("\n", ends).encode())
    done = run("check", str(file), "--update", "--yes")
    assert file.read_bytes().decode() == expected.replace("\n", ends)
    assert "cases.short.expect.total: 5 becomes 2" in done.stdout
    codes = [(one.code, one.place.line if one.place else 0) for one in check_file(str(file), RulesChoice()).problems]
    assert codes == [("case-fails", RULESET[: RULESET.index("  lost:")].count("\n") + 1)]
    assert "no case gives another result" in run("check", str(file), "--update", "--yes").stdout


def test_somebody_has_to_agree(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(RULESET)
    done = run("check", str(file), "--update")
    assert done.returncode == 2 and "--yes" in done.stderr and file.read_text() == RULESET
    assert "--yes needs --update" in run("check", str(file), "--yes").stderr


@pytest.mark.long
@pytest.mark.parametrize("id", EXAMPLES_TRIED)
def test_wrong_totals_of_bundled_cases_become_right_again(id: str, tmp_path: Path) -> None:
    """Of hands: plays are left to authors."""
    text = path_of(id).read_text()
    for companion in path_of(id).parent.glob(f"{id}.*.yaml"):
        shutil.copy(companion, tmp_path)
    entries = re.split(r"(?m)^(?=  ?\w)", text)
    wrong = "".join(with_wrong_total(entry) if is_of_a_hand(entry) else entry for entry in entries)
    file = tmp_path / f"{id}.yaml"
    file.write_text(wrong)
    updates = updates_of(file, RulesChoice())
    assert updated(wrong, updates) == text
    assert len(updates) == sum(a != b for a, b in zip(text.split("total: "), wrong.split("total: "), strict=True))


def is_of_a_hand(entry: str) -> bool:
    return "hand:" in entry and "play:" not in entry


def with_wrong_total(entry: str) -> str:
    return re.sub(r"(expect: \{[^}\n]*total: )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 1}", entry)


LINES = """{"hand": "234m 567p 88s 234s 22s", "win_tile": "2s",  "expect": {"total": 7, "patterns":["drawn"]}}

not JSON
{"hand": "234m 567p 88s 234s CC", "win_tile": "C", "self_draw": true, "expect": {"win": true, "total" : 1}}
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_case_files_are_written_too(ends: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(RULESET)
    file = tmp_path / "mine.jsonl"
    text = LINES.replace("\n", ends)
    file.write_bytes(text.encode())
    done = run("check", str(file), "--update", "--yes")
    expected = text.replace('7, "patterns":["drawn"]', '2, "patterns":["chows"]').replace('"total" : 1', '"total" : 3')
    assert file.read_bytes().decode() == expected
    assert "expect.total: 7 becomes 2" in done.stdout
    assert "no case gives another result" in run("check", str(file), "--update", "--yes").stdout
