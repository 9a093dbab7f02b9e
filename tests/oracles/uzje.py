"""Ùzje mahjong with its usual choices, slowly: a splitter of its own, fan in fifths, points by the table.

In: a case in Ùzje notation. Out: its result. Fan are counted in fifths, so that every sum is exact.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from oracles.hand import Result

RANKS = "0123456789xabcdef"
WINDS, ARROWS = ("E", "S", "W", "N"), ("C", "F", "P")
ZERO = "Z"
SEASONS, GENTLEMEN = frozenset("hijk"), frozenset("opqr")
ORPHANS = frozenset(["1t", "ft", "1s", "fs", "1m", "fm", *WINDS, *ARROWS])
GEMS = {(1, 2, 4), (2, 4, 8), (3, 6, 12), (4, 8, 16), (1, 3, 9), (1, 4, 16)}
SQUARES = {(1, 4, 9), (4, 9, 16), (0, 1, 4), (0, 1, 8)}
THRESHOLD = Fraction(5, 2)
FIFTHS = {
    "flower": 1,
    "set_of_flowers": 5,
    "all_flowers": 15,
    "self_drawn": 2,
    "concealed_hand": 3,
    "last_tile": 5,
    "after_quad": 5,
    "robbed_quad": 5,
    "all_ariths": 2,
    "all_steps": 5,
    "same_step": 8,
    "twin_ariths": 3,
    "triplet_ariths": 15,
    "two_suits_arith": 2,
    "gem": 2,
    "three_gems": 10,
    "four_gems": 25,
    "square": 3,
    "quad": 3,
    "all_trips": 15,
    "three_trips": 15,
    "three_concealed_trips": 10,
    "four_concealed_trips": 25,
    "arrow_trip": 5,
    "own_wind": 4,
    "round_wind": 4,
    "zero_trip": 6,
    "little_arrows": 20,
    "big_arrows": 40,
    "all_winds": 65,
    "half_flush": 15,
    "full_flush": 30,
    "tong_terminals": 40,
    "all_terminals": 30,
    "all_evens": 10,
    "all_primes": 15,
    "all_powers": 25,
    "all_squares": 25,
    "seven_pairs": 15,
    "thirteen_orphans": 65,
    "fourteen_orphans": 80,
    "fourteen_ranks": 65,
}
FLOWERS = {"flower", "set_of_flowers", "all_flowers"}
FAMILIES = [
    ["twin_ariths", "triplet_ariths"],
    ["three_gems", "four_gems"],
    ["three_concealed_trips", "four_concealed_trips"],
    ["half_flush", "full_flush", "tong_terminals"],
]


@dataclass(frozen=True)
class Group:
    """kind: pair, trip, quad, arith, gem, square or one; `ranks` with the zero as 0, empty for honours."""

    kind: str
    tiles: tuple[str, ...]
    suit: str = ""
    ranks: tuple[int, ...] = ()
    exposed: bool = False


@dataclass(frozen=True)
class Case:
    """A case, read."""

    hand: tuple[str, ...]
    melds: tuple[Group, ...]
    win: str
    self_draw: bool
    bonus: frozenset[str]
    seat: str | None
    round: str | None
    flags: frozenset[str]
    discarder: str | None


# --- reading a case


def tiles_of(text: str | Iterable[str]) -> tuple[str, ...]:
    """Tiles of "9xas 1ft EE" or of a list of such."""
    found: list[str] = []
    for word in [text] if isinstance(text, str) else text:
        for ranks, suit, other in re.findall(r"([1-9xa-f]+)([tsm])|([ZESWNCFPhijkopqr])", word):
            found += [other] if other else [rank + suit for rank in ranks]
    return tuple(found)


def rank_of(tile: str) -> int:
    """The rank of a number tile."""
    return RANKS.index(tile[0])


def is_number(tile: str) -> bool:
    """Whether it has a rank and a suit."""
    return len(tile) == 2


def meld_of(meld: str | Mapping[str, Any]) -> Group:
    """A declared group."""
    said: Mapping[str, Any] = {"tiles": meld} if isinstance(meld, str) else meld
    tiles = tiles_of(said["tiles"])
    exposed = not said.get("concealed", said.get("kind") == "concealed_kong")
    if len(set(tiles)) == 1:
        return Group("quad" if len(tiles) == 4 else "trip", tiles, *place_of(tiles[0]), exposed=exposed)
    group = next(group for group in progressions(tiles))
    return replace(group, exposed=exposed)


def place_of(tile: str) -> tuple[str, tuple[int, ...]]:
    """Suit and ranks of a group of alike tiles."""
    return (tile[1], (rank_of(tile),)) if is_number(tile) else ("", ())


def progressions(tiles: tuple[str, ...]) -> Iterator[Group]:
    """The arith, gem or square that these three tiles make, a zero among them as rank 0."""
    numbers = [tile for tile in tiles if tile != ZERO]
    if not all(is_number(tile) for tile in numbers) or len({tile[1] for tile in numbers}) != 1 or len(numbers) < 2:
        return
    suit = numbers[0][1]
    ranks = tuple(sorted([rank_of(tile) for tile in numbers] + [0] * (len(tiles) - len(numbers))))
    a, b, c = ranks
    if b - a == c - b > 0:
        yield Group("arith", tiles, suit, ranks)
    elif ranks in GEMS:
        yield Group("gem", tiles, suit, ranks)
    elif ranks in SQUARES:
        yield Group("square", tiles, suit, ranks)


def read(case: Mapping[str, Any]) -> Case:
    """The case with its tiles read."""
    win = case.get("win_tile", case.get("win"))
    return Case(
        tiles_of(case["hand"]),
        tuple(meld_of(meld) for meld in case.get("melds", ())),
        str(win),
        bool(case.get("self_draw")),
        frozenset(tiles_of(case.get("bonus", ()))),
        case.get("seat_wind"),
        case.get("round_wind"),
        frozenset(case.get("flags", ())),
        case.get("discarder"),
    )


# --- readings


def order(tile: str) -> tuple[int, int, str]:
    """Number tiles by suit and rank, then the rest."""
    return (0 if is_number(tile) else 1, rank_of(tile) if is_number(tile) else 0, tile[-1])


def splits(tiles: Counter[str], sets: int) -> Iterator[tuple[Group, ...]]:
    """Every way to make so many sets and one pair of the tiles."""
    for tile in sorted(tiles, key=order):
        if tiles[tile] >= 2:
            for groups in sets_of(tiles - Counter([tile, tile]), sets):
                yield (*groups, Group("pair", (tile, tile), *place_of(tile)))


def sets_of(tiles: Counter[str], sets: int) -> Iterator[tuple[Group, ...]]:
    """Every way to make exactly so many sets of the tiles."""
    if sum(tiles.values()) != 3 * sets:
        return
    if sets == 0:
        yield ()
        return
    first = min(tiles, key=order)
    for group in sets_with(first, tiles):
        for rest in sets_of(tiles - Counter(group.tiles), sets - 1):
            yield (group, *rest)


def sets_with(first: str, tiles: Counter[str]) -> Iterator[Group]:
    """Every set that holds the first tile."""
    if tiles[first] >= 3:
        yield Group("trip", (first,) * 3, *place_of(first))
    if is_number(first):
        same_suit = [tile for tile in tiles if is_number(tile) and tile[1] == first[1] and tile != first]
        others = sorted([*same_suit, *({ZERO} & set(tiles))], key=order)
        for index, second in enumerate(others):
            for third in others[index + 1 :]:
                yield from progressions((first, second, third))


def readings(case: Case) -> Iterator[tuple[str, tuple[Group, ...]]]:
    """Every form and reading of a won hand, the set that a claimed tile completes exposed."""
    tiles = Counter((*case.hand, case.win))
    for groups in splits(tiles, 4 - len(case.melds)):
        for index, group in enumerate(groups):
            if case.win in group.tiles:
                opened = replace(group, exposed=not case.self_draw)
                yield "regular", (*case.melds, *groups[:index], opened, *groups[index + 1 :])
    if fourteen_ranks(case):
        yield "fourteen_ranks", ()
    if case.melds or sum(tiles.values()) != 14:
        return
    if all(count % 2 == 0 for count in tiles.values()):
        yield "seven_pairs", tuple(Group("pair", (tile, tile)) for tile in tiles for _ in range(tiles[tile] // 2))
    if set(tiles) == ORPHANS:
        yield "thirteen_orphans", ()
    if set(tiles) == ORPHANS | {ZERO}:
        yield "fourteen_orphans", ()


def fourteen_ranks(case: Case) -> bool:
    """Fourteen successive ranks of one suit, on the table only three neighbours at a time."""
    tiles = (*case.hand, case.win, *(tile for meld in case.melds for tile in meld.tiles))
    if len(set(tiles)) != 14 or len(tiles) != 14 or not all(is_number(tile) for tile in tiles):
        return False
    ranks = sorted(rank_of(tile) for tile in tiles)
    steps = all(meld.kind == "arith" and step_of(meld) == 1 for meld in case.melds)
    return len({tile[1] for tile in tiles}) == 1 and ranks[-1] - ranks[0] == 13 and steps


def step_of(group: Group) -> int:
    """The difference of an arith."""
    return group.ranks[1] - group.ranks[0]


# --- scoring


def score(case: Mapping[str, Any]) -> Result:
    """The best reading that reaches the threshold."""
    hand = read(case)
    judged = [judge(form, groups, hand) for form, groups in readings(hand)]
    enough = [(fan, patterns) for fan, towards, patterns in judged if towards >= THRESHOLD]
    if not enough:
        return Result(False)
    total = max(points_for(fan) for fan, _ in enough)
    best_fan = max(fan for fan, _ in enough)
    best = tuple(dict.fromkeys(patterns for fan, patterns in enough if fan == best_fan))
    return Result(True, total, {"fan": best_fan, "points": total}, best[0], best, payments(hand, total))


def points_for(fan: Fraction) -> int:
    """2, 5, 10 ... 2000, then 5000 for every three fan, by whole steps above the threshold."""
    step = ceil(fan - THRESHOLD)
    if step <= 10:
        return [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000][max(step, 1) - 1]
    return 5000 * ((step - 11) // 3 + 1)


def payments(case: Case, points: int) -> dict[str, int] | None:
    """All pay in full for a drawn win; of a claimed one the discarder does, the others half, rounded up."""
    if case.seat is None or not (case.self_draw or case.discarder):
        return None
    half = -(-points // 2)
    owed = {wind: points if case.self_draw or wind == case.discarder else half for wind in WINDS if wind != case.seat}
    return {case.seat: sum(owed.values()), **{wind: -amount for wind, amount in owed.items()}}


def judge(form: str, groups: tuple[Group, ...], case: Case) -> tuple[Fraction, Fraction, frozenset[str]]:
    """Fan, fan without flowers, and patterns of a reading."""
    found = {
        name: int(times)
        for name, times in {
            **of_winning(case),
            **of_ariths(groups),
            **of_gems(groups),
            **of_trips(groups),
            **of_honours(groups, case),
            **of_tiles(form, groups, case),
            **of_form(form),
        }.items()
        if times
    }
    for family in FAMILIES:
        members = sorted((name for name in family if name in found), key=lambda name: FIFTHS[name])
        for name in members[:-1]:
            del found[name]
    fan = {name: Fraction(FIFTHS[name] * times, 5) for name, times in found.items()}
    towards = sum((worth for name, worth in fan.items() if name not in FLOWERS), Fraction(0))
    return sum(fan.values(), Fraction(0)), towards, frozenset(found)


def of_winning(case: Case) -> dict[str, int]:
    """Flowers, and how the hand was won."""
    full = len(case.bonus) == 8
    return {
        "flower": len(case.bonus),
        "set_of_flowers": 0 if full else (case.bonus >= SEASONS) + (case.bonus >= GENTLEMEN),
        "all_flowers": full,
        "self_drawn": case.self_draw,
        "concealed_hand": not any(meld.exposed for meld in case.melds),
        "last_tile": "last_tile" in case.flags,
        "after_quad": case.self_draw and "kong_replacement" in case.flags,
        "robbed_quad": "robbing_kong" in case.flags,
    }


def of_ariths(groups: tuple[Group, ...]) -> dict[str, int]:
    """Patterns of ariths."""
    ariths = [group for group in groups if group.kind == "arith"]
    steps = {step_of(group) for group in ariths}
    most = max(Counter((group.suit, group.ranks) for group in ariths).values(), default=0)
    suits = {ranks: {group.suit for group in ariths if group.ranks == ranks} for ranks in {g.ranks for g in ariths}}
    four = len(ariths) == 4
    return {
        "all_ariths": four and len(steps) > 1,
        "all_steps": four and steps == {1},
        "same_step": four and len(steps) == 1 and steps != {1},
        "twin_ariths": most >= 2,
        "triplet_ariths": most >= 3,
        "two_suits_arith": any(len(found) >= 2 for found in suits.values()),
    }


def of_gems(groups: tuple[Group, ...]) -> dict[str, int]:
    """Patterns of gems and squares."""
    gems = sum(group.kind == "gem" for group in groups)
    return {
        "gem": gems,
        "three_gems": gems >= 3,
        "four_gems": gems == 4,
        "square": sum(group.kind == "square" for group in groups),
    }


def of_trips(groups: tuple[Group, ...]) -> dict[str, int]:
    """Patterns of trips and quads."""
    trips = [group for group in groups if group.kind in ("trip", "quad")]
    concealed = sum(not group.exposed for group in trips)
    places = {(group.suit, group.ranks[0]) for group in trips if group.ranks}
    return {
        "quad": sum(group.kind == "quad" for group in groups),
        "all_trips": len(trips) == 4,
        "three_trips": any({(suit, rank + 1), (suit, rank + 2)} <= places for suit, rank in places),
        "three_concealed_trips": concealed >= 3,
        "four_concealed_trips": concealed == 4,
    }


def of_honours(groups: tuple[Group, ...], case: Case) -> dict[str, int]:
    """Patterns of winds, arrows and zero."""
    trips = [group.tiles[0] for group in groups if group.kind in ("trip", "quad")]
    pairs = [group.tiles[0] for group in groups if group.kind == "pair"]
    arrows = sum(tile in ARROWS for tile in trips)
    regular = len(pairs) == 1
    return {
        "arrow_trip": arrows,
        "own_wind": trips.count(case.seat or ""),
        "round_wind": trips.count(case.round or ""),
        "zero_trip": trips.count(ZERO),
        "little_arrows": regular and arrows == 2 and pairs[0] in ARROWS,
        "big_arrows": arrows == 3,
        "all_winds": sum(tile in WINDS for tile in trips) == 4,
    }


def of_tiles(form: str, groups: tuple[Group, ...], case: Case) -> dict[str, int]:
    """Patterns of the whole hand; a zero inside an arith or a square may be seen as a zero or as a number."""
    tiles = [*case.hand, case.win, *(tile for meld in case.melds for tile in meld.tiles)]
    numbers = [tile for tile in tiles if is_number(tile)]
    suits = {tile[1] for tile in numbers}
    honours = len(tiles) > len(numbers)
    as_numbers = sum(ZERO in group.tiles and group.kind in ("arith", "square") for group in groups)
    all_numbers = len(numbers) + as_numbers == len(tiles)
    ranks = {rank_of(tile) for tile in numbers}
    ends = ranks <= {1, 16}
    return {
        "half_flush": len(suits) == 1 and suits != {"t"} and honours,
        "full_flush": len(suits) == 1 and all_numbers,
        "tong_terminals": suits == {"t"} and ends and honours,
        "all_terminals": form == "regular" and ends,
        "all_evens": len(numbers) == len(tiles) and all(rank % 2 == 0 for rank in ranks),
        "all_primes": len(numbers) == len(tiles) and ranks <= {2, 3, 5, 7, 11, 13},
        "all_powers": len(numbers) == len(tiles) and ranks <= {1, 2, 4, 8, 16},
        "all_squares": len(numbers) + tiles.count(ZERO) == len(tiles) and ranks <= {1, 4, 9, 16},
    }


def of_form(form: str) -> dict[str, int]:
    """Special hands."""
    return {name: name == form for name in ("seven_pairs", "thirteen_orphans", "fourteen_orphans", "fourteen_ranks")}
