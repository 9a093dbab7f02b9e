"""Scores and how they came about: every reading of a hand, with its patterns or the values of an expression.

A score or an explanation in; lines for people, or JSON, out. Knows how things look, no rules.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tilewright.presentation.console import table
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.explain import Explanation, PatternVerdict, ReadingVerdict
from tilewright.scoring.score import Number, PatternScore, Score, json_number, show_number
from tilewright.scoring.scores import LOST

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


if TYPE_CHECKING:
    from tilewright.scoring.evaluation import PartValue, ReadingValue


# --- explanations


Seen = Mapping[str, PatternVerdict]
INDENT = "  "
WIDEST = 70  # of the column of parts of an expression


def explanation_json(explanation: Explanation) -> dict[str, Any]:
    """The explanation as plain data."""
    plain: dict[str, Any] = plain_numbers(asdict(explanation))
    return plain


def plain_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain_numbers(inner) for inner in value]
    return json_number(value) if isinstance(value, Fraction) else value


def explanation_lines(explanation: Explanation, score: Score, names: RulesetNames) -> Iterator[Text]:
    """The best reading with every pattern; of the others what differs from it, identical ones once."""
    if not explanation.readings:
        yield from no_reading_lines(score, names)
        return
    best = explanation.readings[0]
    seen = {pattern.id: pattern for pattern in best.patterns}
    yield from reading_lines(best, 1, score, names)
    yield from pattern_lines(best, {})
    others = dict.fromkeys(replace(reading, best=False) for reading in explanation.readings[1:])
    others.pop(replace(best, best=False), None)
    for number, reading in enumerate(others, start=2):
        yield Text()
        yield from reading_lines(reading, number, score, names)
        yield Text(f"  {rank_text(reading, best)}", "dim")
        yield from pattern_lines(reading, seen)
    if best.patterns:
        yield Text()
        yield Text("  " + LEGEND, "dim")


def no_reading_lines(score: Score, names: RulesetNames) -> Iterator[Text]:
    """Why there is nothing to explain."""
    yield Text(f"  {score.reason}", "yellow")
    if score.reason == LOST:
        yield Text("  nothing is counted in a hand that did not win", "dim")
        return
    forms = ", ".join(names.form(form.id) for form in names.data.forms)
    yield Text(f"  the tiles make none of the forms: {forms}")


def reading_lines(reading: ReadingVerdict, number: int, score: Score, names: RulesetNames) -> Iterator[Text]:
    """The reading and its total; for the best one, all its measures and the payments."""
    total = f"{show_number(reading.total)} {names.unit(score.unit, reading.total)}"
    total += f", {reading.called}" if reading.called else ""
    yield Text.assemble((f"Reading {number}", "bold"), (f"  {total}", "bold green" if reading.best else ""))
    if reading.reading:
        yield reading_line(reading.reading, reading.form, reading.line, names)
    if reading.short:
        yield Text(f"  {reading.short}", "yellow")
    if reading.best:
        yield from values_lines(score, names)


def rank_text(reading: ReadingVerdict, best: ReadingVerdict) -> str:
    return "as much, and reading 1 goes first" if reading.total == best.total else "reading 1 is better"


def pattern_lines(reading: ReadingVerdict, seen: Seen) -> Iterator[Text]:
    """A line for each pattern not shown before: those that count first, then those that nearly did."""
    news = [pattern for pattern in reading.patterns if seen.get(pattern.id) != pattern]
    yield from table([verdict_row(pattern) for pattern in sorted(news, key=order)])


def order(pattern: PatternVerdict) -> int:
    return 0 if pattern.counted else 1 if pattern.holds else 2 if pattern.near else 3


def verdict_row(pattern: PatternVerdict) -> list[Text | str]:
    """Sign, name, worth, and the groups or the reason."""
    sign, style = SIGNS[order(pattern)]
    why = "  ".join(part for part in (pattern.evidence, pattern.why) if part)
    return [Text(sign, style), Text(pattern.name, style), pattern.worth, Text(why, "" if pattern.counted else "dim")]


LEGEND = "✓ counts   – holds, but does not count   ≈ all holds but this   ✗ does not hold"
SIGNS = (("✓", "green"), ("–", "yellow"), ("≈", "yellow"), ("✗", "dim"))  # counts; holds; nearly; does not hold


# --- expressions


def evaluation_json(readings: "Sequence[ReadingValue]") -> list[dict[str, Any]]:
    """The readings as plain data."""
    return [asdict(one) for one in readings]


def evaluation_lines(readings: "Sequence[ReadingValue]", names: RulesetNames) -> Iterator[Text]:
    """The best reading with every part; of the others those in which a value is different."""
    shown: list[PartValue] = []
    for number, one in enumerate(readings, start=1):
        if one.whole in shown:
            continue
        if shown:
            yield Text()
        shown.append(one.whole)
        if one.reading:
            yield Text(f"Reading {number}", "bold")
            yield reading_line(one.reading, one.form, "", names)
        yield from part_lines(one.whole)


def part_lines(whole: "PartValue") -> Iterator[Text]:
    """A part and those it is made of, each with its value behind it."""
    rows = list(rows_of(whole, 0))
    width = min(WIDEST, max(len(text) for text, _ in rows))
    for text, value in rows:
        style = {"yes": "green", "no": "red"}.get(value, "bold")
        yield Text.assemble(f"  {text:<{width}}  ", (value, style))


def rows_of(part: "PartValue", depth: int) -> Iterator[tuple[str, str]]:
    yield INDENT * depth + part.text, part.value
    for one in part.parts:
        yield from rows_of(one, depth + 1)
