"""Compiled play: the machine and `Match` play the same games, question by question; what cannot be compiled says so."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from budget import budget
from commands import run
from games import VARIED, mostly_soaked
from test_bundled_tiles import choices

from tilewright.authoring.open_rules import bundled
from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import RulesetError
from tilewright.language.elaborate import open_whole
from tilewright.play.compiled.host import Host, Odd
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import going
from tilewright.play.compiled.play import CompiledGame, CompiledPlay
from tilewright.play.compiled.writing.writer import HostRequest, NotSayable, describe
from tilewright.play.match import Match
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.simulation import game as compiled_games
from tilewright.players.simulation.game import CompiledTable, FinishedGame, table_of
from tilewright.players.simulation.run import seed_of

HANDS = 4  # of a game of several
COMPILED = sorted(bundled("ruleset"))
# Why `Match` alone plays a ruleset with a choice of an option, or whatever is chosen.
NOT_COMPILED = {
    ("uzje", "tong_ranks", "all"): "more than 6 seats, 63 faces or 360 tiles",
}


pytestmark = pytest.mark.slow


def compiled(id: str) -> CompiledPlay:
    return CompiledPlay(load(id))


@pytest.mark.parametrize(("id", "option", "choice"), NOT_COMPILED)
def test_what_cannot_be_compiled_says_why(id: str, option: str, choice: str) -> None:
    with pytest.raises(NotSayable) as error:
        CompiledPlay(load(id, {option: choice}))
    assert NOT_COMPILED[id, option, choice] in str(error.value)


@pytest.mark.parametrize("id", mostly_soaked(COMPILED, (*VARIED, "sichuan", "uzje")))
def test_both_play_the_same_games(id: str) -> None:
    """At every question the same seat has as many moves, on the same table; each hand comes to the same."""
    the_same_games(compiled(id), budget(1))


def test_both_play_kongs_that_may_be_robbed_alike() -> None:
    """A phase that interrupts an offer with a group, and asks about its first tile."""
    the_same_games(CompiledPlay(load("riichi", {"orphans_rob": True})), budget(1))


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("id", COMPILED)
def test_every_option_and_mod_is_compiled(id: str) -> None:
    for options, mods in variants(id):
        if any((id, *choice) in NOT_COMPILED for choice in options.items()):
            continue
        with suppress(RulesetError):  # a mod for other rulesets
            play = CompiledPlay(load(id, options, mods))
            assert not any(line.operation is going.leave for line in play.image.code.writer.code)
            the_same_games(play, 3)


def variants(id: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Every choice of every option, the least and most of numbers, and every mod."""
    options = open_whole(id).full.get("options")
    for option, node in options.items() if isinstance(options, Mapping) else ():
        ends = [node.get(end) for end in ("from", "to")] if isinstance(node, Mapping) else []
        for choice in [*choices(node), *(end.text for end in ends if isinstance(end, Scalar))]:
            yield {option: choice}, []
    for mod in bundled("mod"):
        yield {}, [mod]


def the_same_games(play: CompiledPlay, games: int) -> None:
    table, players = CompiledTable(play), ("random",) * play.program.count
    for number in range(games):
        game = table.game(seed_of(21, number), players, HANDS if number % 4 == 0 else 1)
        match = play.rules.game(game.match.seed, hands=game.match.hands)
        while not game.match.over:
            play_hand(game, match)
        assert match.over
        assert told(match) == told(game.match)


def play_hand(game: CompiledGame, match: Match) -> None:
    """Play a hand at both tables, and compare them at every question."""
    hand, asked, known = len(match.results), game.begin(), len(game.moves)
    answer_steps(match, game.moves[known - int(game.state[at.MOVES]) :])
    while asked is not None:
        game.follower.follow()
        assert (match.asked[0], len(match.results)) == (asked.seat, hand)
        assert table(match) == table(game.match)
        assert public(match) == public(game.match)
        question = match.question(asked.seat)
        assert question is not None
        assert len(question.moves) == asked.moves
        assert not question.picks
        number = game.lot(asked)
        move, known = question.moves[number], len(game.moves)
        asked = game.answer(asked, number)
        match.answer(move)
        answer_steps(match, game.moves[known + 1 :])
    assert len(match.results) == hand + 1
    result = game.end()
    assert outcome(result) == outcome(match.results[-1])


def answer_steps(match: Match, moves: Sequence[tuple[int, int]]) -> None:
    """What players have answered where steps ask."""
    for seat, number in moves:
        assert match.window is not None
        assert match.window.ask is not None
        question = match.question(seat)
        assert question is not None
        match.answer(question.move_of(number))


def table(match: Match) -> dict[str, Any]:
    """What is on a table, as far as both keep it."""
    return {
        "zones": match.zones,
        "where": match.where,
        "counts": match.counts,
        "marks": match.marks,
        "answers": (match.answered, match.dice),
        "match marks": {name: value for name, value in match.match_marks.items() if value is not None},
        "in question": (match.tile, match.discarder, match.turn, match.winners, match.playing, match.drawn),
        "discards": ([*match.discards.items()], match.fresh),
        "sideways": match.sideways,
        "seen": {tile: seats for tile, seats in match.shown.items() if seats is None or seats},
        "scores": (match.balances, match.draws, match.answers, match.counter, match.decisions),
        "hand": (match.hand_number, match.dealer, match.round, match.dealership, match.places),
    }


def public(match: Match) -> Any:
    """What everybody sees; no step asks in the view of a match whose machine does."""
    return View(match, None).to_json() | {"phase": "", "step": None}


def outcome(result: Any) -> Any:
    """A result, without what only a match that keeps events has."""
    won = [(one.seat, one.tile, one.situation, one.score.as_json()) for one in result.won]
    return won, replace(result, won=(), payments=(), left=(), marks={}, pot=0)


def told(match: Match) -> Any:
    return [outcome(result) for result in match.results], match.balances, match.deals_next


@pytest.mark.parametrize("id", mostly_soaked(COMPILED))
def test_simulations_give_the_same_rows(id: str) -> None:
    play = compiled(id)
    players = ("random",) * play.program.count
    one, other = FinishedGame(play.rules, players, compiled=CompiledTable(play)), FinishedGame(play.rules, players)
    for number in range(budget(4)):
        seed = seed_of(4, number)
        lines = [[hand.line() for hand in game.game(number, seed).hands] for game in (one, other)]
        assert lines[0] == lines[1]


def test_payments_do_not_count_what_a_win_has_revealed() -> None:
    """The winner of this hand held tiles like the one it won on: nobody had seen them when that was discarded."""
    rules, players = load("cantonese", {}, ("hot_wall",)), ("fast",) * 4
    tables = (table_of(rules, ["fast"]), None)
    one, other = (FinishedGame(rules, players, compiled=by).game(0, seed_of(5, 547)) for by in tables)
    assert [hand.line() for hand in one.hands] == [hand.line() for hand in other.hands]
    assert sorted(one.hands[0].gains) == [-2, 0, 0, 2]


@pytest.mark.parametrize("id", ["hong_kong", "mcr", "sanma"])
def test_wins_are_judged_as_by_a_match(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scoring kernel says of each hand that is a form what the plain judge says of it."""
    play, asked = compiled(id), list[tuple[bool, bool]]()
    kernel = Host.wins

    def wins(host: Host, request: HostRequest) -> bool:
        found = kernel(host, request)
        host.follower.follow()
        with monkeypatch.context() as patched:
            patched.setattr(play.rules.quick, "wins", lambda _: None)  # the engine alone
            asked.append((found, bool(host.evaluated(request))))
        return found

    monkeypatch.setattr(Host, "wins", wins)
    for seed in range(60):
        play.game(seed, 1).hand()
    assert asked
    assert [pair for pair in asked if pair[0] != pair[1]] == []


ASKED = {  # what rulesets ask Python for besides wins (docs/kernels.md)
    "hong_kong": {"HasGroups", "Lookup tiles", "Apply in", "Apply size"},
    "riichi": {"HasGroups", "Lookup kinds", "Lookup waits", "Apply in", "Apply !=", "Apply <="},
    "sanma": {"HasGroups", "Lookup kinds", "Lookup waits", "Apply in", "Apply !=", "Apply <="},
    "sichuan": {"Lookup waits", "WordCall potential"},
    "uzje": {"Quantifier count"},
    "zung_jung_plus": {"Lookup form"},
}


@pytest.mark.parametrize("id", COMPILED)
def test_little_is_asked_of_python(id: str) -> None:
    writer = compiled(id).image.code.writer
    asked = {describe(request.ir) for request in writer.requests if request.ir is not None}
    assert asked == ASKED.get(id, set()) | {"Lookup wins"}
    assert not any(line.operation is going.leave for line in writer.code)


@pytest.mark.parametrize("id", ["cantonese", "sichuan"])
def test_moves_replay_a_game(id: str) -> None:
    """The numbers of its moves are all that a game needs to be played again, with its events."""
    play = compiled(id)
    game = CompiledTable(play).game(seed_of(5, 0), ("random",) * play.program.count, HANDS)
    results = list(game.hands())
    match = play.rules.game(game.match.seed, hands=HANDS)
    for seat, number in game.moves:
        question = match.question(seat)
        assert question is not None
        match.answer(question.move_of(number))
    assert list(map(outcome, match.results)) == list(map(outcome, results))
    assert match.events


def test_simulations_say_what_is_not_compiled() -> None:
    """Games of very many different tiles are not."""
    done = run("simulate", "uzje", "--set", "tong_ranks=all", "--players", "fast", "--games", "1", "--jobs", "1")
    why_not = NOT_COMPILED["uzje", "tong_ranks", "all"]
    assert done.returncode == 0
    assert f"compiled play does not know {why_not}" in done.stderr
    found = compiled_games.compiled_play(load("uzje", {"tong_ranks": "all"}), ("fast",) * 4, logs=False)
    assert found == compiled_games.Compiled(None, why_not)
    rules = load("uzje")
    assert compiled_games.compiled_play(rules, ("random",) * 4, logs=False).table is not None
    assert compiled_games.compiled_play(rules, ("command:false",) * 4, logs=False) == compiled_games.Compiled()


def test_a_game_that_the_machine_cannot_follow_is_played_by_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    play = compiled(COMPILED[0])
    players = ("random",) * play.program.count
    plain = FinishedGame(play.rules, players).game(0, seed_of(6, 0))

    def stops(*_: object) -> None:
        raise Odd("here")

    monkeypatch.setattr(CompiledGame, "play_hand", stops)
    rows = FinishedGame(play.rules, players, compiled=CompiledTable(play)).game(0, seed_of(6, 0))
    assert [hand.line() for hand in rows.hands] == [hand.line() for hand in plain.hands]
