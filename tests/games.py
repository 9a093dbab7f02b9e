"""The bundled rulesets: those that tests play which are about every game."""

from typing import Any

import pytest

PLAYED = (
    "american",
    "cantonese",
    "chinese_classical",
    "hong_kong",
    "mcr",
    "riichi",
    "sanma",
    "sichuan",
    "uzje",
    "zung_jung",
    "zung_jung_plus",
)

# A card and jokers; flowers and plain claims; zones, marks and restrictions of nearly every kind.
VARIED = ("american", "cantonese", "riichi")
# For tests that take seconds with each of them, and of which the engine's own tests ask the same of every game.
MOSTLY_SOAKED: list[Any] = [name if name in VARIED else pytest.param(name, marks=pytest.mark.soak) for name in PLAYED]
