"""The load test runs: a few tables for a few seconds (make soak: on PostgreSQL too); clients say nothing wrong."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

LOAD = Path(__file__).resolve().parents[1] / "benchmarks/load.py"
FIGURES = ("carried out", "kept back", "told", "server", "workers", "clients", "refused")


@pytest.mark.slow
@pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgresql", marks=[pytest.mark.xdist_group("postgresql"), pytest.mark.soak])]
)
def test_a_few_tables_are_played(database: str) -> None:
    options = ["--tables", "2", "--pace", "0.2", "--seconds", "4", "--ramp", "2", "--database", database]
    rulesets = ["--ruleset", "cantonese", "--ruleset", "sichuan"]  # where only some tiles go on together
    command = [sys.executable, str(LOAD), *options, *rulesets]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    figures = dict(re.findall(r"^(\w+(?: \w+)?) {2,}(.+)$", done.stdout, re.MULTILINE))
    assert tuple(figures) == FIGURES, done.stdout
    assert "kB a table" in figures["server"] and "kB a table" in figures["workers"]
    assert "2 games begun" in figures["clients"]
    refused = set(re.findall(r"[a-z-]+", figures["refused"]))
    assert refused <= {"nothing", "stale", "not-your-turn"}, "on a slow machine a claim window may be over before"
