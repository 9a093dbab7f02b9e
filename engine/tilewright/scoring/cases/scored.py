"""What of a ruleset decides how its hands score: a compiled ruleset in; the same without all else out, to be compared.

Mods and options leave most of it as it is. Scores no hand.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

from tilewright.base.memory import TheSame
from tilewright.language.compiled.ir import Ir, Lookup
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern, Zone
from tilewright.language.documents.former import FormerNames
from tilewright.language.vocabulary import words

WITHOUT_EXPRESSIONS = ("tiles", "groups", "cases")
MOST_KNOWN = 512  # parts of rulesets
OF_READINGS = attrgetter(*sorted({one.name for one in fields(Pattern)} - {"examples", "place", "about"}))


@dataclass(frozen=True, eq=False)
class ScoredPart:
    """What decides the scores of hands, but for the most that a win pays (`paid`). `data`: of the ruleset; `patterns`:
    what is looked at of the patterns, if not all; `start`: the score of seats, which counts only where something asks
    for it."""

    data: CompiledRuleset
    patterns: tuple[Any, ...] = ()
    start: Ir | None = None
    paid: Ir | None = None

    def same_as(self, other: "ScoredPart") -> bool:
        """Whether hands score alike under both, as far as nothing else is paid."""
        alike = self.data == other.data and self.patterns == other.patterns
        return alike and (self.start == other.start or not self.asks_start)

    @cached_property
    def asks_start(self) -> bool:
        """Whether an expression asks for the score of a seat."""
        parts = (getattr(self.data, one.name) for one in fields(self.data) if one.name not in WITHOUT_EXPRESSIONS)
        return any(part_asks_score(TheSame((part,))) for part in (*parts, *self.patterns, self.paid))


def game_of(data: CompiledRuleset) -> CompiledRuleset:
    """A ruleset without its texts for readers."""
    unpublished = replace(data, id="", digest="", text_digest="", version="", license="", authors=())
    return replace(
        unpublished, about={}, mods=(), presets=(), left_out=(), options={}, former=FormerNames(), old_names=()
    )


def scoring_of(data: CompiledRuleset, cases: Set[str] | None = None) -> ScoredPart:
    """A ruleset without its texts for readers, its rules of play, and the cases of other documents than these."""
    hands = tuple(
        one
        for one in data.cases
        if "play" not in one.case and (cases is None or one.place is None or one.place.source.name in cases)
    )
    scoring = replace(data.scoring, pays_at_most=None)
    bare = replace(game_of(data), play=None, cases=hands, zones=scored_zones(data), scoring=scoring)
    return ScoredPart(bare, start=data.play.match.score if data.play else None, paid=data.scoring.pays_at_most)


def judged_by_engine(data: CompiledRuleset) -> ScoredPart:
    """What of a ruleset decides the best reading of a hand: terms are in the conditions that use them."""
    part = scoring_of(data)
    bare = replace(part.data, payments={}, payment_names={}, patterns=(), terms={}, cases=())
    return replace(part, data=bare, patterns=tuple(map(OF_READINGS, data.patterns)), paid=None)


def scored_zones(data: CompiledRuleset) -> Mapping[str, Zone]:
    """What hands look at of the zones: how much may lie there, and whether all see it where a hand says what does."""
    named = {zone for case in hands_in(data) for zone in zones_named(case)}
    seen = {zone.id for zone in data.zones.values() if zone.seen_by == "everyone"} & named
    return {id: Zone(id, one.of, "everyone" if id in seen else "", most=one.most) for id, one in data.zones.items()}


def hands_in(data: CompiledRuleset) -> Iterator[Mapping[str, object]]:
    """The examples of patterns, and the cases with a hand alone."""
    yield from (example.case for pattern in data.patterns for example in pattern.examples)
    yield from (one.case for one in data.cases if "play" not in one.case)


def zones_named(case: Mapping[str, object]) -> Iterator[str]:
    """The zones that a case says something of."""
    zones = case.get("zones")
    if isinstance(zones, Mapping):
        yield from map(str, zones)
    if "wall" in case:
        yield "wall"


def may_pay(case: Mapping[str, object]) -> bool:
    """Whether a case may say who won from whom, so that what a win pays is known (see `Situation.pays`)."""
    return "seat_wind" in case and ("discarder" in case or "self_draw" in case)


@lru_cache(maxsize=MOST_KNOWN)
def part_asks_score(part: TheSame) -> bool:
    """Whether a part of a ruleset has an expression that asks for the score of a seat, found once."""
    return asks_score(tuple(part))


def asks_score(part: object) -> bool:
    """The same of any data."""
    if isinstance(part, Lookup) and (part.kind, part.name) == ("word", words.score.name):
        return True
    if isinstance(part, tuple):
        return any(map(asks_score, part))
    if isinstance(part, Mapping):
        return any(map(asks_score, part.values()))
    return is_dataclass(part) and any(asks_score(getattr(part, one.name)) for one in fields(part))
