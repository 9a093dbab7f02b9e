"""What a hand needs: the tiles that it waits for, their worth, what to discard, and the nearest hands of a card.

What scoring found in; lines, and waits also as plain data, out. Knows no table.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.text import Text

from tilewright.presentation.console import Row, fits, table
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.nearest import Nearest, NearHand, cards_of
from tilewright.scoring.rules import DiscardAdvice, ScoringRules, Wait, Waits
from tilewright.scoring.score import json_number, show_number

Left = tuple[tuple[str, int], ...]  # tiles with the copies that are left of each


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


def waits_lines(waits: Waits, names: RulesetNames) -> Iterator[Text]:
    """How far the hand is; then its waits, or the tiles that bring it nearer, or the discards, the best first."""
    yield Text(f"  {situation_text(waits, names)}", "bold")
    yield from table([wait_row(wait, waits.unit, names) for wait in waits.tiles], frozenset({1, 2}))
    if waits.useful:
        yield Text("  ") + left_text(waits.useful)
    yield from table([discard_row(discard, names) for discard in waits.discards], frozenset({2}))


def situation_text(waits: Waits, names: RulesetNames) -> str:
    """The state of the hand, in a sentence."""
    if waits.tiles:
        return ready_text(waits.tiles, names)
    if waits.distance == 0:
        return names.say("advice.complete")
    if waits.discards:
        best = waits.discards[0].distance
        state = names.say("advice.state_ready") if best == 1 else away_text(best, names)
        return names.say("advice.after_discard", state=state)
    away = away_text(waits.distance, names)
    return away if waits.distance is None else names.say("advice.nearer", away=away, count=copies(waits.useful))


def ready_text(waits: Sequence[Wait], names: RulesetNames) -> str:
    """How many tiles win; those that complete the hand below the minimum do not."""
    winning = [wait for wait in waits if wait.reason is None]
    if not winning:
        return names.say("advice.not_to_win", count=len(waits))
    left = left_of(sum(wait.left for wait in winning), names)
    return names.say("advice.to_win", count=len(winning), left=left)


def away_text(distance: int | None, names: RulesetNames) -> str:
    return names.say("advice.hopeless") if distance is None else names.say("advice.tiles_away", count=distance)


def wait_row(wait: Wait, unit: str, names: RulesetNames) -> list[Text | str]:
    """Tile, copies left, and the worth of the hand or why it does not win."""
    value = Text(f"{show_number(wait.value)} {names.unit(unit, wait.value)}", "green") if wait.value is not None else ""
    return [
        Text(wait.code, "bold cyan"),
        left_cell(wait.left, names),
        value,
        Text(names.translated(wait.reasons), "yellow"),
    ]


def discard_row(discard: DiscardAdvice, names: RulesetNames) -> list[Text | str]:
    """Tile to discard, how far the hand is then, copies that help, and which tiles these are."""
    state = "ready" if discard.distance == 1 else "hopeless" if discard.distance is None else "away"
    away = names.say(f"advice.state_{state}", count=discard.distance)
    name = names.filled("advice.discard", "", tile=Text(discard.code, "bold cyan"))
    return [name, away, left_cell(copies(discard.tiles), names), left_text(discard.tiles)]


def left_cell(number: int, names: RulesetNames) -> Text:
    return Text(left_of(number, names), "" if number else "red")


def left_text(tiles: Left) -> Text:
    """Tiles with the copies left of each; those without any are dimmed."""
    cells = [Text(code, "bold cyan") + Text(f"×{number}", "dim") for code, number in tiles if number]
    return Text("  ").join([*cells, *(Text(f"{code}×0", "dim") for code, number in tiles if not number)])


def copies(tiles: Iterable[tuple[str, int]]) -> int:
    return sum(number for _, number in tiles)


def left_of(number: int, names: RulesetNames) -> str:
    return names.say("advice.left" if number else "advice.none_left", count=number)


# --- nearest hands


COLUMNS = ("missing", "line", "value", "needs", "left")
RIGHT = frozenset({0, 4})  # columns of numbers: missing, left
MOST_SHOWN = 10  # hands, by default


def nearest_lines(found: Nearest, rules: ScoringRules, names: RulesetNames, every: bool) -> Iterator[Text]:
    """The table of hands under the names of card and ruleset, and the lines that are no longer possible."""
    cards = [names.name_of(card.id, card.name) for card, _ in cards_of(rules.judge)]
    yield Text(", ".join(cards), "bold") + Text(f"  {names.name_of(rules.data.id, rules.data.name)}", "dim")
    if not found.possible:
        yield Text("  " + names.say("advice.no_hand", reason=names.translated(found.reasons)), "bold red")
        return
    rows: list[Row] = [[Text(names.say(f"advice.column_{column}"), "dim") for column in COLUMNS]]
    for near in found.hands:
        rows += near_rows(near, names)
    if fits(rows, RIGHT):
        yield from table(rows, RIGHT)
    else:
        yield from (line for near in found.hands for line in near_block(near, names))
    if found.dead:
        yield Text("  " + names.say("advice.impossible", count=len(found.dead)), "dim")
    if every:
        yield from table([[Text(line, "dim"), Text(why, "yellow")] for line, why in found.dead], indent="    ")


def near_rows(near: NearHand, names: RulesetNames) -> Iterator[Row]:
    """A line with the tiles it needs; below it the tiles to keep and to pass."""
    needs = Text(" ".join(near.needs), "bold cyan")
    yield [str(near.missing), Text(near.line, "bold"), value_of(near), needs, still_left(near)]
    if held := Text("  ").join(held_of(near, names)):
        yield [Text(" " * 9) + held]


def near_block(near: NearHand, names: RulesetNames) -> Iterator[Text]:
    """The same for a narrow screen, stacked."""
    missing, value = Text(str(near.missing)), Text(value_of(near))
    yield Text("  ") + names.filled("advice.near", "", missing=missing, value=value, left=still_left(near))
    yield Text(f"    {near.line}", "bold")
    if near.needs:
        yield Text("    ") + names.filled("advice.needs", tiles=Text(" ".join(near.needs), "bold cyan"))
    yield from (Text("    ") + text for text in held_of(near, names))


def value_of(near: NearHand) -> str:
    return f"{near.value} {'X' if near.exposed else 'C'}"


def still_left(near: NearHand) -> Text:
    """How many helpful tiles are left; in red if the hand cannot come nearer."""
    return Text(str(near.live), "" if near.live or not near.missing else "red")


def held_of(near: NearHand, names: RulesetNames) -> list[Text]:
    """The tiles to keep and to pass."""
    keep = names.filled("advice.keep", tiles=Text(near.keep, "green")) if near.keep else None
    passes = names.filled("advice.pass", tiles=Text(near.passes, "yellow")) if near.passes else None
    return [text for text in (keep, passes) if text is not None]
