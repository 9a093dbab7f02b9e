"""The layers named in the package's docstring: imports point only down the flow, and starting is light."""

import ast
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tilewright

PACKAGE = Path(tilewright.__file__).parent
LAYERS = re.findall(r"^    ([a-z]+) {2,}\S", tilewright.__doc__ or "", re.MULTILINE)
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = {
    *("alembic", "jsonschema", "lark", "numpy", "regex", "rich", "ruamel", "sqlalchemy", "starlette", "textual"),
    *("uvicorn", "websockets"),
}
STARTS = 5
SECONDS_TO_HELP = 0.3


def layer_of(module: Path) -> str:
    """The folder that a module lies in; empty for the package's own face."""
    inside = module.relative_to(PACKAGE).parts
    return inside[0] if len(inside) > 1 else ""


def imports(module: Path) -> Iterator[str]:
    """Every module that this one names in an import, wherever it stands."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_the_docstring_lists_the_folders() -> None:
    folders = {layer_of(module) for module in MODULES} - {"", "_data"}
    assert folders == set(LAYERS)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(PACKAGE)))
def test_imports_point_one_way(module: Path) -> None:
    layer = layer_of(module)
    for name in imports(module):
        assert not name.startswith("."), f"{name}: imports are absolute"
        parts = name.split(".")
        if layer and parts[0] == "tilewright" and len(parts) > 1:
            assert LAYERS.index(parts[1]) <= LAYERS.index(layer), f"{layer} may not know {name}"


@pytest.mark.parametrize("start", ["import tilewright", "from tilewright.apps.cli import main"])
def test_nothing_heavy_is_imported_at_start(start: str) -> None:
    code = f"{start}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not HEAVY & set(loaded.split())


def test_help_answers_at_once() -> None:
    """In time of the processor, so that a busy machine does not matter."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "tilewright", "--help"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(STARTS)) < SECONDS_TO_HELP


def test_the_public_names_are_all_there() -> None:
    assert len(tilewright.__all__) <= 12
    for name in tilewright.__all__:
        assert getattr(tilewright, name) is not None
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = tilewright.nothing_like_it
