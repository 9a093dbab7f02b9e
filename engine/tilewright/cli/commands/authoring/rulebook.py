"""The command that writes rulebooks and score cards."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, cannot_begin_if_missing
from tilewright.base.files import write_whole
from tilewright.base.problem import RulesetError
from tilewright.cli.arguments import Mods, OutputFile, RulesetName, Sets, TextLanguage
from tilewright.cli.command import FINE, command
from tilewright.cli.output import STDOUT
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import markdown, page
from tilewright.rulebook.score_card import score_card_of
from tilewright.rulebook.score_card_sheet import score_card_page, score_card_svg
from tilewright.rulebook.writing import Rulebook

ENDINGS = {".html": "html", ".htm": "html", ".md": "md", ".markdown": "md", ".json": "json", ".svg": "svg"}
USUAL, USUAL_CARD = "md", "svg"  # on a screen, which cannot show a page


@command("rulebook")
def rulebook(
    ruleset: RulesetName,
    *,
    lang: TextLanguage,
    format: Annotated[
        Literal["html", "md", "json", "svg"] | None,
        typer.Option(
            "--format",
            case_sensitive=False,
            show_default=False,
            help="A page, Markdown, data, or (of a score card) a picture. By default by the file's ending;"
            " on a screen Markdown, or a picture.",
        ),
    ] = None,
    card: Annotated[
        bool, typer.Option("--card", help="Write the score card, as a page to print or a picture.")
    ] = False,
    paper: Annotated[
        Literal["a4", "letter"], typer.Option("--paper", case_sensitive=False, help="The paper of a score card.")
    ] = "a4",
    output: OutputFile = None,
    set_: Sets,
    mod: Mods,
) -> int:
    """Write the rulebook of a ruleset, made from its data, or with --card its score card.

    The score card has all patterns by worth with tiles, tables and payments, and is printed on a sheet of paper.
    Example: tilewright rulebook my_ruleset.yaml -o my_rules.html
    """
    choices, output = RulesChoice.of(set_, mod), None if output == STDOUT else output
    chosen = format or format_of(output, card)
    try:
        text = card_text(ruleset, choices, lang, chosen, paper) if card else book_text(ruleset, choices, lang, chosen)
    except RulesetError as error:
        raise cannot_begin_if_missing(error) from None
    if output is None:
        sys.stdout.write(text)
    else:
        write_whole(output, text)
    return FINE


def book_text(ruleset: str, choices: RulesChoice, language: str, format: str) -> str:
    """The rulebook. Raises RulesetError, CannotBegin."""
    if format not in FORMATS:
        raise CannotBegin(f"a rulebook is not written as {format}", "only a score card is: add --card")
    return FORMATS[format](rulebook_of(ruleset, choices.settings, choices.mods, language))


def card_text(ruleset: str, choices: RulesChoice, language: str, format: str, paper: str) -> str:
    """The score card. Raises RulesetError, CannotBegin."""
    if format not in CARD_FORMATS:
        raise CannotBegin(f"a score card is not written as {format}", "end the file in .html or .svg")
    return CARD_FORMATS[format](score_card_of(ruleset, choices.settings, choices.mods, language), paper)


def format_of(output: Path | None, card: bool) -> str:
    """The format for the ending of a file."""
    if output is None:
        return USUAL_CARD if card else USUAL
    if output.suffix.lower() not in ENDINGS:
        raise CannotBegin(
            f"the format of {output.name} is unknown", "end it in .html, .md, .json or .svg, or give --format"
        )
    return ENDINGS[output.suffix.lower()]


def as_json(book: Rulebook) -> str:
    return json.dumps(book.to_json(), ensure_ascii=False, indent=1) + "\n"


FORMATS = {"html": page, "md": markdown, "json": as_json}
CARD_FORMATS = {"html": score_card_page, "svg": score_card_svg}
