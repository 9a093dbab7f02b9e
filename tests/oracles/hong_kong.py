"""Hong Kong old style, slowly: faan of every reading, half-spicy points, who pays; at three faan, ten at most.

In: a case. Out: its result. Kongs one after the other are not known here.
"""

from collections.abc import Mapping
from typing import Any

from oracles.cantonese import ordinary as usual
from oracles.hand import (
    DRAGONS,
    HONOURS,
    ORPHANS,
    TERMINALS,
    WINDS,
    Case,
    Reading,
    Result,
    all_of,
    has_honours,
    read,
    readings,
)

LEAST, MOST = 3, 10
POINTS = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128)
FAAN = {
    "own_wind": 1,
    "round_wind": 1,
    "dragons": 1,
    "no_bonus_tiles": 1,
    "own_flower": 1,
    "own_season": 1,
    "all_flowers": 2,
    "all_seasons": 2,
    "self_drawn": 1,
    "chow_hand": 1,
    "one_suit_and_honours": 3,
    "one_suit": 7,
    "pung_hand": 3,
    "concealed_hand": 1,
    "robbing_a_kong": 1,
    "after_a_kong": 1,
    "last_draw": 1,
    "last_discard": 1,
    "mixed_terminals": 1,
    "little_three_dragons": 3,
    "three_great_scholars": 5,
    "little_four_winds": 3,
    "concealed_pungs": 8,
}


def score(case: Mapping[str, Any]) -> Result:
    """The best reading."""
    hand = read(case)
    judged = [outcome for reading in readings(hand, seven_pairs=False) for outcome in judge(reading, hand)]
    faan = max((found for found, _ in judged), default=0)
    if faan < LEAST:
        return Result(False)
    best = tuple(dict.fromkeys(patterns for found, patterns in judged if found == faan))
    points = POINTS[faan]
    return Result(True, points, {"faan": faan, "points": points}, best[0], best, payments(hand, points))


def payments(case: Case, points: int) -> dict[str, int] | None:
    """All pay double a drawn win, only the discarder doubles a claimed one."""
    if case.seat is None or not (case.self_draw or case.discarder):
        return None
    losers = [wind for wind in WINDS if wind != case.seat]
    owed = {wind: points * (2 if case.self_draw or wind == case.discarder else 1) for wind in losers}
    return {case.seat: sum(owed.values()), **{wind: -amount for wind, amount in owed.items()}}


def judge(reading: Reading, case: Case) -> list[tuple[int, frozenset[str]]]:
    """Faan and patterns of a reading: as any limit hand that it is, and as the sum of its faan."""
    counted = {name: int(times) for name, times in ordinary(reading, case).items() if times}
    added = min(MOST, sum(FAAN[name] * times for name, times in counted.items()))
    limits = [(MOST, frozenset([name])) for name, holds in limit_hands(reading, case).items() if holds]
    return [*limits, (added, frozenset(counted))]


def ordinary(reading: Reading, case: Case) -> dict[str, int]:
    """How often each pattern holds."""
    pungs = reading.of("pung", "kong")
    pair = {group.tile for group in reading.of("pair")}
    dragons, winds = (sum(group.tile in tiles for group in pungs) for tiles in (DRAGONS, WINDS))
    found = dict(usual(reading, case))
    concealed = sum(not group.exposed for group in pungs) == 4
    found |= {
        "chow_hand": len(reading.of("chow")) == 4,
        "concealed_hand": not case.melds,
        "pung_hand": len(pungs) == 4 and not concealed,
        "concealed_pungs": concealed,
        "after_a_kong": case.self_draw and "kong_replacement" in case.flags,
        "last_draw": case.self_draw and "last_tile" in case.flags,
        "last_discard": not case.self_draw and "last_tile" in case.flags,
        "mixed_terminals": reading.form == "regular"
        and all_of(case.tiles, ORPHANS)
        and has_honours(case.tiles)
        and not all_of(case.tiles, HONOURS),
        "little_three_dragons": dragons == 2 and bool(pair & set(DRAGONS)),
        "three_great_scholars": dragons == 3,
        "little_four_winds": winds == 3 and bool(pair & set(WINDS)),
    }
    if found["all_flowers"]:
        found["own_flower"] = 0
    if found["all_seasons"]:
        found["own_season"] = 0
    return found


def limit_hands(reading: Reading, case: Case) -> dict[str, bool]:
    """The hands that are worth all the faan there are."""
    pungs = [group.tile for group in reading.of("pung", "kong")]
    first = not case.melds
    return {
        "all_terminals": all_of(case.tiles, TERMINALS),
        "all_honours": all_of(case.tiles, HONOURS),
        "big_four_winds": sum(tile in WINDS for tile in pungs) == 4,
        "thirteen_orphans": reading.form == "thirteen_orphans",
        "nine_gates": reading.form == "nine_gates" and sorted(tile[0] for tile in case.hand) == list("1112345678999"),
        "all_kongs": len(reading.of("kong")) == 4,
        "blessing_of_heaven": case.self_draw and "first_draw" in case.flags and case.seat == "E" and first,
        "blessing_of_earth": not case.self_draw and "first_discard" in case.flags and case.seat != "E" and first,
    }
