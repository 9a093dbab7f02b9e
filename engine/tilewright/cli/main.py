"""The command `tilewright`: make streams safe, run a command, report its failure.

Exit codes: 0 fine, 1 problems in what was given, 2 wrong usage or a missing file, 130 stopped by Ctrl-C.
"""

import atexit
import gc
import os
import signal
import sys
import warnings
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.problem import Problem, RulesetError, WorkLost
from tilewright.base.version import __version__
from tilewright.cli.command import PROBLEMS, STOPPED, USAGE, Group, commands_by_panel, markup
from tilewright.cli.output import show_problems


def main() -> None:
    """Run the command of argv and exit. Mistakes of the user never leave a traceback; ours do."""
    prepare_streams()
    warnings.showwarning = show_warning
    atexit.register(gc.freeze)  # skips a useless last garbage collection
    try:
        root()(prog_name="tilewright")
    except RulesetError as error:
        show_problems(error.problems)
        sys.exit(PROBLEMS)
    except WorkLost as error:
        show_problems([Problem("worker-lost", f"{error}", None, error.hint)])
        sys.exit(PROBLEMS)
    except CannotBegin as error:
        complain(str(error))
        sys.exit(USAGE)
    except ModuleNotFoundError as error:
        from tilewright.cli.extras import missing_package

        complain(str(missing_package(error)))
        sys.exit(USAGE)
    except BrokenPipeError:
        leave_with(signal.SIGPIPE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        complain(f"{where}{(error.strerror or 'cannot be used').lower()}")
        sys.exit(USAGE)
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def root() -> TyperGroup:
    """`tilewright` with its commands."""
    app = typer.Typer(
        cls=Group,
        no_args_is_help=True,
        rich_markup_mode=markup(),
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(tilewright)
    made = typer.main.get_command(app)
    assert isinstance(made, TyperGroup)
    for command in commands_by_panel("tilewright.cli.commands"):
        made.add_command(command)
    return made


def show_version(wanted: bool) -> None:
    """Print the version and exit, for --version."""
    if wanted:
        print(f"tilewright {__version__}")
        raise typer.Exit


def tilewright(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Mahjong rules as one readable file: checked like a program, scored, explained."""


# --- streams


def leave_with(number: int) -> None:
    """Exit as if by the signal that was blocked while others used pipes."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def complain(message: str) -> None:
    """Print on stderr why the command cannot run; names of files may contain anything."""
    from tilewright.base.spelling import seen

    print(*(seen(line) for line in f"tilewright: {message}".splitlines()), sep="\n", file=sys.stderr)


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning on stderr, without the place in our code that gave it."""
    complain(f"warning: {message}")


def prepare_streams() -> None:
    """A reader that stops reading ends the command silently, no character of a document can fail to be printed, and a
    closed stream counts as empty."""
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
