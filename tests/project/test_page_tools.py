"""The page without a browser: its modules that need none, by the runner of Node; and the packages of JavaScript: one
version of each, pinned, from the registry of whoever installs them."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from processes import HANGS

FOLDERS = [ROOT / "tools/page", ROOT / "editors/vscode"]
VENDOR = ROOT / "engine/tilewright/web/static/vendor"
OURS = {"README.md"}


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def asked_for(folder: Path) -> dict[str, str]:
    package = read(folder / "package.json")
    return {**package["dependencies"], **package["devDependencies"]}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_address_of_a_registry_is_kept(folder: Path) -> None:
    packages = {name: one for name, one in read(folder / "package-lock.json")["packages"].items() if name}
    assert packages and all("resolved" not in one and "integrity" in one for one in packages.values())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_locked_is_what_is_asked_for(folder: Path) -> None:
    locked = read(folder / "package-lock.json")["packages"]
    for name, version in asked_for(folder).items():
        assert re.fullmatch(r"[\d.]+", version)
        assert locked[f"node_modules/{name}"]["version"] == version, "run npm install"


def test_no_package_has_two_versions() -> None:
    page, extension = map(asked_for, FOLDERS)
    assert {name: page[name] for name in page.keys() & extension} == {
        name: extension[name] for name in page.keys() & extension
    }


def test_vendored_files_are_those_of_the_packages(tmp_path: Path) -> None:
    """Byte by byte what `npm run build` makes of the versions in package.json."""
    subprocess.run(["node", "build.mjs", tmp_path], cwd=FOLDERS[0], check=True, timeout=HANGS)
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in VENDOR.iterdir() if not path.name.endswith(".d.ts")}
    assert {name: kept[name] == content for name, content in built.items()} == dict.fromkeys(kept.keys() - OURS, True)


def test_modules_that_need_no_browser() -> None:
    """`tests/page_js`, in seconds."""
    tests = sorted((ROOT / "tests/page_js").glob("*.test.mjs"))
    command = ["node", "--import", "./tests/page_js/browser.mjs", "--test", *map(str, tests)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANGS)
    assert tests and done.returncode == 0, done.stdout + done.stderr
