"""Commands: how the files of `commands` declare them, and the tree of all of them for the command line.

Knows no command. Nothing of a command is imported before it runs, so that `tilewright --help` answers at once.
"""

import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial, wraps
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NoReturn, ParamSpec, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from tilewright.base.garbage import collector_paused

FINE, PROBLEMS, USAGE, STOPPED = 0, 1, 2, 130  # exit codes: the last but one is wrong usage, the last Ctrl-C

NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")

P = ParamSpec("P")
Reader = Callable[[Any], Any]  # a text of the command line or a default; ValueError for what typer has to look at

DECLARED: dict[str, Callable[..., int]] = {}  # by the name of the command
WRITTEN = re.compile(r'^@command\("([a-z ]+)"\)$.*?"""(.*?)"""', re.MULTILINE | re.DOTALL)  # with its help


def command(name: str) -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Declare a command, or one of a group (`card show`): its parameters are arguments and options, its docstring is
    its help, and it returns the exit code."""

    def declare(function: Callable[P, int]) -> Callable[P, int]:
        DECLARED[name] = function
        return function

    return declare


class Command(TyperCommand):
    """A command. `readers`: what reads the usual values of its parameters."""

    readers: Mapping[str, Reader] = {}

    def get_params(self, ctx: Any) -> list[Any]:
        return plainly(super().get_params(ctx), self.readers)


class Group(TyperGroup):
    """A group of commands, listed by panel where they have one."""

    def get_params(self, ctx: Any) -> list[Any]:
        return plainly(super().get_params(ctx), {})

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The lists of commands, in plain text."""
        panels: dict[str, list[tuple[str, str]]] = {}
        width = max(map(len, self.commands), default=0)
        for name, one in self.commands.items():
            help = one.get_short_help_str(formatter.width - 6 - width)
            panels.setdefault(getattr(one, "rich_help_panel", None) or "Commands", []).append((name.ljust(width), help))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


class WrittenCommand(TyperCommand):
    """A command as its file has it, which is imported when it is run. `whole`: its name with that of its group."""

    def __init__(self, whole: str, module: str, help: str) -> None:
        super().__init__(whole.split()[-1], help=cleandoc(help))
        self.whole, self.module = whole, module

    def make_context(self, *arguments: Any, **extra: Any) -> Any:
        """The context of the command itself."""
        return made(self).make_context(*arguments, **extra)


def commands_by_panel(package: str) -> Iterator[TyperCommand | TyperGroup]:
    """The commands of a package: each file or folder in it is a panel of the help."""
    for _, name, is_folder in iter_modules(import_module(package).__path__):
        panel = f"{package}.{name}"
        modules = [f"{panel}.{one}" for _, one, _ in iter_modules(import_module(panel).__path__)] if is_folder else []
        for command in commands_in(modules or [panel]):
            command.rich_help_panel = summary(panel)
            yield command


def commands_in(modules: Iterable[str]) -> list[TyperCommand | TyperGroup]:
    """The commands of files, and their groups, by name; the file called like a group says what that is."""
    texts = {module: text_of(module) for module in modules}
    found: dict[str, TyperCommand | TyperGroup] = {}
    written = ((name, help, module) for module, text in texts.items() for name, help in WRITTEN.findall(text))
    for whole, help, module in sorted(written):
        name, *inner = whole.split()
        command = WrittenCommand(whole, module, help)
        if inner and name not in found:
            about = next(summary(one) for one in texts if one.endswith(f".{name}"))
            found[name] = Group(name=name, help=about, no_args_is_help=True, rich_markup_mode=markup())
        group = found.get(name)
        if isinstance(group, Group):
            group.add_command(command)
        else:
            found[name] = command
    return list(found.values())


def made(written: WrittenCommand) -> TyperCommand:
    """The command that a file declares."""
    with collector_paused():
        import_module(written.module)
    declared = DECLARED[written.whole]
    app = typer.Typer(add_completion=False, rich_markup_mode=markup())
    app.command(written.name, cls=Command, help=written.help)(ending(declared))
    found = typer.main.get_command(app)
    assert isinstance(found, Command)
    hints = get_type_hints(declared, include_extras=True)
    found.readers = {name: reader_of(hint) for name, hint in hints.items()}
    return found


# --- values of parameters


def plainly(parameters: list[Any], readers: Mapping[str, Reader]) -> list[Any]:
    """The parameters, which read usual values without typer: it passes every value through pydantic, even None, and
    importing that takes longer than the whole command line."""
    for parameter in parameters:
        if "process_value" not in vars(parameter):
            parameter.process_value = partial(value_of, parameter, readers.get(parameter.name, unusual))
    return parameters


def value_of(parameter: Any, read: Reader, context: Any, given: Any) -> Any:
    """The value of a parameter; typer reads an unusual one, and reports a wrong one."""
    several = parameter.multiple or parameter.nargs == -1
    try:
        if parameter.required and not given:
            raise ValueError
        if several:
            value: Any = [read(one) for one in given]
        else:
            value = given if given is None or isinstance(given, bool) else read(given)
    except (TypeError, ValueError):
        return type(parameter).process_value(parameter, context, given)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


def reader_of(hint: Any) -> Reader:
    """What reads the usual values of a parameter with this annotation."""
    kind, info = get_args(hint)[:2] if get_origin(hint) is Annotated else (hint, None)
    kinds = [one for one in get_args(kind) if one is not NoneType] if isinstance(kind, UnionType) else [kind]
    kind = get_args(kinds[0])[0] if get_origin(kinds[0]) is list else kinds[0]
    if len(kinds) > 1 or info is None:
        return unusual
    if get_origin(kind) is Literal:
        return partial(one_of, get_args(kind))
    if kind in (int, float):
        return partial(number, kind, info.min, info.max)
    return {str: text, Path: path}.get(kind, unusual)


def unusual(given: Any) -> Any:
    raise ValueError


def text(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError
    return given


def one_of(texts: Container[str], given: Any) -> str:
    if given not in texts:
        raise ValueError
    return text(given)


def path(given: Any) -> Path:
    """A path; typer looks at one that is there and cannot be read."""
    found = Path(given)
    if os.path.exists(found) and not os.access(found, os.R_OK):
        raise ValueError
    return found


def number(kind: type[int | float], least: float | None, most: float | None, given: Any) -> int | float:
    """A number in decimal digits, or the default."""
    if isinstance(given, str) and not NUMBER.fullmatch(given):
        raise ValueError
    found = kind(given)
    if (least is not None and found < least) or (most is not None and found > most):
        raise ValueError
    return found


def ending(function: Callable[P, int]) -> Callable[P, NoReturn]:
    """The function, with its result as the exit code."""

    @wraps(function)
    def run(*arguments: P.args, **options: P.kwargs) -> NoReturn:
        raise typer.Exit(function(*arguments, **options))

    return run


def summary(module: str) -> str:
    """The first line of the docstring of a module, without importing it."""
    return text_of(module).split('"""', 2)[1].strip().partition("\n")[0]


def text_of(module: str) -> str:
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8")


def markup() -> Literal["rich"] | None:
    """Help has colours on a terminal."""
    return "rich" if sys.stdout is not None and sys.stdout.isatty() else None
