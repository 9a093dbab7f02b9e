"""The layers named in the package's docstring: imports point only down the flow, and starting is light."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import tilewright

pytestmark = pytest.mark.long

PACKAGE = Path(tilewright.__file__).parent
LAYERS = re.findall(r"^    ([a-z]+) {2,}\S", tilewright.__doc__ or "", re.MULTILINE)
MODULES = sorted(PACKAGE.rglob("*.py"))
NEVER = {
    "alembic",
    "htpy",
    "markupsafe",
    "msgspec",
    "numpy",
    "pydantic",
    "sqlalchemy",
    "starlette",
    "textual",
    "uvicorn",
}
HEAVY = NEVER | {"jsonschema_rs", "lark", "regex", "rich", "ruamel", "websockets"}
MODULES_FOR_HELP = 250  # Python's own among them


def layer_of(module: Path) -> str:
    """The folder that a module lies in; empty for the package's own face."""
    inside = module.relative_to(PACKAGE).parts
    return inside[0] if len(inside) > 1 else ""


@cache
def import_nodes(module: Path) -> list[ast.Import | ast.ImportFrom]:
    """Every import of a module, wherever it stands."""
    found, todo = [], list[ast.AST]([ast.parse(module.read_text(encoding="utf-8"))])
    while todo:  # statements alone, which are a tenth of what `ast.walk` goes through
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        for block in ("body", "orelse", "handlers", "finalbody", "cases"):
            inner = getattr(node, block, None)
            todo += inner if isinstance(inner, list) else []
    return sorted(found, key=lambda node: node.lineno)


def imports(module: Path) -> Iterator[str]:
    """Every module that this one names in an import, wherever it stands."""
    for node in import_nodes(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            yield "." * node.level + (node.module or "")


def test_the_docstring_lists_the_folders() -> None:
    folders = {layer_of(module) for module in MODULES} - {"", "_data"}
    assert folders == set(LAYERS)


def test_imports_point_one_way() -> None:
    assert [f"{module.relative_to(PACKAGE)}: {wrong}" for module in MODULES for wrong in wrong_imports(module)] == []


def wrong_imports(module: Path) -> Iterator[str]:
    layer = layer_of(module)
    for name in imports(module):
        parts = name.split(".")
        if name.startswith("."):
            yield f"{name}: imports are absolute"
        elif layer and parts[0] == "tilewright" and len(parts) > 1 and LAYERS.index(parts[1]) > LAYERS.index(layer):
            yield f"{layer} may not know {name}"


def test_wrong_imports_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    (tmp_path / "hands").mkdir()
    module = tmp_path / "hands/module.py"
    module.write_text("import tilewright.base\nfrom . import wild\ndef late():\n    from tilewright.play import log\n")
    assert list(wrong_imports(module)) == [".: imports are absolute", "hands may not know tilewright.play"]


def imported_modules(module: Path) -> Iterator[Path]:
    """Every module of the package that this one imports, wherever the import stands."""
    for node in import_nodes(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tilewright"):
            folder = PACKAGE.joinpath(*str(node.module).split(".")[1:])
            for alias in node.names:
                found = (folder / f"{alias.name}.py", folder.with_suffix(".py"), folder / "__init__.py")
                yield next(path for path in found if path.is_file())


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The sets of nodes that can all reach each other, but for those of one node."""
    reached = {node: below(graph, node) for node in graph}
    together = {frozenset(other for other in reached[node] if node in reached[other]) for node in graph}
    return [set(found) for found in together if len(found) > 1]


def below(graph: dict[str, set[str]], node: str) -> set[str]:
    """Every node that can be reached from this one."""
    found: set[str] = set()
    todo = [node]
    while todo:
        new = graph.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def test_no_packages_import_each_other() -> None:
    graph: dict[str, set[str]] = {}
    for module in MODULES:
        if module.parent != PACKAGE:
            packages = {str(other.parent.relative_to(PACKAGE)) for other in imported_modules(module)}
            graph.setdefault(str(module.parent.relative_to(PACKAGE)), set()).update(packages)
    found = circles({name: others - {name, "."} for name, others in graph.items()})
    assert found == []


def test_no_modules_import_each_other() -> None:
    """Not even for types, or inside a function."""
    graph = {
        str(module.relative_to(PACKAGE)): {str(other.relative_to(PACKAGE)) for other in imported_modules(module)}
        for module in MODULES
    }
    assert circles(graph) == []


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert circles(graph) == [{"b", "c"}]


@pytest.mark.parametrize("start", ["import tilewright", "from tilewright.cli.main import main"])
def test_nothing_heavy_is_imported_at_start(start: str) -> None:
    code = f"{start}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not HEAVY & set(loaded.split())


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_needs_little(option: str) -> None:
    """It answers at once, since hardly anything is imported for it."""
    imported = imported_by(option)
    assert "tilewright.cli.main" in imported and len(imported) < MODULES_FOR_HELP
    assert not HEAVY & {name.split(".")[0] for name in imported}


def test_checking_and_scoring_need_no_more_than_they_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    house = tmp_path / "house.yaml"
    house.write_text("tilewright: 1\nkind: ruleset\nid: house\nname: {en: House}\nextends: cantonese\n", "utf-8")
    assert not NEVER & {name.split(".")[0] for name in imported_by("check", str(house))}
    score = "score", "cantonese", "--hand", "234m 345p 456s 66s 78m", "--win", "9m"
    assert not NEVER & {name.split(".")[0] for name in imported_by(*score)}
    from_cache = imported_by(*score)
    assert not (HEAVY - {"rich"}) & {name.split(".")[0] for name in from_cache}
    assert not [name for name in from_cache if name.startswith("tilewright.play.") and "model" not in name.split(".")]


def test_numbers_and_paths_of_options_need_no_pydantic(tmp_path: Path) -> None:
    simulate = "simulate", "cantonese", "--games", "1", "--jobs", "1", "--logs", str(tmp_path)
    assert "pydantic" not in imported_by(*simulate)


def imported_by(*arguments: str) -> list[str]:
    """Every module that a command imports."""
    command = [sys.executable, "-X", "importtime", "-m", "tilewright", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return re.findall(r"^import time: +\d+ \| +\d+ \| +(\S+)$", done.stderr, re.MULTILINE)


def test_the_public_names_are_all_there() -> None:
    assert len(tilewright.__all__) <= 12
    for name in tilewright.__all__:
        assert getattr(tilewright, name) is not None
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = tilewright.nothing_like_it
