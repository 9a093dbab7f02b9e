"""Hands scored by a card: a card as a form of a ruleset, chosen by an option or given as a mod."""

from pathlib import Path
from typing import Any

import pytest

import tilewright
from tilewright.language.check import problems_of

CARD = """Small garden
“Evens”
FF 222 444 666 888 X25
FF 222 444 666 888 C40
22 44 66 88 r222 b444 C30
“Runs”
111 222 333 44 DDD Va X30
“Singles & Pairs”
NN EE WW SS 11 r11 b11 C50
"""
RULESET = """tilewright: 1
kind: ruleset
id: own
name: Own
extends: american
"""
A, B = "1f 1g 222m 444m 666m 88m", "8m"


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    path = tmp_path / "garden.txt"
    path.write_text(CARD, encoding="utf-8")
    return path


def score(hand: str, win: str, *mods: Path, **case: Any) -> tilewright.Score:
    return tilewright.load("american", mods=[str(mod) for mod in mods]).score(hand, win=win, **case)


@pytest.mark.parametrize(
    ("hand", "win", "melds", "total", "line"),
    [
        (A, "8m", [], 50, "FF 222 444 666 888 X25"),  # twice 25 without jokers
        ("1f 1g 22m J 444m 666m 88m", "8m", [], 25, "FF 222 444 666 888 X25"),
        ("1f 1g 22m J 4m JJ 66m J 8m J", "J", [], 25, "FF 222 444 666 888 X25"),
        ("1f 1g 88m", "8m", ["222m", "444m", "66m J"], 25, "FF 222 444 666 888 X25"),
        ("88m J 1f", "1f", ["22m J", "4m JJ", "666m"], 25, "FF 222 444 666 888 X25"),
        ("222s 444m 666s 888s 2m", "4m", [], 0, None),  # a set of four for one of three
        ("222m 4444m 666s 888s", "8s", [], 50, "222 4444 r666 8888 X25"),
        ("222m 4444m 666m 888m", "8m", [], 0, None),  # two colours, two suits
        ("1f J NEWS CCCC 111s", "1s", [], 0, None),  # no joker in a pair
        ("1f 1f NEWS CCCC 111m", "1m", [], 50, "FF 1111 NEWS DDDD L X25"),
        ("1f 1f NEWS CCCC 111s", "1s", [], 0, None),  # the dragon of another suit
        ("1f 1f NEWS PPPP 1p JJ", "1p", [], 25, "FF 1111 NEWS DDDD L X25"),
        ("1f 1f 3344556677s 8s", "8s", [], 50, "FF 11 22 33 44 55 66 Va C50"),
        ("1f 1f NNN EEE WWW SS", "S", [], 60, "FF NNN EEE WWW SSS C30"),
        ("1f 1f EEE WWW SS", "S", ["NNN"], 0, None),  # closed
    ],
)
def test_hands_of_the_first_card(hand: str, win: str, melds: list[str], total: int, line: str | None) -> None:
    found = score(hand, win, melds=melds)
    assert (found.total, found.line) == (total, line)
    assert found.win == (line is not None)


def test_the_best_line_is_scored(garden: Path) -> None:
    closed, exposed = score(A, B, garden), score("1f1g 222m 444m 66m", "6m", garden, melds=["888m"])
    assert (closed.total, closed.line) == (80, "FF 222 444 666 888 C40")
    assert (exposed.total, exposed.line) == (50, "FF 222 444 666 888 X25")


def test_payments() -> None:
    drawn = score(A, B, seat_wind="E", self_draw=True)
    fed = score(A, B, seat_wind="E", discarder="W")
    exchanged = score(A, B, seat_wind="E", discarder="W", flags=["exchanged"])
    assert drawn.payments == exchanged.payments == {"E": 300, "S": -100, "W": -100, "N": -100}
    assert fed.payments == {"E": 200, "S": -50, "W": -100, "N": -50}


def test_a_card_of_ones_own_is_a_mod(garden: Path) -> None:
    rules = tilewright.load("american", mods=[str(garden)])
    assert rules.score("111222m 333m 44m CC", win="C").total == 60
    assert tilewright.load("american").score("1f1f NEWS CCCC 111m", win="1m").win
    assert not rules.score("1f1f NEWS CCCC 111m", win="1m").win
    assert rules.data.mods == ("small_garden",)


def test_singles_and_pairs_do_not_double(garden: Path) -> None:
    assert score("NN EE WW SS 11m 11p 1s", "1s", garden).total == 50


def test_a_changed_card_is_read_again(garden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    assert score("111222m 333m 44m CC", "C", garden).total == 60
    garden.write_text(CARD.replace("X30", "X35"), encoding="utf-8")
    assert score("111222m 333m 44m CC", "C", garden).total == 70


def test_result_tells_the_line() -> None:
    result = score(A, B).as_json()
    assert (result["form"], result["line"], result["group"]) == ("on_card", "FF 222 444 666 888 X25", "2468")


def test_waits_and_discards_by_a_card() -> None:
    rules = tilewright.load("american")
    waits = rules.waits("1f 1g 22m J 444m 666m 88m")
    assert {(wait.code, wait.left, wait.value) for wait in waits.tiles} == {("2m", 2, 25), ("8m", 2, 25), ("J", 7, 25)}
    further = rules.waits("1f 1g 22m 444m 666m 8m ES")
    assert further.distance == 3
    assert dict(further.useful) == {"2m": 2, "8m": 3, "J": 8}
    thrown = rules.waits("1f 1g 222m 444m 666m 88m E").discards
    assert (thrown[0].code, thrown[0].distance, dict(thrown[0].tiles)) == ("E", 1, {"8m": 2, "J": 8})


MISTAKES = {
    "unknown-option": "forms: {on_card: {card: cards}}\n",
    "no-such-document": "options: {card: {of: [basic1, basci1]}}\n",
    "wrong-letter": "forms: {on_card: {letters: {m: dragons}}}\n",
    "unknown-class": "forms: {on_card: {letters: {F: flower_tile}}}\n",
    "no-choice": "options: {table_card: {flag: true}}\nforms: {on_card: {card: table_card}}\n",
    "not-a-card": "options: {card: {choice: uzje, of: [uzje]}}\n",
    "wild-tiles-of-cards": "tiles: {wild: {more: {tiles: [C], stands_for: [2m], in: [triplet]}}}\n",
    "unknown-letter": "forms: {on_card: {letters: {F: null}}}\n",
}


@pytest.mark.parametrize("code", MISTAKES)
def test_mistakes_in_card_forms(code: str, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(RULESET + MISTAKES[code], encoding="utf-8")
    (problem,) = problems_of(path)
    assert problem.code == code and problem.place is not None
    assert problem.place.source.name == str(path)


def test_a_form_without_letters() -> None:
    found = problems_of(Path(__file__).parents[1] / "drafts" / "american.yaml")
    assert [problem.severity for problem in found if problem.code == "card-without-letters"] == ["warning"]


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("empty.txt", "Card\n", None),
        ("broken.yaml", "tilewright: 1\nkind: card\nid: broken\nname: x\n", None),
        ("other.yaml", "tilewright: 1\nkind: base\nid: other\nname: x\n", "not-a-mod"),
    ],
)
def test_what_is_no_card(name: str, text: str, code: str | None, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(tilewright.RulesetError) as error:
        tilewright.load("american", mods=[str(path)])
    assert error.value.problems and code in (None, error.value.problems[0].code)


def test_a_ruleset_without_cards_takes_none(garden: Path) -> None:
    with pytest.raises(tilewright.RulesetError, match="plays-no-card"):
        tilewright.load("cantonese", mods=[str(garden)])


def test_one_card_at_a_time(garden: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text(CARD, encoding="utf-8")
    with pytest.raises(tilewright.RulesetError, match="several-cards"):
        tilewright.load("american", mods=[str(garden), str(other)])
    with pytest.raises(tilewright.RulesetError, match="several-cards"):
        tilewright.load("american", {"card": "moon_gate"}, [str(garden)])
    with pytest.raises(tilewright.RulesetError, match=r"--mod own\.txt"):
        tilewright.load("american", {"card": "own.txt"})


def test_a_category_that_the_card_has_not(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    pattern = "patterns: {no_jokers: {when: {test: form.category != singels_and_pairs}}}\n"
    path.write_text(RULESET + pattern, encoding="utf-8")
    (problem,) = problems_of(path)
    assert (problem.code, problem.severity) == ("unknown-category", "warning")
    assert problem.hint == "did you mean 'singles_and_pairs'?"


@pytest.mark.parametrize(("category", "total"), [("2468", 26), ("369", 25)])
def test_categories_that_look_like_numbers(category: str, total: int, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    when = f"{{test: form.category == {category}}}"
    patterns = f"{{of_a_group: {{name: Of a group, worth: 1, when: {when}}}, no_jokers: null}}"
    path.write_text(f"{RULESET}patterns: {patterns}\n", encoding="utf-8")
    assert problems_of(path) == ()
    assert tilewright.load(str(path)).score(A, win=B).total == total


@pytest.mark.parametrize(
    ("hand", "win", "melds", "why"),
    [
        ("1f 1f NN J EE J SS", "S", ["WWW"], "FF NNN EEE WWW SSS C30 is closed, and a group is exposed"),
        ("1f J 222m 444m 666m 88m", "8m", [], "the nearest line is FF 222 444 666 888 X25, which lacks 1f"),
        ("88m 1f 1g", "8m", ["222m", "444m", "555m"], "no hand that may be exposed has 222m, 444m and 555m together"),
    ],
)
def test_why_a_hand_does_not_win(hand: str, win: str, melds: list[str], why: str) -> None:
    assert score(hand, win, melds=melds).reason == f"not a winning hand: {why}"


def test_a_hand_that_cannot_win_any_more_is_not_some_tiles_away() -> None:
    rules = tilewright.load("american")
    assert rules.waits("88m 1f 1g", ["222m", "444m", "555m"]).distance is None
    assert {one.distance for one in rules.waits("88m 1f 1g E", ["222m", "444m", "555m"]).discards} == {None}


def test_a_plain_card_is_found_by_its_name(garden: Path) -> None:
    path = garden.with_name("own.yaml")
    path.write_text(f"{RULESET}options: {{card: {{choice: garden, of: [garden, basic1]}}}}\n", encoding="utf-8")
    assert problems_of(path) == ()
    assert tilewright.load(str(path)).score(A, win=B).total == 80
    assert tilewright.load(str(path), {"card": "basic1"}).score(A, win=B).total == 50


def test_a_category_that_another_card_has_changes_nothing_else(tmp_path: Path) -> None:
    card = tmp_path / "six.txt"
    card.write_text("Six\n“Evens”\nFF 222 444 666 888 X25\n", encoding="utf-8")
    assert score("22m J 444m 666m 88m 1f 2f", "8m", card).total == 25
    assert score(A, B, card).total == 50
