"""Two drafts against programs that other people wrote: riichi against PyPI `mahjong`, MCR against `PyMahjongGB`.

Run by hand where both are installed: `PYTHONPATH=engine python tests/compare_with_peers.py [HANDS] [SEED]`. Prints
every difference with its hand, and exits 1 if there are any but the known disputes, which are counted apart. Random
winning hands with melds and quads of every kind, flushes, pairs, orphans, knitted hands, red fives and indicators.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.meld import Meld
from MahjongGB import MahjongFanCalculator

import tilewright

DRAFTS = Path(__file__).parent / "drafts"
WINDS, DRAGONS, SUITS = ("E", "S", "W", "N"), ("P", "F", "C"), "mps"
NUMBERS = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10))
HONOURS = WINDS + DRAGONS
ALL = NUMBERS + HONOURS
MAJORS = (*(tile for tile in NUMBERS if tile[0] in "19"), *HONOURS)
EQUAL = "a known dispute, equal worth"
Group = tuple[str, ...]


# --- hands


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


# --- riichi


def riichi_case(case: dict[str, Any], random: Random) -> dict[str, Any]:
    """The case with indicators, red fives, and what a riichi table may have seen."""
    flags = set()
    concealed = all(meld["concealed"] for meld in case["melds"])
    if concealed and random.random() < 0.4:
        flags |= set(random.choice([("ready",), ("ready", "one_shot"), ("ready", "ready_first_turn")]))
    if random.random() < 0.1:
        flags.add("last_tile")
    elif case["self_draw"] and any(len(m["tiles"]) == 4 for m in case["melds"]) and random.random() < 0.3:
        flags.add("kong_replacement")
    elif not case["self_draw"] and only_in_the_win(case) and random.random() < 0.15:
        flags.add("robbing_kong")
    elif case["self_draw"] and not case["melds"] and not flags and random.random() < 0.05:
        flags.add("first_draw")
    free = list((Counter(dict.fromkeys(ALL, 4)) - Counter(tiles_of(case))).elements())
    shown = random.sample(free, 4)
    zones = {"indicators": shown[:2], "under": shown[2:]}
    return reddened(case, random) | {"flags": sorted(flags), "zones": zones, "marks": {"repeats": random.randint(0, 2)}}


def reddened(case: dict[str, Any], random: Random) -> dict[str, Any]:
    """Some fives of the case are red."""
    made = {**case, "hand": list(case["hand"]), "melds": [{**m, "tiles": list(m["tiles"])} for m in case["melds"]]}
    for suit in SUITS:
        rows: list[list[str]] = [
            row for row in (made["hand"], *(m["tiles"] for m in made["melds"])) if f"5{suit}" in row
        ]
        count = tiles_of(case).count(f"5{suit}")
        if rows and (count == 4 or random.random() < 0.6):
            row = random.choice(rows)
            row[row.index(f"5{suit}")] = f"0{suit}"
        elif count and random.random() < 0.6 and made["win_tile"] == f"5{suit}":
            made["win_tile"] = f"0{suit}"
    return made


def ids(case: dict[str, Any]) -> tuple[list[int], list[Meld], int]:
    """The case's tiles in the numbers of `mahjong`: all of them, the melds, the winning tile."""
    free: dict[str, list[int]] = {f"{rank}{suit}": [] for suit in SUITS for rank in range(10)} | {
        tile: [] for tile in HONOURS
    }
    for number in range(136):
        code = (
            ("EESSWWNNPPFFCC"[(number // 4 - 27) * 2])
            if number >= 108
            else f"{number // 4 % 9 + 1}{SUITS[number // 36]}"
        )
        free[code.replace("5", "0") if number in (16, 52, 88) else code].append(number)

    def take(tile: str) -> int:
        return free[tile].pop()

    melds = []
    for meld in case["melds"]:
        taken = [take(tile) for tile in sorted(meld["tiles"], key=lambda t: t.replace("0", "5"))]
        kind = Meld.KAN if len(taken) == 4 else Meld.CHI if taken[0] // 4 != taken[1] // 4 else Meld.PON
        melds.append(Meld(kind, taken, opened=not meld["concealed"]))
    hand, win = [take(tile) for tile in case["hand"]], take(case["win_tile"])
    return [*hand, win, *(tile for meld in melds for tile in meld.tiles)], melds, win


def by_mahjong(case: dict[str, Any]) -> HandResponse:
    tiles, melds, win = ids(case)
    flags = case["flags"]
    dealer = case["seat_wind"] == "E"
    config = HandConfig(
        is_tsumo=case["self_draw"],
        is_riichi="ready" in flags and "ready_first_turn" not in flags,
        is_daburu_riichi="ready_first_turn" in flags,
        is_ippatsu="one_shot" in flags,
        is_haitei="last_tile" in flags and case["self_draw"],
        is_houtei="last_tile" in flags and not case["self_draw"],
        is_rinshan="kong_replacement" in flags,
        is_chankan="robbing_kong" in flags,
        is_tenhou="first_draw" in flags and dealer,
        is_chiihou="first_draw" in flags and not dealer,
        player_wind=27 + WINDS.index(case["seat_wind"]),
        round_wind=27 + WINDS.index(case["round_wind"]),
        tsumi_number=case["marks"]["repeats"],
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, limit_to_sextuple_yakuman=False),
    )
    indicators = [[4 * ALL.index(tile) + 1 for tile in case["zones"][zone]] for zone in ("indicators", "under")]
    return HandCalculator.estimate_hand_value(
        tiles, win, melds, dora_indicators=indicators[0], config=config, ura_dora_indicators=indicators[1]
    )


def riichi_differences(rules: tilewright.Rules, case: dict[str, Any]) -> Iterator[str]:
    score, peer = rules.score_case(case), by_mahjong(case)
    if peer.error is not None or not score.win:
        if peer.error != "no_yaku" or score.win:
            yield f"we say {score.reason or 'wins'} {told(score)}, mahjong {peer.error or 'wins'} {peer.yaku}"
        return
    assert peer.cost is not None and peer.han is not None
    limits = score.values["yakuman"]
    han = 13 * limits if limits else score.values["han"]
    gain = (score.payments or {}).get(case["seat_wind"])
    if gain == peer.cost["total"] and han == peer.han and (limits or score.values["fu"] == peer.fu):
        return
    counted_limit = gain == peer.cost["total"] and han > peer.han == 13 and not limits
    yield (
        f"{EQUAL if counted_limit else 'differs'}: {gain} by {han} han {score.values['fu']} fu {told(score)}, "
        f"mahjong {peer.cost['total']} by {peer.han} han {peer.fu} fu {[str(y) for y in peer.yaku or ()]}"
    )


# --- MCR


def mcr_case(case: dict[str, Any], random: Random) -> dict[str, Any]:
    """The case with bonus tiles and what an MCR table may have seen."""
    flags = set()
    if random.random() < 0.1:
        flags.add("last_tile")
    kong = any(len(meld["tiles"]) == 4 for meld in case["melds"])
    once = only_in_the_win(case)
    if case["self_draw"] and kong and random.random() < 0.3:
        flags.add("kong_replacement")
    elif not case["self_draw"] and once and "last_tile" not in flags and random.random() < 0.15:
        flags.add("robbing_kong")
    free = list((Counter(dict.fromkeys(ALL, 4)) - Counter(tiles_of(case))).elements())
    discards = random.sample(free, 5) + [case["win_tile"]] * 3 * (once and random.random() < 0.2)
    if discards.count(case["win_tile"]) > 3 or "robbing_kong" in flags:
        discards = []
    bonus = random.sample([f"{rank + 1}{kind}" for kind in "fg" for rank in range(4)], random.choice([0, 0, 1, 3]))
    return {**case, "flags": sorted(flags), "bonus": bonus, "zones": {"discards": discards}}


def seen(case: dict[str, Any]) -> int:
    """Copies of the winning tile that lie open, itself not counted."""
    open_tiles = [tile for meld in case["melds"] if not meld["concealed"] for tile in meld["tiles"]]
    return [*open_tiles, *case["zones"]["discards"]].count(case["win_tile"])


def peer_code(tile: str) -> str:
    if tile in WINDS:
        return f"F{WINDS.index(tile) + 1}"
    if tile in DRAGONS:
        return f"J{'CFP'.index(tile) + 1}"
    return {"m": "W", "p": "B", "s": "T"}[tile[1]] + tile[0]


def by_mahjonggb(case: dict[str, Any]) -> dict[str, tuple[int, int]] | str:
    """Pattern -> how often, and what it is worth once; or what is wrong."""
    packs = []
    for meld in case["melds"]:
        tiles = meld["tiles"]
        kind = "GANG" if len(tiles) == 4 else "PENG" if tiles[0] == tiles[1] else "CHI"
        packs.append((kind, peer_code(tiles[1]), 0 if meld["concealed"] else 1))
    flags = case["flags"]
    try:
        found = MahjongFanCalculator(
            pack=tuple(packs),
            hand=tuple(map(peer_code, case["hand"])),
            winTile=peer_code(case["win_tile"]),
            flowerCount=len(case["bonus"]),
            isSelfDrawn=case["self_draw"],
            is4thTile=seen(case) == 3,
            isAboutKong="robbing_kong" in flags or "kong_replacement" in flags,
            isWallLast="last_tile" in flags,
            seatWind=WINDS.index(case["seat_wind"]),
            prevalentWind=WINDS.index(case["round_wind"]),
            verbose=True,
        )
    except TypeError as error:
        return str(error)
    return {name: (count, points) for points, count, _, name in found}


def mcr_differences(rules: tilewright.Rules, case: dict[str, Any]) -> Iterator[str]:
    score, peer = rules.score_case(case), by_mahjonggb(case)
    if isinstance(peer, str):
        yield f"we say {told(score)}, MahjongGB {peer}"
        return
    theirs = {name: count * worth for name, (count, worth) in peer.items()}
    if score.values.get("points") != sum(theirs.values()):
        yield f"{score.values.get('points')} by {told(score)}, MahjongGB {sum(theirs.values())} by {theirs}"
    elif {letters(name) for name in theirs} != {letters(p.name) for p in score.patterns}:
        yield f"{EQUAL}: {told(score)}, MahjongGB {theirs}"


def letters(name: str) -> str:
    """A name without what is only spelling."""
    return "".join(filter(str.isalpha, name.lower().replace("honours", "honors").replace("dragons", "dragon")))


def told(score: tilewright.Score) -> str:
    return f"{[f'{p.id} {p.worth}' for p in score.patterns]} {' '.join(score.reading)}"


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    riichi = tilewright.load(str(DRAFTS / "riichi.yaml"), mods=[str(DRAFTS / "red_fives.yaml")])
    mcr = tilewright.load(str(DRAFTS / "mcr.yaml"))
    wrong = 0
    for name, rules, add, differences in (
        ("riichi", riichi, riichi_case, riichi_differences),
        ("mcr", mcr, mcr_case, mcr_differences),
    ):
        random = Random(f"{name} {seed}")
        made = hands(random, name == "mcr")
        here = disputes = 0
        for _ in range(count):
            case = add(next(made), random)
            for line in differences(rules, case):
                disputes += line.startswith(EQUAL)
                here += not line.startswith(EQUAL)
                print(f"{name}: {line}\n    {case}")
        print(f"{name}: {count} hands, {here} differences, {disputes} known disputes")
        wrong += here
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
