"""Count the hands of each line, group and card.

Example: tilewright card process my_card.txt --list
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from tilewright.authoring.cards import CountedCard, CountOptions, count_bare, count_card
from tilewright.authoring.open_rules import RulesChoice
from tilewright.cards.expand import as_typed, write_hand, write_sets
from tilewright.cards.process import ProcessedLine
from tilewright.cards.text import first_language
from tilewright.cli.arguments import CARD_HELP, AsJson, CardRules, Mods, Sets, complete_card
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import print_json, show_problems
from tilewright.presentation.console import Row, counted, show, table

RIGHT = frozenset({1, 2, 3})  # columns of numbers: hands, tile sets, draws
LONGEST = 80  # characters of a line that are shown

Write = Callable[[int, str], str]  # a number and its unit


@command
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
    """Print the counts of a card, or of the lines on stdin; the exit code is 1 if anything in it is wrong."""
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
