"""Melds and discards on the table, and as a seat sees them. Frozen data."""

from dataclasses import dataclass

ZonePlace = tuple[str, int]  # a zone and its owner (0 for one of the table)
NOWHERE: ZonePlace = ("", 0)


@dataclass(frozen=True, slots=True)
class TableMeld:
    """A group on the table. `tiles` are tiles of the table; `wild`: which of them stand for which plain tile;
    `claimed`: the tile that came from another seat, `discarder`; `seen_by`: who sees the tiles, None: who sees the
    zone; `hand`: the hand of its owner that it belongs to, from 1."""

    owner: int
    group: int
    tiles: tuple[int, ...]
    exposed: bool = True
    wild: tuple[tuple[int, int], ...] = ()
    discarder: int | None = None
    claimed: int | None = None
    seen_by: frozenset[int] | None = None
    hand: int = 1

    @property
    def melded(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class TableDiscard:
    """A tile that has come to where others may claim it. `seat`: who discarded it, `spot`: where to; `just_drawn`: it
    was the last thing that its seat drew, and nothing else came to the hand or left it in between."""

    seat: int
    spot: ZonePlace
    just_drawn: bool


@dataclass(frozen=True, slots=True)
class SeenMeld:
    """A group on the table as a seat sees it. Faces; None where a tile is hidden. `group`: its index in Groups, `wild`:
    pairs of a wild face and what it stands for, `claimed`: the index of the tile that came from the discarder,
    `hand`: the hand of its seat that it belongs to, from 1."""

    group: int | None
    tiles: tuple[int | None, ...]
    exposed: bool
    wild: tuple[tuple[int, int], ...] = ()
    discarder: int | None = None
    claimed: int | None = None
    hand: int = 1


@dataclass(frozen=True, slots=True)
class SeenDiscard:
    """A tile that a seat has discarded in this hand, as a seat sees it. `tile`: its face, None where it is hidden;
    `just_drawn`: it was drawn and discarded at once (tsumogiri), not from the hand; `sideways`: it was turned, as the
    discard that declares riichi; `lies`: its zone, whose that is (0: the table's) and its index there; None once it is
    claimed."""

    seat: int
    tile: int | None
    just_drawn: bool
    sideways: bool
    lies: tuple[str, int, int] | None
