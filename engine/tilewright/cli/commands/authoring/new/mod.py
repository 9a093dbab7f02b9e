"""Write a mod (a house rule) to start from."""

from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.new_documents import write_mod
from tilewright.cli.arguments import NewFolder, NewName, complete_ruleset
from tilewright.cli.command import FINE, command


@command
def new_mod(
    name: NewName,
    ruleset: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="RULESET",
            help="The ruleset that it changes: an id, or a path.",
            autocompletion=complete_ruleset,
        ),
    ],
    to: NewFolder = Path("."),
) -> int:
    """Write the file and print its path."""
    print(write_mod(name, ruleset, to))
    return FINE
