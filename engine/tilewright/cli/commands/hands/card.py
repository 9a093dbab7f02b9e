"""Cards of hands: check, count and draw them, and see how near a hand is.

Counting and drawing them; the other files that declare commands `card ...` need more.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from tilewright.authoring.cards import CardFile, CountedCard, CountOptions, count_bare, count_card, open_card
from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.base.files import write_whole
from tilewright.base.problem import Problem
from tilewright.cards.check import problems_of_line
from tilewright.cards.expand import ProcessedLine, as_typed, understood, write_hand, write_sets
from tilewright.cards.model import Card
from tilewright.cards.text import first_language
from tilewright.cli.arguments import (
    CARD_HELP,
    AsJson,
    CardName,
    CardRules,
    Mods,
    OutputFile,
    Sets,
    complete_card,
)
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import STDOUT, print_json, refuse_place, show_problems
from tilewright.paper.files import ENDINGS, FORMATS
from tilewright.presentation.console import Row, counted, show, table

RIGHT = frozenset({1, 2, 3})  # columns of numbers: hands, tile sets, draws
LONGEST = 80  # characters of a line that are shown

Write = Callable[[int, str], str]  # a number and its unit


@command("card process")
def card_process(
    card: Annotated[
        str,
        typer.Argument(metavar="CARD", help=f"{CARD_HELP} - reads bare lines.", autocompletion=complete_card),
    ],
    *,
    list_: Annotated[bool, typer.Option("--list", help="Print every hand under its line.")] = False,
    difficulty: Annotated[
        bool, typer.Option("--difficulty", help="Estimate how many draws each line takes, from random deals.")
    ] = False,
    deals: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="The number of deals for the estimate.")
    ] = 200,
    seed: Annotated[int, typer.Option(metavar="S", help="The seed of the random deals.")] = 1,
    rules: CardRules = None,
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Count the hands of each line, group and card.

    Example: tilewright card process my_card.txt --list
    """
    options = CountOptions(list_, deals if difficulty else 0, seed, rules, RulesChoice.of(set_, mod))
    found = count_bare(options) if card == "-" else count_card(card, options)
    problems = list(found.problems)
    if json:
        print_json(counts_json(found, options))
    else:
        show(bare_lines(found, options) if card == "-" else card_lines(found, options))
        problems += found.refusals
    show_problems(problems)
    refused = any(line.error for line in found.processed.lines)
    return PROBLEMS if refused or any(problem.severity == "error" for problem in problems) else FINE


# --- for programs


def counts_json(found: CountedCard, options: CountOptions) -> dict[str, Any]:
    """Plain data (docs/cards.md, "For programs")."""
    plain = found.processed.as_json()
    lines = [line for group in plain["groups"] for line in group["lines"]]
    for line, processed, draws in zip(lines, found.processed.lines, found.draws, strict=True):
        if options.deals and not processed.error:
            line["draws"] = draws
        if options.hands and not processed.error:
            line["list"] = list(hands_listed(processed))
    return plain


# --- for people


def bare_lines(found: CountedCard, options: CountOptions) -> list[Text]:
    """A row for each line: its counts, or why it was refused."""
    rows = [row for line in found.processed.lines for row in line_rows(line, None, "", counted, options)]
    return table(rows, RIGHT, "", fold_first=True)


def card_lines(found: CountedCard, options: CountOptions) -> Iterator[Text]:
    """The card's name over its groups, their lines, and the totals."""
    processed = found.processed
    yield Text(processed.card.name.get(first_language(processed.card), processed.card.id), "bold")
    rows: list[Row] = [
        [Text(text, "dim") for text in ("", "hands", "tile sets", *(["draws"] if options.deals else []))]
    ]
    draws = iter(found.draws)
    for group in processed.groups:
        rows.append(sum_row(f"“{group.group.title}”", group.count, group.tile_sets))
        for line in group.lines:
            rows += line_rows(line, next(draws), "  ", number_alone, options)
    rows.append(sum_row("Together", processed.count, processed.tile_sets))
    yield from table(rows, RIGHT, fold_first=True)


def sum_row(name: str, hands: int, tile_sets: int) -> Row:
    """The totals of several lines."""
    return [Text(name, "bold"), Text(f"{hands}", "bold"), Text(f"{tile_sets}", "bold")]


def line_rows(
    line: ProcessedLine, draws: float | None, indent: str, write: Write, options: CountOptions
) -> Iterator[Row]:
    """A line with its counts, or the reason for refusing it; then its hands."""
    text = line.entry.text
    shown = indent + (text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
    if line.error:
        yield [shown, "", "", "", Text(f"✗ {line.error.code}: {line.error.message}", "red")]
        return
    drawn = [f"{draws:.1f}"] if draws is not None else []
    yield [shown, write(line.count, "hand"), write(line.tile_sets, "tile set"), *drawn]
    if options.hands:
        yield from ([Text(f"{indent}    {hand}", "cyan")] for hand in hands_listed(line))


def hands_listed(line: ProcessedLine) -> Iterator[str]:
    """The hands of a line in its language, each with its sets in the order of the line."""
    typed = as_typed(line.line) if line.line is not None else {}
    return (write_sets(typed[hand]) if hand in typed else write_hand(hand) for hand in line.hands)


def number_alone(number: int, noun: str) -> str:
    """A number under its heading."""
    return str(number)


PRINTED = (".pdf", ".png", ".jpg", ".jpeg", ".ps")  # formats that a browser can make from a page


@command("card show")
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
    """Draw a card as it is printed, or write it as text or YAML.

    Example: tilewright card show my_card.txt -o my_card.html
    """
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
