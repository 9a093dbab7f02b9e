"""Sichuan blood battle, slowly: fan of every reading, doubled into points, who pays. Four fan at most, a draw is one.

In: a case. Out: its result. Suits that were given up, and a wall that is empty, are not known here.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from oracles.hand import TERMINALS, WINDS, Case, Reading, Result, read, readings, suits_of

MOST = 4
FAN = {
    "all_triplets": 1,
    "one_suit": 2,
    "seven_pairs": 2,
    "ends": 2,
    "twos_fives_eights": 2,
    "root": 1,
    "lone_tile": 1,
    "self_drawn": 1,
    "after_a_kong": 1,
    "robbing_a_kong": 1,
    "blessing_of_heaven": 5,
    "blessing_of_earth": 5,
}


def score(case: Mapping[str, Any]) -> Result:
    """The best reading."""
    hand = read(case)
    found = [one for one in readings(hand, seven_pairs=True) if one.form in ("regular", "seven_pairs")]
    if not found or len(suits_of(hand.tiles)) > 2:
        return Result(False)
    judged = [judge(reading, hand) for reading in found]
    fan = max(found for found, _ in judged)
    best = tuple(dict.fromkeys(patterns for found, patterns in judged if found == fan))
    return Result(True, 2**fan, {"fan": fan, "points": 2**fan}, best[0], best, payments(hand, 2**fan))


def payments(case: Case, points: int) -> dict[str, int] | None:
    """Everyone pays a drawn win, who threw the tile a claimed one."""
    if case.seat is None or not (case.self_draw or case.discarder):
        return None
    owed = {wind: points if case.self_draw or wind == case.discarder else 0 for wind in WINDS if wind != case.seat}
    return {case.seat: sum(owed.values()), **{wind: -amount for wind, amount in owed.items()}}


def judge(reading: Reading, case: Case) -> tuple[int, frozenset[str]]:
    """Fan and patterns of one reading."""
    counted = {name: int(times) for name, times in holding(reading, case).items() if times}
    fan = min(MOST, sum(FAN[name] * times for name, times in counted.items()))
    return fan, frozenset(counted or ["common_win"])


def holding(reading: Reading, case: Case) -> dict[str, int]:
    """How often each pattern holds."""
    pungs = len(reading.of("pung", "kong"))
    ranks = {tile[0] for tile in case.tiles}
    first = case.self_draw and "first_draw" in case.flags and not case.melds
    return {
        "all_triplets": pungs == 4,
        "one_suit": len(suits_of(case.tiles)) == 1,
        "seven_pairs": reading.form == "seven_pairs",
        "ends": reading.form == "regular" and all(set(group.tiles) & set(TERMINALS) for group in reading.groups),
        "twos_fives_eights": pungs == 4 and ranks <= set("258"),
        "root": sum(count == 4 for count in Counter(case.tiles).values()),
        "lone_tile": len(case.melds) == 4,
        "self_drawn": case.self_draw,
        "after_a_kong": case.self_draw and "kong_replacement" in case.flags,
        "robbing_a_kong": "robbing_kong" in case.flags,
        "blessing_of_heaven": first and case.seat == "E",
        "blessing_of_earth": first and case.seat != "E",
    }
