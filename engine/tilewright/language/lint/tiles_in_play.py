"""Lint of the tiles in play: enough tiles exist for the deal, and no step loses a tile, doubles it or takes it from
where it cannot be.

Uses the compiled play; reports only what is certain with these options.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tilewright.base.problem import Place, Problem
from tilewright.hands.reading import sizes_of
from tilewright.language.compiled.ir import Const, Ir, Lookup
from tilewright.language.compiled.play import Choose, Loop, Numbers, Step, StepBlock, Use, Verb, every_step
from tilewright.language.expressions.scope import GROUP_ZONE
from tilewright.language.lint.view import PlayView, is_several, zones_in
from tilewright.language.sections.play import START
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare_steps import DeclaredVerb, held, taken_from
from tilewright.language.vocabulary.step_fields import ZoneField
from tilewright.language.vocabulary.steps import Ask, Declare, Draw, Interrupt, MakeMeld, MoveTiles, Shuffle, Swap

WALL, HAND = "wall", "hand"
OF_GROUPS = ("group", "groups")
EVERY_SEAT = (words.seats, words.everyone)
ONE_SEAT = (words.dealer, words.seat, words.turn)

# --- zones


def zones(played: PlayView) -> Iterator[Problem]:
    """Check that tiles move from a zone to one zone, of one seat."""
    for path, ir, goes_there in ends(played):
        found = zones_in(ir)
        if found is None:
            yield not_a_zone(played.place(path))
        elif goes_there and any(map(is_several, found)):
            yield several_zones(played.place(path), found[0])


def ends(played: PlayView) -> Iterator[tuple[str, Ir, bool]]:
    """Every expression for a zone with its path, and whether tiles go there."""
    for step in played.steps:
        for part, zone in held(step.does, ZoneField):
            assert isinstance(part.field, ZoneField)
            yield f"{step.path}.{step.verb}.{part.key}", zone, part.field.goes_in


def needed(played: PlayView) -> Iterator[Problem]:
    """Check that the default zones of verbs exist."""
    wanted: dict[tuple[str, str], tuple[str, str]] = {}  # zone, of -> verb, path
    for step in played.steps:
        for zone, of in unasked(step):
            wanted.setdefault((zone, of), (step.verb, f"{step.path}.{step.verb}"))
    for (zone, of), (verb, path) in wanted.items():
        if zone not in played.data.zones or played.data.zones[zone].of != of:
            yield needs_zone(played.place(path), verb, zone, of)


def unasked(step: Step) -> Iterator[tuple[str, str]]:
    """The default zones of a verb, and their owners."""
    if isinstance(step.does, DeclaredVerb):
        if step.does.declared.fills:
            yield step.does.declared.fills, "seat"
        for part in step.does.declared.parts:
            if isinstance(part.field, ZoneField) and part.field.unless_said and getattr(step.does, part.name) is None:
                yield part.field.unless_said, "table"


def empty(played: PlayView) -> Iterator[Problem]:
    """Check that something follows a draw from an empty zone."""
    reported: set[str] = set()
    for step in played.steps:
        if isinstance(step.does, Draw):
            for word in zones_in(step.does.source or Lookup("tiles", "zone", WALL)) or ():
                zone = played.data.zones.get(word.name)
                if zone is not None and not zone.when_empty and zone.id not in reported:
                    reported.add(zone.id)
                    yield no_when_empty(played.place(f"zones.{zone.id}"), zone.id)


def never_filled(played: PlayView) -> Iterator[Problem]:
    """Check that zones from which tiles are taken get tiles."""
    filled = {*filled_zones(played)}
    reported: set[str] = set()
    for path, ir in sources(played):
        for word in zones_in(ir) or ():
            if word.name not in filled | reported:
                reported.add(word.name)
                yield nothing_there(played.place(path), word.name)


def filled_zones(played: PlayView) -> Iterator[str]:
    """The zones that tiles come to."""
    yield from (zone.id for zone in played.data.zones.values() if zone.takes is not None)
    for step in played.steps:
        if isinstance(step.does, DeclaredVerb):
            yield step.does.declared.fills
        for part, zone in held(step.does, ZoneField):
            if isinstance(part.field, ZoneField) and part.field.goes_in:
                yield from (word.name for word in zones_in(zone) or ())


def sources(played: PlayView) -> Iterator[tuple[str, Ir | None]]:
    """Every expression for a zone that tiles are taken from, with its path."""
    for step in played.steps:
        for part, source in taken_from(step.does):
            yield f"{step.path}.{step.verb}.{part.key}", source
    for choose, path in played.choices:
        yield f"{path}.from", choose.source


# --- moves


def moves(played: PlayView) -> Iterator[Problem]:
    """Check that a move moves something, and that only groups are moved to the melds."""
    for step in played.steps:
        match step.does:
            case MoveTiles(source=Lookup(name="hand" | "melds") as source, to=to) if source == to:
                yield does_nothing(played.place(f"{step.path}.move"), f"from {source.name} to {to.name} nothing moves")
            case Swap(one=one, other=other) if one == other:
                yield does_nothing(played.place(f"{step.path}.swap"), "a tile does not change places with itself")
            case Swap(one=one, other=other) if {one.type, other.type} - {"tile", "any"}:
                yield not_one_tile(played.place(f"{step.path}.swap"))
            case MoveTiles(to=Lookup(name="melds"), tiles=tiles) if tiles is None or tiles.type not in OF_GROUPS:
                yield not_a_group(played.place(f"{step.path}.move.to"))
            case Shuffle(into=Lookup(name="melds")):
                yield not_a_group(played.place(f"{step.path}.shuffle"))


def twice(played: PlayView) -> Iterator[Problem]:
    """Check that a choice is not moved away twice."""
    for steps in played.lists:
        gone: dict[tuple[str, Ir], str] = {}
        for step in certain(steps):
            if isinstance(step.does, Ask | Interrupt | Use | Swap):
                gone.clear()  # unknown
            for source, what in taken(step):
                if (source, what) in gone:
                    yield taken_twice(played.place(f"{step.path}.{step.verb}"), what)
                gone[source, what] = step.path


def certain(steps: tuple[Step, ...]) -> Iterator[Step]:
    """The steps of a list that are always done, once each."""
    for step in steps:
        if step.when is None and step.until is None and not step.loops:
            if isinstance(step.does, StepBlock):
                yield from certain(step.does.steps)
            else:
                yield step


def taken(step: Step) -> Iterator[tuple[str, Ir]]:
    """The choices that a step moves away, with their zones; a meld takes its group out of the hand."""
    match step.does:
        case MoveTiles(source=Lookup(kind="zone", name=name), tiles=Lookup(name=what) as tiles) if is_chosen(tiles):
            yield name, Lookup("any", "choice", what)
        case MakeMeld(group=Lookup(name=what) as group) if is_chosen(group):
            yield HAND, Lookup("any", "choice", what)


def is_chosen(ir: Lookup) -> bool:
    """Whether it is the seat's choice: the same until it is asked again."""
    return ir.of is None and (ir.kind == "choice" or ir.type == "group")


def elsewhere(played: PlayView) -> Iterator[Problem]:
    """Check that a choice is moved out of its zone, or out of one that it was moved to."""
    for offer in played.play.offers.values():
        yield from wrong_places(played, offer.choose, tuple(every_step(offer.do)))
    own = {id: {choose.name for choose in offer.choose} for id, offer in played.play.offers.items()}
    lent = {name for action in played.play.actions.values() for name, _ in action.takes}
    lent |= {loop.letter for step in played.steps for loop in step.loops}
    asked = [choose for choose, _ in played.asked if choose.name not in lent]
    steps = [step for step in played.steps if not moved(step) & own.get(step.path.split(".")[1], set())]
    yield from wrong_places(played, asked, steps)


def wrong_places(played: PlayView, chosen: Iterable[Choose], steps: Sequence[Step]) -> Iterator[Problem]:
    """Moves of a choice out of zones where it never is."""
    places: dict[str, set[str]] = {}
    for choose in chosen:
        if choose.source is not None:
            known = {word.name for word in zones_in(choose.source) or ()}
            places.setdefault(choose.name, set()).update(known or played.data.zones)
    for step in steps:
        for name, zone in goes(step):
            places.get(name, set()).update([zone] if zone else played.data.zones)
    for step in steps:
        match step.does:
            case MoveTiles(source=Lookup(kind="zone", name=zone), tiles=Lookup(kind="choice", name=name)):
                if name in places and zone not in places[name]:
                    yield not_there(played.place(f"{step.path}.move.from"), name, zone, places[name])


def moved(step: Step) -> set[str]:
    return {name for name, _ in goes(step)}


def goes(step: Step) -> Iterator[tuple[str, str]]:
    """The choices that a step moves, with the goal; "" if it may be anywhere."""
    match step.does:
        case MoveTiles(tiles=Lookup(kind="choice", name=name), to=to):
            yield from ((name, word.name) for word in zones_in(to) or ())
        case Swap(one=one, other=other):
            yield from ((word.name, "") for word in (one, other) if isinstance(word, Lookup))
        case MakeMeld(group=Lookup(kind="choice", name=name)):
            yield name, GROUP_ZONE


# --- the deal


@dataclass(slots=True)
class Dealing:
    """Counts the tiles of each zone of the table while the first phases are run, as far as numbers are known: tiles
    that came, and tiles needed."""

    played: PlayView
    came: Counter[str] = field(default_factory=Counter)
    wanted: Counter[str] = field(default_factory=Counter)
    unknown: set[str] = field(default_factory=set)
    held: int = 0  # tiles that came to hands
    stopped: bool = False

    def phases(self) -> None:
        """From the deal to the first question."""
        name, seen = START, set[str]()
        while name not in seen and (phase := self.played.play.phases.get(name)) and not self.stopped:
            seen.add(name)
            self.steps(phase.do, 1)
            if phase.who is not None or phase.then is None:
                return
            name = phase.then.phase

    def steps(self, steps: tuple[Step, ...], times: int) -> None:
        for step in steps:
            if not self.stopped:
                self.step(step, times * self.times(step))

    def times(self, step: Step) -> int:
        """How often a step is certainly done."""
        product = 1 if step.when is None and step.until is None else 0
        for loop in step.loops:
            product *= members(loop, self.played.data.seats.count)
        return product

    def step(self, step: Step, times: int) -> None:
        match step.does:
            case StepBlock(steps=steps):
                self.steps(steps, times)
            case Use(action=action) if action in self.played.play.actions:
                self.steps(self.played.play.actions[action].do, times)
            case Shuffle(into=Lookup(name=zone), tiles=None):
                self.shuffled(zone)
            case Shuffle(into=into):
                self.unknown |= {word.name for word in zones_in(into) or ()}
            case Draw(source=source, count=count):
                self.held += known(count) * times
                self.take(source or Lookup("tiles", "zone", WALL), count, times)
            case MoveTiles(source=source, to=to, count=count):
                if isinstance(to, Lookup) and to.name == HAND:
                    self.held += known(count) * times
                    self.unknown |= set() if known(count) * times else {HAND}
                self.unknown |= {word.name for word in zones_in(to) or ()} if self.on_table(to) else set()
                self.take(source, count, times)
            case Ask() if times:
                self.stopped = True
            case Verb(leaves=True):
                self.stopped = True

    def shuffled(self, zone: str) -> None:
        """Put every tile there, and fill zones that take some."""
        for counted in (self.came, self.wanted, self.unknown):
            counted.clear()
        self.came[zone] = sum(tile.copies for tile in self.played.data.tiles.tiles)
        for one in self.played.data.zones.values():
            if one.takes is not None:
                count = known(one.takes.count) * (self.played.data.seats.count if one.of == "seat" else 1)
                self.wanted[one.takes.source or zone] += count
                self.came[one.id] += count

    def take(self, source: Ir, count: Ir | None, times: int) -> None:
        if self.on_table(source) and isinstance(source, Lookup):
            self.wanted[source.name] += known(count) * times

    def on_table(self, zone: Ir) -> bool:
        known = self.played.data.zones.get(zone.name) if isinstance(zone, Lookup) and zone.kind == "zone" else None
        return known is not None and known.of == "table"


def members(loop: Loop, seats: int) -> int:
    """How many members a loop certainly has."""
    match loop.members:
        case tuple() as listed:
            return len(listed)
        case Numbers(Const(value=int(least)), Const(value=int(most))):
            return max(0, most - least + 1)
        case Lookup() as word if any(every.is_asked(word) for every in EVERY_SEAT):
            return seats
        case Lookup() as word if words.others.is_asked(word):
            return seats - 1
        case Lookup() as word if any(one.is_asked(word) for one in ONE_SEAT):
            return 1
    return 0


def known(count: Ir | None) -> int:
    """A literal number, or 0."""
    return count.value if isinstance(count, Const) and isinstance(count.value, int) and count.value > 0 else 0


def small_wall(played: PlayView) -> Iterator[Problem]:
    """Check that there are enough tiles for the deal before the first question."""
    dealing = Dealing(played)
    dealing.phases()
    for zone, wanted in dealing.wanted.items():
        kept = known(played.data.zones[zone].keep) if zone in played.data.zones else 0
        if wanted > dealing.came[zone] - kept and zone not in dealing.unknown:
            yield too_small(played, zone, wanted, dealing.came[zone], kept)


def fillable(played: PlayView) -> Iterator[Problem]:
    """Check that forms have as many tiles as a seat holds when one more is drawn or claimed. Where several are drawn at
    once, or part of a hand is declared, hands of other sizes win."""
    sizes = [sizes_of(form.shape, played.data.groups) for form in played.data.forms]
    dealt, done = dealt_to_each(played), [step.does for step in played.steps]
    several = any(isinstance(verb, Draw) and known(verb.count) != 1 for verb in done)
    if not dealt or several or any(isinstance(verb, Declare) and verb.tiles is not None for verb in done):
        return
    hands = played.data.seats.hands
    fits = any((dealt + 1) / hands in each for each in sizes)
    if sizes and all(sizes) and not fits and not any(small_wall(played)):
        places = [played.place(f"forms.{form.id}") for form in played.data.forms]
        own = [place for place in places if played.view.is_own(place)]
        yield no_form_filled((*own, played.place(f"phases.{START}.do"))[0], dealt, sorted(frozenset().union(*sizes)))


def dealt_to_each(played: PlayView) -> int:
    """How many tiles each seat gets before the first question; 0 if that is not certain."""
    dealing = Dealing(played)
    dealing.phases()
    return 0 if HAND in dealing.unknown else dealing.held // played.data.seats.count


CHECKS: tuple[Callable[[PlayView], Iterator[Problem]], ...] = (
    zones,
    needed,
    empty,
    never_filled,
    moves,
    twice,
    elsewhere,
    small_wall,
    fillable,
)


# --- problems


def not_a_zone(place: Place) -> Problem:
    return Problem("not-a-zone", "`from` and `to` must be zones", place, "name one of `zones`")


def several_zones(place: Place, zone: Lookup) -> Problem:
    return Problem(
        "several-zones",
        f"tiles go to one zone, but this is the {zone.name} of several seats",
        place,
        "make a loop: `for` those seats",
    )


def needs_zone(place: Place, verb: str, zone: str, of: str) -> Problem:
    owner = "every seat has" if of == "seat" else "the table has"
    return Problem("needs-zone", f"{verb} needs a zone {zone} that {owner}", place, f"add it to `zones`, of: {of}")


def no_when_empty(place: Place, zone: str) -> Problem:
    return Problem(
        "no-when-empty", f"nothing follows when a draw from {zone} finds no tile", place, "add when_empty: a phase"
    )


def nothing_there(place: Place, zone: str) -> Problem:
    return Problem(
        "never-filled",
        f"no tile ever reaches {zone}",
        place,
        "move tiles there, or let it take some (`takes`) when the wall is shuffled",
        "warning",
    )


def does_nothing(place: Place, why: str) -> Problem:
    return Problem("does-nothing", why, place, "leave it out, or name another zone or tile")


def not_one_tile(place: Place) -> Problem:
    return Problem("not-one-tile", "two tiles change places, and one of these may be several", place, "use `move`")


def not_a_group(place: Place) -> Problem:
    return Problem("not-a-group", "melds are groups, and these are tiles", place, "use `meld` with a group")


def taken_twice(place: Place, what: Ir) -> Problem:
    name = what.name if isinstance(what, Lookup) else "this"
    return Problem("taken-twice", f"{name} was already taken from there", place, "leave one of the steps out")


def not_there(place: Place, what: str, zone: str, places: set[str]) -> Problem:
    known = " or ".join(sorted(places))
    return Problem("not-there", f"{what} is not in {zone}: it is chosen from {known}", place)


def no_form_filled(place: Place, dealt: int, sizes: Sequence[int]) -> Problem:
    return Problem(
        "unfillable-forms",
        f"a seat is dealt {dealt} tiles and wins with {dealt + 1}, and forms have {' or '.join(map(str, sizes))}",
        place,
        "deal another number of tiles, change the groups of the forms, or declare part of a hand",
        "warning",
    )


def too_small(played: PlayView, zone: str, wanted: int, there: int, kept: int) -> Problem:
    full, keeps = played.view.full, f" ({kept} are kept)" if kept else ""
    of_box = zone == WALL and there > 0 and "tiles" in full.entries
    return Problem(
        "wall-too-small",
        f"{wanted} tiles are dealt and set aside out of {zone}, and there are {there}{keeps}",
        full.key("tiles").place if of_box else played.place(f"zones.{zone}"),
        None if there else "shuffle the tiles first, or let the zone take some",
    )
