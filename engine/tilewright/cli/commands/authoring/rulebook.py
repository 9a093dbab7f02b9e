"""Write the rulebook of a ruleset, made from its data.

Example: tilewright rulebook my_ruleset.yaml -o my_rules.html
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, cannot_begin_if_missing
from tilewright.base.problem import RulesetError
from tilewright.cli.arguments import Mods, OutputFile, RulesetName, Sets
from tilewright.cli.command import FINE, command
from tilewright.cli.files import STDOUT, write_whole
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import markdown, page
from tilewright.rulebook.writing.blocks import Rulebook

ENDINGS = {".html": "html", ".htm": "html", ".md": "md", ".markdown": "md", ".json": "json"}
USUAL = "md"  # on a screen, which cannot show a page


@command
def rulebook(
    ruleset: RulesetName,
    *,
    lang: Annotated[str, typer.Option("--lang", metavar="LANGUAGE", help="en, zh or ja; names also in others.")] = "en",
    format: Annotated[
        Literal["html", "md", "json"] | None,
        typer.Option(
            "--format",
            case_sensitive=False,
            show_default=False,
            help="A page with pictures, Markdown, or data. By default by the file's ending; on a screen Markdown.",
        ),
    ] = None,
    output: OutputFile = None,
    set_: Sets,
    mod: Mods,
) -> int:
    """Write the rulebook. Raises RulesetError for mistakes in the rules, CannotBegin for a missing document."""
    choices, output = RulesChoice.of(set_, mod), None if output == STDOUT else output
    write = FORMATS[format or format_of(output)]
    try:
        book = rulebook_of(ruleset, choices.settings, choices.mods, lang)
    except RulesetError as error:
        raise cannot_begin_if_missing(error) from None
    if output is None:
        sys.stdout.write(write(book))
    else:
        write_whole(output, write(book))
    return FINE


def format_of(output: Path | None) -> str:
    """The format for the ending of a file."""
    if output is None:
        return USUAL
    if output.suffix.lower() not in ENDINGS:
        raise CannotBegin(f"the format of {output.name} is unknown", "end it in .html, .md or .json, or give --format")
    return ENDINGS[output.suffix.lower()]


def as_json(book: Rulebook) -> str:
    return json.dumps(book.to_json(), ensure_ascii=False, indent=1) + "\n"


FORMATS = {"html": page, "md": markdown, "json": as_json}
