"""The bundled mods: which rulesets each is for, and each with one of them, for tests of what every mod does."""

from functools import cache
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


def alone() -> list[Any]:
    """Parameters: each mod with one of its rulesets, another one each time; with its others in `make soak`."""
    found = []
    for number, mod in enumerate(MODS):
        rulesets = [ruleset for ruleset in RULESETS if mod in fitting(ruleset)]
        for at, ruleset in enumerate(rulesets):
            marks = () if at == number % len(rulesets) else pytest.mark.soak
            found.append(pytest.param(ruleset, mod, marks=marks))
    return found
