"""Events: what happened at a table, in order. Frozen data; a view shows of each what its seat may see.

A tile that is not shown to everyone is told to those in `seen_by`; everything else about an event is public.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Number = int | Fraction
Detail = tuple[tuple[str, Any], ...]
Seers = frozenset[int] | None  # seats that see something; None: everyone, spectators too


@dataclass(frozen=True, slots=True)
class Event:
    """`kind`: hand (one begins), answers (what seats answered, in turn order), a verb, an action, pay, problem, result
    (a hand has ended) or over. `seat` did it or is meant. `tiles` are faces; `detail` is plain data by name: texts,
    numbers, seats as their names. `seen_by`: who sees the tiles and the details called secret; None: everyone."""

    kind: str
    seat: int | None = None
    tiles: tuple[int, ...] = ()
    detail: Detail = ()
    seen_by: Seers = None

    def told(self, name: str) -> Any:
        """A detail; None where there is none of this name."""
        return dict(self.detail).get(name)
