"""The command that checks cards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.cards import card_path
from tilewright.authoring.open_rules import CannotBegin
from tilewright.cli.arguments import CARD_HELP, FailOn, ProblemFormat, ProblemJson, complete_card
from tilewright.cli.check_files import CheckResult, check_card, check_each, files_in, is_card
from tilewright.cli.command import command


@command("card check")
def card_check(
    cards: Annotated[
        list[str],
        typer.Argument(metavar="CARD", help=f"{CARD_HELP} A folder: its cards.", autocompletion=complete_card),
    ],
    *,
    format: ProblemFormat = "text",
    json: ProblemJson = False,
    fail_on: FailOn = "error",
) -> int:
    """Find every mistake in cards, with its place and a hint.

    Example: tilewright card check my_card.txt
    """
    files = list(dict.fromkeys(str(path) for name in cards for path in cards_at(name)))
    return check_each(files, map(check_file, files), "json" if json else format, fail_on)


def cards_at(name: str) -> Iterator[Path]:
    """The card of an id or a path, or all cards of a folder."""
    folder = Path(name)
    if not folder.is_dir():
        yield card_path(name)
        return
    found = [file for file in files_in(folder) if is_card(file)]
    if not found:
        raise CannotBegin(f"no cards are in {name}", "a card is plain text, .txt, or YAML with kind: card")
    yield from found


def check_file(file: str) -> CheckResult:
    """Everything that is wrong with a card."""
    return check_card(Path(file))
