"""Random hands for each system, as cases in the contract's format: the same seed gives the same hands.

A third are flushes; melds of every kind, special hands, bonus tiles, flags and a few hands that do not win are in.
No tile is held more often than it exists, over all the hands of a case.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

WINDS = ("E", "S", "W", "N")
DRAGONS = ("C", "F", "P")
SUITS = "mps"
HONOURS = WINDS + DRAGONS
NUMBERS = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10))
TERMINALS = tuple(tile for tile in NUMBERS if tile[0] in "19")
ALL = NUMBERS + HONOURS
FLOWERS = tuple(f"{rank}{kind}" for kind in "fg" for rank in range(1, 5))
RANKS = "0123456789xabcdef"
UZJE_NUMBERS = ("1t", "ft", *(f"{sign}{suit}" for suit in "sm" for sign in RANKS[1:]))
UZJE_ALL = (*UZJE_NUMBERS, "Z", *HONOURS)
UZJE_GEMS = ((1, 2, 4), (2, 4, 8), (3, 6, 12), (4, 8, 16), (1, 3, 9), (1, 4, 16))
UZJE_SQUARES = ((1, 4, 9), (4, 9, 16), (0, 1, 4), (0, 1, 8))
Groups = list[tuple[str, ...]]
Make = Callable[[Random], "Groups | None"]


def cases(system: str, count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """So many random cases for a system that has an oracle of its own here."""
    random = Random(f"{system} {seed}")
    for number in range(count):
        yield {"id": f"{system}-{seed}-{number}", **one(system, random)}


def one(system: str, random: Random) -> dict[str, Any]:
    """A case of the system."""
    while True:
        groups = random.choices(*MIXES[system])[0](random)
        if groups is not None and at_most_four(Counter(tile for group in groups for tile in group)):
            case = table(declare(groups, random), system, random)
            if system == "chinese_classical":
                add_losers(case, random)
            return spoiled(case, BOXES.get(system, ALL), random) if random.random() < 0.03 else case


def at_most_four(tiles: Counter[str]) -> bool:
    """Whether there are enough copies of everything."""
    return max(tiles.values()) <= 4


# --- groups of the usual tiles


def regular(tiles: tuple[str, ...], chows: float, kongs: float = 0.15) -> Make:
    """Makes four sets and a pair of these tiles: chows so often, of the others kongs so often."""

    def make(random: Random) -> Groups:
        return [*(a_set(tiles, chows, kongs, random) for _ in range(4)), (random.choice(tiles),) * 2]

    return make


def a_set(tiles: tuple[str, ...], chows: float, kongs: float, random: Random) -> tuple[str, ...]:
    """A chow, pung or kong of these tiles."""
    first = random.choice(tiles)
    chow = tuple(f"{int(first[0]) + step}{first[1]}" for step in range(3)) if first not in HONOURS else ()
    if random.random() < chows and chow and set(chow) <= set(tiles):
        return chow
    return (first,) * (4 if random.random() < kongs else 3)


def flush(chows: float) -> Make:
    """Makes one suit, with honours or without."""

    def make(random: Random) -> Groups | None:
        suit = random.choice(SUITS)
        honours = HONOURS if random.random() < 0.5 else ()
        return regular((*(t for t in NUMBERS if t[1] == suit), *honours), chows)(random)

    return make


def near_by(random: Random) -> Groups | None:
    """Sets that are alike, follow one another or share their ranks."""
    rank, suit = random.randint(1, 7), random.choice(SUITS)
    step = random.choice([(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)])
    pungs = random.random() < 0.4
    groups = []
    for place in range(4):
        start, where = rank + place * step[0], SUITS[(SUITS.index(suit) + place * step[1]) % 3]
        if random.random() < 0.2:
            start, where = random.randint(1, 7), random.choice(SUITS)
        if start > (9 if pungs else 7):
            return None
        groups.append((f"{start}{where}",) * 3 if pungs else tuple(f"{start + n}{where}" for n in range(3)))
    return [*groups, (random.choice(ALL if random.random() < 0.5 else NUMBERS),) * 2]


def pairs(random: Random) -> Groups:
    """Seven pairs, of anything, of one suit, of honours or of the tiles at the ends."""
    tiles = random.choice([ALL, ALL, tuple(t for t in NUMBERS if t[1] == "s"), HONOURS, TERMINALS + HONOURS])
    if random.random() < 0.05:
        return [(tile,) * 2 for tile in HONOURS]
    if random.random() < 0.1:
        start, suit = random.randint(1, 3), random.choice(SUITS)
        return [(f"{start + n}{suit}",) * 2 for n in range(7)]
    return [(random.choice(tiles),) * 2 for _ in range(7)]


def orphans(random: Random) -> Groups:
    """Thirteen orphans."""
    return [(tile,) for tile in (*TERMINALS, *HONOURS, random.choice(TERMINALS + HONOURS))]


def gates(random: Random) -> Groups:
    """Nine gates."""
    suit = random.choice(SUITS)
    return [(f"{rank}{suit}",) for rank in (*"1112345678999", random.randint(1, 9))]


def rich_honours(random: Random) -> Groups:
    """Pungs and kongs of dragons or winds, and something beside them."""
    honours = random.choice((WINDS, DRAGONS))
    count = random.choice((2, 2, 3, 3, 4))
    pungs = [(tile,) * random.choice((3, 3, 4)) for tile in random.sample(honours, min(len(honours), count))]
    others = [a_set(NUMBERS, 0.6, 0.1, random) for _ in range(4 - len(pungs))]
    return [*pungs, *others, (random.choice((*honours, "5s")),) * 2]


def ends(random: Random) -> Groups:
    """Ones and nines in every group, in one suit or in all, or two of them with their chows."""
    suits = random.choice((random.choice(SUITS), SUITS))
    kinds = (("1", "1", "1"), ("1", "2", "3"), ("1", "2", "3"), ("7", "8", "9"), ("7", "8", "9"), ("9", "9", "9"))
    if random.random() < 0.3:
        suit = random.choice(SUITS)
        both = [tuple(rank + suit for rank in kinds[place]) for place in (0, 1, 3, 5)]
        return [*both, (random.choice(ALL),) * 2]
    groups = [
        tuple(rank + suit for rank in ranks) for ranks in random.choices(kinds, k=4) for suit in [random.choice(suits)]
    ]
    return [*groups, (random.choice("19") + random.choice(suits),) * 2]


def mothers(random: Random) -> Groups:
    """Three pungs in a row and the chow of their tiles."""
    suit, first = random.choice(SUITS), random.randint(1, 7)
    ranks = range(first, first + 3)
    chow = tuple(f"{rank}{suit}" for rank in ranks)
    return [*((tile,) * 3 for tile in chow), chow, (random.choice(ALL),) * 2]


COLOURS = ("2s", "3s", "4s", "6s", "8s", "F"), ("1s", "5s", "7s", "9s", "C")
SIMPLES = tuple(tile for tile in NUMBERS if tile[0] not in "19")
USUAL: list[tuple[Make, float]] = [
    (flush(0.7), 24),
    (flush(0.2), 9),
    (regular(ALL, 0.7), 14),
    (regular(ALL, 0.2), 8),
    (regular(SIMPLES, 0.8), 5),
    (near_by, 14),
    (regular(HONOURS, 0), 3),
    (regular((*HONOURS, *TERMINALS), 0), 5),
    (regular(TERMINALS, 0), 1),
    (regular((*HONOURS, "1p", "2p", "3p", "7m", "8m", "9m"), 0.5), 5),
    (regular(COLOURS[0], 0.4), 1),
    (regular(COLOURS[1], 0), 1),
    (regular(ALL, 0, 0.8), 2),
    (orphans, 1.5),
    (gates, 1.5),
    (rich_honours, 6),
    (ends, 5),
    (mothers, 1),
]


# --- groups of Ùzje tiles


def uzje_set(suits: str, honours: tuple[str, ...], random: Random) -> tuple[str, ...]:
    """A trip, quad, arith, gem or square; honours only as trips and quads."""
    kind = random.random()
    if kind < 0.3:
        tiles = (*(t for t in UZJE_NUMBERS if t[1] in suits), *honours)
        return (random.choice(tiles),) * (4 if random.random() < 0.15 else 3)
    if kind < 0.5:
        ranks = random.choice(UZJE_GEMS + UZJE_SQUARES)
    else:
        step = random.choice((1, 1, 2, 3, 4, 5, 6, 7))
        start = random.randint(0, 16 - 2 * step)
        ranks = (start, start + step, start + 2 * step)
    suit = random.choice([s for s in suits if s != "t"])
    return uzje_tiles(ranks, suit)


def uzje_regular(flush: bool) -> Make:
    """Makes four sets and a pair of Ùzje tiles, in one suit or in all."""

    def make(random: Random) -> Groups:
        suits = random.choice("sm") if flush else "tsm"
        honours = ("Z", *HONOURS) if random.random() < 0.6 else ()
        pair = random.choice([t for t in UZJE_ALL if t in honours or (len(t) == 2 and t[1] in suits)])
        return [*(uzje_set(suits, honours, random) for _ in range(4)), (pair,) * 2]

    return make


def uzje_trips(tiles: tuple[str, ...]) -> Make:
    """Makes trips and quads of these tiles only."""

    def make(random: Random) -> Groups:
        trips = [(random.choice(tiles),) * (4 if random.random() < 0.2 else 3) for _ in range(4)]
        return [*trips, (random.choice(tiles),) * 2]

    return make


def uzje_ranks(random: Random) -> Groups:
    """Sets within even numbers, primes, powers or squares, gems above all, in two suits."""
    pool, pair = random.choice(
        (
            (((1, 2, 4), (2, 4, 8), (4, 8, 16), (1, 4, 16)), (1, 2, 4, 8, 16)),
            (UZJE_GEMS, (3, 5, 9)),
            (((2, 4, 6), (4, 8, 12), (6, 8, 10), (2, 8, 14), (2, 4, 8), (12, 14, 16)), (2, 6, 14)),
            (((3, 5, 7), (3, 7, 11), (2, 2, 2), (5, 5, 5), (13, 13, 13)), (2, 3, 11, 13)),
            (((1, 4, 9), (4, 9, 16), (0, 1, 4), (1, 4, 16), (9, 9, 9)), (1, 4, 9, 16)),
        )
    )
    groups = [uzje_tiles(random.choice(pool), random.choice("sm")) for _ in range(4)]
    return [*groups, (RANKS[random.choice(pair)] + random.choice("sm"),) * 2]


def uzje_tiles(ranks: tuple[int, ...], suit: str) -> tuple[str, ...]:
    """Tiles of these ranks, the zero for rank 0."""
    return tuple("Z" if rank == 0 else RANKS[rank] + suit for rank in ranks)


def uzje_honours(random: Random) -> Groups:
    """Trips of winds or arrows, and something beside them."""
    honours = random.choice((WINDS, DRAGONS, HONOURS))
    count = min(len(honours), random.choice((2, 3, 4)))
    trips = [(tile,) * random.choice((3, 3, 4)) for tile in random.sample(honours, count)]
    pair = random.choice((*honours, "5s"))
    return [*trips, *(uzje_set("sm", (), random) for _ in range(4 - len(trips))), (pair,) * 2]


def uzje_alike(random: Random) -> Groups | None:
    """Ariths of one difference, or the same again and again."""
    suit, step = random.choice("sm"), random.choice((1, 2, 3, 4))
    starts = [random.choice((1, 2, 3, 4, 5, 6, 7, 8))] * 4 if random.random() < 0.3 else random.sample(range(9), 4)
    groups = [uzje_tiles((start, start + step, start + 2 * step), suit) for start in starts]
    if random.random() < 0.4:
        groups[-1] = (random.choice(HONOURS),) * 3
    return [*groups, (random.choice(HONOURS if random.random() < 0.5 else tuple(UZJE_NUMBERS)),) * 2]


def two_suits(chows: float, ends: str = "") -> Make:
    """Makes hands of two suits, mostly of tiles of these ranks or next to them."""

    def make(random: Random) -> Groups | None:
        suits = random.sample(SUITS, 2)
        tiles = tuple(tile for tile in NUMBERS if tile[1] in suits and (not ends or tile[0] in ends or chows))
        groups = regular(tiles, chows)(random)
        wanted = not ends or groups is None or all({tile[0] for tile in group} & set(ends) for group in groups)
        return groups if wanted or random.random() < 0.1 else None

    return make


def one_suit(chows: float) -> Make:
    """Makes hands of one suit."""

    def make(random: Random) -> Groups | None:
        suit = random.choice(SUITS)
        return regular(tuple(tile for tile in NUMBERS if tile[1] == suit), chows)(random)

    return make


def two_suits_of_pairs(random: Random) -> Groups:
    """Seven pairs of two suits."""
    suits = random.sample(SUITS, 2)
    tiles = [tile for tile in NUMBERS if tile[1] in suits]
    return [(random.choice(tiles),) * 2 for _ in range(7)]


def uzje_special(random: Random) -> Groups:
    """Pairs, orphans or fourteen ranks."""
    kind = random.randrange(4)
    ends = ("1t", "ft", "1s", "fs", "1m", "fm", *HONOURS)
    if kind == 0:
        return [(tile,) for tile in (*ends, random.choice(ends))]
    if kind == 1:
        return [(tile,) for tile in (*ends, "Z")]
    if kind == 2:
        start, suit = random.randint(1, 3), random.choice("sm")
        return [(RANKS[start + n] + suit,) for n in range(14)]
    return [(random.choice(UZJE_ALL),) * 2 for _ in range(7)]


UZJE: list[tuple[Make, float]] = [
    (uzje_regular(True), 40),
    (uzje_regular(False), 15),
    (uzje_alike, 15),
    (uzje_trips(("1t", "ft", "Z", *HONOURS)), 8),
    (uzje_trips(("1t", "ft", "1s", "fs", "1m", "fm", *HONOURS)), 3),
    (uzje_trips(UZJE_ALL), 6),
    (uzje_special, 10),
    (uzje_ranks, 10),
    (uzje_honours, 6),
]
SICHUAN: list[tuple[Make, float]] = [
    (two_suits(0.7), 40),
    (two_suits(0.0), 15),
    (two_suits(0.7, "19"), 10),
    (two_suits(0.0, "258"), 5),
    (one_suit(0.7), 15),
    (two_suits_of_pairs, 10),
    (regular(NUMBERS, 0.7), 5),
]
MIXES = {
    "hong_kong": tuple(zip(*USUAL, strict=True)),
    "sichuan": tuple(zip(*SICHUAN, strict=True)),
    "zung_jung": tuple(zip(*USUAL, (pairs, 6), strict=True)),
    "zung_jung_plus": tuple(zip(*USUAL, (pairs, 6), strict=True)),
    "cantonese": tuple(zip(*USUAL, strict=True)),
    "chinese_classical": tuple(zip(*USUAL, strict=True)),
    "uzje": tuple(zip(*UZJE, strict=True)),
}
BONUS: dict[str, tuple[str, ...]] = {"uzje": tuple("hijkopqr"), "zung_jung": (), "sichuan": ()}  # where not the usual
BOXES: dict[str, tuple[str, ...]] = {"uzje": UZJE_ALL, "sichuan": NUMBERS}


# --- cases


def declare(groups: Groups, random: Random) -> dict[str, Any]:
    """A case of these groups: some declared, every kong; the winning tile is one of the rest."""
    melds: list[dict[str, Any]] = []
    hand: list[str] = []
    can_meld = all(len(group) >= 2 for group in groups) and len(groups) == 5
    openness = random.choice((0, 0, 0.3, 0.6, 1))
    for group in groups:
        alike = len(set(group)) == 1
        if can_meld and (len(group) == 4 or (len(group) == 3 and random.random() < openness)):
            concealed = len(group) == 4 and random.random() < 0.5
            kind = name_of(group, alike, concealed, random)
            melds.append({"kind": kind, "tiles": list(group), "concealed": concealed})
        else:
            hand += group
    win = random.choice(hand)
    hand.remove(win)
    random.shuffle(hand)
    return {"hand": hand, "melds": melds, "win_tile": win} if melds else {"hand": hand, "win_tile": win}


def name_of(group: tuple[str, ...], alike: bool, concealed: bool, random: Random) -> str:
    """A name of the kind that every case file may use."""
    if len(group) == 4:
        return "concealed_kong" if concealed else random.choice(("kong", "added_kong"))
    return "pung" if alike else "chow"


def table(case: dict[str, Any], system: str, random: Random) -> dict[str, Any]:
    """The case with winds, how it was won, bonus tiles and flags."""
    drawn = random.random() < 0.5
    seat = random.choice(WINDS)
    case |= {"seat_wind": seat, "round_wind": random.choice(WINDS), "self_draw": drawn}
    if system == "sichuan":  # it has no winds
        del case["round_wind"]
    if not drawn:
        case["discarder"] = random.choice([wind for wind in WINDS if wind != seat])
    names = BONUS.get(system, FLOWERS)
    sets = random.choice((0, 0.1, 0.1, 0.3, 0.9))
    if bonus := [name for name in names if random.random() < sets]:
        case["bonus"] = bonus
    if flags := flags_of(case, random):
        case["flags"] = flags
    return case


def flags_of(case: dict[str, Any], random: Random) -> list[str]:
    """Flags that the hand does not contradict."""
    drawn, melds = case["self_draw"], case.get("melds", [])
    tiles = [*case["hand"], *(tile for meld in melds for tile in meld["tiles"])]
    possible = {
        "last_tile": True,
        "kong_replacement": drawn and any(len(meld["tiles"]) == 4 for meld in melds),
        "bonus_replacement": drawn and "bonus" in case,
        "robbing_kong": not drawn and case["win_tile"] not in tiles,
        "first_draw": drawn and not melds,
        "first_discard": not drawn and not melds and case["discarder"] == "E",
    }
    together = [flag for flag, can_be in possible.items() if can_be and random.random() < 0.12]
    of_the_last = ("last_tile", "kong_replacement", "bonus_replacement")
    return [flag for flag in together if flag == together[-1] or (flag == "last_tile" and together[-1] in of_the_last)]


def add_losers(case: dict[str, Any], random: Random) -> None:
    """Give the losers hands of the tiles that remain, with pungs and pairs in them."""
    if random.random() < 0.3:
        return
    box = Counter(dict.fromkeys(ALL, 4))
    box.subtract([*case["hand"], case["win_tile"], *(tile for meld in case.get("melds", ()) for tile in meld["tiles"])])
    flowers = [tile for tile in FLOWERS if tile not in case.get("bonus", ())]
    random.shuffle(flowers)
    first = not {"first_draw", "first_discard"}.isdisjoint(case.get("flags", ()))  # when nothing has been melded
    case["others"] = {wind: loser(box, flowers, random, first) for wind in WINDS if wind != case["seat_wind"]}


def loser(box: Counter[str], flowers: list[str], random: Random, first: bool) -> dict[str, Any]:
    """Thirteen tiles, a kong for three, taken out of the box."""
    hand: list[str] = []
    melds: list[dict[str, Any]] = []
    for _ in range(random.randrange(5)):
        size = random.choice((3, 3, 4))
        if fitting := [tile for tile in ALL if box[tile] >= size]:
            tile = random.choice(fitting)
            box[tile] -= size
            if random.random() < 0.5 and not first:
                concealed = size == 4 and random.random() < 0.5
                melds.append(
                    {
                        "kind": name_of((tile,) * size, True, concealed, random),
                        "tiles": [tile] * size,
                        "concealed": concealed,
                    }
                )
            else:
                hand += [tile] * size
    hand = hand[: 13 - 3 * len(melds)]
    while len(hand) < 13 - 3 * len(melds):
        tile = random.choice([tile for tile in ALL if box[tile] > 0])
        count = min(box[tile], random.choice((1, 1, 2)), 13 - 3 * len(melds) - len(hand))
        box[tile] -= count
        hand += [tile] * count
    bonus = [flowers.pop() for _ in range(random.choice((0, 0, 1, 2))) if flowers]
    return {"hand": hand, "melds": melds, "bonus": bonus}


def spoiled(case: dict[str, Any], tiles: tuple[str, ...], random: Random) -> dict[str, Any]:
    """The case with another tile in place of one of its hand, so that it seldom wins."""
    held = Counter([case["win_tile"]])
    for seat in (case, *case.get("others", {}).values()):
        held.update([*seat["hand"], *(tile for meld in seat.get("melds", ()) for tile in meld["tiles"])])
    case["hand"][0] = random.choice([tile for tile in tiles if held[tile] < 4])
    return case
