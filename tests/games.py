"""The bundled rulesets: those that tests play which are about every game."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest

PLAYED = (
    "american",
    "cantonese",
    "card_free",
    "chinese_classical",
    "hong_kong",
    "mahj_x",
    "mcr",
    "riichi",
    "royale_siamese",
    "sanma",
    "siamese",
    "sichuan",
    "uzje",
    "zung_jung",
    "zung_jung_plus",
)

# A card and jokers; flowers and plain claims; zones, marks and restrictions of nearly every kind.
VARIED = ("american", "cantonese", "riichi")


def mostly_soaked(names: Iterable[Any], kept: Collection[Any] = VARIED) -> list[Any]:
    """Parameters: what is kept in `make test`, the others in `make soak`."""
    return [
        name if name in kept else pytest.param(*(name if isinstance(name, tuple) else (name,)), marks=pytest.mark.soak)
        for name in names
    ]


# For tests that take seconds with each of them, and of which the engine's own tests ask the same of every game.
MOSTLY_SOAKED = mostly_soaked(PLAYED)
# For tests that try every example of a ruleset: riichi's have thirty choices of options, each of them rules of its own.
EXAMPLES_TRIED = mostly_soaked(PLAYED, ("american", "cantonese", "sichuan"))
