"""The kernel scores hands as the plain judge does: one by one, in columns, and when its memory is full."""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from agreement import RULESETS as OF_AN_ORACLE
from budget import budget
from engines import fresh, score_by_kernel, without_kernels
from games import mostly_soaked
from random_hands import random_hands
from test_image import RULESETS

import tilewright
from tilewright.base.files import sealed
from tilewright.base.kernels import flat
from tilewright.language.load import load_data
from tilewright.play.rules import Rules
from tilewright.scoring.batch import HandBatch
from tilewright.scoring.image.flat import FlatImage
from tilewright.scoring.kernel import scores as kernel_scores
from tilewright.scoring.kernel.scores import HashTable
from tilewright.scoring.plain.scene import Situation


def hands_of(rules: tilewright.Rules, count: int, seed: int) -> list[Situation]:
    """Random hands that a batch can hold."""
    return [one for one in random_hands(rules, count, seed) if not any(meld.wild for meld in one.hand.melds)]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", mostly_soaked(RULESETS, set(RULESETS) - set(OF_AN_ORACLE)))
def test_hands_score_as_by_the_plain_judge(ruleset: str) -> None:
    """`test_back_ends.py` asks the same of those with an oracle."""
    rules = fresh(ruleset)
    scores = [score_by_kernel(rules, situation) for situation in random_hands(rules, budget(150), seed=3)]
    assert sum(score is not None and score.win for score in scores) > 15


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["mcr", "riichi", "sichuan", "zung_jung_plus"])
def test_hands_are_searched_as_they_are_looked_up(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FlatImage, "is_tabled", False)
    rules = Rules(replace(tilewright.load(ruleset).data))  # of which no image is kept
    assert rules.kernel is not None and rules.kernel.searches
    for situation in random_hands(rules, budget(60), seed=10):
        score_by_kernel(rules, situation)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", mostly_soaked(RULESETS, ("riichi",)))
def test_columns_score_as_by_the_plain_judge(ruleset: str) -> None:
    """Those of the other rulesets are compared with hands one by one (`test_many_hands.py`)."""
    quick = fresh(ruleset)
    rules = without_kernels(quick)
    batch = HandBatch.of_situations(hands_of(rules, budget(100), seed=9), rules.data)
    assert quick.kernel is not None
    one, other = rules.score_many(batch), quick.score_many(batch)
    assert np.array_equal(one.win, other.win) and np.array_equal(one.totals, other.totals)
    assert np.array_equal(one.patterns, other.patterns)
    for name, numbers in one.values.items():
        assert np.array_equal(numbers, other.values[name]), name
    assert one.plain.all() and other.plain.mean() < (0.6 if ruleset == "uzje" else 0.2)


def test_a_ruleset_that_numbers_do_not_know_is_left_to_the_plain_judge() -> None:
    assert tilewright.load("american").quick.hands is None


@pytest.mark.slow
def test_full_memory_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_scores, "MOST_KNOWN", 20)
    monkeypatch.setattr(kernel_scores, "MOST_CONTEXTS", 5)
    monkeypatch.setattr("tilewright.scoring.columns.CHUNK", 50)
    quick = fresh("riichi")
    rules = without_kernels(quick)
    hands = hands_of(rules, 150, seed=6)
    totals = [rules.score_situation(situation).total for situation in hands]
    assert [quick.score_situation(situation).total for situation in hands] == totals
    assert quick.score_many(HandBatch.of_situations(hands, rules.data)).totals.tolist() == totals
    assert quick.quick.hands is not None and quick.quick.hands.kernel.generation > 2


@pytest.mark.slow
def test_threads_score_beside_each_other() -> None:
    quick = fresh("riichi")
    rules = without_kernels(quick)
    hands = hands_of(rules, 100, seed=7)
    totals = [rules.score_situation(situation).total for situation in hands]

    def scored(turn: int) -> list[object]:
        some = [*hands[turn:], *hands[:turn]]
        found = [quick.score_situation(situation).total for situation in some]
        return [*found[len(hands) - turn :], *found[: len(hands) - turn]]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(scored, range(0, 100, 25))) == [totals] * 4
    finally:
        sys.setswitchinterval(before)


@pytest.mark.slow
def test_red_fives_of_melds_count() -> None:
    quick = fresh("riichi")
    rules = without_kernels(quick)
    case = {"hand": "234m 567s 22s 45p", "melds": ["340p"], "win_tile": "6p", "self_draw": True, "seat_wind": "S"}
    batch = rules.batch([case, {**case, "melds": ["345p"]}])
    assert batch.situation(0, rules.data).hand.melds[0].tiles == (11, 12, rules.faces.index("0p"))
    red, plain = (rules.score_case({**case, "melds": [meld]}).total for meld in ("340p", "345p"))
    assert red > plain and rules.score_many(batch).totals.tolist() == [red, plain]
    assert quick.score_many(batch).totals.tolist() == [red, plain] and quick.score_case(case).total == red


def test_a_table_finds_what_was_put() -> None:
    table, chance = HashTable(3, 2), np.random.default_rng(5)
    made = np.unique(chance.integers(-(1 << 62), 1 << 62, (2_000, 3)) >> chance.integers(0, 60, (2_000, 3)), axis=0)
    keys = made.tolist()
    for number, key in enumerate(keys, 1):
        assert key not in table
        table.put(key, [number, -number])
    assert table.used == len(keys) and all(key in table for key in keys)
    assert sorted(number for number in flat(table.rows)[3::5].tolist() if number) == list(range(1, len(keys) + 1))


def test_a_broken_image_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    made = Rules(load_data("cantonese")).kernel
    (entry,) = (tmp_path / "cache").glob("*.keptimage")
    for broken in (b"", entry.read_bytes()[:-1], sealed(pickle.dumps(7))):
        entry.write_bytes(broken)
        again = Rules(load_data("cantonese")).kernel
        assert made is not None and again is not None and again.known_image == made.known_image
        assert entry.read_bytes() != broken


def test_the_image_of_another_ruleset_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was made of a ruleset in the cache has none there."""
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    rules = Rules(load_data("cantonese"))
    assert rules.kernel is not None and rules.data.kept
    fewer = Rules(replace(rules.data, patterns=rules.data.patterns[1:]))
    assert not fewer.data.kept and fewer.kernel is not None
    assert fewer.kernel.known_image.items != rules.kernel.known_image.items


def test_one_hand_needs_no_numpy() -> None:
    code = (
        "import sys, tilewright\n"
        "score = tilewright.load('cantonese').score('222p 333s 88m EE 456m', win='E')\n"
        "print(score.win, 'numpy' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split()[1] == "False"
