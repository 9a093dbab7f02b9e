"""Random riichi hands are scored as other programs score them: some of what `make compare` does."""

import subprocess
import sys
from pathlib import Path

import pytest
from budget import budget

pytestmark = pytest.mark.slow

COMPARE = Path(__file__).parents[2] / "benchmarks" / "compare_riichi.py"
HANDS = budget(150)


def test_others_score_alike() -> None:
    command = [sys.executable, COMPARE, "--hands", str(HANDS), "--seed", "test"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-4_000:] + result.stderr[-4_000:]
    assert f"riichi: {HANDS} hands, 0 differences" in result.stdout
