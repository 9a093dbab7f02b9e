"""Comparisons of tiles: what they say at the table and of a scored hand, whichever way they are answered."""

from pathlib import Path
from typing import Any

import pytest

import tilewright
from tilewright.base import document as documents
from tilewright.base.document import Scalar
from tilewright.base.problem import Place, Source
from tilewright.hands.reading import Hand
from tilewright.language.compiled.ir import Ir
from tilewright.language.elaborate import open_whole
from tilewright.language.expressions.lower import lower
from tilewright.language.expressions.scope import declare
from tilewright.play.cases import begun
from tilewright.play.match import Match
from tilewright.play.scene import TableScene
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.plain.walker import evaluate
from tilewright.tiles.notation import parse_tiles

DATA: Any = documents.plain(documents.read(Path(__file__).parents[1] / "data" / "tile_comparisons.yaml"))
RULES = tilewright.load("riichi")
SCOPE = declare(open_whole("riichi"), RULES.data.tiles, RULES.data.groups)


def compiled(text: str) -> Ir:
    node = Scalar(text, text, Place(Source("test", text), 1, 1))
    ir, problems = lower(node, "truth", SCOPE)
    assert ir is not None and not problems, problems
    return ir


def table() -> Match:
    game = begun(RULES, {"hand": DATA["hand"], "wall": DATA["drawn"], "play": [{"say": "nothing"}]})
    game.keep_mark("discarded", 0, tuple(parse_tiles(DATA["discarded"], RULES.data.tiles)))
    return game


@pytest.mark.parametrize("text", [*DATA["holds"], *DATA["table"]])
def test_it_holds_at_the_table(text: str) -> None:
    ir, scene = compiled(text), TableScene(table(), 0)
    assert evaluate(ir, scene) is True
    assert scene.game.program.evaluator(ir)(scene, {}) is True


@pytest.mark.parametrize("text", DATA["holds"])
def test_it_holds_of_a_scored_hand(text: str) -> None:
    tiles = RULES.data.tiles
    hand = Hand(tuple(parse_tiles(DATA["hand"], tiles)), (), parse_tiles(DATA["drawn"], tiles)[0])
    marks = {"discarded": tuple(parse_tiles(DATA["discarded"], tiles))}
    scene, ir = HandScene(RULES.data, Situation(hand, self_draw=True, marks=marks)), compiled(text)
    assert evaluate(ir, scene) is True


@pytest.mark.parametrize(
    "text", ["tile is 5s", "first(waits) is tile", "drawn is first(discarded)", "seat_wind is tile"]
)
def test_a_kind_of_tile_is_not_the_very_tile(text: str) -> None:
    node = Scalar(text, text, Place(Source("test", text), 1, 1))
    _, problems = lower(node, "truth", SCOPE)
    assert [(problem.code, problem.hint) for problem in problems] == [("kind-of-tile", "write `==`")]


def test_a_scored_hand_has_no_very_tile() -> None:
    text = "tile is first(hand)"
    node = Scalar(text, text, Place(Source("test", text), 1, 1))
    _, problems = lower(node, "truth", SCOPE.within("reading", "pattern mine"))
    assert [problem.code for problem in problems] == ["looks-up"]
