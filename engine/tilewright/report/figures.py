"""The figures of a report: samples of matches in, frozen data out, which the page shows and `--json` prints
(docs/report.md lists them); and the main ones from single hands, for rules that are being written.

Counts nothing itself: estimates come from `players/simulation/estimates.py`, the summary is that of `simulate`. Of
single hands a tally is enough, since they are independent of each other. Knows no words of a language.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import msgspec

from tilewright.base.version import __version__
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.players.simulation.estimates import (
    CONFIDENCE,
    Balance,
    Difference,
    Estimate,
    GameSample,
    StandsOut,
    balance,
    declared,
    differences,
    mean_of,
    measure_of,
    never,
    ratio,
    share,
    share_of_trials,
)
from tilewright.players.simulation.rows import KINDS
from tilewright.players.simulation.tally import Tally
from tilewright.presentation.names import named
from tilewright.presentation.simulation import Simulated, summary_json
from tilewright.report.playing import SKILLED, PlayedGames, PlayedReport, ReportPlan, Stopped
from tilewright.scoring.case_hands import seat_names

Names = Mapping[str, str]
MOST_BARS = 24  # of a histogram


@dataclass(frozen=True, slots=True)
class RulesFigures:
    """What was played."""

    id: str
    name: Names
    digest: str
    presets: tuple[str, ...]
    mods: tuple[str, ...]
    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndFigure:
    """How hands end: `kind` of a win, or without a winner the phase (`ended`), of all hands. Where several win a hand,
    that it is `won`, and kinds of wins as shares of all wins."""

    kind: str
    ended: str | None
    of_hands: Estimate | None
    of_wins: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram: numbers from `low` up to and with `high`; `won` and `nobody`: hands, or wins and none."""

    low: float
    high: float
    won: int
    nobody: int = 0


@dataclass(frozen=True, slots=True)
class PatternFigure:
    """A pattern: its mean worth in `measure` each time that it counted, or its declared worth if it never did and that
    is a number; `hands`: winning ones with it. `commoner_and_dearer`: patterns of the measure that clearly come more
    often and are worth more; `rarer_and_cheaper`: the opposite."""

    id: str
    name: Names
    measure: str
    worth: float | None
    hands: int
    of_wins: Estimate | None
    commoner_and_dearer: tuple[str, ...] = ()
    rarer_and_cheaper: tuple[str, ...] = ()
    stands_out: StandsOut | None = None


@dataclass(frozen=True, slots=True)
class SeatFigure:
    """A seat in a hand, the dealer's first: wins of hands, points in a hand, hands in which it dealt into a win; and
    the matches won by who had it in the first hand."""

    seat: str
    wins: Estimate
    points: Estimate
    fed: Estimate
    matches: Estimate | None


@dataclass(frozen=True, slots=True)
class LeadFigures:
    """Of matches of several hands: how often the lead changes, and how many are won by who was behind, and by who was
    last, when half of the hands were played."""

    matches: int
    changes: Estimate | None
    behind: Estimate | None
    last: Estimate | None


@dataclass(frozen=True, slots=True)
class OfferFigure:
    """An offer: how often in a hand a seat has it, and how often it is then chosen."""

    id: str
    name: Names
    of_hand: Estimate
    taken: Estimate


@dataclass(frozen=True, slots=True)
class SkillFigure:
    """A player among others: matches won, beside `chance`, and points in a hand."""

    player: str
    others: str
    matches: int
    chance: float
    won: Estimate | None
    points: Estimate | None
    stopped: Stopped


@dataclass(frozen=True, slots=True)
class StandingOut:
    """A pattern that is out of balance under one of two rules or both; None where it is not."""

    id: str
    name: Names
    before: StandsOut | None
    after: StandsOut | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same deals under other rules. `differences`: `KIND` or `KIND.ID`, as in `RATIOS`; `tested`: how many the
    intervals hold for together; `at_most`: where no match differed in anything, the share of matches that may;
    `standing_out`: the patterns out of balance under either of the rules."""

    rules: RulesFigures
    tested: int
    at_most: float | None
    differences: tuple[Difference, ...]
    standing_out: tuple[StandingOut, ...]
    names: Mapping[str, Names]
    summary: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """All of it (docs/report.md)."""

    rules: RulesFigures
    version: str
    seed: int
    players: tuple[str, ...]
    confidence: float
    width: float
    matches: int
    hands: int
    failed: int
    stopped: Stopped
    won: Estimate | None
    drawn: Estimate | None
    length: Estimate | None
    hands_of_match: Estimate | None
    moved: Estimate | None
    unit: str
    value: Estimate | None
    ends: tuple[EndFigure, ...]
    lengths: tuple[Bar, ...]
    values: tuple[Bar, ...]
    patterns: tuple[PatternFigure, ...]
    seats: tuple[SeatFigure, ...]
    lead: LeadFigures
    offers: tuple[OfferFigure, ...]
    skill: tuple[SkillFigure, ...]
    comparison: Comparison | None
    summary: Mapping[str, Any]


def report_of(
    data: CompiledRuleset,
    played: PlayedReport,
    plan: ReportPlan,
    settings: Sequence[str] = (),
    other: tuple[CompiledRuleset, Sequence[str]] | None = None,
) -> Report:
    """The report. `other`: the rules that were compared, and their settings."""
    sample, tally = played.main.sample, played.main.tally
    return Report(
        rules_figures(data, settings),
        __version__,
        plan.seed,
        plan.players,
        CONFIDENCE,
        plan.width,
        sample.games,
        tally.hands,
        tally.failed,
        played.main.stopped,
        share(sample, "won", "hands"),
        share(sample, "drawn", "hands"),
        ratio(sample, "draws", "hands"),
        ratio(sample, "hands", "matches"),
        ratio(sample, "moved", "hands"),
        data.scoring.best,
        ratio(sample, "value", "wins"),
        tuple(ends(sample)),
        lengths(sample),
        values(sample),
        patterns_in_balance(pattern_figures(data, sample, tally)),
        tuple(seats(data, sample)),
        lead(sample),
        tuple(offers(data, sample)),
        tuple(skill(name, games) for name, games in played.skill.items()),
        comparison(data, played, other),
        summary_json(Simulated(data, replace(played.main.plan, games=sample.games), tally, tuple(settings))),
    )


def rules_figures(data: CompiledRuleset, settings: Sequence[str]) -> RulesFigures:
    return RulesFigures(
        data.id, named(data.id, data.name), data.digest, tuple(data.presets), tuple(data.mods), tuple(settings)
    )


# --- hands


def ends(sample: GameSample) -> Iterator[EndFigure]:
    """How hands end, and where several win a hand, how they win."""
    several = sample.total("wins") > sample.total("won")
    if several and (won := share(sample, "won", "hands")):
        yield EndFigure("won", None, won)
    for kind in KINDS:
        if f"win.{kind}" not in sample.columns:
            continue
        if found := share(sample, f"win.{kind}", "wins" if several else "hands"):
            yield EndFigure(kind, None, None if several else found, found if several else None)
    for phase in sample.keys("ended."):
        if found := share(sample, f"ended.{phase}", "hands"):
            yield EndFigure("nobody", phase, found)


def lengths(sample: GameSample) -> tuple[Bar, ...]:
    """Hands by the tiles drawn in them."""
    counts: dict[float, list[int]] = {}
    for key, count in sample.totals.items():
        if key.startswith("drawn_tiles."):
            _, number, how = key.split(".")
            counts.setdefault(float(number), [0, 0])[how == "nobody"] += count
    return histogram({number: (won, nobody) for number, (won, nobody) in counts.items()})


def values(sample: GameSample) -> tuple[Bar, ...]:
    """Wins by what they were worth: each amount has a bar, or amounts next to each other if there are many."""
    counts = {float(key.removeprefix("total.")): (n, 0) for key, n in sample.totals.items() if key.startswith("total.")}
    if len(counts) <= MOST_BARS:
        return tuple(Bar(number, number, *counts[number]) for number in sorted(counts))
    return histogram(counts)


def histogram(counts: Mapping[float, tuple[int, int]]) -> tuple[Bar, ...]:
    """Bars of equal width, a whole number, over all numbers."""
    if not counts:
        return ()
    low, high = int(min(counts) // 1), max(counts)
    width = -int(-(high - low + 1) // MOST_BARS)
    width = next(one for one in widths() if one >= width)
    bars = []
    for start in range(low - low % width, int(high) + 1, width):
        inside = [both for number, both in counts.items() if start <= number < start + width]
        bars.append(Bar(start, start + width - 1, sum(won for won, _ in inside), sum(none for _, none in inside)))
    return tuple(bars)


def widths() -> Iterator[int]:
    """1 2 5 10 20 50 ..."""
    size = 1
    while True:
        yield from (size, 2 * size, 5 * size)
        size *= 10


# --- patterns


def pattern_figures(data: CompiledRuleset, sample: GameSample, tally: Tally) -> list[PatternFigure]:
    """Every pattern, the most frequent first."""
    found = [
        pattern_figure(data, pattern, tally, share(sample, f"pattern.{pattern.id}", "wins"))
        for pattern in data.patterns
    ]
    return sorted(found, key=lambda one: -one.hands)


def pattern_figure(data: CompiledRuleset, pattern: Pattern, tally: Tally, of_wins: Estimate | None) -> PatternFigure:
    """Worth in the measure of the total if it has one there, else in its first, as in scores."""
    measure = measure_of(pattern, data.scoring.best)
    counted = tally.patterns.get(pattern.id)
    worth = declared(pattern, measure) if counted is None else float(Fraction(counted.worth) / counted.times)
    return PatternFigure(
        pattern.id, named(pattern.id, pattern.name), measure, worth, counted.hands if counted else 0, of_wins
    )


def patterns_in_balance(found: Sequence[PatternFigure]) -> tuple[PatternFigure, ...]:
    """The patterns, each with those of its measure beside which it is too cheap or too dear for how often it comes."""
    return tuple(in_balance(one, balance(one, found)) for one in found)


def in_balance(one: PatternFigure, beside: Balance) -> PatternFigure:
    return replace(
        one,
        commoner_and_dearer=beside.commoner_and_dearer,
        rarer_and_cheaper=beside.rarer_and_cheaper,
        stands_out=beside.stands_out,
    )


# --- seats, matches, offers, skill


def seats(data: CompiledRuleset, sample: GameSample) -> Iterator[SeatFigure]:
    """Every seat that was played."""
    for seat, name in enumerate(seat_names(data)[: data.seats.count]):
        hands = f"seat.{seat}.hands"
        wins, fed = share(sample, f"seat.{seat}.wins", hands), share(sample, f"seat.{seat}.fed", hands)
        points = ratio(sample, f"seat.{seat}.gain", hands)
        if wins and fed and points:
            yield SeatFigure(name, wins, points, fed, share(sample, f"player.{seat}.won", "matches"))


def lead(sample: GameSample) -> LeadFigures:
    """How the lead goes."""
    return LeadFigures(
        int(sample.total("long")),
        ratio(sample, "lead_changes", "long"),
        share(sample, "behind", "long"),
        share(sample, "last", "long"),
    )


def offers(data: CompiledRuleset, sample: GameSample) -> Iterator[OfferFigure]:
    """Every offer that some seat had, in the order of the rules."""
    for offer in data.play.offers.values() if data.play else ():
        of_hand = ratio(sample, f"offered.{offer.id}", "hands")
        taken = share(sample, f"taken.{offer.id}", f"offered.{offer.id}")
        if of_hand and taken:
            yield OfferFigure(offer.id, named(offer.id, offer.name), of_hand, taken)


def skill(others: str, games: PlayedGames) -> SkillFigure:
    """A strong player among others."""
    name, sample = f"name.{SKILLED}", games.sample
    return SkillFigure(
        SKILLED,
        others,
        sample.games,
        1 / len(games.plan.players),
        share(sample, f"{name}.won", f"{name}.games"),
        ratio(sample, f"{name}.gains", f"{name}.hands"),
        games.stopped,
    )


# --- comparison


def comparison(
    data: CompiledRuleset, played: PlayedReport, other: tuple[CompiledRuleset, Sequence[str]] | None
) -> Comparison | None:
    """What the other rules change."""
    if other is None or played.compared is None:
        return None
    rules, settings = other
    found = differences(played.main.sample, played.compared.sample, ratios(data, rules))
    summary = summary_json(
        Simulated(rules, replace(played.compared.plan, games=played.compared.sample.games), played.compared.tally)
    )
    main, compared = played.main, played.compared
    tested = [one for one in found if one.tested]
    same = bool(tested) and all(one.at_most is not None for one in tested)
    return Comparison(
        rules_figures(rules, settings),
        len(tested),
        never(main.sample.games, CONFIDENCE) if same else None,
        tuple(found),
        tuple(
            standing_out(
                patterns_in_balance(pattern_figures(data, main.sample, main.tally)),
                patterns_in_balance(pattern_figures(rules, compared.sample, compared.tally)),
            )
        ),
        {**names_of(rules), **names_of(data)},
        summary,
    )


def standing_out(before: Sequence[PatternFigure], after: Sequence[PatternFigure]) -> Iterator[StandingOut]:
    """The patterns that stand out before or after, those before first."""
    first, second = ({one.id: one for one in figures} for figures in (before, after))
    for id, one in {**second, **first}.items():
        how = [figures[id].stands_out if id in figures else None for figures in (first, second)]
        if any(how):
            yield StandingOut(id, one.name, *how)


def names_of(data: CompiledRuleset) -> dict[str, Names]:
    """Names of what differences are of."""
    offers = data.play.offers.values() if data.play else ()
    return {
        **{f"pattern.{one.id}": named(one.id, one.name) for one in data.patterns},
        **{f"taken.{one.id}": named(one.id, one.name) for one in offers},
        **{f"seat_{kind}.{seat}": {"en": seat} for kind in ("wins", "points") for seat in seat_names(data)},
    }


def ratios(before: CompiledRuleset, after: CompiledRuleset) -> list[tuple[str, str, str]]:
    """What is compared: its name, and the two sums that it is the ratio of."""
    seats = seat_names(before)[: min(before.seats.count, after.seats.count)]
    patterns = dict.fromkeys(one.id for data in (before, after) for one in data.patterns)
    offers = dict.fromkeys(id for data in (before, after) if data.play for id in data.play.offers)
    return [
        ("drawn", "drawn", "hands"),
        *((f"win.{kind}", f"win.{kind}", "hands") for kind in KINDS),
        ("length", "draws", "hands"),
        ("hands_of_match", "hands", "matches"),
        ("value", "value", "wins"),
        ("moved", "moved", "hands"),
        *((f"seat_wins.{name}", f"seat.{seat}.wins", "hands") for seat, name in enumerate(seats)),
        *((f"seat_points.{name}", f"seat.{seat}.gain", "hands") for seat, name in enumerate(seats)),
        ("lead_changes", "lead_changes", "long"),
        ("behind", "behind", "long"),
        *((f"pattern.{id}", f"pattern.{id}", "wins") for id in patterns),
        *((f"taken.{id}", f"taken.{id}", f"offered.{id}") for id in offers),
    ]


# --- as plain data


DIGITS = 6  # decimals


def report_json(report: Report) -> dict[str, Any]:
    """Plain data, numbers rounded."""
    found: dict[str, Any] = rounded(msgspec.to_builtins(report))
    return found


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def quick_json(data: CompiledRuleset, tally: Tally) -> dict[str, Any]:
    """Estimates of hands won, and by seat of wins and points; the patterns that stand out, and beside how many."""
    wins = sum(tally.wins.values())
    found = [
        pattern_figure(data, pattern, tally, share_of_trials(count_of(tally, pattern.id), wins))
        for pattern in data.patterns
    ]
    balanced = [one for one in patterns_in_balance(found) if one.stands_out]
    names = seat_names(data)
    return rounded(  # type: ignore[no-any-return]
        {
            "won": msgspec.to_builtins(share_of_trials(tally.won, tally.hands)),
            "seats": [
                {
                    "seat": names[seat],
                    "wins": msgspec.to_builtins(share_of_trials(sum(side.wins.values()), tally.hands)),
                    "points": msgspec.to_builtins(mean_of(side.gains)),
                }
                for seat, side in sorted(tally.seats.items())
            ],
            "standing_out": [
                {
                    "id": one.id,
                    "stands_out": one.stands_out,
                    "beside": max(len(one.commoner_and_dearer), len(one.rarer_and_cheaper)),
                }
                for one in balanced
            ],
        }
    )


def count_of(tally: Tally, pattern: str) -> int:
    """The winning hands with a pattern."""
    return tally.patterns[pattern].hands if pattern in tally.patterns else 0
