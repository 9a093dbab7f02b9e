"""Write a small, commented document to start from."""

from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.new_documents import write_card, write_mod, write_ruleset
from tilewright.cli.arguments import NewFolder, NewName, complete_ruleset
from tilewright.cli.command import FINE, command


@command("new card")
def new_card(name: NewName, to: NewFolder = Path(".")) -> int:
    """Write a card of hands to start from."""
    print(write_card(name, to))
    return FINE


@command("new mod")
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
    """Write a mod (a house rule) to start from."""
    print(write_mod(name, ruleset, to))
    return FINE


@command("new ruleset")
def new_ruleset(name: NewName, to: NewFolder = Path(".")) -> int:
    """Write a ruleset to start from."""
    print(write_ruleset(name, to))
    return FINE
