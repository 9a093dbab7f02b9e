"""Hanchan of riichi between careful bots, over all processors: the shares that matter, beside those of human play.

Human figures: 1.2 million hanchan of Tenhou's highest room, with red fives, as published at pathofhouou.blogspot.com
(the average player: February 2021; how many hands: January 2021). What only follows from them has "about" before it:
hands without a winner, from the share of hands won; drawn wins, from the shares won and fed. A share is of hands and
for each player, unless said otherwise.
A thousand games are the whole measurement: about an hour on two processors. Every game follows from the seed and its
number. Told to stop (Ctrl-C), it prints what is done.
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import tilewright
from tilewright.players.simulation.run import Batch, SimulationPlan, simulate
from tilewright.players.simulation.tally import Tally

GAMES, SEED = 1000, 20_261_122
CLAIMS = ("chow", "pung", "claimed_kong")


@dataclass
class Counts:
    """What is counted. `declared`: seats that declared ready, hand by hand; `opened`: that claimed a group."""

    tally: Tally = field(default_factory=Tally)
    declared: int = 0
    opened: int = 0

    def add(self, batch: Batch) -> None:
        self.tally.merge(batch.tally)
        for _, log in batch.logs:
            self.declared += len(takes(log, ("riichi",)))
            self.opened += len(takes(log, CLAIMS))


def takes(log: str, offers: tuple[str, ...]) -> set[tuple[int, str]]:
    """The hands and the seats that took one of these offers."""
    hand, found = 0, set[tuple[int, str]]()
    for line in log.splitlines():
        event = json.loads(line)
        hand += event.get("event") == "hand"
        if event.get("event") == "take" and event["offer"] in offers:
            found.add((hand, event["seat"]))
    return found


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
    rules = tilewright.load("riichi")
    plan = SimulationPlan(given.games, given.seed, 0, tuple(given.players.split(",")), match=not given.hand, logs=True)
    counts, tally = Counts(), Tally()
    for batch in simulate(rules, plan, given.jobs, Stopping()):
        counts.add(batch)
        tally = counts.tally
        print(f"\r{tally.games:,} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"riichi, {given.players} bots: {tally.games:,} games, {tally.hands:,} hands, seed {given.seed}\n")
    print(f"{'':28}{'here':>10}{'people':>14}")
    for name, here, people in rows(counts, rules.data.seats.count):
        print(f"{name:28}{here:>10}{people:>14}")
    for failure in tally.failures:
        print(f"game {failure.game} (seed {failure.seed}) broke off: {failure.error}")
    for problem, times in tally.problems.items():
        print(f"reported {times} times: {problem}")
    return 1 if tally.failed or tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
