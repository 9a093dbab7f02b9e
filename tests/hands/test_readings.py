"""Readings of hands, in tables and against brute force."""

from collections import Counter
from random import Random

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import LONG, SMALL, STANDARD, WILD, World, faces, near_hand, some_melds, targets, world

from tilewright.hands import covers
from tilewright.hands.covers import TooManyReadings
from tilewright.hands.reading import Hand, Meld, Part, Reading, Shape, Slot
from tilewright.hands.readings import ReadingSearch

# game, hand, winning tile, melds (! is concealed), readings: the groups in order, * holds the winning tile
HANDS = [
    (STANDARD, "345p345s345m111p2s", "2s", "", ["regular 345m 111p 345p 22s* 345s single"]),
    (STANDARD, "12m456m789p111s22s", "3m", "", ["regular 123m* 456m 789p 111s 22s edge"]),
    (STANDARD, "89m456m789p111s22s", "7m", "", ["regular 456m 789m* 789p 111s 22s edge"]),
    (STANDARD, "13m456m789p111s22s", "2m", "", ["regular 123m* 456m 789p 111s 22s closed"]),
    (
        STANDARD,
        "23m456m789p111s22s",
        "4m",
        "",
        ["regular 234m* 456m 789p 111s 22s two_sided", "regular 234m 456m* 789p 111s 22s two_sided"],
    ),
    (
        STANDARD,
        "111222333m4455s",
        "4s",
        "",
        ["regular 111m 222m 333m 444s* 55s double", "regular 123m 123m 123m 444s* 55s double"],
    ),
    (STANDARD, "2345m999p111s EEE", "2m", "", ["regular 22m* 345m 999p 111s EEE single"]),
    (STANDARD, "2345m999p111s EEE", "5m", "", ["regular 234m 55m* 999p 111s EEE single"]),
    (STANDARD, "22334m999p111s22s", "4m", "", ["regular 234m* 234m 999p 111s 22s two_sided"]),
    (STANDARD, "1199m44p66s EE CC P", "P", "", ["seven_pairs 11m 99m 44p 66s EE CC PP* single"]),
    (
        STANDARD,
        "112233m445566p7s",
        "7s",
        "",
        ["regular 123m 123m 456p 456p 77s* single", "seven_pairs 11m 22m 33m 44p 55p 66p 77s* single"],
    ),
    (
        STANDARD,
        "19m19p19sESWNCFP",
        "P",
        "",
        ["orphans 19m19p19sESWNCFP* P single", "orphans 19m19p19sESWNCFP P* single"],
    ),
    (STANDARD, "147m258p369sESWN", "C", "", ["knitted 1m 4m 7m 2p 5p 8p 3s 6s 9s E S W N C* single"]),
    (STANDARD, "22s", "2s", "1111m 234p !EEEE !999m", []),
    (STANDARD, "2s", "2s", "1111m 234p !EEEE !999m", ["regular 1111m 234p EEEE 999m 22s* single"]),
    (STANDARD, "1199m44p66s EE", "P", "", []),
    (STANDARD, "1m", "1m", "!234p !EEEE !999m !1111p", ["regular 234p EEEE 999m 1111p 11m* single"]),
    (STANDARD, "22m44p66s EE CC P", "P", "!99m", ["seven_pairs 99m 22m 44p 66s EE CC PP* single"]),
    (STANDARD, "22m44p66s EE CC P", "P", "99m", []),
    (STANDARD, "340m111p345p34s22s", "5s", "", ["regular 345m 111p 345p 22s 345s* two_sided"]),
    (SMALL, "11m22p ESW", "E", "", []),
    (SMALL, "11m234p SW", "E", "", ["regular 11m 234p ESW* closed"]),
    (SMALL, "0m3mEE SSW", "W", "", ["regular 33m ESW* ESW closed", "pairs 33m EE SS WW* single"]),
    (SMALL, "3m3mEE33mE", "E", "", []),
    (SMALL, "1m3m5m1p E", "3p", "", ["odd 1m 3m 5m 1p 3p* E single"]),
    (WILD, "12m44m555m", "Z", "", ["regular 012m* 44m 555m two_sided"]),
    (WILD, "12m44m555m", "3m", "", ["regular 123m* 44m 555m two_sided"]),
    (WILD, "24m33m555m", "0m", "", ["regular 024m* 33m 555m edge"]),
    (WILD, "444m55mJ Z", "Z", "", ["regular 444m 55m ZZZ* double", "regular 444m 555m ZZ* single"]),
    (WILD, "1144m55mZ", "Z", "", ["different 11m 44m 55m ZZ* single"]),
    (WILD, "445m5mJ12m", "Z", "", ["regular 012m* 44m 555m two_sided", "regular 012m* 444m 55m two_sided"]),
    (LONG, "456m77m", "7m", "", []),
    (LONG, "456m7m", "7m", "123m", ["ranks 123456m 77m* single"]),
    (LONG, "24m2m1p 341p", "8m", "", ["threes 248m* 2m1p 134p closed"]),
]


@pytest.mark.parametrize(("text", "tiles", "win", "melds", "expected"), HANDS)
def test_table(text: str, tiles: str, win: str, melds: str, expected: list[str]) -> None:
    game = world(text)
    hand = game.hand(tiles, win, tuple(game.meld(meld) for meld in melds.split()))
    assert [written(game, reading) for reading in game.reader.readings(hand)] == expected
    assert game.reader.fits(hand) == bool(expected)


def written(game: World, reading: Reading) -> str:
    parts = [game.write(part.tiles).replace(" ", "") + "*" * part.completed for part in reading.parts]
    return " ".join([reading.form, *parts, reading.wait or "-"])


# Against brute force

CASES = [(text, shape.form) for text in (SMALL, WILD, LONG) for shape in world(text).reader.shapes]


@pytest.mark.long
@pytest.mark.parametrize(("text", "form"), CASES)
@settings(max_examples=budget(8))
@given(seed=st.integers(0, 10**9), exposed=st.booleans())
def test_readings_are_all_there_are(text: str, form: str, seed: int, exposed: bool) -> None:
    game, chance = world(text), Random(seed)
    melds = some_melds(game, chance, 2)
    tiles = near_hand(game, form, melds, chance, chance.choice([0, 0, 0, 1]))
    if not tiles:
        return
    hand = Hand(tuple(tiles[1:]), melds, tiles[0])
    found = list(game.reader.readings(hand, exposed))
    assert len(set(found)) == len(found)
    assert {loosely(reading) for reading in found} == expected_readings(game, hand, exposed)
    assert game.reader.fits(hand) == bool(found)


def loosely(reading: Reading) -> tuple[str, tuple[tuple[object, ...], ...]]:
    """A reading without its wait and its order."""
    parts = [(p.group, p.tiles, p.wild, p.melded, p.completed, p.exposed) for p in reading.parts]
    return reading.form, tuple(sorted(parts))


def expected_readings(game: World, hand: Hand, exposed: bool) -> set[tuple[str, tuple[tuple[object, ...], ...]]]:
    """Every target that is the hand, once for every group that holds the winning tile."""
    full = Counter(game.tiles.tiles[tile].plain for tile in (*hand.tiles, hand.win))
    found = set()
    for shape in game.reader.shapes:
        for target, inside in targets(game, shape.form, hand.melds):
            if faces(target) != full + Counter(tile for meld in inside for tile in meld.tiles):
                continue
            laid = [meld for meld in hand.melds if meld not in inside]
            melded = [(m.group, game.groups.groups[m.group].tiles, m.wild, True, False, m.exposed) for m in laid]
            hidden = [Counter(meld.tiles) for meld in inside if meld.exposed]
            shown = [any(meld <= Counter(made.tiles) for meld in hidden) for made in target]
            for number, made in enumerate(target):
                if hand.win in made.faces:
                    parts = [
                        (m.group, m.tiles, m.wild, False, at == number, shown[at] or (exposed and at == number))
                        for at, m in enumerate(target)
                    ]
                    found.add((shape.form, tuple(sorted([*melded, *parts]))))
    return found


@settings(max_examples=budget(15))
@given(seed=st.integers(0, 10**9))
def test_loose_groups_are_maximal_and_complete(seed: int) -> None:
    game, chance = world(SMALL), Random(seed)
    box = list(game.reader.wild.copies.elements())
    hand = Hand(tuple(chance.sample(box, 7)), some_melds(game, chance, 1))
    kinds = chance.choice([{"set", "pair"}, {"sequence"}, {"triplet", "pair"}])
    found = [
        tuple(sorted(part.group for part in reading.parts if not part.melded))
        for reading in game.reader.loose(hand, frozenset(kinds))
    ]
    assert len(set(found)) == len(found)
    assert set(found) == packings(game, Counter(hand.tiles), kinds)


def packings(game: World, tiles: Counter[int], kinds: set[str]) -> set[tuple[int, ...]]:
    """Sets of groups that go into the tiles, each such that no more goes in."""
    fitting = [g for g in game.groups.groups if g.kinds & kinds and Counter(g.tiles) <= tiles]
    if not fitting:
        return {()}
    return {
        tuple(sorted((group.index, *others)))
        for group in fitting
        for others in packings(game, tiles - Counter(group.tiles), kinds)
    }


def test_exposed_slots_and_meld_groups() -> None:
    game = world(STANDARD)
    triplets, pairs = game.of_kinds("triplet"), game.of_kinds("pair")
    shape = Shape("shown", ((Slot(1, triplets, exposed=True), Slot(1, pairs, exposed=False)),))
    reader = ReadingSearch(game.tiles, game.groups, [shape])
    hand = game.hand("11m22m", "1m")
    assert list(reader.readings(hand, False)) == []
    assert [written(game, reading) for reading in reader.readings(hand, True)] == ["shown 111m* 22m double"]
    assert list(reader.readings(game.hand("111m2m", "2m"), True)) == []
    assert len(list(reader.readings(game.hand("2m", "2m", (game.meld("111m"),))))) == 1
    assert list(reader.readings(game.hand("2m", "2m", (game.meld("!111m"),)))) == []


def test_a_form_without_groups_reads_its_melds() -> None:
    game = world(STANDARD)
    reader = ReadingSearch(game.tiles, game.groups, [Shape("card")])
    meld = Meld(game.groups.by_tiles[(0, 0, 0)], (0, 0, 0), discarder=2)
    part = Part(meld.group, (0, 0, 0), True, True, discarder=2)
    assert list(reader.readings(Hand((1, 2), (meld,), 3))) == [Reading("card", (part,), None)]


def test_absurd_hands_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covers, "MOST_STEPS", 10_000)
    game = world(WILD)
    slots = tuple(Slot(1, frozenset(range(number, len(game.groups.groups)))) for number in range(12))
    reader = ReadingSearch(game.tiles, game.groups, [Shape("any", (slots,))])
    with pytest.raises(TooManyReadings):
        list(reader.readings(game.hand("1122334455m" * 3 + "JJJJ")))
