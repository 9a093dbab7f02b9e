"""Commands: how a file of `commands` declares one, and the tree of all of them for the command line.

Knows no command. Nothing of a command is imported before it runs, so that `tilewright --help` answers at once.
"""

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal, NoReturn, ParamSpec

import typer
from typer.core import TyperCommand, TyperGroup

FINE, PROBLEMS, USAGE, STOPPED = 0, 1, 2, 130  # exit codes: the last but one is wrong usage, the last Ctrl-C

P = ParamSpec("P")

DECLARED: dict[str, Callable[..., int]] = {}  # by module


def command(function: Callable[P, int]) -> Callable[P, int]:
    """Declare the command of a file: its parameters are arguments and options, it returns the exit code."""
    DECLARED[function.__module__] = function
    return function


class CommandFile(TyperCommand):
    """A command as the list of commands has it; its file is imported when it is run."""

    def __init__(self, name: str, module: str) -> None:
        super().__init__(name, help=docstring(module))
        self.module = module

    def make_context(self, *arguments: Any, **extra: Any) -> Any:
        """The context of the command itself."""
        return made(self.module, self.name, self.help).make_context(*arguments, **extra)


def commands_in(package: str) -> Iterator[TyperCommand | TyperGroup]:
    """The commands that the files of a package are, and the groups that its folders are."""
    for _, name, is_group in iter_modules(import_module(package).__path__):
        module = f"{package}.{name}"
        yield group(name, module) if is_group else CommandFile(name, module)


def group(name: str, package: str) -> TyperGroup:
    """A folder of commands."""
    commands = list(commands_in(package))
    return TyperGroup(
        name=name, help=docstring(package), commands=commands, no_args_is_help=True, rich_markup_mode=markup()
    )


def made(module: str, name: str | None, help: str | None) -> TyperCommand:
    """The command that a file declares."""
    import_module(module)
    app = typer.Typer(add_completion=False, rich_markup_mode=markup())
    app.command(name, help=help)(ending(DECLARED[module]))
    found = typer.main.get_command(app)
    assert isinstance(found, TyperCommand)
    return found


def ending(function: Callable[P, int]) -> Callable[P, NoReturn]:
    """The function, with its result as the exit code."""

    @wraps(function)
    def run(*arguments: P.args, **options: P.kwargs) -> NoReturn:
        raise typer.Exit(function(*arguments, **options))

    return run


def docstring(module: str) -> str:
    """The docstring of a module, which is not imported."""
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8").split('"""', 2)[1].strip()


def markup() -> Literal["rich"] | None:
    """Help has colours on a terminal."""
    return "rich" if sys.stdout is not None and sys.stdout.isatty() else None
