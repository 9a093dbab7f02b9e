"""The suite of attacks runs, and a few of its long messages and bodies never make the server stand still."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from fuzz.lengths import long_inputs

from tilewright.web.protocol.settings import Limits

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FEW = 40  # long messages and bodies

pytestmark = pytest.mark.slow


@pytest.fixture
def attack(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("attack")


def test_long_messages_and_bodies_do_not_make_the_server_stand_still(attack: Any) -> None:
    found = attack.fuzz(FEW)
    assert found.standstill < attack.LIMIT_STANDSTILL_MS, found.said[-2_000:]
    assert "Traceback" not in found.said
    assert found.done.total() >= FEW / 2


def test_long_inputs_are_as_long_as_the_limits() -> None:
    inputs = long_inputs(1)
    sizes = sorted(len(next(inputs).content) for _ in range(200))
    assert sizes[-1] > Limits().make and sizes[100] < 20_000


def test_an_attack_is_measured(
    attack: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(attack, "RAMP", 2.0)
    words = ("--only", "joins", "--seconds", "3", "--together", "0", "--fuzz", "0", "--tables", "2")
    monkeypatch.setattr(sys, "argv", ["attack", *words])
    attack.main()
    said = capsys.readouterr()
    rows = [line.split(" | ") for line in said.out.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows] == ["| attack", "| none", "| Spectators who join the same table again and again."]
    assert all(row[4].endswith(" ms") for row in rows[1:])
    assert "messages " in said.err and "Traceback" not in said.err


def test_every_attack_says_what_it_does(attack: Any) -> None:
    attacks = attack.all_attacks()
    assert {"joins", "marks", "leavers"} <= attacks.keys()
    assert all(one.says.endswith(".") for one in attacks.values())
