"""Simulation: many games between bots, over processes; the result does not depend on the number of processes.

In: rules and a plan; out: batches, in the order of the games. The seed of a game follows from the seed of the plan and
the number of the game, and from nothing else. Knows no files and no screen.
"""

import multiprocessing
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from time import monotonic
from typing import Any

from tilewright.base.collector import collect_rarely
from tilewright.base.compute.kernels import prepare
from tilewright.base.processes import deaf, pool_of, serve_parent
from tilewright.play.rules import Rules
from tilewright.players.simulation.compiled import compiled_play
from tilewright.players.simulation.duel import TWICE
from tilewright.players.simulation.game import FinishedGame, Stopped, Stops
from tilewright.players.simulation.sums import Sums, sums_of
from tilewright.players.simulation.tally import Tally
from tilewright.tiles.tileset import Spelling

SEED_BITS = 53  # that every JSON reader reads exactly
SECONDS = 0.25  # that a batch should take
MOST_GAMES = 2_000  # in a batch
MANY_GAMES = 5_000  # are worth some seconds to compile kernels
FASTER = 4  # times as many games as in the batch before, at most
AHEAD = 3  # queued batches for each process
PATIENCE = 0.1  # seconds between two checks whether to stop


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What is played: games `first` to `first + games - 1` of the seed. `players`: one for each seat, or one for all;
    `match`: a game is a whole match, and not one hand; `logs`: keep the log of every game; `spelling`: of tiles in
    rows, if not by code; `rotate`: the players move up a place with each game, so that in as many games as there are
    seats each sits everywhere; `duel`: two players, who play each deal twice with seats exchanged; `apart`: give the
    sums of each game, with its tally, in place of its lines."""

    games: int
    seed: int = 1
    first: int = 0
    players: tuple[str, ...] = ("fast",)
    match: bool = False
    logs: bool = False
    spelling: Spelling | None = None
    rotate: bool = False
    duel: bool = False
    apart: bool = False

    @property
    def end(self) -> int:
        return self.first + self.games

    def seed_of(self, number: int) -> int:
        """The seed of a game; both games of a deal have the same."""
        return seed_of(self.seed, number // TWICE if self.duel else number)


@dataclass(frozen=True, slots=True)
class GameApart:
    """What one game comes to."""

    sums: Sums
    tally: Tally


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive games: a line of JSON for each of their hands, or each game `apart`; their tally, and the requested
    logs, by game."""

    games: int
    lines: tuple[str, ...]
    tally: Tally
    logs: tuple[tuple[int, str], ...] = ()
    seconds: float = 0.0
    apart: tuple[GameApart, ...] = ()


Batches = Generator[Batch, None, None]


class SimulationLost(Exception):
    """A process ended during its games: it was killed, or ran out of memory."""


def seed_of(seed: int, game: int) -> int:
    """The seed of a game."""
    digest = sha256(f"game/{seed}/{game}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS)


def simulate(rules: Rules, plan: SimulationPlan, jobs: int = 1, stops: Stops = lambda: False) -> Batches:
    """The games of the plan in their order: all of them, or the first ones where `stops` says to stop. With several
    jobs every process imports the program's main module, which has to allow for that. Raises WorkerLost."""
    return alone(rules, plan, stops) if jobs == 1 else together(rules, plan, jobs, stops)


# --- one process


def alone(rules: Rules, plan: SimulationPlan, stops: Stops) -> Batches:
    """Every game as a batch."""
    played = played_by(rules, plan, stops)
    try:
        for number in range(plan.first, plan.end):
            yield batch_of(played, plan, range(number, number + 1))
    except Stopped:
        return


def played_by(rules: Rules, plan: SimulationPlan, stops: Stops) -> FinishedGame:
    """The players of the games. Many games are worth some seconds to compile kernels."""
    if plan.games >= MANY_GAMES:
        prepare()
    players = plan.players if len(plan.players) > 1 else plan.players * rules.data.seats.count
    compiled = compiled_play(rules, players, plan.games, logs=plan.logs).table
    return FinishedGame(rules, players, plan.match, plan.logs, stops, plan.spelling, plan.rotate, plan.duel, compiled)


def batch_of(played: FinishedGame, plan: SimulationPlan, numbers: range) -> Batch:
    """The batch of these games. Raises Stopped."""
    started, tally = monotonic(), Tally()
    lines, logs, apart = list[str](), list[tuple[int, str]](), list[GameApart]()
    for number in numbers:
        game = played.game(number, plan.seed_of(number))
        tally.add(game)
        if plan.apart:
            one = Tally()
            one.add(game)
            apart.append(GameApart(sums_of(game, played.players_of(number)), one))
        else:
            lines += [hand.line() for hand in game.hands]
        logs += [(number, game.log)] if game.log is not None else []
    return Batch(len(numbers), tuple(lines), tally, tuple(logs), monotonic() - started, tuple(apart))


# --- several processes


def together(rules: Rules, plan: SimulationPlan, jobs: int, stops: Stops) -> Batches:
    """Batches in order from the processes; only a few are queued at a time."""
    waiting, at, size = deque[Future[Batch]](), plan.first, 1
    with workers(rules, plan, jobs) as pool:
        while (waiting or at < plan.end) and not stops():
            try:
                while at < plan.end and len(waiting) < jobs * AHEAD:
                    numbers = range(at, min(at + size, plan.end))
                    waiting.append(given_out(pool, numbers))
                    at = numbers.stop
                batch = waiting[0].result(PATIENCE)
            except TimeoutError:
                continue
            except BrokenProcessPool:
                raise SimulationLost("a process ended in the middle of its games") from None
            waiting.popleft()
            size = next_size(batch)
            yield batch


def given_out(pool: ProcessPoolExecutor, numbers: range) -> "Future[Batch]":
    """Submit a batch. A process started here ignores Ctrl-C, which is for its parent."""
    with deaf():
        return pool.submit(work, numbers)


def next_size(batch: Batch) -> int:
    """How many games the next batch has, to take the intended time."""
    fitting = int(batch.games * SECONDS / max(batch.seconds, 1e-6))
    return max(1, min(fitting, batch.games * FASTER, MOST_GAMES))


@contextmanager
def workers(rules: Rules, plan: SimulationPlan, jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that play."""
    stopped: Any = multiprocessing.get_context("spawn").RawValue("b", 0)

    def stop() -> None:
        stopped.value = 1

    fresh = replace(rules)  # without its caches, which need not be sent
    with pool_of(jobs, begin, fresh, plan, stopped, stop=stop) as pool:
        yield pool


# --- in a process

PLAYED: list[tuple[FinishedGame, SimulationPlan]] = []  # the players of this process, and the plan


def begin(rules: Rules, plan: SimulationPlan, stopped: Any) -> None:
    """Make a process ready to play; it exits when its parent is gone."""
    serve_parent()
    PLAYED.append((played_by(rules, plan, lambda: bool(stopped.value)), plan))
    collect_rarely()  # collecting took an eighth of the time


def work(numbers: range) -> Batch:
    """The batch of these games. Raises Stopped."""
    played, plan = PLAYED[-1]
    return batch_of(played, plan, numbers)
