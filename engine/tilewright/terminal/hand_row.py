"""The row of the player's tiles: their order, the cursor, the chosen ones. Knows no screen and no rule.

A sorted row follows the tile set, with the drawn tile apart at its end; an unsorted one keeps the order in which the
tiles came and the player arranged them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.tiles.tileset import TileSet


@dataclass(frozen=True, slots=True)
class TileSlot:
    """A tile in the row: the text that chooses it, its face, whether it may be chosen, whether it is set apart."""

    text: str
    face: int
    legal: bool = True
    apart: bool = False


@dataclass(slots=True)
class TileRow:
    """The player's tiles in their order. Places are numbers from 0."""

    tiles: TileSet
    is_sorted: bool = True
    order: list[int] = field(default_factory=list)  # faces
    drawn: int | None = None
    cursor: int = 0
    marked: set[int] = field(default_factory=set)

    def hold(self, hand: Iterable[int], drawn: int | None) -> None:
        """Set the hand. New tiles come to the end; the cursor goes to a drawn tile; marks are cleared if a tile came or
        went."""
        hand = list(hand)
        if Counter(hand) == Counter(self.order) and drawn == self.drawn:
            return
        gone = Counter(self.order) - Counter(hand)
        kept: list[int] = []
        for face in reversed(self.order):
            if gone[face]:
                gone[face] -= 1
            else:
                kept.insert(0, face)
        new = Counter(hand) - Counter(kept)
        self.order = [*kept, *new.elements()]
        self.drawn = drawn if drawn in hand else None
        self.marked = set()
        self.arrange()
        self.cursor = len(self.order) - 1 if self.drawn is not None else min(self.cursor, max(0, len(self.order) - 1))

    def arrange(self) -> None:
        """Sort the tiles if sorting is on; the drawn one goes to the end in any case."""
        if self.is_sorted:
            places = {face: place for place, face in enumerate(self.tiles.order)}
            self.order.sort(key=places.__getitem__)
        if self.drawn is not None:
            last = len(self.order) - 1 - self.order[::-1].index(self.drawn)
            self.order.append(self.order.pop(last))

    def sort(self, wanted: bool) -> None:
        self.is_sorted = wanted
        self.marked = set()
        self.arrange()

    def places(self, legal: Mapping[str, int] | None = None) -> tuple[TileSlot, ...]:
        """Every tile in its place. `legal`: how many of each text may be chosen; None: all of them."""
        last = len(self.order) - 1
        return tuple(
            TileSlot(self.code(face), face, legal is None or bool(legal.get(self.code(face))), self.apart(place, last))
            for place, face in enumerate(self.order)
        )

    def apart(self, place: int, last: int) -> bool:
        return place == last and self.drawn is not None

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
        """Move the tile at the cursor; the row is no longer sorted."""
        to = self.cursor + by
        if 0 <= to < len(self.order):
            self.order[self.cursor], self.order[to] = self.order[to], self.order[self.cursor]
            self.cursor, self.is_sorted, self.drawn, self.marked = to, False, None, set()

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
