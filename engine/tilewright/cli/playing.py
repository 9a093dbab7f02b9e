"""What commands that play many games need: players that fit, duels, processes or a cluster, and Ctrl-C."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.problem import Problem
from tilewright.play.rules import Rules
from tilewright.players.player import NoPlayer, player_of
from tilewright.players.simulation.estimates import CONFIDENCE, SHARES, TWICE, Difference, DuelSample
from tilewright.players.simulation.game import compiled_play
from tilewright.presentation.console import counted, table
from tilewright.presentation.scores import heading
from tilewright.presentation.simulation import Simulated, counted_big, decimal, dim, rules_json


def fit_players(rules: Rules, players: Sequence[str]) -> None:
    """Raise CannotBegin if these rules cannot be played, or not with these players."""
    seats = rules.data.seats.count
    if rules.data.play is None:
        raise CannotBegin(
            f"{rules.data.id} says how hands are scored, not how they are played", "it has no phase `deal`"
        )
    if len(players) not in (1, seats):
        hint = "name one for all seats, or one for each: --players careful,fast,..."
        raise CannotBegin(f"{rules.data.id} has {seats} seats, and {len(players)} players are named", hint)
    try:
        for name in dict.fromkeys(players):
            player_of(name, rules, 1).close()
    except NoPlayer as error:
        raise CannotBegin(str(error)) from None


def tell_what_is_not_compiled(rules: Rules, players: Sequence[str], *, logs: bool = False) -> None:
    """Say on stderr why games that compiled play would make fast take longer."""
    if why_not := compiled_play(rules, players, logs=logs).why_not:
        print(f"played move by move, as compiled play does not know {why_not}", file=sys.stderr)


def reported(problems: Mapping[str, int]) -> Iterator[Problem]:
    """What tables and programs reported, with how often."""
    for said, times in sorted(problems.items()):
        yield Problem("reported-in-play", f"{said} (in {counted_big(times, 'hand', 'hands')})", None)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Interrupted:
    """Whether Ctrl-C was pressed (`so`). The second time it ends the command at once."""

    def __init__(self) -> None:
        self.so = False
        self.before: Any = None

    def __enter__(self) -> "Interrupted":
        self.before = signal.signal(signal.SIGINT, self.hear)
        return self

    def hear(self, number: int, frame: FrameType | None) -> None:
        self.so = True
        signal.signal(signal.SIGINT, self.before)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        signal.signal(signal.SIGINT, self.before)


# --- duels


TITLES = {
    "points": "Points a hand",
    "wins": "Hands won",
    "fed": "Dealt into a win",
    "score": "Score at the end",
    "matches_won": "Matches won",
}


def fit_duel(rules: Rules, players: tuple[str, ...], others: str | None, out: str | None) -> None:
    """Raise CannotBegin if these cannot be compared under these rules. `others`: players of all seats; `out`: the file
    of rows; a duel has neither."""
    if len(players) != TWICE or len(set(players)) != TWICE:
        hint = "name two different ones: --duel careful,fast"
        raise CannotBegin(f"a duel is between two players, not {', '.join(players)}", hint)
    if rules.data.seats.count < TWICE:
        raise CannotBegin(f"{rules.data.id} has one seat", "a duel needs two seats or more")
    if others is not None:
        raise CannotBegin("--duel names the players of all seats", "leave out --players")
    if out is not None:
        raise CannotBegin("a duel writes no rows", "leave out --out; --logs keeps its games")
    for player in players:
        fit_players(rules, (player,))


# --- for programs


def duel_json(done: Simulated, sample: DuelSample) -> dict[str, Any]:
    """Plain data (docs/simulate.md, "Duels")."""
    plan, tally = done.plan, done.tally
    return {
        **rules_json(done),
        "seed": plan.seed,
        "first": plan.first // TWICE,
        "match": plan.match,
        "duel": list(sample.players),
        "stopped": done.stopped,
        "deals": sample.deals,
        "games": tally.games,
        "failed": tally.failed,
        "hands": tally.hands,
        "confidence": CONFIDENCE,
        "differences": [difference_json(one, sample) for one in sample.differences(plan.match)],
        "problems": dict(sorted(tally.problems.items())),
        "failures": [{"game": f.game, "seed": f.seed, "error": f.error} for f in tally.failures],
    }


def difference_json(one: Difference, sample: DuelSample) -> dict[str, Any]:
    """What a figure is for each player, in the order of `duel`, and by how much more for the first."""
    return {
        "of": one.key,
        "values": [decimal(one.after), decimal(one.before)],
        "difference": decimal(one.value),
        "low": None if one.low is None else decimal(one.low),
        "high": None if one.high is None else decimal(one.high),
        "found": one.found,
        "at_most": None if one.at_most is None else decimal(one.at_most),
    }


# --- for people


def duel_lines(done: Simulated, sample: DuelSample) -> Iterator[Text]:
    """The duel: what it was, the figures of both players, and which of them is better."""
    yield heading(done.names, done.settings)
    yield Text(f"  {played_text(done, sample)}", "dim")
    differences = sample.differences(done.plan.match)
    if differences:
        head = dim(["", *sample.players, "difference", f"{CONFIDENCE:.0%} interval"])
        yield Text("")
        yield from table([head, *map(row_of, differences)], frozenset({1, 2, 3}))
        yield Text("")
        yield verdict(differences[0], sample.players)
    if done.tally.failed:
        yield Text(f"  {counted(done.tally.failed, 'game')} broke off", "red")


def played_text(done: Simulated, sample: DuelSample) -> str:
    """The games, in a line."""
    plan, deals = done.plan, counted_big(sample.deals, "deal", "deals")
    first = f" from deal {plan.first // TWICE}" if plan.first else ""
    what = "a match begun twice" if plan.match else "played twice"
    return f"{' against '.join(sample.players)}: {deals}, each {what}, with seats exchanged; seed {plan.seed}{first}"


def row_of(one: Difference) -> list[Text | str]:
    """A figure of both players, and their difference."""
    interval = "" if one.low is None or one.high is None else f"{number(one, one.low)} to {number(one, one.high)}"
    if one.at_most is not None:
        interval = f"no deal differed; at most {one.at_most:.1%} do"
    plain = number if one.key not in SHARES else share
    return [TITLES[one.key], plain(one, one.after), plain(one, one.before), number(one, one.value), interval]


def number(one: Difference, value: float) -> str:
    """With its sign; of a share, percentage points."""
    return f"{100 * value:+,.1f}" if one.key in SHARES else f"{value:+,.2f}"


def share(one: Difference, value: float) -> str:
    return f"{value:.1%}"


def verdict(points: Difference, players: tuple[str, str]) -> Text:
    """Which player gains more."""
    if points.at_most is not None:
        return Text("  Both gained the same in every deal", "yellow")
    if points.low is None:
        return Text("  Too few deals to tell who gains more", "yellow")
    if not points.found:
        return Text("  No clear winner: the interval of the points includes 0", "yellow")
    better, worse = players if points.value > 0 else reversed(players)
    return Text(f"  {better} gains more than {worse}", "green")


if TYPE_CHECKING:
    from tilewright.players.simulation.cluster import Cluster

ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Have the workers of this Dask scheduler play: tcp://HOST:8786. The results are the same.",
    ),
]


# --- a cluster


@contextmanager
def cluster_of(address: str | None, jobs: int | None) -> Iterator["Cluster | None"]:
    """The cluster, None if none is named. Raises CannotBegin."""
    if address is None:
        yield None
        return
    if jobs is not None:
        raise CannotBegin(
            "--jobs are processes of this machine, and --cluster has others play", "leave one of them out"
        )
    from tilewright.players.simulation.cluster import NoCluster, cluster_at

    try:
        with cluster_at(address, lambda text: print(text, file=sys.stderr)) as cluster:
            yield cluster
    except NoCluster as error:
        raise CannotBegin(str(error), error.hint) from None
