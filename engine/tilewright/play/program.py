"""Programs: the play of a ruleset as data, with lookups over its tiles, offers and groups, and what its scoring needs
from the table.

Compiled once for a ruleset by `tilewright.play.compile` and shared by its matches. Knows no table.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from tilewright.base.memory import TheSame
from tilewright.hands.reading import WildTiles
from tilewright.language.compiled.ir import Ir, Lookup, Term, WordCall, nodes, zones_in
from tilewright.language.compiled.play import Goal, Phase, Play, Restriction, Step, StepBlock, Use
from tilewright.language.compiled.ruleset import CompiledRuleset, Form, Mark, Measure, Pattern
from tilewright.language.vocabulary.words import seen
from tilewright.play.group_index import Counted, GroupIndex
from tilewright.play.model import Move, TableMeld
from tilewright.play.operations import CompiledOffer, CompiledTrigger, Listeners, Operations, SceneFunction, Watch
from tilewright.play.rejections import Blocks, GroupSizes, blocks_of, sizes_of
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.image.engine import asks_reading
from tilewright.scoring.plain.scene import KNOWN_ZONES
from tilewright.scoring.program.conditions import expressions
from tilewright.scoring.program.measures import asks_seats
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.wildness import Now
from tilewright.tiles.notation import write_tile

Needs = tuple[Counted, ...]  # alternatives

MOST_KNOWN = 16


@dataclass(frozen=True)
class ScoringNeeds:
    """What scoring needs from the table: truth marks and terms as flags, other marks, zones. `others`: also of seats
    that did not win; `seen`: the tiles that all can see."""

    flags: tuple[str, ...]
    marks: tuple[str, ...]
    terms: tuple[str, ...]
    zones: tuple[str, ...]
    others: bool
    seen: bool


def scoring_needs(data: CompiledRuleset) -> ScoringNeeds:
    """What the scoring of a ruleset needs from the table."""
    scoring = data.scoring
    return needs_of(TheSame((data.patterns, data.forms, scoring.measures, scoring.minimum, data.marks)))


@lru_cache(maxsize=MOST_KNOWN)
def needs_of(parts: TheSame) -> ScoringNeeds:
    """What patterns, forms, measures, and the minimum need: most mods and options leave them as they are."""
    patterns, _, _, _, known_marks = parts
    found = [node for ir in scoring_expressions(*parts[:4]) for node in nodes(ir)]
    marks = [node.name for node in found if isinstance(node, Lookup) and node.kind == "mark"]
    table_terms = [node.name for node in found if isinstance(node, Term) and is_of_table(node.body)]
    inside = {
        id(inner) for node in found if isinstance(node, Term) and is_of_table(node.body) for inner in nodes(node.body)
    }
    zones = [n.name for n in found if isinstance(n, Lookup) and n.kind == "zone" and id(n) not in inside]
    return ScoringNeeds(
        tuple(dict.fromkeys(name for name in marks if known_marks[name].type == "truth")),
        tuple(dict.fromkeys(name for name in marks if known_marks[name].type != "truth")),
        tuple(dict.fromkeys(table_terms)),
        tuple(dict.fromkeys(name for name in zones if name not in KNOWN_ZONES)),
        any(asks_seats(ir) for pattern in patterns for ir in expressions(pattern)),
        any(isinstance(node, WordCall) and node.name == seen.name for node in found),
    )


def is_of_table(body: Ir) -> bool:
    """Whether only the table can evaluate it: it uses zones that a hand does not have, and needs no reading."""
    uses_table = any(zone not in KNOWN_ZONES for zone in zones_in(body)) or any(
        isinstance(node, WordCall) and node.name == "towards" for node in nodes(body)
    )
    return uses_table and not asks_reading(body)


def scoring_expressions(
    patterns: Iterable[Pattern], forms: Iterable[Form], measures: Iterable[Measure], minimum: Iterable[tuple[str, Ir]]
) -> Iterator[Ir]:
    for pattern in patterns:
        yield from expressions(pattern)
        for worth in (pattern.worth, pattern.exposed or {}):
            yield from worth.values()
    for form in forms:
        if form.when is not None:
            yield form.when
    for measure in measures:
        yield from (ir for ir in (measure.start, measure.cap, measure.value) if ir is not None)
        yield from (row for _, row in measure.table)
    yield from (least for _, least in minimum)


@dataclass(frozen=True, repr=False)
class Program:
    """The play of one ruleset.

    `evaluator`: the function of a scene that evaluates an expression; `as_wild`: this program with other tiles wild.
    `actions`, `offers`, `triggers`, `phases`: operations by id; `offerings`: the offers of each phase; `listeners`:
    what each event sets off, without events that set off nothing; `bars_of_wins`: restrictions that bar every win and
    depend on the own hand alone; `bars_of_claims`: those that bar wins on tiles of others and depend on the own waits
    and what the seat knows; `keeps`: how many tiles of a zone do not count as there, for a table and a seat; `reverse`:
    whether turns go the other way round at a table; `watch`: what is told of everything that games ask and do.
    """

    rules: ScoringRules
    evaluator: Callable[[Ir], SceneFunction]
    as_wild: Callable[[Now], "Program"]
    actions: dict[str, Operations] = field(default_factory=dict)
    offers: dict[str, Operations] = field(default_factory=dict)
    triggers: dict[str, CompiledTrigger] = field(default_factory=dict)
    phases: dict[str, Operations] = field(default_factory=dict)
    offerings: dict[str, tuple[CompiledOffer, ...]] = field(default_factory=dict)
    listeners: dict[str, Listeners] = field(default_factory=dict)
    bars_of_wins: list[SceneFunction] = field(default_factory=list)
    bars_of_claims: list[tuple[Restriction, SceneFunction]] = field(default_factory=list)
    keeps: dict[str, Callable[..., int]] = field(default_factory=dict)
    reverse: Callable[..., bool] | None = None
    watch: Watch | None = None
    moves: dict[Any, Move] = field(default_factory=dict)  # by their text, shared

    @property
    def data(self) -> CompiledRuleset:
        return self.rules.data

    @cached_property
    def hands(self) -> int:
        """How many hands each seat makes of its tiles."""
        return self.data.seats.hands

    @cached_property
    def asks(self) -> dict[str, Mapping[str, str]]:
        """What each phase that asks is called."""
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
        """For a seat and a direction (1, -1), the others in turn order after it."""
        count = self.count
        return {
            (seat, step): tuple((seat + by * step) % count for by in range(1, count))
            for seat in range(count)
            for step in (1, -1)
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the seats, the pot last."""
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
    def alike(self) -> list[int]:
        """A number for every face and every tile of the table, which those share that are equivalent."""
        tiles = self.rules.data.tiles.tiles
        numbers: dict[tuple[int, frozenset[str]], int] = {}
        return [numbers.setdefault((tiles[face].plain, tiles[face].marks), len(numbers)) for face in self.face]

    @cached_property
    def equivalents(self) -> dict[int, list[int]]:
        """The tiles of the box by that number."""
        found: dict[int, list[int]] = {}
        for tile in self.box:
            found.setdefault(self.alike[tile], []).append(tile)
        return found

    @cached_property
    def seen_by(self) -> list[str]:
        """Who sees a face, and a tile of the table, wherever it is except in a wall; empty: as its place declares."""
        tiles = self.rules.data.tiles.tiles
        return [tiles[face].seen_by for face in self.face]

    @cached_property
    def has_seen_tiles(self) -> bool:
        """Whether the visibility of some tiles differs from that of their place."""
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
        """Whether some tiles that are equivalent in play look different."""
        return any(tile.plain != tile.index and tile.copies for tile in self.rules.data.tiles.tiles)

    @cached_property
    def place(self) -> list[int]:
        """The position of every face, and so of every tile of the table, in a sorted hand."""
        order = {face: number for number, face in enumerate(self.rules.data.tiles.order)}
        return [order.get(face, len(order)) for face in self.face]

    @cached_property
    def code(self) -> list[str]:
        """The code of every tile."""
        tiles = self.rules.data.tiles
        written = [write_tile(face, tiles) for face in range(self.first)]
        return [written[face] for face in self.face]

    # --- tiles that only the table makes wild

    @cached_property
    def shifts(self) -> bool:
        """Whether the wild tiles may change at the table."""
        return self.rules.shifts

    # --- expressions and steps

    def perhaps(self, ir: Ir | None) -> SceneFunction | None:
        return None if ir is None else self.evaluator(ir)

    @cached_property
    def otherwise(self) -> dict[str, tuple[str, SceneFunction | None] | None]:
        """Phase -> the goal if nobody takes anything."""
        return {id: self.goal(phase.otherwise) for id, phase in self.play.phases.items()}

    def goal(self, goal: Goal | None) -> tuple[str, SceneFunction | None] | None:
        return None if goal is None else (goal.phase, self.perhaps(goal.seat))

    # --- events

    @cached_property
    def awaited(self) -> frozenset[str]:
        """The events that set something off."""
        return awaited_in(self.play, self.rules.data.marks)

    # --- offers

    def asked_about(self, phase: str, tile: int | None) -> tuple[tuple[CompiledOffer, Needs | None], ...]:
        """The offers of a phase, each with what a hand without wild tiles needs for its group with this plain tile in
        question; None if it makes no group. Offers of groups that the tile cannot make are left out."""
        known = self.asked_before.get((phase, tile))
        if known is None:
            every = [(offering, self.needed(offering, tile)) for offering in self.offerings[phase]]
            known = self.asked_before[phase, tile] = tuple(one for one in every if one[1] is None or one[1])
        return known

    @cached_property
    def asked_before(self) -> dict[tuple[str, int | None], tuple[tuple[CompiledOffer, Needs | None], ...]]:
        return {}

    def needed(self, offering: CompiledOffer, tile: int | None) -> Needs | None:
        kind = offering.offer.group
        if not kind:
            return None
        if tile is None:
            return ()
        return tuple(way.rest for way in self.groups.ways_of(kind, tile))

    def named(self, name: str, phase: str) -> frozenset[str]:
        """The offers of a phase that this name of a restriction or button means: an offer, a verb that offers do, or
        either of them in one phase (`claims.meld`)."""
        if (name, phase) not in self.named_before:
            self.named_before[name, phase] = named_in(self.play, name, phase)
        return self.named_before[name, phase]

    @cached_property
    def named_before(self) -> dict[tuple[str, str], frozenset[str]]:
        return {}

    def verbs(self, steps: Iterable[Step]) -> set[str]:
        """Every verb and action that steps do."""
        return verbs_in(self.play, steps)

    # --- groups

    @cached_property
    def wild(self) -> WildTiles:
        return WildTiles(self.rules.data.tiles)

    @cached_property
    def groups(self) -> GroupIndex:
        """The groups that tiles make."""
        return GroupIndex(self.data, self.wild)

    # --- scoring

    @cached_property
    def asked(self) -> ScoringNeeds:
        """What scoring needs from the table."""
        return scoring_needs(self.data)

    @cached_property
    def table_terms(self) -> tuple[tuple[str, SceneFunction], ...]:
        """Terms that scoring needs and only the table can evaluate."""
        return tuple((name, self.evaluator(self.rules.data.terms[name])) for name in self.asked.terms)

    @cached_property
    def blocks(self) -> Blocks:
        """A quick rejection of hands, for the forms that can be decided tile by tile."""
        return blocks_of(TheSame((self.rules.engine, self.rules.judge.reader, self.data.tiles)), tuple(self.face))

    @cached_property
    def sizes(self) -> GroupSizes:
        """The same for the other forms."""
        forms = [form for form in self.data.forms if form.id not in self.blocks.known]
        return sizes_of(TheSame((self.data.tiles, self.data.groups, *forms)))

    @cached_property
    def slow_to_read(self) -> bool:
        """Whether readings of a hand are searched for, not looked up: then a check beforehand pays."""
        return not self.rules.engine.fits

    @cached_property
    def judges_alone(self) -> bool:
        """Whether scoring may tell without a table what hands are worth: it knows wild tiles, and seats make one."""
        return self.hands == 1 and (not self.data.tiles.wild or self.rules.engine.with_wild is not None)

    @cached_property
    def asks_when(self) -> bool:
        """Whether some form has a condition that only the table can evaluate."""
        return any(form.when is not None for form in self.rules.data.forms)

    @cached_property
    def completed(self) -> dict[Any, tuple[int, frozenset[int | None]]]:
        """A cache: how many tiles hands need at least, and those that may complete them."""
        return {}

    @cached_property
    def waits(self) -> dict[Any, tuple[int, ...]]:
        """A cache of the waits of hands."""
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
    def wall(self) -> str:
        """The zone that draws come from by default."""
        return "wall"

    @cached_property
    def exhausted(self) -> str:
        """The phase that follows when play cannot continue."""
        zones = self.rules.data.zones
        named = [zones["wall"].when_empty] if "wall" in zones else []
        return next((phase for phase in (*named, *(zone.when_empty for zone in zones.values())) if phase), "end")


# --- what is asked of a play


def awaited_in(play: Play, marks: Mapping[str, Mark]) -> frozenset[str]:
    """The events that set something off."""
    events = {event for trigger in play.triggers for event in trigger.after}
    return frozenset(events | {event for mark in marks.values() for event in (*mark.own, *mark.any)})


def named_in(play: Play, name: str, phase: str) -> frozenset[str]:
    """The offers of a phase that a name of a restriction or button means."""
    where, _, what = name.rpartition(".")
    offers = [play.offers[id] for id in play.phases[phase].offers] if where in ("", phase) else []
    is_offer = what in play.offers
    return frozenset(
        offer.id for offer in offers if (offer.id == what if is_offer else what in verbs_in(play, offer.do))
    )


def verbs_in(play: Play, steps: Iterable[Step]) -> set[str]:
    """Every verb and action that steps do."""
    found, todo = set[str](), [*steps]
    while todo:
        step = todo.pop()
        todo += step.other
        if isinstance(step.does, StepBlock):
            todo += step.does.steps
        elif step.verb not in found:
            found.add(step.verb)
            todo += play.actions[step.does.action].do if isinstance(step.does, Use) else ()
    return found


def regrouped(program: Program, group: TableMeld, gone: int, came: int) -> TableMeld:
    """The group with one tile in place of another, with its new kind."""
    found = refitted(program, group, gone, came)
    return group if found is None else found


def refitted(program: Program, group: TableMeld, gone: int, came: int) -> TableMeld | None:
    """The group with one tile in place of another; None if that is not a group."""
    stood = dict(group.wild).get(gone, program.plain[gone])
    tiles = tuple(came if tile == gone else tile for tile in group.tiles)
    rest = tuple(pair for pair in group.wild if pair[0] != gone)
    plain = program.plain[came]
    if plain == stood:
        return replace(group, tiles=tiles, wild=rest)
    if plain in program.groups.served(group.group).get(stood, ()):
        return replace(group, tiles=tiles, wild=(*rest, (came, stood)))
    stands = dict(rest)
    key = tuple(sorted(stands.get(tile, program.plain[tile]) for tile in tiles))
    index = program.rules.data.groups.by_tiles.get(key)
    return None if index is None else replace(group, group=index, tiles=tiles, wild=rest)


def completing(program: Program, group: TableMeld) -> tuple[int, ...]:
    """The plain tiles that complete the group's kind with the tiles from the hand."""
    given = [tile for tile in group.tiles if tile != group.claimed]
    stands = dict(group.wild)
    rest = sorted(stands.get(tile, program.plain[tile]) for tile in given)
    groups = program.rules.data.groups
    kinds = groups.groups[group.group].kinds | groups.groups[group.group].meld_kinds
    tiles = program.rules.data.tiles.tiles
    found = []
    for tile in tiles:
        index = groups.by_tiles.get(tuple(sorted([*rest, tile.index])))
        if index is not None and kinds & (groups.groups[index].kinds | groups.groups[index].meld_kinds):
            found.append(tile.index)
    return tuple(found)
