"""Zung Jung 3.3, slowly: 44 patterns, points and series from the table of the source, and its payoff.

In: a case. Out: its result. What the plus calls the same is asked of its oracle; a table before the win is not known
here, so that the discarder always answers.
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from oracles import zung_jung_plus as plus
from oracles.hand import DRAGONS, HONOURS, ORPHANS, WINDS, Case, Reading, Result, all_of, read, readings

TABLE = Path(__file__).parent.parent / "data" / "zung_jung.csv"
ROWS = {row["id"]: row for row in csv.DictReader(TABLE.open(encoding="utf-8"))}
LIMIT = 320
SHARE = 25


def score(case: Mapping[str, Any]) -> Result:
    """The best reading."""
    hand = read(case)
    judged = [judge(reading, hand) for reading in readings(hand, seven_pairs=True)]
    if not judged:
        return Result(False)
    total = max(points for points, _ in judged)
    best = tuple(dict.fromkeys(patterns for points, patterns in judged if points == total))
    return Result(True, total, {"points": total}, best[0], best, payments(hand, total))


def payments(case: Case, total: int) -> dict[str, int] | None:
    """Three times the points in all; who threw the tile pays what is more than 25 from each."""
    if case.seat is None or not (case.self_draw or case.discarder):
        return None
    owed = dict.fromkeys(WINDS, total)
    if not case.self_draw and total > SHARE:
        owed = dict.fromkeys(WINDS, SHARE)
        owed[str(case.discarder)] = 3 * total - 2 * SHARE
    return {wind: 3 * total if wind == case.seat else -owed[wind] for wind in WINDS}


def judge(reading: Reading, case: Case) -> tuple[int, frozenset[str]]:
    """Points and patterns of one reading: of each series the best."""
    best: dict[str, str] = {}
    counted = {name: times for name, times in holding(reading, case).items() if times and name in ROWS}
    for name in counted:
        series = ROWS[name]["series"]
        if series not in best or points(name) > points(best[series]):
            best[series] = name
    limits = [name for name in best.values() if points(name) >= LIMIT]
    if limits:
        name = max(limits, key=points)
        return points(name), frozenset([name])
    added = sum(points(name) * counted[name] for name in best.values())
    return (min(added, LIMIT), frozenset(best.values())) if best else (1, frozenset(["chicken_hand"]))


def points(name: str) -> int:
    return int(ROWS[name]["points"])


def holding(reading: Reading, case: Case) -> dict[str, int]:
    """How often each pattern holds, before series."""
    if reading.form == "thirteen_orphans":
        whole = {"thirteen_orphans": 1}
    else:
        valued = {*DRAGONS, case.seat}
        whole = {
            **plus.of_tiles(reading, case),
            **plus.of_sequences(reading),
            **plus.of_triplets(reading),
            **plus.of_terminals(reading, case),
            **plus.of_honours(reading, case),
            "concealed_hand": case.concealed and reading.form != "seven_pairs",
            "value_honour": sum(group.tile in valued for group in reading.of("pung", "kong")),
            "all_honor_triplets": all_of(case.tiles, HONOURS),
            "mixed_greater_terminals": all_of(case.tiles, ORPHANS),
            "seven_pairs": reading.form == "seven_pairs",
        }
    return {name: int(times) for name, times in {**whole, **plus.incidental(case)}.items()}
