"""Nearest: the hands of a card nearest to a hand, as lines."""

from collections.abc import Iterator

from rich.text import Text

from tilewright.presentation.console import Row, fits, table
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.nearest import Nearest, NearHand, cards_of
from tilewright.scoring.rules import ScoringRules

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
    yield [str(near.missing), Text(near.line, "bold"), value_of(near), needs, left_of(near)]
    if held := Text("  ").join(held_of(near, names)):
        yield [Text(" " * 9) + held]


def near_block(near: NearHand, names: RulesetNames) -> Iterator[Text]:
    """The same for a narrow screen, stacked."""
    missing, value = Text(str(near.missing)), Text(value_of(near))
    yield Text("  ") + names.filled("advice.near", "", missing=missing, value=value, left=left_of(near))
    yield Text(f"    {near.line}", "bold")
    if near.needs:
        yield Text("    ") + names.filled("advice.needs", tiles=Text(" ".join(near.needs), "bold cyan"))
    yield from (Text("    ") + text for text in held_of(near, names))


def value_of(near: NearHand) -> str:
    return f"{near.value} {'X' if near.exposed else 'C'}"


def left_of(near: NearHand) -> Text:
    """How many helpful tiles are left; in red if the hand cannot come nearer."""
    return Text(str(near.live), "" if near.live or not near.missing else "red")


def held_of(near: NearHand, names: RulesetNames) -> list[Text]:
    """The tiles to keep and to pass."""
    keep = names.filled("advice.keep", tiles=Text(near.keep, "green")) if near.keep else None
    passes = names.filled("advice.pass", tiles=Text(near.passes, "yellow")) if near.passes else None
    return [text for text in (keep, passes) if text is not None]
