"""A game that pauses: it stops where players want to look, and everything else is as if it did not."""

from random import Random

import pytest
from games import MOSTLY_SOAKED

from tilewright.play.log import lines, read_log
from tilewright.play.match import Match
from tilewright.play.resume import resume
from tilewright.play.rules import Rules, load

pytestmark = pytest.mark.long

HANDS = 2


def played(rules: Rules, seed: int, pausing: bool) -> tuple[Match, list[str]]:
    """A game of random moves, and what was to be seen at each of its pauses."""
    game, random, pauses = rules.game(seed, hands=HANDS, pausing=pausing), Random(seed), list[str]()
    while True:
        while not game.asked and not game.over:
            pauses.append(seen_at_pause(game))
            game.run()
        if game.over:
            return game, pauses
        game.answer(random.choice(game.legal_moves(game.asked[0])))


def seen_at_pause(game: Match) -> str:
    """Why the game stops; it stops for nothing else."""
    assert game.pausing
    assert game.window is None
    last = game.events[-1]
    if game.rests:
        assert last.kind == "result"
        assert game.results[-1].hand == game.hand_number + 1, "the hand that has ended still lies there"
        assert any(game.zones["hand"])
        return "end"
    if game.stack[-1].before is not None:
        return "interruption"
    assert game.tile is not None
    assert game.program.rules.data.zones[game.where[game.tile][0]].claimable
    return "claim"


@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_nothing_else_changes(name: str) -> None:
    rules = load(name)
    for seed in (1, 2):
        plain, none = played(rules, seed, pausing=False)
        paused, pauses = played(rules, seed, pausing=True)
        assert not none
        assert pauses.count("end") == len(paused.results) == HANDS
        assert pauses.count("claim") > 10
        assert plain.events == paused.events
        assert list(lines(plain)) == list(lines(paused))
        assert (plain.scores, plain.decisions) == (paused.scores, paused.decisions)


def test_every_tile_that_may_be_claimed_is_seen_first() -> None:
    rules = load("cantonese")
    game, pauses = played(rules, 3, pausing=True)
    zones = rules.data.zones
    moves = [event for event in game.events if event.kind == "move" and "@" in str(event.get("to"))]
    thrown = [event for event in moves if zones[str(event.get("to")).partition("@")[0]].claimable]
    assert pauses.count("claim") == len(thrown)


@pytest.mark.parametrize(("name", "offer"), [("sanma", "north"), ("hong_kong", "added_kong")])
def test_what_somebody_may_rob_is_seen_first(name: str, offer: str) -> None:
    """Whether nobody may or somebody does not want to looks the same to the others."""
    rules, robbed = load(name), 0
    for seed in range(6):
        game, pauses = played(rules, seed, pausing=True)
        offers = [str(event.get("offer")) for event in game.events if event.kind == "take"]
        assert pauses.count("interruption") == offers.count(offer) + (offer == "north") * offers.count("added_kong")
        robbed += offers.count(offer)
    assert robbed


def test_what_a_discard_sets_off_is_seen_before_anybody_is_asked() -> None:
    """Else it would be seen when somebody is asked, which depends on hidden tiles."""
    game, random = load("riichi").game(1, hands=1, pausing=True), Random(1)
    claims = 0
    while not game.over:
        if game.asked:
            game.answer(random.choice(game.legal_moves(game.asked[0])))
            continue
        seen, rests = len(game.events), game.rests
        game.run()
        if not rests and game.window is not None and game.asked != (game.turn,):
            claims += 1
            assert len(game.events) == seen
    assert claims


def test_a_copy_pauses_and_goes_on_by_itself() -> None:
    game = load("cantonese").game(1, pausing=True)
    while game.asked:
        game.answer(game.legal_moves()[0])
    other = game.copy()
    assert other.pausing
    other.run()
    assert not game.asked, "the first one still waits"
    assert other.events[: len(game.events)] == game.events
    game.run()
    assert game.events == other.events


def test_a_log_of_a_pausing_game_is_taken_up_anywhere() -> None:
    rules = load("cantonese")
    game, _ = played(rules, 4, pausing=True)
    whole = list(lines(game))
    for count in range(5, len(whole), 40):
        taken_up = resume(read_log("log", "".join(f"{line}\n" for line in whole[:count])), rules)
        assert not taken_up.pausing
        again = list(lines(taken_up))
        assert again == whole[: len(again)]
