"""Files that commands are given: where they write, and what they read."""

import sys
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader
from pathlib import Path
from typing import cast

from tilewright.authoring.open_rules import CannotBegin

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
