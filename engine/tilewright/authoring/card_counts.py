"""tilewright.authoring.card_counts."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilewright.authoring.open_card import open_card
from tilewright.authoring.open_rules import Choices
from tilewright.base.problem import Place, Problem, Source
from tilewright.cards.check import problem_of, problems_of_line, warnings_of_line
from tilewright.cards.process import Processed, ProcessedLine, bare_card, process
from tilewright.presentation.exits import Unusable

STDIN = "stdin"
MOST_LINES = 50_000  # of stdin
MOST_BYTES = 8_000_000
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


def count_card(name: str, asked: Asked) -> Counted:
    """The counts of a card."""
    file = open_card(name)
    processed = process(file.card)
    refused = [problem for line in processed.lines if line.error for problem in problems_of_line(line)]
    unknown: Sequence[float | None] = [None] * len(processed.lines)
    wrong = any(problem.severity == "error" for problem in (*refused, *file.problems))
    if not asked.deals or wrong:  # a card with mistakes is not played
        return Counted(processed, unknown, tuple(refused), file.problems)
    from tilewright.authoring.card_rules import draws_of, rules_with  # here: they take long to import

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
