"""Cards: the prospects of a seat in a form that lists its hands: every hand by its value and probability.

Knows hands and the number of unseen tiles; knows no payments and no other seats.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.hands.distance.cards import ListedLook, ListedPlan
from tilewright.hands.listed import Rows
from tilewright.language.compiled.ruleset import CardData
from tilewright.players.bots.position import FormReader, Position
from tilewright.players.careful.odds import TurnsLeft, appeal, prospect_of_listed, together
from tilewright.players.careful.weights import Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tilewright.hands.matrix import Numbers, Places

    Reals = NDArray[Any]

ALIKE = 3.0  # many rows are similar: the best one counts little more than the others
WITHIN = 2  # rows that miss at most this many tiles more than the nearest are considered


class ListedPromise(Protocol):
    """The prospects of a position in listed hands."""

    def promise(self, clock: TurnsLeft, without: int | None = None) -> float:
        """The prospects of the hand, with all tiles or without one (a plain tile)."""
        ...

    def is_harmless(self, tile: int) -> bool:
        """Whether the nearest row is as near without the tile."""
        ...


@dataclass(frozen=True, eq=False)
class CardOutlook:
    """A form that lists its hands. `card` gives their values; without one all are worth the same."""

    reader: FormReader
    rows: Rows
    card: CardData | None

    @cached_property
    def usual(self) -> float:
        """The usual worth of a line."""
        values = [line.value for line in self.card.lines] if self.card is not None else []
        return sum(values) / len(values) if values else 1.0

    @cached_property
    def _appeals(self) -> "dict[Weights, Reals]":
        return {}

    def appeals(self, weights: Weights) -> "Reals":
        """How much effort every row deserves."""
        import numpy

        if weights in self._appeals:
            return self._appeals[weights]
        lines = self.card.lines if self.card is not None else ()
        worths = [lines[entry].value if lines else 1 for entry in self.rows.listing.entries]
        found = numpy.array([appeal(worth + weights.winning * self.usual, weights) for worth in worths])
        self._appeals[weights] = found
        return found

    def outlook(self, position: Position, weights: Weights) -> "Outlook | None":
        """The nearest rows that can still be made; None if there are none."""
        left = Counter({tile: max(0, count) for tile, count in position.left.items()})
        in_the_box = self.reader.approach.in_the_box
        own = [in_the_box[f] for f in (*position.tiles, *(tile for meld in position.melds for tile in meld.tiles))]
        plan = ListedPlan(self.rows, position.melds, self.rows.wild.copies - left - Counter(own))
        held = [0] * len(in_the_box)
        for face in position.tiles:
            held[self.reader.plain[face]] += 1
        look = plan.of(tuple(held))
        missing = look.missing
        if not len(missing):
            return None
        near = (missing <= missing.min() + WITHIN).nonzero()[0]
        rows = plan.rows[near]
        return Outlook(look, near, weights, self.appeals(weights)[rows], self.rows.matrix.concealed[rows], left)


@dataclass(frozen=True, eq=False)
class Outlook:
    """The rows that a hand is nearest to. All numbers are of these rows, `near` their places in the plan; `left`: how
    many of each tile are unseen."""

    look: ListedLook
    near: "Places"
    weights: Weights
    appeals: "Reals"
    concealed: "Reals"
    left: Counter[int]

    @cached_property
    def live(self) -> "Reals":
        """How many unseen tiles would bring the hand nearer."""
        spare, short = self.look.spare[:, self.near], self.look.short[:, self.near]
        plan = self.look.plan
        takes_wild = short.sum(axis=0) > self.look.wild
        lowering = (spare < 0) | ((short > 0) & takes_wild)
        natural = (lowering * self.left_of_columns).sum(axis=0)
        live: Reals = natural + takes_wild * sum(self.left[tile] for tile in plan.listing.helpers)
        return live

    @cached_property
    def left_of_columns(self) -> "Numbers":
        """How many unseen tiles there are of each column."""
        rows = self.look.plan.listing
        return rows.matrix.column(rows.left_with_choices(self.left, dict(enumerate(self.look.held))))

    def promise(self, clock: TurnsLeft, without: int | None = None) -> float:
        """The prospects of the hand, with all tiles or without one (a plain tile)."""
        missing = self.look.missing if without is None else self.look.missing_without(without)
        unseen = self.left.total()
        rows = zip(missing[self.near].tolist(), self.live.tolist(), self.concealed.tolist(), self.appeals, strict=True)
        weights = self.weights
        claims, draws = weights.claims, weights.draws
        hopes = [
            prospect_of_listed(m, n, unseen, clock, draws if closed else claims, weights) * worth
            for m, n, closed, worth in rows
        ]
        return together(hopes, ALIKE)

    def is_harmless(self, tile: int) -> bool:
        """Whether the nearest row is as near without the tile."""
        return int(self.look.missing_without(tile).min()) <= int(self.look.missing.min())
