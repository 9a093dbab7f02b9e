"""Hands of the Mahjong Competition Rules are worth what PyPI `PyMahjongGB` says, too; `make` installs it apart."""

import sys

from conftest import ROOT

import tilewright

sys.path.append(str(ROOT / "benchmarks"))

import pytest
from compare_mcr import compared

pytestmark = pytest.mark.slow

HANDS = 300


def test_hands_are_worth_what_the_peer_says() -> None:
    found = compared(HANDS, "a small run", tilewright.load("mcr"))
    assert found.lines == []
    assert len(found.patterns) > 60
