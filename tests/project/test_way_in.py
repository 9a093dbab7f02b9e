"""CONTRIBUTING.md and docs/architecture.md: every module, function, command and layer that they name is there."""

import ast
import re
from pathlib import Path

import pytest
from conftest import ROOT

import tilewright

PACKAGE = Path(tilewright.__file__).parent
CONTRIBUTING, ARCHITECTURE = ROOT / "CONTRIBUTING.md", ROOT / "docs/architecture.md"
PAGES = (CONTRIBUTING, ARCHITECTURE)
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|yaml|json|js|lark|md)|(?:[\w.-]+/)+)(?::([\w.]+))?`")


def named_in(text: str) -> set[tuple[str, str]]:
    """The files and folders between backticks, each with what is named of it, if anything."""
    return set(NAMED.findall(text))


def is_there(path: str, name: str) -> bool:
    """There is such a file, from the top or in the package, and it has something of that name."""
    path = path.replace("LANGUAGE", "en")
    found = next((file for file in (ROOT / path, PACKAGE / path) if file.exists()), None)
    return found is not None and (not name or is_in(found, name))


def is_in(file: Path, name: str) -> bool:
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return re.search(rf"\b(?:function|const) {name}\b", text) is not None
    body = ast.parse(text).body
    for part in name.split("."):
        found = next((node for node in body if part in names_of(node)), None)
        if found is None:
            return False
        body = getattr(found, "body", [])
    return True


def names_of(node: ast.stmt) -> set[str]:
    """What a statement declares."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_named_is_there(page: Path) -> None:
    named = named_in(page.read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [one for one in sorted(named) if not is_there(*one)] == []


def test_what_is_gone_is_found() -> None:
    text = "`play/match.py:Match.answer`, `play/gone.py`, `play/match.py:Match.gone`, `web/gone/`, `play/match.py:gone`"
    gone = {one for one in named_in(text) if not is_there(*one)}
    assert gone == {("play/gone.py", ""), ("play/match.py", "Match.gone"), ("web/gone/", ""), ("play/match.py", "gone")}


def test_the_picture_has_every_layer() -> None:
    layers = re.findall(r"^    ([a-z]+) {2,}\S", tilewright.__doc__ or "", re.MULTILINE)
    (picture, *_) = re.findall(r"^```text\n(.*?)^```$", CONTRIBUTING.read_text(encoding="utf-8"), re.M | re.S)
    assert len(layers) > 10 and [layer for layer in layers if layer not in picture.split()] == []


def test_commands_of_make_are_there() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    said = {name for page in PAGES for name in re.findall(r"`make ([a-z]+)", page.read_text(encoding="utf-8"))}
    assert {"quick", "test", "docs", "format"} <= said <= targets


def test_the_walks_are_there() -> None:
    headings = re.findall(r"^## (Add a .*)$", CONTRIBUTING.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == ["Add a word", "Add a step of play", "Add a case field", "Add a command", "Add a page"]


def test_every_test_that_the_page_on_security_names_is_there() -> None:
    named = set(re.findall(r"`(\w+\.py)`", (ROOT / "docs/security.md").read_text(encoding="utf-8")))
    assert len(named) > 10
    there = {path.name for path in (ROOT / "tests").rglob("*.py")}
    assert sorted(named - there) == []
