"""American scoring, slowly: every hand of a card, with wild tiles where the rules let them stand.

In: a card and a case. Out: whether it wins, its total, the lines that give it, who pays. Sets of three and more alike
may hold jokers and may be exposed; singles and pairs are naturals out of the hand. Tiles are named as in the case but
for flowers, which are all "flower".
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from oracles.card_lines import listed, read
from oracles.hand import tiles_of

SEATS = ("E", "S", "W", "N")
TILES = {  # of a card -> of a case: dots, bams, craks; red dragon, green one, white one
    **{card + rank: rank + suit for card, suit in (("d", "p"), ("m", "s"), ("c", "m")) for rank in "123456789"},
    **{"R": "C", "G": "F", "0": "P", "F": "flower"},
    **{wind: wind for wind in SEATS},
}
JOKER = "J"
BOX = Counter({**dict.fromkeys(TILES.values(), 4), "flower": 8, JOKER: 8})
SMALLEST = 3  # a set with jokers, or an exposure
NO_JOKERS_ANYWAY = {"singles and pairs", "singles & pairs"}

Set = tuple[str, int]
Sets = tuple[Set, ...]


@dataclass(frozen=True)
class Line:
    """A line of the card, with its hands."""

    text: str
    group: str
    value: int
    exposed: bool
    hands: tuple[Sets, ...] = field(compare=False)


@dataclass(frozen=True)
class Card:
    """Lines, and which of their hands hold a tile."""

    lines: tuple[Line, ...]

    @cached_property
    def hands(self) -> tuple[tuple[Line, Sets], ...]:
        """Every hand of every line."""
        return tuple((line, hand) for line in self.lines for hand in line.hands)

    @cached_property
    def holding(self) -> dict[str, set[int]]:
        """Tile -> the places of the hands that hold it."""
        places: dict[str, set[int]] = {tile: set() for tile in BOX}
        for place, (_, hand) in enumerate(self.hands):
            for tile, _ in hand:
                places[tile].add(place)
        return places

    def with_all(self, tiles: Iterable[str]) -> Iterator[tuple[Line, Sets]]:
        """The hands that hold each of the tiles."""
        places = [self.holding[tile] for tile in set(tiles) - {JOKER}]
        return (self.hands[place] for place in sorted(set.intersection(set(range(len(self.hands))), *places)))


@dataclass(frozen=True)
class Held:
    """What somebody wins with, or nearly: the concealed tiles with the winning one, and the exposures."""

    tiles: Counter[str]
    melds: tuple[Counter[str], ...] = ()

    @property
    def all(self) -> Counter[str]:
        """The tiles in the hand and in the exposures."""
        return sum(self.melds, self.tiles)


@dataclass(frozen=True)
class Result:
    """What a case is worth. `lines`: the text of each line that gives as much."""

    win: bool
    total: int = 0
    lines: frozenset[str] = frozenset()
    values: frozenset[int] = field(default=frozenset(), compare=False)  # of all lines that are filled
    payments: Mapping[str, int] | None = None


def card_of(document: Mapping[str, Any]) -> Card:
    """The card of a document: titles, and under each its lines, or a note and lines."""
    lines = []
    for title, group in document["groups"].items():
        for entry in group if isinstance(group, list) else group["lines"]:
            text = entry if isinstance(entry, str) else entry["line"]
            lines.append(line_of(text, str(title)))
    return Card(tuple(lines))


def line_of(text: str, group: str) -> Line:
    """A line with all its hands."""
    typed = read(text)
    hands = sorted(tuple((TILES[tile], count) for tile, count in hand) for hand in listed(text).hands)
    return Line(text, group, typed.value, typed.exposed, tuple(hands))


# --- cases


def score(card: Card, case: Mapping[str, Any]) -> Result:
    """What the case is worth on the card."""
    held = held_in(case)
    exchanged = "exchanged" in case.get("flags", ())
    called = case.get("discarder") is not None and not exchanged
    if called and case["win_tile"] == JOKER:
        return Result(False)  # a discarded joker may not be called
    worth = {line: value_of(line, held) for line in filled(card, held)}
    if not worth:
        return Result(False)
    total = max(worth.values())
    return Result(
        True,
        total,
        frozenset(line.text for line, value in worth.items() if value == total),
        frozenset(worth.values()),
        payments(case, total, drawn=bool(case.get("self_draw")) or exchanged),
    )


def held_in(case: Mapping[str, Any]) -> Held:
    """The tiles of a case."""
    win = case.get("win_tile")
    melds = tuple(Counter(plain(meld)) for meld in case.get("melds", ()))
    return Held(Counter([*plain(case["hand"]), *plain([win] if win else [])]), melds)


def plain(text: str | list[str]) -> list[str]:
    """The tiles of a text; flowers and seasons are the same tile."""
    return ["flower" if tile[-1] in "fg" else tile for tile in tiles_of(text)]


def value_of(line: Line, held: Held) -> int:
    """The value beside the line, twice without jokers; singles and pairs have none anyway."""
    if line.group.lower() in NO_JOKERS_ANYWAY or held.all[JOKER]:
        return line.value
    return line.value * 2


def payments(case: Mapping[str, Any], total: int, drawn: bool) -> dict[str, int] | None:
    """Seat -> gain. Everybody pays twice for a tile that was drawn or exchanged, else only the discarder."""
    winner, discarder = case.get("seat_wind"), case.get("discarder")
    if winner is None or not (drawn or discarder):
        return None
    paid = {seat: total * 2 if drawn or seat == discarder else total for seat in SEATS if seat != winner}
    return {winner: sum(paid.values()), **{seat: -amount for seat, amount in paid.items()}}


# --- hands


def filled(card: Card, held: Held) -> set[Line]:
    """The lines that the tiles fill."""
    return {line for line, hand in card.with_all(held.all) if fills(held, line, hand)}


def fills(held: Held, line: Line, hand: Sets) -> bool:
    """The exposures are sets of the hand, and the other tiles make its other sets."""
    if held.melds and not line.exposed:
        return False
    rest = list(hand)
    for meld in held.melds:
        found = exposed_set(meld)
        if found not in rest:
            return False
        rest.remove(found)
    return makes(held.tiles, rest)


def exposed_set(meld: Counter[str]) -> Set | None:
    """The set that an exposure is: three or more alike, one of them at least a natural (the tile that was called)."""
    naturals = set(meld) - {JOKER}
    return (naturals.pop(), meld.total()) if len(naturals) == 1 and meld.total() >= SMALLEST else None


def makes(tiles: Counter[str], sets: list[Set]) -> bool:
    """The tiles are these sets: singles and pairs are taken out first, and jokers fill up those of three and more."""
    left, jokers = tiles.copy(), tiles[JOKER]
    del left[JOKER]
    for tile, count in sorted(sets, key=lambda one: one[1]):
        there = min(left[tile], count)
        left[tile] -= there
        if there < count and count < SMALLEST:
            return False
        jokers -= count - there
    return jokers == 0 and not any(left.values())


def waits(card: Card, held: Held) -> dict[str, int]:
    """Tile -> what the hand is worth with it, of the tiles that complete it and of which there is another."""
    found = {}
    for tile in (tile for tile, copies in BOX.items() if held.all[tile] < copies):
        whole = Held(held.tiles + Counter([tile]), held.melds)
        worth = [value_of(line, whole) for line in filled(card, whole)]
        if worth:
            found[tile] = max(worth)
    return found
