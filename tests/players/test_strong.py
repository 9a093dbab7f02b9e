"""Strong players: forecasts of listed hands against drawing them, what rows are worth, and decisions where they differ
from careful players."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
import pytest

import tilewright
from tilewright.play.model import PASS
from tilewright.play.rules import Rules
from tilewright.players.bots.careful import forecasts_of, model_of
from tilewright.players.bots.forecasts import WINNING, Cases, Times, times_of
from tilewright.players.bots.odds import CAREFUL, STRONG, TurnsLeft
from tilewright.players.bots.position import Unchanged
from tilewright.players.player import bot

pytestmark = pytest.mark.long

MODS = {"american": ["no_charleston"]}
UNSEEN, TURNS, DRAWN = 70, 18, 4000


@cache
def rules_of(name: str) -> Rules:
    return tilewright.load(name, mods=MODS.get(name, ()))


# --- forecasts


@dataclass(frozen=True)
class Row:
    """What a row misses: (tiles, unseen copies) of each sort, where no wild tile may stand and elsewhere; wild tiles
    held, and unseen; whether it may not be exposed."""

    fixed: tuple[tuple[int, int], ...] = ()
    free: tuple[tuple[int, int], ...] = ()
    wild: int = 0
    wild_left: int = 0
    closed: bool = True

    def cases(self) -> Cases:
        sorts = (*self.fixed, *self.free)
        fixed = [missing if number < len(self.fixed) else 0 for number, (missing, _) in enumerate(sorts)]
        free = [0 if number < len(self.fixed) else missing for number, (missing, _) in enumerate(sorts)]
        of_fixed, of_free = (np.array(some, int).reshape(-1, 1) for some in (fixed, free))
        left = np.array([copies for _, copies in sorts], int)
        return Cases(of_fixed, of_free, np.array([self.wild]), np.array([self.closed]), left, self.wild_left)

    def made(self, lots: Random) -> bool:
        """Whether the tiles of some turns make it."""
        sorts = [*self.fixed, *self.free, (0, self.wild_left)]
        tiles = [number for number, (_, copies) in enumerate(sorts) for _ in range(copies)]
        drawn = lots.sample([*tiles, *[-1] * (UNSEEN - len(tiles))], TURNS)
        short = [max(0, missing - drawn.count(number)) for number, (missing, _) in enumerate(sorts)]
        places = sum(short[len(self.fixed) : -1])
        return not any(short[: len(self.fixed)]) and places <= self.wild + drawn.count(len(sorts) - 1)


ROWS = {
    "nothing": Row(),
    "one tile": Row(fixed=((1, 3),)),
    "a pair": Row(fixed=((2, 4),)),
    "two singles": Row(fixed=((1, 4), (1, 2))),
    "a tile that is gone": Row(fixed=((1, 0),)),
    "a group": Row(free=((2, 3),)),
    "a group with wild tiles": Row(free=((2, 3),), wild_left=6),
    "two groups and a wild tile": Row(free=((1, 2), (2, 4)), wild=1, wild_left=4),
    "enough wild tiles": Row(free=((2, 0),), wild=2),
    "all of it": Row(fixed=((1, 3),), free=((1, 2), (1, 3)), wild=1, wild_left=4),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_forecasts_are_what_drawing_gives(row: Row) -> None:
    """Without claims, and if nobody else wins."""
    turns = np.arange(0, TURNS + 1, 3)
    won, _ = row.cases().won(Times(turns, np.ones(len(turns) - 1), np.zeros(len(turns)), UNSEEN))
    lots = Random(1)
    assert float(won[0]) == pytest.approx(sum(row.made(lots) for _ in range(DRAWN)) / DRAWN, abs=0.05)


def test_forecasts_fall_with_each_tile_missing_and_rise_with_each_copy_and_turn() -> None:
    def won(row: Row, gone: int = 8) -> float:
        return float(row.cases().won(times_of(TurnsLeft(gone, 24 - gone), UNSEEN))[0][0])

    assert won(Row(fixed=((1, 3),))) > won(Row(fixed=((2, 3),))) > won(Row(fixed=((2, 3), (1, 3))))
    assert won(Row(free=((2, 3),), closed=False)) > won(Row(free=((2, 3),)))
    assert won(Row(free=((2, 3),), wild_left=4)) > won(Row(free=((2, 3),)))
    assert won(Row(fixed=((1, 3),))) > won(Row(fixed=((1, 2),))) > 0.01
    assert won(Row(fixed=((1, 0),))) == pytest.approx(0.0, abs=1e-6)
    assert won(Row(fixed=((1, 3),)), 4) > won(Row(fixed=((1, 3),)), 16) > won(Row(fixed=((1, 3),)), 24) > 0.0


# --- worth


def test_rows_are_worth_what_the_ruleset_says_with_wild_tiles_and_without() -> None:
    (forecast,) = forecasts_of(model_of(Unchanged(rules_of("american"))))
    keeping = WINNING * forecast.cards.usual
    pairs = {(round(one - keeping), round(other - keeping)) for one, other in zip(*forecast.worths, strict=True)}
    assert pairs == {(25, 50), (30, 60), (50, 50)}


@pytest.mark.parametrize(("name", "tempting"), [("uzje", True), ("cantonese", False)])
def test_no_aim_deserves_many_times_the_effort_of_the_usual_hand(name: str, tempting: bool) -> None:
    model = model_of(Unchanged(rules_of(name)))
    best = max(aim.worth for aim in model.aims)
    assert (model.strong.eager < STRONG.eager) == tempting
    assert (best / model.usual) ** model.strong.eager <= STRONG.most_effort + 1e-9
    assert model.careful.eager == CAREFUL.eager


# --- decisions


@dataclass(frozen=True)
class Situation:
    """What seats are dealt, the first tile that is drawn, and what the dealer discards (or it is asked itself); what
    the careful and the strong player do, and with which tiles."""

    ruleset: str
    hands: Mapping[str, str]
    discarded: str
    careful: tuple[str, str]
    strong: tuple[str, str]
    drawn: str = ""


CARD = {"E": "159m19p159s EWNCP", "W": "2233m2277p77m7s7s9s", "N": "88m88p CC FF 555s 99s"}
RATIO = {"W": "2233m 3344s 77m 77s 5m", "N": "88m xxm 44m as CC FF PP"}
FAR = "ft 6s 6s 9s cs es 5m 7m 9m 9m cm em E"
STEPS = "ft 8s as bs ds ds ds es 2m 6m cm fm S"
SITUATIONS = {
    # seven tiles are missing and several lines possible: a kong with a joker gives most of them up
    "a far hand is not exposed": Situation(
        "american", CARD | {"S": "8m 1p1p2p4p4p8p E W 3f 3g 4g J"}, "1p", ("claimed_kong", "1p 1p 1p J=1p"), (PASS, "")
    ),
    # the careful player hopes for fourteen ranks of one suit, which pay 15,000, and are made once in some hundred hands
    "a set is claimed for a hand that pays little": Situation(
        "uzje",
        {"E": "2s 159m 159s E W N C 1t as", "S": STEPS, "W": RATIO["W"], "N": "88m 66s 99m as CC FF PP"},
        "2s",
        (PASS, ""),
        ("progression", "2s 8s ds"),
        drawn="Z",
    ),
    "a tile that fits no set goes first": Situation(
        "uzje",
        RATIO | {"E": FAR, "S": "1t 2s as bs ds ds ds 8s 2m 6m cm fm S"},
        "",
        ("discard", "es"),
        ("discard", "ft"),
        drawn="C",
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS.values(), ids=SITUATIONS)
def test_decisions_that_differ(situation: Situation) -> None:
    rules = rules_of(situation.ruleset)
    table = rules.table(1, layout={"walls": [{"hands": dict(situation.hands), "front": situation.drawn}]})
    if situation.discarded:
        table = table.push(table.move("discard", situation.discarded))
    view = table.view(1 if situation.discarded else 0)
    for name, expected in (("careful", situation.careful), ("strong", situation.strong)):
        move = bot(name, rules, 1).choose(view)
        assert (move.does, move.chosen("group") or move.chosen("tile")) == expected, name
