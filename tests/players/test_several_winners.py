"""How hands are won, where several may win one: shares of all wins, and never more than the whole."""

from collections import Counter

import pytest

from tilewright.play.rules import load
from tilewright.players.simulation.estimates import GameSample
from tilewright.players.simulation.run import SimulationPlan
from tilewright.players.simulation.tally import Tally
from tilewright.presentation.simulation import Simulated, hands_table
from tilewright.report.figures import ends

WINS = {"self_draw": 3, "discard": 6}


@pytest.mark.parametrize(("won", "said"), [(4, "2.25 a hand that was won"), (9, "")])
def test_kinds_of_wins_are_shares_of_wins(won: int, said: str) -> None:
    tally = Tally(games=10, hands=10, won=won, wins=Counter(WINS))
    rows = [
        " ".join(line.plain.split()) for line in hands_table(Simulated(load("sichuan").data, SimulationPlan(10), tally))
    ]
    assert f"Won {won} {won * 10}.0%" in rows and f"Wins 9 {said}".strip() in rows
    assert "by self-draw 3 33.3% of wins" in rows and "on a discard 6 66.7% of wins" in rows


@pytest.mark.parametrize("won", [2, 3])
def test_a_report_has_shares_of_what_there_are_more_of(won: int) -> None:
    sample = GameSample()
    for _ in range(4):
        sample.add({"hands": 4.0, "won": float(won), "wins": 3.0, "win.self_draw": 1.0, "win.discard": 2.0})
    found = {one.kind: one for one in ends(sample)}
    of = [one.of_wins if won < 3 else one.of_hands for kind in WINS if (one := found[kind])]
    assert [one and (one.count, one.of) for one in of] == [(4, 12 if won < 3 else 16), (8, 12 if won < 3 else 16)]
    assert ("won" in found) == (won < 3)
