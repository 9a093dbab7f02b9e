"""Explained: every reading of a hand with what became of each pattern, as lines for people or as JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from rich.text import Text

from tilewright.apps.itemised import measure_name, reading_line
from tilewright.apps.screen import table
from tilewright.language.ruleset import RulesetData
from tilewright.scoring.explain import Explanation, PatternVerdict, ReadingVerdict
from tilewright.scoring.score import json_number, show_number

Seen = Mapping[str, PatternVerdict]


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


def explanation_lines(explanation: Explanation, data: RulesetData) -> Iterator[Text]:
    """The best reading with every pattern; of the others what differs from it."""
    if not explanation.readings:
        yield Text("  no reading: the tiles make none of the forms " + ", ".join(form.id for form in data.forms))
    best: Seen = {}
    for number, reading in enumerate(explanation.readings, start=1):
        yield from reading_lines(reading, number, explanation.unit, data)
        yield from pattern_lines(reading, best)
        yield Text()
        best = best or {pattern.id: pattern for pattern in reading.patterns}


def reading_lines(reading: ReadingVerdict, number: int, unit: str, data: RulesetData) -> Iterator[Text]:
    """What the reading is, what it comes to, and whether it is the one that counts."""
    total = f"{show_number(reading.total)} {measure_name(unit, data)}"
    yield Text(f"Reading {number}", "bold") + Text(f"  {total}", "bold green" if reading.best else "")
    yield reading_line(reading.reading, reading.form, data)
    if reading.short:
        yield Text(f"  {reading.short}", "yellow")
    elif not reading.best:
        yield Text("  another reading is better", "dim")


def pattern_lines(reading: ReadingVerdict, seen: Seen) -> Iterator[Text]:
    """A line for each pattern that was not seen just so before: what counts first, then what nearly did."""
    news = [pattern for pattern in reading.patterns if seen.get(pattern.id) != pattern]
    yield from table([pattern_row(pattern) for pattern in sorted(news, key=order)])


def order(pattern: PatternVerdict) -> int:
    return 0 if pattern.counted else 1 if pattern.holds else 2 if pattern.near else 3


def pattern_row(pattern: PatternVerdict) -> list[Text | str]:
    """Sign, name, worth, and the groups or the reason."""
    sign, style = SIGNS[order(pattern)]
    why = "  ".join(part for part in (pattern.evidence, pattern.why) if part)
    return [Text(sign, style), Text(pattern.name, style), pattern.worth, Text(why, "" if pattern.counted else "dim")]


SIGNS = (("✓", "green"), ("–", "yellow"), ("≈", "yellow"), ("✗", "dim"))  # counts; holds; nearly; does not hold
