"""Draws until a listed hand is complete: by halving, and tile by tile."""

from random import Random

import pytest
from budget import budget
from small_worlds import world
from test_listed import LINES, SMALL, WHOLE, random_listing, rows_of

from tilewright.hands.draws import Draws, difficulty
from tilewright.hands.listed import Rows
from tilewright.hands.reading import Hand, Listing


def one_by_one(rows: Rows, wall: list[int], dealt: int) -> list[int]:
    """For each entry, after how many tiles some row of it is complete."""
    found = {}
    for count in range(dealt, len(wall) + 1):
        missing = rows.missing(Hand(tuple(wall[:count]))).tolist()
        for entry, short in zip(rows.listing.entries, missing, strict=True):
            if not short:
                found.setdefault(entry, count)
    return [found.get(entry, len(wall)) for entry in sorted(set(rows.listing.entries))]


@pytest.mark.parametrize("seed", range(budget(12)))
def test_halving_finds_what_drawing_finds(seed: int) -> None:
    chance = Random(seed)
    game = world(SMALL if seed % 2 else WHOLE)
    listed = random_listing(game, chance, (1, 2, 3, 3, 4), 6 if seed % 2 else 14)
    rows = Rows(game.tiles, game.groups, listed)
    wall = list(rows.wild.copies.elements())
    dealt = 5 if seed % 2 else 13
    for _ in range(3):
        chance.shuffle(wall)
        assert rows.matrix.first_complete(wall, rows.helpers, dealt).tolist() == one_by_one(rows, wall, dealt)


def test_the_same_seed_gives_the_same_draws() -> None:
    rows = rows_of(world(WHOLE), *LINES)
    first = difficulty(rows, deals=30, seed=5)
    assert [one.entry for one in first] == [0, 1, 2]
    assert first == difficulty(rows_of(world(WHOLE), *LINES), deals=30, seed=5)
    assert first != difficulty(rows, deals=30, seed=6)


def test_more_ways_are_easier_and_what_cannot_be_takes_the_whole_wall() -> None:
    game = world(WHOLE)
    rows = rows_of(
        game,
        "11m 22m 333m 444m 5555m",
        "11m 22m 333m 444m 5555m/11s 22s 333s 444s 5555s",
        "E E E E E 1m 2m 3m 666p 777p",
    )
    one_way, two_ways, never = difficulty(rows, deals=40)
    assert two_ways.mean < one_way.mean and two_ways.median <= one_way.median
    assert never == Draws(2, 139, 139)


def test_nothing_listed_has_no_draws() -> None:
    game = world(SMALL)
    assert difficulty(Rows(game.tiles, game.groups, Listing((), ()))) == ()
