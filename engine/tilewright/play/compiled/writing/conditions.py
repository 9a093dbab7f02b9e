"""Conditions as code: where it continues if one does not hold."""

from tilewright.language.compiled.ir import Apply, Const, HasGroups, Ir, Lookup, Quantifier, Term, Var, WordCall
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, moving, seating
from tilewright.play.compiled.writing.words import each, each_member, is_melds, knows_waits, wins
from tilewright.play.compiled.writing.writer import Label, NotSayable, Scope, Writer, whole
from tilewright.play.expressions import is_plain
from tilewright.scoring.plain.walker import as_set

COMPARED = ("number", "truth", "seat", "name", "suit", "seats")


def truth(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """A condition as a value."""
    to, inner = scope.free()
    no = Label()
    writer.write(counting.copy, to, writer.constant(0))
    writer.unless(ir, inner, no)
    writer.write(counting.copy, to, writer.constant(1))
    writer.place(no)
    return to, inner


def jump_unless(writer: Writer, ir: Ir, scope: Scope, no: Label) -> None:
    match ir:
        case Const():
            if not ir.value:
                writer.write(counting.jump, no)
        case Term(of=None):
            writer.unless(ir.body, scope, no)
        case Apply(op="and"):
            for part in sorted(ir.args, key=lambda part: asks_host(writer, part, scope)):
                writer.unless(part, scope, no)
        case Apply(op="or"):
            yes = Label()
            for part in ir.args[:-1]:
                other = Label()
                writer.unless(part, scope, other)
                writer.write(counting.jump, yes)
                writer.place(other)
            writer.unless(ir.args[-1], scope, no)
            writer.place(yes)
        case Apply(op="not"):
            yes = Label()
            writer.unless(ir.args[0], scope, yes)
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
            found, _ = writer.expressions.value(writer, ir, scope)
            writer.write(counting.if_not, found, no)


def asks_host(writer: Writer, ir: Ir, scope: Scope) -> bool:
    """Whether a condition is left to the host, at least in part: it is asked last, as that takes longest."""
    place, requests = len(writer.code), len(writer.requests)
    try:
        writer.unless(ir, scope, Label())
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
        writer.write(moving.is_among, one, meld, held)
        writer.write(counting.add, count, count, one)

    each(writer, moving.each_meld, (scope.seat,), writer.constant(0), inner, of_meld)
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
        tile, inner = writer.value(left.of, scope)
        among, inner = (None, inner) if right.of is None else writer.seats(right.of, inner)
        if among is None:
            among, inner = writer.result(inner, seating.add_seat, writer.constant(0), scope.seat)
        to, inner = writer.result(inner, moving.is_in_melds, tile, among)
        writer.write(counting.if_not if ir.op == "in" else counting.if_true, to, no)
    elif ir.op in ("in", "not_in") and is_kind_of_meld(ir):
        assert isinstance(left, Const) and isinstance(right, Lookup) and right.of is not None
        meld, inner = writer.value(right.of, scope)
        to, inner = inner.free()
        writer.write(moving.is_kind, to, meld, writer.kind(str(left.value)))
        writer.write(counting.if_not if ir.op == "in" else counting.if_true, to, no)
    elif ir.op in ("in", "not_in"):
        if left.type != "seat" or right.type not in ("seat", "seats"):
            raise NotSayable(f"{left.type} in {right.type}")
        seat, inner = writer.value(left, scope)
        among, inner = writer.seats(right, inner)
        to, inner = inner.free()
        writer.write(seating.is_among, to, seat, among)
        writer.write(counting.if_not if ir.op == "in" else counting.if_true, to, no)
    elif is_nearly_full(ir) and scope.less < 0 and knows_waits(writer):
        to, inner = scope.free()
        done = Label()
        writer.write(seating.is_near, to, scope.seat, done)
        writer.ask_host(ir, inner, to)
        writer.place(done)
        writer.write(counting.if_not, to, no)
    elif ir.op == "==" and isinstance(right, WordCall) and right.name == "next" and right.args[0].type == "seat":
        one, inner = writer.value(left, scope)
        other, inner = writer.value(right.args[0], inner)
        writer.write(seating.if_not_next, one, other, no)
    elif left.type in COMPARED and right.type in COMPARED:
        both = "seats" in (left.type, right.type)
        one, inner = writer.seats(left, scope) if both else writer.value(left, scope)
        other, inner = writer.seats(right, inner) if both else writer.value(right, inner)
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
    tile, inner = writer.value(left, scope)
    to, inside = inner.free()
    positive = ir.op in ("in", "==", "is")
    if ir.op in ("in", "not_in") and isinstance(right, Const):
        writer.write(
            moving.if_not_in_class if positive else moving.if_in_class, tile, writer.class_of(as_set(right.value)), no
        )
        return
    if ir.op in ("is", "is_not"):
        other, _ = writer.value(right, inside)
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
        suit, _ = writer.value(right.args[0], inside)
        writer.write(moving.is_in_suit, to, tile, suit)
    elif ir.op in ("in", "not_in") and (marks := marks_in(right)):
        writer.write(counting.copy, to, writer.constant(0))
        for mark in marks:
            of_seat = data.marks[mark].of == "seat"
            writer.write(
                counting.add_if_marked, to, tile, writer.marks[mark], scope.seat if of_seat else writer.constant(0)
            )
    elif ir.op in ("in", "not_in"):
        number, _ = writer.tiles(right, inside)
        writer.write(counting.has, to, tile, number)
    elif right.type == "tile":
        other, _ = writer.value(right, inside)
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
        each_member(writer, ir, scope, lambda here: writer.unless(ir.body, here, no))
        return
    yes = Label()

    def found(here: Scope) -> None:
        other = Label()
        writer.unless(ir.body, here, other)
        writer.write(counting.jump, yes)
        writer.place(other)

    each_member(writer, ir, scope, found)
    writer.write(counting.jump, no)
    writer.place(yes)
