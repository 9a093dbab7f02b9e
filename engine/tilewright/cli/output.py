"""Output: problems and data as commands print them, the files that they write, and those that they read."""

import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader
from pathlib import Path
from typing import cast

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.problem import Problem


def show_problems(problems: Sequence[Problem]) -> None:
    """Print problems on stderr, coloured on a terminal."""
    from tilewright.presentation.console import console_for
    from tilewright.presentation.problems import render_text

    sys.stdout.flush()
    sys.stderr.write(render_text(problems, console_for(sys.stderr).color_system is not None))


def print_json(value: object, indent: int | None = None) -> None:
    """Print data for programs."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=indent) + "\n")
    sys.stdout.flush()


STDOUT = Path("-")


def refuse_place(output: Path, example: str) -> None:
    """Raise CannotBegin for a file that cannot be written where it is wanted. `example`: a name for it."""
    if output.is_dir():
        raise CannotBegin(f"{output} is a folder", f"for instance {output / example}")
    if not output.resolve().parent.is_dir():
        raise CannotBegin(f"there is no folder {output.parent}")


def opened(file: str) -> AbstractContextManager[BufferedReader]:
    """The file to read cases from; - is stdin."""
    if file == "-":
        return nullcontext(cast(BufferedReader, sys.stdin.buffer))
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise CannotBegin(f"{file} cannot be read: {(error.strerror or str(error)).lower()}") from None
