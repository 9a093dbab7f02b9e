"""A hand, and one way to read it. Frozen data; the search is in `tilewright.hands.readings`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meld:
    """A declared group. `tiles` are its faces; `wild` pairs a wild tile with what it stands for; `hand`: which hand of
    its seat it belongs to, from 1."""

    group: int  # index in Groups.groups
    tiles: tuple[int, ...]
    exposed: bool = True
    wild: tuple[tuple[int, int], ...] = ()
    discarder: int | None = None
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Hand:
    """What a seat holds: faces (indices in TileSet.tiles, specials as themselves), sorted in the tile set's order.

    `tiles` are the concealed ones without the winning tile; `win` is that tile, None for a hand that has not won.
    """

    tiles: tuple[int, ...]
    melds: tuple[Meld, ...] = ()
    win: int | None = None
    bonus: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One group of a reading. `group` is an index in Groups.groups; in forms without groups (`pick`, `matches`,
    `when` alone, and for `tile` and `each` templates) it is -1 and `tiles` say what it is."""

    group: int
    tiles: tuple[int, ...]  # plain tiles as they stand (a wild tile as what it stands for)
    exposed: bool = False
    melded: bool = False
    completed: bool = False  # holds the winning tile
    wild: tuple[tuple[int, int], ...] = ()  # (wild tile, what it stands for), natural when empty
    discarder: int | None = None

    @property
    def held(self) -> tuple[int, ...]:
        """The plain tiles that it is made of, wild ones as themselves."""
        return tuple(sorted(pair[0] for pair in self.identities)) if self.wild else self.tiles

    @property
    def identities(self) -> list[tuple[int, ...]]:
        """For each tile what it may count as: itself, or a wild tile and what it stands for."""
        wild = list(self.wild)
        result: list[tuple[int, ...]] = []
        for tile in self.tiles:
            pair = next((pair for pair in wild if pair[1] == tile), None)
            if pair:
                wild.remove(pair)
            result.append((tile,) if pair is None else pair)
        return result


@dataclass(frozen=True, slots=True)
class Reading:
    """A form and the groups that use up the hand, melds first, then in the order of the hand. `entry`: in a form of
    listed hands, which entry of the list this is."""

    form: str
    parts: tuple[Part, ...]
    wait: str | None = None  # edge, closed, single, double, two_sided
    entry: int | None = None
