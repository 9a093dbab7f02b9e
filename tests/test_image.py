"""The image of a ruleset: tables against a search, and verdicts against the plain judge, on hands made at random."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from agreement import told
from budget import budget

import tilewright
from tilewright.scoring.case import CaseError, read_case
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.image.tables import all_splits

RULESETS = (
    *("cantonese", "chinese_classical", "hong_kong", "mcr", "riichi"),
    *("sanma", "sichuan", "uzje", "zung_jung", "zung_jung_plus"),
)
INDICATORS = ("4m", "N", "9s", "P")


@pytest.mark.parametrize("ruleset", ["zung_jung_plus", "mcr", "sanma", "sichuan"])
def test_a_table_has_what_a_search_finds(ruleset: str) -> None:
    random = Random(7)
    engine = tilewright.load(ruleset).engine
    tables = {id(table): table for row in engine.lookups for lookup in row for table in lookup.tables}
    for table in tables.values():
        assert table.arrays, "tables of these rulesets are made at once"
        parts = [vector for options in table.options for vector in options]
        for _ in range(budget(40)):
            chosen = random.choices(parts, k=random.randint(0, 5)) if parts else []
            counts = tuple(map(sum, zip(*chosen, [random.random() < 0.05 for _ in table.block.tiles], strict=True)))
            if all(map(int.__le__, counts, table.block.copies)):
                made = sorted((tuple(used), tuple(sorted(row))) for used, row in table.looked_up(counts))
                assert made == sorted((tuple(used), tuple(sorted(row))) for used, row in table.searched(counts))


def test_a_table_that_is_too_large_is_not_made() -> None:
    single = [tuple(int(at == tile) for at in range(12)) for tile in range(12)]
    assert all_splits((4,) * 12, [single], [14], [False]) == {}


def random_hands(rules: tilewright.Rules, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Hands that win in some form that tables know, with melds, winds, flags and bonus tiles; a few do not."""
    random = Random(seed)
    engine: Engine = rules.engine
    groups, tiles = rules.data.groups, rules.data.tiles.tiles
    lookups = [lookup for row in engine.lookups for lookup in row if lookup.possible]
    flags = [name for name, mark in rules.data.marks.items() if mark.type == "truth"]
    made = 0
    while made < count:
        lookup = random.choice([lookups[0], random.choice(lookups)])
        parts = [*lookup.case.fixed]
        for slot in lookup.case.slots:
            own = sorted(slot.groups)[: random.choice((20, 40, 1_000))]
            parts += [random.choice([*((g, groups.groups[g].tiles) for g in own), *((-1, (t,)) for t in slot.tiles)])
                      for _ in range(slot.count)]  # fmt: skip
        lying, hand = [], []
        for part in parts:
            group, held = part if isinstance(part, tuple) else (part.group, part.tiles)
            if group >= 0 and random.random() < 0.2 and lookup is lookups[0]:
                lying.append({"tiles": [tiles[t].code for t in held], "concealed": random.random() < 0.3})
            else:
                hand += [tiles[t].code for t in held]
        if not hand or (random.random() < 0.02 and hand.append(random.choice(hand)) is not None):
            continue
        random.shuffle(hand)
        case = {"hand": hand[1:], "win_tile": hand[0], "melds": lying, "self_draw": random.random() < 0.5}
        seats = ["E", "S", "W", "N"][: rules.data.seats.count]
        case |= {"seat_wind": random.choice(seats), "flags": [f for f in flags if random.random() < 0.05]}
        case |= {"round_wind": "E"} if random.random() < 0.7 else {}
        if "dora_indicators" in rules.data.zones:
            case["zones"] = {"dora_indicators": random.choice(INDICATORS)}
        made += 1
        yield case


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_image_says_what_the_plain_judge_says(ruleset: str) -> None:
    rules = tilewright.load(ruleset)
    compared = 0
    for case in random_hands(rules, budget(150), seed=3):
        try:
            situation = read_case(rules.data, case)
        except CaseError:
            continue
        if not rules.engine.takes(situation):
            continue
        image, plain = rules.engine.best(situation), rules.judge.told(situation)
        assert (image and told(image[0])) == (plain and told(plain[0])), case
        if image and plain:
            assert image[1]().reading == plain[1]().reading
            compared += 1
    assert compared > 10
