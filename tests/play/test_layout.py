"""Layouts: what a table is laid out with is there, in the order that is said, and nobody sees more of it."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from play_worlds import answer_by_lot

from tilewright import CaseError, IllegalMove, Rules, load
from tilewright.base import document as documents
from tilewright.play.layout import HandStart, read_layout
from tilewright.play.log import LogError, lines, read_log
from tilewright.play.match import Match
from tilewright.play.resume import resume, verify
from tilewright.play.view import View

HERE = Path(__file__).parents[1]
WRONG: Any = documents.plain(documents.read(HERE / "data" / "layouts.yaml"))
FOUR_KONGS = {"E": "1111m 2222m 3333m 9s CF", "S": "147p 258p 369p ESWN"}


def codes(game: Match, zone: str, seat: int = 0) -> list[str]:
    return [game.program.code[tile] for tile in game.zones[zone][seat]]


def step(game: Match) -> None:
    """Everybody passes, or discards what it draws."""
    if game.window is not None and game.window.may_pass:
        game.pass_all()
    else:
        game.answer(game.move("discard", "drawn"))


def run(game: Match) -> Match:
    """The game at its end."""
    while not game.over:
        step(game)
    return game


# --- walls


def test_both_ends_of_the_wall_are_drawn_in_the_order_that_is_written() -> None:
    hands = {
        "E": "1111m 147p 258s ESW",
        "S": "369m 258p 147s WNCF",
        "W": "258m 369p 369s ESWN",
        "N": "369m 147p 147s ESWN",
    }
    table = load("hong_kong").table(layout={"walls": [{"front": "9m 9p", "back": "9s 8s", "hands": hands}]})
    assert "9m" in codes(table.game, "hand", 0)
    table = table.push(table.move("kong", "1111m"))
    assert table.game.program.code[table.game.drawn[0] or 0] == "9s"
    table = table.push(table.move("discard", "drawn"))
    table = table.pass_all() if table.game.window and table.game.window.may_pass else table
    assert codes(table.game, "hand", 1)[-1] == "9p"
    assert codes(table.game, "wall")[-1] == "8s"


def test_the_dead_wall_is_laid_out_by_what_comes_of_it() -> None:
    """The first indicator and the hidden one under it; with each kong the next; replacements are not disturbed."""
    wall = {
        "hands": {"E": "1111m 2222p 147s EE 9m"},
        "back": "5m 6m",
        "zones": {"dora_indicators": "3p 4p N", "ura_indicators": "3s 4s F"},
    }
    game = load("riichi").game(layout={"walls": [wall]})
    assert (codes(game, "dora_indicators"), codes(game, "ura_indicators")) == (["3p"], ["3s"])
    for group, tile in (("1111m", "5m"), ("2222p", "6m")):
        game.answer(game.move("kong", group))
        assert game.program.code[game.drawn[0] or 0] == tile
    assert (codes(game, "dora_indicators"), codes(game, "ura_indicators")) == (["3p", "4p", "N"], ["3s", "4s", "F"])
    assert len(game.zones["dead_wall"][0]) == 14 - 6 - 2 + 2  # turned up, drawn, and made good out of the wall


def test_a_zone_that_takes_its_tiles_begins_with_those_that_are_named() -> None:
    game = load("riichi").game(layout={"walls": [{"zones": {"dead_wall": "1m 2m"}, "back": "9s 8s 7s"}]})
    assert codes(game, "dead_wall")[:3] == ["1m", "2m", "9s"]


def test_every_seat_draws_from_a_wall_of_its_own() -> None:
    """Whoever claims, each seat gets the same tiles in the same order, from the back where it replaces."""
    rows = {"E": "147m 147p 147s ESWN 2m 3m 5m", "S": "258m 258p 258s ESWN 6m 8m 9m"}
    hands = {seat: {"front": row, "back": "9p" if seat == "E" else "9s"} for seat, row in rows.items()}
    drawn: dict[bool, dict[int, list[str]]] = {}
    for claims in (False, True):
        game = load("cantonese").game(3, hands=1, layout={"walls": [{"hands": hands}]})
        drawn[claims] = {0: [], 1: []}
        for number in range(60):
            if game.over:
                break
            may = game.legal_moves()
            claim = next((move for move in may if move.does in ("pung", "chow")), None)
            if game.window is not None and game.window.may_pass and not (claims and claim and number < 12):
                game.pass_all()
            else:
                game.answer(claim if claims and claim else may[-1])
        for event in game.events:
            if event.kind == "draw" and event.seat in (0, 1) and event.get("from") == "wall":
                drawn[claims][event.seat].append(game.program.code[event.tiles[0]])
    for seat, row in ((0, ["2m", "3m", "5m"]), (1, ["6m", "8m", "9m"])):
        assert [tile for tile in drawn[False][seat] if tile[0] in "23568" or tile == "9m"][:3] == row
        assert drawn[True][seat][:2] == row[:2]


def test_every_hand_has_its_wall() -> None:
    game = load("riichi").game(hands=3, layout={"walls": ["1m 1m", None, {"hands": {"E": "9m 9m 9m 9m"}}]})
    plain = load("riichi").game(hands=3)
    found = []
    for one in (game, plain):
        dealt = []
        while not one.over:
            if len(dealt) == one.hand_number:
                dealt.append(codes(one, "hand", 0))
            step(one)
        found.append(dealt)
    laid, shuffled = found
    assert laid[0][:2] == ["1m", "1m"]
    assert laid[1] == shuffled[1]
    assert laid[2].count("9m") == 4


def test_a_function_is_asked_for_every_wall_and_the_log_keeps_what_it_gave() -> None:
    asked: list[HandStart] = []

    def walls(start: HandStart) -> Any:
        asked.append(start)
        return None if start.hand == 2 else {"front": "1m 2m 3m", "zones": {"dora_indicators": "9s"}}

    rules = load("riichi")
    game = run(rules.game(4, hands=3, layout={"walls": walls, "marks": {"honba": 2}, "scores": {"S": 20000}}))
    assert [start.hand for start in asked] == [1, 2, 3]
    assert (asked[0].marks, asked[0].scores[1], asked[0].round, asked[0].dealer) == ({"honba": 2}, 20000, 1, 0)
    assert asked[1].deals == 1 or asked[1].marks["honba"] == 3
    text = "\n".join(lines(game)) + "\n"
    log = read_log("log", text)
    assert set(log.walls) == {1, 3}
    assert verify(log, rules) is None
    assert verify(read_log("log", text.replace('"front":"1m 2m 3m"', '"front":"1m 2m 4m"', 1)), rules) is not None
    for viewer in (None, 0, 1, 2, 3):
        assert not [event for event in View(game, viewer).events if event.kind == "wall"]


# --- the match and the table


def test_the_match_stands_as_it_is_laid_out() -> None:
    layout = {
        "scores": [1000, 2000, 3000, 94000],
        "pot": 3000,
        "round_wind": "S",
        "dealer": "N",
        "marks": {"honba": 4},
    }
    game = load("riichi").game(layout=layout)
    assert [game.score_of(seat) for seat in range(4)] == [1000, 2000, 3000, 94000]
    assert (game.pot, game.round, game.dealer, game.dealership) == (3000, 1, 3, 3)
    assert game.match_marks["honba"] == 4
    assert game.scores[3] == 1000  # the dealer is the fourth player
    table = load("riichi").table(layout={"dealer": "N", "deals": 1})
    assert (table.game.dealer, table.game.dealership) == (3, 1)


def test_a_table_in_the_middle_of_a_hand_is_played_on_and_its_log_is_proved() -> None:
    rules = load("riichi")
    layout = {
        "hand": "123m 456p 789s 1134s",
        "others": {
            "S": {"hand": "147m 258p 369s E", "melds": ["CCC"]},
            "N": {"hand": "19m 19p 19s ESWNCFP", "flags": ["riichi"]},
        },
        "zones": {"discards": {"S": "9m", "W": "1p 2p"}, "dora_indicators": "4s", "dead_wall": "6s"},
        "wall": {"front": "2m 5s", "hands": {"N": "5m"}},
        "start": {"act": "E"},
    }
    for number, given in enumerate((layout, {**layout, "start": {"new_turn": "W"}}, {**layout, "start": None})):
        game = rules.game(7, layout=read_layout(rules, given))
        assert codes(game, "hand", 3).count("E") == 1
        assert len(game.zones["dead_wall"][0]) == 12
        assert codes(game, "dead_wall")[0] == "6s"
        lots = Random(number)
        for _ in range(40):
            if not game.over:
                game.answer(answer_by_lot(game, lots.choice(game.asked), lots))
        text = "\n".join(lines(game)) + "\n"
        assert verify(read_log("log", text), rules) is None
        assert list(lines(resume(read_log("log", text), rules))) == text.splitlines()
        tiles = [
            tile
            for zone, rows in game.zones.items()
            for row in rows
            for one in row
            for tile in getattr(one, "tiles", (one,))
        ]
        assert sorted(tiles) == sorted(game.program.box)


def test_what_is_kept_for_others_is_seen_by_nobody() -> None:
    wall = {"hands": {"S": "1m 1m 1m 1m"}, "zones": {"ura_indicators": "9m"}}
    view = View(load("riichi").game(layout={"walls": [wall]}), 0)
    shown = json.dumps(view.to_json())
    assert shown == json.dumps(view.to_json())
    assert view.to_json()["zones"]["hand"]["S"] == [None] * 13
    assert view.to_json()["zones"]["ura_indicators"] == [None]
    assert "coming" not in shown
    assert "layout" not in shown


@pytest.mark.parametrize("wrong", WRONG["wrong"], ids=lambda wrong: json.dumps(wrong["layout"], default=str)[:50])
def test_what_cannot_be_laid_out_is_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(CaseError) as caught:
        load("riichi").table(layout=wrong["layout"])
    assert (caught.value.code, caught.value.message[: len(wrong["message"])]) == (wrong["code"], wrong["message"])
    assert (caught.value.hint or "").startswith(wrong.get("hint", ""))


def test_a_layout_that_no_log_can_hold_is_refused() -> None:
    for given in ({"walls": [["1m"] * 40] * 100, "marks": {}}, {"walls": [{"front": ["1m"], "back": None}] * 101}):
        with pytest.raises(CaseError):
            load("riichi").layout(**given)
    with pytest.raises(LogError, match="the layout of the log is wrong"):
        game = load("riichi").game(layout={"walls": ["1m"]})
        text = "\n".join(lines(game)).replace('"walls":["1m"]', '"walls":[{"hands":{"Q":"1m"}}]') + "\n"
        resume(read_log("log", text), load("riichi"))


# --- moves by their tiles


def table_of(rules: Rules) -> Any:
    hands = {"E": "5s 147m 147p 99s ESWN", "S": "34s 06s 258m 258p CCC", "W": "5s 5s 369m 369p EFFPP"}
    return rules.table(layout={"walls": [{"hands": hands, "front": "9m"}]})


def test_a_move_is_found_by_its_tiles() -> None:
    table = table_of(load("riichi"))
    later = table.push(table.move("discard", "5s"))
    assert later.move("chow", "345s").choice == (("group", "3s 4s 5s"),)
    assert later.move("chow", "3s 4s 5s", seat="S").seat == 1
    assert later.move("chow", group="4s 5s 6s").choice == (("group", "4s 5s 6s"),)
    assert later.move("pung").seat == 2
    assert later.pass_all().asked == (1,)
    assert later.asked == (1, 2)
    game = table.game.copy()
    game.answer(game.move("discard", "5s"))
    game.pass_all()
    assert game.asked == (1,)
    assert table.game.asked == (0,)


def test_what_is_no_move_says_what_is() -> None:
    table = table_of(load("riichi"))
    later = table.push(table.move("discard", "5s"))
    for does, tiles, seat, told in (
        ("chow", (), None, "chow may be done in"),
        ("chow", ("789s",), "S", "S may do chow 3s 4s 5s"),
        ("pass", (), None, "S and W may do pass here: name the seat"),
        ("fly", (), "W", "W may do pung 5s 5s 5s, pass"),
        ("pung", (), "Q", "nobody sits at 'Q'"),
    ):
        with pytest.raises(IllegalMove, match=told.replace("(", r"\(")):
            later.move(does, *tiles, seat=seat)
    with pytest.raises(IllegalMove, match="pass"):
        table.pass_all()
    with pytest.raises(IllegalMove, match="no 3m is in the hand"):
        table.move("discard", "3m")
