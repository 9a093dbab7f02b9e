"""Worth: what whole hands score for a seat, by the scoring of the ruleset, cached; and what the table shows the seat
about that: lasting marks, and zones that scoring reads, but not what holds for the current tile.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.hands.covers import TooManyReadings
from tilewright.hands.distance.approach import Look
from tilewright.hands.needs import TooManyNeeds
from tilewright.hands.reading import Hand, Meld
from tilewright.language.compiled.ir import Lookup, nodes
from tilewright.language.compiled.ruleset import Mark
from tilewright.play.offers import bars_of_claims
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.effects import Effect, effects_of
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.plain.scene import MarkValue, Situation

MOST_KNOWN = 50_000
DRAWN = 0.4  # share of the hands won, if they can only be won by a draw


@dataclass(frozen=True, slots=True)
class ScoringContext:
    """The parts of the table that matter to the worth of a hand. `round_wind`: a tile; `flags`, `marks`, `zones` as in
    a situation."""

    seat: int
    round_wind: int | None
    bonus: tuple[int, ...] = ()
    flags: frozenset[str] = frozenset()
    marks: tuple[tuple[str, MarkValue], ...] = ()
    zones: tuple[tuple[str, tuple[int, ...]], ...] = ()


def wholes(look: Look, lots: SeededChoices, number: int) -> Iterator[tuple[list[int], int]]:
    """Some random nearest whole hands: plain tiles without the winning one, and that; it is a missing tile if any is
    missing."""
    for _ in range(number):
        tiles = list(look.target(lots.below))
        if tiles:
            held = list(look.held)
            missing = []
            for tile in tiles:
                missing += [tile] if held[tile] <= 0 else []
                held[tile] -= 1
            win = lots.one_of(missing or tiles)
            tiles.remove(win)
            yield tiles, win


@dataclass(frozen=True)
class HandValues:
    """What hands are worth under some rules."""

    rules: Rules

    @cached_property
    def _known(self) -> dict[tuple[tuple[int, ...], tuple[Meld, ...], int, ScoringContext, bool], float]:
        return {}

    def of(
        self, tiles: tuple[int, ...], melds: tuple[Meld, ...], win: int, place: ScoringContext, claimed: bool = True
    ) -> float:
        """The worth of these tiles and groups with the winning tile: claimed, or, at lower odds, drawn if it wins only
        so; 0 if it does not win. Not `claimed`: it may not be claimed."""
        key = (tiles, melds, win, place, claimed)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            one = (tiles, melds, win, place)
            found = (claimed and self._total(*one, False)) or DRAWN * self._total(*one, True)
            self._known[key] = found
        return found

    def _total(
        self, tiles: tuple[int, ...], melds: tuple[Meld, ...], win: int, place: ScoringContext, self_draw: bool
    ) -> float:
        return self.total(self.situation(Hand(tiles, melds, win, place.bonus), place, self_draw))

    def total(self, situation: Situation) -> float:
        """What a hand comes to; 0 if it does not win."""
        try:
            scored = self.rules.score_situation(situation)
        except (TooManyNeeds, TooManyReadings):
            return 0.0
        return float(scored.total) if scored.win else 0.0

    def situation(self, hand: Hand, place: ScoringContext, self_draw: bool) -> Situation:
        """A hand that wins at such a table."""
        fed = None if self_draw else (place.seat + 1) % self.rules.data.seats.count
        marks, zones = dict(place.marks), dict(place.zones)
        return Situation(hand, True, place.seat, True, self_draw, fed, place.round_wind, place.flags, marks, zones)

    def shares(self, made: tuple[tuple[int, ...], int], place: ScoringContext) -> tuple[float, float]:
        """For each point of a hand: what its winner gains by a claim, and how much more the discarder pays than another
        seat."""
        tiles, win = made
        scored = self.rules.score_situation(self.situation(Hand(tiles, (), win), place, False))
        paid: Mapping[str, object] = scored.payments or {}
        names = seat_names(self.rules.data)[: self.rules.data.seats.count]
        if not scored.win or not scored.total or not paid:
            return float(len(names) - 1), 1.0
        gains = [float(paid.get(name, 0)) / float(scored.total) for name in names]  # type: ignore[arg-type]  # numbers
        fed = (place.seat + 1) % len(names)
        others = [gain for seat, gain in enumerate(gains) if seat not in (place.seat, fed)]
        return gains[place.seat], (sum(others) / len(others) if others else 0.0) - gains[fed]


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
