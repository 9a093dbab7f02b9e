"""Extras: a bare install checks, scores, plays and simulates; what is missing is named with the way to install it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import requires
from pathlib import Path

import pytest
from commands import fails, run, run_process
from pseudo_terminal import terminal

from tilewright.cli.extras import extras

HIDES = """
import sys

class Hider:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hider())
"""
ROOT = Path(__file__).resolve().parents[2]
Hide = Callable[[Iterable[str]], dict[str, str]]
ALL = sorted({package for package, _ in extras()})

pytestmark = pytest.mark.slow


@pytest.fixture
def hide(tmp_path: Path) -> Hide:
    """Hide packages from Python: the environment in which it does not find them."""

    def hidden(packages: Iterable[str]) -> dict[str, str]:
        folder = tmp_path / "site"
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(HIDES.format(hidden=set(packages)), encoding="utf-8")
        return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])}

    return hidden


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a game."""
    folder = tmp_path_factory.mktemp("logs")
    assert run("simulate", "cantonese", "--games", "1", "--jobs", "1", "--logs", str(folder)).returncode == 0
    (log,) = folder.iterdir()
    return log


def test_the_extras_are_those_of_the_project() -> None:
    assert set(extras()) == {
        *(("textual", "play"), ("pyarrow", "parquet"), ("asyncpg", "postgres")),
        *(("vl_convert", "report"), ("gymnasium", "rl"), ("pettingzoo", "rl")),
        *((name, "serve") for name in ("brotli", "sqlalchemy", "alembic", "starlette", "uvicorn", "websockets")),
        *(("prometheus_client", "serve"), ("h11", "serve"), ("pygls", "lsp"), ("lsprotocol", "lsp")),
        *(("distributed", "cluster"), ("polib", "po")),
    }
    core = [one.lower() for one in requires("tilewright") or () if "extra ==" not in one]
    assert core and not [one for one in core for package in ALL if one.startswith(package)]


BARE = (
    "check rulesets/cantonese/cantonese.yaml cards/basic1.yaml",
    "score zung_jung_plus --hand 222p333s88mEE --meld 444p --win E --explain",
    "waits american --hand 1112222333445m",
    "simulate cantonese --games 2 --jobs 1 --out hands.jsonl",
    "play cantonese --watch --plain --hands 1 --seed 7 --log game.jsonl --pace 0",
    "replay LOG --verify",
    "rulebook uzje -o uzje.html",
    "card show basic1 -o card.svg",
    "new ruleset my_rules",
    "words self_draw",
    "--help",
)
RUN = """
import json, sys
from commands import run

done = [run(*words) for words in json.load(sys.stdin)]
print(json.dumps([(one.returncode, one.stderr) for one in done]))
"""


def test_commands_need_no_extra(hide: Hide, played: Path, tmp_path: Path) -> None:
    """In one process, which finds none of the packages."""
    lines = [line.replace("LOG", str(played)).split() for line in BARE]
    given = json.dumps([[str(ROOT / word) if "/" in word else word for word in words] for words in lines])
    hidden = {name: f"{path}{os.pathsep}{ROOT / 'tests'}" for name, path in hide(ALL).items()}
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=given,
        env={**os.environ, **hidden},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert [(line, *one) for line, one in zip(BARE, json.loads(done.stdout), strict=True) if one[0]] == []


def test_a_table_in_python_needs_no_extra(hide: Hide) -> None:
    code = (
        "import tilewright\n"
        "table = tilewright.load('cantonese').table(seed=7)\n"
        "print(table.push(table.legal_moves()[0]).over)"
    )
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **hide(ALL)}, capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.parametrize(
    ("package", "line", "extra"),
    [
        ("uvicorn", "serve --port 0", "serve"),
        ("starlette", "serve --port 0", "serve"),
        ("sqlalchemy", "serve --port 0", "serve"),
        ("asyncpg", "serve --port 0 --database postgresql://nobody@localhost/none", "postgres"),
        ("pyarrow", "simulate cantonese --games 1 --out hands.parquet", "parquet"),
        ("vl_convert", "report cantonese --games 1", "report"),
        ("distributed", "simulate cantonese --games 1 --cluster tcp://127.0.0.1:9", "cluster"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    package: str, line: str, extra: str, hide: Hide, tmp_path: Path
) -> None:
    done = run_process(*line.split(), env=hide([package]), cwd=tmp_path)
    fails(done, 2, f"pip install 'tilewright[{extra}]'")
    assert len(done.stderr.splitlines()) == 2 and [file.name for file in tmp_path.iterdir()] == ["site"]


@pytest.mark.usefixtures("begun_anew")
def test_the_terminal_table_is_an_extra(hide: Hide, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    with terminal("play", "cantonese", "--log", str(log), **hide(["textual"])) as shown:
        assert shown.ended() == 2
        assert "pip install 'tilewright[play]'" in shown.text
    assert not log.exists(), "no log of a game that cannot begin"
