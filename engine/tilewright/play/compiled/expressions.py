"""Expressions as code: an expression and a scope in, the register of its value out.

Seats in a set are bits, a set of tiles is a list of the frame, names and suits are numbers, nothing is NONE. What is
not written here is left to the host, which evaluates it as `Match` does (`host.py`); what that cannot give raises
NotSayable."""

from collections.abc import Callable
from dataclasses import replace

from tilewright.base.compute.kernels import Operation
from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    HasGroups,
    Ir,
    Lookup,
    PickedMembers,
    Quantifier,
    Term,
    Var,
    WordCall,
)
from tilewright.language.vocabulary.declare import EXTREMES
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import (
    counting,
    going,
    listing,
    marking,
    melding,
    moving,
    paying,
    seating,
    winning,
)
from tilewright.play.compiled.writer import (
    GIVEN,
    NO_FACTS,
    HostRequest,
    Label,
    Named,
    NotSayable,
    Scope,
    Writer,
    describe,
    forms_ask,
    whole,
)
from tilewright.play.program.value_bounds import ValueBounds
from tilewright.play.scene.expressions import is_plain
from tilewright.scoring.plain.walker import as_set

ARITHMETIC = {"+": counting.add, "-": counting.subtract, "*": counting.multiply}
TABLE = {"deals": at.DEALS, "turn": at.TURN, "winners": at.WINNERS, "takers": at.TAKERS, "seats": at.PLAYING}
TABLE |= {"group": at.GROUP}
IN_ORDER = ("everyone", "seats")  # sets of seats in the order of their numbers
IN_TURN = ("others", "takers")  # in turn after the seat, or after the one whose turn it is
BESIDE = ("next", "previous")
PLACED = {"right": 1, "left": -1, "across": 0}
OF_SEAT = {"others": seating.others, "drawn": moving.drawn, "concealed": melding.concealed}
OF_SEAT |= {"place": seating.placement, "hands_won": seating.hands_won}
OF_SEAT |= {"open_hands": seating.open_hands, "hand_number": seating.hand_number}
OF_HAND = {
    "is_open": seating.is_open,
    "takes_meld": melding.takes,
    "can_win": seating.is_open,
}  # of a seat, by the number of the hand
COMPARED = ("number", "truth", "seat", "name", "suit", "seats")


def value(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """The register of a value, and the scope in which it is taken."""
    place, requests = len(writer.code), len(writer.requests)
    try:
        return amount(writer, ir, scope) if scope.pays and ir.type == "number" else written(writer, ir, scope)
    except NotSayable:
        writer.back_to(place, requests)
        to, scope = scope.free()
        writer.ask_host(ir, scope, to)
        return to, scope


def written(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """The same by instructions alone. Raises NotSayable."""
    match ir:
        case Const():
            return constant(writer, ir), scope
        case Var():
            if ir.name in scope.variables:
                return scope.variables[ir.name].register, scope
        case Lookup():
            return word(writer, ir, scope)
        case Term():
            if ir.of is None:
                return value(writer, ir.body, scope)
            if (imagined := without_a_tile(writer, ir.of, scope)) is not None:
                return value(writer, ir.body, imagined)
            if ir.of.type == "seat":
                seat, inner = value(writer, ir.of, scope)
                return of_other(writer, ir.body, seat, inner, scope)
        case WordCall(args=(origin,)) if ir.name in BESIDE and origin.type == "seat":
            seat, inner = value(writer, origin, scope)
            return writer.result(inner, seating.next_seat if ir.name == "next" else seating.previous_seat, seat)
        case WordCall(args=(origin,)) if ir.name in PLACED and origin.type == "seat":
            seat, inner = value(writer, origin, scope)
            return writer.result(inner, seating.away, seat, places_away(writer, ir.name))
        case WordCall(name="towards", args=(way, origin)) if origin.type == "seat":
            return towards(writer, way, origin, scope)
        case WordCall(name="stands_for", args=(of,)) if of.type == "tile":
            tile, inner = value(writer, of, scope)
            return writer.result(inner, moving.stand_for, tile)
        case WordCall(args=(of, hand)) if ir.name in OF_HAND and scope.less < 0 and not isinstance(of, WordCall):
            seat, inner = value(writer, of, scope)
            number, inner = value(writer, hand, replace(inner, pays=False))
            to, inner = writer.result(inner, OF_HAND[ir.name], seat, number)
            if ir.name == "can_win":
                may_win(writer, to, seat, number)
            return to, inner
        case WordCall(type="number") if ir.name in EXTREMES:
            return extreme(writer, ir, scope)
        case WordCall(name="first", type="seat", args=(members,)):
            return first_of(writer, members, scope)
        case WordCall(name="first", type="tile", args=(Lookup(kind="zone") as zone,)) if scope.less < 0:
            return first_tile(writer, zone, scope)
        case Apply():
            return applied(writer, ir, scope)
        case Conditional() if ir.type not in ("tiles", "groups"):
            return chosen(writer, ir, scope)
        case Quantifier(op="those", type="seats"):
            return those(writer, ir, scope)
        case Quantifier():
            return counted(writer, ir, scope)
        case PickedMembers():
            return picked(writer, ir, scope)
    raise NotSayable(describe(ir))


def places_away(writer: Writer, way: str) -> int:
    """By how many places a seat is away in a direction."""
    count = writer.program.count
    right = 1 if writer.program.data.seats.order == "counterclockwise" else -1
    return count // 2 if way == "across" else right * PLACED[way] % count


def towards(writer: Writer, way: Ir, origin: Ir, scope: Scope) -> tuple[int, Scope]:
    """The seat in a direction known only at the table; nothing where there is none."""
    known, inner = value(writer, way, scope)
    seat, inner = value(writer, origin, inner)
    to, inner = inner.free()
    end = Label()
    for name in PLACED:
        other = Label()
        writer.write(counting.if_different, known, writer.constant(writer.name(name)), other)
        writer.write(seating.away, to, seat, places_away(writer, name))
        writer.write(counting.jump, end)
        writer.place(other)
    writer.write(counting.copy, to, writer.constant(at.NONE))
    writer.place(end)
    return to, inner


def without_a_tile(writer: Writer, ir: Ir, scope: Scope) -> Scope | None:
    """The scope of the seat imagined without a tile of its hand; None where that is not what an expression means."""
    if not isinstance(ir, WordCall) or ir.name != "without" or scope.less >= 0:
        return None
    if len(ir.args) != 1 or ir.args[0].type != "tile":
        return None
    tile, inner = value(writer, ir.args[0], scope)
    return replace(inner, less=tile)


def of_other(writer: Writer, ir: Ir, seat: int, inner: Scope, scope: Scope) -> tuple[int, Scope]:
    """The value of an expression about another seat: nothing where there is none."""
    if ir.type not in ("number", "truth", "seat", "tile", "seats"):
        raise NotSayable(f"{describe(ir)} of another seat")
    to, inner = inner.free()
    end = Label()
    nothing = at.NONE if ir.type in ("seat", "tile") else 0
    writer.write(counting.copy, to, writer.constant(nothing))
    writer.write(counting.if_less, seat, writer.constant(0), end)
    found, _ = value(writer, ir, inner.of_seat(seat))
    writer.write(counting.copy, to, found)
    writer.place(end)
    return to, inner


def constant(writer: Writer, ir: Const) -> int:
    if ir.type in ("number", "truth", "seat"):
        return writer.constant(ir.value)
    if ir.type in ("name", "suit", "direction") and isinstance(ir.value, str):
        return writer.constant(writer.name(ir.value))
    if ir.type == "tile" and len(as_set(ir.value)) == 1:
        return writer.constant(as_set(ir.value)[0])
    raise NotSayable(f"a constant of type {ir.type}")


# --- words


def word(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    if ir.of is not None:
        if ir.of.type == "seat":
            seat, inner = value(writer, ir.of, scope)
            return of_other(writer, Lookup(ir.type, ir.kind, ir.name), seat, inner, scope)
        if ir.of.type == "group" and ir.name == "discarder":
            if isinstance(ir.of, Var):
                meld, scope = value(writer, ir.of, scope)
                return writer.result(scope, melding.discarder, meld)
            group, scope = value(writer, ir.of, scope)
            return writer.result(scope, melding.claimed_from, group)
        if isinstance(ir.of, Var) and ir.of.type == "group" and ir.name == "hand_number":
            meld, scope = value(writer, ir.of, scope)
            return writer.result(scope, melding.hand_of, meld)
        if ir.of.type == "tile" and ir.name == "rank":
            return rank_of(writer, ir.of, scope)
        raise NotSayable(f"{ir.name} of {ir.of.type}")
    if ir.name in scope.letters and ir.kind in ("choice", "mark"):
        if scope.letters[ir.name].type == "tiles":
            raise NotSayable("several tiles as one value")
        return scope.letters[ir.name].register, scope
    if ir.kind == "choice" and ir.name in writer.answers:
        return answered(writer, ir, scope)
    if ir.kind == "mark":
        return marked(writer, ir, scope)
    if ir.kind == "measure" and scope.less < 0:
        return in_points(writer, *writer.result(scope, paying.measure, scope.seat, writer.measure(ir.name)))
    if ir.kind == "word":
        return word_of_table(writer, ir, scope)
    raise NotSayable(f"{ir.kind} {ir.name}")


def rank_of(writer: Writer, of: Ir, scope: Scope) -> tuple[int, Scope]:
    """The rank of a tile: the class of each rank in turn."""
    every = writer.program.data.tiles.tiles
    tile, inner = value(writer, of, scope)
    to, inner = inner.free()
    end = Label()
    for rank in sorted({one.rank for one in every if one.rank}):
        other = Label()
        alike = {one.plain for one in every if every[one.plain].rank == rank}
        writer.write(moving.if_not_in_class, tile, writer.class_of(alike), other)
        writer.write(counting.copy, to, writer.constant(rank))
        writer.write(counting.jump, end)
        writer.place(other)
    writer.write(counting.copy, to, writer.constant(0))
    writer.place(end)
    return to, inner


def marked(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    mark = writer.program.data.marks[ir.name]
    if mark.type == "tiles":
        raise NotSayable("a mark of tiles as one value")
    seat = scope.seat if mark.of == "seat" else writer.constant(0)
    return writer.result(scope, marking.get, writer.marks[ir.name], seat, at.NONE if mark.type == "seat" else 0)


def answered(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    """What a seat has answered, or a die."""
    known = writer.answers[ir.name]
    if known.type == "tiles":
        raise NotSayable("an answer of tiles as one value")
    seat = scope.seat if known.of_seat else writer.constant(0)
    return writer.result(scope, marking.get, known.mark, seat, at.NONE if known.type == "seat" else 0)


def word_of_table(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    name = ir.name
    if scope.less >= 0:
        raise NotSayable(f"the word {name} of an imagined seat")
    if name in scope.facts:
        return scope.facts[name].register, scope
    if name == "seat":
        return scope.seat, scope
    everyone = (1 << writer.program.count) - 1
    numbers = {"pot": writer.program.count, "dealer": 0, "everyone": everyone}
    if name in numbers:
        return writer.constant(numbers[name]), scope
    if name in TABLE:
        return TABLE[name], scope
    if name in ("tile", "discarder"):
        return in_question(writer, name, scope)
    if name == "losers":
        return writer.result(scope, counting.subtract, writer.constant(everyone), at.WINNERS)
    if name == "wins":
        return wins(writer, ir, scope)
    if name == "self_draw":
        tile, inner = in_question(writer, "tile", scope)
        discarder, inner = in_question(writer, "discarder", inner)
        return writer.result(inner, winning.is_self_draw, scope.seat, tile, discarder)
    if name == "possible" and knows_possible(writer) and writer.program.hands == 1:
        return writer.result(scope, winning.may_win, scope.seat, writer.constant(1))
    if name == "score":
        return in_points(writer, *writer.result(scope, seating.score, scope.seat))
    if name in OF_SEAT:
        return writer.result(scope, OF_SEAT[name], scope.seat)
    raise NotSayable(f"the word {name}")


def may_win(writer: Writer, to: int, seat: int, hand: int) -> None:
    """A hand that is open can win only if others see that it may be completed."""
    if not knows_possible(writer):
        raise NotSayable("hands that can still be won")
    end = Label()
    writer.write(counting.if_not, to, end)
    writer.write(winning.may_win, to, seat, hand)
    writer.place(end)


def knows_possible(writer: Writer) -> bool:
    """Whether the machine knows what can still be won: all forms list their hands, and tiles are seen where their
    places are."""
    program = writer.program
    return all(form.shape.listed is not None for form in program.data.forms) and not program.has_seen_tiles


def in_question(writer: Writer, name: str, scope: Scope) -> tuple[int, Scope]:
    """The tile in question or its discarder."""
    if name in scope.facts:
        return scope.facts[name].register, scope
    if scope.source == NO_FACTS:
        return (at.TILE if name == "tile" else at.DISCARDER), scope
    fact = going.fact_tile if name == "tile" else going.fact_discarder
    return writer.result(scope, fact, at.GIVES_FACTS if scope.source == GIVEN else at.HAS_FACTS)


def wins(writer: Writer, ir: Lookup, scope: Scope, no: Label | None = None) -> tuple[int, Scope]:
    """Whether the hand wins: the machine finds out whether it is a form, and the host what it is worth. It continues at
    `no` where it is none."""
    tile, inner = in_question(writer, "tile", scope)
    to, inner = inner.free()
    done = Label()
    if writer.bounds is not None:
        if no is None:
            writer.write(counting.copy, to, writer.constant(0))
        may_be_worth(writer, writer.bounds, tile, inner, done if no is None else no)
    writer.write(winning.wins, to, scope.seat, tile, done, done if no is None else no)
    discarder, inner = in_question(writer, "discarder", inner)
    held = terms_held(writer, inner)
    writer.requests.append(HostRequest(ir.type, ir, inner))
    writer.write(winning.judge, to, scope.seat, tile, discarder, held, len(writer.requests) - 1)
    writer.place(done)
    return to, inner


def may_be_worth(writer: Writer, bounds: ValueBounds, tile: int, scope: Scope, no: Label) -> None:
    """Jump where the hand is no form, or worth too little with all that the table may add to it."""
    writer.write(winning.if_no_form, scope.seat, tile, no)
    facts, inner = scope.free()
    writer.write(counting.copy, facts, writer.constant(0))
    for ir, number in bounds.facts.items():
        place, requests, skip = len(writer.code), len(writer.requests), Label()
        unless(writer, ir, inner, skip)
        if writer.asks_host(place):
            writer.back_to(place, requests)  # it may hold
        writer.write(counting.add, facts, facts, writer.constant(1 << number))
        writer.place(skip)
    writer.write(winning.if_too_low, scope.seat, tile, no, facts)


def terms_held(writer: Writer, scope: Scope) -> int:
    """The register of the terms of the table that scoring asks for and that hold, as bits; of NONE where only a match
    tells them, or the hand is judged with marks of its own."""
    asked, data, place, requests = writer.program.asked, writer.program.data, len(writer.code), len(writer.requests)
    if {*scope.letters, *scope.facts} & {*asked.flags, *asked.marks, *asked.terms}:
        return writer.constant(at.NONE)
    held, inner = scope.free()
    writer.write(counting.copy, held, writer.constant(0))
    for number, name in enumerate(asked.terms):
        skipped = Label()
        unless(writer, data.terms[name], replace(inner, variables={}, pays=False), skipped)
        writer.write(counting.add, held, held, writer.constant(1 << number))
        writer.place(skipped)
    if len(writer.requests) > requests:
        writer.back_to(place, requests)
        return writer.constant(at.NONE)
    return held


# --- amounts


def amount(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """A number of a payment, in parts of points. Raises NotSayable."""
    match ir:
        case Const():
            return writer.constant(ir.value * writer.unit), scope
        case Apply(op="*" | "/" | "%", args=(left, right)):
            one, inner = value(writer, left, scope)
            other, inner = value(writer, right, inner)
            if ir.op == "*":
                return product(writer, one, other, inner)
            if ir.op == "%":
                return writer.result(inner, counting.remainder, one, other)
            if writer.unit > 1:
                one, inner = writer.result(inner, counting.multiply, one, writer.constant(writer.unit))
            return writer.result(inner, counting.divide, one, other)
        case Apply(op="+" | "-") | Conditional() | Term() | Quantifier(op="sum"):
            return written(writer, ir, scope)
        case Lookup() if ir.kind == "measure" or ir.name == "score" or (ir.of is not None and ir.of.type == "seat"):
            return written(writer, ir, scope)
        case WordCall() if ir.name in EXTREMES:
            return written(writer, ir, scope)
    found, inner = written(writer, ir, replace(scope, pays=False))
    inner = replace(inner, pays=True)
    if writer.unit > 1:
        return writer.result(inner, counting.multiply, found, writer.constant(writer.unit))
    return found, inner


def product(writer: Writer, one: int, other: int, scope: Scope) -> tuple[int, Scope]:
    """The product of two amounts."""
    to, inner = writer.result(scope, counting.multiply, one, other)
    if writer.unit > 1:
        writer.write(counting.divide, to, to, writer.constant(writer.unit))
    return to, inner


def in_points(writer: Writer, amount: int, scope: Scope) -> tuple[int, Scope]:
    """An amount as it is in payments; elsewhere in points."""
    if writer.unit > 1 and not scope.pays:
        writer.write(counting.divide, amount, amount, writer.constant(writer.unit))
    return amount, scope


# --- operators


def applied(writer: Writer, ir: Apply, scope: Scope) -> tuple[int, Scope]:
    if ir.type == "truth":
        return truth(writer, ir, scope)
    if ir.op in ARITHMETIC and ir.type == "number" and len(ir.args) == 2:
        one, inner = value(writer, ir.args[0], scope)
        other, inner = value(writer, ir.args[1], inner)
        return writer.result(inner, ARITHMETIC[ir.op], one, other)
    if ir.op == "size":
        return size(writer, ir.args[0], scope)
    raise NotSayable(f"the operator {ir.op}")


def extreme(writer: Writer, ir: WordCall, scope: Scope) -> tuple[int, Scope]:
    """The smallest or largest of numbers."""
    to, inner = scope.free()
    for number, arg in enumerate(ir.args):
        found, inner = value(writer, arg, inner)
        kept = Label()
        if number:
            writer.write(counting.if_at_most, *((to, found) if ir.name == "min" else (found, to)), kept)
        writer.write(counting.copy, to, found)
        writer.place(kept)
    return to, inner


def size(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    if isinstance(ir, Lookup) and ir.kind == "zone" and (ir.of is None or ir.of.type == "seat"):
        seat, inner = (scope.seat, scope) if ir.of is None else value(writer, ir.of, scope)
        if ir.of is not None and isinstance(ir.of, Lookup) and ir.of.kind == "mark":
            raise NotSayable("a zone of a seat that may be nobody")
        to, inner = inner.free()
        write_count(writer, ir.name, to, seat)
        return to, inner
    if isinstance(ir, Lookup) and ir.kind == "zone" and ir.of is not None and ir.of.type == "seats":
        return size_of_zones(writer, ir, scope)
    if is_kinds_of_seats(ir):
        return size_of_kinds(writer, ir, scope)
    if isinstance(ir, Lookup) and (ir.kind, ir.name) == ("word", "suits") and ir.of is not None:
        return size_of_suits(writer, ir.of, scope)
    if ir.type == "tiles":
        number, inner = tiles(writer, ir, scope)
        return writer.result(inner, listing.size, number)
    if ir.type == "seats":
        seats, inner = value(writer, ir, scope)
        return writer.result(inner, counting.population, seats)
    raise NotSayable(f"the size of {describe(ir)}")


def write_count(writer: Writer, zone: str, to: int, seat: int) -> None:
    """How much lies in a zone, of a seat if it is of seats."""
    row, of_seat = writer.rows[zone]
    if zone == "melds":
        writer.write(melding.count, to, seat)
    else:
        writer.write(moving.count, to, row, seat if of_seat else writer.constant(0))


def size_of_zones(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    """How much lies in a zone of several seats."""
    assert ir.of is not None
    to, inner = scope.free()
    among, inside = seats(writer, ir.of, inner)
    writer.write(counting.copy, to, writer.constant(0))

    def add(here: Scope, seat: int) -> None:
        one, _ = here.free()
        write_count(writer, ir.name, one, seat)
        writer.write(counting.add, to, to, one)

    each_seat(writer, among, inside, add)
    return to, inner


def size_of_suits(writer: Writer, of: Ir, scope: Scope) -> tuple[int, Scope]:
    """How many suits occur among tiles."""
    if of.type not in ("tile", "tiles"):
        raise NotSayable(f"the suits of {describe(of)}")
    number, inner = tiles(writer, of, scope)
    return writer.result(inner, listing.count_suits, number)


def is_kinds_of_seats(ir: Ir) -> bool:
    """Whether it is the different tiles in a zone of several seats."""
    if not isinstance(ir, Lookup) or (ir.kind, ir.name) != ("word", "kinds") or not isinstance(ir.of, Lookup):
        return False
    zone = ir.of
    return zone.kind == "zone" and zone.name != "melds" and zone.of is not None and zone.of.type == "seats"


def size_of_kinds(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """How many different tiles are in a zone of several seats."""
    assert isinstance(ir, Lookup) and isinstance(ir.of, Lookup) and ir.of.of is not None
    row, _ = writer.rows[ir.of.name]
    among, inner = seats(writer, ir.of.of, scope)
    return writer.result(inner, moving.count_kinds, row, among)


def chosen(writer: Writer, ir: Conditional, scope: Scope) -> tuple[int, Scope]:
    to, inner = scope.free()
    otherwise, end = Label(), Label()
    branch = seats if ir.type == "seats" else value
    unless(writer, ir.test, inner, otherwise)
    found, _ = branch(writer, ir.then, inner)
    writer.write(counting.copy, to, found)
    writer.write(counting.jump, end)
    writer.place(otherwise)
    found, _ = branch(writer, ir.other, inner)
    writer.write(counting.copy, to, found)
    writer.place(end)
    return to, inner


def counted(writer: Writer, ir: Quantifier, scope: Scope) -> tuple[int, Scope]:
    if ir.type == "truth":
        return truth(writer, ir, scope)
    if ir.op not in ("count", "sum"):
        raise NotSayable(f"{ir.op} over members")
    if isinstance(ir.domain, Lookup) and (ir.domain.kind, ir.domain.name, ir.domain.of) == ("word", "groups", None):
        return counted_groups(writer, ir, ir.domain, scope)
    to, inner = scope.free()
    writer.write(counting.copy, to, writer.constant(0))

    def count(here: Scope) -> None:
        skip = Label()
        unless(writer, ir.body, here, skip)
        writer.write(counting.add, to, to, writer.constant(1))
        writer.place(skip)

    def add(here: Scope) -> None:
        one, _ = value(writer, ir.body, here)
        writer.write(counting.add, to, to, one)

    each_member(writer, ir, inner, count if ir.op == "count" else add)
    return to, inner


def counted_groups(writer: Writer, ir: Quantifier, domain: Lookup, scope: Scope) -> tuple[int, Scope]:
    """How many groups of a seat meet a condition: its melds, unless its hand has won, which is known by its reading."""
    won, inner = scope.free()
    reading, end = Label(), Label()
    writer.write(seating.is_among, won, scope.seat, at.WINNERS)
    writer.write(counting.if_true, won, reading)
    to, inner = counted(writer, replace(ir, domain=replace(domain, kind="zone", name="melds")), inner)
    writer.write(counting.jump, end)
    writer.place(reading)
    writer.ask_host(ir, inner, to)
    writer.place(end)
    return to, inner


def those(writer: Writer, ir: Quantifier, scope: Scope) -> tuple[int, Scope]:
    """The seats that meet a condition."""
    to, inner = scope.free()
    writer.write(counting.copy, to, writer.constant(0))

    def add(here: Scope) -> None:
        skip = Label()
        unless(writer, ir.body, here, skip)
        writer.write(seating.add_seat, to, to, here.variables[ir.letter].register)
        writer.place(skip)

    each_member(writer, ir, inner, add)
    return to, inner


def first_of(writer: Writer, members: Ir, scope: Scope) -> tuple[int, Scope]:
    """The first of seats whose order is known."""
    if isinstance(members, Lookup) and (members.name, members.of) == ("winners", None) and scope.less < 0:
        return at.FIRST_WINNER, scope
    before = order_of(members, scope)
    found, inner = seats(writer, members, scope)
    if before < 0:
        return writer.result(inner, seating.first_seat, found)
    return writer.result(inner, seating.first_after, found, before)


def order_of(members: Ir, scope: Scope) -> int:
    """The register of the seat after which seats come in turn; NONE where they come by their numbers. Raises
    NotSayable."""
    within: Ir | None = members
    while isinstance(within, Quantifier | PickedMembers):
        within = within.domain if isinstance(within, Quantifier) else within.seats
    if not isinstance(within, Lookup) or within.of is not None or scope.less >= 0:
        raise NotSayable(f"the order of {describe(members)}")
    if within.name in IN_TURN:
        return scope.seat if within.name == "others" else at.TURN
    if within.type != "seat" and within.name not in (*IN_ORDER, "losers"):
        raise NotSayable(f"the order of {describe(members)}")
    return at.NONE


def first_tile(writer: Writer, zone: Lookup, scope: Scope) -> tuple[int, Scope]:
    """The first tile of a zone."""
    if zone.name == "melds" or (zone.of is not None and zone.of.type != "seat"):
        raise NotSayable(f"the first of {zone.name}")
    if zone.of is not None:
        seat, inner = value(writer, zone.of, scope)
        return of_other(writer, WordCall("tile", "first", (replace(zone, of=None),)), seat, inner, scope)
    row, owner = writer.zone(zone.name, scope)
    return writer.result(scope, moving.first, row, owner)


def picked(writer: Writer, ir: PickedMembers, scope: Scope) -> tuple[int, Scope]:
    to, inner = scope.free()
    among, inside = seats(writer, ir.seats, inner)
    writer.write(counting.copy, to, writer.constant(0))

    def add(here: Scope, seat: int) -> None:
        skip = Label()
        unless(writer, ir.test, here.of_seat(seat), skip)
        writer.write(seating.add_seat, to, to, seat)
        writer.place(skip)

    each_seat(writer, among, inside, add)
    return to, inner


# --- sets


def seats(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """Seats as bits."""
    found, inner = value(writer, ir, scope)
    if ir.type == "seats":
        return found, inner
    if ir.type != "seat":
        raise NotSayable(f"{ir.type} as seats")
    return writer.result(inner, seating.add_seat, writer.constant(0), found)


def each_seat(
    writer: Writer, among: int, scope: Scope, body: Callable[[Scope, int], None], before: int = at.NONE
) -> None:
    """The body for each of some seats: in turn after another one, or by their numbers."""
    if before < 0:
        each(writer, seating.each_seat, (), among, scope, body)
    else:
        each(writer, seating.each_after, (before,), among, scope, body)


def each_listed(writer: Writer, number: int, scope: Scope, body: Callable[[Scope, int], None]) -> None:
    each(writer, listing.each_tile, (number,), writer.constant(0), scope, body)


def each(
    writer: Writer,
    finds: Operation,
    within: tuple[int, ...],
    begin: int,
    scope: Scope,
    body: Callable[[Scope, int], None],
) -> None:
    """The body for each member that an operation finds; `within`: where, `begin`: where that stands at first."""
    stand, inner = scope.free()
    member, inner = inner.free()
    again, more = Label(), Label()
    writer.write(counting.copy, stand, begin)
    writer.write(counting.jump, more)
    writer.place(again)
    body(inner, member)
    writer.place(more)
    writer.write(finds, member, stand, *within, again)


def each_member(writer: Writer, ir: Quantifier, scope: Scope, body: Callable[[Scope], None]) -> None:
    """The body for each member of a domain, with the letter standing for it."""
    if ir.domain.type in ("seat", "seats"):
        among, inner = seats(writer, ir.domain, scope)
        each_seat(writer, among, inner, lambda here, seat: body(here.counting(ir.letter, Named("seat", seat))))
        return
    if is_melds(ir.domain):
        each_meld(writer, ir, scope, body)
        return
    if ir.domain.type not in ("tile", "tiles"):
        raise NotSayable(f"{ir.op} over {ir.domain.type}")
    number, inner = tiles(writer, ir.domain, scope)
    each_listed(writer, number, inner, lambda here, tile: body(here.counting(ir.letter, Named("tile", tile))))


def is_melds(ir: Ir) -> bool:
    """Whether it is the melds of the seat, or of several."""
    return isinstance(ir, Lookup) and (ir.kind, ir.name) == ("zone", "melds")


def each_meld(writer: Writer, ir: Quantifier, scope: Scope, body: Callable[[Scope], None]) -> None:
    """The body for each meld of the seat, or of several seats."""
    assert isinstance(ir.domain, Lookup)

    def of_meld(inner: Scope, meld: int) -> None:
        body(inner.counting(ir.letter, Named("meld", meld)))

    def of_seat(here: Scope, seat: int) -> None:
        each(writer, melding.each_meld, (seat,), writer.constant(0), here, of_meld)

    if scope.less >= 0:
        raise NotSayable("melds of an imagined seat")
    if ir.domain.of is None:
        of_seat(scope, scope.seat)
        return
    among, inner = seats(writer, ir.domain.of, scope)
    each_seat(writer, among, inner, of_seat)


def tiles(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """Tiles as a list of the frame."""
    number, inner = scope.list()
    writer.write(listing.clear, number)
    add_tiles(writer, ir, inner, number)
    return number, inner


def add_tiles(writer: Writer, ir: Ir, scope: Scope, number: int) -> None:
    """Add tiles to a list."""
    place, requests = len(writer.code), len(writer.requests)
    try:
        list_tiles(writer, ir, scope, number)
    except NotSayable:
        writer.back_to(place, requests)
        writer.ask_host_for_tiles(ir, scope, number)


def list_tiles(writer: Writer, ir: Ir, scope: Scope, number: int) -> None:
    """The same by instructions alone. Raises NotSayable."""
    match ir:
        case Const():
            for tile in as_set(ir.value):
                writer.write(listing.add_tile, number, writer.constant(tile))
            return
        case Lookup(kind="word", name="waits", of=None):
            list_waits(writer, ir, scope, number)
            return
        case Lookup(kind="word", name="kinds", of=None) if scope.less < 0:
            writer.write(listing.add_kinds, number, scope.seat, ask_later(writer, ir, scope, number))
            return
        case WordCall(name="completing", args=(group,)) if group.type == "group":
            known, _ = value(writer, group, scope)
            writer.write(listing.add_completing, number, known)
            return
        case Lookup(kind="zone", name="hand", of=WordCall(name="with", args=(group,))) if group.type == "group":
            known, _ = value(writer, group, scope)
            writer.write(listing.add_rest_of_hand, number, scope.seat, known)
            return
        case _ if scope.less >= 0:
            raise NotSayable("tiles of an imagined seat")
        case Lookup(kind="zone") if ir.name != "melds" and (ir.of is None or ir.of.type == "seat"):
            seat = scope.seat if ir.of is None else value(writer, ir.of, scope)[0]
            row, of_seat = writer.rows[ir.name]
            writer.write(listing.add_zone, number, row, seat if of_seat else writer.constant(0))
            return
        case Lookup(kind="mark", type="tiles") if ir.of is None:
            of_seat = writer.program.data.marks[ir.name].of == "seat"
            seat = scope.seat if of_seat else writer.constant(0)
            writer.write(listing.add_marked, number, writer.marks[ir.name], seat)
            return
        case Apply(op="+" | "union") if ir.type == "tiles":
            for part in ir.args:
                add_tiles(writer, part, scope, number)
            return
        case Quantifier(op="those") if ir.domain.type in ("tile", "tiles"):

            def add(here: Scope) -> None:
                skip = Label()
                unless(writer, ir.body, here, skip)
                writer.write(listing.add_tile, number, here.variables[ir.letter].register)
                writer.place(skip)

            each_member(writer, ir, scope, add)
            return
        case Term(of=None):
            add_tiles(writer, ir.body, scope, number)
            return
        case Apply(op="tiles", args=(Lookup(kind="choice" | "word", name="group", of=None) as group,)) | (
            Lookup(kind="choice" | "word", type="group", name="group", of=None) as group
        ):
            known, _ = value(writer, group, scope)
            writer.write(listing.add_chosen_group, number, known)
            return
        case Lookup(kind="choice") if ir.name in scope.letters and scope.letters[ir.name].type == "meld":
            writer.write(listing.add_meld, number, scope.letters[ir.name].register)
            return
        case Lookup(kind="choice") if ir.name in scope.letters and scope.letters[ir.name].type == "tiles":
            writer.write(listing.add_list, number, scope.letters[ir.name].register)
            return
        case Lookup(kind="choice", type="tiles", of=None) if ir.name in writer.answers:
            writer.write(listing.add_marked, number, writer.answers[ir.name].mark, scope.seat)
            return
        case _ if ir.type == "tile":
            tile, _ = value(writer, ir, scope)
            writer.write(listing.add_tile, number, tile)
            return
    raise NotSayable(f"tiles of {describe(ir)}")


def ask_later(writer: Writer, ir: Ir, scope: Scope, number: int) -> int:
    """The number of a request for tiles that an instruction makes of the host only where it has to."""
    writer.ask_host_for_tiles(ir, scope, number)
    del writer.code[-1]
    return len(writer.requests) - 1


def list_waits(writer: Writer, ir: Lookup, scope: Scope, number: int) -> None:
    """Add the waits of the hand to a list; where forms have conditions, tables only tell that there are none. An
    imagined hand is never left to the host."""
    asks = forms_ask(writer.program)
    if not knows_waits(writer) or (asks and scope.less >= 0):
        raise NotSayable("waits that tables do not tell")
    tile, _ = in_question(writer, "tile", scope)
    request = ask_later(writer, ir, scope, number) if scope.less < 0 else at.NONE
    writer.write(listing.add_waits, number, scope.seat, tile, request, scope.less, int(asks))


def knows_waits(writer: Writer) -> bool:
    """Whether tables tell what hands wait for."""
    engine = writer.program.rules.engine
    return engine.fits and not engine.searched and not writer.program.data.tiles.wild


# --- conditions


def truth(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """A condition as a value."""
    to, inner = scope.free()
    no = Label()
    writer.write(counting.copy, to, writer.constant(0))
    unless(writer, ir, inner, no)
    writer.write(counting.copy, to, writer.constant(1))
    writer.place(no)
    return to, inner


def unless(writer: Writer, ir: Ir, scope: Scope, no: Label) -> None:
    """Jump where the condition does not hold."""
    place, requests = len(writer.code), len(writer.requests)
    try:
        jump_unless(writer, ir, scope, no)
    except NotSayable:
        writer.back_to(place, requests)
        to, scope = scope.free()
        writer.ask_host(ir, scope, to)
        writer.write(counting.if_not, to, no)


def jump_unless(writer: Writer, ir: Ir, scope: Scope, no: Label) -> None:
    match ir:
        case Const():
            if not ir.value:
                writer.write(counting.jump, no)
        case Term(of=None):
            unless(writer, ir.body, scope, no)
        case Apply(op="and"):
            for part in sorted(ir.args, key=lambda part: asks_host(writer, part, scope)):
                unless(writer, part, scope, no)
        case Apply(op="or"):
            yes = Label()
            for part in ir.args[:-1]:
                other = Label()
                unless(writer, part, scope, other)
                writer.write(counting.jump, yes)
                writer.place(other)
            unless(writer, ir.args[-1], scope, no)
            writer.place(yes)
        case Apply(op="not"):
            yes = Label()
            unless(writer, ir.args[0], scope, yes)
            writer.write(counting.jump, no)
            writer.place(yes)
        case Apply(op="==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not_in" | "is" | "is_not"):
            compare(writer, ir, scope, no)
        case Quantifier(op="any" | "all"):
            quantify(writer, ir, scope, no)
        case HasGroups():
            has_melds(writer, ir, scope, no)
        case Lookup(kind="word", name="wins", of=None) if scope.less < 0 and "wins" not in scope.facts:
            found, _ = wins(writer, ir, scope, no)
            writer.write(counting.if_not, found, no)
        case _:
            found, _ = written(writer, ir, scope)
            writer.write(counting.if_not, found, no)


def asks_host(writer: Writer, ir: Ir, scope: Scope) -> bool:
    """Whether a condition is left to the host, at least in part: it is asked last, as that takes longest."""
    place, requests = len(writer.code), len(writer.requests)
    try:
        unless(writer, ir, scope, Label())
        return writer.asks_host(place)
    except NotSayable:
        return True
    finally:
        writer.back_to(place, requests)


def has_melds(writer: Writer, ir: HasGroups, scope: Scope, no: Label) -> None:
    """Jump where the melds of a seat are not what is wanted; a hand that has won is known by its reading."""
    if scope.less >= 0 or len(ir.cases) != 1 or len(ir.cases[0].wants) != 1:
        raise NotSayable("groups of several kinds")
    want = ir.cases[0].wants[0]
    if want.tiles or want.each or want.completed or want.natural or want.different or want.exposed is not None:
        raise NotSayable("groups of a certain state")
    if (want.of, want.unless, want.start) != (None, None, None):
        raise NotSayable("groups of tiles that change")
    reading, end, held = Label(), Label(), writer.group_set(want.groups | want.meld_groups)
    count, inner = scope.free()
    one, inner = inner.free()
    writer.write(seating.is_among, one, scope.seat, at.WINNERS)
    writer.write(counting.if_true, one, reading)
    writer.write(counting.copy, count, writer.constant(0))

    def of_meld(_: Scope, meld: int) -> None:
        writer.write(melding.is_among, one, meld, held)
        writer.write(counting.add, count, count, one)

    each(writer, melding.each_meld, (scope.seat,), writer.constant(0), inner, of_meld)
    writer.write(counting.if_less, count, writer.constant(want.count), no)
    writer.write(counting.jump, end)
    writer.place(reading)
    writer.ask_host(ir, inner, one)
    writer.write(counting.if_not, one, no)
    writer.place(end)


def compare(writer: Writer, ir: Apply, scope: Scope, no: Label) -> None:
    left, right = ir.args
    if left.type in ("tile", "tiles"):
        compare_tiles(writer, ir, scope, no)
    elif ir.op in ("in", "not_in") and is_melds(right) and is_group_of_tile(left) and scope.less < 0:
        assert isinstance(left, Lookup) and left.of is not None and isinstance(right, Lookup)
        tile, inner = value(writer, left.of, scope)
        among, inner = (None, inner) if right.of is None else seats(writer, right.of, inner)
        if among is None:
            among, inner = writer.result(inner, seating.add_seat, writer.constant(0), scope.seat)
        to, inner = writer.result(inner, melding.is_in_melds, tile, among)
        writer.write(counting.if_not if ir.op == "in" else counting.if_true, to, no)
    elif ir.op in ("in", "not_in") and is_kind_of_meld(ir):
        assert isinstance(left, Const) and isinstance(right, Lookup) and right.of is not None
        meld, inner = value(writer, right.of, scope)
        to, inner = inner.free()
        writer.write(melding.is_kind, to, meld, writer.kind(str(left.value)))
        writer.write(counting.if_not if ir.op == "in" else counting.if_true, to, no)
    elif ir.op in ("in", "not_in"):
        if left.type != "seat" or right.type not in ("seat", "seats"):
            raise NotSayable(f"{left.type} in {right.type}")
        seat, inner = value(writer, left, scope)
        among, inner = seats(writer, right, inner)
        to, inner = inner.free()
        writer.write(seating.is_among, to, seat, among)
        writer.write(counting.if_not if ir.op == "in" else counting.if_true, to, no)
    elif is_nearly_full(ir) and scope.less < 0 and knows_waits(writer):
        to, inner = scope.free()
        done = Label()
        writer.write(winning.is_near, to, scope.seat, done)
        writer.ask_host(ir, inner, to)
        writer.place(done)
        writer.write(counting.if_not, to, no)
    elif ir.op == "==" and isinstance(right, WordCall) and right.name == "next" and right.args[0].type == "seat":
        one, inner = value(writer, left, scope)
        other, inner = value(writer, right.args[0], inner)
        writer.write(seating.if_not_next, one, other, no)
    elif left.type in COMPARED and right.type in COMPARED:
        both = "seats" in (left.type, right.type)
        one, inner = seats(writer, left, scope) if both else value(writer, left, scope)
        other, inner = seats(writer, right, inner) if both else value(writer, right, inner)
        write_comparison(writer, ir.op, one, other, no)
    else:
        raise NotSayable(f"{left.type} {ir.op} {right.type}")


def is_nearly_full(ir: Apply) -> bool:
    """Whether it asks if a distance is so small at most; that of a hand that waits without some tile is one at most."""
    left, right = ir.args
    is_distance = isinstance(left, Lookup) and (left.kind, left.name, left.of) == ("word", "distance", None)
    return is_distance and ir.op == "<=" and isinstance(right, Const) and whole(right) >= 1


def is_group_of_tile(ir: Ir) -> bool:
    """Whether it is the group on the table that a tile is in."""
    return (
        isinstance(ir, Lookup)
        and (ir.kind, ir.name) == ("word", "group")
        and ir.of is not None
        and ir.of.type == "tile"
    )


def is_kind_of_meld(ir: Apply) -> bool:
    """Whether it asks for the kind of a meld that a letter stands for."""
    left, right = ir.args
    return (
        isinstance(left, Const)
        and isinstance(right, Lookup)
        and (right.kind, right.name) == ("word", "kind")
        and isinstance(right.of, Var)
    )


def write_comparison(writer: Writer, operator: str, one: int, other: int, no: Label) -> None:
    if operator in (">", ">="):
        one, other, operator = other, one, {">": "<", ">=": "<="}[operator]
    match operator:
        case "==":
            writer.write(counting.if_different, one, other, no)
        case "!=":
            writer.write(counting.if_equal, one, other, no)
        case "<":
            writer.write(counting.if_at_most, other, one, no)
        case "<=":
            writer.write(counting.if_less, other, one, no)
        case _:
            raise NotSayable(f"the operator {operator}")


def compare_tiles(writer: Writer, ir: Apply, scope: Scope, no: Label) -> None:
    """A comparison of a tile: with a class, with tiles, with another tile."""
    left, right = ir.args
    data = writer.program.data
    if left.type != "tile":
        raise NotSayable("a comparison of several tiles")
    tile, inner = value(writer, left, scope)
    to, inside = inner.free()
    positive = ir.op in ("in", "==", "is")
    if ir.op in ("in", "not_in") and isinstance(right, Const):
        writer.write(
            moving.if_not_in_class if positive else moving.if_in_class, tile, writer.class_of(as_set(right.value)), no
        )
        return
    if ir.op in ("is", "is_not"):
        other, _ = value(writer, right, inside)
        nothing, end = Label(), Label()
        writer.write(counting.copy, to, writer.constant(0))
        writer.write(counting.if_less, tile, writer.constant(0), nothing)
        writer.write(counting.if_different, tile, other, nothing)
        writer.write(counting.copy, to, writer.constant(1))
        writer.place(nothing)
        writer.place(end)
    elif not is_plain(left, data) or not is_plain(right, data):
        raise NotSayable("a comparison with special tiles")
    elif ir.op in ("in", "not_in") and is_suit(right):
        assert isinstance(right, Apply)
        suit, _ = value(writer, right.args[0], inside)
        writer.write(moving.is_in_suit, to, tile, suit)
    elif ir.op in ("in", "not_in") and (marks := marks_in(right)):
        writer.write(counting.copy, to, writer.constant(0))
        for mark in marks:
            of_seat = data.marks[mark].of == "seat"
            writer.write(
                marking.add_if_marked, to, tile, writer.marks[mark], scope.seat if of_seat else writer.constant(0)
            )
    elif ir.op in ("in", "not_in"):
        number, _ = tiles(writer, right, inside)
        writer.write(listing.has, to, tile, number)
    elif right.type == "tile":
        other, _ = value(writer, right, inside)
        writer.write(moving.are_alike, to, tile, other)
    else:
        raise NotSayable("a comparison of several tiles")
    writer.write(counting.if_not if positive else counting.if_true, to, no)


def marks_in(ir: Ir) -> tuple[str, ...]:
    """The marks whose tiles these are, if they are nothing else."""
    if isinstance(ir, Lookup) and (ir.kind, ir.type, ir.of) == ("mark", "tiles", None):
        return (ir.name,)
    parts = [marks_in(arg) for arg in ir.args] if isinstance(ir, Apply) and ir.op in ("+", "union") else []
    return tuple(mark for part in parts for mark in part) if all(parts) else ()


def is_suit(ir: Ir) -> bool:
    """Whether it is the tiles of a suit."""
    return isinstance(ir, Apply) and ir.op == "tiles" and ir.args[0].type == "suit"


def quantify(writer: Writer, ir: Quantifier, scope: Scope, no: Label) -> None:
    if ir.op == "all":
        each_member(writer, ir, scope, lambda here: unless(writer, ir.body, here, no))
        return
    yes = Label()

    def found(here: Scope) -> None:
        other = Label()
        unless(writer, ir.body, here, other)
        writer.write(counting.jump, yes)
        writer.place(other)

    each_member(writer, ir, scope, found)
    writer.write(counting.jump, no)
    writer.place(yes)
