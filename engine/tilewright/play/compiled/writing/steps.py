"""Steps as code: what phases, offers, actions and triggers do (`play.steps`, as instructions)."""

from collections.abc import Callable, Sequence

from tilewright.language.compiled.ir import Ir, Lookup, Quantifier, nodes
from tilewright.language.compiled.play import MOST_TURNS, Goal, Loop, Numbers, Step, StepBlock, Use, Verb
from tilewright.language.compiled.ruleset import Mark, Zone
from tilewright.language.vocabulary.steps import (
    Ask,
    Declare,
    Draw,
    Final,
    Finish,
    Go,
    Hide,
    Interrupt,
    MakeMeld,
    MoveTiles,
    Refund,
    Remember,
    Retire,
    Reveal,
    Roll,
    Settle,
    Shuffle,
    Swap,
)
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, going, moving, seating
from tilewright.play.compiled.writing.offers import ask
from tilewright.play.compiled.writing.values import lines_of, write_settlement
from tilewright.play.compiled.writing.words import each_listed, each_meld, each_seat, is_melds, terms_held
from tilewright.play.compiled.writing.writer import (
    GIVEN,
    NO_FACTS,
    Label,
    Named,
    NotSayable,
    Scope,
    Writer,
)
from tilewright.play.program import Program

MOST_ARGUMENTS = 4
MOST_UNSET = at.INSTRUCTION - 1  # marks that one instruction ends


def write_steps(writer: Writer, steps: Sequence[Step], scope: Scope) -> None:
    for step in steps:
        write_step(writer, step, scope)


def write_step(writer: Writer, step: Step, scope: Scope) -> None:
    """The instructions of a step; where it has none, the machine stops, and the game is played by `Match`."""
    place, requests = len(writer.code), len(writer.requests)
    try:
        looped(writer, step, step.loops, scope)
    except NotSayable:
        writer.back_to(place, requests)
        writer.write(going.leave)


def looped(writer: Writer, step: Step, loops: Sequence[Loop], scope: Scope) -> None:
    """The step, once for each member of its loops."""
    if not loops:
        turns(writer, step, scope)
        return
    loop, rest = loops[0], loops[1:]
    if isinstance(loop.members, tuple | Numbers):
        raise NotSayable("a loop over a list")
    if not loop.letter:
        over_seats(writer, step, loop.members, rest, scope)
    elif loop.members.type in ("tile", "tiles"):
        number, inner = writer.tiles(loop.members, scope)

        def of_tile(here: Scope, tile: int) -> None:
            looped(writer, step, rest, here.naming(loop.letter, Named("tile", tile)))

        each_listed(writer, number, inner, of_tile)
    elif loop.members.type == "seat" or (isinstance(loop.members, Lookup) and loop.members.name == "everyone"):
        among, inner = writer.seats(loop.members, scope)

        def of_seat(here: Scope, seat: int) -> None:
            looped(writer, step, rest, here.naming(loop.letter, Named("seat", seat)))

        each_seat(writer, among, inner, of_seat)
    elif isinstance(loop.members, Quantifier) and loop.members.op == "those" and is_melds(loop.members.domain):
        those = loop.members

        def of_meld(here: Scope) -> None:
            meld, skip = here.variables[those.letter], Label()
            writer.unless(those.body, here, skip)
            looped(writer, step, rest, here.naming(loop.letter, meld))
            writer.place(skip)

        expect_lying(writer.program, step)
        each_meld(writer, those, scope, of_meld)
    else:
        raise NotSayable(f"a loop over {loop.members.type}")


def expect_lying(program: Program, step: Step) -> None:
    """Raise NotSayable for a step that may change melds: a loop runs over those that lay there before."""
    if not isinstance(step.does, Reveal | Remember):
        raise NotSayable("a loop over melds that does more than reveal or mark")


def over_seats(writer: Writer, step: Step, members: Ir, rest: Sequence[Loop], scope: Scope) -> None:
    """The step with each seat in turn as the seat: it is the seat of the frame meanwhile."""
    among, inner = writer.seats(members, scope)
    before, inner = inner.free()
    writer.write(counting.copy, before, scope.seat)

    def of_seat(here: Scope, seat: int) -> None:
        writer.write(counting.copy, at.FRAME, seat)
        looped(writer, step, rest, here)

    each_seat(writer, among, inner, of_seat)
    writer.write(counting.copy, at.FRAME, before)


def turns(writer: Writer, step: Step, scope: Scope) -> None:
    """The step, again and again until its condition holds."""
    if step.until is None:
        conditional(writer, step, scope)
        return
    left, inner = scope.free()
    again, goes_on, end = Label(), Label(), Label()
    writer.write(counting.copy, left, writer.constant(MOST_TURNS))
    writer.place(again)
    writer.write(counting.if_equal, left, writer.constant(0), end)
    writer.unless(step.until, inner, goes_on)
    writer.write(counting.jump, end)
    writer.place(goes_on)
    writer.write(counting.subtract, left, left, writer.constant(1))
    conditional(writer, step, inner)
    writer.write(counting.jump, again)
    writer.place(end)


def conditional(writer: Writer, step: Step, scope: Scope) -> None:
    if step.when is None:
        verb(writer, step, scope)
        return
    otherwise = Label()
    writer.unless(step.when, scope, otherwise)
    verb(writer, step, scope)
    if step.other:
        end = Label()
        writer.write(counting.jump, end)
        writer.place(otherwise)
        write_steps(writer, step.other, scope)
        writer.place(end)
    else:
        writer.place(otherwise)


# --- verbs


def verb(writer: Writer, step: Step, scope: Scope) -> None:
    """A verb, and its event."""
    does = step.does
    if isinstance(does, StepBlock):
        write_steps(writer, does.steps, scope)
        return
    times = does.times()
    if times is not None:
        repeated(writer, step, does, times, scope)
        return
    operate(writer, does, step.verb, scope)
    if not does.leaves:
        event(writer, step.verb, scope)


def repeated(writer: Writer, step: Step, does: Verb, times: Ir, scope: Scope) -> None:
    """A repeated verb, each time an event."""
    count, inner = writer.value(times, scope)
    left, inner = inner.free()
    again, end = Label(), Label()
    writer.write(counting.copy, left, count)
    writer.place(again)
    writer.write(counting.if_at_most, left, writer.constant(0), end)
    operate(writer, does, step.verb, inner)
    event(writer, step.verb, inner)
    writer.write(counting.subtract, left, left, writer.constant(1))
    writer.write(counting.jump, again)
    writer.place(end)


def operate(writer: Writer, does: Verb, event: str, scope: Scope) -> None:
    """The instructions of a verb; of one that has none, what the host is asked."""
    for kind, write in VERBS.items():
        if isinstance(does, kind):
            write(writer, does, scope)
            return
    raise NotSayable(f"the verb {event}")


def draw(writer: Writer, does: Draw, scope: Scope) -> None:
    name, row, seat, _ = place_of(writer, does.source, scope)
    writer.write(moving.draw, row, seat, int(does.end == "back"), where_empty(writer, name))


def shuffle(writer: Writer, does: Shuffle, scope: Scope) -> None:
    name, row, seat, inner = place_of(writer, does.into, scope)
    if does.tiles is not None:
        gather(writer, does.tiles, row, seat, inner)
        writer.write(moving.mix, row, seat)
        return
    writer.write(moving.shuffle, row)
    for zone in writer.program.data.zones.values():
        if zone.takes is None or zone.takes.source not in ("", name):
            continue
        goal, of_seat = writer.rows[zone.id]
        for seat in range(writer.program.count if of_seat else 1):
            there = writer.constant(seat)
            count, _ = writer.value(zone.takes.count, inner.of_seat(there))
            back = int(zone.takes.end == "back")
            if zone.takes.end == "random":
                raise NotSayable("a zone filled at random")
            writer.write(moving.move_count, count, row, writer.constant(0), goal, there, back, at.NONE)


def gather(writer: Writer, ir: Ir, row: int, seat: int, scope: Scope) -> None:
    """The tiles of a zone, of some seats or shared, move to a row."""
    if not isinstance(ir, Lookup) or ir.kind != "zone" or ir.name == "melds":
        raise NotSayable("shuffle: tiles that are not those of a zone")
    source, of_seat = writer.rows[ir.name]

    def of_one(_: Scope, owner: int) -> None:
        writer.write(moving.gather, source, owner, row, seat)

    if of_seat and ir.of is not None:
        among, inner = writer.seats(ir.of, scope)
        each_seat(writer, among, inner, of_one)
    else:
        of_one(scope, scope.seat if of_seat else writer.constant(0))


def move(writer: Writer, does: MoveTiles, scope: Scope) -> None:
    name, row, seat, inner = place_of(writer, does.source, scope)
    into, goal, goal_seat, inner = place_of(writer, does.to, inner)
    zones = writer.program.data.zones
    of_seat = zones[name].of == "seat"
    claims = (2 if of_seat else 1) if zones[into].claimable else 0
    if does.tiles is None:
        count = writer.constant(1)
        if does.count is not None:
            count, _ = writer.value(does.count, inner)
        flags, empty = int(does.end == "back") | claims << 1 | 8 * (does.end == "random"), where_empty(writer, name)
        if does.of is None:
            writer.write(moving.move_count, count, row, seat, goal, goal_seat, flags, empty)
        elif does.end == "random":
            raise NotSayable("move: tiles of a class at random")
        else:
            members = writer.class_of_any(does.of)
            writer.write(moving.move_of_class, count, members, row, seat, goal, goal_seat, flags, empty)
    elif does.tiles.type == "tile":
        tile, _ = writer.value(does.tiles, inner)
        writer.write(moving.move_one, tile, row, seat, goal, goal_seat, claims)
    else:
        number, _ = writer.tiles(does.tiles, inner)
        writer.write(moving.move_list, number, row, seat, goal, goal_seat, claims)
    turn(writer, zones[into], goal, goal_seat, inner)


def turn(writer: Writer, zone: Zone, row: int, seat: int, scope: Scope) -> None:
    """Tiles have come to a zone: the first lies sideways if the zone says so (`play.placing`)."""
    if zone.sideways is None:
        return
    upright, alone = Label(), Scope(seat, top=scope.top, lists=scope.lists)
    writer.unless(zone.sideways, alone, upright)
    writer.write(moving.turn, row, seat)
    writer.place(upright)


def place_of(writer: Writer, ir: Ir | None, scope: Scope) -> tuple[str, int, int, Scope]:
    """A zone: its name, its first row, the register of the seat whose it is."""
    if ir is None:
        return writer.program.wall, *writer.zone(writer.program.wall, scope), scope
    if not isinstance(ir, Lookup) or ir.kind != "zone":
        raise NotSayable("a choice between zones")
    if ir.name == "melds":
        raise NotSayable("tiles that move to or from melds")
    row, of_seat = writer.rows[ir.name]
    if not of_seat or ir.of is None:
        return ir.name, *writer.zone(ir.name, scope), scope
    if ir.of.type != "seat" or (isinstance(ir.of, Lookup) and ir.of.kind == "mark"):
        raise NotSayable("a zone of several seats")
    seat, inner = writer.value(ir.of, scope)
    return ir.name, row, seat, inner


def where_empty(writer: Writer, zone: str) -> int:
    """The phase that follows where a tile is wanted of an empty zone."""
    return writer.phases.get(writer.program.data.zones[zone].when_empty, at.NONE)


def lay(writer: Writer, does: MakeMeld, scope: Scope) -> None:
    if does.group.type != "group":
        raise NotSayable("meld: several groups")
    group, inner = writer.value(does.group, scope)
    seen = at.NONE
    if does.seen_by is not None:
        seen, inner = writer.seats(does.seen_by, inner)
    hand = writer.constant(at.NONE) if does.hand is None else writer.value(does.hand, inner)[0]
    writer.write(moving.lay, group, int(does.concealed), seen, hand)


def finish(writer: Writer, does: Finish, scope: Scope) -> None:
    last = does.hand is None
    hand, inner = (writer.constant(0), scope) if does.hand is None else writer.value(does.hand, scope)
    row, taker = at.NONE, inner.seat
    if does.to is not None:
        _, row, taker, _ = place_of(writer, does.to, inner)
    writer.write(moving.finish, hand, int(last), row, taker)


def reveal(writer: Writer, does: Reveal, scope: Scope) -> None:
    if any(isinstance(node, Lookup) and node.name == "melds" for node in nodes(does.tiles)):
        raise NotSayable("reveal: melds")
    number, inner = writer.tiles(does.tiles, scope)
    everyone = writer.constant((1 << writer.program.count) - 1)
    seen = everyone if does.to is None else writer.seats(does.to, inner)[0]
    writer.write(moving.reveal, number, seen)


def swap(writer: Writer, does: Swap, scope: Scope) -> None:
    if does.one.type != "tile" or does.other.type != "tile":
        raise NotSayable("swap: one of several tiles")
    first, inner = writer.value(does.one, scope)
    second, _ = writer.value(does.other, inner)
    writer.write(moving.swap, first, second)


def hide(writer: Writer, does: Hide, scope: Scope) -> None:
    number, _ = writer.tiles(does.tiles, scope)
    writer.write(moving.hide, number)


def remember(writer: Writer, does: Remember, scope: Scope) -> None:
    """All values are found before the first is set."""
    found: list[tuple[Mark, int]] = []
    inner = scope
    for name, ir in does.values:
        mark = writer.program.data.marks[name]
        if mark.type == "tiles":
            number, inner = writer.tiles(ir, inner)
            found.append((mark, number))
            continue
        known, inner = writer.value(ir, inner)
        if len(does.values) > 1:
            to, inner = inner.free()
            writer.write(counting.copy, to, known)
            known = to
        found.append((mark, known))
    for mark, known in found:
        seat = scope.seat if mark.of == "seat" else writer.constant(0)
        what = counting.put_tiles if mark.type == "tiles" else counting.put
        writer.write(what, writer.marks[mark.id], seat, known)


def interrupt(writer: Writer, does: Interrupt, scope: Scope) -> None:
    tile = at.NONE
    if does.tile is not None:
        tile = first_tile(writer, does.tile, scope)
    writer.write(going.interrupt, writer.phases[does.phase], tile)


def first_tile(writer: Writer, ir: Ir, scope: Scope) -> int:
    """A tile, or the first of a group that a seat makes of its hand."""
    found, inner = writer.value(ir, scope)
    if ir.type == "tile":
        return found
    if ir.type != "group":
        raise NotSayable("interrupt: one of several tiles")
    to, _ = inner.free()
    writer.write(moving.lead, to, found)
    return to


def go(writer: Writer, does: Go, scope: Scope) -> None:
    write_goal(writer, does.goal, scope, leaves=True)


def use(writer: Writer, does: Use, scope: Scope) -> None:
    takes = [name for name, _ in writer.program.play.actions[does.action].takes]
    given, inner = dict[str, int](), scope
    for name, ir in does.arguments:
        if ir.type not in ("tile", "seat", "number", "truth", "group", "seats", "direction"):
            raise NotSayable(f"an argument of type {ir.type}")
        given[name], inner = writer.value(ir, inner)
    if len(takes) > MOST_ARGUMENTS or set(takes) != set(given):
        raise NotSayable(f"the arguments of {does.action}")
    writer.write(going.call, writer.routine("action", does.action), scope.seat, len(takes), *[given[n] for n in takes])


def declare(writer: Writer, does: Declare, scope: Scope) -> None:
    if does.tiles is not None or does.seat.type != "seat":
        raise NotSayable("declare: a part of a hand, or several seats")
    seat, inner = writer.value(does.seat, scope)
    writer.write(seating.declare, seat, terms_held(writer, inner.of_seat(seat)))


def settle(writer: Writer, does: Settle, scope: Scope) -> None:
    write_settlement(writer, does.payments, scope)


def roll(writer: Writer, does: Roll, scope: Scope) -> None:
    """Each die is one of its values."""
    for name, values in does.dice:
        mark = writer.program.data.marks.get(name)
        if mark is None and name not in writer.answers:
            raise NotSayable("roll: a die that no mark keeps")
        drawn, inner = scope.free()
        found, inner = inner.free()
        end = Label()
        writer.write(counting.roll_die, drawn, len(values), at.NONE if mark is not None else writer.answers[name].bit)
        for number, ir in enumerate(values):
            other = Label()
            writer.write(counting.if_different, drawn, writer.constant(number), other)
            known, _ = writer.value(ir, inner)
            writer.write(counting.copy, found, known)
            writer.write(counting.jump, end)
            writer.place(other)
        writer.place(end)
        of_seat = mark is not None and mark.of == "seat"
        number = writer.answers[name].mark if mark is None else writer.marks[name]
        writer.write(counting.put, number, scope.seat if of_seat else writer.constant(0), found)


def retire(writer: Writer, does: Retire, scope: Scope) -> None:
    found, _ = writer.seats(does.seats, scope)
    writer.write(seating.retire, found)


def refund(writer: Writer, does: Refund, scope: Scope) -> None:
    writer.write(seating.refund, scope.seat, lines_of(writer, does.payments), 0)


def keep(writer: Writer, does: Final, scope: Scope) -> None:
    writer.write(seating.refund, scope.seat, lines_of(writer, does.payments), 1)


VERBS: dict[type, Callable[..., None]] = {
    Draw: draw,
    Shuffle: shuffle,
    MoveTiles: move,
    MakeMeld: lay,
    Reveal: reveal,
    Swap: swap,
    Hide: hide,
    Remember: remember,
    Interrupt: interrupt,
    Go: go,
    Use: use,
    Declare: declare,
    Finish: finish,
    Settle: settle,
    Ask: ask,
    Roll: roll,
    Retire: retire,
    Refund: refund,
    Final: keep,
}


# --- events


def event(writer: Writer, name: str, scope: Scope, *, subject: bool = False) -> None:
    """Marks end, triggers follow; those of a phase and an offer know what it was about (`subject`)."""
    if name in writer.program.awaited:
        end_marks(writer, name, scope)
        trigger(writer, name, scope, subject=subject)


def end_marks(writer: Writer, name: str, scope: Scope) -> None:
    listeners = writer.program.listeners.get(name)
    if listeners is None:
        return
    for mark in listeners.own:
        writer.write(counting.end_own, writer.marks[mark], scope.seat)
    numbers = list[int]()
    for mark in (*listeners.every, *listeners.table):
        if writer.program.data.marks[mark].type == "tiles":
            writer.write(counting.end_tiles, writer.marks[mark])
        else:
            numbers.append(writer.marks[mark])
    for first in range(0, len(numbers), MOST_UNSET):
        here = numbers[first : first + MOST_UNSET]
        writer.write(counting.end_all, *here, *[at.NONE] * (MOST_UNSET - len(here)))


def trigger(writer: Writer, name: str, scope: Scope, *, subject: bool) -> None:
    """The triggers after an event, each behind its condition."""
    triggers = [one for one in writer.program.play.triggers if name in one.after]
    if not triggers:
        return
    if subject:
        writer.write(going.find_facts, 1)
    for one in triggers:
        skip = Label()
        given = {name: scope.letters[name] for name, _ in one.takes}
        if len(given) > MOST_ARGUMENTS:
            raise NotSayable(f"the arguments of {name}")
        source = GIVEN if subject else NO_FACTS
        inner = Scope(scope.seat, letters=given, source=source, top=scope.top, lists=scope.lists)
        if one.when is not None:
            writer.unless(one.when, inner, skip)
        if not subject:
            writer.write(going.find_facts, 0)
        arguments = [named.register for named in given.values()]
        routine = writer.routine("trigger", one.id)
        writer.write(going.call_trigger, routine, scope.seat, len(arguments), *arguments)
        writer.place(skip)


# --- goals


def write_goal(writer: Writer, goal: Goal | None, scope: Scope, *, leaves: bool = False) -> None:
    """Continue as a goal says."""
    if goal is None:
        writer.write(going.stop)
    elif goal.phase == "back":
        writer.write(going.back)
    elif goal.phase == "end":
        writer.write(going.end)
    else:
        seat = at.NONE
        if goal.seat is not None:
            if goal.seat.type != "seat":
                raise NotSayable("a goal with the first of several seats")
            seat, _ = writer.value(goal.seat, scope)
        goes_back = goal.phase in writer.program.goes_back and not leaves
        writer.write(going.go, writer.phases[goal.phase], seat, int(goes_back))
