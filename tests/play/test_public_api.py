"""What other programs call: one shape for one thing, and wrong arguments that are told in the caller's words."""

import copy
import inspect
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from budget import budget
from games import mostly_soaked

import tilewright
from tilewright.base.arguments import WrongArgument
from tilewright.play.layout import HandStart
from tilewright.play.log import read_log
from tilewright.play.model import Move
from tilewright.play.resume import resume, verify
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.learning.environment import TableEnv, env
from tilewright.players.learning.table import IllegalAction, LearningTable, Spaces
from tilewright.players.learning.vector import VectorTables
from tilewright.players.player import bot

pytestmark = pytest.mark.long

HAND = "222p 333s 88m EE 444p"
OURS = (tilewright.CaseError, tilewright.RulesetError, tilewright.IllegalMove, WrongArgument, IllegalAction)


@cache
def rules() -> Rules:
    return tilewright.load("cantonese")


@cache
def table() -> tilewright.Table:
    return rules().table(7)


def environment() -> Any:
    found = env(rules())
    found.reset(seed=1)
    return found


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "a ruleset by number": (lambda: tilewright.load(5), "id or path"),  # type: ignore[arg-type]
    "no ruleset": (lambda: tilewright.load(None), "id or path"),  # type: ignore[arg-type]
    "options in a list": (lambda: tilewright.load("cantonese", ["x"]), "mapping"),  # type: ignore[arg-type]
    "options as text": (lambda: tilewright.load("cantonese", "x=1"), "mapping"),  # type: ignore[arg-type]
    "an option by number": (lambda: tilewright.load("cantonese", {1: 1}), "mapping"),  # type: ignore[dict-item]
    "mods by number": (lambda: tilewright.load("cantonese", mods=3), "list"),  # type: ignore[arg-type]
    "a mod by number": (lambda: tilewright.load("cantonese", mods=[3]), "id or path"),  # type: ignore[list-item]
    "melds as text": (lambda: rules().score("222p 333s 88m EE", "444p", "E"), "melds are a list"),
    "melds by number": (lambda: rules().score(HAND, 3, "E"), "melds are a list"),  # type: ignore[arg-type]
    "melds of a wait": (lambda: rules().waits("222p 333s 88m EE", "444p"), "melds are a list"),
    "flags as text": (lambda: rules().score(HAND, win="E", flags="last_tile"), "flags are a list"),  # type: ignore[arg-type]
    "a case as text": (lambda: rules().score_case("222p"), "a case is a mapping"),  # type: ignore[arg-type]
    "a case to explain": (lambda: rules().explain("222p"), "a case is a mapping"),  # type: ignore[arg-type]
    "a case of a table": (lambda: tilewright.load("uzje").score_case("x"), "a case is a mapping"),  # type: ignore[arg-type]
    "cases as text": (lambda: rules().batch("222p"), "list of mappings"),  # type: ignore[arg-type]
    "one case for many": (lambda: rules().batch({"hand": HAND}), "list of mappings"),  # type: ignore[arg-type]
    "no batch": (lambda: rules().score_many([]), "HandBatch"),  # type: ignore[arg-type]
    "no such row": (lambda: rules().explain_row(rules().batch([]), 9), "no row 9"),
    "a row from behind": (lambda: rules().explain_row(rules().batch([]), -1), "from 0 on"),
    "a limit as text": (lambda: tilewright.load("american").nearest("", limit="x"), "limit"),  # type: ignore[arg-type]
    "a seed as text": (lambda: rules().table("x"), "seed is a whole number"),  # type: ignore[arg-type]
    "half a seed": (lambda: rules().game(1.5), "seed is a whole number"),  # type: ignore[arg-type]
    "a seed that is a truth": (lambda: rules().game(True), "seed is a whole number"),
    "no hands": (lambda: rules().table(hands=0), "hands is a whole number from 1 on"),
    "half a hand": (lambda: rules().table(hands=1.5), "hands is a whole number"),  # type: ignore[arg-type]
    "a layout as text": (lambda: rules().table(layout="x"), "layout is a mapping"),  # type: ignore[arg-type]
    "the view of no seat": (lambda: table().view(7), "nobody sits at 7"),
    "the view of the pot": (lambda: table().view(-1), "nobody sits at -1"),
    "the moves of no seat": (lambda: table().legal_moves(9), "nobody sits at 9"),
    "the question of no seat": (lambda: table().question("X"), "nobody sits at 'X'"),
    "the refusals of no seat": (lambda: table().game.refusals(4), "nobody sits at 4"),
    "buttons of no seat": (lambda: table().answer_by(4, set()), "nobody sits at 4"),
    "buttons as text": (lambda: table().answer_by(0, "auto"), "set of ids"),
    "a move as text": (lambda: table().push("discard 5m"), "not a move"),  # type: ignore[arg-type]
    "a tile by number": (lambda: table().move("discard", 3), "text"),  # type: ignore[arg-type]
    "a choice by number": (lambda: table().move("discard", tile=3), "text"),  # type: ignore[arg-type]
    "answers by number": (lambda: table().game.answer_together(3), "list"),  # type: ignore[arg-type]
    "no answers": (lambda: table().game.answer_together([]), "missing"),
    "no such zone": (lambda: table().view(0).zone("discard"), "no zone 'discard'"),
    "the zone of no seat": (lambda: table().view(0).zone("discards", 9), "nobody sits at 9"),
    "the melds of no seat": (lambda: table().view(0).melds(9), "nobody sits at 9"),
    "the name of no seat": (lambda: table().view(0).name(9), "nobody sits at 9"),
    "the player of no seat": (lambda: table().view(0).player(9), "nobody sits at 9"),
    "no such mark": (lambda: table().view(0).mark("redy"), "no mark 'redy'"),
    "an environment of a name": (lambda: env("cantonese"), "load()"),  # type: ignore[arg-type]
    "an unknown reward": (lambda: env(rules(), reward="hands"), "'hand' or 'match'"),  # type: ignore[arg-type]
    "an environment of no hands": (lambda: env(rules(), hands=0), "from 1 on"),
    "half an action": (lambda: environment().step(161.7), "may not choose 161.7"),
    "an action as text": (lambda: environment().step("x"), "may not choose 'x'"),
    "no action": (lambda: environment().step(None), "may not choose None"),
    "an environment's seed": (lambda: environment().reset(seed="x"), "seed is a whole number"),
    "many tables of a name": (lambda: VectorTables("cantonese", 2), "load()"),  # type: ignore[arg-type]
    "half a table": (lambda: VectorTables(rules(), 1.5), "tables is a whole number"),  # type: ignore[arg-type]
    "no tables": (lambda: VectorTables(rules(), 0), "from 1 to"),
    "many tables of no hands": (lambda: VectorTables(rules(), 2, hands=0), "from 1 on"),
    "rewards of many tables": (lambda: VectorTables(rules(), 2, reward="x"), "'hand' or"),  # type: ignore[arg-type]
    "others in a list": (lambda: VectorTables(rules(), 2, others=["fast"]), "mapping"),  # type: ignore[arg-type]
    "other players by name": (lambda: VectorTables(rules(), 2, others={"E": "fast"}), "whole number"),  # type: ignore[dict-item]
    "no such bot": (lambda: VectorTables(rules(), 2, others={1: "quick"}), "'quick' is no bot"),
    "ragged actions": (lambda: VectorTables(rules(), 2).step([[1], 2]), "array of numbers"),  # type: ignore[list-item]
    "half actions": (lambda: VectorTables(rules(), 2).step([1.5, 2]), "whole numbers"),
    "lots as text": (lambda: VectorTables(rules(), 2).any_legal("x"), "array of numbers"),
    "too many tables": (lambda: VectorTables(rules(), 10**30), "from 1 to 1,048,576"),
    "a huge seed for many tables": (lambda: VectorTables(rules(), 2, seed=10**30), "a whole number from"),
    "a huge seed to begin anew": (lambda: VectorTables(rules(), 2).reset(10**30), "a whole number from"),
    "a list as a bot": (lambda: VectorTables(rules(), 2, others={1: ["fast"]}), "is no bot"),  # type: ignore[dict-item]
    "copies by text": (lambda: VectorTables(rules(), 2, copy="no"), "copy is True or False"),  # type: ignore[arg-type]
    "an array as a reward": (lambda: env(rules(), reward=np.ones(3)), "'hand' or 'match'"),  # type: ignore[arg-type]
    "an array to render by": (lambda: env(rules(), render_mode=np.ones(3)), "'ansi'"),  # type: ignore[arg-type]
    "what no agent sees": (lambda: environment().observe("player_9"), "an agent is 'player_0'"),
    "the space of no agent": (lambda: environment().observation_space([]), "an agent is 'player_0'"),
    "the actions of no agent": (lambda: environment().action_space(0), "an agent is 'player_0'"),
    "a table of rules": (lambda: LearningTable(rules(), 1), "Spaces.of(rules)"),  # type: ignore[arg-type]
    "the actions of no move": (lambda: LearningTable(Spaces.of(rules()), 1).actions_of("x"), "not a move"),  # type: ignore[arg-type]
    "listening by text": (lambda: rules().game(listen="no"), "listen is True or False"),  # type: ignore[arg-type]
    "pausing by array": (lambda: rules().game(pausing=np.ones(3)), "pausing is True or False"),  # type: ignore[arg-type]
    "an array as a move": (lambda: table().push(Move(0, np.ones(3))), "not a move"),  # type: ignore[arg-type]
    "an array as a choice": (lambda: table().push(Move(0, "discard", (("tile", np.ones(3)),))), "not a move"),  # type: ignore[arg-type]
    "buttons as bytes": (lambda: table().answer_by(0, b"x"), "set of ids"),  # type: ignore[arg-type]
    "a player from behind": (lambda: table().game.player(-1), "nobody sits at -1"),
    "a player by word": (lambda: table().game.player("Q"), "nobody sits at 'Q'"),
    "the seat of no player": (lambda: table().game.seat_of(7), "no player 7"),
    "who sat nowhere": (lambda: played("cantonese").result.player(-1), "nobody sat at -1"),
    "a zone by number": (lambda: table().view(0).zone(3), "no zone 3"),  # type: ignore[arg-type]
    "a zone by list": (lambda: table().view(0).zone([]), "no zone []"),  # type: ignore[arg-type]
    "a mark by list": (lambda: table().view(0).mark([]), "no mark []"),  # type: ignore[arg-type]
    "events since a word": (lambda: table().view(0).events_since("x"), "whole number from 0 on"),  # type: ignore[arg-type]
    "an event as text": (lambda: table().view(0).event("draw"), "an event is"),  # type: ignore[arg-type]
    "no such choice": (lambda: table().view(0).allowed("x"), "not asked for this choice"),  # type: ignore[arg-type]
    "bars after no tile": (lambda: table().view(0).claims_barred(99), "a face is a whole number"),
    "a mark of no name": (lambda: rules().score(HAND, win="E", marks={None: True}), "no mark None"),  # type: ignore[arg-type]
    "a wall of no key": (lambda: rules().table(layout={"walls": [{None: "1m"}]}), "no None"),
    "two winning tiles": (lambda: rules().score_case({"hand": HAND, "win_tile": "E", "win": "C"}), "both given"),
    "an empty round wind": (lambda: rules().score(HAND, win="E", round_wind=""), "one tile, not 0"),
    "a row of no batch": (lambda: rules().explain_row([], 0), "a row of a HandBatch"),  # type: ignore[arg-type]
    "no bot": (lambda: bot("quick", rules(), 1), "a bot is 'random'"),
    "a bot of a name": (lambda: bot("fast", "cantonese", 1), "load()"),  # type: ignore[arg-type]
    "a bot of half a seed": (lambda: bot("fast", rules(), 0.5), "seed is a whole number"),  # type: ignore[arg-type]
    "a bot without a view": (lambda: bot("fast", rules(), 1).choose(table()), "a view"),  # type: ignore[arg-type]
    "a bot that is not asked": (lambda: bot("random", rules(), 1).choose(table().view(2)), "nobody is asked"),
    "a log of bytes": (lambda: read_log("x", b"{}"), "a log is a text"),  # type: ignore[arg-type]
    "no log": (lambda: verify("x", rules()), "read_log()"),  # type: ignore[arg-type]
    "the game of no log": (lambda: resume("x", rules()), "read_log()"),  # type: ignore[arg-type]
    "a seed for many tables": (lambda: VectorTables(rules(), 2).reset("x"), "seed is a whole number"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_argument_is_told(name: str) -> None:
    call, why = WRONG[name]
    with pytest.raises(OURS) as told:
        call()
    assert why in str(told.value) and len(str(told.value)) < 600


def test_a_single_mod_needs_no_list() -> None:
    for mods in ("seven_pairs", Path("seven_pairs"), ["seven_pairs"]):
        assert tilewright.load("cantonese", mods=mods).data.mods == ("seven_pairs",)


def test_numbers_of_numpy_are_numbers() -> None:
    plain = rules().table(7, hands=1)
    numpy = rules().table(np.int64(7), hands=np.int32(1))  # type: ignore[arg-type]
    assert [*numpy.log()] == [*plain.log()]
    assert numpy.legal_moves(np.int8(0)) == plain.legal_moves(0)  # type: ignore[arg-type]


def played(name: str = "riichi", **given: Any) -> Any:
    """A game of two hands by the first moves."""
    game = tilewright.load(name).game(5, hands=2, **given)
    while not game.over:
        game.answer(game.legal_moves()[-1])
    return game


def test_a_game_has_what_a_table_has() -> None:
    game, table = rules().game(7), rules().table(7)
    public = {name for name in dir(tilewright.Table) if name[0] != "_"} - {"game", "push", "log", "moment"}
    assert {name for name in public if not hasattr(game, name)} == set()
    assert (game.scores, game.pot, game.result) == (table.scores, table.pot, table.result)
    assert game.view("S").to_json() == table.view("S").to_json()
    assert game.legal_moves("E") == table.legal_moves("E") and game.question("E") == table.question(0)


def test_rounds_and_hands_count_from_one_everywhere() -> None:
    starts: list[HandStart] = []
    game = played(layout={"walls": starts.append, "pot": 3000})
    told = [dict(event.detail) for event in game.events if event.kind == "hand"]
    assert [start.hand for start in starts] == [one["number"] for one in told] == [1, 2]
    assert [result.hand for result in game.results] == [1, 2]
    assert [start.round for start in starts] == [one["round"] for one in told]
    assert [result.round for result in game.results] == [one["round"] for one in told]
    view = game.view(0)
    assert (view.hand_number, view.round_number) == (2, game.result.round)
    assert (view.to_json()["hand"], view.to_json()["round"]) == (2, game.result.round)
    assert repr(rules().table(7).view(0)).count("hand 1") == 1


def test_the_start_of_a_hand_has_the_pot_beside_the_scores() -> None:
    starts: list[HandStart] = []
    played(layout={"walls": starts.append, "pot": 3000})
    assert starts[0].pot == 3000 and len(starts[0].scores) == 4


def test_views_say_which_discard_declared_riichi() -> None:
    layout = {"hand": "123m 456p 789s 1134s", "seat_wind": "S", "wall": "9m", "start": {"new_turn": "S"}}
    game = tilewright.load("riichi").game(layout=layout)
    assert game.view("E").to_json()["sideways"] == {}
    game.answer(game.move("riichi"))
    game.answer(game.move("discard", "9m"))
    for seat in ("E", "S", None):
        assert game.view(seat).sideways == game.view(seat).to_json()["sideways"] == {"discards": {"S": 0}}


def test_gains_say_whose_they_are() -> None:
    game = played()
    names = game.program.names
    told = [event.get("gains") for event in game.events if event.kind == "result"]
    for result, gains in zip(game.results, told, strict=True):
        assert dict(zip(names, result.seat_gains, strict=False)) == gains
        assert [result.player_gains[result.player(seat)] for seat in range(4)] == [*result.seat_gains]


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("name", mostly_soaked(["riichi", "american", "sichuan", "uzje"]))
def test_tables_are_pickled_copied_and_compared(name: str) -> None:
    """Whoever is asked, and while others have answered."""
    table = tilewright.load(name).table(7, hands=1)
    for _ in range(budget(12)):
        if table.over:
            break
        before, table = table, table.push(table.legal_moves()[-1])
        again = pickled(table)
        assert again == table == copy.deepcopy(table) and hash(again) == hash(table) and table != before
        assert [*again.log()] == [*table.log()] and again.asked == table.asked
        assert [again.question(seat) for seat in table.asked] == [table.question(seat) for seat in table.asked]
    assert table != tilewright.load(name).table(8, hands=1) and table != table.log()


def test_matches_are_pickled_where_they_pause() -> None:
    game = rules().game(3, pausing=True, hands=2, listen=False)
    for _ in range(budget(20)):
        game.answer(game.legal_moves()[-1]) if game.asked else game.run()
        again = pickled(game)
        assert (again.asked, again.zones, again.rests) == (game.asked, game.zones, game.rests)


def test_rules_and_scores_are_pickled() -> None:
    found = rules().score(HAND, win="E", seat_wind="E", self_draw=True)
    assert pickled(rules()).score(HAND, win="E", seat_wind="E", self_draw=True) == found
    assert pickled(found) == found and copy.deepcopy(rules()) is rules()
    error = pickled(tilewright.CaseError("wrong-value", "what is wrong", "what to do"))
    assert (error.code, error.message, error.hint) == ("wrong-value", "what is wrong", "what to do")


@pytest.mark.parametrize("name", mostly_soaked(["riichi", "sichuan"], ["sichuan"]))
def test_results_views_and_bots_are_pickled(name: str) -> None:
    """Wins too, of which the reading is found again."""
    ruleset, seed = tilewright.load(name), 4
    while True:
        game, player = ruleset.game(seed, hands=1), bot("fast", ruleset, seed)
        while not game.over:
            game.answer(pickled(player).choose(game.view(game.asked[0])))
        seed += 1
        if game.result.won:
            break
    again = pickled(game.result)
    assert again == game.result == copy.deepcopy(game.result)
    assert [one.scene.reading for one in again.won] == [one.scene.reading for one in game.result.won]
    assert pickled(game.view(0)).to_json() == game.view(0).to_json()


def test_answers_that_are_refused_together_change_nothing() -> None:
    game = tilewright.load("sichuan").game(1)
    asked = game.asked
    assert len(asked) > 1  # each passes on some tiles
    first = game.legal_moves(asked[0])[0]
    for moves in ([first], [first, first]):
        with pytest.raises(tilewright.IllegalMove):
            game.answer_together(moves)
        assert game.asked == asked
    game.answer_together([game.legal_moves(seat)[0] for seat in asked])
    assert game.answers == len(asked)


PUBLIC = [getattr(tilewright, name) for name in tilewright.__all__ if name != "__version__"]


@pytest.mark.parametrize("thing", [*PUBLIC, View, TableEnv, VectorTables])
def test_every_public_thing_has_a_docstring(thing: Any) -> None:
    ours = [kind for kind in getattr(thing, "__mro__", ()) if kind.__module__.startswith("tilewright.")]
    parts = {name: part for kind in ours for name, part in vars(kind).items() if name[0] != "_"}
    described = {name: part for name, part in parts.items() if callable(part) or isinstance(part, property)}
    assert inspect.getdoc(thing)
    assert [name for name, part in described.items() if not inspect.getdoc(part)] == []
