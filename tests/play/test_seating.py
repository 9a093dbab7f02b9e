"""Players change places between rounds where the match says so, and keep them where it does not."""

import pytest

from tilewright.play.match import Match
from tilewright.play.rules import Rules, load
from tilewright.play.view import View
from tilewright.players.player import bot

FIRST_WINDS = {0: "ESNW", 1: "SEWN", 2: "WNES", 3: "NWSE"}  # of each player in the first hand of each round


def match(rules: Rules, hands: int | None = None) -> Match:
    game = rules.game(1, hands=hands)
    players = [bot("random", rules, number) for number in range(rules.data.seats.count)]
    while not game.over:
        seat = game.asked[0]
        game.answer(players[game.player(seat)].choose(View(game, seat)))
    return game


def seats(game: Match) -> list[dict[str, int]]:
    """Who sits where in each hand."""
    return [dict(event.get("players")) for event in game.events if event.kind == "hand"]


@pytest.fixture(scope="module")
def moved() -> Match:
    return match(load("mcr"))


@pytest.mark.slow
def test_players_sit_as_the_rules_of_tournaments_say(moved: Match) -> None:
    for number, sitting in enumerate(seats(moved)[::4]):
        assert {player: winds[number] for player, winds in FIRST_WINDS.items()} == {p: s for s, p in sitting.items()}


@pytest.mark.slow
def test_everyone_deals_once_a_round_and_the_deal_goes_round_the_table(moved: Match) -> None:
    sitting = seats(moved)
    assert len(sitting) == len(moved.results) == 16
    for number in range(0, 16, 4):
        assert {hand["E"] for hand in sitting[number : number + 4]} == {0, 1, 2, 3}
        for before, after in zip(sitting[number : number + 3], sitting[number + 1 : number + 4], strict=True):
            assert [after[seat] for seat in "ESWN"] == [before[seat] for seat in "SWNE"]


@pytest.mark.long
def test_results_know_who_sat_where(moved: Match) -> None:
    for result, sitting in zip(moved.results, seats(moved), strict=True):
        assert [result.player(seat) for seat in range(4)] == [sitting[seat] for seat in "ESWN"]
    assert [moved.player(moved.seat_of(player)) for player in range(4)] == [0, 1, 2, 3]


def test_nobody_moves_unless_it_is_said() -> None:
    sitting = seats(match(load("zung_jung_plus"), hands=6))
    assert sitting[4] == sitting[0] == dict(zip("ESWN", range(4), strict=True))
