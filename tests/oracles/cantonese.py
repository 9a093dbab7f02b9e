"""Cantonese, slowly: faan of every reading, the laak table, who pays.

In: a case. Out: its result. A hand that has a limit pattern scores at laak 2 whatever else it holds.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from oracles.hand import (
    DRAGONS,
    HONOURS,
    TERMINALS,
    WINDS,
    Case,
    Reading,
    Result,
    all_of,
    has_honours,
    read,
    readings,
    suits_of,
)

LIMIT = 7
FAAN = {
    "own_wind": 1,
    "round_wind": 1,
    "dragons": 1,
    "no_bonus_tiles": 1,
    "own_flower": 1,
    "own_season": 1,
    "all_flowers": 1,
    "all_seasons": 1,
    "self_drawn": 1,
    "chow_hand": 1,
    "one_suit_and_honours": 3,
    "one_suit": 6,
    "pung_hand": 3,
    "concealed_hand": 1,
    "robbing_a_kong": 1,
}


def score(case: Mapping[str, Any]) -> Result:
    """The best reading."""
    hand = read(case)
    judged = [outcome for reading in readings(hand, seven_pairs=False) for outcome in judge(reading, hand)]
    if not judged:
        return Result(False)
    total, faan, _ = max(judged, key=lambda outcome: outcome[:2])
    best = tuple(dict.fromkeys(patterns for points, _, patterns in judged if points == total))
    return Result(True, total, {"faan": faan, "hand_score": total}, best[0], best, payments(hand, total))


def hand_score(faan: int) -> Fraction:
    """Faan as points: 5 and 6 are laak 1, 7 and more laak 2."""
    if faan >= LIMIT:
        return Fraction(32)
    if faan >= 5:
        return Fraction(16)
    return {0: Fraction(1, 2), 1: Fraction(1), 2: Fraction(2), 3: Fraction(4), 4: Fraction(8)}[faan]


def payments(case: Case, points: Fraction) -> dict[str, Fraction] | None:
    """All pay double a drawn win, only the discarder doubles a claimed one."""
    if case.seat is None or not (case.self_draw or case.discarder):
        return None
    owed = {
        wind: points * (2 if case.self_draw or wind == case.discarder else 1) for wind in WINDS if wind != case.seat
    }
    return {case.seat: sum(owed.values(), Fraction(0)), **{wind: -amount for wind, amount in owed.items()}}


def judge(reading: Reading, case: Case) -> list[tuple[Fraction, int, frozenset[str]]]:
    """Hand score, faan and patterns of a reading: as a limit hand if it is one, and as the sum of its faan."""
    counted = {name: int(times) for name, times in ordinary(reading, case).items() if times}
    added = sum(FAAN[name] * times for name, times in counted.items())
    limits = sorted(name for name, holds in limit_hands(reading, case).items() if holds)
    faan = max(added, LIMIT) if limits else added
    return [(hand_score(faan), faan, frozenset([name])) for name in limits] + [
        (hand_score(faan), faan, frozenset(counted))
    ]


def ordinary(reading: Reading, case: Case) -> dict[str, int]:
    """How often each pattern holds."""
    tiles = case.tiles
    pungs = [group.tile for group in reading.of("pung", "kong")]
    pair = {group.tile for group in reading.of("pair")}
    number = WINDS.index(case.seat) + 1 if case.seat else None
    one = len(suits_of(tiles)) == 1
    return {
        "own_wind": pungs.count(case.seat or ""),
        "round_wind": pungs.count(case.round or ""),
        "dragons": sum(tile in DRAGONS for tile in pungs),
        "no_bonus_tiles": not case.bonus,
        "own_flower": f"{number}f" in case.bonus,
        "own_season": f"{number}g" in case.bonus,
        "all_flowers": {"1f", "2f", "3f", "4f"} <= set(case.bonus),
        "all_seasons": {"1g", "2g", "3g", "4g"} <= set(case.bonus),
        "self_drawn": case.self_draw,
        "chow_hand": len(reading.of("chow")) == 4 and not pair & {*DRAGONS, case.seat, case.round},
        "one_suit_and_honours": one and has_honours(tiles),
        "one_suit": one and not has_honours(tiles),
        "pung_hand": len(pungs) == 4,
        "concealed_hand": case.concealed and case.self_draw,
        "robbing_a_kong": "robbing_kong" in case.flags,
    }


def limit_hands(reading: Reading, case: Case) -> dict[str, bool]:
    """The hands that score a flat laak 2."""
    pungs = [group.tile for group in reading.of("pung", "kong")]
    winds = sum(tile in WINDS for tile in pungs)
    return {
        "all_terminals": all_of(case.tiles, TERMINALS),
        "all_honours": all_of(case.tiles, HONOURS),
        "three_great_scholars": sum(tile in DRAGONS for tile in pungs) == 3,
        "little_four_winds": winds == 3 and any(group.tile in WINDS for group in reading.of("pair")),
        "big_four_winds": winds == 4,
        "thirteen_orphans": reading.form == "thirteen_orphans",
        "nine_gates": reading.form == "nine_gates",
    }
