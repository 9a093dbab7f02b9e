"""The bundled mods: which rulesets each is for, and each with one of them, for tests of what every mod does."""

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from tilewright.language.documents.bundled import bundled_ids
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.library import path_of, read_document
from tilewright.language.documents.mods import listed
from tilewright.language.documents.whole import ids_of, is_for

DOCUMENTS = {name: read_document(path_of(name)) for name in bundled_ids()}
RULESETS = [name for name, document in DOCUMENTS.items() if kind_of(document) == "ruleset"]
MODS = [name for name, document in DOCUMENTS.items() if kind_of(document) == "mod"]


@cache
def fitting(ruleset: str) -> list[str]:
    """The mods that may be played with a ruleset."""
    ids = ids_of(path_of(ruleset))
    return [mod for mod in MODS if is_for(DOCUMENTS[mod], ids)]


@cache
def conflict(one: str, other: str) -> bool:
    return any(item.text == b for a, b in ((one, other), (other, one)) for item in listed(DOCUMENTS[a], "conflicts"))


def pairs_of(ruleset: str) -> list[tuple[str, str]]:
    """The mods that may be played together with a ruleset, two by two."""
    return [pair for pair in combinations(fitting(ruleset), 2) if not conflict(*pair)]


def tables_of(ruleset: str) -> list[list[str]]:
    """As many mods together as there may be, so often that every two which may are together somewhere."""
    missing, tables = pairs_of(ruleset), list[list[str]]()
    while missing:
        together = list(missing[0])
        for mod in fitting(ruleset):
            if mod not in together and not any(conflict(mod, other) for other in together):
                together.append(mod)
        tables.append([mod for mod in fitting(ruleset) if mod in together])
        missing = [pair for pair in missing if not set(together).issuperset(pair)]
    return tables


def together() -> list[tuple[str, tuple[str, ...]]]:
    """Tables with as many mods together as there may be, so that each mod is at one of them."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for ruleset in ("american", "chinese_classical"):
        for mods in tables_of(ruleset):
            if not set(mods) <= {mod for _, known in found for mod in known}:
                found.append((ruleset, tuple(mods)))
    assert {mod for _, mods in found for mod in mods} == {*MODS}
    return found


def alone() -> list[Any]:
    """Parameters: each mod with one of its rulesets, another one each time; with its others in `make soak`."""
    found = []
    for number, mod in enumerate(MODS):
        rulesets = [ruleset for ruleset in RULESETS if mod in fitting(ruleset)]
        for at, ruleset in enumerate(rulesets):
            marks = () if at == number % len(rulesets) else pytest.mark.soak
            found.append(pytest.param(ruleset, mod, marks=marks))
    return found
