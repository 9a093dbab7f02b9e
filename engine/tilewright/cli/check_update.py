"""Updating cases as `tilewright check --update` does: what they give now is shown, and written if that is agreed to.

In: files. Out: the same files with other values in `expect`, and with what they have to say of inherited examples and
cases.
"""

import codecs
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import typer
from rich.text import Text

from tilewright.authoring.findings import CASES
from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.authoring.updates import Update, updated, updates_of, updates_of_lines
from tilewright.base.problem import RulesetError
from tilewright.language.documents.library import is_document, kind_at
from tilewright.presentation.console import counted, show

UPDATED = ("ruleset", "base", "mod")
MOST_SHOWN = 120  # characters of a value that is replaced


def update_cases(files: Sequence[str], choices: RulesChoice, agreed: bool) -> None:
    """Write what the cases of files now give, after asking, unless that is `agreed` already."""
    every = list(dict.fromkeys(one for file in files for one in updates_at(file, choices)))
    found: dict[str, list[Update]] = {}
    for one in every:
        found.setdefault(one.place.source.name if one.span else one.file, []).append(one)
    show(line_of(one) for one in every)
    if not every:
        show(["no case gives another result"])
        return
    if not agreed and not sys.stdin.isatty():
        raise CannotBegin("nobody can be asked whether to write this", "--yes writes it without asking")
    where = f"{counted(len(every), 'value')} in {counted(len(found), 'file')}"
    if agreed or typer.confirm(f"Write {where}?", err=True):
        for file, updates in found.items():
            write(Path(file), updates)
        show([f"{where} written"])


def updates_at(file: str, choices: RulesChoice) -> list[Update]:
    """The updates of a file; none of one that is no ruleset, mod or case file, or has errors, which are reported
    anyway."""
    path = Path(file)
    if path.is_file() and path.suffix.lower() == CASES:
        with suppress(OSError, ValueError):
            return updates_of_lines(path, choices)
    if not path.is_file() or not is_document(path) or kind_at(path) not in UPDATED:
        return []
    try:
        return updates_of(path, choices)
    except RulesetError:
        return []


def line_of(one: Update) -> Text:
    place = one.place
    return Text.assemble(
        (f"{place.source.name}:{place.line}:{place.column}", "dim"),
        f" {one.name}: ",
        (one.was if len(one.was) <= MOST_SHOWN else f"{one.was[:MOST_SHOWN]}...", "red"),
        " becomes ",
        (one.becomes, "green"),
    )


def write(path: Path, updates: Sequence[Update]) -> None:
    """Write a file with its updates; its line ends and its byte order mark stay."""
    try:
        written = path.read_bytes()
        mark = codecs.BOM_UTF8 if written.startswith(codecs.BOM_UTF8) else b""
        path.write_bytes(mark + updated(written.removeprefix(mark).decode(), updates).encode())
    except OSError as error:
        raise CannotBegin(f"{path} cannot be written: {error.strerror or error}") from None
