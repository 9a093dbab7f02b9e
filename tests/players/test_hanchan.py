"""The shares of simulated riichi hands are printed beside those of people."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HANCHAN = Path(__file__).parents[2] / "benchmarks" / "hanchan.py"


def test_shares_are_told_beside_published_ones() -> None:
    given = ["--games", "2", "--seed", "3", "--jobs", "1", "--hand", "--players", "fast"]
    result = subprocess.run([sys.executable, str(HANCHAN), *given], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    told = {line[:28].strip(): line[28:].split() for line in result.stdout.splitlines()}
    assert "2 games, 2 hands" in result.stdout
    won, fed = (float(told[f"hands {does}, a player"][0].rstrip("%")) for does in ("won", "fed"))
    nobody = float(told["hands without a winner"][0].rstrip("%"))
    assert fed <= won and (won > 0) == (nobody < 100)
    assert told["hands won, a player"][1] == "20.9%"
