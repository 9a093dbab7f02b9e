"""A million hands of compiled play over all rulesets and their mods, checked whenever a tile moves or points are paid
(`checked_play`); what cannot be compiled is played by `Match` and checked after every event (`table_promises`).

Run by hand: `PYTHONPATH=engine:tests:tools python tests/million_hands.py [RULESET ...] [--hands N] [--fast PARTS]
[--move-by-move N] [--jobs N]`. `--hands`: in all; of them so many in a thousand are those of fast players. Prints
a line for each ruleset and mod, with a hash of its games; ends with 1 if a promise is broken, each with the seed of its
game.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from time import monotonic
from typing import Any

from bundled_mods import RULESETS, fitting
from checked_play import BROKEN, PLAY, PLAY_ON, compiled_checked, use_checked
from table_promises import play_checked

from tilewright.play.compiled.host import Odd
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.play import CompiledGame, CompiledPlay
from tilewright.play.compiled.writing.writer import NotSayable
from tilewright.play.rules import Rules, load
from tilewright.players.compiled import play as kernel_players
from tilewright.players.simulation.game import FAST, RANDOM, CompiledTable
from tilewright.players.simulation.run import seed_of

Table = tuple[str, tuple[str, ...]]  # a ruleset and its mods


@dataclass
class Told:
    """What is told of a ruleset with its mods."""

    name: str
    compiled: bool = True
    hands: int = 0
    won: int = 0
    odd: int = 0  # games that the machine could not follow
    how: str = "compiled"
    digest: str = ""  # of the moves and results of all hands
    seconds: float = 0
    broken: list[str] = field(default_factory=list)

    def line(self) -> str:
        odd = f", {self.odd} not followed" if self.odd else ""
        played = f"{self.hands:9,} hands {self.how}, {self.won:,} won{odd}"
        return f"{self.name:44}{played}; {self.seconds:.0f} s; {self.digest}"


class Unbalanced(AssertionError):
    """A promise that was broken outside of the machine."""


def total(game: CompiledGame) -> Any:
    """All points of the table as it is."""
    made, knowledge = game.follower.made, game.follower.knowledge
    known = (*knowledge.openings[0].scores, 0) if made is None else made.balances
    return sum(game.follower.scores(known) if knowledge.pays else known)


def total_before(game: CompiledGame) -> Any:
    """All points when the hand began."""
    made = game.follower.made
    return sum(game.follower.knowledge.openings[0].scores if made is None else made.before_hand)


def hand_of(table: CompiledTable, seed: int, names: Sequence[str], told: Told) -> None:
    """Play a game of one hand, and note what is broken in it."""
    game = table.game(seed, names, 1)
    if table.players is None:
        game.plays = play_random
    try:
        game.play_hand()
        if total(game) != total_before(game):
            raise Unbalanced("payments do not balance in the hand")
        result = game.end()
    except Odd:
        problem = int(game.state[at.PROBLEM])
        if problem in BROKEN:
            told.broken.append(f"{told.name}, {names[0]} players, seed {seed}: {BROKEN[problem]}")
        told.odd += 1
        return
    except Exception as error:
        told.broken.append(f"{told.name}, {names[0]} players, seed {seed}: {type(error).__name__}: {error}")
        return
    told.hands += 1
    told.won += bool(result.won)
    won = [(one.seat, one.tile, one.score.total) for one in result.won]
    said = repr((told.digest, game.moves, result.answers, result.draws, won))
    told.digest = sha256(said.encode()).hexdigest()[:16]
    if result.problems:
        told.broken.append(f"{told.name}, {names[0]} players, seed {seed}: reported {result.problems}")


def play_random(game: CompiledGame) -> None:
    game.carry_on(PLAY)


def played(table: Table, seeds: range, thousandths: int, move_by_move: int) -> Told:
    """A hand of a ruleset with its mods for each of some seeds."""
    told, started = Told("+".join((table[0], *table[1]))), monotonic()
    rules = load(table[0], {}, table[1])
    try:
        play = CompiledPlay(rules)
    except NotSayable as error:
        told.compiled, told.how = False, f"move by move ({error})"
        play_by_match(rules, seeds[:move_by_move], told)
    else:
        play_compiled(play, seeds, thousandths, told)
    told.seconds = monotonic() - started
    return told


def play_compiled(play: CompiledPlay, seeds: range, thousandths: int, told: Told) -> None:
    of_fast = len(seeds) * thousandths // 1_000
    tables = {RANDOM: CompiledTable(play)}
    try:
        tables[FAST] = CompiledTable(play, kernel_players.KernelPlayers(play))
    except NotSayable as error:
        told.how, of_fast = f"compiled, random players alone ({error})", 0
    for number, seed in enumerate(seeds):
        who = FAST if number < of_fast else RANDOM
        hand_of(tables[who], seed_of(31, seed), (who,) * play.program.count, told)


def play_by_match(rules: Rules, seeds: range, told: Told) -> None:
    for number in seeds:
        seed = seed_of(31, number)
        try:
            checked = play_checked(rules, seed, (RANDOM,) * rules.data.seats.count, every=50)
        except Exception as error:
            told.broken.append(f"{told.name}, move by move, seed {seed}: {type(error).__name__}: {error}")
            continue
        told.hands += 1
        told.won += bool(checked.results[-1].won)


def prepared(module: Path) -> None:
    """In each process: players call kernels that are checked."""
    use_checked(module)
    vars(kernel_players)["play_on"] = PLAY_ON


def tables_of(rulesets: Sequence[str]) -> Iterator[Table]:
    """Each ruleset, and with each of its mods."""
    for name in rulesets:
        yield name, ()
        for mod in fitting(name):
            yield name, (mod,)


def played_by(pool: Executor, tables: Sequence[Table], asked: argparse.Namespace) -> Iterator[Told]:
    """The hands of all tables; those that are missing because some cannot be compiled, of the others."""
    play = partial(played, thousandths=asked.fast, move_by_move=asked.move_by_move)
    left, first = asked.hands, 0
    while tables and left > 0:
        share = -(-left // len(tables))
        done = list[Told]()
        for one in pool.map(play, tables, repeat(range(first, first + share))):
            print(one.line(), *one.broken, sep="\n  ", flush=True)
            done.append(one)
            yield one
        tables = [table for table, one in zip(tables, done, strict=True) if one.compiled and one.hands]
        left, first = left - sum(one.hands for one in done), first + share


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=RULESETS)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--fast", type=int, default=20, help="of a thousand hands, those of fast players")
    parser.add_argument("--move-by-move", type=int, default=200, help="hands of what cannot be compiled, at most")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    tables, started = list(tables_of(asked.rulesets)), monotonic()
    with tempfile.TemporaryDirectory() as folder:
        module = compiled_checked(Path(folder))
        with ProcessPoolExecutor(asked.jobs, initializer=prepared, initargs=(module,)) as pool:
            done = list(played_by(pool, tables, asked))
    hands, broken = sum(one.hands for one in done), sum(len(one.broken) for one in done)
    odd = sum(one.odd for one in done)
    print(
        f"{hands:,} hands of {len(tables)} tables, {broken} broken, {odd} not followed; {monotonic() - started:.0f} s; "
        + sha256("".join(one.digest for one in done).encode()).hexdigest()[:16]
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
