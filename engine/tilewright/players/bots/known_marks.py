"""What the table shows a seat about its hand's worth: lasting marks, and zones that scoring reads.

In: a view. Only what lasts is included, not what holds for the current tile. Knows no hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.hands.reading import Meld
from tilewright.language.compiled.ir import Lookup, nodes
from tilewright.language.compiled.ruleset import Mark
from tilewright.play.offers.bars import bars_of_claims
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.effects import Effect, effects_of
from tilewright.players.bots.worth import ScoringContext


@dataclass(frozen=True, eq=False)
class KnownMarks:
    """What a table may show under a ruleset."""

    rules: Rules

    @cached_property
    def lasting(self) -> Mapping[str, Mark]:
        """The marks of a seat or of the match that scoring uses, except those that something ends."""
        asked = self.rules.program.asked
        marks = (self.rules.data.marks[name] for name in (*asked.flags, *asked.marks))
        return {mark.id: mark for mark in marks if mark.of != "table" and not mark.own and not mark.any}

    @cached_property
    def zones(self) -> tuple[str, ...]:
        """The zones that scoring uses, except those of discards."""
        data = self.rules.data
        return tuple(name for name in self.rules.program.asked.zones if not data.zones[name].claimable)

    @cached_property
    def pledges(self) -> tuple[Effect, ...]:
        """The offers that only set marks that patterns count."""
        return tuple(effect for effect in effects_of(self.rules.data).values() if effect.only_pledges and effect.sets)

    @cached_property
    def pledged(self) -> tuple[str, ...]:
        """The marks that show everyone that a seat has taken such an offer."""
        marks = self.rules.data.marks
        names = sorted({name for effect in self.pledges for name in effect.sets})
        return tuple(name for name in names if not marks[name].secret and not marks[name].own and not marks[name].any)

    @cached_property
    def bars_claims(self) -> bool:
        """Whether a hand's waits may bar it from winning on a discard."""
        return bool(self.rules.program.bars_of_claims)

    @cached_property
    def own_are_safe(self) -> bool:
        """Whether a seat cannot win on its own discards."""
        marks, zones = self.rules.data.marks, self.rules.data.zones
        words = [node for _, ir in bars_of_claims(self.rules.program) for node in nodes(ir) if isinstance(node, Lookup)]
        return any(
            (word.kind == "mark" and marks[word.name].type == "tiles")
            or (word.kind == "zone" and zones[word.name].claimable)
            for word in words
        )

    def promised(self, melds: Sequence[Meld]) -> frozenset[str]:
        """The marks that a hand with these groups can still have set."""
        is_open = any(meld.exposed for meld in melds)
        return frozenset(
            name for effect in self.pledges if not (effect.concealed_only and is_open) for name in effect.sets
        )

    def costs_by_claims(self, melds: Sequence[Meld]) -> bool:
        """Whether a hand with these groups can declare something that a claim would prevent."""
        return any(one.concealed_only for one in self.pledges) and not any(meld.exposed for meld in melds)

    def place(self, view: View) -> ScoringContext:
        """What the table shows the seat about its worth."""
        assert view.seat is not None
        marks = {name: value for name in self.lasting if (value := view.mark(name)) is not None}
        flags = frozenset(name for name, value in marks.items() if value is True)
        others = tuple((name, value) for name, value in marks.items() if not isinstance(value, bool))
        zones = tuple((name, tuple(face for face in view.zone(name) if face is not None)) for name in self.zones)
        return ScoringContext(view.seat, view.round_wind, (), flags, others, zones)
