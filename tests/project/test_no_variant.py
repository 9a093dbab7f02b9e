"""The engine's code names no variant, no pattern, no kind of group and no tile of any game: those are data.

Docstrings, comments and the examples of words may; what is code may not.
"""

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tilewright
from tilewright.base.node import plain
from tilewright.language.documents.library import bundled_documents, read_document
from tilewright.language.documents.schema import parts, schema
from tilewright.language.vocabulary.declare import QUANTIFIERS
from tilewright.language.vocabulary.words import WORDS

pytestmark = pytest.mark.long

PACKAGE = Path(tilewright.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
KEYS = {key for part in parts(schema()) for key in (*part.get("properties", ()), *part.get("$defs", ()))}
ALSO_ENGLISH = {"characters", "zero"}  # of a text; where the scale of a chart begins
LANGUAGE = {*ALSO_ENGLISH, *WORDS, *QUANTIFIERS, *KEYS, *keyword.kwlist, *dir(builtins)}
VARIANTS = {
    *("american", "cantonese", "charleston", "chow", "faan", "furiten", "joker", "kong", "nmjl", "pung", "quint"),
    *("riichi", "uzje", "zung"),
}
SHORT = 5  # letters; shorter ids of patterns are words of any language


@cache
def documents() -> list[dict[str, Any]]:
    return [plain(read_document(path)) for path in bundled_documents() if path.parent.name != "cards"]


@cache
def variants() -> set[str]:
    """Words of single games: in no name, no string and no message of the code."""
    return VARIANTS | {str(document["id"]) for document in documents() if document["kind"] == "ruleset"}


@cache
def names_in_games() -> set[str]:
    """Ids of patterns, groups and families of tiles: no string of the code is one, sentences aside."""
    found: set[str] = set()
    for document in documents():
        tiles = document.get("tiles") or {}
        found |= {id for id in document.get("patterns", {}) if len(id) > SHORT}
        found |= {*document.get("groups", {}), *tiles.get("suits", {}), *tiles.get("unranked", {})}
    return found - LANGUAGE


def code_of(module: Path) -> Iterator[tuple[int, str, bool]]:
    """Line, text and whether it is a string, of every name and string of a module that is no documentation."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    documentation = {id(node) for node in documentation_in(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.lineno, node.value, True
        for name in (getattr(node, field, None) for field in ("id", "attr", "name", "arg")):
            if isinstance(name, str):
                yield getattr(node, "lineno", 0), name, False


def documentation_in(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, other strings that stand alone, and the examples in declarations of words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        if isinstance(node, ast.keyword) and node.arg == "example":
            yield node.value


def test_no_name_of_a_game() -> None:
    assert [f"{module.relative_to(PACKAGE)}:{found}" for module in MODULES for found in games_named(module)] == []


def games_named(module: Path) -> Iterator[str]:
    """Line and words of each name of a game in the code of a module."""
    games, names = variants(), names_in_games()
    text = module.read_text(encoding="utf-8")
    if games.isdisjoint(re.findall(r"[a-z]+", text.lower())) and names.isdisjoint(re.findall(r"\w+", text)):
        return  # without parsing it
    for line, text, is_string in code_of(module):
        words = {text.lower(), *re.findall(r"[a-z]+", text.lower())}
        if named := words & games or ({text} & names if is_string else set()):
            yield f"{line} names {', '.join(sorted(named))}"


def test_a_name_of_a_game_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""Riichi."""\nis_pung = "thirteen_orphans"\nriichi_player = f"{is_pung} for uzje"\n', "utf-8")
    assert list(games_named(module)) == [
        "2 names pung",
        "2 names thirteen_orphans",
        "3 names riichi",
        "3 names uzje",
        "3 names pung",
    ]
