"""Cards as the user names them, and their figures: the hands of each line and its difficulty.

In: an id, a path or bare lines. Out: the card with the problems of its document, and what is counted of its lines. A
card with a wrong line still has its others. `python -m tilewright.authoring.cards FILE` writes the page of the bundled
cards, whose deals are the same every time.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.authoring.open_rules import CARD, CannotBegin, RulesChoice, bundled, cannot_begin_if_missing, rules_with
from tilewright.base.files import is_file
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.cards.check import problem_of, problems_of_line, warnings_of_line
from tilewright.cards.expand import Processed, ProcessedLine, bare_card, process
from tilewright.cards.model import Card
from tilewright.cards.text import first_language
from tilewright.language.documents.library import is_document, kind_at, path_of, read_card


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card file. `path` of its file; `problems`: of the document, not of its lines."""

    path: Path
    card: Card
    problems: tuple[Problem, ...]


def open_card(name: str) -> CardFile:
    """The card of an id or a path. Raises RulesetError if it cannot be read as a card, CannotBegin if it is missing."""
    path = card_path(name)
    return CardFile(path, *read_card(path))


def played_path(name: str) -> Path:
    """The file of a card to be played. Raises RulesetError for a document of another kind."""
    path = card_path(name)
    if is_document(path) and kind_at(path) != CARD:
        open_card(name)
    return path


def card_path(name: str) -> Path:
    """The file that a name means: an existing one, or a bundled card."""
    path = Path(name)
    if is_file(path):
        return path
    if path.is_dir():
        raise CannotBegin(f"{name} is a folder, not a card", f"'tilewright card check {name}' checks the cards in it")
    if path.exists():
        raise CannotBegin(f"{name} is a pipe or a device, not a file")
    try:
        return path_of(name, what="card")
    except RulesetError as error:
        raise cannot_begin_if_missing(error) from None


if TYPE_CHECKING:
    from tilewright.scoring.rules import ScoringRules

# --- figures

STDIN = "stdin"
MOST_LINES = 50_000  # of stdin
MOST_BYTES = 8_000_000
NO_CHOICES = RulesChoice()
DEALS = 200
SEED = 1
HEAD = """# The bundled cards

Written by `make docs`. *Hands* and *tile sets* are what `tilewright card process` counts; *draws* is how many tiles it
takes on average to complete a hand of the line ([Cards](cards.md#counting)), over {deals} random deals (`--difficulty
--seed {seed}`).
"""


@dataclass(frozen=True, slots=True)
class CountOptions:
    """What to show beside the counts. `hands`: all of them; `deals`: mean draws, from this many deals of the tiles of
    `rules`."""

    hands: bool = False
    deals: int = 0
    seed: int = 0
    rules: str | None = None
    choices: RulesChoice = NO_CHOICES


@dataclass(frozen=True, slots=True)
class CountedCard:
    """The counts. `draws`: the mean ones of each line, if known; `refusals`: why lines were refused; `problems`: the
    other problems of the document."""

    processed: Processed
    draws: Sequence[float | None]
    refusals: tuple[Problem, ...]
    problems: tuple[Problem, ...] = ()


def count_card(name: str, options: CountOptions) -> CountedCard:
    """The counts of a card."""
    file = open_card(name)
    processed = process(file.card)
    refused = [problem for line in processed.lines if line.error for problem in problems_of_line(line)]
    unknown: Sequence[float | None] = [None] * len(processed.lines)
    wrong = any(problem.severity == "error" for problem in (*refused, *file.problems))
    if not options.deals or wrong:  # a card with mistakes cannot be played
        return CountedCard(processed, unknown, tuple(refused), file.problems)
    draws = draws_of(rules_with(file.path, options.rules, options.choices), options.deals, options.seed)
    return CountedCard(processed, draws, (), file.problems)


def draws_of(rules: "ScoringRules", deals: int, seed: int) -> list[float | None]:
    """The mean draws to a hand of each line of the card that is played, None for lines without hands."""
    from tilewright.hands.draws import difficulty  # imported here: only this needs scoring, which is slow to import
    from tilewright.scoring.nearest import cards_of

    card, rows = next(iter(cards_of(rules.judge)))
    means = {draws.entry: draws.mean for draws in difficulty(rows, deals, seed)}
    return [means.get(entry) for entry in range(len(card.lines))]


def count_bare(options: CountOptions) -> CountedCard:
    """The counts of the lines of stdin, empty ones too, each with its place."""
    if options.deals:
        raise CannotBegin("--difficulty needs the lines of a card, not bare lines")
    source = Source(STDIN, sys.stdin.buffer.read(MOST_BYTES + 1).decode("utf-8-sig", "replace"))
    texts = source.text.removesuffix("\n").split("\n") if source.text else []
    if len(source.text) > MOST_BYTES or len(texts) > MOST_LINES:
        raise CannotBegin(f"more than {MOST_LINES:,} lines or {MOST_BYTES // 1_000_000} MB are not counted at once")
    processed = bare_card(texts)
    lines, start = [], 0
    for line, text in zip(processed.lines, texts, strict=True):
        lines.append(placed(line, source, start))
        start += len(text) + 1
    refused = [problem_of(line.error, line) for line in lines if line.error]
    warnings = [problem for line in lines if not line.error for problem in warnings_of_line(line)]
    return CountedCard(processed, [None] * len(lines), tuple(refused), tuple(warnings))


def placed(line: ProcessedLine, source: Source, start: int) -> ProcessedLine:
    """The line with its place, at this offset of the source."""

    def at(offset: int, length: int) -> Place:
        return source.place(start + offset, length)

    return replace(line, entry=replace(line.entry, at=at))


# --- the page of the bundled cards


def page() -> Iterator[str]:
    """The lines of the page."""
    yield from HEAD.format(deals=DEALS, seed=SEED).splitlines()
    for id in bundled("card"):
        yield from ("", *card_part(count_card(id, CountOptions(deals=DEALS, seed=SEED))))


def card_part(found: CountedCard) -> Iterator[str]:
    """A card as a table with its groups as rows between their lines."""
    card, processed = found.processed.card, found.processed
    yield f"## {card.name.get(first_language(card), card.id)}"
    yield ""
    yield "| line | hands | tile sets | draws |"
    yield "|---|---|---|---|"
    draws = iter(found.draws)
    for group in processed.groups:
        yield f"| **{group.group.title}** | **{group.count}** | **{group.tile_sets}** | |"
        for line in group.lines:
            mean = next(draws)
            text = line.entry.text.replace("|", "\\|")
            yield f"| `{text}` | {line.count} | {line.tile_sets} | {'' if mean is None else f'{mean:.1f}'} |"
    yield f"| **Together** | **{processed.count}** | **{processed.tile_sets}** | |"


def main(arguments: list[str]) -> None:
    """Write the page."""
    Path(arguments[0]).write_text("\n".join(page()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
