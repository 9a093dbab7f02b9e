"""Exact covers: tiles in, every set of pieces that uses them up and fills the slots of a case out.

The lowest tile that is left goes into every group that could hold it. Knows wild tiles; knows no melds and no readings.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

from tilewright.hands.reading import Groups, Pair, Slot, WildTiles

MOST_TILES = 150  # of a hand
MOST_STEPS = 200_000  # of one search: groups tried


class TooManyReadings(Exception):
    """A hand can be read in too many ways to list."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Concealed tiles that fill a slot. `bound` is that slot where the slot asks for more than tiles."""

    group: int
    tiles: tuple[int, ...]
    wild: tuple[Pair, ...] = ()
    bound: tuple[Slot, ...] = ()


Pieces = tuple[Piece, ...]


def is_particular(slot: Slot) -> bool:
    """Whether the slot needs more than tiles."""
    return slot.different or slot.exposed is not None


Items = tuple[tuple[int, int], ...]  # (tile, number), lowest first


class Cover:
    """Covers tiles exactly by the slots of one case."""

    def __init__(self, groups: Groups, wild: WildTiles, place: Mapping[int, int], slots: tuple[Slot, ...]) -> None:
        self.wild = wild
        self.place = place
        self.choices: dict[int, list[CoverChoice]] = {}
        for number, slot in enumerate(slots):
            bound = (replace(slot, count=1),) if is_particular(slot) else ()
            for piece, served in self._of_slot(groups, slot, bound):
                virtual = frozenset(filter(self.wild.virtual, piece.tiles))
                if virtual <= served.keys():
                    choice = CoverChoice(number, piece, served, virtual)
                    for tile in choice.may_hold:
                        self.choices.setdefault(tile, []).append(choice)

    def _of_slot(
        self, groups: Groups, slot: Slot, bound: tuple[Slot, ...]
    ) -> Iterator[tuple[Piece, dict[int, tuple[int, ...]]]]:
        for index in sorted(slot.groups):
            group = groups.groups[index]
            yield Piece(index, group.tiles, (), bound), self.wild.served(group.kinds | group.meld_kinds)
        if slot.each:
            yield Piece(-1, tuple(sorted(slot.tiles, key=self._order)), (), bound), {}
        else:
            yield from ((Piece(-1, (tile,), (), bound), {}) for tile in sorted(slot.tiles))

    def covers(self, items: Counter[int], left: tuple[int, ...], used: frozenset[tuple[int, int]]) -> list[Pieces]:
        """Every set of pieces that uses up the items and fills what is left of the slots."""
        if not all(tile in self.choices for tile in items):
            return []
        if items.total() > MOST_TILES:
            raise TooManyReadings
        search = CoverSearch(self, used)
        return list(search.covers(self._sorted(items), left))

    def fits(self, items: Counter[int], left: tuple[int, ...]) -> bool:
        """Some set of pieces uses up the items and fills what is left of the slots."""
        if not all(tile in self.choices for tile in items):
            return False
        if items.total() > MOST_TILES:
            raise TooManyReadings
        return CoverSearch(self, frozenset()).fits(self._sorted(items), left)

    def packings(self, items: Counter[int], limit: int) -> list[Pieces]:
        """Every set of pieces to which no piece could be added, at most `limit`."""
        search, there = CoverSearch(self, frozenset()), self._sorted(items)
        usable = tuple(item for item in there if search.any_fits(there, (item,)))  # no piece holds any other tile
        return search.packings(usable, limit)

    def _sorted(self, items: Counter[int]) -> Items:
        return tuple(sorted(((tile, number) for tile, number in items.items() if number), key=self._latest_wild))

    def _latest_wild(self, item: tuple[int, int]) -> tuple[bool, int]:
        return item[0] in self.wild.stands_for, self._order(item[0])

    def _order(self, tile: int) -> int:
        return self.place.get(tile, len(self.place) + tile)


class CoverChoice:
    """A piece for a slot. `served`: for each tile of the group, the wild tiles that may stand for it there."""

    def __init__(self, slot: int, piece: Piece, served: dict[int, tuple[int, ...]], virtual: frozenset[int]) -> None:
        self.slot = slot
        self.piece = piece
        self.virtual = virtual  # tiles of the piece that only a wild tile can be
        self.served = {tile: served[tile] for tile in set(piece.tiles) if tile in served}
        self.plain = not self.served
        self.taken = Counter(piece.tiles)
        self.needs = tuple(self.taken.items())
        self.may_hold = set(piece.tiles).union(*self.served.values())
        self._faces: dict[int, list[tuple[Counter[int], tuple[Pair, ...]]]] = {}

    def faces(self, tile: int, number: int) -> list[tuple[Counter[int], tuple[Pair, ...]]]:
        """Every choice of tiles to be `number` times this one: itself, and wild tiles for it."""
        if tile not in self._faces:
            self._faces[tile] = [
                (Counter({tile: number - wild}) + Counter(helpers), self._pairs(tile, number - wild, helpers))
                for wild in range(number + 1)
                for helpers in combinations_with_replacement(self.served.get(tile, ()), wild)
            ]
        return self._faces[tile]

    def _pairs(self, tile: int, natural: int, helpers: tuple[int, ...]) -> tuple[Pair, ...]:
        forced = self.served[tile][:1] * natural if tile in self.virtual else ()
        return tuple((wild, tile) for wild in (*forced, *helpers))


class CoverSearch:
    """One exact cover, with memory of what is left."""

    def __init__(self, cover: Cover, used: frozenset[tuple[int, int]]) -> None:
        self.cover = cover
        self.used = used
        self.steps = 0
        self.known: dict[tuple[Items, tuple[int, ...]], frozenset[Pieces]] = {}
        self.fitting: dict[tuple[Items, tuple[int, ...]], bool] = {}

    def covers(self, items: Items, left: tuple[int, ...]) -> frozenset[Pieces]:
        """Sets of pieces, each sorted."""
        if not items:
            return frozenset() if any(left) else frozenset({()})
        key = (items, left)
        if key not in self.known:
            self.known[key] = frozenset(self._extended(items, left))
        return self.known[key]

    def _extended(self, items: Items, left: tuple[int, ...]) -> Iterator[Pieces]:
        for choice in self.cover.choices.get(items[0][0], ()):
            if not left[choice.slot]:
                continue
            further = tuple(count - (at == choice.slot) for at, count in enumerate(left))
            for piece, rest in self.ways(choice, items):
                for others in self.covers(rest, further):
                    if self.allowed(choice.slot, piece, others):
                        self.step()
                        yield tuple(sorted((piece, *others), key=identity))

    def fits(self, items: Items, left: tuple[int, ...]) -> bool:
        """There is such a set."""
        if not items:
            return not any(left)
        key = (items, left)
        if key not in self.fitting:
            self.fitting[key] = any(
                self.fits(rest, tuple(count - (at == choice.slot) for at, count in enumerate(left)))
                for choice in self.cover.choices.get(items[0][0], ())
                if left[choice.slot]
                for _, rest in self.ways(choice, items)
            )
        return self.fitting[key]

    def packings(self, items: Items, limit: int) -> list[Pieces]:
        """Maximal sets of pieces; the number of slots does not matter."""
        found: dict[Pieces, None] = {}
        seen: set[tuple[Items, Items, Pieces]] = set()
        ahead: list[tuple[Items, Items, Pieces]] = [(items, (), ())]
        while ahead and len(found) < limit:
            state = ahead.pop()
            left, passed, taken = state
            if state in seen:
                continue
            seen.add(state)
            self.step()
            if not left:
                if not self.any_fits(passed):
                    found[taken] = None
                continue
            tile = left[0][0]
            ahead.append((less(left, {tile: 1}), added(passed, tile), taken))
            for choice in self.cover.choices.get(tile, ()):
                ahead += [
                    (rest, passed, tuple(sorted((*taken, piece), key=identity)))
                    for piece, rest in self.ways(choice, left)
                ]
        return list(found)

    def any_fits(self, items: Items, through: Items | None = None) -> bool:
        """Some piece can be made of these tiles, with one of some (else of any) among them."""
        return any(
            True
            for tile, _ in (items if through is None else through)
            for choice in self.cover.choices.get(tile, ())
            for _ in self.ways(choice, items, tile)
        )

    def ways(self, choice: CoverChoice, items: Items, through: int | None = None) -> Iterator[tuple[Piece, Items]]:
        """The piece with every use of wild tiles that takes the lowest tile (or `through`), and what is then left."""
        self.step()
        have = dict(items)
        tile = items[0][0] if through is None else through
        if choice.plain:
            if all(have.get(wanted, 0) >= number for wanted, number in choice.needs):
                yield choice.piece, less(items, choice.taken)
            return
        for takes, wild in self._fillings(choice, have):
            if takes.get(tile):
                yield replace(choice.piece, wild=wild), less(items, takes)

    def _fillings(self, choice: CoverChoice, have: dict[int, int]) -> Iterator[tuple[dict[int, int], tuple[Pair, ...]]]:
        """What the piece takes, and what stands for what in it, in every way."""
        ways: list[tuple[Counter[int], tuple[Pair, ...]]] = [(Counter(), ())]
        for wanted, number in choice.needs:
            ways = [
                (more, (*wild, *pairs))
                for takes, wild in ways
                for used, pairs in choice.faces(wanted, number)
                if all((more := takes + used)[tile] <= have.get(tile, 0) for tile in used)
            ]
        for takes, wild in ways:
            yield takes, tuple(sorted(wild))

    def allowed(self, slot: int, piece: Piece, others: Pieces) -> bool:
        """Whether a slot of different groups lacks this one."""
        if not (piece.bound and piece.bound[0].different):
            return True
        alike = (piece.group, piece.tiles, piece.bound)
        return (slot, piece.group) not in self.used and all((o.group, o.tiles, o.bound) != alike for o in others)

    def step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooManyReadings


def identity(piece: Piece) -> tuple[int, tuple[int, ...], tuple[Pair, ...]]:
    """The piece without the slot it stands in."""
    return piece.group, piece.tiles, piece.wild


def less(items: Items, takes: Mapping[int, int]) -> Items:
    return tuple((tile, left) for tile, number in items if (left := number - takes.get(tile, 0)))


def added(items: Items, tile: int) -> Items:
    return (*items[:-1], (tile, items[-1][1] + 1)) if items and items[-1][0] == tile else (*items, (tile, 1))
