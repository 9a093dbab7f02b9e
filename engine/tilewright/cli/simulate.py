"""`simulate`: bots against bots, many games. A row for each hand goes to a file, a summary of all to stdout; how far
and how fast it is stands on stderr.

Ctrl-C ends the games that are under way and keeps those before them. Knows no rule and plays nothing itself.
"""

import json
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import FrameType, TracebackType
from typing import Any

from tilewright.authoring.open_rules import Choices, open_rules, show_problems
from tilewright.base.problem import Problem
from tilewright.cli.progress import Progress, progress_of, speed_text
from tilewright.cli.simulate_files import STDOUT, Results, results_to
from tilewright.play.rules import Rules
from tilewright.players.player import NoPlayer, names_in, player_of
from tilewright.players.simulation.rows import Failure
from tilewright.players.simulation.run import Batch, Plan, WorkerLost, simulate
from tilewright.players.simulation.tally import Tally
from tilewright.presentation.console import show
from tilewright.presentation.exits import FINE, PROBLEMS, STOPPED, Unusable
from tilewright.presentation.simulation import Simulated, summary_json, summary_lines

LOG_DIGITS = 7  # of the number of a game, in the name of its log


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for on the command line. `out`: the file of rows; `logs`: the folder of logs."""

    ruleset: str
    choices: Choices
    plan: Plan
    jobs: int | None = None
    out: str | None = None
    logs: Path | None = None


def plan_of(games: int, seed: int, first: int, players: str, *, match: bool, logs: bool) -> Plan:
    """The plan that the command line says."""
    return Plan(games, seed, first, names_in(players), match, logs)


def simulate_command(asked: Asked, *, as_json: bool) -> int:
    """Play the games and print their summary; the exit code is 1 if a game broke off or the table reported problems."""
    rules = Rules(open_rules(asked.ruleset, asked.choices).data)
    fit_players(rules, asked.plan)
    make_folder(asked.logs)
    tally, started = Tally(), monotonic()
    with results_to(asked.out, [m.id for m in rules.data.scoring.measures]) as results, Interrupted() as interrupted:
        lost = play(rules, asked, results, tally, interrupted)
    tell_speed(tally.games, monotonic() - started)
    done = Simulated(rules.data, asked.plan, tally, asked.choices.said, interrupted.so)
    stream = sys.stderr if asked.out == STDOUT else sys.stdout
    if as_json:
        stream.write(json.dumps(summary_json(done), ensure_ascii=False) + "\n")
    else:
        show(summary_lines(done), stream)
    show_problems([*lost, *(broken_off(failure, asked) for failure in tally.failures)])
    if interrupted.so:
        return STOPPED
    return PROBLEMS if lost or tally.failed or tally.problems else FINE


def fit_players(rules: Rules, plan: Plan) -> None:
    """Raise Unusable where nobody can play by these rules, or not by these players."""
    seats = rules.data.seats.count
    if rules.data.play is None:
        raise Unusable(f"{rules.data.id} says how hands are scored, not how they are played", "it has no phase `deal`")
    if len(plan.players) not in (1, seats):
        hint = "name one for all seats, or one for each: --players careful,fast,..."
        raise Unusable(f"{rules.data.id} has {seats} seats, and {len(plan.players)} players are named", hint)
    try:
        for name in dict.fromkeys(plan.players):
            player_of(name, rules, plan.seed).close()
    except NoPlayer as error:
        raise Unusable(str(error)) from None


def make_folder(folder: Path | None) -> None:
    """The folder of logs is there."""
    if folder is not None and not folder.is_dir():
        if not folder.resolve().parent.is_dir():
            raise Unusable(f"there is no folder {folder.parent}")
        folder.mkdir()


def play(rules: Rules, asked: Asked, results: Results, tally: Tally, interrupted: "Interrupted") -> list[Problem]:
    """Play the games, write their rows and count them; what ended it too early, if anything did."""
    jobs = min(asked.jobs or processors(), asked.plan.games)
    with (
        closing(simulate(rules, asked.plan, jobs, lambda: interrupted.so)) as games,
        progress_of(asked.plan.games) as progress,
    ):
        try:
            keep(games, asked, results, tally, progress)
        except WorkerLost as error:
            hint = "give it fewer --jobs, or more memory"
            return [Problem("worker-lost", f"{error}; the {tally.games} games before are kept", None, hint)]
    return []


def keep(games: Iterator[Batch], asked: Asked, results: Results, tally: Tally, progress: Progress) -> None:
    """Write what comes, and count it."""
    for batch in games:
        results.write(batch.lines)
        if asked.logs is not None:
            for number, log in batch.logs:
                (asked.logs / f"{number:0{LOG_DIGITS}}.jsonl").write_text(log, encoding="utf-8")
        tally.merge(batch.tally)
        progress.tell(tally.games)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Interrupted:
    """Whether Ctrl-C was pressed, `so`. The second time it ends the command at once."""

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


def tell_speed(games: int, seconds: float) -> None:
    """How fast it was, on stderr: what stands on stdout is the same on every machine."""
    games_text = f"{games:,} {'game' if games == 1 else 'games'}"
    print(f"{games_text} in {seconds:,.1f} s, {speed_text(games, seconds)}", file=sys.stderr)


def broken_off(failure: Failure, asked: Asked) -> Problem:
    """A game that broke off, with the command that plays it again and keeps its log."""
    message = f"game {failure.game} (seed {failure.seed}) broke off: {failure.error}"
    return Problem("broken-game", message, None, f"play it again: {again(failure.game, asked)}")


def again(game: int, asked: Asked) -> str:
    """The command that plays one of the games alone."""
    plan, choices = asked.plan, asked.choices
    words = ["tilewright", "simulate", asked.ruleset, "--games", "1", "--first", str(game), "--seed", str(plan.seed)]
    words += ["--players", ",".join(plan.players), *(["--match"] if plan.match else [])]
    words += [word for option, value in choices.settings.items() for word in ("--set", f"{option}={value}")]
    words += [word for mod in choices.mods for word in ("--mod", mod)]
    return shlex.join([*words, "--logs", "logs"])
