"""Waits, distance and discards, in tables and against brute force."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import LONG, SMALL, STANDARD, WILD, World, faces, near_hand, some_melds, targets, world

from tilewright.hands import needs
from tilewright.hands.needs import TooManyNeeds
from tilewright.hands.reading import Hand, Meld, Shape, Slot
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.waits import NEVER, best_discards, distance, useful, waits

pytestmark = pytest.mark.long

# game, hand, melds (! is concealed), distance, tiles that bring it nearer
HANDS = [
    (STANDARD, "1112345678999m", "", 1, "123456789m"),
    (STANDARD, "19m19p19sESWNCFP", "", 1, "19m19p19sESWNCFP"),
    (STANDARD, "1122334455667m", "", 1, "147m"),
    (STANDARD, "147m258p369sESWN", "", 1, "CFP"),
    (STANDARD, "111m", "!1111p !2222p !3333p", 2, "23456789m456789p123456789sESWNCFP"),
    (STANDARD, "1m", "111m 1111p 2222p 3333p", 2, "23456789m456789p123456789sESWNCFP"),
    (STANDARD, "23m456m789p111s22s5p", "", 1, "147m"),
    (STANDARD, "234m456m789p111s22s", "", 0, ""),
    (WILD, "12m44m555m", "", 1, "3mZ"),
    (WILD, "44m555m1mJ", "", 1, "13mJ"),
    (LONG, "456m7m", "123m", 1, "7m3p"),
    (LONG, "46m7m", "123m", 2, "578m3p"),
]


@pytest.mark.parametrize(("text", "tiles", "melds", "expected", "nearer"), HANDS)
def test_table(text: str, tiles: str, melds: str, expected: int, nearer: str) -> None:
    game = world(text)
    hand = game.hand(tiles, None, tuple(game.meld(meld) for meld in melds.split()))
    wanted = set(game.hand(nearer).tiles)
    assert (distance(game.reader, hand), set(useful(game.reader, hand))) == (expected, wanted)
    if expected == 1 and len(hand.tiles) % 3 == 1:
        assert waits(game.reader, hand) == useful(game.reader, hand)


def test_waits_leave_out_what_the_hand_has_used_up() -> None:
    game = world(STANDARD)
    hand = game.hand("1m", None, tuple(map(game.meld, ("111m", "!2222m", "!3333p", "!4444p"))))
    assert waits(game.reader, hand) == ()
    assert waits(game.reader, hand, every=True) == game.hand("1m").tiles
    many = game.hand("1112345678999m")
    assert waits(game.reader, many, accepts=lambda full: full.win == 5) == (5,)


def test_forms_without_groups_are_asked_of_every_tile() -> None:
    game = world(STANDARD)
    reader = ReadingSearch(game.tiles, game.groups, [Shape("card")])
    hand = game.hand("123m")
    assert waits(reader, hand, accepts=lambda full: full.win in (7, 9)) == (7, 9)
    assert distance(reader, hand) == NEVER


def test_tiles_out_of_sight_for_good_count_as_gone() -> None:
    game = world(STANDARD)
    hand = game.hand("1122334455667m")
    assert useful(game.reader, hand, game.hand("1111m44m").tiles[:4]) == game.hand("47m").tiles
    assert distance(game.reader, hand, game.hand("11m44m777m").tiles) == 2
    knitted = game.hand("147m258p369sESWN")
    assert useful(game.reader, knitted, game.hand("CCCCFFFF").tiles) == game.hand("P").tiles


def test_nothing_can_be_made_of_a_meld_that_fits_nowhere() -> None:
    game = world(STANDARD)
    assert distance(game.reader, game.hand("123m", None, (game.meld("1234567m"),))) == NEVER


# Against brute force

CASES = [(text, shape.form) for text in (SMALL, WILD, LONG) for shape in world(text).reader.shapes]


@pytest.mark.parametrize(("text", "form"), CASES)
@settings(max_examples=budget(6))
@given(seed=st.integers(0, 10**9), wrong=st.integers(0, 4))
def test_distance_is_that_of_the_nearest_target(text: str, form: str, seed: int, wrong: int) -> None:
    game, chance = world(text), Random(seed)
    melds = some_melds(game, chance, 2)
    tiles = near_hand(game, form, melds, chance, wrong)[chance.randint(0, 2) :]
    hand = Hand(tuple(tiles), melds)
    expected = nearest(game, hand)
    assert distance(game.reader, hand) == expected
    if expected != NEVER:
        nearer = {tile for tile in spare(game, hand) if nearest(game, Hand((*tiles, tile), melds)) < expected}
        assert set(useful(game.reader, hand)) == nearer


@pytest.mark.parametrize(("text", "form"), CASES)
@settings(max_examples=budget(4))
@given(seed=st.integers(0, 10**9), every=st.booleans())
def test_waits_are_all_that_complete_a_target(text: str, form: str, seed: int, every: bool) -> None:
    game, chance = world(text), Random(seed)
    melds = some_melds(game, chance, 1)
    hand = Hand(tuple(near_hand(game, form, melds, chance, chance.choice([0, 0, 1]))[1:]), melds)
    full = {
        tile
        for tile, count in game.reader.wild.copies.items()
        if count
        if any(Counter((*hand.tiles, tile)) == rest for rest, _ in wanted(game, hand.melds))
    }
    expected = full if every else full & spare(game, hand)
    assert set(waits(game.reader, hand, every=every)) == expected


def nearest(game: World, hand: Hand) -> int:
    """Tiles missing for the nearest of all targets that the box allows."""
    held = Counter(hand.tiles)
    missing = [
        sum(max(0, count - held[tile]) for tile, count in rest.items())
        for rest, possible in wanted(game, hand.melds)
        if possible
    ]
    return min(missing, default=NEVER)


@cache
def wanted(game: World, melds: tuple[Meld, ...]) -> list[tuple[Counter[int], bool]]:
    """What the concealed tiles have to be for each target, and whether the box holds so many."""
    return list({tuple(sorted(rest.items())): (rest, fits) for rest, fits in _wanted(game, melds)}.values())


def _wanted(game: World, melds: tuple[Meld, ...]) -> Iterator[tuple[Counter[int], bool]]:
    laid = Counter(tile for meld in melds for tile in meld.tiles)
    for shape in game.reader.shapes:
        for target, inside in targets(game, shape.form, melds):
            hidden = Counter(tile for meld in inside for tile in meld.tiles)
            whole = faces(target)
            if hidden <= whole:
                yield whole - hidden, whole - hidden + laid <= game.reader.wild.copies


def spare(game: World, hand: Hand) -> set[int]:
    """Tiles of which there are copies besides the hand's."""
    own = Counter([*hand.tiles, *(tile for meld in hand.melds for tile in meld.tiles)])
    return {tile for tile, count in game.reader.wild.copies.items() if count > own[tile]}


def test_best_discards() -> None:
    game = world(STANDARD)
    hand = game.hand("123m456m789p22s34sE")
    best = best_discards(game.reader, hand, seen=game.hand("5s").tiles)
    tile = {code: game.hand(code).tiles[0] for code in ("E", "2s", "5s")}
    assert (best[0].tile, best[0].distance) == (tile["E"], 1)
    assert dict(best[0].useful) == {tile["2s"]: 2, tile["5s"]: 3}
    assert best[0].left == 5
    assert [choice.distance for choice in best] == sorted(choice.distance for choice in best)


def test_a_ruleset_that_asks_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "MOST_STEPS", 100_000)
    game = world(STANDARD)
    every = frozenset(range(len(game.groups.groups)))
    slots = tuple(Slot(3, every - {number}) for number in range(8))
    reader = ReadingSearch(game.tiles, game.groups, [Shape("absurd", (slots,))])
    with pytest.raises(TooManyNeeds):
        distance(reader, game.hand("123456789m123456789p123456789s"))
