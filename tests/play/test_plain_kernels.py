"""Kernels that nobody compiled: the same games and scores, as plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from budget import budget
from bundled_mods import RULESETS

PROGRAM = """
import sys
from kernel_hashes import games, scores
from tilewright.base.compute.kernels import are_compiled
from tilewright.play.rules import load
ids, hands = sys.argv[1].split(), int(sys.argv[2])
print(are_compiled())
for id in ids:
    rules = load(id)
    print(id, games(rules, "random", hands), games(rules, "fast", 1), rules.quick.hands and scores(rules, 20 * hands))
"""


def hashes(root: Path, kernels: str) -> list[str]:
    given = {
        **os.environ,
        "TILEWRIGHT_KERNELS": kernels,
        "PYTHONPATH": os.pathsep.join(map(str, (root / "engine", root / "tests"))),
    }
    command = [sys.executable, "-c", PROGRAM, " ".join(RULESETS), str(budget(1))]
    return subprocess.run(command, env=given, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.slow
def test_plain_kernels_play_and_score_like_compiled_ones(root: Path) -> None:
    compiled, plain = hashes(root, ""), hashes(root, "plain")
    assert (compiled[0], plain[0]) == ("True", "False")
    assert plain[1:] == compiled[1:]
