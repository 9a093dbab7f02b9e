"""Words and sets as code: what is asked of a seat, of the table, of tiles and groups; whether a hand wins; each member
of some seats, tiles or melds in turn; tiles as a list of the frame.
"""

from collections.abc import Callable
from dataclasses import replace

from tilewright.base.kernels import Operation
from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, PickedMembers, Quantifier, Term, Var, WordCall
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, going, moving, seating
from tilewright.play.compiled.writing.writer import (
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
)
from tilewright.play.value_bounds import ValueBounds
from tilewright.scoring.plain.walker import as_set

TABLE = {"deals": at.DEALS, "turn": at.TURN, "winners": at.WINNERS, "takers": at.TAKERS, "seats": at.PLAYING}
TABLE |= {"group": at.GROUP}
OF_SEAT = {"others": seating.others, "drawn": moving.drawn, "concealed": moving.concealed}
OF_SEAT |= {"place": seating.placement, "hands_won": seating.hands_won}
OF_SEAT |= {"open_hands": seating.open_hands, "hand_number": seating.hand_number}


def of_other(writer: Writer, ir: Ir, seat: int, inner: Scope, scope: Scope) -> tuple[int, Scope]:
    """The value of an expression about another seat: nothing where there is none."""
    if ir.type not in ("number", "truth", "seat", "tile", "seats"):
        raise NotSayable(f"{describe(ir)} of another seat")
    to, inner = inner.free()
    end = Label()
    nothing = at.NONE if ir.type in ("seat", "tile") else 0
    writer.write(counting.copy, to, writer.constant(nothing))
    writer.write(counting.if_less, seat, writer.constant(0), end)
    found, _ = writer.value(ir, inner.of_seat(seat))
    writer.write(counting.copy, to, found)
    writer.place(end)
    return to, inner


def word(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    if ir.of is not None:
        if ir.of.type == "seat":
            seat, inner = writer.value(ir.of, scope)
            return of_other(writer, Lookup(ir.type, ir.kind, ir.name), seat, inner, scope)
        if ir.of.type == "group" and ir.name == "discarder":
            if isinstance(ir.of, Var):
                meld, scope = writer.value(ir.of, scope)
                return writer.result(scope, moving.discarder, meld)
            group, scope = writer.value(ir.of, scope)
            return writer.result(scope, moving.claimed_from, group)
        if isinstance(ir.of, Var) and ir.of.type == "group" and ir.name == "hand_number":
            meld, scope = writer.value(ir.of, scope)
            return writer.result(scope, moving.hand_of, meld)
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
        return in_points(writer, *writer.result(scope, seating.measure, scope.seat, writer.measure(ir.name)))
    if ir.kind == "word":
        return word_of_table(writer, ir, scope)
    raise NotSayable(f"{ir.kind} {ir.name}")


def rank_of(writer: Writer, of: Ir, scope: Scope) -> tuple[int, Scope]:
    """The rank of a tile: the class of each rank in turn."""
    every = writer.program.data.tiles.tiles
    tile, inner = writer.value(of, scope)
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
    return writer.result(scope, counting.get, writer.marks[ir.name], seat, at.NONE if mark.type == "seat" else 0)


def answered(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    """What a seat has answered, or a die."""
    known = writer.answers[ir.name]
    if known.type == "tiles":
        raise NotSayable("an answer of tiles as one value")
    seat = scope.seat if known.of_seat else writer.constant(0)
    return writer.result(scope, counting.get, known.mark, seat, at.NONE if known.type == "seat" else 0)


def in_points(writer: Writer, amount: int, scope: Scope) -> tuple[int, Scope]:
    """An amount as it is in payments; elsewhere in points."""
    if writer.unit > 1 and not scope.pays:
        writer.write(counting.divide, amount, amount, writer.constant(writer.unit))
    return amount, scope


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
        return writer.result(inner, seating.is_self_draw, scope.seat, tile, discarder)
    if name == "possible" and knows_possible(writer) and writer.program.hands == 1:
        return writer.result(scope, seating.may_win, scope.seat, writer.constant(1))
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
    writer.write(seating.may_win, to, seat, hand)
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
    writer.write(seating.wins, to, scope.seat, tile, done, done if no is None else no)
    discarder, inner = in_question(writer, "discarder", inner)
    held = terms_held(writer, inner)
    writer.requests.append(HostRequest(ir.type, ir, inner))
    writer.write(seating.judge, to, scope.seat, tile, discarder, held, len(writer.requests) - 1)
    writer.place(done)
    return to, inner


def may_be_worth(writer: Writer, bounds: ValueBounds, tile: int, scope: Scope, no: Label) -> None:
    """Jump where the hand is no form, or worth too little with all that the table may add to it."""
    writer.write(seating.if_no_form, scope.seat, tile, no)
    facts, inner = scope.free()
    writer.write(counting.copy, facts, writer.constant(0))
    for ir, number in bounds.facts.items():
        place, requests, skip = len(writer.code), len(writer.requests), Label()
        writer.unless(ir, inner, skip)
        if writer.asks_host(place):
            writer.back_to(place, requests)  # it may hold
        writer.write(counting.add, facts, facts, writer.constant(1 << number))
        writer.place(skip)
    writer.write(seating.if_too_low, scope.seat, tile, no, facts)


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
        writer.unless(data.terms[name], replace(inner, variables={}, pays=False), skipped)
        writer.write(counting.add, held, held, writer.constant(1 << number))
        writer.place(skipped)
    if len(writer.requests) > requests:
        writer.back_to(place, requests)
        return writer.constant(at.NONE)
    return held


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
    each(writer, counting.each_tile, (number,), writer.constant(0), scope, body)


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
        each(writer, moving.each_meld, (seat,), writer.constant(0), here, of_meld)

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
                writer.write(counting.add_tile, number, writer.constant(tile))
            return
        case Lookup(kind="word", name="waits", of=None):
            list_waits(writer, ir, scope, number)
            return
        case Lookup(kind="word", name="kinds", of=None) if scope.less < 0:
            writer.write(counting.add_kinds, number, scope.seat, ask_later(writer, ir, scope, number))
            return
        case WordCall(name="completing", args=(group,)) if group.type == "group":
            known, _ = writer.value(group, scope)
            writer.write(counting.add_completing, number, known)
            return
        case Lookup(kind="zone", name="hand", of=WordCall(name="with", args=(group,))) if group.type == "group":
            known, _ = writer.value(group, scope)
            writer.write(counting.add_rest_of_hand, number, scope.seat, known)
            return
        case _ if scope.less >= 0:
            raise NotSayable("tiles of an imagined seat")
        case Lookup(kind="zone") if ir.name != "melds" and (ir.of is None or ir.of.type == "seat"):
            seat = scope.seat if ir.of is None else writer.value(ir.of, scope)[0]
            row, of_seat = writer.rows[ir.name]
            writer.write(counting.add_zone, number, row, seat if of_seat else writer.constant(0))
            return
        case Lookup(kind="mark", type="tiles") if ir.of is None:
            of_seat = writer.program.data.marks[ir.name].of == "seat"
            seat = scope.seat if of_seat else writer.constant(0)
            writer.write(counting.add_marked, number, writer.marks[ir.name], seat)
            return
        case Apply(op="+" | "union") if ir.type == "tiles":
            for part in ir.args:
                writer.add_tiles(part, scope, number)
            return
        case Quantifier(op="those") if ir.domain.type in ("tile", "tiles"):

            def add(here: Scope) -> None:
                skip = Label()
                writer.unless(ir.body, here, skip)
                writer.write(counting.add_tile, number, here.variables[ir.letter].register)
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
            writer.write(counting.add_chosen_group, number, known)
            return
        case Lookup(kind="choice") if ir.name in scope.letters and scope.letters[ir.name].type == "meld":
            writer.write(counting.add_meld, number, scope.letters[ir.name].register)
            return
        case Lookup(kind="choice") if ir.name in scope.letters and scope.letters[ir.name].type == "tiles":
            writer.write(counting.add_list, number, scope.letters[ir.name].register)
            return
        case Lookup(kind="choice", type="tiles", of=None) if ir.name in writer.answers:
            writer.write(counting.add_marked, number, writer.answers[ir.name].mark, scope.seat)
            return
        case _ if ir.type == "tile":
            tile, _ = writer.value(ir, scope)
            writer.write(counting.add_tile, number, tile)
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
    writer.write(counting.add_waits, number, scope.seat, tile, request, scope.less, int(asks))


def knows_waits(writer: Writer) -> bool:
    """Whether tables tell what hands wait for."""
    engine = writer.program.rules.engine
    return engine.fits and not engine.searched and not writer.program.data.tiles.wild
