"""Hands scored a second: `zung_jung_plus` and `riichi` here, beside PyPI `mahjong` and `riichienv` (riichi, the latter
in Rust) and `PyMahjongGB` (MCR, C++).

One core, one hand at a time, the same seeded winning hands for all: a third flushes, melds, quads, seven pairs,
orphans; every one of them wins in all systems. Riichi hands have a dora indicator and one below it. Each system gets
the hands in its own prepared form, as its users would hold them. Also the start of the command and the loading of a
ruleset, cold and cached. Run by `make bench`.
"""

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import riichienv
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.meld import Meld
from MahjongGB import MahjongFanCalculator

import tilewright
from tilewright.scoring.case import read_case

HANDS = 3_000
ROUNDS = 7
SEED = 20_261_121
SUITS = "mps"
HONOURS = "ESWNPFC"  # in the order in which `mahjong` numbers them
NUMBERS = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)]
ALL = NUMBERS + list(HONOURS)
GB = {"m": "W", "p": "B", "s": "T"}
GB_HONOURS = dict(zip("ESWNCFP", ["F1", "F2", "F3", "F4", "J1", "J2", "J3"], strict=True))
Groups = list[tuple[str, ...]]
SYSTEMS = (
    "zung_jung_plus (Python)",
    "riichi (Python)",
    "mahjong, riichi (Python)",
    "riichienv, riichi (Rust)",
    "PyMahjongGB, MCR (C++)",
)
INDICATORS = ("4m", "S")  # of the dora, and the one below it


@dataclass(frozen=True)
class Dealt:
    """A winning hand: concealed groups, declared groups with whether they are open, the winning tile, how it came."""

    concealed: Groups
    melds: list[tuple[tuple[str, ...], bool]]
    win: str
    self_draw: bool

    @property
    def closed(self) -> bool:
        return not any(is_open for _, is_open in self.melds)

    @property
    def hand(self) -> list[str]:
        """The concealed tiles without the winning one."""
        tiles = [tile for group in self.concealed for tile in group]
        tiles.remove(self.win)
        return tiles


# --- the hands


def deal(random: Random) -> Dealt:
    """A winning hand of one of the kinds of the mix."""
    kind = random.random()
    if kind < 0.34:
        suit = random.choice(SUITS)
        tiles = [tile for tile in NUMBERS if tile[1] == suit] + (list(HONOURS) if random.random() < 0.5 else [])
        groups = sets(tiles, random)
    elif kind < 0.42:
        groups = [(tile, tile) for tile in random.sample(ALL, 7)]
    elif kind < 0.44:
        orphans = [tile for tile in ALL if tile in HONOURS or tile[0] in "19"]
        groups = [tuple(orphans), (random.choice(orphans),)]
    else:
        groups = sets(ALL, random)
    held = Counter(tile for group in groups for tile in group)
    return finished(groups, random) if max(held.values()) <= 4 else deal(random)


def sets(tiles: list[str], random: Random) -> Groups:
    """Four sets and a pair of these tiles."""
    chows = [t for t in tiles if t in NUMBERS and int(t[0]) <= 7]
    made: Groups = []
    for _ in range(4):
        chance = random.random()
        if chance < 0.6:
            first = random.choice(chows)
            made.append(tuple(f"{int(first[0]) + step}{first[1]}" for step in range(3)))
        else:
            made.append((random.choice(tiles),) * (4 if chance > 0.94 else 3))
    return [*made, (random.choice(tiles),) * 2]


def finished(groups: Groups, random: Random) -> Dealt:
    """Some sets declared, every quad among them; one concealed tile wins."""
    melds = [(g, random.random() < 0.7) for g in groups if len(g) == 4]
    rest = [g for g in groups if len(g) != 4]
    for group in [g for g in rest if len(g) == 3]:
        if random.random() < 0.2:
            rest.remove(group)
            melds.append((group, True))
    return Dealt(rest, melds, random.choice([t for g in rest for t in g]), random.random() < 0.5)


# --- each system's own form of a hand


def ours(rules: tilewright.Rules, dealt: Dealt, **more: Any) -> Callable[[], object]:
    melds = [{"tiles": list(group), "concealed": not is_open} for group, is_open in dealt.melds]
    situation = read_case(
        rules.data,
        {
            "hand": dealt.hand,
            "melds": melds,
            "win_tile": dealt.win,
            "self_draw": dealt.self_draw,
            "seat_wind": "S",
            "round_wind": "E",
            **more,
        },
    )
    return lambda: rules.score_situation(situation)


def riichi_here(rules: tilewright.Rules, dealt: Dealt) -> Callable[[], object]:
    return ours(
        rules,
        dealt,
        discarder=None if dealt.self_draw else "E",
        flags=["riichi"] if dealt.closed else [],
        zones={"dora_indicators": INDICATORS[0], "ura_indicators": INDICATORS[1]},
    )


@dataclass(frozen=True)
class Numbered:
    """A hand in the numbers that `mahjong` and `riichienv` share."""

    hand: list[int]
    win: int
    melds: list[tuple[str, list[int], bool]]

    @staticmethod
    def of(dealt: Dealt) -> "Numbered":
        free = {tile: [4 * ALL.index(tile) + copy for copy in range(4)] for tile in ALL}
        melds = [
            ("kan" if len(g) == 4 else "chi" if g[0] != g[1] else "pon", [free[t].pop() for t in g], o)
            for g, o in dealt.melds
        ]
        return Numbered(sorted(free[tile].pop() for tile in dealt.hand), free[dealt.win].pop(), melds)


def riichi(calculator: HandCalculator, dealt: Dealt) -> Callable[[], object]:
    numbers = Numbered.of(dealt)
    melds = [Meld(kind, tiles, opened=is_open) for kind, tiles, is_open in numbers.melds]
    tiles = sorted([*numbers.hand, numbers.win, *(tile for meld in melds for tile in meld.tiles)])
    config = HandConfig(is_tsumo=dealt.self_draw, is_riichi=dealt.closed, player_wind=28, round_wind=27)
    above, below = ([4 * ALL.index(tile)] for tile in INDICATORS)
    under = below if dealt.closed else None
    return lambda: calculator.estimate_hand_value(
        tiles, numbers.win, melds=melds, dora_indicators=above, ura_dora_indicators=under, config=config
    )


def riichi_in_rust(dealt: Dealt) -> Callable[[], object]:
    numbers, kinds = Numbered.of(dealt), riichienv.MeldType
    named = {"chi": kinds.Chi, "pon": kinds.Pon}
    melds = [
        riichienv.Meld(
            named.get(kind, kinds.Daiminkan if is_open else kinds.Ankan), sorted(tiles), is_open, 1 if is_open else -1
        )
        for kind, tiles, is_open in numbers.melds
    ]
    conditions = riichienv.Conditions(tsumo=dealt.self_draw, riichi=dealt.closed, player_wind=1, round_wind=0)
    above, below = ([4 * ALL.index(tile)] for tile in INDICATORS)
    under = below if dealt.closed else []
    return lambda: riichienv.HandEvaluator(numbers.hand, melds).calc(numbers.win, above, conditions, under)


def chinese(dealt: Dealt) -> Callable[[], object]:
    packs = tuple(
        (
            ("GANG" if len(g) == 4 else "PENG" if g[0] == g[1] else "CHI"),
            gb(g[len(g) // 2] if len(g) == 3 else g[0]),
            1 if is_open else 0,
        )
        for g, is_open in dealt.melds
    )
    hand, win, drawn = tuple(map(gb, dealt.hand)), gb(dealt.win), dealt.self_draw
    return lambda: MahjongFanCalculator(packs, hand, win, 0, drawn, False, False, False, 1, 0)


def gb(tile: str) -> str:
    return GB_HONOURS[tile] if tile in GB_HONOURS else GB[tile[1]] + tile[0]


def mix(zung_jung: tilewright.Rules, japanese: tilewright.Rules) -> Iterator[tuple[Callable[[], object], ...]]:
    """Hands that win in all systems, as calls that score them."""
    random, calculator = Random(SEED), HandCalculator()
    while True:
        dealt = deal(random)
        calls = (
            ours(zung_jung, dealt),
            riichi_here(japanese, dealt),
            riichi(calculator, dealt),
            riichi_in_rust(dealt),
            chinese(dealt),
        )
        if getattr(calls[2](), "error", None) is None and calls[4]():
            yield calls


# --- measuring


def seconds(calls: Sequence[Callable[[], object]]) -> float:
    start = time.perf_counter()
    for call in calls:
        call()
    return time.perf_counter() - start


def measure_scoring() -> None:
    made = mix(tilewright.load("zung_jung_plus"), tilewright.load("riichi", {"red_fives": 0}))
    columns = [list(column) for column in zip(*islice(made, 2 * HANDS), strict=True)]
    gc.collect()
    gc.freeze()  # the hands that wait for their turn are no part of scoring
    empty = [HANDS / seconds(column[:HANDS]) for column in columns]
    fresh = [HANDS / seconds(column[HANDS:]) for column in columns]
    rounds = [[seconds(column[:HANDS]) for column in columns] for _ in range(ROUNDS)]
    again = [HANDS / median(column) for column in zip(*rounds, strict=True)]
    print(f"{HANDS:,} winning hands, one core, one at a time; again: the same hands, median of {ROUNDS} rounds.")
    print("What is remembered: what blocks of tiles can be, what counts by what is so; no whole hand. Hands a second,")
    print("and how many times as many as mahjong:\n")
    print(f"{'':26}{'at first':>14}{'fresh hands':>20}{'the same again':>20}")
    for number, name in enumerate(SYSTEMS):
        rates = [(rate[number], f"{rate[number] / rate[2]:.2f}") for rate in (fresh, again)]
        print(f"{name:26}{empty[number]:14,.0f}", *(f"{rate:11,.0f} {ratio:>7}" for rate, ratio in rates))


def measure_start() -> None:
    """The command as a user runs it, with an empty cache and with a warm one."""
    score = ["score", "zung_jung_plus", "--hand", "222p 333s 88m EE", "--meld", "444p", "--win", "E", "--json"]
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "TILEWRIGHT_CACHE": cache}
        cold = run(score, env)
        rows = [
            ("tilewright --help", [run(["--help"], env) for _ in range(5)]),
            ("score, nothing cached", [cold]),
            ("score, ruleset cached", [run(score, env) for _ in range(5)]),
        ]
    print(f"\n{'':34}{'seconds':>16}")
    for name, times in rows:
        print(f"{name:34}{median(times):16.3f}")


def run(arguments: list[str], env: dict[str, str]) -> float:
    start = time.perf_counter()
    result = subprocess.run([sys.executable, "-m", "tilewright", *arguments], env=env, capture_output=True, check=True)
    assert arguments == ["--help"] or json.loads(result.stdout)["total"] == 40
    return time.perf_counter() - start


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}, {Path(sys.executable).name}\n")
    measure_scoring()
    measure_start()
