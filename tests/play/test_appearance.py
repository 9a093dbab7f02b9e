"""How tiles lie on a table: what is left of the wall, which discard lies sideways, which tile of a meld was claimed."""

from copy import copy

from rigged import answer, play, rigged, thrown

from tilewright.play.model import SeenDiscard
from tilewright.play.placing import sideways_json, walls_json, worth_more
from tilewright.play.rules import load
from tilewright.play.view import View

READY = "234m 567m 345p 67s 99p"  # waits for 5 and 8 of bamboos
OTHERS = ("159m 159p 77s ESWNP", "1479m 147p 14s EESW", "17m 28p 111s EWNNPP")


def test_a_wall_says_where_tiles_are_missing_and_what_is_shown_in_it() -> None:
    game = rigged(load("riichi"), (READY, *OTHERS), draws="1p", back="2s 3s 4s 5s 6s 7s")
    gone, wall, *dead = walls_json(game)["wall"]
    assert gone == {"count": 53} and wall == {"zone": "wall", "count": 69}
    (shown,) = [piece for piece in dead if "tile" in piece]
    assert (
        shown["zone"] == "dora_indicators"
        and shown["tile"] == game.program.code[View(game, 0).zone("dora_indicators")[0]]
    )
    assert 1 + sum(piece.get("count", 0) for piece in dead) == 14
    assert worth_more(game)[-3:] == ["0m", "0p", "0s"] and len(worth_more(game)) == 4


def test_the_tile_after_a_claimed_sideways_one_lies_sideways() -> None:
    game = rigged(load("riichi"), (READY, *OTHERS), draws="7s")
    play(game, "E riichi\nE discard 7s")
    assert sideways_json(game) == {"discards": {"E": 0}}
    play(game, "S pung 7s 7s 7s")
    assert sideways_json(game) == {}
    meld = View(game, None).to_json()["melds"]["S"][0]
    assert meld["discarder"] == "E" and meld["tiles"][meld["claimed"]] == "7s"
    play(game, "S discard E")
    east, seven = map(game.program.code.index, ("E", "7s"))
    assert View(game, None).discards == (
        SeenDiscard(0, seven, just_drawn=True, sideways=True, lies=None),
        SeenDiscard(1, east, just_drawn=False, sideways=False, lies=("discards", 1, 0)),
    )
    while not sideways_json(game):
        answer(game, *thrown(game))
    assert sideways_json(game) == {"discards": {"E": 0}}


def test_a_replacement_tile_is_drawn_and_discarded_at_once() -> None:
    game = rigged(load("riichi"), ("222m 234p 567p 99s CF", *OTHERS), draws="2m", back="8m")
    play(game, "E kong 2m 2m 2m 2m\nE discard 8m")
    assert View(game, 1).to_json()["discards"]["E"] == [
        {"number": 1, "tile": "8m", "just_drawn": True, "place": "discards@E", "index": 0}
    ]
    (moved,) = [event for event in game.events if event.get("to") == "discards@E"]
    assert moved.just_drawn


def test_a_pushed_table_leaves_the_one_before_as_it_was() -> None:
    game = rigged(load("riichi"), (READY, *OTHERS), draws="7s")
    play(game, "E riichi")
    before = copy(game)
    play(game, "E discard 7s")
    assert (View(before, 0).discards, View(before, 0).sideways) == ((), {})
    play(before, "E discard 7s")
    assert View(before, 0).to_json() == View(game, 0).to_json()


def test_other_rulesets_say_nothing() -> None:
    game = rigged(load("american"), ("",) * 4)
    assert worth_more(game) == [] and sideways_json(game) == {}
    assert [piece.get("zone") for piece in walls_json(game)["wall"]] == [None, "wall"]
