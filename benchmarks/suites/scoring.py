"""Scoring: hands never seen before, one at a time, as text and as JSON lines; the same hands once more; cases at once.

Seeded winning hands, the same for all systems, each in the form that its users hold: a third flushes, melds, quads,
seven pairs, orphans; every one wins in all systems. Riichi hands have a dora indicator and one below it.
"""

import gc
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from measuring import Contender, Group, Scale, command_seconds, rate

import tilewright
from tilewright.scoring.case import read_case

try:
    import riichienv
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.meld import Meld
    from MahjongGB import MahjongFanCalculator
except ModuleNotFoundError:
    riichienv = None  # all of them are installed together

HANDS = 1_500  # a round
LINES, MANY_LINES = 6_000, 60_000  # of a file
MANY_HANDS, MANY_ROUNDS = 15_000, 3
SEED = 20_261_121
SUITS = "mps"
HONOURS = "ESWNPFC"  # in the order in which `mahjong` numbers them
NUMBERS = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)]
ALL = NUMBERS + list(HONOURS)
GB = {"m": "W", "p": "B", "s": "T"}
GB_HONOURS = dict(zip("ESWNCFP", ["F1", "F2", "F3", "F4", "J1", "J2", "J3"], strict=True))
INDICATORS = ("4m", "S")  # of the dora, and the one below it
RULESETS = {"zung_jung_plus": {}, "riichi": {"red_fives": 0}, "mcr": {}, "cantonese": {}}
PYTHON_PEER, RUST_PEER, C_PEER = "mahjong, riichi (Python)", "riichienv, riichi (Rust)", "PyMahjongGB, MCR (C++)"
Groups = list[tuple[str, ...]]
Call = Callable[[], object]
Case = dict[str, Any]


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite."""
    rules = {id: tilewright.load(id, options) for id, options in RULESETS.items()}
    made = winning()
    hands, others = (list(islice(made, scale.of(HANDS) * (scale.rounds + 1))) for _ in range(2))
    columns = {name: [prepared(one, case_of(name, dealt)) for dealt in hands] for name, one in rules.items()}
    columns |= peers(hands)
    beside = [name for name in (PYTHON_PEER, C_PEER) if name in columns]
    gc.collect()
    gc.freeze()  # the hands that wait for their turn are no part of scoring
    fresh = [Contender(name, partial(round_of, column, scale)) for name, column in columns.items()]
    yield Group("fresh", "fresh hands, one at a time", "hands/s", fresh, beside)
    first = scale.of(HANDS)
    same = [Contender(name, partial(once_more, column[:first])) for name, column in columns.items()]
    yield Group("again", "the same hands again", "hands/s", same, beside)
    yield Group(
        "many",
        "many hands in columns",
        "hands/s",
        list(columns_of(rules, made, scale)),
        [],
        min(MANY_ROUNDS, scale.rounds),
    )
    texts = {id: [text_call(rules[id], case_of(id, dealt)) for dealt in others] for id in rules}
    written = [Contender(name, partial(round_of, column, scale)) for name, column in texts.items()]
    yield Group("text", "fresh hands as text", "hands/s", written)
    yield from lines(scale)


def columns_of(rules: dict[str, tilewright.Rules], made: Iterator["Dealt"], scale: Scale) -> Iterator[Contender]:
    """Fresh hands in columns; the first round fills the memories that last."""
    count = scale.of(MANY_HANDS)
    dealt = list(islice(made, count * (min(MANY_ROUNDS, scale.rounds) + 1)))

    def figure(id: str, turn: int) -> float:
        batch = rules[id].batch(case_of(id, one) for one in dealt[turn * count : (turn + 1) * count])
        return count * rate([partial(rules[id].score_many, batch)])

    for id in rules:
        yield Contender(id, partial(figure, id))


def round_of(calls: Sequence[Call], scale: Scale, turn: int) -> float:
    """Calls a second; no round meets a hand of another."""
    return rate(calls[turn * scale.of(HANDS) : (turn + 1) * scale.of(HANDS)])


def once_more(calls: Sequence[Call], turn: int) -> float:
    return rate(calls)


def lines(scale: Scale) -> Iterator[Group]:
    """Cases as JSON lines, scored by the command; its start is taken off."""
    random = Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder) / "empty.jsonl", Path(folder) / "full.jsonl"
        empty.touch()

        def figure(id: str, count: int, _: int) -> float:
            some = (case_of(id, deal(random)) for _ in range(count))
            full.write_text("".join(f"{json.dumps(case)}\n" for case in some), encoding="utf-8")
            options = [f"--set={name}={value}" for name, value in RULESETS[id].items()]
            command = ["-m", "tilewright", "score", id, *options, "--cases"]
            taken = command_seconds([*command, str(full)]) - command_seconds([*command, str(empty)])
            return count / max(taken, 1e-9)

        for name, count in (("lines", scale.of(LINES)), ("long", scale.of(MANY_LINES))):
            contenders = [Contender(id, partial(figure, id, count)) for id in RULESETS]
            yield Group(name, f"{count:,} JSON lines", "hands/s", contenders, [], min(MANY_ROUNDS, scale.rounds))


# --- the hands


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


def winning() -> Iterator[Dealt]:
    """Hands that win in all systems that are there."""
    random, calculator = Random(SEED), HandCalculator() if riichienv else None
    while True:
        dealt = deal(random)
        if calculator is None or (not getattr(riichi(calculator, dealt)(), "error", None) and chinese(dealt)()):
            yield dealt


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


# --- ours


def case_of(ruleset: str, dealt: Dealt) -> Case:
    """The hand as a case of this ruleset."""
    case: Case = {
        "hand": dealt.hand,
        "melds": [{"tiles": list(group), "concealed": not is_open} for group, is_open in dealt.melds],
        "win_tile": dealt.win,
        "self_draw": dealt.self_draw,
        "seat_wind": "S",
        "round_wind": "E",
    }
    if ruleset != "riichi":
        return case
    return {
        **case,
        **({} if dealt.self_draw else {"discarder": "E"}),
        "flags": ["riichi"] if dealt.closed else [],
        "zones": {"dora_indicators": INDICATORS[0], "ura_indicators": INDICATORS[1]},
    }


def prepared(rules: tilewright.Rules, case: Case) -> Call:
    """The hand read already."""
    return partial(rules.score_situation, read_case(rules.data, case))


def text_call(rules: tilewright.Rules, case: Case) -> Call:
    """The hand as a program would write it: its tiles as one text."""
    return partial(rules.score_case, {**case, "hand": " ".join(case["hand"])})


# --- each peer's own form of a hand


def peers(hands: Sequence[Dealt]) -> dict[str, list[Call]]:
    """The same hands for other programs, where they are installed."""
    if riichienv is None:
        return {}
    calculator = HandCalculator()
    return {
        PYTHON_PEER: [riichi(calculator, dealt) for dealt in hands],
        RUST_PEER: [riichi_in_rust(dealt) for dealt in hands],
        C_PEER: [chinese(dealt) for dealt in hands],
    }


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


def riichi(calculator: "HandCalculator", dealt: Dealt) -> Callable[[], object]:
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
