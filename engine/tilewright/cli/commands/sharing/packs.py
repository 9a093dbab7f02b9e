"""Commands that add packs and update them, and what they say of what has changed."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.arguments import AsJson
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.language.documents.packs import LOCK
from tilewright.sharing.adding import Changed, PackFolder


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
