"""The summary of a simulation: a tally in, tables for people or one JSON object out. Counts nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.players.simulation.rows import KINDS
from tilewright.players.simulation.run import SimulationPlan
from tilewright.players.simulation.tally import PatternTally, SideTally, Spread, Tally
from tilewright.presentation.console import Row, counted, table
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import heading
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.score import json_number

CALLED = {"self_draw": "by self-draw", "discard": "on a discard", "robbed": "robbed"}
DIGITS = 6  # decimals in JSON


@dataclass(frozen=True, slots=True)
class Simulated:
    """A simulation and its result. `settings`: as given; `stopped`: by Ctrl-C; `again`: the command that replays a
    game, without its number."""

    data: CompiledRuleset
    plan: SimulationPlan
    tally: Tally
    settings: tuple[str, ...] = ()
    stopped: bool = False

    @property
    def names(self) -> RulesetNames:
        return RulesetNames(self.data)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        names = self.plan.players
        return names if len(names) > 1 else names * self.data.seats.count

    @property
    def drawn(self) -> int:
        """Hands without a winner."""
        return self.tally.hands - self.tally.won

    @property
    def never(self) -> list[Pattern]:
        """Patterns that counted in no winning hand."""
        return [pattern for pattern in self.data.patterns if pattern.id not in self.tally.patterns]

    @property
    def came(self) -> list[tuple[Pattern, PatternTally]]:
        """The others, the most frequent first."""
        tallies = self.tally.patterns
        found = [(pattern, tallies[pattern.id]) for pattern in self.data.patterns if pattern.id in tallies]
        return sorted(found, key=lambda pair: -pair[1].hands)


# --- for programs


def rules_json(done: Simulated) -> dict[str, Any]:
    """The rules that were simulated."""
    data = done.data
    presets, mods = list(data.presets), list(data.mods)
    return {"ruleset": data.id, "presets": presets, "mods": mods, "settings": list(done.settings)}


def summary_json(done: Simulated) -> dict[str, Any]:
    """Plain data (docs/simulate.md, "The summary")."""
    data, plan, tally = done.data, done.plan, done.tally
    names = seat_names(data)
    return {
        **rules_json(done),
        "seed": plan.seed,
        "first": plan.first,
        "match": plan.match,
        "players": list(done.players),
        "stopped": done.stopped,
        "games": tally.games,
        "failed": tally.failed,
        "hands": tally.hands,
        "won": tally.won,
        "ended": dict(sorted(tally.ended.items())),
        "wins": kinds_json(tally.wins),
        "length": spread_json(tally.length),
        "length_of_won": spread_json(tally.length_of_won),
        "decisions": spread_json(tally.decisions),
        "hands_of_game": spread_json(tally.hands_of_game),
        "value": {"unit": data.scoring.best, **spread_json(tally.value)},
        "by_seat": [{"seat": names[seat], **side_json(side)} for seat, side in sorted(tally.seats.items())],
        "by_player": [
            {
                "player": player,
                "name": done.players[player],
                **side_json(side),
                "score": spread_json(score_of(done, player)),
            }
            for player, side in sorted(tally.players.items())
        ],
        "patterns": [pattern_json(pattern, tallied) for pattern, tallied in done.came],
        "never": [pattern.id for pattern in done.never],
        "offers": [
            {"id": id, "offered": offered, "taken": tally.taken[id]} for id, offered in sorted(tally.offered.items())
        ],
        "problems": dict(sorted(tally.problems.items())),
        "failures": [{"game": f.game, "seed": f.seed, "error": f.error} for f in tally.failures],
    }


def kinds_json(wins: "dict[str, int]") -> dict[str, int]:
    return {kind: wins.get(kind, 0) for kind in KINDS}


def side_json(side: SideTally) -> dict[str, Any]:
    return {"wins": kinds_json(side.wins), "fed": side.fed, "points": spread_json(side.gains)}


def pattern_json(pattern: Pattern, tallied: PatternTally) -> dict[str, Any]:
    """How often it counted; mean worth and gain of these hands."""
    return {
        "id": pattern.id,
        "name": name_of(pattern),
        "hands": tallied.hands,
        "times": json_number(tallied.times),
        "worth": decimal(tallied.worth / tallied.hands),
        "gain": decimal(tallied.gain / tallied.hands),
    }


def spread_json(spread: Spread) -> dict[str, Any]:
    return {
        "mean": decimal(spread.mean),
        "deviation": decimal(spread.deviation),
        "least": None if spread.least is None else json_number(spread.least),
        "most": None if spread.most is None else json_number(spread.most),
    }


def decimal(number: Any) -> float:
    return round(float(number), DIGITS)


def score_of(done: Simulated, player: int) -> Spread:
    return done.tally.scores.get(player, Spread())


def name_of(pattern: Pattern) -> str:
    return pattern.name.get("en") or next(iter(pattern.name.values()), pattern.id)


# --- for people


def summary_lines(done: Simulated) -> Iterator[Text]:
    """The summary, part by part."""
    yield heading(done.names, done.settings)
    yield Text(f"  {played_text(done)}", "dim")
    if done.tally.hands:
        for part in (hands_table, sides_tables, patterns_table):
            yield Text("")
            yield from part(done)
        yield from never_lines(done)
    yield from problem_lines(done)


def played_text(done: Simulated) -> str:
    """The game and the players, in a line."""
    tally, plan = done.tally, done.plan
    games = counted_big(tally.games, "match" if plan.match else "game", "matches" if plan.match else "games")
    hands = f", {counted_big(tally.hands, 'hand', 'hands')}" if plan.match else ""
    by = ", ".join(done.players if len(set(done.players)) > 1 else done.players[:1])
    return f"{games}{hands} of {by}, seed {plan.seed}{f' from game {plan.first}' if plan.first else ''}"


def counted_big(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def hands_table(done: Simulated) -> list[Text]:
    """How hands ended, how long they were and what they were worth. Kinds of wins are shares of all wins: a hand may
    have several."""
    tally = done.tally
    wins = sum(tally.wins.values())
    rows: list[Row] = [["Won", f"{tally.won:,}", percent(tally.won, tally.hands)]]
    rows.append(["Without a winner", f"{done.drawn:,}", percent(done.drawn, tally.hands), ended_text(done)])
    if wins:
        several = f"{wins / tally.won:,.2f} a hand that was won" if wins > tally.won else ""
        rows.append(["Wins", f"{wins:,}", "", several])
    rows += [
        [f"  {CALLED[kind]}", f"{tally.wins[kind]:,}", percent(tally.wins[kind], wins), "of wins"]
        for kind in KINDS
        if tally.wins[kind]
    ]
    rows.append(["Tiles drawn", mean(tally.length), around(tally.length), f"{mean(tally.length_of_won)} in hands won"])
    rows.append(["Decisions", mean(tally.decisions), around(tally.decisions)])
    if done.plan.match:
        rows.append(["Hands of a match", mean(tally.hands_of_game), around(tally.hands_of_game)])
    if tally.value.count:
        unit = done.names.measure(done.data.scoring.best)
        rows.append(["Worth of a win", mean(tally.value), around(tally.value), f"{unit}, {bounds(tally.value)}"])
    return table(rows, frozenset({1, 2}))


def ended_text(done: Simulated) -> str:
    """The phases that ended hands without a winner."""
    ended = sorted(done.tally.nobody.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{phase} {number:,}" if len(ended) > 1 else phase for phase, number in ended)


def sides_tables(done: Simulated) -> Iterator[Text]:
    """Seats, and players where these are not the same."""
    names = seat_names(done.data)
    seats = sorted(done.tally.seats.items())
    yield from sides_table("Seat", [(names[seat], side) for seat, side in seats], done)
    if done.plan.match or len(set(done.players)) > 1:
        yield Text("")
        players = sorted(done.tally.players.items())
        named = [(f"{player + 1} {done.players[player]}", side) for player, side in players]
        yield from sides_table("Player", named, done, done.plan.match)


def sides_table(
    title: str, sides: Sequence[tuple[str, SideTally]], done: Simulated, scores: bool = False
) -> list[Text]:
    kinds = [kind for kind in KINDS if done.tally.wins[kind]]
    head = [title, "wins", "", *(CALLED[kind] for kind in kinds), "fed", "points a hand", "±"]
    rows: list[Row] = [dim([*head, *(["score at the end", "±"] if scores else [])])]
    for player, (name, side) in enumerate(sides):
        wins = sum(side.wins.values())
        score = score_of(done, player)
        rows.append(
            [
                name,
                f"{wins:,}",
                percent(wins, done.tally.hands),
                *(f"{side.wins[kind]:,}" for kind in kinds),
                f"{side.fed:,}",
                signed_mean(side.gains),
                deviation(side.gains),
                *([mean(score), deviation(score)] if scores else []),
            ]
        )
    return table(rows, frozenset(range(1, len(head) + 2)))


def patterns_table(done: Simulated) -> list[Text]:
    """Every pattern that counted: in how many winning hands, its worth there and their gains."""
    wins = sum(done.tally.wins.values())
    rows: list[Row] = [dim(["Pattern", "hands", "of wins", "worth", "gain"])]
    for pattern, tallied in done.came:
        worth, gain = tallied.worth / tallied.hands, tallied.gain / tallied.hands
        share = percent(tallied.hands, wins)
        rows.append([name_of(pattern), f"{tallied.hands:,}", share, f"{float(worth):,.2f}", f"{float(gain):+,.1f}"])
    return table(rows, frozenset({1, 2, 3, 4}), fold_first=True)


def never_lines(done: Simulated) -> Iterator[Text]:
    """Patterns that never counted."""
    if done.never:
        names = ", ".join(map(name_of, done.never))
        yield Text("")
        yield Text.assemble((f"  Never came ({len(done.never)}): ", "dim"), names)


def problem_lines(done: Simulated) -> Iterator[Text]:
    """Problems that the table reported, and games that broke off."""
    tally = done.tally
    if tally.problems:
        yield Text("")
        yield Text("  Reported", "yellow")
        yield from table(
            [[f"{number:,}", problem] for problem, number in sorted(tally.problems.items())], frozenset({0})
        )
    if tally.failed:
        yield Text("")
        yield Text(f"  {counted(tally.failed, 'game')} broke off", "red")


def dim(cells: Sequence[str]) -> list[Text]:
    return [Text(cell, "dim") for cell in cells]


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else ""


def mean(spread: Spread) -> str:
    return f"{spread.mean:,.1f}"


def signed_mean(spread: Spread) -> str:
    return f"{spread.mean:+,.2f}"


def deviation(spread: Spread) -> str:
    return f"{spread.deviation:,.1f}"


def around(spread: Spread) -> str:
    return f"± {deviation(spread)}"


def bounds(spread: Spread) -> str:
    if spread.least is None or spread.most is None:
        return ""
    return f"{float(spread.least):,g} to {float(spread.most):,g}"
