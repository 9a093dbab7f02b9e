"""A preset is named like a mod: what it sets and the mods that it brings."""

import json
from pathlib import Path

import pytest

import tilewright
from tilewright.authoring.case_files import CaseFile
from tilewright.authoring.open_rules import RulesChoice, bundled
from tilewright.base.problem import RulesetError
from tilewright.language.documents.library import path_of
from tilewright.language.documents.options import presets_of
from tilewright.language.documents.whole import extended
from tilewright.language.elaborate import open_whole

CLUB = """
tilewright: 1
kind: ruleset
id: club
name: Club
extends: cantonese
presets:
  quick: {name: Quick, options: {flowers: false}, mods: [own, "limit:most_paid=50"]}
  seven_pairs: {name: Not the mod, options: {flowers: false}}
"""
OWN = """
tilewright: 1
kind: mod
id: own
name: Own
for: [club]
add: {patterns: {own_pattern: {name: Own, worth: 1, when: {self_draw: true}}}}
"""
BUNDLED = [(id, preset.id) for id in bundled("ruleset") for preset in presets_of(extended(path_of(id)).full)]


@pytest.fixture
def club(tmp_path: Path) -> str:
    (tmp_path / "own.yaml").write_text(OWN, encoding="utf-8")
    (tmp_path / "club.yaml").write_text(CLUB, encoding="utf-8")
    return str(tmp_path / "club.yaml")


@pytest.mark.parametrize(("ruleset", "preset"), BUNDLED)
def test_every_bundled_preset_can_be_named(ruleset: str, preset: str) -> None:
    whole = open_whole(ruleset, {}, [preset])
    wanted = next(one for one in presets_of(whole.full) if one.id == preset)
    assert whole.named.presets == (preset,)
    assert {id: whole.options[id].chosen for id in wanted.options} == wanted.options
    assert set(whole.mods) == {text.partition(":")[0] for text in wanted.mods}


def test_there_are_presets_of_every_sort() -> None:
    assert len(BUNDLED) > 10 and ("riichi", "ema") in BUNDLED


def test_a_preset_brings_its_mods_and_what_is_said_besides_stands(club: str) -> None:
    for _ in range(2):  # compiled, and from the cache
        rules = tilewright.load(club, {"flowers": True}, ["quick"])
        assert rules.data.presets == ("quick",) and rules.data.mods == ("own", "limit")
        assert rules.data.options["flowers"] is True and rules.data.options["most_paid"] == 50
        assert any(one.id == "own_pattern" for one in rules.data.patterns)
    assert tilewright.load(club, None, ["quick"]).data.options["flowers"] is False
    assert tilewright.load(club, None, ["quick:flowers=true"]).data.options["flowers"] is True


def test_it_stands_before_a_mod_of_its_name(club: str) -> None:
    assert tilewright.load(club, None, ["seven_pairs"]).data.mods == ()
    assert tilewright.load(club, None, [str(path_of("seven_pairs"))]).data.mods == ("seven_pairs",)


def test_a_preset_that_changes_is_read_again(club: str) -> None:
    assert tilewright.load(club, None, ["quick"]).data.options["flowers"] is False
    path = Path(club)
    path.write_text(
        path.read_text(encoding="utf-8").replace("{flowers: false}", "{flowers: true}", 1), encoding="utf-8"
    )
    assert tilewright.load(club, None, ["quick"]).data.options["flowers"] is True


def test_a_name_that_is_neither_is_told_what_was_near() -> None:
    with pytest.raises(RulesetError) as told:
        tilewright.load("riichi", None, ["emma"])
    assert "'ema'" in (told.value.problems[0].hint or "")


def test_case_files_name_them_too(tmp_path: Path) -> None:
    hand = {"hand": "234p 567p 88s 234s CC", "win_tile": "C", "flags": ["riichi"], "seat_wind": "E", "expect": {}}
    path = tmp_path / "riichi.jsonl"
    for name in ("riichi+ema", "riichi+wrc+open_hands"):
        path.write_text(json.dumps(hand | {"ruleset": name, "expect": {"total": 3900}}), encoding="utf-8")
        assert list(CaseFile(path, RulesChoice()).problems()) == []
    path.write_text(json.dumps(hand | {"ruleset": "riichi+emma"}), encoding="utf-8")
    assert [problem.code for problem in CaseFile(path, RulesChoice()).problems()] == ["unknown-rules"]
