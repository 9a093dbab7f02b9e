"""Many hands at once say what each of them says alone; columns are checked, and come back from Arrow as they were."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from budget import budget
from commands import fails, run
from pyarrow import parquet
from random_hands import random_hands
from test_image import RULESETS

import tilewright
from tilewright.language.vocabulary.case import case_fields
from tilewright.scoring.batch import HandBatch, WrongRow, column
from tilewright.scoring.columns import different, packed


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_many_hands_score_as_each_of_them(ruleset: str) -> None:
    rules = tilewright.load(ruleset)
    hands = [one for one in random_hands(rules, budget(150), seed=5) if not any(m.wild for m in one.hand.melds)]
    scores = rules.score_many(HandBatch.of_situations(hands, rules.data))
    for row, situation in enumerate(hands):
        score = rules.score_situation(situation)
        assert (bool(scores.win[row]), scores.totals[row]) == (score.win, score.total), situation
        values = {name: numbers[row] for name, numbers in scores.values.items()}
        assert values == ({name: float(n) for name, n in score.values.items()} or dict.fromkeys(values, 0)), situation
        assert set(scores.counted(row)) == {pattern.id for pattern in score.patterns}, situation
    assert 10 < scores.win.sum() <= len(scores) == len(scores.totals) == len(hands)
    assert scores.plain.mean() < (0.6 if ruleset == "uzje" else 0.2), "few hands are scored alone"


@pytest.mark.long
@pytest.mark.parametrize("ruleset", ["mcr", "riichi", "sichuan", "uzje"])
def test_hands_wait_for_what_a_search_finds(ruleset: str) -> None:
    rules = tilewright.load(ruleset)
    hands = [one for one in random_hands(rules, budget(30), seed=8) if not any(m.wild for m in one.hand.melds)]
    waits = [rules.judge.waits(one) for one in hands]
    assert [rules.engine.waits(one) for one in hands] == waits


def test_an_empty_batch_has_no_scores() -> None:
    rules = tilewright.load("cantonese")
    scores = rules.score_many(rules.batch([]))
    assert len(scores) == 0 and scores.unit == "hand_score" and list(scores.values) == ["faan", "hand_score"]


def test_scores_as_a_table() -> None:
    rules = tilewright.load("hong_kong")
    hands = list(random_hands(rules, 20, seed=1))
    scores = rules.score_many(HandBatch.of_situations(hands, rules.data))
    table = scores.to_table()
    assert table.column_names == ["win", "total", "value:faan", "value:points", "patterns"]
    assert table["total"].to_pylist() == scores.totals.tolist()
    assert table["patterns"].to_pylist() == [list(scores.counted(row)) for row in range(20)]


def test_a_batch_comes_back_from_a_table() -> None:
    rules = tilewright.load("riichi")
    batch = HandBatch.of_situations(list(random_hands(rules, 40, seed=2)), rules.data)
    again = HandBatch.from_table(batch.to_table())
    assert np.array_equal(again.tiles, batch.tiles) and np.array_equal(again.melds, batch.melds)
    assert again.flags.keys() == batch.flags.keys() and again.zones.keys() == batch.zones.keys()
    assert np.array_equal(rules.score_many(again).totals, rules.score_many(batch).totals)


def test_cases_as_columns_with_an_explanation() -> None:
    rules = tilewright.load("hong_kong")
    cases = [
        {"hand": "222p 333s 88m EE", "melds": ["444p"], "win_tile": "E", "self_draw": True},
        {"hand": "123m 456m 789p 234s C", "win_tile": "C"},
    ]
    hands = rules.batch(cases)
    assert rules.faces[int(hands.win[0])] == "E" and rules.groups[int(hands.melds[0, 0])] == "444p"
    assert rules.score_many(hands).totals.tolist() == [rules.score_case(case).total for case in cases]
    explained, other = rules.explain_row(hands, 1), rules.explain(cases[1])
    assert explained.readings == other.readings


@pytest.mark.parametrize(
    "case", [{"hand": "123m", "winner": False}, {"hand": "11m", "win_tile": "1m", "others": {"S": {"hand": "1p"}}}]
)
def test_what_columns_cannot_hold_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="has no row"):
        tilewright.load("hong_kong").batch([case])


@pytest.mark.slow
def test_a_file_of_columns_is_scored_into_another(tmp_path: Path) -> None:
    rules = tilewright.load("hong_kong")
    hands = HandBatch.of_situations(list(random_hands(rules, 50, seed=6)), rules.data)
    parquet.write_table(hands.to_table(), tmp_path / "hands.parquet")
    done = run("score", "hong_kong", "--cases", str(tmp_path / "hands.parquet"), "-o", str(tmp_path / "scores.parquet"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    scores = parquet.read_table(tmp_path / "scores.parquet")
    assert scores["total"].to_pylist() == rules.score_many(hands).totals.tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"tiles": [[0] * 42], "win": [0], "luck": [1]}, "there is no column 'luck'"),
        ({"win": [0]}, "the column 'tiles' is missing"),
        ({"tiles": [[0] * 42, [0] * 41], "win": [0, 0]}, "row 2: tiles: the list has 41 numbers, and others have 42"),
        ({"tiles": [[0] * 42], "win": ["E"]}, "row 1: win: 'E' is not a number"),
        ({"tiles": [[0] * 42], "win": [None]}, "row 1: win: a value is missing"),
        ({"tiles": [[0] * 40], "win": [0]}, "tiles has 40 columns, but hong_kong has 42 faces"),
        ({"tiles": [], "win": []}, "has no rows"),
    ],
)
def test_a_file_of_wrong_columns_is_refused(columns: dict[str, Any], message: str, tmp_path: Path) -> None:
    parquet.write_table(pyarrow.table(columns), tmp_path / "hands.parquet")
    done = run("score", "hong_kong", "--cases", str(tmp_path / "hands.parquet"), "-o", str(tmp_path / "scores.parquet"))
    fails(done, 2, message)
    assert [file.name for file in tmp_path.iterdir()] == ["hands.parquet"]


def test_a_column_that_is_there_twice_is_refused() -> None:
    table = pyarrow.table([[[0] * 42], [0], [0]], names=["tiles", "win", "win"])
    with pytest.raises(ValueError, match="there are several columns 'win'; keep one"):
        HandBatch.from_table(table)


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hands.parquet").write_bytes(b"no columns")
    cases = ("score", "hong_kong", "--cases", str(tmp_path / "hands.parquet"))
    fails(run(*cases, "-o", str(tmp_path / "scores.parquet")), 2, "hands.parquet cannot be read")
    fails(run(*cases), 2, "scores of columns are columns, too")
    away = ("score", "hong_kong", "--cases", str(tmp_path / "away.parquet"), "-o", str(tmp_path / "scores.parquet"))
    fails(run(*away), 2, "away.parquet cannot be read: no such file or directory")
    fails(run("score", "hong_kong", "--cases", "-", "-o", "scores.parquet"), 2, "it is for --cases FILE.parquet")


Changed = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda given: given.update(tiles=np.zeros((2, 3), int)), "tiles has 3 columns, but cantonese has 42 faces"),
        (lambda given: given.update(tiles=np.full((2, 42), 300)), "row 0: tiles: a number does not fit into uint8"),
        (lambda given: given.update(tiles=np.zeros(42)), "tiles has a row for each hand and a column for each face"),
        (lambda given: given["tiles"].__setitem__((1, 3), 5), "row 1: 5 of 4m are held, but there are 4"),
        (lambda given: given.update(melds=np.full((2, 40), -1)), "melds has 40 columns, more than 32"),
        (lambda given: given.update(win=np.zeros(3, int)), r"win has the shape \(3,\), not \(2,\)"),
        (lambda given: given.update(win=np.array([0, -1])), "row 1: win: the number is not from 0 to 41"),
        (lambda given: given.update(melds=np.full((2, 1), 5_000)), "row 0: melds: the number is not from -1 to"),
        (lambda given: given.update(seat=np.array([0, 4])), "row 1: seat: the number is not from -1 to 3"),
        (lambda given: given.update(flags={"nonsense": np.zeros(2, bool)}), "cantonese knows no flag 'nonsense'"),
        (lambda given: given.update(zones={"nowhere": np.zeros((2, 42), int)}), "cantonese has no zone 'nowhere'"),
    ],
)
def test_a_column_that_does_not_fit_is_named(change: Changed, message: str) -> None:
    rules = tilewright.load("cantonese")
    given: dict[str, Any] = {"tiles": np.zeros((2, 42), int), "win": np.zeros(2, int)}
    change(given)
    with pytest.raises(ValueError, match=message):
        rules.score_many(HandBatch.of(**given))


def test_rows_are_told_apart() -> None:
    random = np.random.default_rng(4)
    columns = [random.integers(-1, 2, 500), random.integers(0, 2, 500), random.integers(0, 3, 500)]
    first, kind = different(columns)
    rows = list(zip(*(one.tolist() for one in columns), strict=True))
    assert [rows[at] for at in first[kind]] == rows and len(first) == len(set(rows))


def test_bits_are_packed_into_words() -> None:
    bits = np.random.default_rng(1).random((70, 9)) < 0.5
    low, high = packed(bits)
    for at in range(9):
        assert int(low[at]) | int(high[at]) << 64 == sum(1 << n for n in range(70) if bits[n, at])


def test_a_column_is_not_cut() -> None:
    assert column("win", [1, 2], np.uint8).tolist() == [1, 2]
    with pytest.raises(WrongRow, match="row 0: win: a number does not fit into int16"):
        column("win", [1.5], np.int16)


@pytest.mark.parametrize("cases", [[], [{"hand": "123m 456m 789p 234s C", "win_tile": "C"}]])
def test_hands_without_melds_come_back_from_a_table(cases: list[dict[str, Any]]) -> None:
    rules = tilewright.load("hong_kong")
    batch = rules.batch(cases)
    again = HandBatch.from_table(batch.to_table())
    assert again.melds.shape == again.exposed.shape == (len(cases), 0) and again.tiles.tolist() == batch.tiles.tolist()
    assert rules.score_many(again).totals.tolist() == rules.score_many(batch).totals.tolist()
    assert rules.score_many(batch).to_table().num_rows == len(cases)


class Frame:
    """A data frame, as other libraries have them: all that it says is how Arrow may read it."""

    def __init__(self, table: pyarrow.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def test_columns_come_from_data_frames() -> None:
    batch = tilewright.load("hong_kong").batch([{"hand": "123m 456m 789p CC", "melds": ["234s"], "win_tile": "C"}])
    again = HandBatch.from_table(Frame(batch.to_table()))
    assert again.to_table().equals(batch.to_table())
    with pytest.raises(ValueError, match="has __arrow_c_stream__"):
        HandBatch.from_table({"tiles": [[0]], "win": [0]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"win": [0, None]}, "row 1: win: a value is missing"),
        ({"win": [float("nan"), 1]}, "row 0: win: a value is missing"),
        ({"win": ["E", 1]}, "row 0: win: 'E' is not a number"),
        ({"self_draw": [True, None]}, "row 1: self_draw: a value is missing"),
        ({"self_draw": np.array([True, None])}, "row 1: self_draw: a value is missing"),
        ({"flags": {"last_tile": [None, False]}}, "row 0: flag last_tile: a value is missing"),
        ({"tiles": [[0] * 42, [0] * 41]}, "tiles: rows have different lengths"),
    ],
)
def test_missing_values_of_columns_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        HandBatch.of(**({"tiles": np.zeros((2, 42), int), "win": [0, 1]} | change))


def test_a_wrong_case_of_many_is_named() -> None:
    rules = tilewright.load("hong_kong")
    right = {"hand": "123m 456m 789p 234s C", "win_tile": "C"}
    for wrong, message in (
        ({**right, "hand": "123x"}, "row 1: hand: unknown sign 'x'"),
        ({**right, "winner": False, "win_tile": None}, "row 1: a hand that did not win"),
        (float("nan"), "row 1: a case is a mapping, not nan"),
    ):
        with pytest.raises((ValueError, tilewright.CaseError), match=message):
            rules.batch([right, wrong])  # type: ignore[list-item]


def test_cases_have_values_of_numpy() -> None:
    rules = tilewright.load("riichi")
    plain: dict[str, Any] = {
        "hand": ["1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "1s"],
        "melds": [{"tiles": ["E", "E", "E"], "concealed": False}],
        "win_tile": "1s",
        "self_draw": True,
        "flags": ["last_tile"],
        "marks": {"honba": 2},
        "seat_wind": 1,
        "round_wind": "E",
    }
    numpy = {
        "hand": np.array(plain["hand"]),
        "melds": np.array([{"tiles": np.array(["E", "E", "E"]), "concealed": np.False_}]),
        "win_tile": np.str_("1s"),
        "self_draw": np.True_,
        "flags": np.array(["last_tile"]),
        "marks": {"honba": np.int64(2)},
        "seat_wind": np.int8(1),
        "round_wind": np.array(["E"]),
    }
    assert rules.score_case(numpy).as_json() == rules.score_case(plain).as_json()
    assert rules.score_case(plain).win


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan])
def test_a_missing_hand_is_no_empty_one(missing: object) -> None:
    rules = tilewright.load("cantonese")
    with pytest.raises(tilewright.CaseError, match="hand is missing"):
        rules.score(missing, win="E")
    with pytest.raises(tilewright.CaseError, match="hand is missing"):
        rules.waits(missing)
    with pytest.raises(tilewright.CaseError, match=r"row 0: (the )?hand is missing"):
        rules.batch([{"hand": missing, "win_tile": "E"}])


class Missing:
    """As pandas marks what is missing."""

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


@pytest.mark.parametrize("key", [key for key in case_fields() if key != "id"])
def test_what_is_missing_is_no_value(key: str) -> None:
    case = {"hand": "123m 456m 789p 234s E", "win" if key == "win_tile" else "win_tile": "E", key: Missing()}
    if key == "win":
        del case["win_tile"]
    with pytest.raises(tilewright.CaseError):
        tilewright.load("riichi").score_case(case)
    with pytest.raises(WrongRow, match="a value is missing"):
        column("win", [1, Missing()], np.int16)
