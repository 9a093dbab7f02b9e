"""Refusals: what a player may expect and is refused is told with the reason; of a move that is none, why it is not."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright
from tilewright.base import document as documents
from tilewright.play.cases import begun, make, read_turn
from tilewright.play.match import Match
from tilewright.play.model import IllegalMove, Move, Refusal
from tilewright.play.rules import Rules
from tilewright.play.view import View

HERE = Path(__file__).parents[1]
DATA: Any = documents.plain(documents.read(HERE / "data" / "refusals.yaml"))
TABLES: Any = DATA["tables"]
KEYS = ("zh", "choices")


@cache
def rules_of(name: str, options: tuple[tuple[str, Any], ...] = ()) -> Rules:
    path = str(HERE / name) if name.endswith(".yaml") else name
    return tilewright.load(path, dict(options))


def laid_out(said: dict[str, Any]) -> Match:
    rules = rules_of(said.get("rules", "cantonese"), tuple(said.get("options", {}).items()))
    game = begun(rules, said["table"])
    for entry in said["table"]["play"]:
        make(game, read_turn(rules, entry))
    return game


@pytest.mark.parametrize(("name", "seat"), [(name, seat) for name, one in TABLES.items() for seat in one["refused"]])
def test_what_is_refused_and_why(name: str, seat: str) -> None:
    game = laid_out(TABLES[name])
    wanted = TABLES[name]["refused"][seat]
    found = game.refusals(game.program.names.index(seat))
    assert len(found) == len(wanted)
    for refusal, said in zip(found, wanted, strict=True):
        expect(refusal, said)
    assert View(game, game.program.names.index(seat)).refusals == found


def expect(refusal: Refusal, said: dict[str, Any]) -> None:
    ((does, reason),) = [(key, value) for key, value in said.items() if key not in KEYS]
    assert (refusal.does, refusal.reason["en"]) == (does, reason)
    assert "zh" not in said or refusal.reason["zh"] == said["zh"]
    assert len(refusal.choices) == said.get("choices", 1)
    assert refusal.choice == (refusal.choices[0] if len(refusal.choices) == 1 else ())


@pytest.mark.parametrize("name", [name for name, one in TABLES.items() if any(one["refused"].values())])
def test_a_refused_move_is_illegal_for_the_same_reason(name: str) -> None:
    game = laid_out(TABLES[name])
    for seat in game.program.everyone:
        for refusal in game.refusals(seat):
            for choice in refusal.choices:
                with pytest.raises(IllegalMove) as caught:
                    game.answer(Move(seat, refusal.does, choice))
                assert caught.value.reason == refusal.reason
                assert refusal.reason["en"] in str(caught.value)


def test_what_was_refused_is_told_until_something_else_may_be_expected() -> None:
    game = laid_out(TABLES["not_asked_at_all"])
    assert game.asked == (1,) and [refusal.does for refusal in game.refusals(2)] == ["win"]
    discard = next(move for move in game.legal_moves(1) if move.does == "discard")
    game.answer(discard)
    assert game.refusals(2) == ()


def test_what_was_refused_about_a_tile_ends_with_the_next_one() -> None:
    game = laid_out(TABLES["a_joker_that_was_thrown"])
    game.pausing = True
    refused = [seat for seat in game.program.everyone if seat not in game.asked and game.refusals(seat)]
    assert refused and game.asked == (1,)
    game.answer(next(move for move in game.legal_moves(1) if move.does == "discard"))
    assert game.window is None and game.tile is not None  # the discard lies there, and nobody is asked yet
    assert [game.refusals(seat) for seat in game.program.everyone] == [()] * 4


# --- garbage


GAMES = ("american", "cantonese", "uzje", "zung_jung_plus")


def texts() -> st.SearchStrategy[str]:
    """Texts that are moves, tiles and names, and texts that are none."""
    known = [
        "discard",
        "tile",
        "5m",
        "pung",
        "group",
        "1m 2m 3m",
        "J=5m",
        "J@S.2",
        "pass",
        "answer",
        "given",
        "yes",
        "",
        " ",
    ]
    return st.one_of(st.sampled_from(known), st.text(max_size=30), st.just("x" * 100_000), st.just("5m " * 5_000))


def garbage() -> st.SearchStrategy[Any]:
    """Moves with anything in them, and things that are no moves."""
    anything = st.one_of(st.none(), st.integers(), st.text(max_size=5), st.lists(st.integers(), max_size=2))
    choice = st.lists(st.tuples(texts(), texts()), max_size=3).map(tuple)
    moves = st.builds(Move, st.integers(-2, 7), texts(), choice)
    odd = st.builds(Move, st.one_of(anything, st.integers()), st.one_of(texts(), anything), st.one_of(choice, anything))
    return st.one_of(moves, odd, anything)


@cache
def tables(name: str) -> tuple[Match, ...]:
    """A game at every tenth of its questions, and after its end."""
    game = rules_of(name).game(11, hands=1)
    found = []
    number = 0
    while not game.over:
        if number % 10 == 0:
            found.append(game.copy())
        seat = game.asked[number % len(game.asked)]
        game.answer(game.legal_moves(seat)[0])
        number += 1
    return (*found, game)


def state(game: Match) -> Any:
    return (View(game, None).to_json(), game.asked, len(game.events), game.answers, game.zones, game.scores)


@settings(max_examples=budget(25))
@given(st.sampled_from(GAMES), st.integers(0, 1_000), garbage())
def test_garbage_is_an_illegal_move_and_changes_nothing(name: str, number: int, move: Any) -> None:
    games = tables(name)
    game = games[number % len(games)]
    before = state(game)
    sits = isinstance(move, Move) and move.seat in range(game.program.count)
    legal = sits and move in game.legal_moves(move.seat)
    if not legal:
        try:
            game.copy().answer(move)
        except IllegalMove as error:
            assert str(error) and len(str(error)) < 1_000
            assert "en" in error.reason
            with pytest.raises(IllegalMove):
                game.answer(move)
        else:
            assert game.allows(move)  # a choice of several tiles in another order
    assert state(game) == before


def test_a_seat_that_is_none_is_told() -> None:
    table = rules_of("cantonese").table(seed=1)
    for seat in (-1, 4, 10**30):
        with pytest.raises(IllegalMove, match="no seat has the number"):
            table.push(Move(seat, "discard", (("tile", "5m"),)))
    with pytest.raises(IllegalMove, match="nobody sits at 'Q'"):
        table.legal_moves("Q")


def test_a_retired_seat_plays_no_more() -> None:
    rules = rules_of("american")
    hand = {"start": {"act": "E"}, "hand": "1f 2f 222m 44m 666m 88p J P"}
    game = begun(rules, {**hand, "others": {"S": {"hand": "1f 3f 2m 4m J 66s", "melds": ["444s", "999m"]}}, "play": []})
    make(game, read_turn(rules, {"E": "accuse", "accused": "S"}))
    with pytest.raises(IllegalMove, match=r"S \(Turn\): it is out of this hand; asked: E"):
        game.answer(Move(1, "pung"))
