"""`card nearest`: a card and a hand in; the lines that the hand is nearest to, on the screen or as JSON.

Knows no rule and measures nothing itself.
"""

import json
import sys
from dataclasses import dataclass

from tilewright.authoring.card_rules import rules_with
from tilewright.authoring.open_card import played_path
from tilewright.authoring.open_rules import Choices, show_problems
from tilewright.cli.score import meld_of
from tilewright.presentation.advice.nearest import DEAD, MOST_SHOWN, nearest_lines
from tilewright.presentation.console import show
from tilewright.presentation.exits import FINE, PROBLEMS
from tilewright.scoring.case import CaseError


@dataclass(frozen=True, slots=True)
class Held:
    """A hand as it stands on the command line, and how much is to be told of it."""

    hand: str
    melds: tuple[str, ...]
    seen: str
    limit: int | None = None
    every: bool = False


def nearest_command(name: str, rules: str | None, choices: Choices, held: Held, *, as_json: bool) -> int:
    """Print the lines that a hand is nearest to; the exit code is 1 if the hand cannot be read."""
    opened = rules_with(played_path(name), rules, choices)
    limit = held.limit if as_json else held.limit or MOST_SHOWN
    melds = [meld_of(text) for text in held.melds]
    try:
        found = opened.nearest(held.hand, melds, seen=held.seen, limit=limit, every=held.every)
    except CaseError as error:
        show_problems([error.problem])
        return PROBLEMS
    if as_json:
        sys.stdout.write(json.dumps(found.as_json(), ensure_ascii=False) + "\n")
        sys.stdout.flush()
        show([f"{DEAD}: {found.reason}"] if not found.possible else [], sys.stderr)
    else:
        show(nearest_lines(found, opened, held.every))
    return FINE
