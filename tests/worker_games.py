"""What tests of workers share: whole games that are played by asking, with answers by chance from what a view lists."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

from processes import HANGS

from tilewright.play.log import lines
from tilewright.play.match import Match
from tilewright.play.model import Move
from tilewright.play.rules import Rules
from tilewright.web.protocol.moments import GameStep, Moment, whole
from tilewright.web.tables.broadcast import OF_PICKS
from tilewright.web.workers.pool import WorkerGame, WorkerPool

Answers = list[tuple[int, dict[str, str]]]
Look = Callable[[GameStep], None]
T = TypeVar("T")


class Run:
    """A loop with workers in it."""

    def __init__(self, runner: asyncio.Runner, pool: WorkerPool) -> None:
        self.runner, self.pool = runner, pool

    def __call__(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(asyncio.wait_for(work, HANGS))


@contextmanager
def running(**wanted: Any) -> Iterator[Run]:
    """Workers that were started, and end in the end."""
    with asyncio.Runner() as runner:
        pool = runner.run(started(**wanted))
        yield Run(runner, pool)
        runner.run(pool.stop())


async def started(**wanted: Any) -> WorkerPool:
    pool = WorkerPool(**wanted)
    await pool.start()
    return pool


def view_of(step: GameStep, player: int) -> dict[str, Any]:
    """What a player sees at the end of a step."""
    return whole(step.moments[-1].views[str(player)])


def move_by_chance(question: dict[str, Any], random: Random) -> dict[str, str]:
    """Any answer to a question, as a page would make it."""
    made = [*question["moves"], *question["picks"]]
    chosen: dict[str, Any] = random.choice(made)
    if "choose" not in chosen:
        return chosen
    kept = {key: value for key, value in chosen.items() if key not in OF_PICKS}
    if "allowed" in chosen:
        return {**kept, chosen["choose"]: random.choice(chosen["allowed"])}
    tiles = random.sample(chosen["tiles"], random.randint(chosen["least"], min(chosen["most"], len(chosen["tiles"]))))
    return {**kept, chosen["choose"]: " ".join(sorted(tiles, key=chosen["tiles"].index))}


async def play_on(
    remote: WorkerGame, step: GameStep, seed: int, look: Look, most: int = 10_000
) -> tuple[list[str], Answers]:
    """Answer by chance until it is over, or so many times: the lines of the log that came, and the answers."""
    random, log, answers = Random(seed), list[str](), Answers()
    look(step)
    while not step.over and len(answers) < most:
        player = random.choice(step.asked)
        question = view_of(step, player)["question"]
        move = move_by_chance(question, random)
        step = await remote.answer(player, move)
        look(step)
        log += step.lines
        answers.append((player, move))
    return log, answers


def played_directly(rules: Rules, seed: int, hands: int | None, answers: Answers) -> Match:
    """The same game without a worker."""
    game = rules.game(seed, hands=hands)
    for player, move in answers:
        choice = tuple((name, text) for name, text in move.items() if name != "move")
        game.answer(Move(game.seat_of(player), move["move"], choice))
    return game


def log_of(game: Match) -> list[str]:
    return list(lines(game))


def kinds_of(moments: tuple[Moment, ...]) -> list[str]:
    """What kind of moment each is."""
    return ["claim" if one.claim else "end" if one.ends else "only" if one.only is not None else "" for one in moments]
