"""Noting: what of its ruleset a play looked at, so that its result is known under rules in which that is the same.

Most of a ruleset counts as looked at. What mods change most often, and few plays depend on, is noted where it is read:
the triggers of an event, the restrictions on an offer, who sees a zone, and the most that a win pays. Plays nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from tilewright.base.memory import Remembered, TheSame
from tilewright.base.problem import Problem
from tilewright.language.compiled.play import Play, Restriction
from tilewright.language.compiled.ruleset import CompiledRuleset, RulesetCase, Scoring, Zone
from tilewright.play.compile import compile_program
from tilewright.play.operations import CompiledOffer, Listeners
from tilewright.play.program import Program, awaited_in, named_in
from tilewright.play.rules import Rules
from tilewright.scoring.wildness import Now

T = TypeVar("T")
Looked = tuple[str, ...]  # what was looked at, and of what
CAP: Looked = ("pays_at_most",)
RESTRICTIONS: Looked = ("restrictions",)
APART = ("zones", "scoring", "play", "former")  # parts of which not everything counts
FOR_READERS = ("about", "options", "mods", "presets", "left_out", "version", "license", "authors", "old_names")
UNPLAYED = (*FOR_READERS, "cases", "digest", "text_digest", "kept")
MOST_PLAYS = 1_000  # whose results are known
MOST_RESULTS = 8  # of one play


@dataclass(frozen=True, eq=False)
class PlayedPart:
    """What decides the plays of a ruleset. `whole`: what counts as looked at by every play."""

    data: CompiledRuleset

    @cached_property
    def same(self) -> TheSame:
        names = (one.name for one in fields(self.data) if one.name not in (*UNPLAYED, *APART))
        return TheSame([getattr(self.data, name) for name in names])

    @cached_property
    def equal(self) -> tuple[Any, ...]:
        """The rest of the parts of which something is noted."""
        zones = {zone.id: replace(zone, seen_by="") for zone in self.data.zones.values()}
        scoring, play = replace(self.data.scoring, pays_at_most=None), self.data.play
        former = self.data.former.decisive
        if play is None:
            return zones, scoring, former
        return zones, scoring, former, replace(play, triggers=(), restrictions=()), awaited_in(play, self.data.marks)

    @cached_property
    def values(self) -> dict[Looked, Any]:
        return {}

    def is_as(self, other: "PlayedPart") -> bool:
        """Whether all is the same but what is noted."""
        return self is other or (self.same == other.same and self.equal == other.equal)

    def value(self, looked: Looked) -> Any:
        """What is there."""
        if looked not in self.values:
            self.values[looked] = self.found(*looked)
        return self.values[looked]

    def found(self, kind: str, *names: str) -> Any:
        play = self.data.play or Play()
        match kind:
            case "triggers":
                return tuple(trigger for trigger in play.triggers if names[0] in trigger.after)
            case "bars":
                return tuple(one for one in play.restrictions if bars(play, one, *names))
            case "seen_by":
                return self.data.zones[names[0]].seen_by
        return self.data.scoring.pays_at_most if (kind, *names) == CAP else play.restrictions


def bars(play: Play, restriction: Restriction, phase: str, offer: str) -> bool:
    """Whether a restriction may bar an offer in a phase."""
    return any(offer in named_in(play, name, phase) for name in restriction.bars)


# --- rules whose games note what they look at

Note = Callable[[Looked], None]


@dataclass(frozen=True, eq=False)
class NotingRules:
    """Rules whose games note what they look at. `always`: what was looked at before any of them began; `programs`:
    theirs, and those with other tiles wild."""

    rules: Rules
    noted: set[Looked]
    always: frozenset[Looked]
    programs: list[Program]

    def close(self) -> None:
        """No more games: programs know themselves in many ways, and would take memory until they are collected."""
        for program in self.programs:
            program.__dict__.clear()


def noting(rules: Rules) -> NotingRules:
    """The same rules, which note."""
    noted, programs = set[Looked](), list[Program]()
    zones = {id: NotingZone(*values_of(zone), note=noted.add) for id, zone in rules.data.zones.items()}
    scoring = NotingScoring(*values_of(rules.data.scoring), note=noted.add)
    found = Rules(replace(rules.data, zones=zones, scoring=scoring), alike=rules)
    if found.data.play is not None:
        found.__dict__["program"] = noting_program(compile_program(found), noted.add, programs)
    return NotingRules(found, noted, frozenset(noted), programs)


def values_of(part: Zone | Scoring) -> Iterator[Any]:
    return (getattr(part, one.name) for one in fields(part))


def noting_program(program: Program, note: Note, programs: list[Program]) -> Program:
    """The program, which notes where triggers and restrictions are read, and is added to the others."""
    programs.append(program)
    offerings = {
        phase: tuple(noting_offer(one, ("bars", phase, one.offer.id), note) for one in some)
        for phase, some in program.offerings.items()
    }
    bars = NotingList(program.bars_of_wins, note), NotingList(program.bars_of_claims, note)
    as_wild = Remembered(partial(noting_as_wild, program.as_wild, note, programs))
    program.__dict__.update(
        listeners=NotingListeners(program.listeners, note),
        offerings=offerings,
        bars_of_wins=bars[0],
        bars_of_claims=bars[1],
        as_wild=as_wild.__getitem__,
    )
    return program


def noting_as_wild(as_wild: Callable[[Now], Program], note: Note, programs: list[Program], now: Now) -> Program:
    """The same with other tiles wild."""
    return noting_program(as_wild(now), note, programs)


@dataclass(frozen=True, eq=False)
class NotingZone(Zone):
    """A zone that notes when it is asked who sees it."""

    note: Note = field(kw_only=True)

    def __getattribute__(self, name: str) -> Any:
        if name == "seen_by":
            self.note(("seen_by", self.id))
        return super().__getattribute__(name)


@dataclass(frozen=True, eq=False)
class NotingScoring(Scoring):
    """The same of the most that a win pays."""

    note: Note = field(kw_only=True)

    def __getattribute__(self, name: str) -> Any:
        if name == "pays_at_most":
            self.note(CAP)
        return super().__getattribute__(name)


class NotingOffer(CompiledOffer):
    """The same of the restrictions on an offer. `looked`: these, which `note` is called with."""

    looked: Looked
    note: Note

    def __getattribute__(self, name: str) -> Any:
        if name == "bars":
            self.note(self.looked)
        return super().__getattribute__(name)


def noting_offer(offer: CompiledOffer, looked: Looked, note: Note) -> NotingOffer:
    found = NotingOffer.__new__(NotingOffer)
    found.__dict__.update(offer.__dict__, looked=looked, note=note)
    return found


class NotingListeners(dict[str, Listeners]):
    """The same of what events set off."""

    def __init__(self, listeners: dict[str, Listeners], note: Note) -> None:
        super().__init__(listeners)
        self.note = note

    def __contains__(self, event: object) -> bool:
        self.note(("triggers", str(event)))
        return super().__contains__(event)

    def __getitem__(self, event: str) -> Listeners:
        self.note(("triggers", event))
        return super().__getitem__(event)

    def get(self, event: str, default: Any = None) -> Any:
        self.note(("triggers", event))
        return super().get(event, default)


class NotingList(list[T]):
    """The same of all restrictions."""

    def __init__(self, items: list[T], note: Note) -> None:
        super().__init__(items)
        self.note = note

    def __iter__(self) -> Iterator[T]:
        self.note(RESTRICTIONS)
        return super().__iter__()


# --- results


@dataclass(frozen=True, slots=True)
class KnownResult:
    """What a play gave: under which rules, and what it looked at in them."""

    entry: RulesetCase
    part: PlayedPart
    looked: frozenset[Looked]
    problems: tuple[Problem, ...]

    def holds(self, part: PlayedPart) -> bool:
        """Whether it gives the same under other rules."""
        return part.is_as(self.part) and all(part.value(one) == self.part.value(one) for one in self.looked)


@dataclass(frozen=True, slots=True)
class PlayResults:
    """What plays gave, to be taken over. `found`: by the identity of the case; `opened`: the rules that plays are
    checked with now, by identity, with what decides their plays; `noting`: those of them that one was played with."""

    found: dict[int, list[KnownResult]]
    opened: dict[int, tuple[Rules, PlayedPart]] = field(default_factory=dict)
    noting: dict[int, NotingRules] = field(default_factory=dict)

    def of(self, rules: Rules, entry: RulesetCase, play: Callable[[Rules], Iterator[Problem]]) -> tuple[Problem, ...]:
        """What a play gives under some rules: known, or played now."""
        _, part = self.opened.setdefault(id(rules), (rules, PlayedPart(rules.data)))
        results = self.found.get(id(entry), ())
        known = next((one for one in results if one.entry is entry and one.holds(part)), None)
        if known is None:
            known = self.played(rules, part, entry, play)
        return known.problems

    def played(
        self, rules: Rules, part: PlayedPart, entry: RulesetCase, play: Callable[[Rules], Iterator[Problem]]
    ) -> KnownResult:
        """What a play gives that is played now, which is kept."""
        if id(rules) not in self.noting:
            self.noting[id(rules)] = noting(rules)
        there = self.noting[id(rules)]
        there.noted.clear()
        problems = tuple(play(there.rules))
        if len(self.found) >= MOST_PLAYS:
            self.found.clear()
        known = KnownResult(entry, part, there.always | there.noted, problems)
        results = self.found.setdefault(id(entry), [])
        results.append(known)
        del results[:-MOST_RESULTS]
        return known

    def close(self) -> None:
        """Forget the rules, and keep the results."""
        for one in self.noting.values():
            one.close()
        self.noting.clear()
        self.opened.clear()
