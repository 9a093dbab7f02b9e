"""Every level of bots against every other, in every bundled ruleset, as a table for docs/bots.md: points a hand of the
first less those of the second, with half of the 95 % interval; in bold where it does not hold 0.

Each duel is what `tilewright simulate RULESET --duel ONE,OTHER --games DEALS` plays. The deals of a ruleset are so many
that the slowest duel takes about as many seconds of processor time as asked for.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import combinations
from math import floor, log10
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from tilewright.authoring.open_rules import bundled
from tilewright.players.player import CAREFUL, FAST, RANDOM, STRONG

LEVELS = (STRONG, CAREFUL, FAST, RANDOM)
DUELS = tuple(combinations(LEVELS, 2))  # the better player first
TRIED, LONGER = 2, 4  # deals tried, and how many times as many the next time, until they take long enough to go by


def duel(ruleset: str, players: tuple[str, str], deals: int, jobs: int) -> Mapping[str, Any]:
    """What `--json` says of a duel. Raises CalledProcessError."""
    asked = ["--duel", ",".join(players), "--games", str(deals), "--jobs", str(jobs), "--json"]
    command = [sys.executable, "-m", "tilewright", "simulate", ruleset, *asked]
    found: Mapping[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return found


def processor_time() -> float:
    """Seconds of all programs that were run here and have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def deals_within(ruleset: str, seconds: float, jobs: int) -> int:
    """How many deals of the slowest duel take so long: two digits, then zeros."""
    start, deals, spent = processor_time_of(ruleset, 1, jobs), TRIED, 0.0
    while spent < seconds / LONGER:
        deals *= LONGER
        spent = processor_time_of(ruleset, deals, jobs) - start
    return max(1, rounded_down(deals * seconds / spent))


def processor_time_of(ruleset: str, deals: int, jobs: int) -> float:
    """Seconds of processor time of the slowest duel."""
    before = processor_time()
    duel(ruleset, DUELS[0], deals, jobs)
    return processor_time() - before


def rounded_down(number: float) -> int:
    """The number with two digits, then zeros."""
    unit = 10 ** max(0, floor(log10(max(number, 1.0))) - 1)
    return int(number // unit * unit)


def cell(found: Mapping[str, Any]) -> str:
    """The difference in points a hand, with half of its interval."""
    points = next(one for one in found["differences"] if one["of"] == "points")
    if points["low"] is None:
        return "?"
    half = (points["high"] - points["low"]) / 2
    digits = max(0, 1 - floor(log10(half))) if half > 0 else 0
    text = f"{points['difference']:+,.{digits}f} ± {half:,.{digits}f}".replace("-", "−")
    return f"**{text}**" if points["found"] else text


def row(ruleset: str, deals: int, jobs: int) -> str:
    """What all duels of a ruleset come to."""
    cells = [cell(duel(ruleset, players, deals, jobs)) for players in DUELS]
    return f"| `{ruleset}` | {deals:,} | " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the slowest duel of each ruleset")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("rulesets", nargs="*", help="all, if none is named")
    asked = parser.parse_args()
    print("| ruleset | deals | " + " | ".join(f"{one} − {other}" for one, other in DUELS) + " |")
    print("|---|---:|" + "---:|" * len(DUELS), flush=True)
    for ruleset in asked.rulesets or bundled("ruleset"):
        print(row(ruleset, deals_within(ruleset, asked.seconds, asked.jobs), asked.jobs), flush=True)


if __name__ == "__main__":
    main()
