"""`waits`: a hand in; the tiles that win, or the best discards, on the screen. Knows no rule."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rich.text import Text

from tilewright.apps.exits import FINE, PROBLEMS
from tilewright.apps.explained import plain_numbers
from tilewright.apps.itemised import measure_name
from tilewright.apps.opening import show_problems
from tilewright.apps.score import meld_of
from tilewright.apps.screen import show, table
from tilewright.language.ruleset import RulesetData
from tilewright.scoring.case import CaseError
from tilewright.scoring.rules import Discard, Rules, Wait, Waits
from tilewright.scoring.score import show_number


def waits_command(rules: Rules, hand: str, melds: Sequence[str], seen: str, *, as_json: bool) -> int:
    """Print the waits of a hand; the exit code is 1 if the hand cannot be read."""
    try:
        waits = rules.waits(hand, [meld_of(text) for text in melds], seen=seen)
    except CaseError as error:
        show_problems([error.problem])
        return PROBLEMS
    if as_json:
        sys.stdout.write(json.dumps(waits_json(waits), ensure_ascii=False) + "\n")
    else:
        show(waits_lines(waits, rules.data))
    return FINE


def waits_json(waits: Waits) -> dict[str, object]:
    """Plain data: `tiles` that win, `discards` with the tiles that they wait for, as pairs of tile and copies left."""
    plain: dict[str, object] = plain_numbers(asdict(waits))
    return plain


def waits_lines(waits: Waits, data: RulesetData) -> Iterator[Text]:
    """How far the hand is, then its waits, or what to put away from the best choice down."""
    yield Text(distance_text(waits), "bold")
    yield from table([wait_row(wait, measure_name(waits.unit, data)) for wait in waits.tiles], frozenset({1, 2}))
    yield from table([discard_row(discard) for discard in waits.discards], frozenset({1}))


def distance_text(waits: Waits) -> str:
    if waits.tiles:
        return f"Ready: {count(len(waits.tiles), 'tile')} {'wins' if len(waits.tiles) == 1 else 'win'}"
    if waits.distance == 0:
        return "Complete"
    return f"{count(waits.distance, 'tile')} away from a win"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def wait_row(wait: Wait, unit: str) -> list[Text | str]:
    """Tile, copies left, and what the hand is then worth or why it does not win."""
    value = Text(f"{show_number(wait.value)} {unit}", "green") if wait.value is not None else ""
    return [
        Text(wait.code, "bold cyan"),
        Text(f"{wait.left} left", "" if wait.left else "red"),
        value,
        wait.reason or "",
    ]


def discard_row(discard: Discard) -> list[Text | str]:
    """Tile to put away, copies that then help, how far the hand is, and these tiles."""
    left = sum(number for _, number in discard.tiles)
    tiles = " ".join(code for code, _ in discard.tiles)
    away = "ready" if discard.distance == 1 else f"{discard.distance} away"
    return [Text(f"discard {discard.code}", "bold cyan"), f"{left} left", away, tiles]
