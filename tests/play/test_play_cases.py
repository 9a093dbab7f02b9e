"""Cases with a play: what they say is laid out, played and compared; what is wrong is told at the line of the move."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import tilewright
from tilewright.authoring.open_rules import RulesChoice
from tilewright.base import document as documents
from tilewright.base.problem import Place, Source
from tilewright.cli.check_files import check_document
from tilewright.language.documents.library import path_of
from tilewright.play.cases import begun, check_play
from tilewright.play.rules import Rules
from tilewright.play.view import View

pytestmark = pytest.mark.long

HERE = Path(__file__).parents[1]
PLAYS: Any = documents.plain(documents.read(HERE / "data" / "plays.yaml"))
BASE: dict[str, Any] = {
    "hand": "123789s 1579p WWW",
    "others": {"S": {"hand": "46m 258p 369s ESCFP"}, "W": {"hand": "55m 147p 258s NNCFP"}},
    "wall": "5m",
    "play": [{"E": "discard", "tile": "5m"}],
}


@cache
def rules_of(name: str) -> Rules:
    return tilewright.load(name)


def problems_of(name: str, case: dict[str, Any]) -> list[tuple[str, str, str, int]]:
    """Code, message, hint and line: line 1 for the case, from 2 for its moves."""
    source = Source("case", "\n" * 50)
    expect = case.get("expect", {})
    play = case["play"] if isinstance(case["play"], list) else []
    places = [Place(source, number + 2, 1) for number, _ in enumerate(play)]
    found = check_play(rules_of(name), case, expect, Place(source, 1, 1), places)
    return [(one.code, one.message, one.hint or "", one.place.line if one.place else 0) for one in found]


@pytest.mark.parametrize("name", PLAYS["right"])
def test_a_play_comes_out_as_it_says(name: str) -> None:
    case = PLAYS["right"][name]
    rules = case.get("rules", "cantonese")
    assert problems_of(rules, {key: value for key, value in case.items() if key != "rules"}) == []


@pytest.mark.parametrize("wrong", PLAYS["wrong"], ids=lambda wrong: str(wrong["case"]))
def test_what_is_wrong_is_told_at_the_line_of_the_move(wrong: dict[str, Any]) -> None:
    ((code, message, hint, line), *more) = problems_of("cantonese", {**BASE, **wrong["case"]})
    assert (code, message[: len(wrong["message"])]) == (wrong["code"], wrong["message"])
    assert hint.startswith(wrong.get("hint", ""))
    assert line == (wrong["move"] + 2 if "move" in wrong else 1)
    assert not more


@pytest.mark.parametrize("ruleset", ["american", "cantonese", "riichi", "uzje", "zung_jung_plus"])
def test_the_plays_of_a_bundled_ruleset_come_out(ruleset: str) -> None:
    path = path_of(ruleset)
    assert any("play" in entry.case for entry in rules_of(ruleset).data.cases)
    assert check_document(path, RulesChoice()).problems == ()


def test_a_case_holds_as_many_tiles_as_are_dealt() -> None:
    assert check_document(HERE / "data" / "two_hands.yaml", RulesChoice()).problems == ()


WRONG = """\
tilewright: 1
kind: ruleset
id: mine
name: Mine
extends: cantonese
cases:
  cheap:
    options: {least_faan: 3}
    hand: 123789s 1579p WWW
    others: {S: {hand: 123m 456m 78p 222s 66s}}
    wall: P
    play:
      - {E: discard, tile: 9p}
      - {S: win}                          # illegal-move
      - {S: discard, tile: 1p}
  with_an_option_out_of_range:            # wrong-case
    options: {least_faan: 9}
    play: [{E: win}]
  hand_with_options:
    options: {least_faan: 3}
    hand: 123m 456m 78p 222s 66s
    win_tile: 9p
    expect: {win: false, reason: 'below the minimum: 1 of 3 faan'}
  hand_that_comes_out_otherwise:          # case-fails
    hand: 123m 456m 78p 222s 66s
    win_tile: 9p
    expect: {win: false}
"""


def test_check_tries_plays_with_their_options(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(WRONG, encoding="utf-8")
    wanted = [(number, line.partition("# ")[2]) for number, line in enumerate(WRONG.split("\n"), 1) if "# " in line]
    found = check_document(path, RulesChoice()).problems
    assert sorted((one.place.line if one.place else 0, one.code) for one in found) == wanted
    assert [one.message for one in found if one.code == "illegal-move"] == [
        "S (Claims): win: below the minimum: 1 of 3 faan"
    ]


def test_the_play_of_the_page_comes_out() -> None:
    page = (HERE.parent / "docs" / "cases.md").read_text(encoding="utf-8")
    ((name, case),) = (
        YAML(typ="safe", pure=True).load(page.partition("```yaml\n")[2].partition("```")[0])["cases"].items()
    )
    assert name == "pung_before_chow"
    assert problems_of("cantonese", case) == []


def test_a_case_file_may_have_plays(tmp_path: Path) -> None:
    path = tmp_path / "cantonese.jsonl"
    line = '{"hand": "123789s 1579p WWW", "wall": "5m", "play": [{"E": "discard", "tile": "5m"}], "expect": %s}\n'
    path.write_text(line % '{"zones": {"discards": {"E": "5m"}}}' + line % '{"phase": "rob"}', encoding="utf-8")
    from tilewright.authoring.case_files import CaseFile

    problems = list(CaseFile(path, RulesChoice()).problems())
    assert [(one.code, one.place.line if one.place else 0) for one in problems] == [("case-fails", 2)]


def test_what_is_laid_out_is_the_whole_tile_set_and_no_tile_twice() -> None:
    rules = rules_of("american")
    for seed in range(20):
        game = begun(rules, {"seed": seed, "start": {"act": "E"}, "hand": "1f 1f 222m 444m 666m 88m J", "play": []})
        tiles = sorted(
            tile
            for rows in game.zones.values()
            for row in rows
            for one in row
            for tile in getattr(one, "tiles", (one,))
        )
        assert tiles == list(rules.program.box)
        assert all(tile in game.zones[zone][seat] for tile, (zone, seat) in game.where.items())
        codes = [View(game, 0).code(face) for face in View(game, 0).hand]
        assert sum(code in ("1f", "2f", "3f", "4f", "1g", "2g", "3g", "4g") for code in codes) == 2
        assert [sum(counts) for counts in game.counts] == [len(row) for row in game.zones["hand"]]
