"""docs/claims.md: every file that it names is there, with what is named in it, and no claim is without a test."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from ruamel.yaml import YAML
from test_way_in import PACKAGE, is_in

CLAIMS = ROOT / "docs/claims.md"
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]+)(?:#([\w.-]+))?`")
ROW = re.compile(r"^\| (?!claim|---)(.*) \| (.*) \| (.*) \|$", re.MULTILINE)
RULESETS = ("american", "cantonese", "chinese_classical", "uzje", "zung_jung_plus")


def rows() -> list[tuple[str, str, str]]:
    """Every claim, with where it is done and what holds it."""
    return [(found[1], found[2], found[3]) for found in ROW.finditer(CLAIMS.read_text(encoding="utf-8"))]


@cache
def document(path: Path) -> Any:
    return YAML(typ="safe").load(path)


def declares(path: Path, name: str) -> bool:
    """The file declares the name: a key of a document, a function or class, a heading."""
    if path.suffix == ".yaml":
        part = document(path)
        for key in name.split("."):
            if not isinstance(part, dict) or key not in part:
                return False
            part = part[key]
        return True
    if path.suffix == ".md":
        headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        return name in [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]
    return is_in(path, name)


def test_what_claims_name_is_there() -> None:
    assert {claim: wrong for claim, done, held in rows() if (wrong := [*wrong_in(done, held)])} == {}


def wrong_in(done: str, held: str) -> Iterator[str]:
    for path, name in NAMED.findall(done + held):
        found = next((file for file in (ROOT / path, PACKAGE / path) if file.exists()), None)
        if found is None or (name and not declares(found, name)):
            yield f"there is no {path}#{name}"
    if more := NAMED.sub("", done + held).replace("<br>", "").strip():
        yield f"{more} is no name"
    for path, name in NAMED.findall(held):
        if not path.startswith("tests/") and ".cases." not in path and ".cases" not in name:
            yield f"{path} is no test"
    if not (NAMED.search(done) and NAMED.search(held)):
        yield "something is missing"


@pytest.mark.parametrize("name", RULESETS)
def test_no_pattern_of_the_sources_is_left_out(name: str) -> None:
    """The patterns of Ùzje mahjong were lost in its source but for some: its other ones are ours."""
    own = document(ROOT / f"rulesets/{name}/{name}.yaml")["patterns"]
    named = {key.removeprefix("patterns.") for _, done, _ in rows() for _, key in NAMED.findall(done)}
    provisional = {
        id for id, pattern in own.items() if pattern and "regex" not in str(pattern) and pattern.get("provisional")
    }
    left = {id for id, pattern in own.items() if pattern} - named - provisional
    assert not left


def test_nothing_is_done_in_part() -> None:
    assert len(rows()) > 400
    assert "partly" not in CLAIMS.read_text(encoding="utf-8").lower()
