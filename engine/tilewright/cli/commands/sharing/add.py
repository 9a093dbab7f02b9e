"""Add packs, so that documents here may name theirs; their versions are kept in tilewright.lock.

Example: tilewright add riverside-taiwanese-1.2.0.zip
"""

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.arguments import AsJson
from tilewright.cli.command import FINE, command
from tilewright.cli.pack_changes import show_changes, show_note
from tilewright.sharing.adding import PackFolder


@command
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
    """Write the packs and the lock. Raises RulesetError, CannotBegin."""
    show_changes(PackFolder.open(Path(), show_note).add(packs, index), as_json=json)
    return FINE
