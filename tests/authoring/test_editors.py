"""The extension for VS Code, packed as it is published; and the other files of editors/."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from processes import HANGS

EXTENSION = Path("editors/vscode")


def test_the_licence_is_that_of_the_engine(root: Path) -> None:
    assert (root / EXTENSION / "LICENSE").read_bytes() == (root / "LICENSE").read_bytes()


@pytest.fixture(scope="module")
def packed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as it is published: packed from a copy, with the packages of the lock file."""
    folder = shutil.copytree(
        root / EXTENSION,
        tmp_path_factory.mktemp("extension") / "vscode",
        ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"),
    )
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "pack"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=HANGS)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not there")
def test_the_extension_is_packed(packed: Path) -> None:
    """The client is in one file, and little else is there."""
    with zipfile.ZipFile(packed / "tilewright.vsix") as archive:
        names = set(archive.namelist())
        client = archive.read("extension/dist/extension.js").decode("utf-8")
    assert {"extension/package.json", "extension/language-configuration.json"} <= names and len(names) < 12
    assert "activate" in client and "node_modules" not in "".join(names)
    subprocess.run(["node", "--check", packed / "dist" / "extension.js"], check=True, timeout=HANGS)


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not there")
def test_the_packed_client_works_with_the_server(packed: Path, root: Path, tmp_path: Path) -> None:
    """In an editor that is as much of VS Code as the client asks for (programs/vscode): a server that is not there,
    another setting and a restart at the same time, problems, completion, formatting, an edit, the end."""
    driver, server = root / "tests/programs/drive_extension.js", [sys.executable, "-m", "tilewright", "lsp"]
    done = subprocess.run(
        ["node", driver, packed, tmp_path, *server],
        env={**os.environ, "NODE_PATH": str(root / "tests/programs")},
        capture_output=True,
        text=True,
        timeout=HANGS,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert "pip install 'tilewright[lsp]'" in seen["errors"][-1]
    assert (seen["problems"], seen["mended"], seen["others"]) == (["unknown word 'wrod'"], [], None)
    assert {"zones", "options", "scoring"} <= {*seen["offered"]} and "id" not in seen["offered"]
    assert seen["edits"] == 1
    assert (seen["watchers"], seen["providers"]) == (0, [])
