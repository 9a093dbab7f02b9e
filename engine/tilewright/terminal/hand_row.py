"""The row of the player's tiles: their order, the cursor, the chosen ones. Knows no screen and no rule.

A sorted row follows the tile set, with the drawn tile apart at its end; an unsorted one keeps the order in which the
tiles came and the player arranged them. Who builds several hands has a rack for each; until a tile is laid down it
belongs to no hand, so racks are for the eye only, as on the page.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from tilewright.tiles.tileset import TileSet


@dataclass(frozen=True, slots=True)
class TileSlot:
    """A tile in the row: the text that chooses it, its face, whether it may be chosen, whether it is set apart, and the
    number of its rack, 0 if there is only one."""

    text: str
    face: int
    legal: bool = True
    apart: bool = False
    rack: int = 0


@dataclass(slots=True)
class TileRow:
    """The player's tiles in their order. Places are numbers from 0, counted over all racks. `laid`: how many tiles each
    hand has laid down; None: it takes no more."""

    tiles: TileSet
    is_sorted: bool = True
    racks: list[list[int]] = field(default_factory=lambda: [[]])  # faces
    laid: tuple[int | None, ...] = (0,)
    drawn: int | None = None
    cursor: int = 0
    marked: set[int] = field(default_factory=set)

    @property
    def order(self) -> list[int]:
        """The faces, rack by rack."""
        return [*chain.from_iterable(self.racks)]

    def hold(self, hand: Iterable[int], drawn: int | None, laid: tuple[int | None, ...] = (0,)) -> None:
        """Set the hand. Of equal tiles the chosen one leaves; new ones come to the end of racks with room; the cursor
        goes to a drawn tile; marks are cleared if a tile came or went."""
        hand = list(hand)
        if Counter(hand) == Counter(self.order) and (drawn, laid) == (self.drawn, self.laid):
            return
        kept = self.without(Counter(self.order) - Counter(hand))
        self.laid = laid
        self.racks = [kept[at] if at < len(kept) and down is not None else [] for at, down in enumerate(laid)]
        self.drawn = drawn if drawn in hand else None
        new = [*(Counter(hand) - Counter(self.order)).elements()]
        self.fill(self.in_order(new) if self.is_sorted else new)
        self.marked = set()
        self.arrange()
        last = max(0, len(self.order) - 1)
        self.cursor = self.start_of(self.rack_of_drawn + 1) - 1 if self.drawn is not None else min(self.cursor, last)

    def without(self, gone: Counter[int]) -> list[list[int]]:
        """The racks without these faces: those at the marks and the cursor leave first, then the last ones."""
        order, left = self.order, set[int]()
        for place in (*sorted(self.marked), self.cursor, *reversed(range(len(order)))):
            if place < len(order) and place not in left and gone[order[place]]:
                gone[order[place]] -= 1
                left.add(place)
        places = iter(range(len(order)))
        return [[face for face, place in zip(rack, places, strict=False) if place not in left] for rack in self.racks]

    def fill(self, new: list[int]) -> None:
        """New tiles fill the open racks in turn, up to an equal share; the drawn one comes last."""
        last = [self.drawn] if self.drawn in new else []
        new = [*(Counter(new) - Counter(last)).elements(), *last]
        share = -(-(len(self.order) + len(new) + sum(down or 0 for down in self.laid)) // max(1, len(self.open)))
        for rack in self.open:
            room = max(0, share - (self.laid[rack] or 0) - len(self.racks[rack]))
            self.racks[rack] += new[:room]
            del new[:room]
        self.racks[self.open[-1] if self.open else 0] += new

    @property
    def open(self) -> list[int]:
        """The racks that take tiles."""
        return [rack for rack, down in enumerate(self.laid) if down is not None]

    def arrange(self) -> None:
        """Sort each rack if sorting is on; the drawn tile goes to the end of its rack in any case."""
        if self.is_sorted:
            self.racks = [self.in_order(rack) for rack in self.racks]
        if self.drawn is not None:
            rack = self.racks[next(at for at in reversed(range(len(self.racks))) if self.drawn in self.racks[at])]
            last = len(rack) - 1 - rack[::-1].index(self.drawn)
            rack.append(rack.pop(last))

    def in_order(self, faces: Iterable[int]) -> list[int]:
        places = {face: place for place, face in enumerate(self.tiles.order)}
        return sorted(faces, key=places.__getitem__)

    def sort(self, wanted: bool) -> None:
        self.is_sorted = wanted
        self.marked = set()
        self.arrange()

    def places(self, legal: Mapping[str, int] | None = None) -> tuple[TileSlot, ...]:
        """Every tile in its place. `legal`: how many of each text may be chosen; None: all of them."""
        numbers = range(1, len(self.racks) + 1) if len(self.racks) > 1 else (0,)
        apart = self.start_of(self.rack_of_drawn + 1) - 1 if self.drawn is not None else -1
        slots = [(face, number) for number, rack in zip(numbers, self.racks, strict=True) for face in rack]
        return tuple(
            TileSlot(self.code(face), face, legal is None or bool(legal.get(self.code(face))), place == apart, number)
            for place, (face, number) in enumerate(slots)
        )

    @property
    def rack_of_drawn(self) -> int:
        """The rack at whose end the drawn tile stands; the first if there is none."""
        found = [at for at, rack in enumerate(self.racks) if rack and rack[-1] == self.drawn]
        return found[-1] if found else 0

    def start_of(self, rack: int) -> int:
        """The place of the first tile of a rack."""
        return sum(map(len, self.racks[:rack]))

    def rack_at(self, place: int) -> int:
        """The rack of the tile at a place."""
        return next(at for at in range(len(self.racks)) if place < self.start_of(at + 1))

    def code(self, face: int) -> str:
        return self.tiles.tiles[face].code

    # --- player actions

    def move_cursor(self, by: int) -> None:
        """Move the cursor, around the ends."""
        if self.order:
            self.cursor = (self.cursor + by) % len(self.order)

    def jump(self, place: int) -> None:
        """Move the cursor to a place; a negative one counts from the end."""
        if self.order:
            self.cursor = place % len(self.order)

    def jump_to(self, code: str) -> None:
        """Move the cursor to the last tile with this text."""
        found = [place for place, face in enumerate(self.order) if self.code(face) == code]
        if found:
            self.cursor = found[-1]

    def carry(self, by: int) -> None:
        """Move the tile at the cursor along its rack; the row is no longer sorted."""
        to = self.cursor + by
        if 0 <= to < len(self.order) and (at := self.rack_at(self.cursor)) == self.rack_at(to):
            rack, start = self.racks[at], self.start_of(at)
            rack[self.cursor - start], rack[to - start] = rack[to - start], rack[self.cursor - start]
            self.cursor, self.is_sorted, self.drawn, self.marked = to, False, None, set()

    def change_rack(self) -> int | None:
        """Move the tile at the cursor to the next rack that takes tiles and return which; None if there is no other."""
        if len(self.open) < 2 or not self.order:
            return None
        at = self.rack_at(self.cursor)
        face = self.racks[at].pop(self.cursor - self.start_of(at))
        to = self.open[(self.open.index(at) + 1) % len(self.open)]
        self.racks[to].append(face)
        self.marked = set()
        self.arrange()
        self.cursor = self.start_of(to + 1) - 1 - self.racks[to][::-1].index(face)
        return to

    def mark(self, place: int | None = None) -> None:
        """Mark or unmark the tile at a place (by default the cursor's)."""
        self.marked ^= {self.cursor if place is None else place} & set(range(len(self.order)))

    def mark_all(self, codes: Sequence[str]) -> None:
        """Mark a tile for each of the texts."""
        wanted = Counter(codes)
        self.marked = set()
        for place, face in enumerate(self.order):
            if wanted[self.code(face)]:
                wanted[self.code(face)] -= 1
                self.marked.add(place)

    @property
    def current(self) -> str | None:
        """The text of the tile at the cursor."""
        return self.code(self.order[self.cursor]) if self.cursor < len(self.order) else None

    @property
    def chosen(self) -> list[str]:
        """The texts of the marked tiles."""
        return [self.code(self.order[place]) for place in sorted(self.marked)]
