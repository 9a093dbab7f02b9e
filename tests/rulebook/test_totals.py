"""What each amount of two measures pays: the published tables of points by fu and han, and no table elsewhere."""

from itertools import product

import pytest
from test_rulebook import RULESETS

from tilewright.play.rules import load
from tilewright.rulebook.totals import Totals, reached, totals, two_measures
from tilewright.scoring.case import read_case

DISCARD, DRAWN = {"discarder": "W"}, {"self_draw": True}
# seat and way of winning -> fu -> what is paid with 1 to 4 han; the tables that beginners learn by heart
TABLES = {
    ("S", "discard"): {
        25: "- 1600 3200 6400",
        30: "1000 2000 3900 7700",
        40: "1300 2600 5200 8000",
        50: "1600 3200 6400 8000",
        60: "2000 3900 7700 8000",
        70: "2300 4500 8000 8000",
        110: "3600 7100 8000 8000",
    },
    ("S", "drawn"): {
        20: "- 400/700 700/1300 1300/2600",
        25: "- - 800/1600 1600/3200",
        30: "300/500 500/1000 1000/2000 2000/3900",
        40: "400/700 700/1300 1300/2600 2000/4000",
        110: "900/1800 1800/3600 2000/4000 2000/4000",
    },
    ("E", "discard"): {
        25: "- 2400 4800 9600",
        30: "1500 2900 5800 11600",
        50: "2400 4800 9600 12000",
        90: "4400 8700 12000 12000",
    },
    ("E", "drawn"): {20: "- 700 1300 2600", 30: "500 1000 2000 3900", 60: "1000 2000 3900 4000"},
}
FLAT = {  # the same from five han on, whatever the fu
    ("S", "discard"): [(5, "8000"), (6, "12000"), (8, "16000"), (11, "24000"), (13, "32000")],
    ("S", "drawn"): [(5, "2000/4000"), (6, "3000/6000"), (8, "4000/8000"), (11, "6000/12000"), (13, "8000/16000")],
    ("E", "discard"): [(5, "12000"), (6, "18000"), (8, "24000"), (11, "36000"), (13, "48000")],
    ("E", "drawn"): [(5, "4000"), (6, "6000"), (8, "8000"), (11, "12000"), (13, "16000")],
}


def found(id: str, seat: str, way: str, options: dict[str, object] | None = None) -> Totals:
    rules = load(id, options or {})
    two = two_measures(rules.data)
    assert two is not None and (two.rows.id, two.columns.id) == ("fu", "han")
    case = {
        "hand": "234p 567p 88s 234s CC",
        "win_tile": "C",
        "seat_wind": seat,
        **(DRAWN if way == "drawn" else DISCARD),
    }
    made = totals(rules, two, read_case(rules.data, case))
    assert made is not None
    return made


def shown(amounts: tuple[object, ...]) -> str:
    return "/".join(map(str, amounts)) or "-"


@pytest.mark.parametrize(("id", "where"), [*product(["riichi", "sanma"], TABLES)])
def test_the_published_tables(id: str, where: tuple[str, str]) -> None:
    made = found(id, *where)
    rows = {row: " ".join(shown(made.cells.get((row, column), ())) for column in made.columns) for row in made.rows}
    assert made.columns == (1, 2, 3, 4)
    assert {row: rows[row] for row in TABLES[where]} == TABLES[where]
    assert (20 in rows) == (where[1] == "drawn"), "nobody wins with 20 fu on a discard"
    assert [(at, shown(paid)) for at, _, paid in made.flat] == FLAT[where]


def test_options_change_them() -> None:
    plain, rounded = found("riichi", "S", "discard"), found("riichi", "S", "discard", {"kiriage_mangan": True})
    assert (plain.cells[30, 4], rounded.cells[30, 4]) == ((7700,), (8000,))
    assert found("riichi", "S", "discard", {"kazoe_yakuman": False}).flat[-1][0] == 11


def test_no_hand_has_less_than_the_least() -> None:
    """Every winning example is in one of the cells."""
    rules = load("riichi")
    two = two_measures(rules.data)
    assert two is not None
    least = {drawn: reached(rules.data, two, drawn) for drawn in (True, False)}
    seen = 0
    for example in (one for pattern in rules.data.patterns for one in pattern.examples if one.yes):
        case = {("win_tile" if key == "win" else key): value for key, value in example.case.items()}
        score = rules.score_case(case)
        if not score.win or score.values["yakuman"]:
            continue
        row, column = score.values["fu"], score.values["han"]
        fits = [one for one in least[bool(case.get("self_draw"))] if (one.row == row if one.exact else one.row <= row)]
        assert any(one.columns <= column for one in fits), case
        seen += 1
    assert seen > 40


def test_others_have_none() -> None:
    assert [id for id in RULESETS if two_measures(load(id).data) is not None] == ["riichi", "sanma"]
