"""Simulation: many games between bots, over processes; the result does not depend on the number of processes.

In: rules and a plan; out: batches, in the order of the games. The seed of a game follows from the seed of the plan and
the number of the game, and from nothing else. Knows no files and no screen.
"""

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Any, TypeVar

from tilewright.base.garbage import collect_rarely
from tilewright.base.processes import deaf, pool_of, serve_parent
from tilewright.play.rules import Rules
from tilewright.players.simulation.estimates import TWICE, GameSample
from tilewright.players.simulation.game import FinishedGame, Stopped, Stops, compiled_play
from tilewright.players.simulation.tally import Tally, sums_of
from tilewright.tiles.tileset import Spelling

SEED_BITS = 53  # that every JSON reader reads exactly
SECONDS = 0.25  # that a batch should take
MOST_GAMES = 10_000  # in a batch
FASTER = 4  # times as many games as in the batch before, at most
SINGLY = 100  # games after each of which a batch `apart` ends; then after every tenth, and so on
AHEAD = 3  # queued batches for each process
PATIENCE = 0.1  # seconds between two checks whether to stop


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What is played: games `first` to `first + games - 1` of the seed. `players`: one for each seat, or one for all;
    `match`: a game is a whole match, and not one hand; `logs`: keep the log of every game; `spelling`: of tiles in
    rows, if not by code; `rotate`: the players move up a place with each game, so that in as many games as there are
    seats each sits everywhere; `duel`: two players, who play each deal twice with seats exchanged; `apart`: give the
    sums of each game in place of its lines; `lines`: give those, otherwise; `compiles`: play and players may be
    compiled, which takes seconds and some hundred megabytes."""

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
    lines: bool = True
    compiles: bool = True

    @property
    def end(self) -> int:
        return self.first + self.games

    def seed_of(self, number: int) -> int:
        """The seed of a game; both games of a deal have the same."""
        return seed_of(self.seed, number // TWICE if self.duel else number)

    def batch_at(self, number: int, size: int) -> range:
        """So many games from this one on; fewer at the end, and where a report looks at what it has (`next_look`)."""
        end = min(number + size, self.end)
        return range(number, min(end, self.first + next_look(number - self.first)) if self.apart else end)


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive games: a line of JSON for each of their hands, or the sums of each game (`apart`); their tally, and
    the requested logs, by game."""

    games: int
    lines: tuple[str, ...]
    tally: Tally
    logs: tuple[tuple[int, str], ...] = ()
    seconds: float = 0.0
    apart: GameSample | None = None


Batches = Generator[Batch, None, None]
Playing = TypeVar("Playing")  # a batch that is being played somewhere


def seed_of(seed: int, game: int) -> int:
    """The seed of a game."""
    digest = sha256(f"game/{seed}/{game}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS)


def simulate(rules: Rules, plan: SimulationPlan, jobs: int = 1, stops: Stops = lambda: False) -> Batches:
    """The games of the plan in their order: all of them, or the first ones where `stops` says to stop. With several
    jobs every process imports the program's main module, which has to allow for that. Raises WorkLost."""
    return alone(rules, plan, stops) if jobs == 1 else together(rules, plan, jobs, stops)


def next_look(done: int) -> int:
    """After how many games a report looks next, so many being done: 1, 2, ... 100, 110, ... 1000, 1100, ..."""
    step = 1
    while done >= SINGLY * step:
        step *= 10
    return (done // step + 1) * step


# --- one process


def alone(rules: Rules, plan: SimulationPlan, stops: Stops) -> Batches:
    """The batches, one after the other. One that is stopped is left out."""
    played = played_by(rules, plan, stops)
    at, size = plan.first, 1
    while at < plan.end:
        try:
            batch = batch_of(played, plan, plan.batch_at(at, size))
        except Stopped:
            return
        at, size = at + batch.games, next_size(batch, SECONDS)
        yield batch


def played_by(rules: Rules, plan: SimulationPlan, stops: Stops) -> FinishedGame:
    """The players of the games."""
    players = plan.players if len(plan.players) > 1 else plan.players * rules.data.seats.count
    compiled = compiled_play(rules, players, logs=plan.logs).table if plan.compiles else None
    return FinishedGame(rules, players, plan.match, plan.logs, stops, plan.spelling, plan.rotate, plan.duel, compiled)


def batch_of(played: FinishedGame, plan: SimulationPlan, numbers: range) -> Batch:
    """The batch of these games. Raises Stopped."""
    started, tally = monotonic(), Tally()
    lines, logs, apart = list[str](), list[tuple[int, str]](), GameSample() if plan.apart else None
    for number in numbers:
        game = played.game(number, plan.seed_of(number))
        tally.add(game)
        if apart is not None:
            apart.add(sums_of(game, played.players_of(number)))
        elif plan.lines:
            lines += [hand.line() for hand in game.hands]
        logs += [(number, game.log)] if game.log is not None else []
    return Batch(len(numbers), tuple(lines), tally, tuple(logs), monotonic() - started, apart)


# --- several processes


def together(rules: Rules, plan: SimulationPlan, jobs: int, stops: Stops) -> Batches:
    """Batches in order from the processes; only a few are queued at a time."""
    waiting = deque[Future[Batch]]()
    with workers(rules, plan, jobs) as pool:
        yield from in_order(plan, waiting, lambda: jobs * AHEAD, partial(given_out, pool), first_of, SECONDS, stops)


def first_of(waiting: Sequence["Future[Batch]"]) -> list[Batch]:
    """The first batch, if it is there soon."""
    try:
        return [waiting[0].result(PATIENCE)]
    except TimeoutError:
        return []


def in_order(
    plan: SimulationPlan,
    waiting: deque[Playing],
    most: Callable[[], int],
    give: Callable[[range], Playing],
    first: Callable[[Sequence[Playing]], Sequence[Batch]],
    seconds: float,
    stops: Stops,
) -> Batches:
    """Batches in the order of their games, of about so many seconds each. `waiting` holds those under way, now at most
    `most()`; `give` has games played somewhere; `first` waits a moment, and returns the first ones of those that wait,
    as far as they are there."""
    at, size = plan.first, 1
    while (waiting or at < plan.end) and not stops():
        while at < plan.end and len(waiting) < most():
            numbers = plan.batch_at(at, size)
            waiting.append(give(numbers))
            at = numbers.stop
        for batch in first(waiting):
            waiting.popleft()
            size = next_size(batch, seconds)
            yield batch


def given_out(pool: ProcessPoolExecutor, numbers: range) -> "Future[Batch]":
    """Submit a batch. A process started here ignores Ctrl-C, which is for its parent."""
    with deaf():
        return pool.submit(work, numbers)


def next_size(batch: Batch, seconds: float) -> int:
    """How many games the next batch has, to take so many seconds."""
    fitting = int(batch.games * seconds / max(batch.seconds, 1e-6))
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
