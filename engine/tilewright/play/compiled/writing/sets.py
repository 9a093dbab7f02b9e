"""Sets as code: each member of some seats, tiles or melds in turn; tiles as a list of the frame."""

from collections.abc import Callable

from tilewright.base.kernels import Operation
from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, PickedMembers, Quantifier, Term, WordCall
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, listing, melding, seating
from tilewright.play.compiled.writing.words import in_question
from tilewright.play.compiled.writing.writer import Label, Named, NotSayable, Scope, Writer, describe, forms_ask
from tilewright.scoring.plain.walker import as_set

IN_ORDER = ("everyone", "seats")  # sets of seats in the order of their numbers
IN_TURN = ("others", "takers")  # in turn after the seat, or after the one whose turn it is


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
        among, inner = writer.seats(ir.domain, scope)
        each_seat(writer, among, inner, lambda here, seat: body(here.counting(ir.letter, Named("seat", seat))))
        return
    if is_melds(ir.domain):
        each_meld(writer, ir, scope, body)
        return
    if ir.domain.type not in ("tile", "tiles"):
        raise NotSayable(f"{ir.op} over {ir.domain.type}")
    number, inner = writer.tiles(ir.domain, scope)
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
    among, inner = writer.seats(ir.domain.of, scope)
    each_seat(writer, among, inner, of_seat)


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
            known, _ = writer.value(group, scope)
            writer.write(listing.add_completing, number, known)
            return
        case Lookup(kind="zone", name="hand", of=WordCall(name="with", args=(group,))) if group.type == "group":
            known, _ = writer.value(group, scope)
            writer.write(listing.add_rest_of_hand, number, scope.seat, known)
            return
        case _ if scope.less >= 0:
            raise NotSayable("tiles of an imagined seat")
        case Lookup(kind="zone") if ir.name != "melds" and (ir.of is None or ir.of.type == "seat"):
            seat = scope.seat if ir.of is None else writer.value(ir.of, scope)[0]
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
                writer.add_tiles(part, scope, number)
            return
        case Quantifier(op="those") if ir.domain.type in ("tile", "tiles"):

            def add(here: Scope) -> None:
                skip = Label()
                writer.unless(ir.body, here, skip)
                writer.write(listing.add_tile, number, here.variables[ir.letter].register)
                writer.place(skip)

            each_member(writer, ir, scope, add)
            return
        case Term(of=None):
            writer.add_tiles(ir.body, scope, number)
            return
        case Apply(op="tiles", args=(Lookup(kind="choice" | "word", name="group", of=None) as group,)) | (
            Lookup(kind="choice" | "word", type="group", name="group", of=None) as group
        ):
            known, _ = writer.value(group, scope)
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
            tile, _ = writer.value(ir, scope)
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
