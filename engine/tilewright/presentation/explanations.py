"""Explanations: every reading of a hand with the outcome of each pattern, or with an expression and the value of each
of its parts; as lines for people or as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tilewright.presentation.console import table
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import reading_line, values_lines
from tilewright.scoring.explain import Explanation, PatternVerdict, ReadingVerdict
from tilewright.scoring.score import Score, json_number, show_number
from tilewright.scoring.scores import LOST

if TYPE_CHECKING:
    from tilewright.scoring.evaluation import PartValue, ReadingValue

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
    yield from table([pattern_row(pattern) for pattern in sorted(news, key=order)])


def order(pattern: PatternVerdict) -> int:
    return 0 if pattern.counted else 1 if pattern.holds else 2 if pattern.near else 3


def pattern_row(pattern: PatternVerdict) -> list[Text | str]:
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
