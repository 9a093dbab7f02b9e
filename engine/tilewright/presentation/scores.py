"""Scores as the lines that people read. Knows how things look, not how they came about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.text import Text

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.presentation.console import table
from tilewright.scoring.score import Number, PatternScore, Score, show_number

RIGHT = frozenset({2, 3})  # columns of numbers: how often, worth
RULE = "─"
TOTAL = "Total"


def headed(data: CompiledRuleset, lines: Iterable[Text], said: Sequence[str] = ()) -> Iterator[Text]:
    """The lines under the name of the ruleset, its presets and mods and the settings that were said."""
    yield heading(data, said)
    yield from lines


def heading(data: CompiledRuleset, said: Sequence[str], style: str = "bold") -> Text:
    """The name of a ruleset with its presets and mods and the settings that were said."""
    name = data.name.get("en") or data.id
    more = "".join([*(f" + {one}" for one in (*data.presets, *data.mods)), *(f"  {setting}" for setting in said)])
    return Text.assemble((name, style), (more, "dim"))


def score_lines(score: Score, data: CompiledRuleset) -> Iterator[Text]:
    """A score: its reading, its patterns with what each is worth, the total, who pays."""
    if score.reading or score.form:
        yield reading_line(score.reading, score.form, score.line, data)
    if not score.win:
        yield Text(f"  {score.reason or 'did not win'}", "yellow")
    if score.win or score.patterns:
        yield from sum_lines(score, data)
        yield from values_lines(score, data)


def reading_line(reading: Sequence[str], form: str | None, card_line: str | None, data: CompiledRuleset) -> Text:
    """The groups, and the form that they make or the line of a card that they fill."""
    line = Text("  ") + Text(" ".join(reading), "bold cyan")
    if form is not None:
        line += Text(f"  {card_line or form_name(form, data)}".rstrip(), "dim")
    return line


def form_name(form: str, data: CompiledRuleset) -> str:
    names = next((f.name for f in data.forms if f.id == form), {})
    return names.get("en") or form


def sum_lines(score: Score, data: CompiledRuleset) -> Iterator[Text]:
    """The table of patterns under which the total stands, as a bill has it."""
    rows: list[list[Text | str]] = [pattern_row(pattern, score.unit, data) for pattern in score.patterns]
    total = Text(show_number(score.total), "bold green" if score.win else "bold")
    unit = measure_name(score.unit, data)
    name, own = called(score)
    told = Text(f"{TOTAL}  {name}".rstrip(), "bold")
    rows.append([told, Text(own, "dim"), "", total, Text("" if unit == TOTAL.lower() else unit, "bold")])
    lines = table(rows, RIGHT)
    yield from lines[:-1]
    if score.patterns:
        yield Text("  " + RULE * (max(line.cell_len for line in lines) - 2), "dim")
    yield lines[-1]


def values_lines(score: Score, data: CompiledRuleset) -> Iterator[Text]:
    """What every measure comes to where several are told and it is not nothing, and who pays."""
    inner = {measure.id for measure in data.scoring.measures if measure.inner}
    if len(score.values.keys() - inner) > 1:
        told = {id: number for id, number in score.values.items() if id not in inner and (number or id == score.unit)}
        yield Text("  " + "  ".join(f"{measure_name(id, data)} {show_number(n)}" for id, n in told.items()), "dim")
    if score.payments:
        yield payments_line(score.payments)


def called(score: Score) -> tuple[str, str]:
    """What the amount is called, and what in the other languages of its ruleset."""
    names = score.called
    name = names.get("en") or next(iter(names.values()), "")
    return name, " ".join(dict.fromkeys(other for other in names.values() if other != name))


def measure_name(id: str, data: CompiledRuleset) -> str:
    """What a measure is called inside a sentence."""
    name = next((measure.name.get("en") for measure in data.scoring.measures if measure.id == id), None)
    return name[:1].lower() + name[1:] if name else id


def pattern_row(pattern: PatternScore, unit: str, data: CompiledRuleset) -> list[Text | str]:
    """Name, name in its own script, how often, worth, and of what where that is not the unit of the total."""
    times = "" if pattern.times == 1 else f"{show_number(pattern.times)} ×"
    of = measure_name(pattern.measure, data) if pattern.measure not in ("", unit) else ""
    return [pattern.name, Text(other_names(pattern), "dim"), times, show_number(pattern.worth), of]


def other_names(pattern: PatternScore) -> str:
    """What the pattern is called in the other languages of its ruleset."""
    return " ".join(dict.fromkeys(name for name in pattern.names.values() if name != pattern.name))


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
