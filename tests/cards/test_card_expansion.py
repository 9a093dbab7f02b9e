"""The hands of lines of cards: counts worked out by hand, and every single hand against the oracle."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from budget import budget
from oracles.card_lines import Refused, TooMany, listed
from oracles.random_card_lines import Draft, drafts, mutated, simplest
from ruamel.yaml import YAML

from tilewright.cards.expand import MOST_HANDS, TooManyHands, bare_card, hands_of
from tilewright.cards.line import parse_line

EXAMPLES: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(
    (Path(__file__).parents[1] / "data" / "cards" / "codes.yaml").read_text("utf-8")
)
LINES = budget(200)
ACCIDENTS = budget(200)

CHECKED = [
    ("22 444 r44 666 8888 X25", 6),
    ("FF 222 444 666 888 X25", 3),
    ("111 222 333 44 DDD Va X25", 18),
    ("FF 1111 NEWS DDDD L X25", 27),
    ("FF 1111 r1111 b1111 L X25", 9),
    ("FF 111 DDD rDDD bDDD Va X25", 27),
]


@pytest.mark.parametrize("group", EXAMPLES)
def test_examples(group: str) -> None:
    cases = EXAMPLES[group]
    assert len({case["line"] for case in cases}) == len(cases) >= 6
    for case in cases:
        found = listed(case["line"])
        wanted = case["hands"], case.get("tile_sets", case["hands"])
        engine_says = bare_card([case["line"]])
        assert (len(found.hands), found.tile_sets) == wanted, case["line"]
        assert (engine_says.count, engine_says.tile_sets) == wanted, case["line"]
        assert not disagreement(case["line"])


@pytest.mark.parametrize(
    ("line", "hands"),
    [
        ("123456789 FFFFF #", 3),
        ("1 r2 b3 g4 r5 b6 g7 r8 b9 FFFFF #", 1680),  # which three numbers are together
    ],
)
def test_many_orders_of_few_hands(line: str, hands: int) -> None:
    assert len(engine(line) or ()) == hands


@pytest.mark.parametrize(("line", "hands"), CHECKED)
def test_figures_of_the_source(line: str, hands: int) -> None:
    for text in (line, line.replace(" ", "")):
        assert len(listed(text).hands) == hands
        assert not disagreement(text)


@pytest.mark.long
def test_random_lines() -> None:
    random = Random("typed")
    agree([(draft, draft.typed(random)) for draft in drafts(LINES)])


def test_random_lines_with_an_accident() -> None:
    random = Random("accidents")
    agree([(draft, mutated(draft.typed(random), random)) for draft in drafts(ACCIDENTS, seed=2)])


def agree(lines: list[tuple[Draft, str]]) -> None:
    """Engine and oracle say the same of each line; the lines that go wrong are shown, and the first one made simple."""
    wrong = [(draft, text) for draft, text in lines if disagreement(text)]
    if wrong:
        draft, text = wrong[0]
        simple = simplest(draft, disagrees) if disagrees(draft.plain()) else text
        shown = "\n".join(f"{text!r}: {disagreement(text)}" for _, text in wrong[:20])
        pytest.fail(f"{len(wrong)} lines, {simple!r}: {disagreement(simple)}\n{shown}")


def disagrees(text: str) -> bool:
    """Engine and oracle differ on the line."""
    return bool(disagreement(text))


def disagreement(text: str) -> str:
    """What engine and oracle say of the line, if that differs."""
    hands = engine(text)
    try:
        expected = listed(text)
    except Refused as why:
        return "" if hands is None else f"the oracle refuses it ({why}), the engine does not"
    except TooMany:  # for the oracle: nobody knows how many
        return ""
    if hands is None:
        return f"the engine refuses it: {parse_line(text)[1]}"
    if hands is TOO_MANY:
        return "" if expected.most > MOST_HANDS else f"too many for the engine, the oracle has {len(expected.hands)}"
    lost, more = sorted(expected.hands - hands)[:2], sorted(hands - expected.hands)[:2]
    if lost or more or len(hands) > MOST_HANDS:
        return f"{len(hands)} hands, the oracle has {len(expected.hands)}; without {lost}, with {more}"
    return ""


TOO_MANY: set[Any] = {"too many"}


def engine(text: str) -> set[Any] | None:
    """The engine's hands of a line, each once and sorted; None if it is refused, TOO_MANY if there are too many."""
    line, _ = parse_line(text)
    if line is None:
        return None
    try:
        hands = hands_of(line)
    except TooManyHands:
        return TOO_MANY
    assert list(hands) == sorted({tuple(sorted(hand)) for hand in hands})
    return set(hands)
