"""Zung Jung plus, slowly: the list of patterns in 13 categories, points from the table of the source.

In: a case. Out: its result. Each pattern is a line of plain Python, family by family.
"""

import csv
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from oracles.hand import (
    DRAGONS,
    HONOURS,
    ORPHANS,
    TERMINALS,
    WINDS,
    Case,
    Group,
    Reading,
    Result,
    all_of,
    has_honours,
    read,
    readings,
    suits_of,
)

TABLE = Path(__file__).parent.parent / "data" / "zung_jung_plus.csv"
POINTS = {row["id"]: int(row["points"]) for row in csv.DictReader(TABLE.open(encoding="utf-8"))}
POINTS["two_tailed_terminals"] -= POINTS["two_tailed_terminal_sequences"] + POINTS["two_tailed_terminal_triplets"]
CAP = 320
LIMITS = {
    "four_quartets",
    "four_identical_sequences",
    "three_mothers",
    "nine_gates",
    "pure_suit_terminals",
    "pure_greater_terminals",
    "little_four_winds",
    "big_four_winds",
    "all_honor_triplets",
    "all_honor_pairs",
    "all_green",
    "all_red",
    "seven_consecutive_pairs",
}
BONUS = {"bonus_tile", "four_flowers", "four_seasons", "all_bonus_tiles"}
FAMILIES = [
    ["two_concealed_triplets", "three_concealed_triplets", "four_concealed_triplets"],
    ["one_quartet", "two_quartets", "three_quartets", "four_quartets"],
    [
        "two_identical_sequences",
        "two_identical_sequences_twice",
        "three_identical_sequences",
        "four_identical_sequences",
    ],
    ["little_three_similar_triplets", "three_similar_triplets"],
    [
        "three_consecutive_sequences",
        "nine_tile_straight",
        "three_consecutive_sequences_twice",
        "four_consecutive_sequences",
    ],
    ["three_consecutive_triplets", "four_consecutive_triplets", "three_mothers"],
    ["mixed_one_suit", "pure_one_suit"],
    [
        "mixed_lesser_terminals",
        "pure_lesser_terminals",
        "mixed_greater_terminals",
        "pure_suit_terminals",
        "pure_greater_terminals",
    ],
    ["little_three_winds", "big_three_winds", "little_four_winds", "big_four_winds"],
    ["little_three_dragons", "big_three_dragons"],
    ["all_honor_triplets", "all_honor_pairs"],
    ["seven_pairs", "seven_consecutive_pairs"],
    ["win_on_quartet", "win_on_bonus_tile"],
]
GREEN = ("2s", "3s", "4s", "6s", "8s", "F")
RED = ("1s", "5s", "7s", "9s", "C")


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
    """Everyone pays the winner the same."""
    if case.seat is None or not (case.self_draw or case.discarder):
        return None
    return {wind: 3 * total if wind == case.seat else -total for wind in WINDS}


def judge(reading: Reading, case: Case) -> tuple[int, frozenset[str]]:
    """Points and patterns of one reading."""
    found = {name: times for name, times in holding(reading, case).items() if times}
    for family in FAMILIES:
        members = [name for name in family if name in found]
        best = max(members, key=lambda name: POINTS[name], default=None)
        for name in members:
            if name != best:
                del found[name]
    if not set(found) - BONUS:
        found["chicken_hand"] = 1
    worth = {name: POINTS[name] * times for name, times in found.items()}
    if "thirteen_orphans" in found:
        worth["thirteen_orphans"] = 320 if len(set(case.hand)) == 13 else 160
    added = min(CAP, sum(points for name, points in worth.items() if name not in LIMITS))
    limit = max((name for name in found if name in LIMITS), key=lambda name: POINTS[name], default=None)
    if limit and POINTS[limit] >= added:
        return POINTS[limit], frozenset([limit])
    return added, frozenset(found)


def holding(reading: Reading, case: Case) -> dict[str, int]:
    """How often each pattern holds, before families."""
    if reading.form == "thirteen_orphans":
        whole = {"thirteen_orphans": 1}
    else:
        whole = {
            "concealed_hand": case.concealed,
            **of_tiles(reading, case),
            **of_sequences(reading),
            **of_triplets(reading),
            **of_terminals(reading, case),
            **of_honours(reading, case),
            **of_pairs(reading, case),
        }
    return {name: int(times) for name, times in {**whole, **incidental(case), **of_bonus(case)}.items()}


def of_tiles(reading: Reading, case: Case) -> dict[str, int]:
    """Patterns of the tiles alone, whatever the groups."""
    tiles = case.tiles
    one = len(suits_of(tiles)) == 1
    return {
        "all_simples": not set(tiles) & set(ORPHANS),
        "all_types": len(suits_of(tiles)) == 3 and bool(set(tiles) & set(WINDS)) and bool(set(tiles) & set(DRAGONS)),
        "mixed_one_suit": one and has_honours(tiles),
        "pure_one_suit": one and not has_honours(tiles),
        "nine_gates": reading.form == "nine_gates" and sorted(tile[0] for tile in case.hand) == list("1112345678999"),
        "all_green": all_of(tiles, GREEN),
        "all_red": all_of(tiles, RED),
    }


def of_sequences(reading: Reading) -> dict[str, int]:
    """Patterns of chows: their first tiles decide."""
    chows = Counter(group.tile for group in reading.of("chow"))
    starts = {suit: {int(tile[0]) for tile in chows if tile[1] == suit} for suit in "mps"}
    alike = [*sorted(chows.values(), reverse=True), 0, 0]

    def runs(*steps: int) -> bool:
        return any(all(first + step in found for step in steps) for found in starts.values() for first in range(1, 8))

    def in_one_suit(*ranks: int) -> bool:
        return any(set(ranks) <= found for found in starts.values())

    return {
        "all_sequences": sum(chows.values()) == 4,
        "two_identical_sequences": alike[0] >= 2,
        "two_identical_sequences_twice": alike[0] == 2 and alike[1] == 2,
        "three_identical_sequences": alike[0] >= 3,
        "four_identical_sequences": alike[0] == 4,
        "three_similar_sequences": any(all(rank in found for found in starts.values()) for rank in range(1, 8)),
        "three_consecutive_sequences": runs(0, 1, 2) or runs(0, 2, 4),
        "nine_tile_straight": in_one_suit(1, 4, 7),
        "three_consecutive_sequences_twice": runs(0, 1, 2, 4) or runs(0, 2, 3, 4),
        "four_consecutive_sequences": runs(0, 1, 2, 3) or runs(0, 2, 4, 6),
    }


def of_triplets(reading: Reading) -> dict[str, int]:
    """Patterns of pungs and kongs."""
    triplets = reading.of("pung", "kong")
    concealed = sum(not group.exposed for group in triplets)
    kongs = len(reading.of("kong"))
    ranks = {suit: {int(g.tile[0]) for g in triplets if g.tile[-1] == suit} for suit in "mps"}
    pairs = {(group.tile[0], group.tile[-1]) for group in reading.of("pair") if group.tile not in HONOURS}
    three = [found & {first, first + 1, first + 2} for found in ranks.values() for first in range(1, 8)]
    four = [found & {first, first + 1, first + 2, first + 3} for found in ranks.values() for first in range(1, 7)]
    suits_with = {rank: [suit for suit in "mps" if rank in ranks[suit]] for rank in range(1, 10)}
    return {
        "all_triplets": len(triplets) == 4,
        "two_concealed_triplets": concealed >= 2,
        "three_concealed_triplets": concealed >= 3,
        "four_concealed_triplets": concealed == 4,
        "one_quartet": kongs >= 1,
        "two_quartets": kongs >= 2,
        "three_quartets": kongs >= 3,
        "four_quartets": kongs == 4,
        "little_three_similar_triplets": any(
            len(suits) == 2 and any((str(rank), suit) in pairs for suit in set("mps") - set(suits))
            for rank, suits in suits_with.items()
        ),
        "three_similar_triplets": any(len(suits) == 3 for suits in suits_with.values()),
        "three_consecutive_triplets": any(len(found) == 3 for found in three),
        "four_consecutive_triplets": any(len(found) == 4 for found in four),
        "three_mothers": any(
            {first, first + 1, first + 2} <= ranks[suit] and f"{first}{suit}" in chow_starts(reading)
            for suit in "mps"
            for first in range(1, 8)
        ),
    }


def chow_starts(reading: Reading) -> set[str]:
    """The first tiles of the chows."""
    return {group.tile for group in reading.of("chow")}


def of_terminals(reading: Reading, case: Case) -> dict[str, int]:
    """Patterns of ones and nines."""
    tiles = case.tiles
    chows = Counter(group.tile for group in reading.of("chow"))
    triplets = Counter(group.tile for group in reading.of("pung", "kong"))
    both_chows = sum(min(chows["1" + suit], chows["7" + suit]) for suit in "mps")
    both_triplets = sum(min(triplets["1" + suit], triplets["9" + suit]) for suit in "mps")
    all_four = any(chows["1" + s] and chows["7" + s] and triplets["1" + s] and triplets["9" + s] for s in "mps")
    regular = reading.form == "regular"
    lesser = regular and all(touches(group, TERMINALS) for group in reading.groups)
    return {
        "two_tailed_terminal_sequences": both_chows,
        "two_tailed_terminal_triplets": both_triplets,
        "two_tailed_terminals": all_four,
        "mixed_lesser_terminals": regular and all(touches(group, ORPHANS) for group in reading.groups),
        "pure_lesser_terminals": lesser,
        "mixed_greater_terminals": all_of(tiles, ORPHANS),
        "pure_suit_terminals": lesser and len(suits_of(tiles)) == 1,
        "pure_greater_terminals": all_of(tiles, TERMINALS),
    }


def touches(group: Group, tiles: tuple[str, ...]) -> bool:
    """Whether the group holds one of the tiles."""
    return bool(set(group.tiles) & set(tiles))


def of_honours(reading: Reading, case: Case) -> dict[str, int]:
    """Patterns of winds and dragons."""
    triplets = [group.tile for group in reading.of("pung", "kong")]
    pair = {group.tile for group in reading.of("pair")} if reading.form == "regular" else set()
    winds, dragons = sum(t in WINDS for t in triplets), sum(t in DRAGONS for t in triplets)
    wind_pair, dragon_pair = bool(pair & set(WINDS)), bool(pair & set(DRAGONS))
    honours = all_of(case.tiles, HONOURS)
    return {
        "wind_triplet": winds,
        "dragon_triplet": dragons,
        "little_three_winds": winds >= 2 and wind_pair,
        "big_three_winds": winds >= 3,
        "little_four_winds": winds == 3 and wind_pair,
        "big_four_winds": winds == 4,
        "little_three_dragons": dragons == 2 and dragon_pair,
        "big_three_dragons": dragons == 3,
        "all_honor_triplets": honours and reading.form == "regular",
        "all_honor_pairs": honours and reading.form == "seven_pairs" and len(set(case.tiles)) == 7,
    }


def of_pairs(reading: Reading, case: Case) -> dict[str, int]:
    """Seven pairs."""
    kinds = set(case.tiles)
    ranks = sorted(int(tile[0]) for tile in kinds if tile not in HONOURS)
    in_row = len(suits_of(kinds)) == 1 and len(ranks) == 7 and ranks[-1] - ranks[0] == 6
    pairs = reading.form == "seven_pairs"
    return {"seven_pairs": pairs, "seven_consecutive_pairs": pairs and in_row and not has_honours(kinds)}


def incidental(case: Case) -> dict[str, int]:
    """How the hand was won."""
    drawn, flags, melds = case.self_draw, case.flags, case.melds
    return {
        "self_drawn": drawn,
        "final_draw": drawn and "last_tile" in flags,
        "final_discard": not drawn and "last_tile" in flags,
        "win_on_quartet": drawn and "kong_replacement" in flags,
        "win_on_bonus_tile": drawn and "bonus_replacement" in flags,
        "robbing_a_quartet": "robbing_kong" in flags,
        "blessing_of_heaven": drawn and "first_draw" in flags and case.seat == "E" and not melds,
        "blessing_of_earth": not drawn and "first_discard" in flags and case.seat != "E" and not melds,
    }


def of_bonus(case: Case) -> dict[str, int]:
    """Flowers and seasons: a full set has its own worth instead."""
    flowers = sum(tile.endswith("f") for tile in case.bonus)
    seasons = sum(tile.endswith("g") for tile in case.bonus)
    every = flowers == 4 and seasons == 4
    return {
        "bonus_tile": (flowers if flowers < 4 else 0) + (seasons if seasons < 4 else 0),
        "four_flowers": flowers == 4 and not every,
        "four_seasons": seasons == 4 and not every,
        "all_bonus_tiles": every,
    }
