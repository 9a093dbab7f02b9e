"""Quick distances and discards: exactly what the plain way says, in every kind of form; and where they give up."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np
import pytest
from budget import budget
from games import MOSTLY_SOAKED, mostly_soaked
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import LONG, SMALL, STANDARD, WILD, near_hand, some_melds, world

import tilewright
from tilewright.base.arrays import Array
from tilewright.hands import needs
from tilewright.hands.distance import approach as module
from tilewright.hands.distance import near, searched, tabled
from tilewright.hands.distance.approach import Approach, approach
from tilewright.hands.distance.kernels import HALF
from tilewright.hands.distance.near import PlainWay
from tilewright.hands.listed import NEVER
from tilewright.hands.needs import TooManyNeeds
from tilewright.hands.reading import Hand, Meld, Shape
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.waits import best_discards, distance, useful

pytestmark = pytest.mark.long

MIXED = """
tiles:
  copies: 4
  suits: {a: {code: m, ranks: 1..6}, b: {code: p, ranks: 1..3, cyclic: true}}
  unranked: {winds: {codes: [E, S, W, N]}, jokers: {codes: [J], copies: 3}, blanks: {codes: [B], copies: 2}}
  wild:
    jokers: {tiles: [jokers], stands_for: [suited, winds]}
    blanks: {tiles: [blanks], stands_for: [winds], in: [triplet]}
groups:
  pair: {alike: 2}
  triplet: {alike: 3}
  quad: {alike: 4, stands_for: triplet}
  sequence: {run: 3}
  mixed: {run: 2, suits: different}
  set: {any: [sequence, triplet]}
forms:
  regular: {cases: [[{count: 2, of: [set]}, {count: 1, of: [pair]}], [{count: 4, of: [mixed]}]]}
  pairs: {cases: [[{count: 4, of: [pair], different: true}]], concealed: true}
  list: {cases: [[{each: [winds]}, {count: 3, tiles: [winds, 1, 6]}, {count: 1, tiles: [1]}]]}
"""
NAMED = """
tiles:
  copies: 4
  suits: {a: {code: m, ranks: 1..3}}
  unranked: {dragons: {codes: [C, F, P]}}
groups: {pair: {alike: 2}}
forms:
  regular: {cases: [[{each: [dragons]}, {count: 1, tiles: [1]}, {count: 1, tiles: [2]}]]}
"""
WORLDS = [STANDARD, SMALL, WILD, LONG, MIXED]
LARGEST = 9  # hand
FEW = 7  # tiles of which a hand is drawn so that it holds many alike


@cache
def bundled(name: str) -> ReadingSearch:
    return tilewright.load(name).judge.reader


def agree(reader: ReadingSearch, hand: Hand, seen: tuple[int, ...] = ()) -> None:
    """The quick way says what the plain one does, of the hand and of every tile that it could throw, if that one does
    not give up."""
    quick = approach(reader)
    try:
        away, nearer, expected = distance(reader, hand), useful(reader, hand), best_discards(reader, hand, seen)
    except TooManyNeeds:
        return
    look = quick.look(hand)
    assert (look.distance, look.useful) == (away, nearer)
    assert quick.discards(hand, seen) == expected
    assert look.at_least() <= look.distance
    for discard in expected:
        after = look.without(discard.tile)
        assert after.at_least() <= discard.distance == after.distance


@pytest.mark.parametrize("text", WORLDS)
@settings(max_examples=budget(6), deadline=None)
@given(seed=st.integers(0, 10**9), wrong=st.integers(0, 5), fewer=st.integers(0, 3))
def test_as_the_plain_way_near_every_form(text: str, seed: int, wrong: int, fewer: int) -> None:
    game, chance = world(text), Random(seed)
    melds = some_melds(game, chance, 2)
    if text in (STANDARD, MIXED):
        tiles = drawn(game.reader, melds, 14 - 3 * len(melds), chance)
    else:
        tiles = near_hand(game, chance.choice(game.reader.shapes).form, melds, chance, wrong)
    agree(game.reader, Hand(tuple(tiles[fewer:]), melds), tuple(drawn(game.reader, melds, 4, chance)))


@pytest.mark.parametrize("name", MOSTLY_SOAKED)
@settings(max_examples=budget(4), deadline=None)
@given(seed=st.integers(0, 10**9), narrow=st.booleans())
def test_as_the_plain_way_in_bundled_games(name: str, seed: int, narrow: bool) -> None:
    reader, chance = bundled(name), Random(seed)
    melds = tuple(some_groups(reader, chance, 3))
    tiles = drawn(reader, melds, 14 - 3 * len(melds), chance, FEW if narrow else 0)
    agree(reader, Hand(tuple(sorted(tiles, key=reader.place.__getitem__)), melds))


def test_the_target_of_a_form_that_names_every_tile() -> None:
    game = world(NAMED)
    look = approach(game.reader).look(Hand((0, 1, 2)))
    assert look.roughly == (3, (3, 4, 5))
    assert look.target(Random(1).randrange) == (0, 1, 3, 4, 5)


@pytest.mark.parametrize("text", WORLDS)
@settings(max_examples=budget(12), deadline=None)
@given(seed=st.integers(0, 10**9), size=st.integers(6, 14))
def test_targets_are_nearest_whole_hands(text: str, seed: int, size: int) -> None:
    """What a hand may become misses as many tiles as it is away, and is a form if there are as many of each tile."""
    game, chance = world(text), Random(seed)
    melds = some_melds(game, chance, 2)
    hand = Hand(tuple(drawn(game.reader, melds, size, chance)), melds)
    look = approach(game.reader).look(hand)
    away, nearer = look.roughly
    target = look.target(chance.randrange)
    if not target:
        assert melds or away in (0, NEVER) or any(isinstance(way, PlainWay) for way in look.ways)
        return
    missing = Counter(target) - Counter(hand.tiles)
    assert missing.total() == away
    assert away or not nearer
    assert set(missing) <= set(nearer)
    inside = Counter(target) + game.reader.wild.in_the_box(tile for meld in melds for tile in meld.tiles)
    if inside <= game.reader.wild.copies:
        assert game.reader.fits(Hand(target[1:], melds, target[0]))


def drawn(reader: ReadingSearch, melds: tuple[Meld, ...], count: int, chance: Random, kinds: int = 0) -> list[int]:
    """Tiles from the box, of only a few kinds if so many are given."""
    box = reader.wild.copies - reader.wild.in_the_box(tile for meld in melds for tile in meld.tiles)
    faces = sorted(tile for tile in box if box[tile] > 0)
    some = set(chance.sample(faces, kinds)) if kinds else set(faces)
    lying = [tile for tile in box.elements() if tile in some]
    return chance.sample(lying, min(count, len(lying)))


def some_groups(reader: ReadingSearch, chance: Random, most: int) -> Iterator[Meld]:
    """Groups that a form has, without wild tiles, as often as the box allows."""
    fitting = sorted(
        {index for shape in reader.shapes for case in shape.cases for slot in case for index in slot.groups}
    ) or [group.index for group in reader.groups.groups if len(group.tiles) > 2]
    taken: Counter[int] = Counter()
    for _ in range(chance.randint(0, most)):
        group = reader.groups.groups[chance.choice(fitting)]
        wanted = Counter(group.tiles)
        if taken + wanted <= reader.wild.copies:
            taken += wanted
            yield Meld(group.index, group.tiles, chance.random() < 0.8)


# hand, melds, and what is told of it: the fifth copy never counts
FIFTH = [
    ("788999s3348m24pW", ""),
    ("468m244p788999sC", ""),
    ("1111222233334m", ""),
    ("1111m2222p3333sE", ""),
    ("1123m", "444m 555m 666m"),
    ("22m55m", "!2222p 3333p 555m"),
    ("EEEE", "111m 222m 333m"),
    ("9999m8888m7777mE", ""),
]


@pytest.mark.parametrize(("tiles", "melds"), FIFTH)
def test_no_fifth_copy(tiles: str, melds: str) -> None:
    game = world(STANDARD)
    agree(game.reader, game.hand(tiles, None, tuple(game.meld(meld) for meld in melds.split())))


def test_where_the_plain_way_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside three triplets, a group and a pair of which not one tile is there; tables know."""
    monkeypatch.setattr(needs, "MOST_STEPS", 20_000)
    game = world(STANDARD)
    hand = game.hand("EEEESSSSWWWW")
    with pytest.raises(TooManyNeeds):
        distance(game.reader, hand)
    assert approach(game.reader).look(hand).distance == 2  # in another form
    with pytest.raises(TooManyNeeds):
        PlainWay(game.reader, ()).need(tuple(hand.tiles.count(tile) for tile in range(len(game.tiles.tiles))))


# what is made too small, and in which world; the last may be answered plainly
SMALLER = [
    (near, "MOST_CELLS", 100, STANDARD),
    (near, "MOST_JOINED", 100, STANDARD),
    (tabled, "MOST_TARGETS", 50, STANDARD),
    (tabled, "WHOLE", 10, STANDARD),
    (near, "MOST_STATES", 12, WILD),
    (searched, "MOST_KEPT", 2, WILD),
    (module, "MOST_PLANS", 1, SMALL),
]


@pytest.mark.parametrize(("where", "name", "number", "text"), SMALLER)
def test_smaller_tables_change_nothing(
    where: object, name: str, number: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables that are too large are not made, and those that grew too large are made again."""
    monkeypatch.setattr(where, name, number)
    monkeypatch.setattr(tabled, "arrays_of", lambda key, make: make())
    tabled.table_of.cache_clear()
    game, chance = world(text), Random(5)
    quick = Approach(game.reader)
    for _ in range(budget(3)):
        melds = some_melds(game, chance, 1)
        size = 14 - 3 * len(melds) if text == STANDARD else 8
        hand = Hand(tuple(drawn(game.reader, melds, size, chance, FEW if text == STANDARD else 0)), melds)
        assert quick.discards(hand) == best_discards(game.reader, hand)
    tabled.table_of.cache_clear()


def test_what_tables_do_not_reach_is_asked_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "MOST_STATES", 12)
    game = world(WILD)
    quick = Approach(game.reader)
    asked: list[object] = []
    plainly = PlainWay.need
    monkeypatch.setattr(PlainWay, "need", lambda self, held: asked.append(held) or plainly(self, held))
    hand = game.hand("12m44m55mJZ")
    assert quick.discards(hand) == best_discards(game.reader, hand)
    assert asked


def test_more_tiles_than_a_form_has() -> None:
    game = world(STANDARD)
    agree(game.reader, game.hand("111122233344455m666777p"))


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_soaked(("riichi", "mcr", "uzje")))
def test_compiled_kernels_say_the_same(name: str, request: pytest.FixtureRequest) -> None:
    reader, chance = bundled(name), Random(7)
    hands = [drawn(reader, (), 14, chance, kinds) for kinds in (0, FEW, FEW, 12) for _ in range(budget(1))]
    kernels_say = [answers(Approach(reader), hand) for hand in hands]
    request.getfixturevalue("plain_engine")
    assert [answers(Approach(reader), hand) for hand in hands] == kernels_say


def answers(quick: Approach, tiles: list[int]) -> object:
    """All that is said of a hand."""
    look = quick.look(Hand(tuple(tiles)))
    return look.roughly, look.target(Random(1).randrange), [look.without(tile).roughly for tile in tiles]


@settings(max_examples=budget(20), deadline=None)
@given(seed=st.integers(0, 10**9))
def test_rows_of_tables_are_the_nearest_targets(seed: int) -> None:
    """Whatever the counts, a row says what the list of targets says."""
    chance = Random(seed)
    ways = [near.BlockChoice(0, ((at, 1), (at + 1, 1), (at + 2, 1))) for at in range(3)]
    ways += [near.BlockChoice(1, ((at, 2),), once=at) for at in range(5)]
    kind = near.BlockKind((2, 2), (4, 4, 4, 4, 3), tuple(ways))
    table = tabled.table_of(kind, LARGEST)
    assert table is not None
    counts = np.array([chance.randrange(most + 1) for most in kind.most])
    while counts.sum() > LARGEST:
        counts = np.maximum(counts - 1, 0)
    missing = [np.maximum(table.targets_in(state).T - counts, 0).sum(axis=1) for state in range(9)]
    assert row_of(table, counts).tolist() == [int(some.min(initial=NEVER)) for some in missing]


def row_of(table: tabled.Table, counts: Array) -> Array:
    key = int((counts * table.steps).sum())
    return table.rows[table.base[key >> HALF] + table.rank[key & (1 << HALF) - 1]]


def test_a_form_without_groups_is_never_near() -> None:
    game = world(STANDARD)
    reader = ReadingSearch(game.tiles, game.groups, [Shape("condition")])
    assert approach(reader).look(game.hand("123m")).distance == distance(reader, game.hand("123m"))
    assert approach(reader).look(game.hand("123m")).useful == ()


def test_specials_are_thrown_as_themselves() -> None:
    game = world(STANDARD)
    hand = game.hand("05m456p789p22s34sEE")
    assert {discard.tile for discard in approach(game.reader).discards(hand)} == set(hand.tiles)
