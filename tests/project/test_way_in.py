"""CONTRIBUTING.md and docs/architecture.md: every module, function, command and layer that they name is there, and what
they declare can be declared so."""

import ast
import re
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import tilewright
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.forms import copies_of
from tilewright.play.compiled.machine import moving
from tilewright.play.compiled.machine.operands import Machine

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


@lru_cache(maxsize=16)  # several names of a file are asked for one after another
def body_of(file: Path) -> list[ast.stmt]:
    return ast.parse(file.read_text(encoding="utf-8")).body


def is_in(file: Path, name: str) -> bool:
    if file.suffix != ".py":
        text = file.read_text(encoding="utf-8")
        return re.search(rf"\b(?:function|const|class) {name}\b|^  (?:async )?{name}\(", text, re.MULTILINE) is not None
    body = body_of(file)
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
    headings = re.findall(r"^## (Add an? .*)$", CONTRIBUTING.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == [
        "Add a word",
        "Add a step of play",
        "Add an operation of the machine",
        "Add a case field",
        "Add a command",
        "Add a page",
    ]


def snippets() -> dict[str, str]:
    """The Python of CONTRIBUTING, by heading."""
    parts = re.split(r"^## ", CONTRIBUTING.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = {part.partition("\n")[0]: re.findall(r"^```python\n(.*?)^```$", part, re.M | re.S) for part in parts}
    return {heading: "".join(code) for heading, code in found.items() if code}


def run_in(module: str, heading: str) -> dict[str, Any]:
    """What a snippet declares, written at the end of a module."""
    names = dict(vars(import_module(f"tilewright.{module}")))
    exec(compile(snippets()[heading], heading, "exec"), names)
    return names


def test_the_word_is_declared_as_said() -> None:
    word = run_in("language.vocabulary.words", "Add a word")["pairs_kept"]
    assert (word.name, word.ask(SimpleNamespace(standing=(1, 1, 2, 3, 3, 3, 4, 4)))) == ("pairs_kept", 2)


def test_the_step_is_declared_as_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.language.vocabulary.declare_steps.STEPS", {})
    bury = run_in("language.vocabulary.steps", "Add a step of play")["Bury"].declared
    assert (bury.name, [part.key for part in bury.parts]) == ("bury", ["tiles", "into"])


def test_the_operation_is_carried_out_as_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "copies_of", copies_of, raising=False)
    operation = run_in("play.compiled.machine.moving", "Add an operation of the machine")["count_pairs"]
    state, code = np.zeros(at.STATE, np.int64), np.zeros(at.HEADER + 2, np.int64)
    code[at.HEADER :], code[at.FIRST] = (at.TILE, at.TURN), 5
    state[at.TURN], at.COUNT.of(state)[1, :5] = 1, (2, 1, 2, 3, 0)
    operation(Machine(state, code, code), at.HEADER)
    assert state[at.TILE] == 2


def test_the_command_is_declared_as_said() -> None:
    assert run_in("cli.commands.hands.waits", "Add a command")["tiles"].__doc__


def test_every_test_that_the_page_on_security_names_is_there() -> None:
    named = set(re.findall(r"`(\w+\.py)`", (ROOT / "docs/security.md").read_text(encoding="utf-8")))
    assert len(named) > 10
    there = {path.name for path in (ROOT / "tests").rglob("*.py")}
    assert sorted(named - there) == []
