"""Hanchan of riichi between careful bots, over all processors: the shares that matter, beside those of human play.

Human figures: 1.2 million hanchan of Tenhou's highest room, with red fives, as published at pathofhouou.blogspot.com
(the average player: February 2021; how many hands: January 2021). What only follows from them has "about" before it:
hands without a winner, from the share of hands won; drawn wins, from the shares won and fed. A share is of hands and
for each player, unless said otherwise.
A thousand games are the whole measurement: some minutes of compiled play. Every game follows from the seed and its
"""

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context

import tilewright
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.simulation.game import CompiledTable, rows_of_game, table_of
from tilewright.players.simulation.run import seed_of
from tilewright.players.simulation.tally import Tally

GAMES, SEED = 1000, 20_261_122
TOGETHER = 5  # games of a task
SEATS = 4


@dataclass
class Counts:
    """What is counted. `declared`: seats that declared ready, hand by hand; `opened`: that had an exposed group in the
    end; `odd`: games that compiled play could not follow."""

    tally: Tally = field(default_factory=Tally)
    opened: int = 0
    odd: int = 0

    def add(self, other: "Counts") -> None:
        self.tally.merge(other.tally)
        self.opened += other.opened
        self.odd += other.odd

    @property
    def declared(self) -> int:
        return self.tally.taken["riichi"]


class Player:
    """Plays games at one table."""

    def __init__(self, names: Sequence[str], match: bool) -> None:
        rules = tilewright.load("riichi")
        self.table: CompiledTable = table_of(rules, names)
        self.names = [names[seat % len(names)] for seat in range(rules.data.seats.count)]
        self.match = match

    def played(self, seed: int, numbers: range) -> Counts:
        """What is counted in these games."""
        counts = Counts()
        for number in numbers:
            opened = list[int]()  # before each hand, of the one before
            rows = rows_of_game(
                self.table,
                number,
                seed_of(seed, number),
                self.names,
                match=self.match,
                spelling=None,
                goes_on=partial(self.note, opened),
            )
            if rows is None:
                counts.odd += 1
                continue
            counts.tally.add(rows)
            self.note(opened)
            counts.opened += sum(opened[1:])
        return counts

    def note(self, opened: list[int]) -> None:
        """Note how many seats have an exposed group at the table as it is."""
        state, found = self.table.play.state, 0
        for seat in range(len(self.names)):
            first = at.LAID + seat * at.MOST_MELDS * at.MELD + at.LAID_EXPOSED
            melds = int(state[at.LAID_SIZE + seat])
            found += bool(state[first : first + melds * at.MELD : at.MELD].any())
        opened.append(found)


PLAYERS: list[Player] = []  # of this process


def begin(names: Sequence[str], match: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    PLAYERS.append(Player(names, match))


def played(seed: int, numbers: range) -> Counts:
    return PLAYERS[-1].played(seed, numbers)


def rows(counts: Counts, seats: int) -> Iterator[tuple[str, str, str]]:
    """What is told: a name, the figure here, and that of human play."""
    tally = counts.tally
    wins, hands = tally.wins.total(), max(1, tally.hands)
    chances = hands * seats

    def share(part: int, whole: int) -> str:
        return f"{part / whole:.1%}" if whole else "-"

    fed = sum(side.fed for side in tally.players.values())
    yield "hands won, a player", share(wins, chances), "20.9%"
    yield "hands fed, a player", share(fed, chances), "12.9%"
    yield "ready declared, a player", share(counts.declared, chances), "16.9%"
    yield "hands opened, a player", share(counts.opened, chances), "34.6%"
    yield "hands without a winner", share(tally.hands - tally.won, hands), "about 17%"
    yield "wins that were drawn", share(tally.wins["self_draw"], wins), "about 38%"
    yield "points of a win", f"{tally.value.mean:,.0f}", "5,638"
    yield "tiles drawn in a hand", f"{tally.length.mean:.1f}", ""
    yield "hands of a hanchan", f"{tally.hands_of_game.mean:.1f}", "10.6"


class Stopping:
    """Whether it was told to stop."""

    def __init__(self) -> None:
        self.stopped = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)

    def stop(self, *_: object) -> None:
        self.stopped = True

    def __call__(self) -> bool:
        return self.stopped


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--players", default="careful")
    parser.add_argument("--hand", action="store_true", help="one hand a game, not a whole hanchan")
    given = parser.parse_args()
    counts, stopping = Counts(), Stopping()
    names = given.players.split(",")
    with ProcessPoolExecutor(given.jobs, get_context("spawn"), begin, (names, not given.hand)) as pool:
        parts = [range(one, min(one + TOGETHER, given.games)) for one in range(0, given.games, TOGETHER)]
        waiting: list[Future[Counts]] = [pool.submit(played, given.seed, part) for part in parts]
        for one in waiting:
            if stopping():
                pool.shutdown(cancel_futures=True)
                break
            counts.add(one.result())
            print(f"\r{counts.tally.games:,} games", end="", file=sys.stderr, flush=True)
    tally = counts.tally
    print(file=sys.stderr)
    print(f"riichi, {given.players} bots: {tally.games:,} games, {tally.hands:,} hands, seed {given.seed}\n")
    print(f"{'':28}{'here':>10}{'people':>14}")
    for name, here, people in rows(counts, SEATS):
        print(f"{name:28}{here:>10}{people:>14}")
    if counts.odd:
        print(f"{counts.odd} games were left out: compiled play could not follow them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
