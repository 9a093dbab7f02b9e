"""Groups, hands, the shapes that hands are read in, and one way to read them. Frozen data; the search is in
`tilewright.hands.readings`.

A group is one that a tile set can make (2m 3m 4m, E E E ...), with the kinds it is. Wild tiles stand for others in some
kinds of group; those that only a mark on the table makes wild must be in the tile set first.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tilewright.tiles.tileset import TileSet, Wild


@dataclass(frozen=True, slots=True)
class GroupKind:
    """A kind of group as declared. Exactly one of alike, run, ranks, any is set.

    `families`: where a run may lie (ids of suits or unranked families). `steps`: the differences a run may have
    (a span of 1.. is cut at what fits). `called`: other names in case files, with whether such a meld is concealed
    (name -> True).
    """

    id: str
    alike: int | None = None
    run: int | None = None
    ranks: tuple[tuple[int, ...], ...] = ()
    any: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    steps: tuple[int, int | None] = (1, 1)  # from, to (None: as far as it fits)
    across_suits: bool = False  # suits: different
    stands_for: str | None = None
    called: Mapping[str, bool] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """One concrete group: a multiset of plain tiles. Two kinds that make the same tiles share one Group.

    `kinds`: every name under which a template finds it anywhere, unions (`any`) included.
    `meld_kinds`: further names under which it is found only among melds (through `stands_for`; a kind that stands
    for another is itself found only among melds too, so it is in here and not in `kinds`).
    `start` is its place: the first tile of a run, the tile of alike ones. `rank`, `suit` are those of `start`.
    """

    index: int
    tiles: tuple[int, ...]  # plain tiles in order of place; length = size
    kinds: frozenset[str]
    meld_kinds: frozenset[str]
    start: int
    rank: int | None
    suit: str | None
    step: int | None  # of a run
    suits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Groups:
    """All kinds and all concrete groups of a ruleset. `sizes`: kind -> tiles it takes up in a form (a kind that
    stands for another counts as that one: a quad is three tiles of the fourteen)."""

    kinds: Mapping[str, GroupKind]
    groups: tuple[Group, ...]
    by_tiles: Mapping[tuple[int, ...], int]  # sorted tiles -> index
    sizes: Mapping[str, int]

    def size(self, group: int) -> int:
        """How many tiles a group takes up in a form; kinds whose groups differ in that say nothing of it."""
        kinds = self.groups[group].kinds | self.groups[group].meld_kinds
        return min(self.sizes[kind] for kind in kinds & self.sizes.keys())


# --- wild tiles


Pair = tuple[int, int]  # wild tile, what it stands for


class WildTiles:
    """What the wild tiles of a tile set may stand for."""

    def __init__(self, tiles: TileSet) -> None:
        self.tiles = tiles
        self.copies = copies_in_box(tiles)

    @cached_property
    def stands_for(self) -> dict[int, frozenset[int]]:
        """Every wild tile with all it may be in some group."""
        found: dict[int, frozenset[int]] = {}
        for wild in self.tiles.wild:
            if wild.groups or serves(wild, frozenset()):
                for tile in wild.tiles.tiles:
                    found[tile] = found.get(tile, frozenset()) | (wild.stands_for.tiles - {tile})
        return {tile: stands for tile, stands in found.items() if stands}

    def served(self, kinds: frozenset[str], zone: str = "hand") -> dict[int, tuple[int, ...]]:
        """The wild tiles that may be each tile, in a group of these kinds in this zone."""
        found: dict[int, set[int]] = {}
        for wild in self.tiles.wild:
            if serves(wild, kinds, zone):
                for tile in wild.stands_for.tiles:
                    found.setdefault(tile, set()).update(wild.tiles.tiles - {tile})
        return {tile: tuple(sorted(helpers)) for tile, helpers in found.items() if helpers}

    @cached_property
    def fills_gaps(self) -> bool:
        """Whether wild tiles stand for ranks without a tile alone, each for one of its own: groups then say by
        themselves what stands for what in them."""
        pairs = {(tile, stood) for tile, stands in self.stands_for.items() for stood in stands}
        stood = [tile for _, tile in pairs]
        return all(map(self.virtual, stood)) and len(stood) == len(set(stood))

    def standing(self, tiles: Iterable[int], kinds: frozenset[str]) -> tuple[Pair, ...]:
        """What stands for what in a group of these tiles and kinds, where wild tiles fill gaps alone."""
        if not self.fills_gaps:
            return ()
        served = self.served(kinds)
        return tuple(sorted((served[tile][0], tile) for tile in tiles if tile in served))

    def virtual(self, tile: int) -> bool:
        """A rank without a tile: only a wild tile can be it."""
        return not self.copies[tile]

    def in_the_box(self, tiles: Iterable[int]) -> Counter[int]:
        """Faces as the plain tiles that they are in the box: a rank without a tile is the wild tile that shows it."""
        return Counter(self._real(self.tiles.tiles[tile].plain) for tile in tiles)

    def _real(self, tile: int) -> int:
        if not self.virtual(tile):
            return tile
        return min((wild for wild, stands in self.stands_for.items() if tile in stands), default=tile)


def serves(wild: Wild, kinds: frozenset[str], zone: str = "hand") -> bool:
    """Whether these wild tiles may stand for others inside a group of such kinds in a zone."""
    return bool(wild.groups & kinds) or zone in wild.zones or not (wild.groups or wild.zones)


def copies_in_box(tiles: TileSet) -> Counter[int]:
    """Copies of each plain tile, specials and tiles drawn differently included."""
    total: Counter[int] = Counter()
    for tile in tiles.tiles:
        total[tile.plain] += tile.copies
    return total


# --- hands


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
