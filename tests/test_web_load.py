"""The load test runs: a few tables for a few seconds, with one server and two; clients say nothing wrong. A takeover is
measured."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from processes import HANGS

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
LOAD = BENCHMARKS / "load.py"
FIGURES = ("carried out", "kept back", "told", "server", "workers", "clients", "refused")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("database", "servers"),
    [
        ("sqlite", 1),
        pytest.param("postgresql", 1, marks=[pytest.mark.xdist_group("postgresql"), pytest.mark.soak]),
        pytest.param("postgresql", 2, marks=pytest.mark.xdist_group("postgresql")),
    ],
)
def test_a_few_tables_are_played(database: str, servers: int) -> None:
    options = [
        "--servers",
        str(servers),
        "--tables",
        "2",
        "--pace",
        "0.2",
        "--seconds",
        "3",
        "--ramp",
        str(2 * servers),
        "--database",
        database,
    ]
    rulesets = ["--ruleset", "cantonese", "--ruleset", "sichuan"]  # where only some tiles go on together
    command = [sys.executable, str(LOAD), *options, *rulesets]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    figures = dict(re.findall(r"^(\w+(?: \w+)?) {2,}(.+)$", done.stdout, re.MULTILINE))
    assert tuple(figures) == FIGURES, done.stdout
    assert "kB a table" in figures["server"] and "kB a table" in figures["workers"]
    assert "2 games begun" in figures["clients"]
    refused = set(re.findall(r"[a-z-]+", figures["refused"]))
    assert refused <= {"nothing", "stale", "not-your-turn"}, "on a slow machine a claim window may be over before"


@pytest.mark.slow
@pytest.mark.xdist_group("postgresql")
def test_a_killed_server_is_replaced() -> None:
    command = [sys.executable, str(BENCHMARKS / "takeover.py"), "--kills", "1", "--tables", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    figures = dict(re.findall(r"^(shown again|a move made) +median ([0-9.]+) s", done.stdout, re.MULTILINE))
    assert 0 < float(figures["shown again"]) <= float(figures["a move made"]), done.stdout
