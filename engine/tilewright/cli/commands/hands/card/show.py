"""Draw a card as it is printed, or write it as text or YAML.

Example: tilewright card show my_card.txt -o my_card.html
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from tilewright.authoring.cards import CardFile, open_card
from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.files import write_whole
from tilewright.base.problem import Problem
from tilewright.cards.check import problems_of_line
from tilewright.cards.model import Card
from tilewright.cards.process import ProcessedLine, understood
from tilewright.cli.arguments import CardName, OutputFile
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import STDOUT, refuse_place, show_problems
from tilewright.paper.files import ENDINGS, FORMATS

PRINTED = (".pdf", ".png", ".jpg", ".jpeg", ".ps")  # formats that a browser can make from a page


@command
def card_show(
    card: CardName,
    *,
    format: Annotated[
        Literal["terminal", "svg", "html", "code", "yaml", "json", "drawn"] | None,
        typer.Option(
            "--format",
            case_sensitive=False,
            show_default=False,
            help="A picture or a page; code is the card as plain text, yaml and json as document, drawn (JSON) what is"
            " printed of each line. By default by the file's ending.",
        ),
    ] = None,
    paper: Annotated[
        Literal["a4", "letter"],
        typer.Option("--paper", case_sensitive=False, help="The page size, for svg and html."),
    ] = "a4",
    output: OutputFile = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> int:
    """Write the card in the format, wrong lines as they are; the exit code is 1 if there are any."""
    output = None if output == STDOUT else output
    chosen = format_of("json" if json else format, output)
    file = open_card(card)
    if output is not None:
        refuse_unfit(output, file, chosen)
    text = FORMATS[chosen](file.card, paper, output is None)
    if output is None:
        sys.stdout.write(text)
    else:
        write_whole(output, text)
    problems = [*file.problems, *unread(file.card)]
    show_problems(problems)
    return PROBLEMS if any(problem.severity == "error" for problem in problems) else FINE


def unread(card: Card) -> Iterator[Problem]:
    """Why lines cannot be read."""
    for group in card.groups:
        for entry in group.entries:
            line, faults = understood(entry.text)
            if line is None:
                yield from problems_of_line(ProcessedLine(entry, line, faults))


# --- formats


def format_of(format: str | None, output: Path | None) -> str:
    """The format asked for, or that of the file's ending."""
    ending = output.suffix.lower() if output else ""
    if ending in PRINTED:
        hint = f"write {output.with_suffix('.html') if output else ''}, open it in a browser and print it"
        raise CannotBegin(f"a card cannot be written as {ending}", hint)
    if format is None and ending and ending not in ENDINGS:
        raise CannotBegin(f"{ending} is not a format of cards", f"{' '.join(ENDINGS)}, or --format")
    return format or ENDINGS.get(ending, "terminal")


# --- files


def refuse_unfit(output: Path, file: CardFile, format: str) -> None:
    """Raise CannotBegin for a file that cannot be written, or is the card itself."""
    ending = next((ending for ending, written in ENDINGS.items() if written == format), ".txt")
    refuse_place(output, f"{file.card.id}{ending}")
    if output.exists() and output.samefile(file.path):
        raise CannotBegin(f"{output} is the card itself, and would be lost", "write to another file")
