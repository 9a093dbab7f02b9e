"""The lines of a card that a hand is nearest to: against a matcher of tiles and places, and what is said of them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

import pytest
from budget import budget

import tilewright
from tilewright.hands.reading import Hand, Listing, Meld
from tilewright.language.compiled.ruleset import CardData
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.nearest import Nearest, nearest
from tilewright.tiles.notation import parse_tiles

HANDS = budget(40)
CHUNKS = 5
Slots = list[tuple[int, ...]]  # of each place, the tiles that may stand there


@cache
def rules() -> tilewright.Rules:
    return tilewright.load("american")


@cache
def card() -> tuple[CardData, Listing]:
    (form,) = (form for form in rules().data.forms if form.card)
    assert form.card and form.shape.listed
    return form.card, form.shape.listed


def wild() -> int:
    tile = rules().data.tiles.by_code("J")
    assert tile is not None
    return tile.index


def near(hand: str, *melds: str, seen: str = "", limit: int | None = None, every: bool = False) -> Nearest:
    data = rules().data
    held = read_case(data, {"hand": hand, "melds": list(melds), "winner": False}).hand
    return nearest(rules().judge, held, parse_tiles(seen, data.tiles), limit, every)


# --- against a matcher


def filled(slots: Slots, have: Mapping[int, int]) -> int:
    """The most places that can be filled: one after the other, others giving way."""
    stands: dict[int, list[int]] = defaultdict(list)
    return sum(placed(number, slots, have, stands, set()) for number in range(len(slots)))


def placed(number: int, slots: Slots, have: Mapping[int, int], stands: dict[int, list[int]], tried: set[int]) -> bool:
    for tile in slots[number]:
        if tile in tried or not have.get(tile):
            continue
        tried.add(tile)
        if len(stands[tile]) < have[tile]:
            stands[tile].append(number)
            return True
        for other in stands[tile]:
            if placed(other, slots, have, stands, tried):
                stands[tile].remove(other)
                stands[tile].append(number)
                return True
    return False


def slots_of(sets: list[tuple[int, int]]) -> Slots:
    """A wild tile stands in three alike and more."""
    return [(tile, wild()) if count > 2 else (tile,) for tile, count in sets for _ in range(count)]


def sets_beside(row: tuple[tuple[int, int], ...], melds: tuple[Meld, ...]) -> list[tuple[int, int]] | None:
    """The sets that are not melded, None where the row has no such sets."""
    sets = list(row)
    for meld in melds:
        one = (meld_tile(meld), len(meld.tiles))
        if one not in sets:
            return None
        sets.remove(one)
    return sets


def meld_tile(meld: Meld) -> int:
    return rules().data.groups.groups[meld.group].start


def possible(sets: list[tuple[int, int]], melds: tuple[Meld, ...], gone: Counter[int]) -> bool:
    """What is not gone fills the sets, and the places of melds where wild tiles lie."""
    natural = Counter(plain(tile) for meld in melds for tile in meld.tiles if tile != wild())
    back = [(meld_tile(meld), wild()) for meld in melds for tile in meld.tiles if tile == wild()]
    slots = slots_of(sets) + back
    return filled(slots, box() - gone - natural) == len(slots)


def plain(tile: int) -> int:
    return rules().data.tiles.tiles[tile].plain


def box() -> Counter[int]:
    return rules().judge.reader.wild.copies


def expected(hand: Hand, gone: Counter[int]) -> tuple[list[tuple[object, ...]], set[int]]:
    """Of each line that can be made: missing, value, live and the line; and the lines that cannot."""
    data, listing = card()
    best: dict[int, tuple[int, int]] = {}
    held = Counter(map(plain, hand.tiles))
    left = box() - held - gone - Counter(plain(tile) for meld in hand.melds for tile in meld.tiles)
    for row, entry in zip(listing.rows, listing.entries, strict=True):
        sets = sets_beside(row, hand.melds)
        closed = entry in listing.concealed and any(meld.exposed for meld in hand.melds)
        if sets is None or closed or not possible(sets, hand.melds, gone):
            continue
        slots = slots_of(sets)
        there = filled(slots, held)
        found = (
            len(slots) - there,
            -live(slots, held, left, there) if len(slots) - there <= best.get(entry, (99,))[0] else 0,
        )
        best[entry] = min(best.get(entry, found), found)
    lines = [(best[entry][0], -data.lines[entry].value, best[entry][1], entry) for entry in best]
    dead = set(range(len(data.lines))) - best.keys()
    return [(miss, -value, -alive, data.lines[entry].text) for miss, value, alive, entry in sorted(lines)], dead


def live(slots: Slots, held: Counter[int], left: Counter[int], there: int) -> int:
    """How many of the tiles left fill one place more."""
    tiles = {tile for slot in slots for tile in slot if left[tile]}
    return sum(left[tile] for tile in tiles if filled(slots, held + Counter([tile])) > there)


def random_hand(chance: Random) -> tuple[Hand, Counter[int]]:
    """Tiles and melds near some hand of the card, wild ones among them, and tiles that are gone."""
    _, listing = card()
    deck, melds, tiles = Counter(box()), [], []
    melding = chance.random() < 0.6
    for tile, count in chance.choice(listing.rows):
        wanted = [wild() if count > 2 and chance.random() < 0.15 else tile for _ in range(count)]
        if count > 2 and melding and chance.random() < 0.4 and tile in wanted and Counter(wanted) <= deck:
            index = rules().data.groups.by_tiles[(tile,) * count]
            pairs = tuple((face, tile) for face in wanted if face == wild())
            melds.append(Meld(index, tuple(wanted), chance.random() < 0.9, pairs))
            deck -= Counter(wanted)
            continue
        for face in wanted:
            near_enough = face if chance.random() < 0.6 and deck[face] else chance.choice(list(deck.elements()))
            tiles.append(near_enough)
            deck -= Counter([near_enough])
    gone = Counter(chance.sample(list(deck.elements()), chance.choice([0, 10, 40, 80])))
    return Hand(tuple(sorted(tiles)), tuple(melds)), gone


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lines_agree_with_a_matcher(chunk: int) -> None:
    data, _ = card()
    for seed in range(chunk, HANDS, CHUNKS):
        hand, gone = random_hand(Random(seed))
        lines, dead = expected(hand, gone)
        found = nearest(rules().judge, hand, gone.elements())
        assert [(one.missing, one.value, one.live, one.line) for one in found.hands] == lines
        assert [line for line, _ in found.dead] == [data.lines[entry].text for entry in sorted(dead)]
        assert found.possible == bool(lines) == (found.reason is None)
        for one in found.hands:
            check_tiles(one.as_json(), hand)


def check_tiles(told: dict, hand: Hand) -> None:
    """Every tile held is kept or passed; what is kept and what is needed make the hand."""
    tiles = rules().data.tiles
    kept, others = parse_tiles(told["keep"], tiles), parse_tiles(told["pass"], tiles)
    assert Counter((*kept, *others)) == Counter(hand.tiles)
    assert len(told["needs"]) == told["missing"]
    melded = sum(len(meld.tiles) for meld in hand.melds)
    assert melded + len(kept) + len(told["needs"]) == 14 == sum(len(parse_tiles(one, tiles)) for one in told["hand"])
    assert sum(told["left"].values()) == told["live"]
    assert {tile for need in told["needs"] for tile in need.split("|")} <= told["left"].keys()


# --- what is told


def test_the_nearest_line_in_json() -> None:
    first = near("222m 46m 88m J 1s EEW C", seen="888p 44m 2f").as_json()[0]
    assert first == {
        "missing": 6,
        "line": "FF 222 444 666 888 X25",
        "group": "2468",
        "value": 25,
        "exposed": True,
        "needs": ["1f", "1f", "J|4m", "J|6m", "J|6m", "J|8m"],
        "live": 7 + 3 + 2 + 1 + 7,
        "hand": first["hand"],
        "keep": "2224688m J",
        "pass": "1s EEW C",
        "left": {"4m": 1, "6m": 3, "8m": 2, "1f": 7, "J": 7},
    }
    assert sorted(first["hand"]) == ["11f", "222m", "444m", "666m", "888m"]


def test_every_hand_of_a_line_and_a_limit() -> None:
    text = "222m 46m 88m J 1s EEW C"
    _, listing = card()
    assert len(near(text, every=True).hands) == len(listing.rows)
    assert near(text, every=True, limit=7).hands == near(text, every=True).hands[:7]
    assert len(near(text, limit=3).hands) == 3
    lines = [one.line for one in near(text).hands]
    assert len(lines) == len(set(lines)) == len(card()[0].lines)


DEAD = [
    ("22m", ("222s", "444s"), "88s", None),
    ("22m", ("444s", "444p"), "", "no hand that may be exposed has 444s and 444p together"),
    ("22m", ("5555sJJ",), "", "no hand that may be exposed has 555555s"),
    ("22m", ("222s", "888s"), "6666s JJJJJJ", "even the hand that lacks least needs 3 wild tiles, and 2 are left"),
]


@pytest.mark.parametrize(("hand", "melds", "seen", "reason"), DEAD)
def test_why_no_hand_is_possible(hand: str, melds: tuple[str, ...], seen: str, reason: str | None) -> None:
    found = near(hand, *melds, seen=seen)
    assert found.reason == reason
    assert found.possible == (reason is None) == bool(found.hands)


def reasons(found: Nearest) -> Iterator[str]:
    return (reason for _, reason in found.dead)


def test_every_dead_line_has_its_reason() -> None:
    found = near("22m", "222s", seen="1f2f3f4f1g2g3g JJJJJJJ")
    assert len(found.hands) + len(found.dead) == len(card()[0].lines)
    said = " ".join(reasons(found))
    assert "no hand of it has 222s" in said
    assert "it needs 2 of 1f, and 1 is left" in said
    assert "it is closed, and a group is exposed" in said


def test_a_ruleset_without_a_card_has_no_lines() -> None:
    other = tilewright.load("zung_jung_plus")
    with pytest.raises(CaseError, match="no form of zung_jung_plus is won by a card") as error:
        nearest(other.judge, Hand(()))
    assert error.value.code == "no-card"
