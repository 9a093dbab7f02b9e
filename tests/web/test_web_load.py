"""The load test runs: a few tables for a few seconds, with one server and two; clients say nothing wrong. A takeover is
measured."""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FIGURES = ("carried out", "kept back", "told", "server", "workers", "clients", "refused")
RULESETS = ("--ruleset", "cantonese", "--ruleset", "sichuan")  # where only some tiles go on together

pytestmark = pytest.mark.slow
Printed = Callable[..., str]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Printed:
    """What a benchmark prints; it reports no trouble."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))

    def printed(name: str, *options: str) -> str:
        module = import_module(name)
        monkeypatch.setattr(sys, "argv", [name, *options])
        if name == "load":
            monkeypatch.setattr(module, "SECONDS_TO_WARM", 1)
        module.main()
        said = capsys.readouterr()
        assert said.err == ""
        return said.out

    return printed


@pytest.mark.parametrize(
    ("database", "servers"),
    [
        pytest.param("sqlite", 1, marks=pytest.mark.soak),
        pytest.param("postgresql", 1, marks=[pytest.mark.xdist_group("postgresql"), pytest.mark.soak]),
        pytest.param("postgresql", 2, marks=pytest.mark.xdist_group("postgresql")),
    ],
)
def test_a_few_tables_are_played(database: str, servers: int, printed: Printed) -> None:
    sizes = ("--servers", str(servers), "--tables", "2", "--pace", "0.2", "--seconds", "3", "--ramp", str(2 * servers))
    said = printed("load", *sizes, "--database", database, *RULESETS)
    figures = dict(re.findall(r"^(\w+(?: \w+)?) {2,}(.+)$", said, re.MULTILINE))
    assert tuple(figures) == FIGURES, said
    assert "kB a table" in figures["server"] and "kB a table" in figures["workers"]
    assert "2 games begun" in figures["clients"]
    refused = set(re.findall(r"[a-z-]+", figures["refused"]))
    assert refused <= {"nothing", "stale", "not-your-turn"}, "on a slow machine a claim window may be over before"


@pytest.mark.xdist_group("postgresql")
def test_a_killed_server_is_replaced(printed: Printed) -> None:
    said = printed("takeover", "--kills", "1", "--tables", "2")
    figures = dict(re.findall(r"^(shown again|a move made) +median ([0-9.]+) s", said, re.MULTILINE))
    assert 0 < float(figures["shown again"]) <= float(figures["a move made"]), said
