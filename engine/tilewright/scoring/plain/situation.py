"""A situation: one hand, and what is known of the table when it is scored. Frozen data; knows no text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from operator import attrgetter
from typing import Any

from tilewright.hands.reading import Hand

MarkValue = bool | int | Fraction | str | tuple[int, ...]
# What a field decides: words that follow from the seats, or from the table. Those of neither are the hand and what
# else lies there.
BY_SEATS, BY_TABLE = {"tells": "seats"}, {"tells": "table"}


@dataclass(frozen=True, slots=True)
class Situation:
    """`seat`, `discarder` count from the dealer; `round_wind` is a tile. `seat_known`: the case names the seat, so
    that its wind, its own tiles and the payments are known. `flags`: marks and terms that the case fixes as true.
    `others`: what the losers hold, where the case tells; `flags_of`: the flags of other seats, where they
    are not those of this one. `open_tiles`: every tile that lies open for all, the winning one not counted; None: what
    the melds and zones of the case show."""

    hand: Hand
    won: bool = True
    seat: int = field(default=0, metadata=BY_SEATS)
    seat_known: bool = field(default=False, metadata=BY_TABLE)
    self_draw: bool = field(default=False, metadata=BY_SEATS)
    discarder: int | None = field(default=None, metadata=BY_SEATS)
    round_wind: int | None = field(default=None, metadata=BY_TABLE)
    flags: frozenset[str] = field(default=frozenset(), metadata=BY_TABLE)
    marks: Mapping[str, MarkValue] = field(default_factory=dict, metadata=BY_TABLE)
    zones: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    others: Mapping[int, Hand] = field(default_factory=dict)
    flags_of: Mapping[int, frozenset[str]] = field(default_factory=dict)
    open_tiles: tuple[int, ...] | None = None

    @property
    def pays(self) -> bool:
        """Whether the case says who won from whom."""
        return self.won and self.seat_known and (self.self_draw or self.discarder is not None)

    @property
    def sides(self) -> tuple[Any, ...]:
        """Who won from whom: what decides words that follow from the seats."""
        return SIDES(self)

    @property
    def conditions(self) -> tuple[Any, ...]:
        """What else decides words that follow from the table, except flags and marks, and the hand's own."""
        return CONDITIONS(self)

    @property
    def key(self) -> tuple[Any, ...]:
        """What decides words that follow from the seats or the table, except the hand's bonus tiles and open melds."""
        return TABLE(self) if not self.marks else (*TABLE(self), *sorted(self.marks.items()))


def reader_of(*levels: Mapping[str, str], apart: str = "marks") -> Callable[["Situation"], tuple[Any, ...]]:
    """A function of the fields that decide such words; marks, a mapping, apart."""
    names = [one.name for one in fields(Situation) if one.metadata in levels]
    return attrgetter(*(name for name in names if name not in apart.split()))


SIDES, TABLE = reader_of(BY_SEATS), reader_of(BY_SEATS, BY_TABLE)
CONDITIONS = reader_of(BY_TABLE, apart="flags marks")
