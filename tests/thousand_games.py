"""A thousand seeded games of each ruleset between bots, checked after every event (`table_promises`).

Run by hand: `PYTHONPATH=engine:tests python tests/thousand_games.py [RULESET ...] [--games N] [--players NAMES]
[--every ANSWERS]`.
Prints for each ruleset the share of hands without a winner and of self-drawn wins, how many tiles are drawn, who won
how often, and what was checked; ends with 1 if a promise is broken, each with the seed of its game.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from time import monotonic

from table_promises import play_checked

from tilewright.authoring.open_rules import bundled
from tilewright.play.rules import Rules, load

SEATS = 4  # whose wins are told


@dataclass(frozen=True)
class Told:
    """What is told of a hand: who won (players), whether a winner drew the tile, tiles drawn, what was checked."""

    winners: tuple[int, ...]
    self_drawn: int
    draws: int
    events: int
    views: int
    broken: str = ""


@lru_cache
def rules_called(name: str) -> Rules:
    return load(name)


def told(name: str, players: tuple[str, ...], every: int, seed: int) -> Told:
    """A hand, or how it broke its promises."""
    rules = rules_called(name)
    seats = rules.data.seats.count
    try:
        checked = play_checked(rules, seed, (players * seats)[:seats], every=every)
    except Exception as error:
        return Told((), 0, 0, 0, 0, f"{name}, seed {seed}: {type(error).__name__}: {error}")
    result = checked.results[-1]
    if result.problems:
        return Told((), 0, 0, 0, 0, f"{name}, seed {seed}: reported {result.problems}")
    winners = tuple(result.player(won.seat) for won in result.won)
    drawn = sum(won.situation.self_draw for won in result.won)
    return Told(winners, drawn, result.draws, checked.events, checked.views)


def hands(pool: ProcessPoolExecutor, name: str, players: tuple[str, ...], games: int, every: int) -> Iterator[Told]:
    return pool.map(partial(told, name, players, every), range(1, games + 1), chunksize=5)


def figures(name: str, players: Sequence[str], hands: Sequence[Told], seconds: float) -> str:
    """A line about the hands of a ruleset."""
    wins = sum(len(hand.winners) for hand in hands)
    won = [hand for hand in hands if hand.winners]
    nobody = 100 * (len(hands) - len(won)) / len(hands)
    drawn = 100 * sum(hand.self_drawn for hand in hands) / max(wins, 1)
    length = sum(hand.draws for hand in hands) / len(hands)
    to_win = sum(hand.draws for hand in won) / max(len(won), 1)
    events, views = (sum(getattr(hand, what) for hand in hands) for what in ("events", "views"))
    by = " ".join(f"{sum(player in hand.winners for hand in hands)}" for player in range(SEATS))
    return (
        f"{name:20}{','.join(players):16}{len(hands):6,} hands  nobody won {nobody:4.1f}%  self-drawn {drawn:4.1f}%  "
        f"wins by player {by}  tiles drawn {length:5.1f}, {to_win:5.1f} in wins  "
        f"{events:,} events and {views:,} views right  {seconds:.0f} s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=bundled("ruleset"))
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--players", default="fast")
    parser.add_argument("--every", type=int, default=1, help="answers between two looks at what seats see")
    asked = parser.parse_args()
    players, broken = tuple(asked.players.split(",")), 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name in asked.rulesets:
            started = monotonic()
            found = list(hands(pool, name, players, asked.games, asked.every))
            for one in found:
                if one.broken:
                    print(one.broken, file=sys.stderr)
                    broken += 1
            right = [one for one in found if not one.broken]
            print(
                figures(name, players, right, monotonic() - started) if right else f"{name}: nothing is right",
                flush=True,
            )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
