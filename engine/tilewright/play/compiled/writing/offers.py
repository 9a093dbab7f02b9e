"""Offers and questions as code: what a seat may do in a phase, or answer to a step, found by instructions
(`play.legal_choices`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tilewright.language.compiled.ir import Apply, Ir, Lookup, WordCall, nodes
from tilewright.language.compiled.play import Choose, Offer, Phase, Restriction
from tilewright.language.vocabulary.steps import Ask, Swap
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import asking, counting, moving, seating
from tilewright.play.compiled.writing.words import IN_ORDER, each_listed, each_seat
from tilewright.play.compiled.writing.writer import (
    ASKS_HOST,
    HostRequest,
    Label,
    Named,
    NotSayable,
    Scope,
    StepAsk,
    Writer,
)
from tilewright.play.offers import TRUE, chosen_words, looks_at, may_hold, own_tile

MOST_CHOICES = 2  # of an offer, or a question
ASKING = (
    *ASKS_HOST,
    seating.wins,
    counting.add_waits,
    counting.add_kinds,
    seating.measure,
)  # instructions that may ask the host


@dataclass(frozen=True, slots=True)
class Offering:
    """An offer of a phase, with its number."""

    number: int
    phase: Phase
    offer: Offer


def write_offering(writer: Writer, offering: Offering, scope: Scope) -> None:
    """Every choice of an offer that the seat of the scope has."""
    offer = offering.offer
    words = chosen_words(offer)
    bars = [one for one in writer.program.play.restrictions if bars_offer(writer, one, offering)]
    late = offer.when is not None and looks_at(offer.when, words)
    end = Label()
    if offer.when is not None and not late:
        writer.unless(offer.when, scope, end)
    conditions = [offer.when] if late and offer.when is not None else []
    if any(choose.form or choose.type == "tiles" for choose in offer.choose):
        raise NotSayable(f"offers.{offer.id}: a choice of several tiles")
    if offer.group and len(offer.choose) < MOST_CHOICES and all(choose.kind == "number" for choose in offer.choose):
        claimed(writer, offering, conditions, bars, scope, end)
    elif not offer.choose and not offer.group:
        if allowed(writer, conditions, bars, scope, end):
            writer.write(asking.offer, offering.number, writer.constant(at.NONE), at.NONE)
    elif not offer.group and offer.choose[0].kind == "group" and all(map(is_of_hand, offer.choose[1:])):
        of_hand(writer, offering, conditions, bars, scope, end)
    elif own_tile(offer) is not None:
        own_tiles(writer, offering, conditions, bars, scope, end)
    elif len(offer.choose) == 1 and not offer.group and is_of_hand(offer.choose[0]):
        tiles_of_hand(writer, offering, offer.choose[0], conditions, bars, scope)
    elif not offer.group:
        several(writer, offering, conditions, bars, scope, end)
    else:
        raise NotSayable(f"offers.{offer.id}: a choice beside a group of the tile in question")
    writer.place(end)


def bars_offer(writer: Writer, restriction: Restriction, offering: Offering) -> bool:
    phase, offer = offering.phase.id, offering.offer.id
    return any(offer in writer.program.named(bar, phase) for bar in restriction.bars)


def allowed(
    writer: Writer,
    conditions: Sequence[Ir],
    bars: Sequence[Restriction],
    scope: Scope,
    no: Label,
    live: Sequence[int] = (),
) -> bool:
    """Jump where a condition fails or a restriction bars; `live`: the registers of whether each may. False where
    nothing can follow."""
    for condition in conditions:
        writer.unless(condition, scope, no)
    for number, bar in enumerate(bars):
        free = Label()
        if live:
            writer.write(counting.if_not, live[number], free)
        if bar.when is not None:
            writer.unless(bar.when, scope, free)
        writer.write(counting.jump, no)
        if bar.when is None and not live:
            return False
        writer.place(free)
    return True


def claimed(
    writer: Writer, offering: Offering, conditions: Sequence[Ir], bars: Sequence[Restriction], scope: Scope, end: Label
) -> None:
    """Groups of the tile in question."""
    kind = writer.kind(offering.offer.group, writer.claimed)
    group, inner = scope.free()
    search, inner = inner.free()
    found, again = Label(), Label()
    writer.write(moving.first_claimed, group, search, kind, end)
    writer.place(found)
    named = Named("group", group)
    there = replace(inner, facts={"group": named})

    def offer(here: Scope, second: int) -> None:
        no = Label()
        if offering.offer.choose:
            (choose,) = offering.offer.choose
            here = here.naming(choose.name, Named(choose.type, second))
            if choose.when is not None:
                writer.unless(choose.when, here, no)
        if allowed(writer, conditions, bars, here, no):
            writer.write(asking.offer, offering.number, group, second)
        writer.place(no)

    if offering.offer.choose:
        each_number(writer, offering.offer.choose[0], there, offer)
    else:
        offer(there, at.NONE)
    writer.place(again)
    writer.write(moving.other_claimed, group, search, kind, found)


def of_hand(
    writer: Writer, offering: Offering, conditions: Sequence[Ir], bars: Sequence[Restriction], scope: Scope, end: Label
) -> None:
    """Groups of the hand, or melds that get a tile of it; with each, perhaps a tile of the hand."""
    choose, *more = offering.offer.choose
    if len(more) >= MOST_CHOICES:
        raise NotSayable(f"offers.{offering.offer.id}: more than {MOST_CHOICES} choices")
    kind = writer.kind(choose.group, writer.grown if choose.onto else writer.own)
    group, inner = scope.free()
    search, inner = inner.free()
    found, again = Label(), Label()
    facts = {"group": Named("group", group)}
    if choose.onto:
        begin, go_on, onto = moving.first_grown, moving.other_grown, [writer.kind(choose.onto)]
    else:
        begin, go_on, onto = moving.first_own, moving.other_own, list[int]()
    writer.write(begin, group, search, kind, end, *onto)
    writer.place(found)
    if choose.onto:
        tile, inner = inner.free()
        writer.write(moving.claimed_tile, tile, group)
        facts["tile"] = Named("tile", tile)
    letters = {**inner.letters, choose.name: Named("group", group)}
    there = replace(inner, letters=letters, facts=facts)
    wanted = [] if choose.when is None else [choose.when]
    if more:
        allowed(writer, wanted, (), there, again)
        tiles_of_hand(writer, offering, more[0], conditions, bars, there, group)
    elif allowed(writer, [*wanted, *conditions], bars, there, again):
        writer.write(asking.offer, offering.number, group, at.NONE)
    writer.place(again)
    writer.write(go_on, group, search, kind, found, *onto)


def own_tiles(
    writer: Writer, offering: Offering, conditions: Sequence[Ir], bars: Sequence[Restriction], scope: Scope, end: Label
) -> None:
    """A tile of the hand: the usual offer. Where no restriction may bar one, all are offered at once."""
    words, single, live, inner = chosen_words(offering.offer), Label(), list[int](), scope
    for bar in bars:
        register, inner = may_bar(writer, bar, words, inner)
        live.append(register)
    for register in [*live, *(writer.constant(1) for _ in conditions)]:
        writer.write(counting.if_true, register, single)
    writer.write(asking.offer_hand, offering.number, scope.seat)
    if conditions or bars:
        writer.write(counting.jump, end)
        writer.place(single)
        number, inner = inner.list()
        writer.write(counting.take_hand, number, scope.seat, 1)
        late = [replace(bar, when=late_part(bar.when, words)) for bar in bars]
        each_tile(writer, offering, offering.offer.choose[0], conditions, late, inner, number, live=live)


def may_bar(writer: Writer, bar: Restriction, words: frozenset[str], scope: Scope) -> tuple[int, Scope]:
    """The register of whether a restriction may bar some choice, as far as that does not depend on the choice."""
    ever = TRUE if bar.when is None else may_hold(bar.when, words)
    if ever == TRUE:
        return writer.constant(1), scope
    live, inner = scope.free()
    other = Label()
    writer.write(counting.copy, live, writer.constant(0))
    writer.unless(ever, inner, other)
    writer.write(counting.copy, live, writer.constant(1))
    writer.place(other)
    return live, inner


def late_part(condition: Ir | None, words: frozenset[str]) -> Ir | None:
    """What of a condition depends on the choice."""
    if condition is None or not looks_at(condition, words):
        return None
    if not isinstance(condition, Apply) or condition.op != "and":
        return condition
    parts = tuple(part for part in condition.args if looks_at(part, words))
    return parts[0] if len(parts) == 1 else replace(condition, args=parts)


def tiles_of_hand(
    writer: Writer,
    offering: Offering,
    choose: Choose,
    conditions: Sequence[Ir],
    bars: Sequence[Restriction],
    scope: Scope,
    group: int = at.NONE,
) -> None:
    """A tile of the hand that meets conditions, after the group in a register, if there is one."""
    number, inner = scope.list()
    writer.write(counting.take_hand, number, scope.seat, 0)
    wanted = [*([] if choose.when is None else [choose.when]), *conditions]
    each_tile(writer, offering, choose, wanted, bars, inner, number, group)


def each_tile(
    writer: Writer,
    offering: Offering,
    choose: Choose,
    conditions: Sequence[Ir],
    bars: Sequence[Restriction],
    scope: Scope,
    number: int,
    group: int = at.NONE,
    live: Sequence[int] = (),
) -> None:
    """The tiles of a list, each by itself or with the group in a register; `live` as in `allowed`."""

    def offer(here: Scope, tile: int) -> None:
        named, no = Named("tile", tile), Label()
        facts = {**here.facts, **({"tile": named} if choose.name == "tile" else {})}
        letters = {**here.letters, choose.name: named}
        there = replace(here, letters=letters, facts=facts)
        of_class(writer, choose, tile, no)
        if not allowed(writer, conditions, bars, there, no, live):
            pass
        elif group >= 0:
            writer.write(asking.offer, offering.number, group, tile)
        else:
            writer.write(asking.offer, offering.number, tile, at.NONE)
        writer.place(no)

    each_listed(writer, number, scope, offer)


def several(
    writer: Writer, offering: Offering, conditions: Sequence[Ir], bars: Sequence[Restriction], scope: Scope, end: Label
) -> None:
    """Choices of seats, tiles of the hand and tiles of others, each after the others."""
    offer = offering.offer
    if len(offer.choose) > MOST_CHOICES:
        raise NotSayable(f"offers.{offer.id}: more than {MOST_CHOICES} choices")
    expect_alike_swaps(offer)
    laid = dict[str, int]()
    for choose in offer.choose:
        if choose.kind == "tiles" and not is_of_hand(choose):
            laid[choose.name], scope = tiles_of_others(writer, offering, choose, scope, end)

    def choices(here: Scope, chosen: tuple[int, ...]) -> None:
        if len(chosen) == len(offer.choose):
            if allowed(writer, conditions, bars, here, again[-1]):
                writer.write(asking.offer, offering.number, chosen[0], chosen[1] if len(chosen) > 1 else at.NONE)
            return
        choose = offer.choose[len(chosen)]

        def choice(inner: Scope, register: int) -> None:
            again.append(Label())
            named = Named(choose.type, register)
            there = inner.naming(choose.name, named)
            if choose.name == "tile":
                there = there.knowing("tile", named)
            if is_of_hand(choose):
                of_class(writer, choose, register, again[-1])
            if choose.when is not None:
                writer.unless(choose.when, there, again[-1])
            choices(there, (*chosen, register))
            writer.place(again.pop())

        if choose.kind == "seat":
            each_chosen_seat(writer, offering, choose, here, choice)
        elif choose.kind == "number":
            each_number(writer, choose, here, choice)
        elif choose.name in laid:
            each_listed(writer, laid[choose.name], here, choice)
        elif is_of_hand(choose):
            number, here = here.list()
            writer.write(counting.take_hand, number, here.seat, 0)
            each_listed(writer, number, here, choice)
        else:
            raise NotSayable(f"offers.{offer.id}: a choice of {choose.kind}")

    again = [end]
    choices(scope, ())


def expect_alike_swaps(offer: Offer) -> None:
    """Raise NotSayable where a tile of a meld changes places with one of which it is not said that it stands for the
    same: a group must remain one."""
    for step in offer.do:
        if isinstance(step.does, Swap):
            named = {ir.name for ir in step.does.pair if isinstance(ir, Lookup) and ir.kind == "choice"}
            swapped = [choose for choose in offer.choose if choose.name in named]
            laid = [choose for choose in swapped if isinstance(choose.source, Lookup) and choose.source.name == "melds"]
            if len(swapped) < 2 or (laid and not any(stands_for_another(choose, named) for choose in laid)):
                raise NotSayable(f"offers.{offer.id}: tiles that may not change places")


def stands_for_another(choose: Choose, names: set[str]) -> bool:
    """Whether a tile is chosen that stands for another one of these choices."""
    if choose.name not in names or not isinstance(choose.when, Apply) or choose.when.op != "==":
        return False
    sides = list(choose.when.args)
    sides.sort(key=lambda side: not isinstance(side, WordCall))
    stands, other = sides
    return (
        isinstance(stands, WordCall)
        and stands.name == "stands_for"
        and all(isinstance(arg, Lookup) and arg.name == choose.name for arg in stands.args)
        and isinstance(other, Lookup)
        and other.of is None
        and other.name in names - {choose.name}
    )


def tiles_of_others(writer: Writer, offering: Offering, choose: Choose, scope: Scope, end: Label) -> tuple[int, Scope]:
    """A list of the tiles of a class that lie in a zone of all seats; nothing is offered where there are none."""
    source = choose.source
    of = source.of if isinstance(source, Lookup) and source.kind == "zone" else None
    if choose.type != "tile" or choose.of is None or not isinstance(of, Lookup) or of.name not in IN_ORDER or of.of:
        raise NotSayable(f"offers.{offering.offer.id}: a choice of tiles of another place")
    assert isinstance(source, Lookup)
    row, of_seat = writer.rows[source.name]
    if not of_seat:
        raise NotSayable(f"offers.{offering.offer.id}: a choice of tiles of the table")
    known = writer.class_of_any(choose.of)
    among, inner = writer.seats(of, scope)
    number, inner = inner.list()
    size, inner = inner.free()
    writer.write(counting.clear, number)
    if source.name == "melds":
        writer.write(counting.add_from_melds, number, among, known, scope.seat)
    else:
        writer.write(counting.add_from_rows, number, row, among, known, scope.seat)
    writer.write(counting.size, size, number)
    writer.write(counting.if_not, size, end)
    return number, inner


def each_chosen_seat(
    writer: Writer, offering: Offering, choose: Choose, scope: Scope, body: Callable[[Scope, int], None]
) -> None:
    """The body for each seat that may be chosen, in their order."""
    among = choose.seats
    if isinstance(among, Lookup) and among.of is None and among.name in IN_ORDER:
        found, inner = writer.seats(among, scope)
        each_seat(writer, found, inner, body)
        return
    if not (isinstance(among, Lookup) and among.of is None and among.name == "others"):
        raise NotSayable(f"offers.{offering.offer.id}: a choice of seats whose order changes")
    found, inner = writer.seats(among, scope)
    seat, inner = inner.free()
    there, inner = inner.free()
    for by in range(1, writer.program.count):  # in turn order after it
        no = Label()
        writer.write(seating.away, seat, scope.seat, by)
        writer.write(seating.is_among, there, seat, found)
        writer.write(counting.if_not, there, no)
        body(inner, seat)
        writer.place(no)


def of_class(writer: Writer, choose: Choose, tile: int, no: Label) -> None:
    """Jump where a tile is of none of the classes that may be chosen."""
    if choose.of is not None:
        writer.write(moving.if_not_in_class, tile, writer.class_of_any(choose.of), no)


def is_of_hand(choose: Choose) -> bool:
    """Whether one tile of the own hand is chosen."""
    return choose.kind == "tiles" and choose.type == "tile" and is_own(choose)


def is_own(choose: Choose) -> bool:
    """Whether tiles of the own hand are chosen."""
    source = choose.source
    return source is None or (isinstance(source, Lookup) and source.name == "hand" and source.of is None)


# --- questions of steps


def ask(writer: Writer, does: Ask, scope: Scope) -> None:
    """Put a question to seats; its answers become marks."""
    if len(does.choose) > MOST_CHOICES or any(choose.name not in writer.answers for choose in does.choose):
        raise NotSayable("ask: answers that no mark keeps")
    picks = does.choose[-1].type == "tiles"
    if picks and (len(does.choose) > 1 or does.choose[0].kind != "tiles" or not is_own(does.choose[0])):
        raise NotSayable("ask: tiles of another place, or after another choice")
    number, request = len(writer.asks), len(writer.requests)
    writer.requests.append(HostRequest("", None, scope, ask=does))
    who, inner = writer.seats(does.who, scope)
    left, inner = inner.free()
    seat, inner = inner.free()
    tried, inner = inner.list()
    again, end = Label(), Label()
    marks = tuple(writer.answers[choose.name].mark for choose in does.choose)
    condition = Label() if picks and does.choose[0].when is not None else None
    writer.asks.append(StepAsk(marks, picks, condition, tried, seat, request))
    writer.write(asking.begin, seat, left, who, end, 0)
    writer.place(again)
    there = inner.of_seat(seat)
    if picks:
        pool(writer, does.choose[0], there, number)
    else:
        values_of(writer, does.choose, there, number, ())
    writer.write(asking.end_seat, seat, left, again)
    writer.place(end)
    bits = sum(1 << writer.answers[choose.name].bit for choose in does.choose)
    writer.write(asking.ask, number, who, bits)
    if condition is not None:
        after = Label()
        writer.write(counting.jump, after)
        writer.place(condition)
        together(writer, does.choose[0], there, tried)
        writer.place(after)


def pool(writer: Writer, choose: Choose, scope: Scope, number: int) -> None:
    """Several tiles of the hand, and how many of them."""
    found, inner = scope.list()
    row, seat = writer.zone("hand", scope)
    if choose.of is None:
        writer.write(counting.clear, found)
        writer.write(counting.add_zone, found, row, seat)
    else:
        every, inner = inner.list()
        writer.write(counting.clear, found)
        writer.write(counting.clear, every)
        writer.write(counting.add_zone, every, row, seat)

        def add(here: Scope, tile: int) -> None:
            no = Label()
            of_class(writer, choose, tile, no)
            writer.write(counting.add_tile, found, tile)
            writer.place(no)

        each_listed(writer, every, inner, add)
    most, inner = inner.free()
    if choose.most is None:
        writer.write(counting.size, most, found)
    else:
        known, inner = writer.value(choose.most, inner)
        writer.write(counting.copy, most, known)
    least = most
    if choose.least is not None:
        least, inner = writer.value(choose.least, inner)
    writer.write(asking.offer_pool, number, found, seat, least, most)


def together(writer: Writer, choose: Choose, scope: Scope, tried: int) -> None:
    """Whether the tiles of a list may be chosen together. Raises NotSayable where the host would be asked."""
    assert choose.when is not None
    words = [node for node in nodes(choose.when) if isinstance(node, Lookup) and node.name == choose.name]
    if any(word.of is not None for word in words):
        raise NotSayable("ask: tiles that depend on what others choose")
    place, no = len(writer.code), Label()
    inner = scope.naming(choose.name, Named("tiles", tried))
    writer.unless(choose.when, inner, no)
    writer.write(asking.tried, writer.constant(1))
    writer.place(no)
    writer.write(asking.tried, writer.constant(0))
    if any(line.operation in ASKING for line in writer.code[place:]):
        raise NotSayable("ask: a condition of several tiles that the host is asked for")


def values_of(writer: Writer, choices: Sequence[Choose], scope: Scope, number: int, chosen: tuple[int, ...]) -> None:
    """Every answer that a seat may give, in their order."""
    if len(chosen) == len(choices):
        writer.write(asking.offer, number, chosen[0], chosen[1] if len(chosen) > 1 else at.NONE)
        return
    choose = choices[len(chosen)]

    def offer(here: Scope, register: int) -> None:
        no = Label()
        there = here.naming(choose.name, Named(choose.type, register))
        if choose.when is not None:
            writer.unless(choose.when, there, no)
        values_of(writer, choices, there, number, (*chosen, register))
        writer.place(no)

    if choose.kind == "flag":
        for truth in (1, 0):
            offer(scope, writer.constant(truth))
    elif choose.kind == "suit":
        for suit in writer.program.data.tiles.suits:
            offer(scope, writer.constant(writer.name(suit.id)))
    elif choose.kind == "number":
        each_number(writer, choose, scope, offer)
    else:
        raise NotSayable(f"ask: a choice of {choose.kind}")


def each_number(writer: Writer, choose: Choose, scope: Scope, body: Callable[[Scope, int], None]) -> None:
    """The body for each number that may be chosen, which is kept in a register."""
    last, inner = scope.free()
    number, inner = inner.free()
    found, inner = (writer.constant(0), inner) if choose.least is None else writer.value(choose.least, inner)
    writer.write(counting.copy, number, found)
    found, inner = (number, inner) if choose.most is None else writer.value(choose.most, inner)
    writer.write(counting.copy, last, found)
    again, end = Label(), Label()
    writer.place(again)
    writer.write(counting.if_less, last, number, end)
    body(inner, number)
    writer.write(counting.add, number, number, writer.constant(1))
    writer.write(counting.jump, again)
    writer.place(end)
