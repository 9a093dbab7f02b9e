"""Tables of the image of a ruleset, against a search."""

from random import Random

import pytest
from budget import budget

import tilewright
from tilewright.scoring.image.tables import splits_of

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
        assert table.whole is not None, "tables of these rulesets are made at once"
        parts = [vector for options in table.options for vector in options]
        for _ in range(budget(40)):
            chosen = random.choices(parts, k=random.randint(0, 5)) if parts else []
            counts = tuple(map(sum, zip(*chosen, [random.random() < 0.05 for _ in table.block.tiles], strict=True)))
            if all(map(int.__le__, counts, table.block.copies)):
                made = sorted(table.looked_up(counts))
                assert made == sorted(table.searched(counts))
                key = sum(count << table.keys.width * at for at, count in enumerate(counts))
                assert (key in table) == bool(made)


def test_a_table_that_is_too_large_is_not_made() -> None:
    single = [tuple(int(at == tile) for at in range(12)) for tile in range(12)]
    assert splits_of((4,) * 12, (tuple(single),), (14,), (False,)) is None
