"""Tiles that the table decides about: wild ones that a mark names or a condition allows, and those that are seen
wherever they lie."""

from collections import Counter
from pathlib import Path

import pytest
from commands import run
from rigged import play, rigged

import tilewright
from tilewright.authoring.open_rules import RulesChoice
from tilewright.cli.check_files import check_document
from tilewright.play.cases import begun
from tilewright.play.log import lines, read_log
from tilewright.play.resume import verify
from tilewright.play.view import View
from tilewright.play.visibility import open_tiles
from tilewright.presentation.seat_advice import SeatHand

LUCKY = Path(__file__).parents[1] / "data" / "lucky.yaml"
RULES = tilewright.load(str(LUCKY))


@pytest.mark.long
def test_tiles_that_the_table_makes_wild_stand_in_hands_and_in_groups() -> None:
    assert check_document(LUCKY, RulesChoice()).problems == ()


def test_a_case_makes_tiles_wild_as_the_table_does() -> None:
    hand, marks = "123m 456m 78p 22s CC 5s", {"lucky": "5s"}
    assert RULES.score(hand, win="9p", marks=marks).win and not RULES.score(hand, win="9p").win
    assert len(RULES.explain({"hand": hand, "win_tile": "9p", "marks": marks}).readings) == 1
    assert [wait.code for wait in RULES.waits(hand, marks=marks).tiles] == ["6p", "9p", "2s", "5s", "C"]
    assert RULES.waits(hand, marks={"lucky": "4s"}).tiles == ()


def test_advice_at_the_table_knows_what_is_wild() -> None:
    case = {"hand": "123789s 1579p WWW", "others": {"S": {"hand": "123m 456m 78p 22s CC 5s"}}, "wall": "F"}
    for sign, ready in (("4s", True), ("3s", False)):
        game = begun(RULES, {**case, "zones": {"sign": sign}, "play": []})
        assert bool(SeatHand(RULES, View(game, 1)).waits().tiles) == ready


@pytest.mark.long
@pytest.mark.parametrize(("mark", "code", "said"), [("lucky=5s", 0, '"win": true'), ("lucky=4s", 0, '"win": false')])
def test_the_command_line_takes_marks(mark: str, code: int, said: str) -> None:
    hand = ["score", str(LUCKY), "--hand", "123m 456m 78p 22s CC 5s", "--win", "9p", "--json", "--mark", mark]
    result = run(*hand)
    assert result.returncode == code and said in result.stdout
    waits = ["waits", str(LUCKY), "--hand", "123m 456m 78p 22s CC 5s", "--json", "--mark", mark]
    assert ('"distance": 1' in run(*waits).stdout) == ("true" in said)


@pytest.mark.parametrize("wrong", ["lucky", "luck=5s", "lucky=5x"])
def test_a_wrong_mark_is_a_problem(wrong: str) -> None:
    result = run("score", str(LUCKY), "--hand", "22s", "--win", "9p", "--mark", wrong)
    assert result.returncode == 1 and "hint" in result.stderr


def test_what_is_wild_changes_with_the_table() -> None:
    """While the wall is long the lucky tile is wild, in another hand another one, and at the end none."""
    stands: Counter[frozenset[int]] = Counter()
    for seed in range(6):
        game = RULES.game(seed, hands=1)
        while not game.over:
            wild = frozenset(game.program.wild.stands_for)
            north = frozenset({RULES.program.code.index("N")})
            lucky = frozenset(game.remembered("lucky", 0)) if game.size("wall", 0) > 60 else frozenset()
            assert wild == {game.program.plain[tile] for tile in lucky} | north
            stands[wild] += 1
            moves = game.legal_moves(game.asked[0])
            game.answer(next((move for move in moves if move.does == "discard"), moves[-1]))
    assert len(stands) > 3


def test_a_game_with_changing_wild_tiles_is_played_again_from_its_log() -> None:
    game = RULES.game(3, hands=1)
    while not game.over:
        game.answer(game.legal_moves(game.asked[0])[-1])
    log = read_log("log", "".join(f"{line}\n" for line in lines(game)))
    assert verify(log, tilewright.load(str(LUCKY))) is None


@pytest.mark.parametrize("name", ["cantonese", "mcr", "riichi", "zung_jung"])
def test_a_claimed_group_is_of_the_kind_that_is_offered(name: str) -> None:
    """Who holds three of the tile may make a triplet of it or a quad, and no triplet of four tiles."""
    rules = tilewright.load(name)
    game = rigged(rules, ("158m159p1592377s", "666999m444s3388p", "147m258p369s1177p", "247m147p25833s66p"), draws="9m")
    game = play(game, "E discard 9m")
    found = {move.does: len(move.choice[0][1].split()) for move in game.legal_moves(1) if move.choice}
    assert found == {"pung": 3, "claimed_kong": 4}


def test_a_tile_is_seen_as_it_says_wherever_it_lies() -> None:
    code = RULES.program.code
    hand = "123789s 15p WWW Cv Ev"
    game = begun(RULES, {"hand": hand, "start": {"new_turn": "E"}, "wall": "Fv", "zones": {"sign": "1m"}, "play": []})
    for seat in range(1, 4):
        view = View(game, seat)
        seen = [code[face] for face in view.zone("hand", 0) if face is not None]
        assert seen == ["Cv", "Fv"]
        assert view.seen[code.index("Cv")] == 1
        assert "Fv" in [code[face] for face in view.zone("hand", 0) if face is not None]
        drawn = [event for event in view.events if event.kind == "draw" and event.seat == 0][-1]
        assert [code[face] for face in drawn.tiles] == ["Fv"]
    own = View(game, 0)
    assert "Ev" not in [code[face] for face in own.hand]
    assert all(face is None for face in own.zone("wall"))
    seen = Counter(code[tile] for tile in open_tiles(game))
    assert (seen["Cv"], seen["Fv"], seen["Ev"]) == (1, 1, 0)


def test_what_is_seen_everywhere_is_told_apart_in_events() -> None:
    """A deal with such tiles is told in parts: each to those who see them."""
    game = RULES.game(1)
    glass = {face for face, tile in enumerate(RULES.data.tiles.tiles) if tile.seen_by == "everyone"}
    stone = {face for face, tile in enumerate(RULES.data.tiles.tiles) if tile.seen_by == "nobody"}
    told = [event for event in game.events if event.kind in ("move", "draw") and event.tiles]
    assert any(glass & set(event.tiles) for event in told)
    for event in told:
        tiles = set(event.tiles)
        assert (event.seen_by is None) == (tiles <= glass or event.get("to") == "sign")
        assert not tiles & stone or (tiles <= stone and event.seen_by == frozenset())
