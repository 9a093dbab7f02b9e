"""Scores as the lines that people read. Knows how things look, not how they came about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.text import Text

from tilewright.presentation.console import table
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.score import Number, PatternScore, Score, show_number

RIGHT = frozenset({1, 2})  # columns of numbers: how often, worth
RULE = "─"


def headed(names: RulesetNames, lines: Iterable[Text], settings: Sequence[str] = ()) -> Iterator[Text]:
    """The lines under the name of the ruleset, its presets and mods and its chosen settings."""
    yield heading(names, settings)
    yield from lines


def heading(names: RulesetNames, settings: Sequence[str], style: str = "bold") -> Text:
    """The name of a ruleset with its presets and mods and its chosen settings."""
    data = names.data
    more = "".join([*(f" + {one}" for one in (*data.presets, *data.mods)), *(f"  {setting}" for setting in settings)])
    return Text.assemble((names.name_of(data.id, data.name), style), (more, "dim"))


def score_lines(score: Score, names: RulesetNames, *, at_table: bool = False) -> Iterator[Text]:
    """A score: its reading, its patterns with their worth, the total, the payments. `at_table`: of a hand that was won
    there; where a seat makes several, what one pays depends on the others, and its score does not know them."""
    if score.reading or score.form:
        yield reading_line(tuple(map(names.group_text, score.reading)), score.form, score.line, names)
    if not score.win:
        yield Text(f"  {names.translated(score.reasons)}", "yellow")
    if score.win or score.patterns:
        yield from sum_lines(score, names)
        yield from values_lines(score, names, not at_table or names.data.seats.hands == 1)


def reading_line(reading: Sequence[str], form: str | None, card_line: str | None, names: RulesetNames) -> Text:
    """The groups, and the form that they make or the line of a card that they fill."""
    line = Text("  ") + Text(" ".join(reading), "bold cyan")
    if form is not None:
        line += Text(f"  {card_line or names.form(form)}".rstrip(), "dim")
    return line


def sum_lines(score: Score, names: RulesetNames) -> Iterator[Text]:
    """The table of patterns with the total below, as in a bill."""
    rows: list[list[Text | str]] = [pattern_row(pattern, score.unit, names) for pattern in score.patterns]
    total = Text(show_number(score.total), "bold green" if score.win else "bold")
    unit, sum_name = names.unit(score.unit, score.total), names.say("results.total")
    total_name = Text(f"{sum_name}  {names.translated(score.called)}".rstrip(), "bold")
    rows.append([total_name, "", total, Text("" if unit == sum_name.lower() else unit, "bold")])
    lines = table(rows, RIGHT)
    yield from lines[:-1]
    if score.patterns:
        yield Text("  " + RULE * (max(line.cell_len for line in lines) - 2), "dim")
    yield lines[-1]


def values_lines(score: Score, names: RulesetNames, paid: bool = True) -> Iterator[Text]:
    """Every measure that is not zero, if there are several, and the payments."""
    inner = {measure.id for measure in names.data.scoring.measures if measure.inner}
    if len(score.values.keys() - inner) > 1:
        shown = {id: number for id, number in score.values.items() if id not in inner and (number or id == score.unit)}
        yield Text("  " + "  ".join(f"{names.measure(id)} {show_number(n)}" for id, n in shown.items()), "dim")
    if paid and score.payments:
        yield payments_line(score.payments)


def pattern_row(pattern: PatternScore, unit: str, names: RulesetNames) -> list[Text | str]:
    """Name, how often, worth, and its unit if that is not the unit of the total."""
    times = "" if pattern.times == 1 else f"{show_number(pattern.times)} ×"
    of = names.unit(pattern.measure, pattern.worth) if pattern.measure not in ("", unit) else ""
    return [names.translated(pattern.names) or pattern.name, times, show_number(pattern.worth), of]


def payments_line(payments: Mapping[str, Number]) -> Text:
    """What each seat gains or pays."""
    line = Text("  ")
    for seat, gain in payments.items():
        line.append(f"{seat} ").append_text(gain_text(gain)).append("   ")
    line.rstrip()
    return line


def gain_text(gain: Number) -> Text:
    return Text(signed(gain), "green" if gain > 0 else "red" if gain < 0 else "dim")


def signed(number: Number) -> str:
    return f"+{show_number(number)}" if number > 0 else show_number(number)
