"""Every hand and every match ends: what would go on for ever stops as if the wall were empty, and says so."""

from pathlib import Path
from typing import Any

import pytest
from golden_games import sentence
from play_scenes import Scene, begun

from tilewright import IllegalMove, Move, load
from tilewright.play.log import lines, read_log
from tilewright.play.match import Match
from tilewright.play.resume import resume, verify

FOREVER = {"phases": {"act": {"offers": ["win", "say", "throw"]}}, "offers": {"say": {"do": [], "then": "act"}}}
HANDS = ("1468p", "1157p", "2368p")


def scene(rules: dict[str, Any], hands: int | None = 1) -> Scene:
    return Scene("limits", "It ends.", rules=rules, deal=HANDS, draws="9p", hands=hands)


def last(game: Match, number: int) -> list[str]:
    return [sentence(event, game) for event in game.events[-number:]]


def test_a_hand_has_2000_answers(tmp_path: Path) -> None:
    game = begun(scene(FOREVER), tmp_path)
    for _ in range(2_000):
        game.answer(Move(0, "say"))
    assert not game.over
    game.answer(Move(0, "say"))
    assert last(game, 3) == [
        "problem (says a hand has at most 2,000 answers)",
        "result (ended empty, winners , gains A 0 B 0 C 0)",
        "over (scores 0 0 0)",
    ]
    assert game.results[0].problems == ("a hand has at most 2,000 answers",)
    with pytest.raises(IllegalMove):
        game.answer(Move(0, "say"))


def test_the_log_of_a_hand_that_was_stopped(tmp_path: Path) -> None:
    """Its last answer is there, too: it comes to the same end."""
    game = begun(scene(FOREVER), tmp_path)
    while not game.over:
        game.answer(Move(0, "say"))
    log = read_log("game.jsonl", "".join(line + "\n" for line in lines(game)))
    assert verify(log, game.program.rules) is None
    assert resume(log, game.program.rules).over


def looping(outer: int, inner: int) -> dict[str, Any]:
    """So many marks are set in one `do`."""
    step = {"for": {"one": f"1..{outer}"}, "do": [{"for": {"other": f"1..{inner}"}, "mark": {"log": "log + 1"}}]}
    marks = {"log": {"of": "table", "is": "number", "start": 0}}
    return {"marks": marks, "phases": {"new_turn": {"do": [step, {"draw": 1}]}}}


def test_a_do_has_10000_steps(tmp_path: Path) -> None:
    game = begun(scene(looping(101, 100)), tmp_path)
    assert last(game, 3)[0].startswith("problem (says new_turn takes more than 10,000 steps")
    assert last(game, 3)[1:] == ["result (ended empty, winners , gains A 0 B 0 C 0)", "over (scores 0 0 0)"]


def test_a_do_of_some_thousand_steps_is_carried_out(tmp_path: Path) -> None:
    game = begun(scene(looping(45, 100)), tmp_path)
    assert game.remembered("log", 0) == 4_500
    assert game.asked == (0,)


def test_a_match_that_never_ends_is_stopped(tmp_path: Path) -> None:
    """Nobody is asked, and the dealer stays for ever."""
    rules = {"phases": {"deal": {"then": "end"}, **dict.fromkeys(PHASES)}, "match": {"dealer_stays": "dealer in seats"}}
    offers = {"offers": dict.fromkeys(("win", "pung", "chow", "throw")), "zones": {"wall": {"when_empty": "end"}}}
    game = begun(scene({**rules, **offers}, hands=None), tmp_path)
    assert game.over
    assert len(game.results) == 1_000
    assert last(game, 2)[0] == "problem (says a match has at most 1,000 hands)"


PHASES = ("new_turn", "act", "claims", "throwing", "won", "empty")


def test_circles_of_interruptions_end(tmp_path: Path) -> None:
    """A phase that interrupts itself as often as it likes takes steps, too."""
    phases = {
        "act": {"offers": ["win", "say", "throw"]},
        "inner": {"who": "others", "offers": ["more"], "otherwise": "back"},
    }
    offers = {
        "say": {"do": [{"interrupt": "inner"}], "then": "act"},
        "more": {"rank": 1, "do": [{"interrupt": "inner"}], "then": "back"},
    }
    game = begun(scene({"phases": phases, "offers": offers}), tmp_path)
    game.answer(Move(0, "say"))
    while not game.over:
        seat = game.asked[0]
        game.answer(Move(seat, "more"))
    assert game.results[0].problems


def test_melds_beyond_one_hand_leave_no_form_to_choose() -> None:
    rules = load(str(Path(__file__).parents[1] / "data" / "two_hands.yaml"))
    hand = {"hand": "444p N", "melds": ["111m", "222m", "333m", "666m"], "start": "act"}
    more = {"hand": "E", "melds": [*hand["melds"], "777m"]}
    for held in (hand, {**hand, **more}):
        game = rules.game(layout=held)
        assert "win" not in {move.does for move in game.legal_moves(0)}
        assert not game.allows(Move(0, "win", (("kept", ""),)))
