"""American hands on the bundled cards: win, total, line, payments and waits, against the oracle of the rules.

Hands are dealt for a hand of a line, set by set: with wild tiles, some sets exposed, won in one of several ways; or
not quite won, with a tile that does not belong, a joker in a pair, or an exposure where the line is closed.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from budget import budget
from oracles.american import (
    BOX,
    JOKER,
    SEATS,
    SMALLEST,
    Card,
    Held,
    Line,
    Result,
    Sets,
    card_of,
    filled,
    plain,
    score,
    waits,
)
from ruamel.yaml import YAML

import tilewright

pytestmark = pytest.mark.long

CARDS = ("basic1", "paper_kite", "moon_gate")
HANDS = budget(12)  # of each kind, on each card
WAITING = budget(15)  # on each card
FLOWERS = [number + kind for kind in "fg" for number in "1234"]
WAYS = ("discard", "drawn", "exchanged", "exchanged after a call", "untold")


@cache
def rules(card: str) -> tilewright.Rules:
    return tilewright.load("american", {"card": card})


@cache
def card_called(name: str) -> Card:
    path = Path(__file__).parents[2] / "cards" / f"{name}.yaml"
    return card_of(YAML(typ="safe").load(path.read_text(encoding="utf-8")))


# --- hands


def dealt(sets: Sets, random: Random, jokers: float, exposed: float) -> Held:
    """Tiles for the sets: so many of those of three and more jokers, so many of these sets exposed, never the last."""
    left, tiles, melds = BOX.copy(), Counter[str](), []
    for number, (tile, count) in enumerate(sets):
        few = max(0, count - left[tile])
        wild = 0 if count < SMALLEST else max(few, sum(random.random() < jokers for _ in range(count)))
        faces = +Counter({tile: count - wild, JOKER: wild})
        left -= faces
        if count >= SMALLEST and wild < count and number < len(sets) - 1 and random.random() < exposed:
            melds.append(faces)
        else:
            tiles += faces
    return Held(tiles, tuple(melds))


def any_line(card: Card, random: Random) -> tuple[Line, Sets]:
    """A line, and one of its hands."""
    line = random.choice(card.lines)
    return line, random.choice(line.hands)


def won(card: Card, random: Random) -> Held:
    """A hand that fills a line: often without a joker, sometimes with many; open or not where the line allows it."""
    line, sets = any_line(card, random)
    return dealt(sets, random, random.choice((0, 0, 0.1, 0.3, 0.5)), random.choice((0, 0.5)) if line.exposed else 0)


def one_off(card: Card, random: Random) -> Held:
    """A hand with one tile that does not belong."""
    held = won(card, random)
    (lost,) = random.sample(list(held.tiles.elements()), 1)
    (found,) = random.sample(list((BOX - held.all).elements()), 1)
    return Held(held.tiles - Counter([lost]) + Counter([found]), held.melds)


def joker_in_pair(card: Card, random: Random) -> Held:
    """A hand with a joker for a tile of a single or pair."""
    line, sets = any_line(card, random)
    held = dealt(sets, random, random.choice((0, 0.2)), 0.5 if line.exposed else 0)
    small = [tile for tile, count in sets if count < SMALLEST and held.tiles[tile]]
    lost = random.choice(small or list(held.tiles))
    return Held(held.tiles - Counter([lost]) + Counter([JOKER]), held.melds)


def opened(card: Card, random: Random) -> Held:
    """A hand of a closed line with an exposure, or with one that is only a part of a set, or of two."""
    closed = [hand for line in card.lines if not line.exposed for hand in line.hands if largest(hand) >= SMALLEST]
    if closed and random.random() < 0.6:
        return dealt(random.choice(closed), random, 0.1, 0.8)
    held = dealt(any_line(card, random)[1], random, 0.1, 0.3)
    large = [tile for tile, count in held.tiles.items() if count >= SMALLEST and tile != JOKER]
    laid = Counter({random.choice(large): SMALLEST}) if large else Counter[str]()
    return Held(held.tiles - laid, (*held.melds, laid)) if laid else held


def largest(hand: Sets) -> int:
    """Tiles of its largest set."""
    return max(count for _, count in hand)


def of_several_values(card: Card, random: Random) -> Held:
    """A hand that fills lines of different values: with many jokers mostly."""
    for _ in range(2000):
        held = dealt(any_line(card, random)[1], random, random.choice((0, 0.6, 0.9)), 0)
        if held.all <= BOX and len({line.value for line in filled(card, held)}) > 1:
            return held
    raise AssertionError("no such hand")


KINDS: dict[str, Callable[[Card, Random], Held]] = {
    "won": won,
    "one_off": one_off,
    "joker_in_pair": joker_in_pair,
    "opened": opened,
    "of_several_values": of_several_values,
}


# --- cases


def situation(kind: str, card: Card, random: Random) -> dict[str, Any]:
    """A case of this kind, with tiles enough in the box, somehow won."""
    held = KINDS[kind](card, random)
    while not (held.all <= BOX and held.tiles):
        held = KINDS[kind](card, random)
    return case_of(held, random)


def case_of(held: Held, random: Random) -> dict[str, Any]:
    """The hand as a case: a joker is won only by drawing or exchanging it, and an exchange brings a joker."""
    way = random.choice(WAYS)
    naturals = [tile for tile in held.tiles.elements() if tile != JOKER]
    if way.startswith("exchanged") and held.tiles[JOKER]:
        win = JOKER
    elif way == "drawn" or not naturals:
        way, win = "drawn", random.choice(list(held.tiles.elements()))
    else:
        way, win = "untold" if way == "untold" else "discard", random.choice(naturals)
    seat, other = random.sample(SEATS, 2)
    return {
        "hand": written(held.tiles - Counter([win]), random),
        "melds": [written(meld, random) for meld in held.melds],
        "win_tile": written(Counter([win]), random)[0],
        "flags": ["exchanged"] if way.startswith("exchanged") else [],
        "self_draw": way in ("drawn", "exchanged"),
        "discarder": other if way in ("discard", "exchanged after a call") else None,
        "seat_wind": None if way == "untold" and random.random() < 0.5 else seat,
    }


def written(tiles: Counter[str], random: Random) -> list[str]:
    """The tiles in any order, as a list of codes; a flower may be any of them."""
    codes = [random.choice(FLOWERS) if tile == "flower" else tile for tile in tiles.elements()]
    return random.sample(codes, len(codes))


def as_told(case: dict[str, Any]) -> dict[str, Any]:
    """The case as the engine takes it: melds are mappings."""
    return {**case, "melds": [{"tiles": meld} for meld in case["melds"]]}


# --- tests


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("card", CARDS)
def test_scores(card: str, kind: str) -> None:
    random, expected = Random(f"{card} {kind}"), list[Result]()
    for _ in range(HANDS):
        case = situation(kind, card_called(card), random)
        wanted, found = score(card_called(card), case), rules(card).score_case(as_told(case))
        assert (found.win, found.total, found.payments) == (wanted.win, wanted.total, wanted.payments), (case, wanted)
        assert found.line in wanted.lines if wanted.win else found.line is None, (case, wanted)
        assert sum((found.payments or {}).values()) == 0
        expected.append(wanted)
    lost = sum(not wanted.win for wanted in expected)
    several = sum(len(wanted.values) > 1 for wanted in expected)
    assert {"won": lost == 0, "of_several_values": several == HANDS}.get(kind, lost > HANDS // 4)


@pytest.mark.parametrize("card", CARDS)
def test_waits(card: str) -> None:
    random, number_of_waits = Random(f"waits {card}"), list[int]()
    for _ in range(WAITING):
        kind = random.choice(("won", "won", "won", "one_off", "of_several_values"))
        case = situation(kind, card_called(card), random)
        held = Held(Counter(plain(case["hand"])), tuple(Counter(plain(meld)) for meld in case["melds"]))
        found = rules(card).waits(case["hand"], as_told(case)["melds"])
        told = {plain([wait.code])[0]: (wait.value, wait.left) for wait in found.tiles}
        wanted = waits(card_called(card), held)
        assert told == {tile: (value, (BOX - held.all)[tile]) for tile, value in wanted.items()}, case
        number_of_waits.append(len(wanted))
    assert max(number_of_waits) > 3 and number_of_waits.count(0) < WAITING / 2
