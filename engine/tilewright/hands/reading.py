"""A hand, the shapes that hands are read in, and one way to read it. Frozen data; the search is in
`tilewright.hands.readings`."""

from dataclasses import dataclass

from tilewright.hands.group import Groups

Sets = tuple[tuple[int, int], ...]  # (plain tile, how many of it), in the order in which they are shown


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


@dataclass(frozen=True, slots=True)
class Slot:
    """`count` groups, each one of `groups` (or, only as a meld, of `meld_groups`); or `count` single tiles, each one
    of `tiles`; or, with `each`, one of every tile of `tiles`. `different`: no two of these are the same."""

    count: int
    groups: frozenset[int] = frozenset()
    meld_groups: frozenset[int] = frozenset()
    tiles: frozenset[int] = frozenset()
    each: bool = False
    different: bool = False
    exposed: bool | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """Whole hands, each of some entry of a list, none twice. `rows[i]` are the sets of a hand, `entries[i]` the entry
    it belongs to (ascending); `concealed`: entries whose hands allow no exposed meld. `choices`: tiles of any one of
    which a set may be, and no other set of its row; a set has the number of a choice, from that of tiles on."""

    rows: tuple[Sets, ...]
    entries: tuple[int, ...]
    concealed: frozenset[int] = frozenset()
    choices: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """A form. `cases`: alternative lists of slots that use up the hand. `pick`: this many different single tiles, each
    of some slot of a case. `listed`: whole hands one by one, as of a card, in place of cases. None of these: the form
    is a condition alone and its readings have no groups but the melds. `melds`: kinds that may lie on the table in
    place of their tiles, besides groups that fill slots."""

    form: str
    cases: tuple[tuple[Slot, ...], ...] = ()
    pick: int | None = None
    concealed: bool = False
    melds: tuple[str, ...] = ()
    listed: Listing | None = None

    @property
    def has_groups(self) -> bool:
        """Groups or tiles of the shape use up the hand."""
        return bool(self.cases) or self.pick is not None or self.listed is not None


def sizes_of(shape: Shape, groups: Groups) -> frozenset[int]:
    """How many tiles the hands of a form have, groups that stand for smaller ones counted as those; none for a form
    that is a condition alone."""
    if not shape.has_groups:
        return frozenset()
    if shape.pick is not None:
        return frozenset({shape.pick})
    listed = {sum(count for _, count in row) for row in shape.listed.rows} if shape.listed else set()
    return frozenset(listed | {sum(size_of_slot(slot, groups) for slot in case) for case in shape.cases})


def size_of_slot(slot: Slot, groups: Groups) -> int:
    """How many tiles the slot takes up."""
    if slot.each:
        return slot.count * len(slot.tiles)
    sizes = [len(groups.groups[group].tiles) for group in slot.groups] + [1 for _ in slot.tiles]
    return slot.count * min(sizes, default=0)
