"""The layers named in the package's docstring: imports point only down the flow, and starting is light."""

import ast
import re
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
MODULES_FOR_HELP = 250  # Python's own among them


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


@pytest.mark.parametrize("start", ["import tilewright", "from tilewright.cli.main import main"])
def test_nothing_heavy_is_imported_at_start(start: str) -> None:
    code = f"{start}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not HEAVY & set(loaded.split())


def test_help_needs_little() -> None:
    """It answers at once, since hardly anything is imported for it."""
    command = [sys.executable, "-X", "importtime", "-m", "tilewright", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = re.findall(r"^import time: +\d+ \| +\d+ \| +(\S+)$", done.stderr, re.MULTILINE)
    assert "tilewright.cli.main" in imported and len(imported) < MODULES_FOR_HELP
    assert not HEAVY & {name.split(".")[0] for name in imported}


def test_the_public_names_are_all_there() -> None:
    assert len(tilewright.__all__) <= 12
    for name in tilewright.__all__:
        assert getattr(tilewright, name) is not None
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = tilewright.nothing_like_it
