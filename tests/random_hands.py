"""Hands made at random, for the image of any ruleset."""

from collections.abc import Iterator
from random import Random
from typing import Any

from engines import takes

import tilewright
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.plain.scene import Situation

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
        if takes(rules, situation):
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
        parts += random.choices([*options, *((-1, (tile,)) for tile in sorted(slot.tiles))], k=slot.count)
    lying, hand = list[dict[str, Any]](), list[str]()
    for group, held in parts:
        filled = None if rules.engine.filled is None or group < 0 else rules.engine.filled[group]
        codes = [tiles[tile].code for tile in (filled.held if filled is not None and random.random() < 0.8 else held)]
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
