"""Riichi hands scored here, by PyPI `mahjong` and by PyPI `riichienv`: han, fu and what the winner gets.

`make compare`, or `python benchmarks/compare_riichi.py [--hands N] [--seed S]` with the peers installed. Random winning
hands with melds, dora, red fives and what a table may have seen. Prints every difference with its hand, and ends with 1
if there are any but those that docs/comparisons.md tells of.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, tee
from random import Random
from typing import Any

from peers import asked
from winning_hands import ALL, SUITS, hands, only_in_the_win, tiles_of

import tilewright

Case = dict[str, Any]
HANDS = 20_000
SEED = "1"
BOTH, ONE = ("mahjong", "riichienv"), ("mahjong",)


@dataclass(frozen=True)
class Table:
    """The options of a table, and the peers that know them."""

    rules: tilewright.Rules
    options: Mapping[str, Any]
    peers: tuple[str, ...]


def tables() -> list[Table]:
    """The rules of `riichienv`, which `mahjong` knows too, thrice; then others that `mahjong` knows."""
    usual = {
        "open_tanyao": True,
        "double_yakuman": True,
        "kazoe_yakuman": True,
        "kiriage_mangan": False,
        "renhou": "nothing",
    }
    strict = {**usual, "double_yakuman": False, "kazoe_yakuman": False, "kiriage_mangan": True}
    closed = {**usual, "double_yakuman": False, "open_tanyao": False, "renhou": "yakuman"}
    shared = Table(tilewright.load("riichi", usual), usual, BOTH)
    return [shared] * 3 + [Table(tilewright.load("riichi", options), options, ONE) for options in (strict, closed)]


# --- hands


def cases(random: Random) -> Iterator[Case]:
    """Winning hands without end, with all that matters to their worth."""
    for case in hands(random, knitted=False):
        free = list((Counter(dict.fromkeys(ALL, 4)) - Counter(tiles_of(case))).elements())
        shown = random.sample(free, 6)
        upto = random.choice([1, 1, 2, 3])
        yield reddened(case, random) | {
            "flags": sorted(flags(case, random)),
            "zones": {"dora_indicators": shown[:upto], "ura_indicators": shown[3 : 3 + upto]},
            "marks": {"honba": random.choice([0, 0, 1, 2])},
        }


def flags(case: Case, random: Random) -> set[str]:
    """What the table may have seen."""
    found: set[str] = set()
    kong = any(len(meld["tiles"]) == 4 for meld in case["melds"])
    if all(meld["concealed"] for meld in case["melds"]) and random.random() < 0.4:
        found |= set(random.choice([("riichi",), ("riichi", "ippatsu"), ("riichi", "double_riichi")]))
    if case["self_draw"] and kong and random.random() < 0.3:
        return found - {"ippatsu"} | {"kong_replacement"}
    if random.random() < 0.1:
        return found - {"ippatsu"} | {"last_tile"}
    if not case["self_draw"] and only_in_the_win(case) and random.random() < 0.15:
        return found | {"robbing_kong"}
    if not case["melds"] and not found and random.random() < 0.05:
        return {"first_draw"}
    return found


def reddened(case: Case, random: Random) -> Case:
    """Some fives of the case are red, one of each suit at most; where all four are there, one is."""
    made = {**case, "hand": list(case["hand"]), "melds": [{**m, "tiles": list(m["tiles"])} for m in case["melds"]]}
    for suit in SUITS:
        five, red = f"5{suit}", f"0{suit}"
        rows: list[list[str]] = [row for row in (made["hand"], *(m["tiles"] for m in made["melds"])) if five in row]
        if rows and (tiles_of(case).count(five) == 4 or random.random() < 0.6):
            row = random.choice(rows)
            row[row.index(five)] = red
        elif made["win_tile"] == five and random.random() < 0.6:
            made["win_tile"] = red
    return made


# --- what both say


def ours(rules: tilewright.Rules, case: Case) -> dict[str, Any]:
    score = rules.score_case(case)
    if not score.win:
        return {"error": score.reason}
    values, yaku = score.values, [f"{one.id} {one.worth}" for one in score.patterns]
    gain = (score.payments or {}).get(case["seat_wind"])
    return {"han": values["han"], "yakuman": values["yakuman"], "fu": values["fu"], "gain": gain, "yaku": yaku}


def agree(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """The same worth: what the winner gets, and but for yakuman the han and the fu."""
    if "error" in mine or "error" in theirs:
        return "error" in mine and theirs.get("error") == "no_yaku"
    if mine["gain"] != theirs["gain"]:
        return False
    return bool(mine["yakuman"]) or (mine["han"] == theirs["han"] and mine["fu"] == theirs["fu"])


def is_known(peer: str, case: Case) -> bool:
    """`riichienv` lets the dealer who is dealt a full hand say which tile completed it; here it is the tile that was
    drawn last (docs/comparisons.md)."""
    return peer == "riichienv" and "first_draw" in case["flags"] and case["seat_wind"] == "E" and case["self_draw"]


def differences(count: int, seed: str) -> Iterator[tuple[str, bool]]:
    """A text for each hand that a peer scores in another way, and whether that is known."""
    random, played = Random(seed), tables()
    made = ((case, random.choice(played)) for case in islice(cases(random), count))
    asking, telling = tee(made)
    answers = asked("peer_riichi.py", ({**c, "rules": t.options, "peers": t.peers} for c, t in asking))
    for (case, table), (_, said) in zip(telling, answers, strict=True):
        mine = ours(table.rules, case)
        for peer, theirs in said.items():
            if not agree(mine, theirs):
                yield f"{peer} {theirs}\n  here {mine}\n  {case} {table.options}", is_known(peer, case)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--seed", default=SEED)
    given = parser.parse_args()
    found = Counter[bool]()
    for text, known in differences(given.hands, given.seed):
        print(f"{'known: ' if known else ''}{text}")
        found[known] += 1
    print(f"riichi: {given.hands:,} hands, {found[False]} differences, {found[True]} known ones")
    return 1 if found[False] else 0


if __name__ == "__main__":
    sys.exit(main())
