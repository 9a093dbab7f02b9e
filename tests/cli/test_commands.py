"""Commands: their files declare them, and nothing else says so; help is made from docstrings alone."""

from pathlib import Path

import pytest
from commands import run

from tilewright.cli.commands import table

GREET = '''"""Commands that greet, and more."""

from typing import Annotated

import typer

from tilewright.cli.command import command


@command("NAME")
def greet(name: Annotated[str, typer.Argument(metavar="NAME", help="Whom to greet.")], loud: bool = False) -> int:
    """Greet somebody.

    Example: tilewright greet Ada
    """
    print(f"Hello, {name}!" if loud else f"Hello, {name}.")
    return 3 if name == "nobody" else 0
'''


def test_a_file_has_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greetings.py").write_text(GREET.replace("NAME", "greet", 1), encoding="utf-8")
    monkeypatch.setattr(table, "__path__", [*table.__path__, str(tmp_path)])
    assert "  greet      Greet somebody." in run("--help").stdout
    said = run("greet", "--help")
    assert "Whom to greet." in said.stdout and "Example: tilewright greet Ada" in said.stdout
    assert run("greet", "Ada", "--loud").stdout == "Hello, Ada!\n"
    assert run("greet", "nobody").returncode == 3
    assert run("greet").returncode == 2
    assert "Did you mean 'greet'?" in run("greett").stderr


def test_commands_of_two_words_are_a_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "say.py").write_text(GREET.replace("NAME", "say hello", 1), encoding="utf-8")
    monkeypatch.setattr(table, "__path__", [*table.__path__, str(tmp_path)])
    assert "  say        Commands that greet, and more." in run("--help").stdout
    assert "  hello  Greet somebody." in run("say", "--help").stdout
    assert run("say", "hello", "Ada").stdout == "Hello, Ada.\n"
