"""Cards processed and checked: counts of hands, wrong lines beside right ones, and every problem at its place."""

import json
from pathlib import Path
from typing import Any

import pytest
from bounds import calls
from budget import budget
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from tilewright.base.problem import Problem, Source
from tilewright.cards import expand
from tilewright.cards.check import USUAL, LineTiles, problems_of_card
from tilewright.cards.document import open_card, read_card
from tilewright.cards.expand import Processed, bare_card, hands_of, process
from tilewright.cards.model import Card, CardEntry, CardGroup, ConcreteHand

DATA = Path(__file__).parents[1] / "data" / "cards"
HEAD = "tilewright: 1\nkind: card\nid: a\nname: A\n"
CALLS_FOR_A_CARD = 150_000  # half of them, on a card of 70 lines
COUNTED = {
    "FF 222 444 666 888 X25": 3,
    "111 222 333 44 DDD Va X25": 18,
    "FF 1111 NEWS DDDD L X25": 27,
    "FF 1111 r1111 b1111 L X25": 9,
    "FF 111 DDD rDDD bDDD Va X25": 27,
}


def checked(source: Source, box: LineTiles = USUAL) -> list[Problem]:
    card, problems = read_card(source)
    return [*problems, *problems_of_card(card, process(card), box)]


def text_card(*lines: str) -> Source:
    return Source("mine.txt", "\n".join(["A", "“B”", *lines]))


def basic1() -> Processed:
    return process(open_card(DATA / "basic1.txt")[0])


# --- problems


@pytest.mark.parametrize("path", [DATA / "basic1.txt", ROOT / "tests" / "drafts" / "basic1.yaml"], ids=str)
def test_the_example_of_the_source_has_no_problem(path: Path) -> None:
    card, problems = open_card(path)
    assert [*problems, *problems_of_card(card, process(card))] == []


@pytest.mark.parametrize(
    "case", YAML(typ="safe", pure=True).load(DATA / "checks.yaml"), ids=lambda case: str(case)[:90]
)
def test_problems(case: dict[str, Any]) -> None:
    yaml = Source("a.yaml", HEAD + case.get("yaml", ""))
    found = checked(
        yaml if "yaml" in case else Source("a.txt", case["text"]) if "text" in case else text_card(*case["lines"])
    )
    assert sorted(f"{p.place.line}:{p.place.column} {p.code}" for p in found if p.place) == sorted(case["problems"])
    assert all(problem.place for problem in found)
    assert any(case.get("says", "") in problem.message for problem in found) or not found
    assert any(case.get("hint", "") in str(problem.hint) for problem in found) or not found


def test_a_box_says_how_many_there_are() -> None:
    card = text_card("NN NN N 333 666 999 X25")
    copies = {"N": 5, "m3": 4, "c3": 4, "d3": 4}
    assert checked(card, LineTiles(copies, wild=8, smallest=3)) == []
    assert checked(card, LineTiles()) == []
    assert checked(card, LineTiles({"N": 4}, wild=8, smallest=2)) == []
    assert [one.code for one in checked(card, LineTiles({"N": 4}, wild=0, smallest=2))] == ["too-few-copies"]
    [problem] = checked(card, LineTiles({"m3": 2}, wild=0, smallest=3))
    assert problem.severity == "warning" and "1 of 3 hands" in problem.message and "m333" in problem.message


def test_a_wrong_line_points_at_its_characters_behind_escapes() -> None:
    [problem] = checked(Source("a.yaml", HEAD + 'groups:\n  A:\n    - "\\u0046F 222 444 666 888 @ X25"\n'))
    assert problem.place and (problem.place.line, problem.place.column) == (7, 32)


# --- counts


def test_counts_of_the_example() -> None:
    processed = basic1()
    counts = {line.entry.text: line.count for line in processed.lines}
    assert {text: counts[text] for text in COUNTED} == COUNTED
    hands: set[ConcreteHand] = set()
    for group in processed.groups:
        own = {hand for line in group.lines for hand in line.hands}
        assert group.count == len(own)
        hands |= own
    assert processed.count == len(hands) <= sum(group.count for group in processed.groups)


def test_hands_and_tile_sets_are_counted_once() -> None:
    processed = bare_card(["11 11 2222 333 444 X25", "1111 2222 333 444 X25", "1111 22 22 333 444 X30"])
    assert [line.count for line in processed.lines] == [3, 3, 3]
    assert (processed.count, processed.tile_sets) == (9, 3)
    assert (processed.groups[0].count, processed.groups[0].tile_sets) == (9, 3)


def test_json_in_the_shape_of_the_contract() -> None:
    entries = (
        CardEntry("FF 222 444 666 888", "a"),
        CardEntry("FF 222 44? 666 888 X25"),
        CardEntry("FF 222 444 666 888 C30"),
    )
    assert process(Card("a", {"zh": "東", "en": "A"}, (CardGroup("B", entries),))).as_json() == {
        "card": "A",
        "hands": 3,
        "tile_sets": 3,
        "groups": [
            {
                "name": "B",
                "hands": 3,
                "tile_sets": 3,
                "lines": [
                    {"line": "FF 222 444 666 888", "hands": 3, "tile_sets": 3, "value": 25, "exposed": True},
                    {"line": "FF 222 44? 666 888 X25", "error": error_of("FF 222 44? 666 888 X25")},
                    {"line": "FF 222 444 666 888 C30", "hands": 3, "tile_sets": 3, "value": 30, "exposed": False},
                ],
            }
        ],
    }


def error_of(text: str) -> dict[str, Any]:
    fault = bare_card([text]).lines[0].error
    assert fault
    assert fault.hint is None
    return {"code": fault.code, "message": fault.message, "column": fault.offset + 1}


def test_an_error_has_its_hint_beside_the_keys_of_the_contract() -> None:
    [line] = bare_card(["111 222 333 44 DDD V X25"]).as_json()["groups"][0]["lines"]
    assert set(line["error"]) == {"code", "message", "column", "hint"} and "as in Va" in line["error"]["hint"]


def test_bare_lines_keep_their_order_and_their_number() -> None:
    texts = ["FF 222 444 666 888 X25 (any suit)", "", "  ", "  FF 222 444 666 8?8 X25", "what?", "NNNN EEEE WWWW SS"]
    processed = bare_card(texts)
    [group] = processed.as_json()["groups"]
    assert group["name"] == "" and len(group["lines"]) == len(texts)
    codes = [line["error"]["code"] if "error" in line else line["hands"] for line in group["lines"]]
    assert codes == [3, "empty-line", "empty-line", "unknown-code", "words-in-line", 1]
    assert group["lines"][3]["error"]["column"] == 19
    assert bare_card([]).as_json() == {
        "card": "",
        "hands": 0,
        "tile_sets": 0,
        "groups": [{"name": "", "hands": 0, "tile_sets": 0, "lines": []}],
    }


def test_a_card_with_too_many_hands_refuses_the_lines_that_are_too_many() -> None:
    lines = ["FF 1111 NEWS DDDD L X25", "FF 222 444 666 888 X25", "FF 1111 NEWS DDDD L C30"]
    processed = process(Card("a", {"en": "A"}, (CardGroup("B", tuple(map(CardEntry, lines))),)), most=30)
    assert [line.error.code if line.error else line.count for line in processed.lines] == [27, 3, "too-many-hands"]


@pytest.mark.slow
def test_lines_with_too_many_hands_use_up_what_a_card_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOST_HANDS", "MOST_STEPS"):
        monkeypatch.setattr(expand, name, 500)
    lines = ["1 2 r3 b4 g55 66 r77 88 b99 # X25"] * 2 + ["FF 222 444 666 888 X25"]
    card = Card("a", {"en": "A"}, (CardGroup("B", tuple(map(CardEntry, lines))),))
    assert [bool(line.error) for line in process(card).lines] == [True, True, False]
    assert [bool(line.error) for line in process(card, most=600).lines] == [True, True, True]


@pytest.mark.long
def test_lines_that_are_too_long_or_have_too_many_hands() -> None:
    processed = bare_card(["F" * 1_000_000, "1 2 r3 b4 g55 66 r77 88 b99 # X25"])
    assert [line.error.code for line in processed.lines if line.error] == ["line-too-long", "too-many-hands"]


def test_a_whole_card_is_little_work() -> None:
    lines = [entry for group in open_card(DATA / "basic1.txt")[0].groups for entry in group.entries]
    card = Card("a", {"en": "A"}, (CardGroup("B", tuple((lines * 3)[:70])),))
    process(Card("a", {"en": "A"}, (CardGroup("B", tuple(lines[:1])),)))  # the parser is made
    with calls(CALLS_FOR_A_CARD):
        processed = process(card)
    assert processed.count == basic1().count
    with calls(CALLS_FOR_A_CARD):
        list(problems_of_card(card, processed))


# --- anything

SIGNS = st.sampled_from("123456789DGR0FNEWSfnewsgrbamcdxXCoLVaUHYZIAPKQT*>#~!|+-= ()?\t\n0“東")


@pytest.mark.long
@given(st.lists(st.text(SIGNS, max_size=30) | st.text(max_size=10), max_size=4))
@settings(max_examples=budget(40))
def test_any_lines(texts: list[str]) -> None:
    processed = bare_card(texts)
    assert len(json.loads(json.dumps(processed.as_json()))["groups"][0]["lines"]) == len(texts)
    for line in processed.lines:
        assert line.error or (line.line and line.hands == hands_of(line.line) and 0 < line.tile_sets <= line.count)
    for problem in problems_of_card(processed.card, processed):
        assert problem.place is None and problem.message


@given(st.text(SIGNS, max_size=120))
@settings(max_examples=budget(60))
def test_any_card(text: str) -> None:
    source = Source("mine.txt", "A\n“B”\n" + text)
    for problem in checked(source):
        assert problem.place and 1 <= problem.place.line <= source.text.count("\n") + 1
        assert 1 <= problem.place.column <= len(source.line(problem.place.line)) + 1
