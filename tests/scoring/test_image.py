"""The image of a ruleset: tables against a search, and verdicts against the plain judge, on hands made at random."""

from random import Random

import pytest
from agreement import told
from budget import budget
from random_hands import random_hands

import tilewright
from tilewright.scoring.image.making import all_splits

RULESETS = (
    *("cantonese", "chinese_classical", "hong_kong", "mcr", "riichi"),
    *("sanma", "sichuan", "uzje", "zung_jung", "zung_jung_plus"),
)


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
                key = sum(count << table.keys.width * at for at, count in enumerate(counts))
                assert (key in table) == bool(made)


def test_a_table_that_is_too_large_is_not_made() -> None:
    single = [tuple(int(at == tile) for at in range(12)) for tile in range(12)]
    assert all_splits((4,) * 12, [single], [14], [False]) == {}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_image_says_what_the_plain_judge_says(ruleset: str) -> None:
    rules = tilewright.load(ruleset)
    won = 0
    for situation in random_hands(rules, budget(150), seed=3):
        image, plain = rules.engine.best(situation), rules.judge.best_with_scene(situation)
        assert (image and told(image[0])) == (plain and told(plain[0])), situation
        if image and plain:
            assert image[1]().reading == plain[1]().reading
            won += 1
    assert won > 15
