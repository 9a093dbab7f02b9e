"""The command that prints the schema."""

from typing import Annotated

import typer

from tilewright.authoring.new_documents import whole_of
from tilewright.authoring.open_rules import RulesChoice
from tilewright.cli.arguments import Mods, Sets
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.language.documents.schema import schema as schema_of_documents
from tilewright.language.write_schema import schema_for


@command("schema")
def schema(
    ruleset: Annotated[
        str | None, typer.Argument(metavar="RULESET", help="A ruleset whose names the schema should offer.")
    ] = None,
    *,
    set_: Sets,
    mod: Mods,
) -> int:
    """Print the JSON Schema for editors."""
    choices = RulesChoice.of(set_, mod)
    print_json(schema_of_documents() if ruleset is None else schema_for(whole_of(ruleset, choices)), indent=1)
    return FINE
