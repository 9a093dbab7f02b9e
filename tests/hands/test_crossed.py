"""Hands whose groups are described twice, against their definition in tests/oracles, and written without choices."""

import random
from collections import Counter

import pytest
from budget import budget
from oracles.card_free import TILES, is_hand

from tilewright import Rules, load
from tilewright.hands.listed import Rows
from tilewright.hands.reading import Hand, Listing, Meld


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load("card_free")


def hands_near(rules: Rules, chance: random.Random, number: int) -> list[tuple[str, ...]]:
    """Whole hands, some of their tiles changed, with jokers."""
    rows = rows_of(rules)
    code = [tile.code for tile in rules.data.tiles.tiles]
    found = []
    while len(found) < number:
        sets = [(chance.choice(rows.members(kind)), count) for kind, count in chance.choice(rows.listing.rows)]
        tiles = [
            code[tile] if count < 3 or chance.random() < 0.7 else "J" for tile, count in sets for _ in range(count)
        ]
        for _ in range(chance.choice((0, 0, 1, 2))):
            tiles[chance.randrange(14)] = chance.choice(TILES)
        counts = Counter(tiles)
        if all(count <= (8 if tile in ("J", "1f") else 4) for tile, count in counts.items()):
            found.append(tuple(tiles))
    return found


def rows_of(rules: Rules) -> Rows:
    reader = rules.judge.reader
    rows = reader.rows(reader.shapes[0])
    assert rows is not None
    return rows


@pytest.mark.long
def test_hands_are_those_of_the_definition(rules: Rules) -> None:
    reader = rules.judge.reader
    plain = {tile.code: tile.index for tile in rules.data.tiles.tiles}
    wins = Counter[bool]()
    for codes in hands_near(rules, random.Random(3), budget(80)):
        tiles = tuple(plain[code] for code in codes)
        counts = Counter(codes)
        wanted = is_hand({tile: n for tile, n in counts.items() if tile != "J"}, counts["J"])
        assert reader.fits(Hand(tiles[:-1], (), tiles[-1])) == wanted, codes
        wins[wanted] += 1
    assert min(wins[True], wins[False]) > 20


def test_choices_say_what_all_hands_say(rules: Rules) -> None:
    """The same listing with every choice written out."""
    rows, chance = rows_of(rules), random.Random(4)
    some = Listing(
        *zip(*chance.sample(list(zip(rows.listing.rows, rows.listing.entries, strict=True)), 25), strict=True)
    )
    chosen = Rows(rows.tiles, rows.groups, Listing(some.rows, (0,) * 25, choices=rows.listing.choices))
    whole = Rows(rows.tiles, rows.groups, written_out(chosen))
    by_tiles, box = rows.groups.by_tiles, [tile for tile in range(34) for _ in range(4)]
    for _ in range(budget(20)):
        sets = [(chance.choice(rows.members(kind)), count) for kind, count in chance.choice(some.rows)]
        melds = tuple(
            Meld(by_tiles[(tile,) * n], (tile,) * n, True) for tile, n in sets if n > 2 and chance.random() < 0.2
        )
        open_tiles = [tile for tile, n in sets if (tile,) * n not in [meld.tiles for meld in melds] for _ in range(n)]
        tiles = tuple(tile if chance.random() < 0.7 else chance.choice(box) for tile in open_tiles)
        hand, gone = Hand(tiles[:-1], melds), Counter(chance.sample(box, 20))
        least = int(chosen.missing(hand).min())
        assert least == int(whole.missing(hand).min())
        assert chosen.wanted(hand)[1] == whole.wanted(hand)[1]
        assert chosen.possible(melds, gone).any() == whole.possible(melds, gone).any()
        full = Hand(hand.tiles, melds, tiles[-1] if tiles else None)
        assert {tuple(parts) for _, parts in chosen.readings(full)} == {
            tuple(parts) for _, parts in whole.readings(full)
        }


def written_out(rows: Rows) -> Listing:
    """Every row for each choice of tiles."""
    open_rows, found = list(rows.listing.rows), dict[tuple[tuple[int, int], ...], None]()
    while open_rows:
        row = open_rows.pop()
        at = next((at for at, (kind, _) in enumerate(row) if kind in rows.choices), None)
        if at is None:
            found[row] = None
        else:
            kind, count = row[at]
            open_rows += [(*row[:at], (tile, count), *row[at + 1 :]) for tile in rows.members(kind)]
    return Listing(tuple(found), (0,) * len(found))
