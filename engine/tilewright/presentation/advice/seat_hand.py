"""The hand of a seat as scoring reads it: a view in; the own hand as a case and the tiles that everybody sees, out.

The basis of all advice. Knows nothing but the view: no tile of others, and no tile of the wall.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tilewright.hands.distance.cards import dividing as dividing_of
from tilewright.hands.listed import NEVER
from tilewright.hands.reading import Hand, Meld
from tilewright.play.model import SeenMeld
from tilewright.play.view import View
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.nearest import Nearest
from tilewright.scoring.rules import ScoringRules, Waits
from tilewright.tiles.notation import write_tile

BONUS = "bonus"
MOST_NEAR = 10  # hands of a card
MOST_DISCARDS = 8  # shown for a hand with an extra tile
MOST_READY = 3  # of them, shown with every wait


@dataclass(frozen=True)
class SeatHand:
    """The own hand in a view as a case, and the visible tiles elsewhere. `less`: a tile left out. Of a seat that makes
    several: the one of this `number` (0: all melds count), with the tiles that it gets, or all."""

    rules: ScoringRules
    view: View
    less: str = ""
    number: int = 0
    tiles: tuple[int, ...] | None = None

    def without(self, code: str) -> "SeatHand":
        return replace(self, less=code)

    def hands(self) -> "Iterator[SeatHand]":
        """The hand; of a seat that makes several, each open one, without the tiles that go to others in the hands of
        the card that are nearest together."""
        if self.rules.data.seats.hands == 1:
            yield self
            return
        dividing = dividing_of(self.rules.judge.reader)
        numbers, faces = self.view.open_hands(self.seat), list(self.view.hand)
        melds = [tuple(self.held_meld(one) for one in self.view.melds(self.seat) if one.hand == n) for n in numbers]
        nearest = dividing.look(faces, melds).nearest()
        kept, free = list[tuple[int, ...]](), list(faces)
        for row, lying in zip(nearest, melds, strict=False):
            (facts,) = dividing.rows.told([row], Hand(tuple(free), lying))
            kept.append(facts.kept)
            for face in facts.kept:
                free.remove(face)
        for at, number in enumerate(numbers):
            own = Counter(faces)
            own.subtract(face for other, some in enumerate(kept) if other != at for face in some)
            yield replace(self, number=number, tiles=tuple(own.elements()))

    def held_meld(self, one: SeenMeld) -> Meld:
        """An own group on the table."""
        assert one.group is not None
        return Meld(one.group, tuple(face for face in one.tiles if face is not None), one.exposed, one.wild)

    def waits(self) -> Waits:
        """The tiles that complete the hand, of several the nearest; with the flags of the table, if they fit it. Raises
        CaseError."""
        if self.rules.data.seats.hands > 1 and not self.number:
            found = [hand.waits() for hand in self.hands()]
            return min(found, key=lambda one: NEVER if one.distance is None else one.distance, default=Waits(None, ""))
        rules = self.at_table
        try:
            return rules.waits(**self.case, **self.remembered, seen=self.seen)
        except CaseError:
            return rules.waits(**self.case, seen=self.seen)

    def barred(self) -> tuple[Mapping[str, str], ...]:
        """Why, by language, the hand may not win on a discard; empty if it may."""
        faces = (face for face in self.view.hand if write_tile(face, self.rules.data.tiles) == self.less)
        return self.view.claims_barred(next(faces, None))

    def nearest(self) -> Nearest:
        """The hands of the card that it is nearest to. Raises CaseError."""
        return self.at_table.nearest(self.case["hand"], self.case["melds"], seen=self.seen, limit=MOST_NEAR)

    @cached_property
    def at_table(self) -> ScoringRules:
        """The rules with the tiles that are wild at the table, in the notation of `rules`."""
        if self.rules.data.tiles.spelling is None:
            return self.view.rules
        return self.view.rules.as_on_card() if self.rules.shifts else self.rules

    @cached_property
    def case(self) -> dict[str, Any]:
        view, tiles = self.view, self.rules.data.tiles
        hand = [write_tile(face, tiles) for face in (view.hand if self.tiles is None else self.tiles)]
        if self.less:
            hand.remove(self.less)
        wind, round_wind = view.wind(self.seat), view.round_wind
        return {
            "hand": hand,
            "melds": [self.meld(one) for one in view.melds(self.seat) if self.number in (0, one.hand)],
            "bonus": [write_tile(face, tiles) for face in self.bonus],
            "seat_wind": None if wind is None else self.seat + 1,
            "round_wind": None if round_wind is None else write_tile(round_wind, tiles),
        }

    @property
    def seat(self) -> int:
        assert self.view.seat is not None
        return self.view.seat

    @property
    def bonus(self) -> tuple[int, ...]:
        """The bonus tiles of the own seat."""
        lying = self.view.zone(BONUS, self.seat) if BONUS in self.rules.data.zones else ()
        return tuple(face for face in lying if face is not None)

    def meld(self, lying: SeenMeld) -> Mapping[str, Any]:
        codes = [write_tile(face, self.rules.data.tiles) for face in lying.tiles if face is not None]
        return {"tiles": codes, "concealed": not lying.exposed}

    @cached_property
    def remembered(self) -> dict[str, Any]:
        """Truth marks that are set, as flags; other marks with their values."""
        found: dict[str, Any] = {"flags": [], "marks": {}}
        for mark in self.rules.data.marks.values():
            value = self.view.mark(mark.id, self.seat if mark.of == "seat" else None)
            if mark.type == "truth" and value is True:
                found["flags"].append(mark.id)
            elif mark.type == "tiles" and value:
                found["marks"][mark.id] = [write_tile(face, self.rules.data.tiles) for face in value]
            elif mark.type == "number" and value is not None:
                found["marks"][mark.id] = value
        return found

    @cached_property
    def seen(self) -> list[str]:
        """Visible tiles outside the own hand, and the one left out."""
        own = [one for one in self.view.melds(self.seat) if self.number in (0, one.hand)]
        melds = [face for lying in own for face in lying.tiles if face is not None]
        others = self.view.seen - Counter((*melds, *self.bonus))
        return [*(write_tile(face, self.rules.data.tiles) for face in others.elements()), *filter(None, [self.less])]
