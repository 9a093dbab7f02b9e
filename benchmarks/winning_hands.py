"""Random hands that win, for the comparisons with other programs: cases as `tilewright score` reads them.

Melds and quads of every kind, flushes, narrow hands in which groups stand in relations to each other, pairs, orphans,
nine gates; for games that know them also knitted hands and hands of singles.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

WINDS, DRAGONS, SUITS = ("E", "S", "W", "N"), ("P", "F", "C"), "mps"
NUMBERS = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10))
HONOURS = WINDS + DRAGONS
ALL = NUMBERS + HONOURS
MAJORS = (*(tile for tile in NUMBERS if tile[0] in "19"), *HONOURS)
Group = tuple[str, ...]


def hands(random: Random, knitted: bool) -> Iterator[dict[str, Any]]:
    """Cases without end: a hand that wins with its melds, the seats and what else the table says."""
    makers = [regular] * 8 + [flush] * 4 + [narrow] * 4 + [pairs, pairs, orphans, gates] + [knits, singles] * knitted
    while True:
        groups = random.choice(makers)(random)
        tiles = Counter(tile for group in groups for tile in group)
        if max(tiles.values()) <= 4:
            yield declared(groups, random)


def a_set(random: Random, tiles: tuple[str, ...]) -> Group:
    first = random.choice(tiles)
    run = tuple(f"{int(first[0]) + step}{first[1]}" for step in range(3)) if first in NUMBERS else ()
    if run and set(run) <= set(tiles) and random.random() < 0.65:
        return run
    return (first,) * (4 if random.random() < 0.2 else 3)


def of(random: Random, tiles: tuple[str, ...]) -> list[Group]:
    return [*(a_set(random, tiles) for _ in range(4)), (random.choice(tiles),) * 2]


def regular(random: Random) -> list[Group]:
    return of(random, ALL)


def flush(random: Random) -> list[Group]:
    suit = random.choice(SUITS)
    return of(random, (*(t for t in NUMBERS if t[1] == suit), *(HONOURS if random.random() < 0.4 else ())))


def narrow(random: Random) -> list[Group]:
    """Of few ranks, so that groups stand in relations to each other."""
    low = random.randint(1, 6)
    ranks = range(low, low + random.randint(3, 4))
    some = tuple(t for t in NUMBERS if int(t[0]) in ranks)
    few = (*HONOURS, *(t for t in NUMBERS if t[0] in "19"))
    return of(random, random.choice([some, some, few, HONOURS, (*few, *some)]))


def pairs(random: Random) -> list[Group]:
    low = random.randint(1, 3)
    shifted = [f"{rank}{random.choice(SUITS)}" for rank in range(low, low + 7)]
    suit = random.choice(SUITS)
    pools = [ALL, MAJORS, [f"{rank}{suit}" for rank in range(low, low + 7)], [t for t in NUMBERS if t[1] == suit]]
    tiles = random.choice([random.sample(pool, 7) for pool in map(list, pools)] + [shifted])
    return [(tile,) * 2 for tile in tiles]


def orphans(random: Random) -> list[Group]:
    return [(tile,) for tile in (*MAJORS, random.choice(MAJORS))]


def gates(random: Random) -> list[Group]:
    suit = random.choice(SUITS)
    return [(f"{rank}{suit}",) for rank in "1112345678999" + random.choice("123456789")]


def spread(random: Random) -> list[str]:
    suits = random.sample(SUITS, 3)
    return [f"{start + 3 * step}{suit}" for start, suit in enumerate(suits, 1) for step in range(3)]


def knits(random: Random) -> list[Group]:
    return [*((tile,) for tile in spread(random)), a_set(random, ALL), (random.choice(ALL),) * 2]


def singles(random: Random) -> list[Group]:
    every = [*spread(random), *HONOURS]
    return [(tile,) for tile in (random.sample(every, 14) if random.random() < 0.7 else [*HONOURS, *every[:7]])]


def declared(groups: list[Group], random: Random) -> dict[str, Any]:
    """The groups as melds and concealed tiles, one of which wins."""
    rate = random.choice([0, 0, 0.3, 0.6, 1])
    melds: list[dict[str, Any]] = []
    hand: list[str] = []
    for group in groups:
        if len(group) == 4 or (len(group) == 3 and random.random() < rate):
            melds.append({"tiles": list(group), "concealed": len(group) == 4 and random.random() < 0.5})
        else:
            hand += group
    win = hand.pop(random.randrange(len(hand)))
    self_draw = random.random() < 0.5
    seats = random.sample(WINDS, 2)
    case = {"hand": sorted(hand, key=ALL.index), "melds": melds, "win_tile": win, "self_draw": self_draw}
    discarder = {} if self_draw else {"discarder": seats[1]}
    return {**case, "seat_wind": seats[0], "round_wind": random.choice(WINDS[:2]), **discarder}


def tiles_of(case: dict[str, Any]) -> list[str]:
    return [*case["hand"], case["win_tile"], *(tile for meld in case["melds"] for tile in meld["tiles"])]


def only_in_the_win(case: dict[str, Any]) -> bool:
    """The hand holds no other copy of the winning tile."""
    return tiles_of(case).count(case["win_tile"]) == 1
