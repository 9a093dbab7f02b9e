"""Waits: the tiles that a hand waits for, their worth, and what to discard, as lines and as plain data."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.text import Text

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.presentation.console import table
from tilewright.presentation.scores import measure_name
from tilewright.scoring.rules import DiscardAdvice, Wait, Waits
from tilewright.scoring.score import json_number, show_number

Left = tuple[tuple[str, int], ...]  # tiles with the copies that are left of each
HOPELESS = "no winning form can be made any more"


def waits_json(waits: Waits) -> dict[str, Any]:
    """Plain data (docs/cases.md, "Waits")."""
    return {
        "distance": waits.distance,
        "unit": waits.unit,
        "tiles": [wait_json(wait) for wait in waits.tiles],
        "useful": left_json(waits.useful),
        "discards": [discard_json(discard) for discard in waits.discards],
    }


def wait_json(wait: Wait) -> dict[str, Any]:
    value = None if wait.value is None else json_number(wait.value)
    return {"tile": wait.code, "left": wait.left, "value": value, "reason": wait.reason}


def discard_json(discard: DiscardAdvice) -> dict[str, Any]:
    left = copies(discard.tiles)
    return {"tile": discard.code, "distance": discard.distance, "left": left, "useful": left_json(discard.tiles)}


def left_json(tiles: Left) -> list[dict[str, Any]]:
    return [{"tile": code, "left": number} for code, number in tiles]


def waits_lines(waits: Waits, data: CompiledRuleset) -> Iterator[Text]:
    """How far the hand is; then its waits, or the tiles that bring it nearer, or the discards, the best first."""
    yield Text(f"  {situation_text(waits)}", "bold")
    yield from table([wait_row(wait, measure_name(waits.unit, data)) for wait in waits.tiles], frozenset({1, 2}))
    if waits.useful:
        yield Text("  ") + left_text(waits.useful)
    yield from table([discard_row(discard) for discard in waits.discards], frozenset({2}))


def situation_text(waits: Waits) -> str:
    """The state of the hand, in a sentence."""
    if waits.tiles:
        return ready_text(waits.tiles)
    if waits.distance == 0:
        return "Complete: a winning form as it stands"
    if waits.discards:
        best = waits.discards[0].distance
        return f"After the best discard: {'ready' if best == 1 else away_text(best)}"
    if waits.distance is None:
        return HOPELESS
    nearer = copies(waits.useful)
    return f"{away_text(waits.distance)}; {tiles_text(nearer)} that {verb(nearer, 'bring')} it nearer left"


def ready_text(waits: Sequence[Wait]) -> str:
    """How many tiles win; those that complete the hand below the minimum do not."""
    winning = [wait for wait in waits if wait.reason is None]
    if not winning:
        return f"Ready, but not to win: {tiles_text(len(waits))} {verb(len(waits), 'complete')} the hand"
    left = sum(wait.left for wait in winning)
    return f"Ready: {tiles_text(len(winning))} {verb(len(winning), 'win')}, {left_of(left)}"


def away_text(distance: int | None) -> str:
    if distance is None:
        return HOPELESS
    return f"{tiles_text(distance)} away from a winning form"


def wait_row(wait: Wait, unit: str) -> list[Text | str]:
    """Tile, copies left, and the worth of the hand or why it does not win."""
    value = Text(f"{show_number(wait.value)} {unit}", "green") if wait.value is not None else ""
    return [Text(wait.code, "bold cyan"), left_cell(wait.left), value, Text(wait.reason or "", "yellow")]


def discard_row(discard: DiscardAdvice) -> list[Text | str]:
    """Tile to discard, how far the hand is then, copies that help, and which tiles these are."""
    away = "ready" if discard.distance == 1 else "hopeless" if discard.distance is None else f"{discard.distance} away"
    name = Text("discard ") + Text(discard.code, "bold cyan")
    return [name, away, left_cell(copies(discard.tiles)), left_text(discard.tiles)]


def left_cell(number: int) -> Text:
    return Text(left_of(number), "" if number else "red")


def left_text(tiles: Left) -> Text:
    """Tiles with the copies left of each; those without any are dimmed."""
    cells = [Text(code, "bold cyan") + Text(f"×{number}", "dim") for code, number in tiles if number]
    return Text("  ").join([*cells, *(Text(f"{code}×0", "dim") for code, number in tiles if not number)])


def copies(tiles: Iterable[tuple[str, int]]) -> int:
    return sum(number for _, number in tiles)


def left_of(number: int) -> str:
    return f"{number or 'none'} left"


def tiles_text(number: int) -> str:
    return f"{number} tile" if number == 1 else f"{number or 'no'} tiles"


def verb(number: int, infinitive: str) -> str:
    """The verb in the singular or plural, for so many tiles."""
    return f"{infinitive}s" if number == 1 else infinitive
