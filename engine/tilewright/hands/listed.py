"""Listed hands: whole hands one by one, as on a card, and how near a hand is to each.

Knows tiles, groups and wild tiles. Knows no card and no worth: an entry is a number. Melds are fixed: a row
must have a set for each of them.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from tilewright.hands.group import Groups
from tilewright.hands.reading import Hand, Meld, Part
from tilewright.hands.wild import Pair, WildTiles
from tilewright.tiles.tileset import TileSet

if TYPE_CHECKING:
    from tilewright.hands.matrix import Matrix, Numbers, Truths

NEVER = 99  # missing, where a hand is impossible with the tiles left
MOST_KEPT = 64  # answers to "which rows are possible"
NONE: Mapping[int, int] = MappingProxyType({})
Sets = tuple[tuple[int, int], ...]  # (plain tile, how many of it), in the order in which they are shown


@dataclass(frozen=True, slots=True)
class Listing:
    """Whole hands, each of some entry of a list, none twice. `rows[i]` are the sets of a hand, `entries[i]` the entry
    it belongs to (ascending); `concealed`: entries whose hands allow no exposed meld."""

    rows: tuple[Sets, ...]
    entries: tuple[int, ...]
    concealed: frozenset[int] = frozenset()


class MixedWildTiles(ValueError):
    """Listed hands know wild tiles of one sort: each may be used wherever another may, and is not a tile of a row."""


@dataclass(frozen=True, slots=True)
class ListedPlace:
    """A tile that is needed, and whether a wild tile would do."""

    tile: int
    wild: bool


@dataclass(frozen=True, slots=True)
class ListedFacts:
    """What a hand has for a row. `needs`: the tiles that it misses, as often as it misses them, in the row's order;
    `kept`: the tiles held that the row uses, `others` those that it does not; `live`: the tiles that would make it miss
    one less, wild ones among them, with how many nobody has seen. Melds are in none of these."""

    row: int
    needs: tuple[ListedPlace, ...]
    kept: tuple[int, ...]
    others: tuple[int, ...]
    live: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """Why no hand is possible: there is none to make (`empty`), a group is exposed (`closed`), no hand has these melds,
    too few of `tile` are left (`tile`: `wanted`, `left`), or too few wild tiles for what is gone (`wild`,
    those of the melds not counted)."""

    kind: Literal["empty", "closed", "melds", "tile", "wild"]
    tile: int | None = None
    wanted: int = 0
    left: int = 0
    melds: tuple[Meld, ...] = ()


class Rows:
    """A listing, prepared for queries. `gone`: visible plain tiles elsewhere, neither in the hand nor
    in its melds."""

    def __init__(self, tiles: TileSet, groups: Groups, listing: Listing) -> None:
        self.tiles = tiles
        self.groups = groups
        self.listing = listing
        self.wild = WildTiles(tiles)
        self.place = {tile: number for number, tile in enumerate(tiles.order)}
        self._possible: dict[object, Truths] = {}

    @staticmethod
    def supported(tiles: TileSet, groups: Groups, listing: Listing) -> None:
        """Raise MixedWildTiles if wild tiles may not all be used in the same sets, or are a set themselves."""
        Rows(tiles, groups, listing).check()

    def check(self) -> None:
        """Raise MixedWildTiles, as `supported`."""
        sorts = set(self._served.values())
        if len(sorts) > 1:
            codes = sorted(" ".join(self.tiles.tiles[tile].code for tile in sort) for sort in sorts)
            raise MixedWildTiles(f"all wild tiles must be wild in the same sets, but {codes[0]} and {codes[1]} differ")
        for tile in sorted({tile for tile, _ in self._sets}.intersection(*sorts) if sorts else ()):
            code = self.tiles.tiles[tile].code
            raise MixedWildTiles(f"a listed hand has a set of {code}, which is itself a wild tile of other sets")

    # --- what the rows are

    @cached_property
    def _sets(self) -> frozenset[tuple[int, int]]:
        return frozenset(one for row in self.listing.rows for one in row)

    @cached_property
    def _served(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The sets in which wild tiles may be used, each with these."""
        served = {one: self._may_stand(one) for one in self._sets}
        return {one: helpers for one, helpers in served.items() if helpers}

    def _may_stand(self, one: tuple[int, int]) -> tuple[int, ...]:
        tile, count = one
        index = self.groups.by_tiles.get((tile,) * count)
        if index is None:
            return ()
        group = self.groups.groups[index]
        return self.wild.served(group.kinds | group.meld_kinds).get(tile, ())

    @cached_property
    def free(self) -> frozenset[tuple[int, int]]:
        """The sets in which wild tiles may be used. Raises MixedWildTiles."""
        self.check()
        return frozenset(self._served)

    @cached_property
    def helpers(self) -> tuple[int, ...]:
        """The wild tiles. Raises MixedWildTiles."""
        self.check()
        return next(iter(self._served.values()), ())

    @cached_property
    def matrix(self) -> "Matrix":
        """The rows as matrices. Raises MixedWildTiles."""
        from tilewright.hands.matrix import matrix_of

        return matrix_of(self.listing.rows, self.listing.entries, self.listing.concealed, self.free)

    # --- all rows together

    def missing(self, hand: Hand, gone: Mapping[int, int] = NONE) -> "Numbers":
        """How many tiles the hand misses of every row; NEVER where its melds or what is gone do not allow the row."""
        found = self._missing(hand)
        found[~self.possible(hand.melds, gone)] = NEVER
        return found

    def possible(self, melds: tuple[Meld, ...] = (), gone: Mapping[int, int] = NONE) -> "Truths":
        """The rows that a seat with these melds could still make, whatever else it holds: as the others see it. A wild
        tile in a meld can be exchanged for the tile that it stands for."""
        key = (melds, frozenset(gone.items()))
        if key not in self._possible:
            if len(self._possible) >= MOST_KEPT:
                self._possible.clear()
            laid = self.laid(melds)
            fixed, wild = self._lacking(laid, gone)
            enough = ~fixed.any(axis=0) & (wild <= self._wild_left(gone))
            self._possible[key] = enough & self.matrix.allowing(laid.sets, laid.exposed)
        return self._possible[key]

    def alive(self, melds: tuple[Meld, ...] = (), gone: Mapping[int, int] = NONE) -> frozenset[int]:
        """The entries of which some row is possible."""
        return frozenset(self.matrix.entry[self.possible(melds, gone)].tolist())

    def live(self, hand: Hand, gone: Mapping[int, int] = NONE) -> "Numbers":
        """How many tiles that nobody has seen would bring the hand nearer to every row."""
        natural, wild = self._lowering(hand)
        left = self.left(hand, gone)
        count = sum(left[tile] for tile in self.helpers)
        live: Numbers = (natural * self.matrix.column(left)).sum(axis=0, dtype="int16") + wild * count
        return live

    def exact(self, hand: Hand) -> tuple[int, ...]:
        """The rows that the hand with its winning tile is."""
        laid = self.laid(hand.melds)
        size = len(self._held(hand)) + sum(tile_count * times for (_, tile_count), times in laid.sets.items())
        whole = (self._missing(hand) == 0) & (self.matrix.sizes == size)
        return tuple((whole & self.matrix.allowing(laid.sets, laid.exposed)).nonzero()[0].tolist())

    def within(self, hand: Hand) -> tuple[int, ...]:
        """The rows that some of the tiles are, together with the melds."""
        laid = self.laid(hand.melds)
        whole = (self._missing(hand) == 0) & self.matrix.allowing(laid.sets, laid.exposed)
        return tuple(whole.nonzero()[0].tolist())

    def wanted(self, hand: Hand, gone: Mapping[int, int] = NONE) -> tuple[int, frozenset[int]]:
        """How many tiles the nearest rows miss, and the plain tiles, wild ones among them, that would make it less and
        of which some are left."""
        missing = self.missing(hand, gone)
        least = int(missing.min(initial=NEVER))
        if least in (0, NEVER):
            return least, frozenset()
        natural, wild = self._lowering(hand)
        nearest = missing == least
        useful = (natural & nearest).any(axis=1).tolist()
        tiles = [tile for tile, use in zip(self.matrix.columns, useful, strict=True) if use]
        left = self.left(hand, gone)
        helpers = self.helpers if bool((wild & nearest).any()) else ()
        return least, frozenset(tile for tile in (*tiles, *helpers) if left[tile])

    def left(self, hand: Hand, gone: Mapping[int, int] = NONE) -> Counter[int]:
        """How many of each plain tile nobody has seen."""
        left = self.wild.copies.copy()
        left.subtract(self._held(hand))
        left.subtract(self._in_the_box[face] for meld in hand.melds for face in meld.tiles)
        left.subtract(gone)
        return +left

    def best(self, missing: "Numbers", live: "Numbers") -> list[int]:
        """Of each entry the row that misses least, of equals the one with most live tiles, then the first."""
        rows: list[int] = self.matrix.best(missing, live).tolist()
        return rows

    # --- row by row

    def told(self, rows: Iterable[int], hand: Hand, gone: Mapping[int, int] = NONE) -> Iterator[ListedFacts]:
        """What the hand has for each of these rows, and what it lacks."""
        held, laid, left = Counter(self._held(hand)), self.laid(hand.melds), self.left(hand, gone)
        wild = sum(held.pop(tile, 0) for tile in self.helpers)
        for row in rows:
            sets = self._open_sets(row, laid)
            fixed, free = self._wanted(sets)
            lacks = _Lacks(fixed - held, free - (held - fixed), wild)
            yield ListedFacts(
                row, self._needs(row, lacks, left), *self._used(fixed + free, lacks, hand), self._live(lacks, left)
            )

    def _needs(self, row: int, lacks: "_Lacks", left: Counter[int]) -> tuple[ListedPlace, ...]:
        """Wild tiles that the hand has are taken to fill the places for which the fewest tiles are left."""
        scarce = sorted((left[tile] - nth, tile) for tile, count in lacks.free.items() for nth in range(count))
        places = [ListedPlace(tile, False) for tile in lacks.fixed.elements()]
        places += [ListedPlace(tile, True) for _, tile in scarce[lacks.wild :]]
        order = [tile for tile, _ in self.listing.rows[row]]
        return tuple(sorted(places, key=lambda place: (order.index(place.tile), place.wild)))

    def _live(self, lacks: "_Lacks", left: Counter[int]) -> tuple[tuple[int, int], ...]:
        tiles = {*lacks.fixed, *lacks.free, *self.helpers} if lacks.free.total() > lacks.wild else set(lacks.fixed)
        return tuple((tile, left[tile]) for tile in sorted(tiles, key=self.place.__getitem__))

    def _used(self, room: Counter[int], lacks: "_Lacks", hand: Hand) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The tiles that have room in the row, and the others."""
        wild = min(lacks.wild, lacks.free.total())
        kept: list[int] = []
        others: list[int] = []
        for face, tile in zip(faces_of(hand), self._held(hand), strict=True):
            if tile in self.helpers:
                (kept if wild > 0 else others).append(face)
                wild -= 1
            else:
                (kept if room[tile] > 0 else others).append(face)
                room[tile] -= 1
        return tuple(kept), tuple(others)

    # --- readings

    def readings(self, hand: Hand, completed_exposed: bool = False) -> Iterator[tuple[int, tuple[Part, ...]]]:
        """Every row that the hand is, as its entry and its sets, melds first; none twice. With a winning tile once for
        each set that this may stand in."""
        melds = tuple(self._meld_part(meld) for meld in hand.melds)
        for row in self.exact(hand):
            for sets in self._filled(row, hand):
                for parts in self._completed(sets, hand, completed_exposed):
                    yield self.listing.entries[row], (*melds, *parts)

    def _meld_part(self, meld: Meld) -> Part:
        tiles = self.groups.groups[meld.group].tiles
        return Part(meld.group, tiles, meld.exposed, True, wild=meld.wild, discarder=meld.discarder)

    def _filled(self, row: int, hand: Hand) -> "Iterator[tuple[_Filled, ...]]":
        """Every way to lay the hand out in the sets that are not melded."""
        held = Counter(self._held(hand))
        wild = Counter({tile: held.pop(tile) for tile in self.helpers if tile in held})
        sets = self._open_sets(row, self.laid(hand.melds))
        fixed, _ = self._wanted(sets)
        return self._handed_out(tuple(sets), held - fixed, wild)

    def _handed_out(self, sets: Sets, natural: Counter[int], wild: Counter[int]) -> "Iterator[tuple[_Filled, ...]]":
        """The sets with wild tiles where naturals, of those that are left for such sets, do not fill them."""
        if not sets:
            yield ()
            return
        (tile, count), rest = sets[0], sets[1:]
        if (tile, count) not in self.free:
            yield from ((_Filled(tile, count), *others) for others in self._handed_out(rest, natural, wild))
            return
        room = sum(size for other, size in rest if other == tile and (other, size) in self.free)
        for own in range(max(0, natural[tile] - room), min(count, natural[tile]) + 1):
            for helpers in sorted(set(combinations_with_replacement(sorted(wild.elements()), count - own))):
                if Counter(helpers) <= wild:
                    filled = _Filled(tile, count, helpers)
                    for others in self._handed_out(rest, natural - Counter({tile: own}), wild - Counter(helpers)):
                        if all(filled.wild <= other.wild for other in others if filled.alike(other)):
                            yield (filled, *others)

    def _completed(self, sets: "tuple[_Filled, ...]", hand: Hand, exposed: bool) -> Iterator[tuple[Part, ...]]:
        """The sets as parts, once for each that the winning tile may stand in."""
        parts = tuple(self._part(one) for one in sets)
        if hand.win is None:
            yield parts
            return
        win = self._in_the_box[hand.win]
        for number, one in enumerate(sets):
            if one not in sets[:number] and (win in one.wild or (win == one.tile and len(one.wild) < one.count)):
                done = replace(parts[number], completed=True, exposed=exposed)
                yield (*parts[:number], done, *parts[number + 1 :])

    def _part(self, one: "_Filled") -> Part:
        tiles = (one.tile,) * one.count
        return Part(self.groups.by_tiles.get(tiles, -1), tiles, wild=one.pairs)

    # --- why not

    def why(self, melds: tuple[Meld, ...] = (), gone: Mapping[int, int] = NONE, entry: int | None = None) -> Bar | None:
        """Why no row (of the entry) is possible any more, as the others see it; None if one is. If tiles
        are lacking, those of the row that lacks fewest."""
        if not self._span(entry):
            return Bar("empty")
        rows, laid = list(self._span(entry)), self.laid(melds)
        if not self.matrix.allowing({}, laid.exposed)[rows].any():
            return Bar("closed")
        allowed = self.matrix.allowing(laid.sets, laid.exposed)[rows]
        if not allowed.any():
            return Bar("melds", melds=self._strange(rows, melds))
        fixed, wild = self._lacking(laid, gone)
        spare = self._wild_left(gone)
        lacks = fixed[:, rows].sum(axis=0) + (wild[rows] - spare).clip(0)
        nearest = rows[int((lacks + NEVER * ~allowed).argmin())]
        if self.possible(melds, gone)[nearest]:
            return None
        for number in fixed[:, nearest].nonzero()[0].tolist():
            tile = self.matrix.columns[number]
            wanted = int(self.matrix.fixed[number, nearest]) - laid.fixed[tile]
            return Bar("tile", tile, wanted, max(0, self._there(gone)[tile] - laid.natural[tile]))
        own = sum(face in self.helpers for meld in melds for face in meld.tiles)
        return Bar("wild", None, int(wild[nearest]) - own, spare - own)

    def _span(self, entry: int | None) -> range:
        """The rows of the entry."""
        entries = self.listing.entries
        if entry is None:
            return range(len(entries))
        return range(bisect_left(entries, entry), bisect_right(entries, entry))

    def _strange(self, rows: list[int], melds: tuple[Meld, ...]) -> tuple[Meld, ...]:
        """The meld that none of these rows has; all of them if it is only together that none has them."""
        for meld in melds:
            laid = self.laid((meld,))
            if not self.matrix.allowing(laid.sets, any(one.exposed for one in melds))[rows].any():
                return (meld,)
        return melds

    # --- counting

    def _held(self, hand: Hand) -> tuple[int, ...]:
        """What the seat holds besides its melds, each tile as what it is in the box."""
        return tuple(self._in_the_box[face] for face in faces_of(hand))

    @cached_property
    def _in_the_box(self) -> tuple[int, ...]:
        """The plain tile of the box that every face is."""
        return tuple(tile for face in self.tiles.tiles for tile in self.wild.in_the_box((face.index,)))

    def laid(self, melds: tuple[Meld, ...]) -> "Laid":
        """What melds fill of the rows that have them."""
        sets: Counter[tuple[int, int]] = Counter()
        fixed: Counter[int] = Counter()
        free: Counter[int] = Counter()
        for meld in melds:
            tiles = self.groups.groups[meld.group].tiles
            # a group of different tiles is a set that no row has, so that none allows it
            one = (tiles[0], len(tiles)) if len(set(tiles)) == 1 else (tiles[0], -len(tiles))
            sets[one] += 1
            (free if one in self.free else fixed)[tiles[0]] += len(tiles)
        faces = (self._in_the_box[face] for meld in melds for face in meld.tiles)
        natural = Counter(tile for tile in faces if tile not in self.helpers)
        return Laid(sets, fixed, free, natural, any(meld.exposed for meld in melds))

    def _missing(self, hand: Hand) -> "Numbers":
        """How many tiles every row misses, may it be made or not."""
        fixed, taken, wild = self._columns(hand)
        return self.matrix.missing(fixed, taken, wild)

    def _lowering(self, hand: Hand) -> "tuple[Truths, Truths]":
        fixed, taken, wild = self._columns(hand)
        return self.matrix.lowering(fixed, taken, wild)

    def _columns(self, hand: Hand) -> "tuple[Numbers, Numbers, int]":
        """Naturals for places where no wild tile may stand, places for wild tiles that melds take, wild tiles."""
        held, laid = Counter(self._held(hand)), self.laid(hand.melds)
        wild = sum(held.pop(tile, 0) for tile in self.helpers)
        return self.matrix.column(held + laid.fixed), self.matrix.column(laid.free), wild

    def _lacking(self, laid: "Laid", gone: Mapping[int, int]) -> "tuple[Numbers, Numbers]":
        there, column = self._there(gone), self.matrix.column
        return self.matrix.lacking(column(laid.fixed), column(there - laid.natural), column(there))

    def _there(self, gone: Mapping[int, int]) -> Counter[int]:
        """Plain tiles that are not gone."""
        return self.wild.copies - Counter(gone)

    def _wild_left(self, gone: Mapping[int, int]) -> int:
        there = self._there(gone)
        return sum(there[tile] for tile in self.helpers)

    def _open_sets(self, row: int, laid: "Laid") -> list[tuple[int, int]]:
        """The sets of the row that are not melded, in its order."""
        sets = list(self.listing.rows[row])
        for one in laid.sets.elements():
            if one in sets:
                sets.remove(one)
        return sets

    def _wanted(self, sets: Iterable[tuple[int, int]]) -> tuple[Counter[int], Counter[int]]:
        """The tiles of the sets where no wild tile may stand, and of the others."""
        fixed: Counter[int] = Counter()
        free: Counter[int] = Counter()
        for one in sets:
            (free if one in self.free else fixed)[one[0]] += one[1]
        return fixed, free


def faces_of(hand: Hand) -> tuple[int, ...]:
    """The concealed tiles, the winning one last."""
    return hand.tiles if hand.win is None else (*hand.tiles, hand.win)


@dataclass(frozen=True, slots=True)
class Laid:
    """Melds: the sets that they are, places that they fill in sets where no wild tile may stand and in others, the
    naturals among them."""

    sets: Counter[tuple[int, int]]
    fixed: Counter[int]
    free: Counter[int]
    natural: Counter[int]
    exposed: bool


@dataclass(frozen=True, slots=True)
class _Lacks:
    """Tiles that a row misses where no wild tile may stand, tiles that it misses elsewhere, and wild tiles held."""

    fixed: Counter[int]
    free: Counter[int]
    wild: int


@dataclass(frozen=True, slots=True)
class _Filled:
    """A set as it stands: this many of the tile, these wild tiles among them."""

    tile: int
    count: int
    wild: tuple[int, ...] = ()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple((wild, self.tile) for wild in self.wild)

    def alike(self, other: "_Filled") -> bool:
        """The same set, but for what stands in it."""
        return (self.tile, self.count) == (other.tile, other.count)
