"""Kernels that nobody compiled: the same games and scores, as plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from budget import budget
from games import PLAYED, mostly_soaked
from kernel_hashes import games, scores

from tilewright.base.kernels import are_compiled
from tilewright.play.rules import load

PROGRAM = "import sys, test_plain_kernels; print(*test_plain_kernels.hashes(*sys.argv[1:]))"


def hashes(id: str, hands: str) -> tuple[object, ...]:
    rules, count = load(id), int(hands)
    scored = rules.quick.hands and scores(rules, 20 * count)
    return are_compiled(), games(rules, "random", count), games(rules, "fast", 1), scored


@pytest.mark.slow
@pytest.mark.parametrize("id", mostly_soaked(PLAYED, ("cantonese", "riichi")))
def test_plain_kernels_play_and_score_like_compiled_ones(root: Path, id: str) -> None:
    paths = (root / "engine", root / "tests", root / "tests" / "play")
    given = {**os.environ, "TILEWRIGHT_KERNELS": "plain", "PYTHONPATH": os.pathsep.join(map(str, paths))}
    words = [sys.executable, "-c", PROGRAM, id, str(budget(1))]
    plain = subprocess.run(words, env=given, capture_output=True, text=True, check=True).stdout
    compiled, *found = hashes(id, str(budget(1)))
    assert compiled and plain.split() == ["False", *map(str, found)]
