"""Chinese Classical, slowly: points and doubles of the winner and of every loser, and all that is paid.

In: a case, with the losers' hands under `others`. Out: its result.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from oracles.cantonese import limit_hands
from oracles.hand import (
    DRAGONS,
    TERMINALS,
    WINDS,
    Case,
    Group,
    Reading,
    Result,
    has_honours,
    read,
    readings,
    suits_of,
)

LIMIT = 1000
GOING_OUT = 10
DOUBLES = {
    "own_flower_and_season": 1,
    "all_flowers": 1,
    "all_seasons": 1,
    "own_wind": 1,
    "round_wind": 1,
    "dragons": 1,
    "chow_hand": 1,
    "one_suit_and_honours": 1,
    "one_suit": 3,
    "pung_hand": 1,
    "concealed_hand": 1,
    "last_tile": 1,
    "last_discard": 1,
    "robbing_a_kong": 1,
}
POINTS = {  # open, concealed
    "pung": {"simples": (2, 4), "terminals": (4, 8), "winds": (4, 8), "dragons": (4, 8)},
    "kong": {"simples": (8, 16), "terminals": (16, 32), "winds": (16, 32), "dragons": (16, 32)},
}
SIMPLES = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(2, 9))
CLASSES: dict[str, tuple[str, ...]] = {"simples": SIMPLES, "terminals": TERMINALS, "winds": WINDS, "dragons": DRAGONS}
Sums = tuple[int, int, frozenset[str]]  # points, doubles, patterns


def score(case: Mapping[str, Any]) -> Result:
    """The winner's best reading; a hand that did not win is scored as a loser's."""
    hand = read(case)
    if not case.get("winner", True):
        points, doubles, patterns = best_of_loser(hand)
        total = capped(points, doubles)
        return Result(False, total, {"points": points, "doubles": doubles, "total": total}, patterns, (patterns,))
    judged = [outcome for reading in readings(hand, seven_pairs=False) for outcome in judge(reading, hand)]
    if not judged:
        return Result(False)
    total = max(points for points, _ in judged)
    best = tuple(dict.fromkeys(patterns for points, patterns in judged if points == total))
    return Result(True, total, {"total": total}, best[0], best, payments(hand, case.get("others", {}), total))


def capped(points: int, doubles: int) -> int:
    """What points and doubles come to."""
    return int(min(LIMIT, points * 2**doubles))


# --- payments


def payments(winner: Case, others: Mapping[str, Any], total: int) -> dict[str, int] | None:
    """The winner is paid by all, then the losers pay each other the difference; double to and by East."""
    if winner.seat is None or not (winner.self_draw or winner.discarder):
        return None
    losers = {wind: total_of_loser(winner, wind, others) for wind in WINDS if wind != winner.seat}
    gains = dict.fromkeys(WINDS, 0)

    def pay(payer: str, payee: str, amount: int) -> None:
        sum_ = amount * 2 if "E" in (payer, payee) else amount
        gains[payer] -= sum_
        gains[payee] += sum_

    for loser in losers:
        pay(loser, winner.seat, total)
    for payer in losers:
        for payee in losers:
            if losers[payee] > losers[payer]:
                pay(payer, payee, losers[payee] - losers[payer])
    return gains


def total_of_loser(winner: Case, wind: str, others: Mapping[str, Any]) -> int:
    """What a loser's hand comes to; nothing where the case does not show it."""
    if wind not in others:
        return 0
    held = read(others[wind])
    points, doubles, _ = best_of_loser(replace(held, seat=wind, round=winner.round))
    return capped(points, doubles)


# --- hands


def judge(reading: Reading, case: Case) -> Iterator[tuple[int, frozenset[str]]]:
    """Total and patterns of a winner's reading: as each limit hand that it is, else as points and doubles."""
    limits = [name for name, holds in all_limit_hands(reading, case).items() if holds]
    for name in limits:
        yield LIMIT, frozenset([name])
    points, doubles, patterns = added(reading, case, winner_points(reading, case), winner_doubles(reading, case))
    if not limits:
        yield capped(points, doubles), patterns


def best_of_loser(case: Case) -> Sums:
    """The best choice of pungs and pairs in the hand, with the melds."""
    choices = [added(Reading("loser", (*case.melds, *groups)), case, {}, {}) for groups in alike(Counter(case.hand))]
    return max(choices, key=lambda sums: (capped(sums[0], sums[1]), sums[0], sums[1]))


def alike(tiles: Counter[str]) -> list[tuple[Group, ...]]:
    """Every choice of pungs and pairs among tiles of a hand, four alike as a pung or as two pairs."""
    choices: list[tuple[Group, ...]] = [()]
    for tile, count in sorted(tiles.items()):
        pung, pair = Group("pung", (tile,) * 3), Group("pair", (tile,) * 2)
        ways: dict[int, list[tuple[Group, ...]]] = {2: [(pair,)], 3: [(pung,), (pair,)], 4: [(pung,), (pair, pair)]}
        here = ways.get(count, [()])
        choices = [(*choice, *more) for choice in choices for more in here]
    return choices


def added(reading: Reading, case: Case, more_points: dict[str, int], more_doubles: dict[str, int]) -> Sums:
    """Points and doubles of a reading, and the patterns that gave them."""
    points = {name: number for name, number in {**held_points(reading, case), **more_points}.items() if number}
    doubles = {name: number for name, number in {**held_doubles(reading, case), **more_doubles}.items() if number}
    return (
        sum(points.values()),
        sum(DOUBLES[name] * number for name, number in doubles.items()),
        frozenset(points) | frozenset(doubles),
    )


def held_points(reading: Reading, case: Case) -> dict[str, int]:
    """Points for what anybody holds."""
    pairs = [group.tile for group in reading.of("pair")]
    return {
        "bonus_tile": 4 * len(case.bonus),
        "dragon_pair": 2 * sum(tile in DRAGONS for tile in pairs),
        "own_wind_pair": 2 * pairs.count(case.seat or ""),
        "round_wind_pair": 2 * pairs.count(case.round or ""),
        **{
            f"{kind}_of_{name}": sum(
                POINTS[kind][name][not held.exposed] for held in reading.of(kind) if held.tile in CLASSES[name]
            )
            for kind in POINTS
            for name in CLASSES
        },
    }


def held_doubles(reading: Reading, case: Case) -> dict[str, int]:
    """Doubles for what anybody holds."""
    pungs = [group.tile for group in reading.of("pung", "kong")]
    number = WINDS.index(case.seat) + 1 if case.seat else None
    return {
        "own_flower_and_season": int(f"{number}f" in case.bonus and f"{number}g" in case.bonus),
        "all_flowers": int({"1f", "2f", "3f", "4f"} <= set(case.bonus)),
        "all_seasons": int({"1g", "2g", "3g", "4g"} <= set(case.bonus)),
        "own_wind": pungs.count(case.seat or ""),
        "round_wind": pungs.count(case.round or ""),
        "dragons": sum(tile in DRAGONS for tile in pungs),
    }


def winner_points(reading: Reading, case: Case) -> dict[str, int]:
    """Points for winning."""
    completed = {group.tile for group in reading.of("pair") if group.completed}
    scoring = bool(completed & {*DRAGONS, case.seat, case.round})
    return {
        "going_out": GOING_OUT,
        "self_drawn": 2 if case.self_draw else 0,
        "won_on_pair": 2 if completed and not scoring else 0,
        "won_on_valued_pair": 4 if scoring else 0,
    }


def winner_doubles(reading: Reading, case: Case) -> dict[str, int]:
    """Doubles of the winner."""
    pair = {group.tile for group in reading.of("pair")}
    one, last = len(suits_of(case.tiles)) == 1, "last_tile" in case.flags
    return {
        "chow_hand": int(len(reading.of("chow")) == 4 and not pair & {*DRAGONS, case.seat, case.round}),
        "one_suit_and_honours": int(one and has_honours(case.tiles)),
        "one_suit": int(one and not has_honours(case.tiles)),
        "pung_hand": int(len(reading.of("pung", "kong")) == 4),
        "concealed_hand": int(case.concealed and case.self_draw),
        "last_tile": int(last and case.self_draw),
        "last_discard": int(last and not case.self_draw),
        "robbing_a_kong": int("robbing_kong" in case.flags),
    }


def all_limit_hands(reading: Reading, case: Case) -> dict[str, bool]:
    """The hands that score a flat 1000."""
    triplets = reading.of("pung", "kong")
    return {
        "concealed_pungs": len(triplets) == 4 and not any(group.exposed for group in triplets),
        **limit_hands(reading, case),
        "all_kongs": len(reading.of("kong")) == 4,
    }
