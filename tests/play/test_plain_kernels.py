"""Kernels that nobody compiled: the same games and scores, as plain Python."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from budget import budget
from games import PLAYED
from kernel_hashes import games, scores

from tilewright.base.kernels import are_compiled
from tilewright.play.rules import Rules, load
from tilewright.scoring.case_mistakes import CaseError

PROGRAM = "import sys, test_plain_kernels; print(test_plain_kernels.hashes(*sys.argv[1:]))"
FEW = ("cantonese", "riichi")
# Four concealed triplets that wait for their pair: they fill the counters of riichi up to the bit of the sign.
FULL = {"hand": "333m 777m 777p 888p 6m", "win_tile": "6m"}


def hashes(hands: str, *ids: str) -> str:
    """Of each of these rulesets."""
    found, count = [str(are_compiled())], int(hands)
    for rules in map(load, ids):
        scored = str(rules.quick.hands and (scores(rules, 20 * count), score_of(rules, FULL)))
        found += [rules.data.id, games(rules, "random", count), games(rules, "fast", 1), scored]
    return " ".join(found)


def score_of(rules: Rules, case: Mapping[str, object]) -> object:
    """The total of a hand, or why the ruleset cannot read it."""
    try:
        return rules.score_case(case).total
    except CaseError as error:
        return error.code


@pytest.mark.slow
@pytest.mark.parametrize("ids", [FEW, pytest.param((*sorted({*PLAYED} - {*FEW}),), marks=pytest.mark.soak)])
def test_plain_kernels_play_and_score_like_compiled_ones(root: Path, ids: tuple[str, ...]) -> None:
    paths = (root / "engine", root / "tests", root / "tests" / "play")
    given = {**os.environ, "TILEWRIGHT_KERNELS": "plain", "PYTHONPATH": os.pathsep.join(map(str, paths))}
    words = [sys.executable, "-c", PROGRAM, str(budget(1)), *ids]
    plain = subprocess.run(words, env=given, capture_output=True, text=True, check=True).stdout
    assert plain.split() == ["False", *hashes(str(budget(1)), *ids).split()[1:]]
