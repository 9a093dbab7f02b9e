"""The code of a play: every phase, offer, action and trigger written as instructions. Raises NotSayable."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, Term, WordCall
from tilewright.language.compiled.play import Goal, Offer, Phase, Trigger
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import asking, going
from tilewright.play.compiled.writing.conditions import jump_unless
from tilewright.play.compiled.writing.offers import MOST_CHOICES, Offering, write_offering
from tilewright.play.compiled.writing.steps import end_marks, event, trigger, write_goal, write_steps
from tilewright.play.compiled.writing.values import value
from tilewright.play.compiled.writing.words import list_tiles
from tilewright.play.compiled.writing.writer import OF_FRAME, Expressions, Label, Named, NotSayable, Scope, Writer
from tilewright.play.group_index import GroupIndex, MeldWay
from tilewright.play.offers import bars_of_claims, marks_ended_by_discard
from tilewright.play.program import Program
from tilewright.play.value_bounds import ValueBounds

EXPRESSIONS = Expressions(value, jump_unless, list_tiles)
SEAT, TURN, WINS = Lookup("seat", "word", "seat"), Lookup("seat", "word", "turn"), Lookup("truth", "word", "wins")


@dataclass(frozen=True, slots=True)
class PlayCode:
    """What was written. `offerings`: every offer of every phase; `goals`: where the code begins that follows each of
    them; `phases`, `offers`: where theirs begins; `barred`: where the code begins of whether a seat is barred from
    winning on a discard, now and after it has discarded a tile, or NONE."""

    writer: Writer
    offerings: tuple[Offering, ...]
    goals: tuple[int, ...]
    phases: tuple[int, ...]
    offers: tuple[int, ...]
    barred: tuple[int, int]


def write_play(program: Program, bounds: ValueBounds | None = None) -> PlayCode:
    """The code of a play; `bounds`: what hands may be worth, where that is asked before the host. Raises NotSayable
    with the first part of it that cannot be written."""
    expect_sayable(program)
    writer = Writer(program, EXPRESSIONS, bounds=bounds)
    play = program.play
    offerings, goals = list[Offering](), list[Label]()
    for phase in play.phases.values():
        own = [
            Offering(len(offerings) + number, phase, play.offers[id])
            for number, id in enumerate(one for one in phase.offers if one in play.offers)
        ]
        offerings += own
        for offering in own:
            goals.append(goal_of(writer, offering.offer.then if offering.offer.then is not None else phase.then))
        write_phase(writer, phase, own)
    for action in play.actions.values():
        writer.place(writer.routine("action", action.id))
        scope = given(action.takes)
        write_steps(writer, action.do, scope)
        event(writer, action.id, scope)
        writer.write(going.give_back)
    for offer in play.offers.values():
        write_offer(writer, offer)
    for one in play.triggers:
        writer.place(writer.routine("trigger", one.id))
        write_trigger(writer, one)
        writer.write(going.give_back)
    barred = write_bars(writer, discards=False), write_bars(writer, discards=True)
    writer.finish()
    phases = tuple(known(writer.routine("phase", id)) for id in play.phases)
    offers = tuple(known(writer.routine("offer", id)) for id in play.offers)
    return PlayCode(writer, tuple(offerings), tuple(map(known, goals)), phases, offers, barred)


def given(takes: Sequence[tuple[str, str]]) -> Scope:
    """The scope of an action or a trigger: its arguments come first in its frame."""
    letters = {name: Named(type, at.FRAME + 1 + number) for number, (name, type) in enumerate(takes)}
    return Scope(letters=letters, source=OF_FRAME, top=1 + len(letters))


def write_trigger(writer: Writer, trigger: Trigger) -> None:
    """The steps of a trigger; what is in question is read once where they only mark, and ask for it often."""
    steps, place, requests, scope = trigger.do, len(writer.code), len(writer.requests), given(trigger.takes)
    write_steps(writer, steps, scope)
    read = sum(line.operation in (going.fact_tile, going.fact_discarder) for line in writer.code[place:])
    if read <= 2 or writer.program.verbs(steps) != {"mark"}:
        return
    writer.back_to(place, requests)
    for name, type, instruction in (("tile", "tile", going.fact_tile), ("discarder", "seat", going.fact_discarder)):
        register, scope = scope.free()
        writer.write(instruction, register, at.HAS_FACTS)
        scope = scope.knowing(name, Named(type, register))
    write_steps(writer, steps, scope)


def write_bars(writer: Writer, discards: bool) -> int:
    """Write whether a seat, as far as it knows, is barred from winning on a discard: after it has discarded a tile of
    its hand, or now. Returns where that code begins; NONE where it cannot be written."""
    place, requests, ended = len(writer.code), len(writer.requests), Named("truth", writer.constant(0))
    letters = dict.fromkeys(marks_ended_by_discard(writer.program), ended) if discards else {}
    scope = Scope(letters=letters, less=at.FRAME + 1 if discards else at.NONE, top=2)
    try:
        for _, condition in bars_of_claims(writer.program):
            no = Label()
            writer.unless(condition, scope, no)
            writer.write(asking.tried, writer.constant(1))
            writer.place(no)
    except NotSayable:
        writer.back_to(place, requests)
        return at.NONE
    writer.write(asking.tried, ended.register)
    return place


def known(label: Label) -> int:
    assert label.place is not None
    return label.place


def expect_sayable(program: Program) -> None:
    """Raise NotSayable for what no code can do yet."""
    data, play = program.data, program.play
    if program.watch is not None:
        raise NotSayable("a play that is watched")
    if program.reverse is not None:
        raise NotSayable("turns that go the other way round")
    if program.shifts:
        raise NotSayable("wild tiles that change in play")
    if program.count > at.MOST_SEATS or len(program.face) > at.MOST_TILES or program.first > at.MOST_FACES:
        raise NotSayable(f"more than {at.MOST_SEATS} seats, {at.MOST_FACES} faces or {at.MOST_TILES} tiles")
    if len(data.groups.groups) > at.GROUP_MASK:
        raise NotSayable(f"more than {at.GROUP_MASK} groups")
    if len(data.marks) > at.MOST_MARKS or len(play.offers) > at.MOST_OFFERS:
        raise NotSayable(f"more than {at.MOST_MARKS} marks or {at.MOST_OFFERS} offers")
    if "hand" not in data.zones or program.wall not in data.zones:
        raise NotSayable("a table without hands or a wall")
    if "melds" in data.zones and any(zone.of != "seat" for zone in data.zones.values() if zone.id in ("melds", "hand")):
        raise NotSayable("hands or melds of the table")
    for zone in data.zones.values():
        if zone.keep is not None and not (isinstance(zone.keep, Const) and isinstance(zone.keep.value, int)):
            raise NotSayable(f"zones.{zone.id}: the tiles it keeps change")
    for offer in play.offers.values():
        if offer.most is not None and not isinstance(offer.most, Const):
            raise NotSayable(f"offers.{offer.id}: how many may take it changes")
    for mark in data.marks.values():
        if mark.type not in ("truth", "number", "seat", "suit", "tiles"):
            raise NotSayable(f"marks.{mark.id}: a mark of type {mark.type}")


def goal_of(writer: Writer, goal: Goal | None) -> Label:
    """The code that follows a phase whose answer was taken."""
    label = Label()
    writer.place(label)
    write_goal(writer, goal, Scope())
    return label


def write_phase(writer: Writer, phase: Phase, offerings: list[Offering]) -> None:
    """What a phase does automatically, asks, and continues with."""
    scope, asks = Scope(), phase.who is not None and bool(phase.offers)
    then, otherwise = (goal_of(writer, goal) if asks else Label() for goal in (phase.then, phase.otherwise))
    writer.place(writer.routine("phase", phase.id))
    write_steps(writer, phase.do, scope)
    if asks:
        write_question(writer, phase, offerings, otherwise)
    event(writer, phase.id, Scope(at.TURN), subject=True)
    if asks:
        writer.write(going.follow, then)
    else:
        write_goal(writer, phase.then, scope)


def write_question(writer: Writer, phase: Phase, offerings: list[Offering], otherwise: Label) -> None:
    """Who is asked in a phase, for what, and who takes it."""
    assert phase.who is not None
    awaited = phase.id in writer.program.awaited
    if awaited:
        writer.write(going.find_subject)
    who, inner = writer.seats(phase.who, Scope())
    left, inner = inner.free()
    seat, inner = inner.free()
    again, end = Label(), Label()
    writer.write(asking.begin, seat, left, who, end, sieve_of(writer, offerings))
    writer.place(again)
    for offering in offerings:
        write_offering(writer, offering, inner.of_seat(seat))
    writer.write(asking.end_seat, seat, left, again)
    writer.place(end)
    writer.write(asking.end, otherwise, int(phase.otherwise is not None), int(not awaited))
    writer.write(asking.take, int(not awaited))


def sieve_of(writer: Writer, offerings: Sequence[Offering]) -> int:
    """Where it is written what a seat needs for any offer of a question; 0 where that is not only tiles: then every
    seat is looked at."""
    wins, claims = 0, list[tuple[str, bool]]()
    for offer in (one.offer for one in offerings):
        parts = list(parts_of(offer.when))
        if any(isinstance(part, Lookup) and part == WINS for part in parts):
            wins = 1
        elif offer.group:
            claims.append((offer.group, any(map(is_next, parts))))
        else:
            return 0
    needed = dict.fromkeys(one for one in claims if not any(is_told_by(writer, one, other) for other in claims))
    place = len(writer.sieves)
    writer.sieves += (wins, len(needed))
    for group, only_next in needed:
        writer.sieves += (writer.kind(group, writer.claimed), int(only_next))
    return place


def is_told_by(writer: Writer, claim: tuple[str, bool], other: tuple[str, bool]) -> bool:
    """Whether a seat that has the tiles for a claim (a kind of groups, and whether only the next seat may) has those
    for the other one, too, as those of a kong for a pung; but not the other way round."""
    (kind, is_nexts), (other_kind, is_others_nexts) = claim, other
    if is_others_nexts > is_nexts or not includes(writer, kind, other_kind):
        return False
    return is_nexts > is_others_nexts or not includes(writer, other_kind, kind)


def includes(writer: Writer, kind: str, other: str) -> bool:
    """Whether a hand with the rest of any group of a kind has that of one of the other kind, whatever tile is in
    question."""
    groups = writer.program.groups
    return all(
        any(is_part_of(groups, less, more) for less in groups.ways_of(other, tile))
        for tile in range(writer.program.first)
        for more in groups.ways_of(kind, tile)
    )


def is_part_of(groups: GroupIndex, less: MeldWay, more: MeldWay) -> bool:
    """Whether a hand with the rest of one group has that of the other, wild tiles among them."""
    wild, other_wild = groups.served(less.group), groups.served(more.group)
    return Counter(dict(less.rest)) <= Counter(dict(more.rest)) and all(
        set(wild.get(tile, ())) >= set(other_wild.get(tile, ())) for tile, _ in less.rest
    )


def parts_of(condition: Ir | None) -> Iterator[Ir]:
    """The parts of a condition that all have to hold."""
    if isinstance(condition, Term) and condition.of is None:
        yield from parts_of(condition.body)
    elif isinstance(condition, Apply) and condition.op == "and":
        for part in condition.args:
            yield from parts_of(part)
    elif condition is not None:
        yield condition


def is_next(condition: Ir) -> bool:
    """Whether it says that the seat comes after the one whose turn it is."""
    if not isinstance(condition, Apply) or condition.op != "==":
        return False
    left, right = condition.args
    return left == SEAT and isinstance(right, WordCall) and right.name == "next" and right.args == (TURN,)


def write_offer(writer: Writer, offer: Offer) -> None:
    """What taking an offer does. Its marks end first, its triggers follow."""
    first = at.FRAME + 1 + bool(offer.group)  # a group of the tile in question is the first choice
    letters = {choose.name: Named(choose.type, first + n) for n, choose in enumerate(offer.choose)}
    scope = Scope(letters=letters, top=1 + MOST_CHOICES)
    writer.place(writer.routine("offer", offer.id))
    end_marks(writer, offer.id, scope)
    write_steps(writer, offer.do, scope)
    if offer.id in writer.program.awaited:
        trigger(writer, offer.id, scope, subject=True)
    writer.write(going.give_back)
