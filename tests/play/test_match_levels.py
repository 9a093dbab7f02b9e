"""Parts of a match: what they are called, who leads a round, how long it is, and what scores are exchanged for."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest

from tilewright.play.match import Match
from tilewright.play.placements import Standing, leaders, standings
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.presentation.record import GameRecord
from tilewright.presentation.rules_data import about_json
from tilewright.rulebook.book import rulebook_of
from tilewright.web.jobs.session import about_table, result_json

pytestmark = pytest.mark.long

LEVELS = {"hand": "number", "round": "round", "dealership": "dealership"}  # as an event calls them
SEED, TIED = 4, 2  # shuffles: wins in both sets; two players with equal scores at the end


@lru_cache
def played(seed: int = SEED, **options: Any) -> Match:
    """A match to its end; who may win does, everything else is left to chance."""
    return to_the_end(load("uzje", {"threshold": 0.5, **options}).game(seed))


def to_the_end(game: Match) -> Match:
    while not game.over:
        question = game.question(game.asked[0])
        assert question is not None
        win = next((move for move in question.moves if move.does == "win"), None)
        game.answer(win or SeededChoices(game.seed, 0, len(game.events)).move(question))
    return game


@pytest.mark.parametrize(
    "game",
    [
        lambda: played(match_length="half"),
        lambda: to_the_end(load("riichi", {"length": "east"}).game(SEED)),
        lambda: to_the_end(load("riichi").game(SEED, hands=2)),
    ],
)
def test_a_match_that_is_over_is_in_its_last_hand(game: Callable[[], Match]) -> None:
    """Results, views and what a page shows say the same of it as was announced when it began."""
    match = game()
    begun = [dict(event.detail) for event in match.events if event.kind == "hand"]
    results = [result_json(match, result)["played"] for result in match.results]
    levels = [{level: hand[name] for level, name in LEVELS.items()} for hand in begun]
    assert [one["levels"] for one in results] == levels
    assert about_table(match)["levels"] == levels[-1]
    view = View(match, 0)
    assert (view.hand_number, view.round_number, view.dealership + 1) == tuple(levels[-1].values())
    assert view.code(view.round_wind) == results[-1]["round_wind"]
    assert f"hand {len(begun)}, over" in repr(match)


def test_a_result_has_what_lay_on_the_table_in_its_hand() -> None:
    """Honba and the pot as they were before they were counted, with the sticks that the hand added."""
    match = to_the_end(load("riichi", {"length": "east"}).game(SEED))
    found = [result_json(match, result) for result in match.results]
    begun = [dict(event.detail)["scores"][-1] for event in match.events if event.kind == "hand"]
    put = [sum(paid["amount"] for paid in one["payments"] if paid["to"] is None) for one in found]
    assert [one["played"]["pot"] for one in found] == [pot + more for pot, more in zip(begun, put, strict=True)]
    for one, after in pairwise(found):
        stays = not one["winners"] or any(won["player"] == one["dealer"] for won in one["winners"])
        assert after["played"]["marks"]["honba"] == (one["played"]["marks"]["honba"] + 1 if stays else 0)


def lines_of(game: Match) -> str:
    return "\n".join(line.plain for line in GameRecord(game, game.program.data, ("Ann", "Ben", "Cid", "Dee")).more())


@pytest.mark.parametrize(
    ("options", "sets"), [({}, 4), ({"match_length": "half"}, 2), ({"players": 3, "match_length": "half"}, 2)]
)
def test_a_match_is_four_sets_or_half_as_many(options: dict[str, Any], sets: int) -> None:
    results = played(**options).results
    assert {result.round for result in results} == set(range(1, sets + 1))
    passes = sum(1 for result in results if result.dealer not in {result.player(won.seat) for won in result.won})
    assert passes == sets * len(results[-1].scores)


def test_who_leads_the_set() -> None:
    game = played(match_length="half")
    last, in_set = game.results[-1], [result for result in game.results if result.round == 2]
    standing = standings(game.results, last)
    assert any(result.won for result in in_set) and len(in_set) < len(game.results)
    for player, one in enumerate(standing):
        won = [any(result.player(won.seat) == player for won in result.won) for result in game.results]
        assert (one.won, one.won_in_round) == (sum(won), sum(won[-len(in_set) :]))
        assert one.gained_in_round == sum(result.player_gains[player] for result in in_set)
    first = leaders(standing)
    assert first and all((one.gained_in_round > 0) >= (player in first) for player, one in enumerate(standing))
    told = result_json(game, last)["standings"]
    assert told["round"] == 2 and told["leaders"] == list(first)


def test_nobody_leads_while_all_have_gained_the_same() -> None:
    assert leaders([Standing(0, 0, 0)] * 4) == ()
    assert leaders([Standing(0, 0, 5), Standing(0, 0, -10), Standing(0, 0, 5)]) == (0, 2)


def test_a_game_is_retold_in_its_own_words() -> None:
    told = lines_of(played(match_length="half"))
    assert "game 1, set 1: " in told and "The match is over" in told
    assert "set 2" in told and "Won in the match" in told and "leads" in told and "hand 1" not in told


def test_the_rulebook_says_what_the_parts_are_called() -> None:
    told = {language: str(rulebook_of("uzje", {}, (), language).sections) for language in ("en", "zh")}
    assert "A hand, from the deal to its end, is called a game." in told["en"] and "is called a set." in told["en"]
    assert "稱為「場」" in told["zh"] and "稱為「圈」" in told["zh"]
    assert "is called a" not in str(next(one for one in rulebook_of("cantonese", {}, ()).sections if one.id == "match"))


def test_a_page_is_told_the_names() -> None:
    about = about_json(load("uzje"))
    assert about["levels"]["hand"] == {"en": "game", "zh": "場", "ja": "局"} and about["match"]["standings"]
    assert about_json(load("cantonese"))["levels"] == {} and not about_json(load("cantonese"))["match"]["standings"]


def test_points_are_exchanged() -> None:
    plain, exchanged = played(match_length="half"), played(match_length="half", tournament="points", exchange_rate=8)
    assert exchanged.scores == tuple(Fraction(score, 8) for score in plain.scores)


def test_places_are_exchanged() -> None:
    plain, exchanged = played(TIED, match_length="half"), played(TIED, match_length="half", tournament="places")
    scores = plain.scores
    assert len(set(scores)) == 3
    expected = [sum(other < own for other in scores) + Fraction(scores.count(own) - 1, 2) for own in scores]
    assert exchanged.scores == tuple(expected) and sum(exchanged.scores) == 6
