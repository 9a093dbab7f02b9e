"""Programs: the play of a ruleset in, laid out to be carried out fast. Made once for a ruleset, shared by its games.

Steps become lists of small operations over a game and a frame; expressions become functions; who listens to an event,
what bars an offer and which groups a tile can make are looked up and not searched. Knows no state of a game.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any

from tilewright.hands.wild import WildTiles
from tilewright.language.compiled.choices import Choose, Goal
from tilewright.language.compiled.ir import Apply, Ir, Word
from tilewright.language.compiled.play import Offer, Phase, Play, Restriction
from tilewright.language.compiled.ruleset import RulesetData
from tilewright.language.compiled.steps import Block, Step, Use
from tilewright.language.vocabulary.steps.tiles import Swap
from tilewright.language.vocabulary.steps.worth import Declare
from tilewright.play.answers import Answer, answer_of, class_of
from tilewright.play.bars import TRUE, Bar, looks_at, may_hold
from tilewright.play.blocks import Blocks
from tilewright.play.frames import Code
from tilewright.play.judging import Asked, asked_of_table
from tilewright.play.sizes import Sizes
from tilewright.play.steps import phase_code, steps_code
from tilewright.play.unwinnable import bars_of_claims, bars_of_wins
from tilewright.scoring.case import seat_names
from tilewright.tiles.notation import write_tile

if TYPE_CHECKING:
    from tilewright.play.moves import Move
    from tilewright.play.rules import Rules

NO_WORDS: frozenset[str] = frozenset()
Needs = tuple[tuple[tuple[int, int], ...], ...]  # alternatives, each of plain tiles with how many of them


@dataclass(frozen=True, slots=True)
class Listeners:
    """What waits for an event: marks that it ends (of its own seat, of every seat, of the table) and triggers."""

    own: tuple[str, ...] = ()
    every: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    triggers: "tuple[Triggered, ...]" = ()


@dataclass(frozen=True, slots=True)
class Triggered:
    """A trigger: its condition, its steps alone, and its steps behind the condition."""

    when: Answer | None
    steps: Code
    code: Code


@dataclass(frozen=True, slots=True)
class Way:
    """A group that a tile can be part of, the tile as `stands`; `rest`: the others of the group, counted."""

    group: int
    stands: int
    rest: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Choosing:
    """A choice, with its functions. `near`: tiles of one zone of the seat or of the table; `alone`: they do not depend
    on what else is chosen; `alike`: where the condition is that something of the tile is what was chosen before, that
    something and the name of that choice."""

    choose: Choose
    most: Answer | None
    least: Answer | None
    source: Answer | None
    classes: Answer | None
    seats: Answer | None
    when: Answer | None
    near: bool
    alone: bool
    alike: tuple[Answer, str] | None


@dataclass(frozen=True)
class Offering:
    """An offer in one phase, with its functions. Its condition is `early` or, where it looks at what is chosen, `late`.
    `wins`: it declares a hand; `asks_wins`: its condition is that the hand wins. `from_own_hand`: the name of the
    choice, where one tile of the own hand is all that is chosen, with its `moves` by seat and face; `of_group`: a group
    of the hand, or a meld that grows, is chosen first; `helped`: wild tiles may stand in its group; `alone`: of several
    choices those of one tile that do not depend on what is chosen before; `swaps`: pairs of tiles that change
    places."""

    offer: Offer
    early: Answer | None
    late: Answer | None
    most: Answer | None
    choosing: tuple[Choosing, ...]
    code: Code
    bars: tuple[Bar, ...]
    then: tuple[str, Answer | None] | None
    wins: bool
    asks_wins: bool
    from_own_hand: str | None
    alone: tuple[Choosing, ...]
    swaps: tuple[tuple[Answer, Answer], ...]
    of_group: bool
    helped: bool
    moves: "tuple[dict[int, Move], ...]"


@dataclass(frozen=True)
class Program:
    """The play of one ruleset."""

    rules: "Rules"
    moves: "dict[Any, Move]" = field(default_factory=dict)  # written before, by what they say

    @property
    def data(self) -> RulesetData:
        return self.rules.data

    @cached_property
    def asks(self) -> dict[str, Mapping[str, str]]:
        """What each phase is called where it asks."""
        return {id: phase.name or {"en": id.replace("_", " ").capitalize()} for id, phase in self.play.phases.items()}

    @cached_property
    def play(self) -> Play:
        play = self.rules.data.play
        if play is None:
            raise ValueError(f"{self.rules.data.id} has no phase called deal")
        return play

    # --- seats and tiles

    @cached_property
    def count(self) -> int:
        return self.rules.data.seats.count

    @cached_property
    def everyone(self) -> tuple[int, ...]:
        return tuple(range(self.count))

    @cached_property
    def rings(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """Of a seat and a direction (1, -1) the others, in turn order after it."""
        count = self.count
        return {
            (seat, step): tuple((seat + by * step) % count for by in range(1, count))
            for seat in range(count)
            for step in (1, -1)
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, the pot last."""
        return seat_names(self.rules.data)

    @cached_property
    def first(self) -> int:
        """The number of the first tile of the table: numbers below it are faces."""
        return len(self.rules.data.tiles.tiles)

    @cached_property
    def face(self) -> list[int]:
        """The face of every face and of every tile of the table."""
        tiles = self.rules.data.tiles.tiles
        return [*range(self.first), *(tile.index for tile in tiles for _ in range(tile.copies))]

    @cached_property
    def plain(self) -> list[int]:
        """The plain tile of every face and of every tile of the table."""
        tiles = self.rules.data.tiles.tiles
        return [tiles[face].plain for face in self.face]

    @cached_property
    def seen_by(self) -> list[str]:
        """Who sees a face, and a tile of the table, wherever it lies but in a wall; empty: as the place says."""
        tiles = self.rules.data.tiles.tiles
        return [tiles[face].seen_by for face in self.face]

    @cached_property
    def has_seen_tiles(self) -> bool:
        """Some tiles are seen otherwise than the place says."""
        return any(self.seen_by)

    @cached_property
    def family(self) -> list[int]:
        """The family of every face and of every tile of the table, as a number."""
        return [self.sizes.family[face] for face in self.face]

    @cached_property
    def box(self) -> tuple[int, ...]:
        """Every tile of the table."""
        return tuple(range(self.first, len(self.face)))

    @cached_property
    def several_faces(self) -> bool:
        """Some tiles that are alike in play look different."""
        return any(tile.plain != tile.index and tile.copies for tile in self.rules.data.tiles.tiles)

    @cached_property
    def place(self) -> list[int]:
        """Where every face, and so every tile of the table, stands in a sorted hand."""
        order = {face: number for number, face in enumerate(self.rules.data.tiles.order)}
        return [order.get(face, len(order)) for face in self.face]

    @cached_property
    def code(self) -> list[str]:
        """How every tile is written."""
        tiles = self.rules.data.tiles
        written = [write_tile(face, tiles) for face in range(self.first)]
        return [written[face] for face in self.face]

    # --- tiles that only the table makes wild

    @cached_property
    def shifts(self) -> bool:
        """Which tiles are wild may change at the table."""
        return self.rules.shifts

    @cached_property
    def as_wild(self) -> dict[Any, "Program"]:
        """This program with other tiles that are wild."""
        return {}

    # --- expressions and steps

    @cached_property
    def known(self) -> dict[Ir, Answer]:
        return {}

    def answer(self, ir: Ir) -> Answer:
        """The function that answers an expression."""
        if ir not in self.known:
            self.known[ir] = answer_of(ir, self.rules.data)
        return self.known[ir]

    def perhaps(self, ir: Ir | None) -> Answer | None:
        return None if ir is None else self.answer(ir)

    @cached_property
    def phases(self) -> dict[str, Code]:
        return {id: phase_code(self, phase) for id, phase in self.play.phases.items()}

    @cached_property
    def actions(self) -> dict[str, Code]:
        return {id: steps_code(self, action.do, id, ends=id) for id, action in self.play.actions.items()}

    @cached_property
    def offers(self) -> dict[str, Code]:
        return {id: steps_code(self, offer.do, id, after=id) for id, offer in self.play.offers.items()}

    def goal(self, goal: Goal | None) -> tuple[str, Answer | None] | None:
        return None if goal is None else (goal.phase, self.perhaps(goal.seat))

    # --- events

    @cached_property
    def awaited(self) -> frozenset[str]:
        """The events that something waits for."""
        events = {event for trigger in self.play.triggers for event in trigger.after}
        return frozenset(
            events | {event for mark in self.rules.data.marks.values() for event in (*mark.own, *mark.any)}
        )

    @cached_property
    def listeners(self) -> dict[str, Listeners]:
        """Event -> what waits for it; events that nothing waits for are not there."""
        return {event: self.listening(event) for event in sorted(self.awaited)}

    def listening(self, event: str) -> Listeners:
        marks = self.rules.data.marks.values()
        return Listeners(
            tuple(mark.id for mark in marks if mark.of == "seat" and event in mark.own),
            tuple(mark.id for mark in marks if mark.of == "seat" and event in mark.any),
            tuple(mark.id for mark in marks if mark.of != "seat" and event in (*mark.own, *mark.any)),
            tuple(self.triggers[trigger.id] for trigger in self.play.triggers if event in trigger.after),
        )

    @cached_property
    def triggers(self) -> dict[str, Triggered]:
        return {
            t.id: Triggered(
                self.perhaps(t.when), steps_code(self, t.do, t.id), steps_code(self, t.do, t.id, when=t.when)
            )
            for t in self.play.triggers
        }

    # --- offers

    @cached_property
    def offerings(self) -> dict[str, tuple[Offering, ...]]:
        """Phase -> its offers."""
        offers = self.play.offers
        return {
            phase.id: tuple(self.offering(phase, offers[id]) for id in phase.offers if id in offers)
            for phase in self.play.phases.values()
        }

    def asked_about(self, phase: str, tile: int | None) -> "tuple[tuple[Offering, Needs | None], ...]":
        """The offers of a phase, each with what a hand without wild tiles needs for a group of it with this plain tile
        in question; None where it is of no group. Offers of groups that the tile cannot make are left out."""
        known = self.asked_before.get((phase, tile))
        if known is None:
            every = [(offering, self.needed(offering, tile)) for offering in self.offerings[phase]]
            known = self.asked_before[phase, tile] = tuple(one for one in every if one[1] is None or one[1])
        return known

    @cached_property
    def asked_before(self) -> "dict[tuple[str, int | None], tuple[tuple[Offering, Needs | None], ...]]":
        return {}

    def needed(self, offering: "Offering", tile: int | None) -> "Needs | None":
        kind = offering.offer.group
        if not kind:
            return None
        if tile is None:
            return ()
        return tuple(way.rest for way in self.ways_of(kind, tile))

    def offering(self, phase: Phase, offer: Offer) -> Offering:
        words = chosen_words(offer)
        late = offer.when is not None and looks_at(offer.when, words)
        when, choosing = self.perhaps(offer.when), self.choosing(offer.choose, words)
        swaps = [step.does for step in offer.do if isinstance(step.does, Swap) and step.when is None]
        return Offering(
            offer,
            None if late else when,
            when if late else None,
            self.perhaps(offer.most),
            choosing,
            self.offers[offer.id],
            tuple(self.bars(phase, offer, words)),
            self.goal(offer.then if offer.then is not None else phase.then),
            Declare.declared.name in self.verbs(offer.do),
            isinstance(offer.when, Word) and offer.when.name == "wins" and offer.when.of is None,
            own_tile(offer),
            tuple(one for one in choosing if one.alone and one.choose.type == "tile") if len(choosing) > 1 else (),
            tuple((self.answer(swap.one), self.answer(swap.other)) for swap in swaps),
            bool(offer.choose) and offer.choose[0].kind == "group",
            bool(offer.group) and self.is_served(offer.group),
            tuple({} for _ in self.everyone),
        )

    def choosing(self, choices: Sequence[Choose], words: frozenset[str] = NO_WORDS) -> tuple[Choosing, ...]:
        """Choices with their functions; `words` that stand for what is chosen, besides their names."""
        words |= {choose.name for choose in choices}
        return tuple(
            Choosing(
                choose,
                self.perhaps(choose.most),
                self.perhaps(choose.least),
                self.perhaps(choose.source),
                None if choose.of is None else class_of(choose.of, self.data),
                self.perhaps(choose.seats),
                self.perhaps(choose.when),
                is_near(choose.source),
                choose.kind == "tiles"
                and not any(looks_at(ir, words) for ir in (choose.source, *(choose.of or ())) if ir),
                self.alike(choose, choices[:at], words),
            )
            for at, choose in enumerate(choices)
        )

    def alike(self, choose: Choose, before: Sequence[Choose], words: frozenset[str]) -> tuple[Answer, str] | None:
        """The two sides of the condition of a choice, if one is another tile and the other looks at this one alone."""
        when, singles = choose.when, [one.name for one in before if one.kind == "tiles" and one.type == "tile"]
        if isinstance(when, Apply) and when.op == "==":
            for own, other in permutations(when.args):
                if isinstance(other, Word) and other.of is None and other.name in singles:
                    return None if looks_at(own, words - {choose.name}) else (self.answer(own), other.name)
        return None

    def bars(self, phase: Phase, offer: Offer, words: frozenset[str]) -> Iterator[Bar]:
        """The restrictions that may bar an offer in a phase."""
        for restriction in self.play.restrictions:
            if any(offer.id in self.named(bar, phase.id) for bar in restriction.bars):
                when = restriction.when
                ever = TRUE if when is None else may_hold(when, words)
                late = when is not None and looks_at(when, words)
                yield Bar(restriction, self.perhaps(when), late, None if ever == TRUE else self.answer(ever))

    @cached_property
    def bars_of_wins(self) -> tuple[Answer, ...]:
        """Restrictions that bar every win and look at the own hand alone."""
        return tuple(bars_of_wins(self))

    @cached_property
    def bars_of_claims(self) -> tuple[tuple[Restriction, Answer], ...]:
        """Restrictions that bar wins on tiles of others and look at the own waits and what the seat knows."""
        return tuple((restriction, self.answer(ir)) for restriction, ir in bars_of_claims(self))

    def named(self, name: str, phase: str) -> frozenset[str]:
        """The offers of a phase that restrictions and buttons name so: an offer, a verb that offers do, or either of
        them in one phase (`claims.meld`)."""
        if (name, phase) not in self.named_before:
            where, _, what = name.rpartition(".")
            offers = [self.play.offers[id] for id in self.play.phases[phase].offers] if where in ("", phase) else []
            is_offer = what in self.play.offers
            self.named_before[name, phase] = frozenset(
                offer.id for offer in offers if (offer.id == what if is_offer else what in self.verbs(offer.do))
            )
        return self.named_before[name, phase]

    @cached_property
    def named_before(self) -> dict[tuple[str, str], frozenset[str]]:
        return {}

    def verbs(self, steps: Iterable[Step], seen: frozenset[str] = frozenset()) -> set[str]:
        """Every verb and action that steps do."""
        found: set[str] = set()
        for step in steps:
            inner: tuple[Step, ...] = step.other
            if isinstance(step.does, Block):
                inner = (*inner, *step.does.steps)
            else:
                found.add(step.verb)
            if isinstance(step.does, Use) and step.does.action not in seen:
                action = self.play.actions[step.does.action]
                found |= self.verbs(action.do, seen | {action.id})
            found |= self.verbs(inner, seen)
        return found

    # --- groups

    @cached_property
    def wild(self) -> WildTiles:
        return WildTiles(self.rules.data.tiles)

    @cached_property
    def ways(self) -> dict[tuple[str, int], tuple[Way, ...]]:
        """Kind and plain tile -> the groups that it can be part of."""
        return {}

    def ways_of(self, kind: str, tile: int) -> tuple[Way, ...]:
        """The groups of a kind that a plain tile can be part of, as itself or as what it stands for."""
        known = self.ways.get((kind, tile))
        if known is None:
            known = self.ways[kind, tile] = tuple(self.found_ways(kind, tile))
        return known

    def found_ways(self, kind: str, tile: int) -> Iterator[Way]:
        for index in self.groups_of(kind):
            served, tiles = self.served(index), self.rules.data.groups.groups[index].tiles
            for stands in dict.fromkeys(tiles):
                if stands == tile or tile in served.get(stands, ()):
                    rest = Counter(tiles)
                    rest[stands] -= 1
                    yield Way(index, stands, tuple(sorted((+rest).items())))

    @cached_property
    def groups_by_kind(self) -> dict[str, tuple[int, ...]]:
        return {}

    def groups_of(self, kind: str) -> tuple[int, ...]:
        """The concrete groups that are made as this kind."""
        if kind not in self.groups_by_kind:
            self.groups_by_kind[kind] = tuple(self.made_as(kind))
        return self.groups_by_kind[kind]

    def made_as(self, kind: str) -> Iterable[int]:
        """The groups of a kind, without those of other kinds that only stand for it."""
        groups = self.rules.data.groups
        declared = groups.kinds.get(kind)
        if declared is None:
            return []
        if declared.any:
            return sorted({index for one in declared.any for index in self.groups_of(one)})
        sizes = {declared.alike, declared.run, *map(len, declared.ranks)}
        return [
            g.index
            for g in groups.groups
            if len(g.tiles) in sizes and (kind in g.kinds or (declared.stands_for and kind in g.meld_kinds))
        ]

    @cached_property
    def needs(self) -> dict[str, tuple[tuple[int, tuple[tuple[int, int], ...]], ...]]:
        return {}

    def needs_of(self, kind: str) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
        """The concrete groups of a kind, each with its plain tiles counted."""
        if kind not in self.needs:
            groups = self.rules.data.groups.groups
            self.needs[kind] = tuple((g, tuple(sorted(Counter(groups[g].tiles).items()))) for g in self.groups_of(kind))
        return self.needs[kind]

    def in_hand(self, kind: str, counts: list[int]) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
        """The groups of a kind that a hand with these counts may hold."""
        needs = self.needs_of(kind)
        if self.is_served(kind) and (wild := self.wild_in(counts)):
            return [one for one in needs if self.may_fill(one[0], one[1], counts, wild)]
        least, singles = self.single_needs.get(kind, (0, []))
        if singles:
            return [needs[at] for at, tile in singles if counts[tile] >= least] if max(counts) >= least else []
        return [one for one in needs if enough(counts, one[1])]

    def is_served(self, kind: str) -> bool:
        """Wild tiles may stand in some group of the kind."""
        if kind not in self.served_kinds:
            self.served_kinds[kind] = any(self.served(group) for group in self.groups_of(kind))
        return self.served_kinds[kind]

    @cached_property
    def served_kinds(self) -> dict[str, bool]:
        return {}

    def wild_in(self, counts: list[int]) -> int:
        """How many wild tiles a hand with these counts has."""
        return sum([counts[tile] for tile in self.wild.stands_for])

    def may_fill(self, group: int, needs: tuple[tuple[int, int], ...], counts: list[int], wild: int) -> bool:
        """The tiles of a hand, with so many wild ones, are enough for a group."""
        served = self.served(group)
        for tile, number in needs:
            if counts[tile] < number:
                wild -= number - counts[tile]
                if wild < 0 or tile not in served:
                    return False
        return True

    @cached_property
    def single_needs(self) -> dict[str, tuple[int, list[tuple[int, int]]]]:
        """For kinds of so many alike tiles: how many, and of each group its place and its tile."""
        found: dict[str, tuple[int, list[tuple[int, int]]]] = {}
        for kind in self.rules.data.groups.kinds:
            groups = self.needs_of(kind)
            numbers = {number for _, needs in groups for _, number in needs}
            if len(numbers) == 1 and all(len(needs) == 1 for _, needs in groups):
                found[kind] = (numbers.pop(), [(at, needs[0][0]) for at, (_, needs) in enumerate(groups)])
        return found

    def held_ways(self, kind: str, tile: int, counts: list[int]) -> Sequence[Way]:
        """The groups of a kind that a plain tile may make with a hand of these counts."""
        ways = self.ways_of(kind, tile)
        if self.is_served(kind) and (wild := self.wild_in(counts)):
            return [way for way in ways if self.may_fill(way.group, way.rest, counts, wild)]
        return [way for way in ways if enough(counts, way.rest)]

    @cached_property
    def reverse(self) -> Answer | None:
        """Turns go the other way round."""
        return self.perhaps(self.rules.data.seats.reversed)

    @cached_property
    def otherwise(self) -> "dict[str, tuple[str, Answer | None] | None]":
        """Phase -> where it goes if nobody takes anything."""
        return {id: self.goal(phase.otherwise) for id, phase in self.play.phases.items()}

    @cached_property
    def grown_by(self) -> dict[tuple[str, int], tuple[tuple[int, int], ...]]:
        return {}

    def grown(self, kind: str, group: int) -> tuple[tuple[int, int], ...]:
        """The groups of a kind that one more tile makes of this one, with that plain tile."""
        if (kind, group) not in self.grown_by:
            self.grown_by[kind, group] = tuple(self.found_grown(kind, group))
        return self.grown_by[kind, group]

    def found_grown(self, kind: str, group: int) -> Iterator[tuple[int, int]]:
        before = Counter(self.rules.data.groups.groups[group].tiles)
        for grown, needs in self.needs_of(kind):
            more = Counter(dict(needs)) - before
            if more.total() == 1 and not before - Counter(dict(needs)):
                yield grown, next(iter(more))

    @cached_property
    def served_by(self) -> dict[int, dict[int, tuple[int, ...]]]:
        return {}

    def served(self, group: int) -> dict[int, tuple[int, ...]]:
        """Plain tile -> the wild tiles that may be it in this group."""
        if not self.rules.data.tiles.wild:
            return {}
        if group not in self.served_by:
            declared = self.rules.data.groups.groups[group]
            self.served_by[group] = self.wild.served(declared.kinds | declared.meld_kinds, "melds")
        return self.served_by[group]

    # --- scoring

    @cached_property
    def asked(self) -> Asked:
        """What scoring asks of the table."""
        return asked_of_table(self)

    @cached_property
    def told_terms(self) -> tuple[tuple[str, Answer], ...]:
        """Terms that scoring asks for and only the table can tell."""
        return tuple((name, self.answer(self.rules.data.terms[name])) for name in self.asked.terms)

    @cached_property
    def blocks(self) -> Blocks:
        """A quick no for hands that are no form, of those that can be told tile by tile."""
        return Blocks(self.rules, self.face)

    @cached_property
    def sizes(self) -> Sizes:
        """The same for the other forms."""
        return Sizes(self.rules.data, [form for form in self.rules.data.forms if form.id not in self.blocks.known])

    @cached_property
    def slow_to_read(self) -> bool:
        """Readings of a hand are searched for, and not looked up: it is worth knowing first that there may be some."""
        return not self.rules.engine.fits

    @cached_property
    def asks_when(self) -> bool:
        """Some form is one only when the table says so."""
        return any(form.when is not None for form in self.rules.data.forms)

    @cached_property
    def completed(self) -> dict[Any, tuple[int, frozenset[int | None]]]:
        """How many tiles hands miss at least, and those that may make them full, found before."""
        return {}

    @cached_property
    def waits(self) -> dict[Any, tuple[int, ...]]:
        """Waits of hands, found before."""
        return {}

    # --- phases

    @cached_property
    def goes_back(self) -> frozenset[str]:
        """The phases from which `back` is reached without another interruption."""
        ways = {id: set(self.goals_of(phase)) for id, phase in self.play.phases.items()}
        found = {id for id, goals in ways.items() if "back" in goals}
        while more := {id for id, goals in ways.items() if goals & found} - found:
            found |= more
        return frozenset(found)

    def goals_of(self, phase: Phase) -> Iterator[str]:
        offers = (self.play.offers[id].then for id in phase.offers if id in self.play.offers)
        yield from (goal.phase for goal in (phase.then, phase.otherwise, *offers) if goal is not None)

    @cached_property
    def keeps(self) -> dict[str, Answer]:
        """Zones of which some tiles do not count as there, with how many."""
        return {zone.id: self.answer(zone.keep) for zone in self.rules.data.zones.values() if zone.keep is not None}

    @cached_property
    def wall(self) -> str:
        """The zone that draws come from unless they say another."""
        return "wall"

    @cached_property
    def exhausted(self) -> str:
        """The phase that follows where the play cannot go on."""
        zones = self.rules.data.zones
        named = [zones["wall"].when_empty] if "wall" in zones else []
        return next((phase for phase in (*named, *(zone.when_empty for zone in zones.values())) if phase), "end")


def enough(counts: list[int], needs: tuple[tuple[int, int], ...]) -> bool:
    """There are as many of each tile as are needed."""
    for tile, number in needs:  # noqa: SIM110 - a generator takes twice as long, and this is asked at every turn
        if counts[tile] < number:
            return False
    return True


def chosen_words(offer: Offer) -> frozenset[str]:
    """The words that stand for what is chosen."""
    names = {choose.name for choose in offer.choose}
    if offer.group or any(choose.kind == "group" for choose in offer.choose):
        names.add("group")
    if any(choose.onto for choose in offer.choose):
        names.add("tile")
    return frozenset(names)


def own_tile(offer: Offer) -> str | None:
    """The name of the only choice, where it is one tile of the own hand."""
    if len(offer.choose) != 1 or offer.group:
        return None
    (choose,) = offer.choose
    of_hand = isinstance(choose.source, Word) and choose.source.name == "hand" and choose.source.of is None
    plain = choose.kind == "tiles" and choose.type == "tile" and choose.of is None and choose.when is None
    return choose.name if plain and of_hand and choose.name == "tile" else None


def is_near(source: Ir | None) -> bool:
    """Tiles of one place only: no seat is named in an expression for them."""
    if isinstance(source, Apply) and source.op == "tiles":
        source = source.args[0]
    return source is None or (isinstance(source, Word) and source.of is None)
