"""Values and payments as code: an expression and a scope in, the register of its value out; what
`scoring.payments.settling.settle` works out, as instructions. Raises NotSayable.

Seats in a set are bits, names and suits are numbers, nothing is NONE. All gains are worked out before the first score
changes, in parts of points; a number that is no whole number of them ends the machine's game.
"""

from collections.abc import Sequence
from dataclasses import replace

from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    Ir,
    Lookup,
    PickedMembers,
    Quantifier,
    Term,
    Var,
    WordCall,
    nodes,
)
from tilewright.language.compiled.ruleset import PaymentLine
from tilewright.language.vocabulary.declare import EXTREMES
from tilewright.language.vocabulary.steps import Final, Refund
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, moving, seating
from tilewright.play.compiled.writing.conditions import truth
from tilewright.play.compiled.writing.words import each_member, each_seat, may_win, of_other, order_of, word
from tilewright.play.compiled.writing.writer import Label, Named, NotSayable, Scope, Writer, describe, steps_of
from tilewright.play.program import Program
from tilewright.scoring.plain.walker import as_set

ARITHMETIC = {"+": counting.add, "-": counting.subtract, "*": counting.multiply}
BESIDE = ("next", "previous")
PLACED = {"right": 1, "left": -1, "across": 0}
OF_HAND = {
    "is_open": seating.is_open,
    "takes_meld": moving.takes,
    "can_win": seating.is_open,
}  # of a seat, by the number of the hand


def value(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """The register of a value, and the scope in which it is taken, by instructions alone. Raises NotSayable."""
    return amount(writer, ir, scope) if scope.pays and ir.type == "number" else written(writer, ir, scope)


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
                return writer.value(ir.body, scope)
            if (imagined := without_a_tile(writer, ir.of, scope)) is not None:
                return writer.value(ir.body, imagined)
            if ir.of.type == "seat":
                seat, inner = writer.value(ir.of, scope)
                return of_other(writer, ir.body, seat, inner, scope)
        case WordCall(args=(origin,)) if ir.name in BESIDE and origin.type == "seat":
            seat, inner = writer.value(origin, scope)
            return writer.result(inner, seating.next_seat if ir.name == "next" else seating.previous_seat, seat)
        case WordCall(args=(origin,)) if ir.name in PLACED and origin.type == "seat":
            seat, inner = writer.value(origin, scope)
            return writer.result(inner, seating.away, seat, places_away(writer, ir.name))
        case WordCall(name="towards", args=(way, origin)) if origin.type == "seat":
            return towards(writer, way, origin, scope)
        case WordCall(name="stands_for", args=(of,)) if of.type == "tile":
            tile, inner = writer.value(of, scope)
            return writer.result(inner, moving.stand_for, tile)
        case WordCall(args=(of, hand)) if ir.name in OF_HAND and scope.less < 0 and not isinstance(of, WordCall):
            seat, inner = writer.value(of, scope)
            number, inner = writer.value(hand, replace(inner, pays=False))
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
    known, inner = writer.value(way, scope)
    seat, inner = writer.value(origin, inner)
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
    tile, inner = writer.value(ir.args[0], scope)
    return replace(inner, less=tile)


def constant(writer: Writer, ir: Const) -> int:
    if ir.type in ("number", "truth", "seat"):
        return writer.constant(ir.value)
    if ir.type in ("name", "suit", "direction") and isinstance(ir.value, str):
        return writer.constant(writer.name(ir.value))
    if ir.type == "tile" and len(as_set(ir.value)) == 1:
        return writer.constant(as_set(ir.value)[0])
    raise NotSayable(f"a constant of type {ir.type}")


# --- amounts


def amount(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """A number of a payment, in parts of points. Raises NotSayable."""
    match ir:
        case Const():
            return writer.constant(ir.value * writer.unit), scope
        case Apply(op="*" | "/" | "%", args=(left, right)):
            one, inner = writer.value(left, scope)
            other, inner = writer.value(right, inner)
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


# --- operators


def applied(writer: Writer, ir: Apply, scope: Scope) -> tuple[int, Scope]:
    if ir.type == "truth":
        return truth(writer, ir, scope)
    if ir.op in ARITHMETIC and ir.type == "number" and len(ir.args) == 2:
        one, inner = writer.value(ir.args[0], scope)
        other, inner = writer.value(ir.args[1], inner)
        return writer.result(inner, ARITHMETIC[ir.op], one, other)
    if ir.op == "size":
        return size(writer, ir.args[0], scope)
    raise NotSayable(f"the operator {ir.op}")


def extreme(writer: Writer, ir: WordCall, scope: Scope) -> tuple[int, Scope]:
    """The smallest or largest of numbers."""
    to, inner = scope.free()
    for number, arg in enumerate(ir.args):
        found, inner = writer.value(arg, inner)
        kept = Label()
        if number:
            writer.write(counting.if_at_most, *((to, found) if ir.name == "min" else (found, to)), kept)
        writer.write(counting.copy, to, found)
        writer.place(kept)
    return to, inner


def size(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    if isinstance(ir, Lookup) and ir.kind == "zone" and (ir.of is None or ir.of.type == "seat"):
        seat, inner = (scope.seat, scope) if ir.of is None else writer.value(ir.of, scope)
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
        number, inner = writer.tiles(ir, scope)
        return writer.result(inner, counting.size, number)
    if ir.type == "seats":
        seats, inner = writer.value(ir, scope)
        return writer.result(inner, counting.population, seats)
    raise NotSayable(f"the size of {describe(ir)}")


def write_count(writer: Writer, zone: str, to: int, seat: int) -> None:
    """How much lies in a zone, of a seat if it is of seats."""
    row, of_seat = writer.rows[zone]
    if zone == "melds":
        writer.write(moving.count_melds, to, seat)
    else:
        writer.write(moving.count, to, row, seat if of_seat else writer.constant(0))


def size_of_zones(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    """How much lies in a zone of several seats."""
    assert ir.of is not None
    to, inner = scope.free()
    among, inside = writer.seats(ir.of, inner)
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
    number, inner = writer.tiles(of, scope)
    return writer.result(inner, counting.count_suits, number)


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
    among, inner = writer.seats(ir.of.of, scope)
    return writer.result(inner, moving.count_kinds, row, among)


def chosen(writer: Writer, ir: Conditional, scope: Scope) -> tuple[int, Scope]:
    to, inner = scope.free()
    otherwise, end = Label(), Label()
    branch = writer.seats if ir.type == "seats" else writer.value
    writer.unless(ir.test, inner, otherwise)
    found, _ = branch(ir.then, inner)
    writer.write(counting.copy, to, found)
    writer.write(counting.jump, end)
    writer.place(otherwise)
    found, _ = branch(ir.other, inner)
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
        writer.unless(ir.body, here, skip)
        writer.write(counting.add, to, to, writer.constant(1))
        writer.place(skip)

    def add(here: Scope) -> None:
        one, _ = writer.value(ir.body, here)
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
        writer.unless(ir.body, here, skip)
        writer.write(seating.add_seat, to, to, here.variables[ir.letter].register)
        writer.place(skip)

    each_member(writer, ir, inner, add)
    return to, inner


def first_of(writer: Writer, members: Ir, scope: Scope) -> tuple[int, Scope]:
    """The first of seats whose order is known."""
    if isinstance(members, Lookup) and (members.name, members.of) == ("winners", None) and scope.less < 0:
        return at.FIRST_WINNER, scope
    before = order_of(members, scope)
    found, inner = writer.seats(members, scope)
    if before < 0:
        return writer.result(inner, seating.first_seat, found)
    return writer.result(inner, seating.first_after, found, before)


def first_tile(writer: Writer, zone: Lookup, scope: Scope) -> tuple[int, Scope]:
    """The first tile of a zone."""
    if zone.name == "melds" or (zone.of is not None and zone.of.type != "seat"):
        raise NotSayable(f"the first of {zone.name}")
    if zone.of is not None:
        seat, inner = writer.value(zone.of, scope)
        return of_other(writer, WordCall("tile", "first", (replace(zone, of=None),)), seat, inner, scope)
    row, owner = writer.zone(zone.name, scope)
    return writer.result(scope, moving.first, row, owner)


def picked(writer: Writer, ir: PickedMembers, scope: Scope) -> tuple[int, Scope]:
    to, inner = scope.free()
    among, inside = writer.seats(ir.seats, inner)
    writer.write(counting.copy, to, writer.constant(0))

    def add(here: Scope, seat: int) -> None:
        skip = Label()
        writer.unless(ir.test, here.of_seat(seat), skip)
        writer.write(seating.add_seat, to, to, seat)
        writer.place(skip)

    each_seat(writer, among, inside, add)
    return to, inner


def write_settlement(writer: Writer, payments: str, scope: Scope) -> None:
    """Every payment that the lines under this id make."""
    notes = takes_back(writer.program)
    writer.write(seating.begin)
    inner = replace(scope, pays=True).knowing("winner", Named("seat", scope.seat))
    for line in writer.program.data.payments.get(payments, ()):
        write_line(writer, line, inner, writer.line(payments, line.id) if notes else at.NONE)
    writer.write(seating.pay)


def takes_back(program: Program) -> bool:
    """Whether some step looks at what was paid before: payments are noted."""
    return any(isinstance(step.does, Refund | Final) for step in steps_of(program))


def lines_of(writer: Writer, payments: Sequence[str]) -> int:
    """The lines of some payments, as bits."""
    of = [(name, line.id) for name in payments for line in writer.program.data.payments.get(name, ())]
    return sum(1 << writer.line(name, line) for name, line in of)


def write_line(writer: Writer, line: PaymentLine, scope: Scope, noted: int) -> None:
    """What every payer pays every payee; `noted`: the number under which that is noted, or NONE."""
    before = at.NONE
    if writer.program.data.scoring.pays_at_most is not None and line.payees.type != "seat":
        if line.instead:
            raise NotSayable("several payees whom others pay up to a limit")
        before = order_of(line.payees, scope)  # who is paid last may get less
    payers, inner = kept(writer, line.payers, scope)
    payees, inner = kept(writer, line.payees, inner)
    inner = inner.knowing("payers", Named("seats", payers)).knowing("payees", Named("seats", payees))

    def of_payee(here: Scope, payee: int) -> None:
        known, there = here.knowing("payee", Named("seat", payee)).free()
        writer.write(counting.copy, known, writer.constant(at.UNSET))
        each_seat(writer, payers, there, lambda both, payer: write_pair(writer, line, both, payer, payee, known, noted))

    each_seat(writer, payees, inner, of_payee, before)


def write_pair(writer: Writer, line: PaymentLine, scope: Scope, payer: int, payee: int, known: int, noted: int) -> None:
    """What one payer pays one payee, in equal parts by those who pay instead, if anyone does. `known`: the register of
    the amount, UNSET while it is not known."""
    end, found = Label(), Label()
    inner = scope.knowing("payer", Named("seat", payer))
    writer.write(counting.if_equal, payer, payee, end)
    if line.when is not None:
        writer.unless(line.when, inner, end)
    sharers, inner = sharing(writer, line, inner, payer, payee)
    if not any(isinstance(node, Lookup) and node.name == "payer" for node in nodes(line.amount)):
        writer.write(counting.if_different, known, writer.constant(at.UNSET), found)
    writer.write(counting.copy, known, writer.value(line.amount, inner)[0])
    writer.place(found)
    amount, inner = inner.free()
    writer.write(counting.copy, amount, known)
    if line.times is not None:
        times, inner = writer.value(line.times, inner)
        amount, inner = product(writer, amount, times, inner)
    for condition in line.double:
        once = Label()
        writer.unless(condition, inner, once)
        writer.write(counting.add, amount, amount, amount)
        writer.place(once)
    step = at.NONE
    if line.round_up is not None:
        step, inner = writer.value(line.round_up, inner)
    writer.write(seating.share, amount, amount, sharers, step)

    def pay(here: Scope, seat: int) -> None:
        most, cap = at.NONE, writer.program.data.scoring.pays_at_most
        if cap is not None:
            most, _ = writer.value(cap, here.knowing("payer", Named("seat", seat)))
        writer.write(seating.gain, amount, seat, payee, most, noted)

    each_seat(writer, sharers, inner, pay)
    writer.place(end)


def sharing(writer: Writer, line: PaymentLine, scope: Scope, payer: int, payee: int) -> tuple[int, Scope]:
    """Those who pay, as bits."""
    found, inner = scope.free()
    writer.write(counting.copy, found, writer.constant(0))
    for ir in line.instead:
        some, there = writer.seats(ir, inner)
        each_seat(writer, some, there, lambda here, seat: add_other(writer, found, seat, payee))
    somebody = Label()
    writer.write(counting.if_true, found, somebody)
    writer.write(seating.add_seat, found, found, payer)
    writer.place(somebody)
    return found, inner


def add_other(writer: Writer, found: int, seat: int, payee: int) -> None:
    same = Label()
    writer.write(counting.if_equal, seat, payee, same)
    writer.write(seating.add_seat, found, found, seat)
    writer.place(same)


def kept(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """Seats in a register of their own."""
    to, inner = scope.free()
    found, inner = writer.seats(ir, inner)
    writer.write(counting.copy, to, found)
    return to, inner
