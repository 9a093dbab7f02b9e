"""Take newer versions of packs that were added, and restore their files.

Example: tilewright update riverside/taiwanese
"""

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.arguments import AsJson
from tilewright.cli.command import FINE, command
from tilewright.cli.pack_changes import show_changes, show_note
from tilewright.sharing.adding import PackFolder


@command
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
    """Fetch the packs from where they came and write what has changed. Raises RulesetError, CannotBegin."""
    folder = PackFolder.open(Path(), show_note)
    show_changes((folder.restore if locked else folder.update)(packs or ()), as_json=json)
    return FINE
