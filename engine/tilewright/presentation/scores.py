"""Scores and standings as the lines that people read. Knows how things look, not how they came about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.text import Text

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.model.results import HandResult, Won
from tilewright.play.standings import leaders, standings
from tilewright.presentation.console import Row, table
from tilewright.presentation.line import WHO, SeatSlot, Slot, TilesSlot, ToldLine
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.score import Number, PatternScore, Score, show_number

STANDINGS = frozenset({1, 2, 3})  # columns of numbers: hands won in the round, points, hands won
RIGHT = frozenset({2, 3})  # columns of numbers: how often, worth
RULE = "─"
TOTAL = "Total"


def headed(data: CompiledRuleset, lines: Iterable[Text], settings: Sequence[str] = ()) -> Iterator[Text]:
    """The lines under the name of the ruleset, its presets and mods and its chosen settings."""
    yield heading(data, settings)
    yield from lines


def heading(data: CompiledRuleset, settings: Sequence[str], style: str = "bold") -> Text:
    """The name of a ruleset with its presets and mods and its chosen settings."""
    name = data.name.get("en") or data.id
    more = "".join([*(f" + {one}" for one in (*data.presets, *data.mods)), *(f"  {setting}" for setting in settings)])
    return Text.assemble((name, style), (more, "dim"))


def score_lines(score: Score, data: CompiledRuleset) -> Iterator[Text]:
    """A score: its reading, its patterns with their worth, the total, the payments."""
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
    """The table of patterns with the total below, as in a bill."""
    rows: list[list[Text | str]] = [pattern_row(pattern, score.unit, data) for pattern in score.patterns]
    total = Text(show_number(score.total), "bold green" if score.win else "bold")
    unit = measure_name(score.unit, data)
    name, own = called(score)
    total_name = Text(f"{TOTAL}  {name}".rstrip(), "bold")
    rows.append([total_name, Text(own, "dim"), "", total, Text("" if unit == TOTAL.lower() else unit, "bold")])
    lines = table(rows, RIGHT)
    yield from lines[:-1]
    if score.patterns:
        yield Text("  " + RULE * (max(line.cell_len for line in lines) - 2), "dim")
    yield lines[-1]


def values_lines(score: Score, data: CompiledRuleset) -> Iterator[Text]:
    """Every measure that is not zero, if there are several, and the payments."""
    inner = {measure.id for measure in data.scoring.measures if measure.inner}
    if len(score.values.keys() - inner) > 1:
        shown = {id: number for id, number in score.values.items() if id not in inner and (number or id == score.unit)}
        yield Text("  " + "  ".join(f"{measure_name(id, data)} {show_number(n)}" for id, n in shown.items()), "dim")
    if score.payments:
        yield payments_line(score.payments)


def called(score: Score) -> tuple[str, str]:
    """The name of the amount, and its names in the other languages of the ruleset."""
    names = score.called
    name = names.get("en") or next(iter(names.values()), "")
    return name, " ".join(dict.fromkeys(other for other in names.values() if other != name))


def measure_name(id: str, data: CompiledRuleset) -> str:
    """The name of a measure inside a sentence."""
    name = next((measure.name.get("en") for measure in data.scoring.measures if measure.id == id), None)
    return name[:1].lower() + name[1:] if name else id


def pattern_row(pattern: PatternScore, unit: str, data: CompiledRuleset) -> list[Text | str]:
    """Name, name in its own script, how often, worth, and its unit if that is not the unit of the total."""
    times = "" if pattern.times == 1 else f"{show_number(pattern.times)} ×"
    of = measure_name(pattern.measure, data) if pattern.measure not in ("", unit) else ""
    return [pattern.name, Text(other_names(pattern), "dim"), times, show_number(pattern.worth), of]


def other_names(pattern: PatternScore) -> str:
    """The names of the pattern in the other languages of its ruleset."""
    return " ".join(dict.fromkeys(name for name in pattern.names.values() if name != pattern.name))


def payments_line(payments: Mapping[str, Number]) -> Text:
    """What each seat gains or pays."""
    line = Text("  ")
    for seat, gain in payments.items():
        line.append(f"{seat} ").append(signed(gain), "green" if gain > 0 else "red" if gain < 0 else "").append("   ")
    line.rstrip()
    return line


def signed(number: Number) -> str:
    return f"+{show_number(number)}" if number > 0 else show_number(number)


# --- how a hand ended


def won_line(won: Won, result: HandResult, seats: Sequence[str], tile: str | None = None) -> ToldLine:
    """Who won, with which tile if it is shown, and whose it was. `seats`: their names."""

    def seat(at: int) -> SeatSlot:
        return SeatSlot(seats[at], result.player(at))

    fed = won.situation.discarder
    how = "from" if fed is not None else "self_draw" if won.situation.self_draw else "somehow"
    slots: dict[str, Slot] = {
        WHO: seat(won.seat),
        "tile": None if tile is None else TilesSlot((tile,), 1),
        "whom": None if fed is None else seat(fed),
    }
    return ToldLine(f"results.won_{how}", slots)


# --- standings


def round_lines(
    result: HandResult, results: Sequence[HandResult], wording: RulesetNames, names: Sequence[str]
) -> list[Text]:
    """The standings after a hand of a match; nothing if the ruleset does not show them. `names`: of the players."""
    if not wording.play.match.standings:
        return []
    standing = standings(results, result)
    first = leaders(standing)
    rows: list[Row] = [["", "won", "points", f"won in the {wording.level('all')}", ""]]
    for player, one in enumerate(standing):
        leads = Text("leads" if player in first else "", "green")
        rows.append([names[player], str(one.won_in_round), signed(one.gained_in_round), str(one.won), leads])
    return [Text(f"{wording.level('round')} {result.round + 1}", "bold"), *table(rows, STANDINGS)]
