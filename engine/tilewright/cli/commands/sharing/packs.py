"""Commands that add, update and make packs."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.files import write_whole
from tilewright.base.problem import has_errors
from tilewright.cli.arguments import AsJson
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import print_json, show_problems
from tilewright.language.check import problems_of
from tilewright.language.packs.places import LOCK
from tilewright.sharing.adding import Changed, PackFolder
from tilewright.sharing.archive import write_archive
from tilewright.sharing.contents import contents_of, file_name, files_of


@command("add")
def add(
    packs: Annotated[
        list[str],
        typer.Argument(
            metavar="PACK",
            help="A file, a folder, an address, or PUBLISHER/ID[@RANGE] of an index: riverside/taiwanese@^1.",
        ),
    ],
    *,
    index: Annotated[
        str | None,
        typer.Option(
            "--index", metavar="INDEX", help="Where packs are looked up by name: the address or path of an index.json."
        ),
    ] = None,
    json: AsJson = False,
) -> int:
    """Add packs, so that documents here may name theirs; their versions are kept in tilewright.lock.

    Example: tilewright add riverside-taiwanese-1.2.0.zip
    """
    show_changes(PackFolder.open(Path(), show_note).add(packs, index), as_json=json)
    return FINE


@command("update")
def update(
    packs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PACK]...", help="PUBLISHER/ID of packs here; by default all.", show_default=False),
    ] = None,
    *,
    locked: Annotated[
        bool, typer.Option("--locked", help="Bring back exactly what tilewright.lock says, as after a fresh checkout.")
    ] = False,
    json: AsJson = False,
) -> int:
    """Take newer versions of packs that were added, and restore their files.

    Example: tilewright update riverside/taiwanese
    """
    folder = PackFolder.open(Path(), show_note)
    show_changes((folder.restore if locked else folder.update)(packs or ()), as_json=json)
    return FINE


@command("pack")
def pack(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder whose documents are packed.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default=False,
            help="The archive, or the folder for it; by default PUBLISHER-ID-VERSION.zip here.",
        ),
    ] = None,
    json: AsJson = False,
) -> int:
    """Make a pack of the documents in a folder: one archive to share, the same whoever makes it.

    Example: tilewright pack taiwanese/
    """
    if not folder.is_dir():
        raise CannotBegin(f"there is no folder {folder}", "a pack is made of the documents in a folder")
    contents = contents_of(files_of(folder))
    documents = [folder / name for name in sorted(contents.files) if name.endswith((".yaml", ".txt"))]
    problems = [problem for path in documents for problem in problems_of(path)]
    show_problems(problems)
    if has_errors(problems):
        return PROBLEMS
    path = output if output is not None and not output.is_dir() else (output or Path()) / file_name(contents.manifest)
    content = write_archive(contents)
    write_whole(path, content)
    if json:
        print_json({"file": str(path), "size": len(content), "manifest": contents.manifest.plain()})
    else:
        print(path)
    return FINE


def show_changes(changes: Sequence[Changed], *, as_json: bool) -> None:
    """Print the changes."""
    if as_json:
        print_json([asdict(change) for change in changes])
        return
    for change in changes:
        print(line_of(change))
    print(f"{LOCK} is up to date")


def line_of(change: Changed) -> str:
    """A change in a line."""
    before = f"{change.before} -> " if change.before not in (None, change.now) else ""
    return f"{change.how} {change.name} {before}{change.now}"


def show_note(text: str) -> None:
    """Say something of a source, beside the results."""
    print(text, file=sys.stderr)
