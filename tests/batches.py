"""Batches for tests: hands made at random as situations, and situations as columns."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

import tilewright
from tilewright.scoring.case import CaseError, read_case
from tilewright.scoring.many.batch import HandBatch
from tilewright.scoring.plain.situation import Situation

INDICATORS = ("4m", "N", "9s", "P")


def random_hands(rules: tilewright.Rules, count: int, seed: int) -> Iterator[Situation]:
    """Hands that the image takes, most of which win in some form that tables know, with melds, winds and flags."""
    random = Random(seed)
    made = 0
    while made < count:
        try:
            situation = read_case(rules.data, random_case(rules, random))
        except CaseError:
            continue  # too many copies, or a flag that the hand contradicts
        if rules.engine.takes(situation):
            made += 1
            yield situation


def random_case(rules: tilewright.Rules, random: Random) -> dict[str, Any]:
    """A hand of parts that fill a case of a form."""
    groups, tiles = rules.data.groups, rules.data.tiles.tiles
    lookups = [lookup for row in rules.engine.lookups for lookup in row if lookup.possible]
    lookup = random.choice([lookups[0], random.choice(lookups)])
    parts = [(part.group, part.tiles) for part in lookup.case.fixed]
    few = random.choice((20, 40, 1_000))
    for slot in lookup.case.slots:
        options = [(group, groups.groups[group].tiles) for group in sorted(slot.groups)[:few]]
        parts += random.choices([*options, *((-1, (tile,)) for tile in slot.tiles)], k=slot.count)
    lying, hand = [], []
    for group, held in parts:
        codes = [tiles[tile].code for tile in held]
        if group >= 0 and hand and lookup is lookups[0] and random.random() < 0.25:
            lying.append({"tiles": codes, "concealed": random.random() < 0.3})
        else:
            hand += codes
    if random.random() < 0.02:
        hand.append(random.choice(hand))  # no hand of any form
    random.shuffle(hand)
    seats = ["E", "S", "W", "N"][: rules.data.seats.count]
    flags = [name for name, mark in rules.data.marks.items() if mark.type == "truth" and random.random() < 0.03]
    case = {"hand": hand[1:], "win_tile": hand[0], "melds": lying, "self_draw": random.random() < 0.5, "flags": flags}
    case |= {"seat_wind": random.choice(seats)} | ({"round_wind": "E"} if random.random() < 0.7 else {})
    if "dora_indicators" in rules.data.zones:
        case["zones"] = {"dora_indicators": random.choice(INDICATORS)}
    return case


def batch_of(rules: tilewright.Rules, hands: Sequence[Situation]) -> HandBatch:
    """The hands as columns."""
    count, faces = len(hands), len(rules.data.tiles.tiles)
    melds = np.full((count, max((len(one.hand.melds) for one in hands), default=0)), -1)
    exposed = np.zeros(melds.shape, bool)
    for row, one in enumerate(hands):
        for at, meld in enumerate(one.hand.melds):
            melds[row, at], exposed[row, at] = meld.group, meld.exposed
    names = sorted({name for one in hands for name in one.flags})
    zones = sorted({name for one in hands for name in one.zones})

    def counted(held: Sequence[Sequence[int]]) -> np.ndarray:
        return np.array([np.bincount(tiles, minlength=faces) for tiles in held]).reshape(count, faces)

    def known(values: Sequence[int | None]) -> np.ndarray:
        return np.array([-1 if value is None else value for value in values])

    return HandBatch.of(
        counted([np.array(one.hand.tiles, int) for one in hands]),
        np.array([one.hand.win for one in hands]),
        melds,
        exposed,
        bonus=counted([np.array(one.hand.bonus, int) for one in hands]),
        seat=known([one.seat if one.seat_known else None for one in hands]),
        discarder=known([one.discarder for one in hands]),
        self_draw=np.array([one.self_draw for one in hands]),
        round_wind=known([one.round_wind for one in hands]),
        flags={name: np.array([name in one.flags for one in hands]) for name in names},
        zones={name: counted([np.array(one.zones.get(name, ()), int) for one in hands]) for name in zones},
    )
