"""Commands: a file is one, and nothing else says so; help is made from docstrings alone."""

from pathlib import Path

import pytest
from commands import run

from tilewright.cli.commands import table
from tilewright.cli.commands.hands import card

GREET = '''"""Greet somebody.

Example: tilewright greet Ada
"""

from typing import Annotated

import typer

from tilewright.cli.command import command


@command
def greet(name: Annotated[str, typer.Argument(metavar="NAME", help="Whom to greet.")], loud: bool = False) -> int:
    print(f"Hello, {name}!" if loud else f"Hello, {name}.")
    return 3 if name == "nobody" else 0
'''


def test_a_file_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greet.py").write_text(GREET, encoding="utf-8")
    monkeypatch.setattr(table, "__path__", [*table.__path__, str(tmp_path)])
    assert "  greet      Greet somebody." in run("--help").stdout
    said = run("greet", "--help")
    assert "Whom to greet." in said.stdout and "Example: tilewright greet Ada" in said.stdout
    assert run("greet", "Ada", "--loud").stdout == "Hello, Ada!\n"
    assert run("greet", "nobody").returncode == 3
    assert run("greet").returncode == 2
    assert "Did you mean 'greet'?" in run("greett").stderr


def test_a_file_in_a_folder_is_a_command_of_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greet.py").write_text(GREET, encoding="utf-8")
    monkeypatch.setattr(card, "__path__", [*card.__path__, str(tmp_path)])
    assert "  greet    Greet somebody." in run("card", "--help").stdout
    assert run("card", "greet", "Ada").stdout == "Hello, Ada.\n"
