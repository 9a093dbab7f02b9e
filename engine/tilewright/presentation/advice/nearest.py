"""Nearest: the hands of a card nearest to a hand, as lines."""

from collections.abc import Iterator, Mapping

from rich.text import Text

from tilewright.presentation.console import Row, counted, fits, table
from tilewright.scoring.nearest import Nearest, NearHand, cards_of
from tilewright.scoring.rules import ScoringRules

RIGHT = frozenset({0, 4})  # columns of numbers: missing, left
MOST_SHOWN = 10  # hands, by default
DEAD = "no hand is possible any more"


def nearest_lines(found: Nearest, rules: ScoringRules, every: bool) -> Iterator[Text]:
    """The table of hands under the names of card and ruleset, and the lines that are no longer possible."""
    cards = [in_english(card.name, card.id) for card, _ in cards_of(rules.judge)]
    yield Text(", ".join(cards), "bold") + Text(f"  {in_english(rules.data.name, rules.data.id)}", "dim")
    if not found.possible:
        yield Text(f"  {DEAD[0].upper()}{DEAD[1:]}: {found.reason}", "bold red")
        return
    rows: list[Row] = [[Text(text, "dim") for text in ("missing", "line", "value", "needs", "left")]]
    for near in found.hands:
        rows += near_rows(near)
    if fits(rows, RIGHT):
        yield from table(rows, RIGHT)
    else:
        yield from (line for near in found.hands for line in near_block(near))
    if found.dead:
        yield Text(f"  {counted(len(found.dead), 'line')} not possible any more", "dim")
    if every:
        yield from table([[Text(line, "dim"), Text(why, "yellow")] for line, why in found.dead], indent="    ")


def in_english(name: Mapping[str, str], id: str) -> str:
    """The English name, else the first one."""
    return name.get("en") or next(iter(name.values()), id)


def near_rows(near: NearHand) -> Iterator[Row]:
    """A line with the tiles it needs; below it the tiles to keep and to pass."""
    needs = Text(" ".join(near.needs), "bold cyan")
    yield [str(near.missing), Text(near.line, "bold"), value_of(near), needs, left_of(near)]
    if held := Text("  ").join(held_of(near)):
        yield [Text(" " * 9) + held]


def near_block(near: NearHand) -> Iterator[Text]:
    """The same for a narrow screen, stacked."""
    yield Text(f"  {near.missing} missing  {value_of(near)}  ") + left_of(near) + " left"
    yield Text(f"    {near.line}", "bold")
    if near.needs:
        yield Text("    needs ", "dim") + Text(" ".join(near.needs), "bold cyan")
    yield from (Text("    ") + text for text in held_of(near))


def value_of(near: NearHand) -> str:
    return f"{near.value} {'X' if near.exposed else 'C'}"


def left_of(near: NearHand) -> Text:
    """How many helpful tiles are left; in red if the hand cannot come nearer."""
    return Text(str(near.live), "" if near.live or not near.missing else "red")


def held_of(near: NearHand) -> list[Text]:
    """The tiles to keep and to pass."""
    parts = [("keep", near.keep, "green"), ("pass", near.passes, "yellow")]
    return [Text(f"{verb} ", "dim") + Text(tiles, style) for verb, tiles, style in parts if tiles]
