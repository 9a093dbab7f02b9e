"""How far a hand is from hands that are listed as sets, slowly and plainly: every way to hand out wild tiles is tried.

A tile is a name, a set (tile, how many). Wild tiles may be any tile of a set of three or more; singles and pairs need
the tiles themselves. Melds stay as they are, each a set of the hand, but for the wild tiles in them: whoever holds the
tile that one stands for may take it out, and so a wild tile in a meld is not lost for a hand that needs it elsewhere.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

Set = tuple[str, int]
Tiles = dict[str, int]

WILD = "J"
SMALLEST = 3  # a set with wild tiles
NUMBERS = {suit + number: 4 for suit in "mcd" for number in "123456789"}
BOX = Counter({**NUMBERS, **dict.fromkeys("GR0NEWS", 4), "F": 8, WILD: 8})


@dataclass(frozen=True)
class Meld:
    """A set on the table; `wild` of its tiles are wild ones."""

    tile: str
    count: int
    wild: int = 0
    exposed: bool = True


@dataclass(frozen=True)
class Held:
    """What somebody has and sees. `gone`: tiles that lie elsewhere."""

    tiles: Counter[str]
    melds: tuple[Meld, ...] = ()
    gone: Counter[str] = field(default_factory=Counter)

    @property
    def unseen(self) -> Counter[str]:
        """How many of each tile nobody has seen."""
        left = BOX - self.gone - self.tiles
        for meld in self.melds:
            left -= Counter({meld.tile: meld.count - meld.wild, WILD: meld.wild})
        return left


def missing(sets: Sequence[Set], held: Held, closed: bool = False) -> int | None:
    """How many tiles have to come for the hand of these sets; None if it cannot be made any more."""
    rest = beside(sets, held, closed)
    if rest is None or not makeable(tuple(rest), held):
        return None
    return min(to_come(tiles, held.tiles) for tiles in fillings(tuple(rest)))


def possible(sets: Sequence[Set], held: Held, closed: bool = False) -> bool:
    """The hand of these sets can still be made, whatever is in the concealed hand."""
    rest = beside(sets, held, closed)
    return rest is not None and makeable(tuple(rest), held)


def live(sets: Sequence[Set], held: Held) -> int:
    """How many tiles that nobody has seen would bring the hand nearer."""
    rest = tuple(beside(sets, held, False) or ())
    now = min(to_come(tiles, held.tiles) for tiles in fillings(rest))
    return sum(
        count
        for tile, count in held.unseen.items()
        if min(to_come(tiles, held.tiles + Counter([tile])) for tiles in fillings(rest)) < now
    )


def beside(sets: Sequence[Set], held: Held, closed: bool) -> list[Set] | None:
    """The sets that are not melded; None if the melds do not go with these sets."""
    if closed and any(meld.exposed for meld in held.melds):
        return None
    rest = list(sets)
    for meld in held.melds:
        if (meld.tile, meld.count) not in rest:
            return None
        rest.remove((meld.tile, meld.count))
    return rest


def makeable(rest: tuple[Set, ...], held: Held) -> bool:
    """What is not gone can lie in the melds, with no more wild tiles in each than now, and in the other sets."""
    there = BOX - held.gone
    for exchanged in product(*(range(meld.wild + 1) for meld in held.melds)):
        left = there.copy()
        for meld, wild in zip(held.melds, exchanged, strict=True):
            left.subtract({meld.tile: meld.count - wild, WILD: wild})
        if min(left.values(), default=0) >= 0 and any(to_come(tiles, left) == 0 for tiles in fillings(rest)):
            return True
    return False


@cache
def fillings(sets: tuple[Set, ...]) -> list[Tiles]:
    """The tiles of the sets, for every number of wild tiles in each set that takes them."""
    return list(filled(sets))


def filled(sets: tuple[Set, ...]) -> Iterator[Tiles]:
    for numbers in product(*(range(count + 1) if count >= SMALLEST else (0,) for _, count in sets)):
        tiles: Tiles = {WILD: sum(numbers)}
        for (tile, count), number in zip(sets, numbers, strict=True):
            tiles[tile] = tiles.get(tile, 0) + count - number
        yield tiles


def to_come(tiles: Tiles, there: Counter[str]) -> int:
    """How many of the tiles are not there."""
    return sum(max(0, count - there.get(tile, 0)) for tile, count in tiles.items())
