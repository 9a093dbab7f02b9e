"""Words as code: what is asked of a seat, of the table, of tiles and groups; whether a hand wins."""

from dataclasses import replace

from tilewright.language.compiled.ir import Ir, Lookup, Var
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, going, marking, melding, moving, paying, seating, winning
from tilewright.play.compiled.writing.writer import (
    GIVEN,
    NO_FACTS,
    HostRequest,
    Label,
    NotSayable,
    Scope,
    Writer,
    describe,
)
from tilewright.play.program.value_bounds import ValueBounds

TABLE = {"deals": at.DEALS, "turn": at.TURN, "winners": at.WINNERS, "takers": at.TAKERS, "seats": at.PLAYING}
TABLE |= {"group": at.GROUP}
OF_SEAT = {"others": seating.others, "drawn": moving.drawn, "concealed": melding.concealed}
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
                return writer.result(scope, melding.discarder, meld)
            group, scope = writer.value(ir.of, scope)
            return writer.result(scope, melding.claimed_from, group)
        if isinstance(ir.of, Var) and ir.of.type == "group" and ir.name == "hand_number":
            meld, scope = writer.value(ir.of, scope)
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
    return writer.result(scope, marking.get, writer.marks[ir.name], seat, at.NONE if mark.type == "seat" else 0)


def answered(writer: Writer, ir: Lookup, scope: Scope) -> tuple[int, Scope]:
    """What a seat has answered, or a die."""
    known = writer.answers[ir.name]
    if known.type == "tiles":
        raise NotSayable("an answer of tiles as one value")
    seat = scope.seat if known.of_seat else writer.constant(0)
    return writer.result(scope, marking.get, known.mark, seat, at.NONE if known.type == "seat" else 0)


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
        writer.unless(ir, inner, skip)
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
        writer.unless(data.terms[name], replace(inner, variables={}, pays=False), skipped)
        writer.write(counting.add, held, held, writer.constant(1 << number))
        writer.place(skipped)
    if len(writer.requests) > requests:
        writer.back_to(place, requests)
        return writer.constant(at.NONE)
    return held
