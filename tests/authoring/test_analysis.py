"""Analysis: what is planted in a small ruleset is found, each with its place; in one without there is nothing."""

import json
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

import pytest
from budget import budget
from commands import fails, run
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright
from tilewright.authoring.analysis import Analysis, AnalysisBudget, analyze, implied, look
from tilewright.authoring.analysis_lines import AnalysisLines
from tilewright.authoring.sampling import Dealing
from tilewright.language.load import Elaborated, load_elaborated
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.rulebook.changes import parts_that_differ
from tilewright.scoring.rules import ScoringRules

pytestmark = pytest.mark.long

START = """tilewright: 1
kind: ruleset
id: mine
name: {en: Mine}
extends: standard
"""
PLAIN = (
    START
    + """options:
  extra_points: {number: 1, from: 1, to: 2}
scoring: {measures: {points: {}}, best: points}
patterns:
  self_drawn: {name: Self-drawn, worth: extra_points, when: self_draw}
  dragons: {name: Dragons, worth: 2, when: {has: [triplet of dragons]}}
"""
)
PLANTED = (
    START
    + """options:
  unused: {flag: false, label: Three or three}
  same: {flag: false}
  only_with: {flag: false}
  switch: {flag: false}
scoring: {measures: {points: {}}, best: points}
patterns:
  chows: {name: Some chow, worth: 20, when: {has: [sequence]}}
  honour_chow: {name: Chow of honours, worth: 9, when: {has: [sequence], only: [honours]}}
  hidden: {name: Hidden, worth: 9, when: copies(C) * 2 == 7}
  red: {name: Red pung, worth: 1, when: {has: [triplet of C]}}
  dragon: {name: Dragon pung, worth: 3 if unused else 3, when: {has: [triplet of dragons]}}
  drawn: {name: Drawn, worth: 2, when: self_draw or same and copies(C) == 9}
  by_itself: {name: By itself, worth: 1, when: not not (self_draw or self_draw and concealed)}
  green: {name: Green pung, worth: 3 if only_with and switch else 1, when: {has: [triplet of F]}}
  switched: {name: Switched, worth: 2 if switch else 1, when: concealed}
"""
)


def opened(text: str, folder: Path) -> Any:
    path = folder / "mine.yaml"
    path.write_text(text)

    def opens(options: Mapping[str, str]) -> Elaborated:
        return load_elaborated(str(path), options)

    return opens


def found(text: str, folder: Path, hands: int = 2_500, seed: int = 1, seconds: float = 600) -> Analysis:
    return analyze(opened(text, folder), parts_that_differ, AnalysisBudget(hands, seconds, seed))


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    return found(PLANTED, tmp_path_factory.mktemp("planted"))


def test_patterns_that_no_hand_has(planted: Analysis) -> None:
    never = {one.pattern: one.why for one in planted.never}
    assert never.keys() == {"honour_chow", "hidden"}
    assert never["honour_chow"] and not never["hidden"], "one is proven, the other only not seen"


def test_patterns_that_come_together(planted: Analysis) -> None:
    told = {(one.pattern, one.other): one for one in planted.implied}
    assert told.keys() == {("red", "dragon"), ("green", "dragon"), ("drawn", "by_itself")}
    assert [one.mutual for one in told.values()].count(True) == 1 and told["drawn", "by_itself"].mutual
    assert all(one.hands >= 20 for one in told.values())


def test_options_that_make_no_difference(planted: Analysis) -> None:
    told = {one.id: (one.hands is None, one.alone) for one in planted.dead}
    assert told == {"unused": (True, False), "same": (False, False)}, "only_with matters beside another one"
    assert planted.options == 5 and planted.untried == ()


def test_worth_that_does_not_go_with_rarity(planted: Analysis) -> None:
    told = {one.id: one for one in planted.out_of_line}
    chows = told["chows"]
    assert (chows.stands_out, chows.worth_rank) == ("common_and_dear", 1) and {"red", "green"} <= set(chows.beside)
    assert chows.rarity_rank == chows.of == max(one.rarity_rank for one in told.values())
    assert told["red"].stands_out == "rare_and_cheap"


def test_each_finding_has_its_place(planted: Analysis) -> None:
    lines = PLANTED.splitlines()
    several: tuple[Any, ...] = (*planted.never, *planted.implied, *planted.dead, *planted.out_of_line)
    for one in several:
        id = getattr(one, "id", None) or getattr(one, "pattern", "")
        assert one.place is not None and lines[one.place.line - 1][one.place.column - 1 :].startswith(f"{id}:")


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    clean = found(PLAIN, tmp_path, 4_000)
    assert clean.findings == 0 and clean.hands > 2_000 and clean.options == 2


def test_what_an_exclusion_says_is_no_finding(tmp_path: Path) -> None:
    text = PLANTED.replace(
        "worth: 1, when: {has: [triplet of C]}", "worth: 9, when: {has: [triplet of C]}, excludes: [dragon]"
    )
    data = opened(text, tmp_path)({}).data
    together = implied(data, look(ScoringRules(data), 2_000, 1, inf, done=lambda count: None))
    assert {(one.pattern, one.other) for one in together} == {("green", "dragon"), ("drawn", "by_itself")}


@settings(max_examples=budget(1), deadline=None)
@given(seed=st.integers(0, 2**40))
def test_the_same_seed_gives_the_same(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("same")
    one, other = (found(PLAIN, folder, 1_000, seed) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("id", "narrow"),
    [("riichi", False), ("mcr", True), ("hong_kong", False), ("sichuan", True), ("sanma", False), ("sanma", True)],
)
def test_dealt_hands_are_complete(id: str, narrow: bool) -> None:
    """They can exist, and have a reading in a form, unless that has a condition of its own."""
    import numpy as np

    rules = tilewright.load(id)
    batch = Dealing(rules.data).deal(300, np.random.default_rng(1), narrow=narrow)
    scores = rules.score_many(batch)  # refuses a tile that is there too often
    without = [form.id for form in rules.data.forms if form.when is not None]
    read = [rules.explain_row(batch, row).readings for row in range(0, len(batch), 10)]
    assert len(scores) > 20 and (without or all(read))


def test_no_time_is_said_to_be_no_time(tmp_path: Path) -> None:
    nothing = found(PLANTED, tmp_path, seconds=0)
    assert nothing.hands == 0 and {"unused", "same", "only_with", "switch"} < {*nothing.untried}
    assert [(one.pattern, bool(one.why)) for one in nothing.never] == [("honour_chow", True)], "proofs need no hands"


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    opened(PLANTED, tmp_path)
    done = run("analyze", "mine.yaml", "--hands", "0", cwd=tmp_path)
    assert done.returncode == 0 and "mine.yaml:14:3: Chow of honours: no hand can have it: " in done.stdout
    assert "mine.yaml:7:3: Three or three makes no difference (false, true)" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("mine: ")
    chosen = run("analyze", "mine.yaml", "--hands", "0", "--set", "switch=true", "--json", cwd=tmp_path)
    assert "only_with" not in {one.get("option") for one in json.loads(chosen.stdout)["findings"]}


@pytest.mark.soak
def test_the_command_finds_all_of_it(tmp_path: Path) -> None:
    """What `make test` asks of the analysis itself."""
    opened(PLANTED, tmp_path)
    data = json.loads(run("analyze", "mine.yaml", "--hands", "2500", "--seconds", "600", "--json", cwd=tmp_path).stdout)
    kinds = {one["kind"] for one in data["findings"]}
    assert kinds == {"impossible", "unseen", "implies", "together", "dead-option", "out-of-line"}
    assert any("every hand with Red pung also counts Dragon pung" in one["text"] for one in data["findings"])
    assert all(one["file"] == "mine.yaml" and one["line"] and one["text"] for one in data["findings"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings_are_told_in_each_language(planted: Analysis, tmp_path: Path, language: str) -> None:
    told = AnalysisLines(planted, opened(PLANTED, tmp_path)({}), language).lines()
    assert any("Some chow" in str(line) for line in told)


def test_cards_and_wild_tiles_are_sampled_one_by_one() -> None:
    done = run("analyze", "american", "--hands", "60", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["hands"] > 10


def test_bad_input(tmp_path: Path) -> None:
    fails(run("analyze", "no_such_rules"), 2, "no_such_rules")
    fails(run("analyze", "riichi", "--seconds", "-1"), 2, "--seconds")
    fails(run("analyze", "riichi", "--hands", "many"), 2, "--hands")
    fails(run("analyze", "riichi", "--set", "no_such=1"), 1, "no_such")
    opened(PLAIN.replace("when: self_draw", "when: self_dra"), tmp_path)
    fails(run("analyze", "mine.yaml", cwd=tmp_path), 1, "did you mean 'self_draw'")
