"""`card process`: a card in, or bare lines; how many hands each line, group and card has, on the screen or as JSON.

Counts nothing itself.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.text import Text

from tilewright.apps.card import open_card
from tilewright.apps.exits import FINE, PROBLEMS, Unusable
from tilewright.apps.opening import Choices, show_problems
from tilewright.apps.screen import Row, counted, show, table
from tilewright.base.problem import Place, Problem, Source
from tilewright.cards.check import problem_of, problems_of_line, warnings_of_line
from tilewright.cards.expand import as_typed, write_hand, write_sets
from tilewright.cards.process import Processed, ProcessedLine, bare_card, process
from tilewright.cards.text import first_language

RIGHT = frozenset({1, 2, 3})  # columns of numbers: hands, tile sets, draws
STDIN = "stdin"
MOST_LINES = 50_000  # of stdin
MOST_BYTES = 8_000_000
LONGEST = 80  # characters of a line that are shown
NO_CHOICES = Choices()


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be told beside the counts. `hands`: all of them; `deals`: mean draws, from so many deals of the tiles
    of `rules`."""

    hands: bool = False
    deals: int = 0
    seed: int = 0
    rules: str | None = None
    choices: Choices = NO_CHOICES


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted. `draws`: the mean ones of each line, where they are known; `refusals`: why lines were refused;
    `problems`: what is wrong with the document besides."""

    processed: Processed
    draws: Sequence[float | None]
    refusals: tuple[Problem, ...]
    problems: tuple[Problem, ...] = ()


Write = Callable[[int, str], str]  # a number and what it counts


def process_command(name: str, asked: Asked, *, as_json: bool) -> int:
    """Print the counts of a card, or of the lines on stdin; the exit code is 1 if anything in it is wrong."""
    found = count_bare(asked) if name == "-" else count_card(name, asked)
    problems = list(found.problems)
    if as_json:
        sys.stdout.write(json.dumps(counts_json(found, asked), ensure_ascii=False) + "\n")
    else:
        show(bare_lines(found, asked) if name == "-" else card_lines(found, asked))
        problems += found.refusals
    show_problems(problems)
    refused = any(line.error for line in found.processed.lines)
    return PROBLEMS if refused or any(problem.severity == "error" for problem in problems) else FINE


def count_card(name: str, asked: Asked) -> Counted:
    """The counts of a card."""
    file = open_card(name)
    processed = process(file.card)
    refused = [problem for line in processed.lines if line.error for problem in problems_of_line(line)]
    unknown: Sequence[float | None] = [None] * len(processed.lines)
    wrong = any(problem.severity == "error" for problem in (*refused, *file.problems))
    if not asked.deals or wrong:  # a card with mistakes is not played
        return Counted(processed, unknown, tuple(refused), file.problems)
    from tilewright.apps.card_rules import draws_of, rules_with  # here: they take long to import

    draws = draws_of(rules_with(file.path, asked.rules, asked.choices), asked.deals, asked.seed)
    return Counted(processed, draws, (), file.problems)


def count_bare(asked: Asked) -> Counted:
    """The counts of the lines that stdin holds, empty ones too; each with its place there."""
    if asked.deals:
        raise Unusable("the difficulty is told of the lines of a card, not of bare ones")
    source = Source(STDIN, sys.stdin.buffer.read(MOST_BYTES + 1).decode("utf-8-sig", "replace"))
    texts = source.text.removesuffix("\n").split("\n") if source.text else []
    if len(source.text) > MOST_BYTES or len(texts) > MOST_LINES:
        raise Unusable(f"more than {MOST_LINES:,} lines or {MOST_BYTES // 1_000_000} MB are not counted at once")
    processed = bare_card(texts)
    lines, start = [], 0
    for line, text in zip(processed.lines, texts, strict=True):
        lines.append(placed(line, source, start))
        start += len(text) + 1
    refused = [problem_of(line.error, line) for line in lines if line.error]
    warnings = [problem for line in lines if not line.error for problem in warnings_of_line(line)]
    return Counted(processed, [None] * len(lines), tuple(refused), tuple(warnings))


def placed(line: ProcessedLine, source: Source, start: int) -> ProcessedLine:
    """The line with its place: so far into the source."""

    def at(offset: int, length: int) -> Place:
        return source.place(start + offset, length)

    return replace(line, entry=replace(line.entry, at=at))


# --- for programs


def counts_json(found: Counted, asked: Asked) -> dict[str, Any]:
    """Plain data (docs/cards.md, "For programs")."""
    plain = found.processed.as_json()
    lines = [line for group in plain["groups"] for line in group["lines"]]
    for line, processed, draws in zip(lines, found.processed.lines, found.draws, strict=True):
        if asked.deals and not processed.error:
            line["draws"] = draws
        if asked.hands and not processed.error:
            line["list"] = list(hands_listed(processed))
    return plain


# --- for people


def bare_lines(found: Counted, asked: Asked) -> list[Text]:
    """A row for each line: what it has, or why it was refused."""
    rows = [row for line in found.processed.lines for row in line_rows(line, None, "", counted, asked)]
    return table(rows, RIGHT, "", fold_first=True)


def card_lines(found: Counted, asked: Asked) -> Iterator[Text]:
    """The card's name over its groups, their lines, and what all have together."""
    processed = found.processed
    yield Text(processed.card.name.get(first_language(processed.card), processed.card.id), "bold")
    rows: list[Row] = [[Text(text, "dim") for text in ("", "hands", "tile sets", *(["draws"] if asked.deals else []))]]
    draws = iter(found.draws)
    for group in processed.groups:
        rows.append(sum_row(f"“{group.group.title}”", group.count, group.tile_sets))
        for line in group.lines:
            rows += line_rows(line, next(draws), "  ", number_alone, asked)
    rows.append(sum_row("Together", processed.count, processed.tile_sets))
    yield from table(rows, RIGHT, fold_first=True)


def sum_row(name: str, hands: int, tile_sets: int) -> Row:
    """What several lines have together."""
    return [Text(name, "bold"), Text(f"{hands}", "bold"), Text(f"{tile_sets}", "bold")]


def line_rows(line: ProcessedLine, draws: float | None, indent: str, write: Write, asked: Asked) -> Iterator[Row]:
    """A line with its counts, or with why it was refused; then its hands."""
    text = line.entry.text
    shown = indent + (text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
    if line.error:
        yield [shown, "", "", "", Text(f"✗ {line.error.code}: {line.error.message}", "red")]
        return
    drawn = [f"{draws:.1f}"] if draws is not None else []
    yield [shown, write(line.count, "hand"), write(line.tile_sets, "tile set"), *drawn]
    if asked.hands:
        yield from ([Text(f"{indent}    {hand}", "cyan")] for hand in hands_listed(line))


def hands_listed(line: ProcessedLine) -> Iterator[str]:
    """The hands of a line in its language, each with its sets in the order of the line."""
    typed = as_typed(line.line) if line.line is not None else {}
    return (write_sets(typed[hand]) if hand in typed else write_hand(hand) for hand in line.hands)


def number_alone(number: int, noun: str) -> str:
    """The number, under a heading that says what it counts."""
    return str(number)
