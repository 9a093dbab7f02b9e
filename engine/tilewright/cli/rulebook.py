"""`rulebook`: a ruleset in; its rulebook as a page, as Markdown or as JSON out, on stdout or in a file."""

import json
import sys
from pathlib import Path

from tilewright.authoring.open_rules import Choices, unusable_if_missing
from tilewright.base.problem import RulesetError
from tilewright.cli.card_show import STDOUT, write_whole
from tilewright.presentation.exits import FINE, Unusable
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import markdown, page
from tilewright.rulebook.writing.blocks import Rulebook

ENDINGS = {".html": "html", ".htm": "html", ".md": "md", ".markdown": "md", ".json": "json"}
USUAL = "md"  # on a screen, which shows no page


def rulebook_command(name: str, choices: Choices, language: str, format: str | None, output: Path | None) -> int:
    """Write the rulebook. Raises RulesetError for what is wrong in the rules, Unusable for what is not there."""
    output = None if output == STDOUT else output
    format = format or format_of(output)
    try:
        book = rulebook_of(name, choices.settings, choices.mods, language)
    except RulesetError as error:
        raise unusable_if_missing(error) from None
    text = FORMATS[format](book)
    if output is None:
        sys.stdout.write(text)
    else:
        write_whole(output, text)
    return FINE


def format_of(output: Path | None) -> str:
    """The format that the ending of a file says."""
    if output is None:
        return USUAL
    if output.suffix.lower() not in ENDINGS:
        raise Unusable(f"nothing says what {output.name} is to be", "end it in .html, .md or .json, or give --format")
    return ENDINGS[output.suffix.lower()]


def as_json(book: Rulebook) -> str:
    return json.dumps(book.to_json(), ensure_ascii=False, indent=1) + "\n"


FORMATS = {"html": page, "md": markdown, "json": as_json}
