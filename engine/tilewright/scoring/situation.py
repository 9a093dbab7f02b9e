"""A situation: one hand, and what of the table is known when it is scored. Frozen data; knows no text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tilewright.hands.reading import Hand

MarkValue = bool | int | Fraction | str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """`seat`, `discarder` count from the dealer; `round_wind` is a tile. `seat_known`: the case names the seat, so
    that its wind, its own tiles and the payments can be told. `flags`: marks and terms that the case fixes as true.
    `others`: what the losers hold, where the case tells; `flags_of`: the flags of other seats, where they
    are not those of this one. `open_tiles`: every tile that lies open for all, the winning one not counted; None: what
    the melds and zones of the case show."""

    hand: Hand
    won: bool = True
    seat: int = 0
    seat_known: bool = False
    self_draw: bool = False
    discarder: int | None = None
    round_wind: int | None = None
    flags: frozenset[str] = frozenset()
    marks: Mapping[str, MarkValue] = field(default_factory=dict)
    zones: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    others: Mapping[int, Hand] = field(default_factory=dict)
    flags_of: Mapping[int, frozenset[str]] = field(default_factory=dict)
    open_tiles: tuple[int, ...] | None = None

    @property
    def pays(self) -> bool:
        """The case says who won from whom."""
        return self.won and self.seat_known and (self.self_draw or self.discarder is not None)
