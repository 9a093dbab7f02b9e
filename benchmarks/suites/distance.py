"""Distance: how far hands are from winning, which discards are best, and what waits are worth; beside `mahjong`."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random

from measuring import Contender, Group, Scale, rate, seconds

import tilewright
from tilewright.authoring.open_rules import bundled
from tilewright.hands.distance.approach import approach
from tilewright.hands.reading import Hand
from tilewright.scoring.case import read_case

try:
    from mahjong.shanten import Shanten
except ModuleNotFoundError:
    Shanten = None

HANDS = 100  # a round
SEED = 20_261_121
PEER = "mahjong, distance alone"
SIX_JOKERS = "american, random tiles and six jokers"
FLUSHES = 0.5  # the part of hands that are of two suits, and so have many splits
Ask = Callable[[Hand], object]


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite."""
    rules = tilewright.load("zung_jung_plus")
    look = approach(rules.judge.reader)
    hands = dealt(rules, 14, scale.of(HANDS) * (scale.rounds + 1))
    gc.collect()
    gc.freeze()
    ours: dict[str, Ask] = {
        "distance": lambda hand: look.look(hand).distance,
        "all discards with their useful tiles": look.discards,
    }
    contenders = [Contender(name, partial(round_of, ask, hands, scale)) for name, ask in ours.items()]
    if Shanten is not None:
        contenders.append(Contender(PEER, partial(round_of, shanten(), hands, scale)))
    yield Group("distance", "fresh hands of 14 tiles", "hands/s", contenders, [PEER] if Shanten is not None else [])
    asked = [Contender(id, partial(waits, id, scale.of(HANDS))) for id in bundled("ruleset")]
    asked.append(Contender(SIX_JOKERS, partial(six_jokers, scale.of(HANDS))))
    yield Group("waits", "the waits of a hand that waits, with their worth", "ms", asked, rounds=min(3, scale.rounds))


def dealt(rules: tilewright.Rules, size: int, count: int, seed: int = SEED) -> list[Hand]:
    """Random hands, half of them of two suits."""
    random, kinds = Random(seed), [tile.index for tile in rules.data.tiles.tiles if tile.copies == 4]
    suits = sorted({tile.suit for tile in rules.data.tiles.tiles if tile.suit})
    few = [tile for tile in kinds if rules.data.tiles.tiles[tile].suit in suits[:2]]
    return [
        Hand(tuple(sorted(random.sample([*(few if random.random() < FLUSHES else kinds)] * 4, size))))
        for _ in range(count)
    ]


def round_of(ask: Ask, hands: Sequence[Hand], scale: Scale, turn: int) -> float:
    """Hands a second; no round meets a hand of another."""
    some = hands[turn * scale.of(HANDS) : (turn + 1) * scale.of(HANDS)]
    return rate([partial(ask, hand) for hand in some])


def shanten() -> Ask:
    calculator = Shanten()

    def ask(hand: Hand) -> object:
        counts = [0] * 34
        for tile in hand.tiles:
            counts[tile] += 1
        return calculator.calculate_shanten(counts)

    return ask


# --- waits


def waits(ruleset: str, count: int, turn: int) -> float:
    """Milliseconds for a hand one tile short of one that wins: examples of the ruleset."""
    rules, random = tilewright.load(ruleset), Random(SEED + turn)
    examples = [example.case for pattern in rules.data.patterns for example in pattern.examples if example.yes]
    cases: list[dict[str, object]] = []
    while len(cases) < max(2, count):
        case = {key: value for key, value in random.choice(examples).items() if key not in ("win", "win_tile")}
        with suppress(tilewright.CaseError):
            if rules.judge.distance(read_case(rules.data, {**case, "winner": False})) == 1:
                cases.append({**case, "winner": False})
    return milliseconds(rules, cases)


def six_jokers(count: int, turn: int) -> float:
    """The same for American hands of seven random tiles and six jokers."""
    rules, random = tilewright.load("american"), Random(SEED + turn)
    tiles = [tile.code for tile in rules.data.tiles.tiles for _ in range(tile.copies) if tile.code != "J"]
    hands = [" ".join([*random.sample(tiles, 7), *["J"] * 6]) for _ in range(max(2, count))]
    return milliseconds(rules, [{"hand": hand, "winner": False} for hand in hands])


def milliseconds(rules: tilewright.Rules, cases: Sequence[dict[str, object]]) -> float:
    return 1000 * seconds([partial(rules.waits_of, case, "") for case in cases]) / len(cases)
