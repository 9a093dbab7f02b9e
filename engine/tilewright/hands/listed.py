"""Listed hands: whole hands one by one, as on a card, and how near a hand is to each.

Knows tiles, groups and wild tiles. Knows no card and no worth: an entry is a number. Melds are fixed: a row
must have a set for each of them.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from tilewright.hands.reading import Groups, Pair, WildTiles
from tilewright.tiles.tileset import TileSet

if TYPE_CHECKING:
    from tilewright.hands.matrix import Matrix, Numbers, Truths
from tilewright.hands.reading import Hand, Listing, Meld, Part, Sets

NEVER = 99  # missing, where a hand is impossible with the tiles left
MOST_KEPT = 64  # answers to "which rows are possible"
NONE: Mapping[int, int] = MappingProxyType({})


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
        self.choices = dict(enumerate(listing.choices, len(tiles.tiles)))
        self._possible: dict[object, Truths] = {}
        self._having: dict[int, Truths] = {}

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
        own = {tile for kind, _ in self._sets for tile in self.members(kind)}
        for tile in sorted(own.intersection(*sorts) if sorts else ()):
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
        """The wild tiles that may stand in a set; of a choice those that may in each."""
        found = [self._may_stand_for(tile, one[1]) for tile in self.members(one[0])]
        return found[0] if len(set(found)) == 1 else ()

    def _may_stand_for(self, tile: int, count: int) -> tuple[int, ...]:
        index = self.groups.by_tiles.get((tile,) * count)
        if index is None:
            return ()
        group = self.groups.groups[index]
        return self.wild.served(group.kinds | group.meld_kinds).get(tile, ())

    # --- choices

    def members(self, kind: int) -> tuple[int, ...]:
        """The tiles of a choice; a tile alone."""
        return self.choices.get(kind, (kind,))

    def chosen(self, kind: int, held: Mapping[int, int], left: Mapping[int, int] = NONE) -> int:
        """The tile of a choice of which most are held, of equals the one of which most are left."""
        return max(self.members(kind), key=lambda tile: (held.get(tile, 0), left.get(tile, 0)))

    def with_choices(self, counts: Mapping[int, int]) -> Mapping[int, int]:
        """The counts of tiles, and of each choice that of the tile that has most."""
        if not self.choices:
            return counts
        return {**counts, **{kind: max(counts.get(tile, 0) for tile in own) for kind, own in self.choices.items()}}

    def left_with_choices(self, left: Mapping[int, int], held: Mapping[int, int]) -> Mapping[int, int]:
        """How many of each tile are left, and of each choice of the tile that is chosen."""
        return {**left, **{kind: left.get(self.chosen(kind, held, left), 0) for kind in self.choices}}

    @cached_property
    def free(self) -> frozenset[tuple[int, int]]:
        """The sets in which wild tiles may be used. Raises MixedWildTiles."""
        self.check()
        return frozenset((tile, count) for kind, count in self._served for tile in {kind, *self.members(kind)})

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

    @cached_property
    def sizes(self) -> "Numbers":
        """How many tiles every row has."""
        return self.matrix.sizes

    def having(self, tile: int) -> "Truths":
        """The rows that have a tile, or may have it."""
        if tile not in self._having:
            kinds = (tile, *(kind for kind, own in self.choices.items() if tile in own))
            at = [number for number, kind in enumerate(self.matrix.columns) if kind in kinds]
            there: Truths = (self.matrix.fixed[at] + self.matrix.free[at]).sum(axis=0) > 0
            self._having[tile] = there
        return self._having[tile]

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
            self._possible[key] = found = self._allowing(laid)
            rows = found.nonzero()[0]
            fixed, wild = self._lacking(laid, gone, self.matrix.of(rows))
            found[rows] = ~fixed.any(axis=0) & (wild <= self._wild_left(gone))
        return self._possible[key]

    def alive(self, melds: tuple[Meld, ...] = (), gone: Mapping[int, int] = NONE) -> frozenset[int]:
        """The entries of which some row is possible."""
        return frozenset(self.matrix.entry[self.possible(melds, gone)].tolist())

    def live(self, hand: Hand, gone: Mapping[int, int] = NONE) -> "Numbers":
        """How many tiles that nobody has seen would bring the hand nearer to every row."""
        natural, wild = self._lowering(hand)
        left = self.left(hand, gone)
        count = sum(left[tile] for tile in self.helpers)
        column = self.matrix.column(self.left_with_choices(left, Counter(self._held(hand))))
        live: Numbers = (natural * column).sum(axis=0, dtype="int16") + wild * count
        return live

    def exact(self, hand: Hand) -> tuple[int, ...]:
        """The rows that the hand with its winning tile is."""
        laid = self.laid(hand.melds)
        held = self._held(hand)
        size = len(held) + sum(tile_count * times for (_, tile_count), times in laid.sets.items())
        found = self._allowing(laid) & (self.sizes == size)
        for tile in set(held).difference(self.helpers):
            found &= self.having(tile)
        rows = found.nonzero()[0]
        return tuple(rows[self.matrix.of(rows).missing(*self._columns(hand)) == 0].tolist())

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
        held = Counter(self._held(hand))
        kinds = [kind for kind, use in zip(self.matrix.columns, useful, strict=True) if use]
        tiles = [tile for kind in kinds for tile in self.nearest(kind, held)]
        left = self.left(hand, gone)
        helpers = self.helpers if bool((wild & nearest).any()) else ()
        return least, frozenset(tile for tile in (*tiles, *helpers) if left[tile])

    def nearest(self, kind: int, held: Mapping[int, int]) -> Iterator[int]:
        """The tiles of a choice of which one more counts, so those of which most are held."""
        own = self.members(kind)
        most = max(held.get(tile, 0) for tile in own)
        return (tile for tile in own if held.get(tile, 0) == most)

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
            open_sets = self._open_sets(row, laid)
            sets = [(self.chosen(kind, held, left), count) for kind, count in open_sets]
            fixed, free = self._wanted(sets)
            lacks = _Lacks(fixed - held, free - (held - fixed), wild)
            yield ListedFacts(
                row, self._needs(sets, lacks, left), *self._used(fixed + free, lacks, hand), self._live(lacks, left)
            )

    def _needs(self, sets: Iterable[tuple[int, int]], lacks: "_Lacks", left: Counter[int]) -> tuple[ListedPlace, ...]:
        """Wild tiles that the hand has are taken to fill the places for which the fewest tiles are left."""
        scarce = sorted((left[tile] - nth, tile) for tile, count in lacks.free.items() for nth in range(count))
        places = [ListedPlace(tile, False) for tile in lacks.fixed.elements()]
        places += [ListedPlace(tile, True) for _, tile in scarce[lacks.wild :]]
        order = [tile for tile, _ in sets]
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
        open_sets = self._open_sets(row, self.laid(hand.melds))
        tiles = [[tile for tile in self.members(kind) if held[tile]] or self.members(kind) for kind, _ in open_sets]
        for chosen in product(*tiles):
            sets = [(tile, count) for tile, (_, count) in zip(chosen, open_sets, strict=True)]
            fixed, _ = self._wanted(sets)
            yield from self._handed_out(tuple(sets), held - fixed, wild)

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
        allowed = self._allowing(laid)[rows]
        if not allowed.any():
            return Bar("melds", melds=self._strange(rows, melds))
        fixed, wild = self._lacking(laid, gone)
        spare = self._wild_left(gone)
        lacks = fixed[:, rows].sum(axis=0) + (wild[rows] - spare).clip(0)
        nearest = rows[int((lacks + NEVER * ~allowed).argmin())]
        if self.possible(melds, gone)[nearest]:
            return None
        for number in fixed[:, nearest].nonzero()[0].tolist():
            tile = self.members(self.matrix.columns[number])[0]
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
            if not self._allowing(laid, any(one.exposed for one in melds))[rows].any():
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
        for kind, own in self.choices.items():
            for count in (fixed, free):
                count[kind] = sum(count[tile] for tile in own)
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
        column = self.matrix.column
        return column(self.with_choices(held)) + column(laid.fixed), column(laid.free), wild

    def _lacking(
        self, laid: "Laid", gone: Mapping[int, int], matrix: "Matrix | None" = None
    ) -> "tuple[Numbers, Numbers]":
        there, column, both = self._there(gone), self.matrix.column, self.with_choices
        return (matrix or self.matrix).lacking(
            column(laid.fixed), column(both(there - laid.natural)), column(both(there))
        )

    def _there(self, gone: Mapping[int, int]) -> Counter[int]:
        """Plain tiles that are not gone."""
        return self.wild.copies - Counter(gone)

    def _wild_left(self, gone: Mapping[int, int]) -> int:
        there = self._there(gone)
        return sum(there[tile] for tile in self.helpers)

    def _open_sets(self, row: int, laid: "Laid") -> list[tuple[int, int]]:
        """The sets of the row that are not melded, in its order."""
        sets = list(self.listing.rows[row])
        for tile, count in laid.sets.elements():
            filled = next((one for one in sets if one[1] == count and tile in self.members(one[0])), None)
            if filled is not None:
                sets.remove(filled)
        return sets

    def _allowing(self, laid: "Laid", exposed: bool | None = None) -> "Truths":
        """The rows that have a set for each of these melds, and may have exposed ones if some are."""
        allowed = self.matrix.allowing({}, laid.exposed if exposed is None else exposed)
        for (tile, count), times in laid.sets.items():
            here = self.matrix.allowing({(tile, count): times}, False)
            for kind, own in self.choices.items():
                if tile in own:
                    others = ((other, size) for other, size in laid.sets if size == count and other in own)
                    total = sum(laid.sets[one] for one in others)
                    here = here | self.matrix.allowing({(kind, count): total}, False)
            allowed = allowed & here
        return allowed

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
