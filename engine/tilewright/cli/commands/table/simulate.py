"""The command that plays many games between bots."""

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, in_notation, open_rules
from tilewright.base.problem import Problem, WorkLost
from tilewright.cli.arguments import MOST_GAMES, AsJson, HandNotation, Mods, Processes, RulesetName, Sets
from tilewright.cli.command import FINE, PROBLEMS, STOPPED, command
from tilewright.cli.output import show_problems
from tilewright.cli.playing import (
    ClusterAddress,
    Interrupted,
    cluster_of,
    duel_json,
    duel_lines,
    fit_duel,
    fit_players,
    processors,
    reported,
    tell_what_is_not_compiled,
)
from tilewright.cli.progress import Progress, progress_of, speed_text
from tilewright.cli.result_files import STDOUT, ResultFile, results_to
from tilewright.play.rules import Rules
from tilewright.players.player import names_in
from tilewright.players.simulation.estimates import TWICE, DuelSample
from tilewright.players.simulation.rows import Failure
from tilewright.players.simulation.run import Batch, SimulationPlan
from tilewright.players.simulation.run import simulate as games_of
from tilewright.players.simulation.tally import Tally
from tilewright.presentation.console import show
from tilewright.presentation.simulation import Simulated, summary_json, summary_lines

if TYPE_CHECKING:
    from tilewright.players.simulation.cluster import Cluster

PLAYERS = "fast"
LOG_DIGITS = 7  # of the number of a game, in the name of its log


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """The options of the command line. `out`: the file of rows; `logs`: the folder of logs; `players`: as given;
    `cluster`: the address of a scheduler."""

    ruleset: str
    choices: RulesChoice
    plan: SimulationPlan
    jobs: int | None = None
    out: str | None = None
    logs: Path | None = None
    players: str | None = None
    cluster: str | None = None


@command("simulate")
def simulate(
    ruleset: RulesetName,
    *,
    games: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=MOST_GAMES, help="How many games; in a duel deals, each played twice."),
    ] = 1_000,
    seed: Annotated[
        int, typer.Option(metavar="S", help="The seed of all games; the seed of each follows from it.")
    ] = 1,
    first: Annotated[
        int, typer.Option(metavar="I", min=0, help="The number of the first game, or deal; seeds depend on it.")
    ] = 0,
    jobs: Processes = None,
    cluster: ClusterAddress = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="random, fast (the default), careful, strong, command:PROGRAM or mjai:PROGRAM: one for all seats, or"
            " one for each with commas between.",
        ),
    ] = None,
    duel: Annotated[
        str | None,
        typer.Option(
            metavar="ONE,OTHER", help="Compare two players: each deal is played twice, with their seats exchanged."
        ),
    ] = None,
    match: Annotated[bool, typer.Option("--match", help="Play whole matches, not single hands.")] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write a row for each hand: .jsonl or .parquet; - is stdout."),
    ] = None,
    logs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the log of every game to this folder, for replay.")
    ] = None,
    notation: HandNotation = "codes",
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Play many games between bots, and summarise them; or compare two players with --duel.

    Example: tilewright simulate cantonese --games 1000 --seed 7 --out games.jsonl
    """
    plan = SimulationPlan(games, seed, first, names_in(PLAYERS if players is None else players), match, bool(logs))
    if duel is not None:
        plan = duel_plan(plan, duel)
    choices = RulesChoice.of(set_, mod, notation)
    return run_games(SimulateOptions(ruleset, choices, plan, jobs, out, logs, players, cluster), as_json=json)


def duel_plan(plan: SimulationPlan, duel: str) -> SimulationPlan:
    """The games of a duel: as many deals, each of them twice."""
    games, first = TWICE * plan.games, TWICE * plan.first
    return replace(plan, games=games, first=first, players=names_in(duel), duel=True, apart=True)


def run_games(options: SimulateOptions, *, as_json: bool) -> int:
    """Play the games and print their summary."""
    rules = Rules(open_rules(options.ruleset, replace(options.choices, notation="codes")).data)
    spelling = in_notation(rules, options.choices.notation).data.tiles.spelling
    options = replace(options, plan=replace(options.plan, spelling=spelling, lines=options.out is not None))
    plan = options.plan
    if plan.duel:
        fit_duel(rules, plan.players, options.players, options.out)
    else:
        fit_players(rules, plan.players)
    make_folder(options.logs)
    tell_what_is_not_compiled(rules, plan.players, logs=plan.logs)
    tally, started = Tally(), monotonic()
    duel = DuelSample((plan.players[0], plan.players[1])) if plan.duel else None
    with (
        cluster_of(options.cluster, options.jobs) as cluster,
        results_to(options.out, [m.id for m in rules.data.scoring.measures]) as results,
        Interrupted() as interrupted,
    ):
        lost = play(rules, options, results, tally, duel, interrupted, cluster)
    print_speed(tally.games, monotonic() - started)
    done = Simulated(rules.data, options.plan, tally, options.choices.labels, interrupted.so)
    stream = sys.stderr if options.out == STDOUT else sys.stdout
    if as_json:
        found = summary_json(done) if duel is None else duel_json(done, duel)
        stream.write(json.dumps(found, ensure_ascii=False) + "\n")
    else:
        show(summary_lines(done) if duel is None else duel_lines(done, duel), stream)
    broken = (broken_off(failure, options) for failure in tally.failures)
    show_problems([*lost, *broken, *reported(tally.problems)])
    if interrupted.so:
        return STOPPED
    return PROBLEMS if lost or tally.failed or tally.problems else FINE


def make_folder(folder: Path | None) -> None:
    """Make the folder of logs."""
    if folder is not None and not folder.is_dir():
        if not folder.resolve().parent.is_dir():
            raise CannotBegin(f"there is no folder {folder.parent}")
        folder.mkdir()


def play(
    rules: Rules,
    options: SimulateOptions,
    results: ResultFile,
    tally: Tally,
    duel: DuelSample | None,
    interrupted: Interrupted,
    cluster: "Cluster | None",
) -> list[Problem]:
    """Play the games, write their rows and count them; the error that ended it early, if any."""
    plan, jobs = options.plan, min(options.jobs or processors(), options.plan.games)
    if cluster is None:
        played = games_of(rules, plan, jobs, lambda: interrupted.so)
    else:
        played = cluster.simulate(rules, plan, lambda: interrupted.so)
    with closing(played) as games, progress_of(plan.games) as progress:
        try:
            keep(games, options, results, tally, duel, progress)
        except WorkLost as error:
            return [Problem("worker-lost", f"{error}; the {tally.games} games before are kept", None, error.hint)]
    return []


def keep(
    games: Iterator[Batch],
    options: SimulateOptions,
    results: ResultFile,
    tally: Tally,
    duel: DuelSample | None,
    progress: Progress,
) -> None:
    """Write and count the results as they come."""
    for batch in games:
        results.write(batch.lines)
        if options.logs is not None:
            for number, log in batch.logs:
                (options.logs / f"{number:0{LOG_DIGITS}}.jsonl").write_text(log, encoding="utf-8")
        tally.merge(batch.tally)
        if duel is not None and batch.apart is not None:
            duel.extend(batch.apart)
        progress.update(tally.games)


def print_speed(games: int, seconds: float) -> None:
    """Print the speed on stderr: stdout is the same on every machine."""
    games_text = f"{games:,} {'game' if games == 1 else 'games'}"
    print(f"{games_text} in {seconds:,.1f} s, {speed_text(games, seconds)}", file=sys.stderr)


def broken_off(failure: Failure, options: SimulateOptions) -> Problem:
    """A game that broke off, with the command that replays it and keeps its log."""
    message = f"game {failure.game} (seed {failure.seed}) broke off: {failure.error}"
    return Problem("broken-game", message, None, f"play it again: {again(failure.game, options)}")


def again(game: int, options: SimulateOptions) -> str:
    """The command that plays one of the games alone, or both of a deal."""
    plan, choices = options.plan, options.choices
    number = game // TWICE if plan.duel else game  # a deal is played again as a whole
    words = [
        "tilewright",
        "simulate",
        options.ruleset,
        "--games",
        "1",
        "--first",
        str(number),
        "--seed",
        str(plan.seed),
    ]
    words += ["--duel" if plan.duel else "--players", ",".join(plan.players), *(["--match"] if plan.match else [])]
    words += [word for option, value in choices.settings.items() for word in ("--set", f"{option}={value}")]
    words += [word for mod in choices.mods for word in ("--mod", mod)]
    return shlex.join([*words, "--logs", "logs"])
