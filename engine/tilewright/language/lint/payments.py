"""Lint of payments: lines that pay nothing or the wrong way, and sums that do not balance.

Every line pays from a payer to a payee, so it always sums to zero; points are lost only if nobody pays or gets them, or
if they stay in the pot.
"""

from collections.abc import Callable, Iterator

from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Place, Problem
from tilewright.language.compiled.ir import Apply, Const, Ir
from tilewright.language.compiled.ruleset import PaymentLine
from tilewright.language.documents.fields import section
from tilewright.language.expressions.folding import TRUE, is_steady
from tilewright.language.expressions.lower import names_in
from tilewright.language.lint.impossible import asks_options, leaves_out
from tilewright.language.lint.view import PlayView
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare import Word

SIDES = frozenset(word.name for word in words.WORDS.values() if word.told_by == "payment")


def lines(played: PlayView) -> Iterator[tuple[PaymentLine, str, Mapping]]:
    """Every line with its path and its node."""
    for id, found in played.data.payments.items():
        for line in found:
            yield line, f"payments.{id}.{line.id}", section(played.view.whole.document, "payments", id, line.id)


def sides(played: PlayView) -> Iterator[Problem]:
    """Check that somebody pays somebody else, and that the payers do not depend on the payment."""
    for line, path, node in lines(played):
        if line.payers == line.payees and line.payers.type == "seat" and is_steady(line.payers):
            yield pays_itself(played.place(f"{path}.from"), line.id)
        elif words.discarder.is_asked(line.payers) and asks(line.when, words.self_draw):
            yield nobody_pays(played.place(f"{path}.from"), line.id)
        for key in ("from", "to"):
            text = node.get(key)
            names = names_in(text) if isinstance(text, Scalar) else []
            for name in dict.fromkeys(name for name in names if name in SIDES):
                yield not_yet(played.place(f"{path}.{key}"), name)


def asks(when: Ir | None, word: Word) -> bool:
    """Whether a condition holds only if this word does."""
    if isinstance(when, Apply) and when.op == "and":
        return any(asks(arg, word) for arg in when.args)
    return word.is_asked(when)


def numbers(played: PlayView) -> Iterator[Problem]:
    """Check that amounts are not negative, and are rounded to a positive number."""
    for line, path, _ in lines(played):
        if asks_options(played.view, *path.split(".")):
            continue
        for key, ir in (("amount", line.amount), ("times", line.times)):
            if isinstance(ir, Const) and value(ir) < 0:
                yield negative(played.place(f"{path}.{key}"), key)
        if line.round_up is not None and isinstance(line.round_up, Const) and value(line.round_up) <= 0:
            yield no_step(played.place(f"{path}.round_up"))


def value(ir: Const) -> float:
    return float(ir.value) if not isinstance(ir.value, str | tuple) else 1


def pot(played: PlayView) -> Iterator[Problem]:
    """Check that payments into the pot are paid out, and the other way round."""
    if leaves_out(played.view.whole, [("payments", id) for id in played.data.payments]):
        return
    into = [path for line, path, _ in lines(played) if says_pot(line.payees)]
    out = [path for line, path, _ in lines(played) if says_pot(line.payers, *line.instead)]
    if into and not out:
        yield never_out(played.place(into[0]))
    if out and not into:
        yield never_in(played.place(out[0]))


def says_pot(*parts: object) -> bool:
    """Whether the pot is named in an expression."""
    return any(
        words.pot.is_asked(part)
        or (isinstance(part, tuple) and says_pot(*part))
        or says_pot(*(getattr(part, name) for name in getattr(part, "__dataclass_fields__", ())))
        for part in parts
    )


def settled(played: PlayView) -> Iterator[Problem]:
    """Check that every payment is carried out somewhere, perhaps with other options."""
    carried_out = {use.node.text for use in played.view.refs("payment") if isinstance(use.node, Scalar)}
    for id, found in played.data.payments.items():
        if found and id not in carried_out:
            yield never_settled(played.place(f"payments.{id}"), id)


def placement(played: PlayView) -> Iterator[Problem]:
    """Check that placement points are given for every seat, and sum to zero."""
    added = [value(ir) for ir in played.play.match.placement if isinstance(ir, Const)]
    if added and len(added) != played.data.seats.count:
        yield other_seats(played.place("match.placement"), len(added), played.data.seats.count)
    elif sum(added) != 0:
        yield off_zero(played.place("match.placement"), sum(added))


def seating(played: PlayView) -> Iterator[Problem]:
    """Check that in every round everyone has a place."""
    everyone = list(range(played.data.seats.count))
    if any(sorted(row) != everyone for row in played.play.match.seating):
        yield without_place(played.place("match.seating"), len(everyone))


def next_dealer(played: PlayView) -> Iterator[Problem]:
    """Check that `next_dealer` is used after some hand."""
    match = played.play.match
    if match.next_dealer is not None and match.dealer_stays == TRUE:
        yield never_asked(played.place("match.next_dealer"))


CHECKS: tuple[Callable[[PlayView], Iterator[Problem]], ...] = (
    sides,
    numbers,
    pot,
    settled,
    placement,
    seating,
    next_dealer,
)


# --- problems


def pays_itself(place: Place, line: str) -> Problem:
    return Problem(
        "pays-itself",
        f"in {line} the one who pays is the one who is paid",
        place,
        "say who else is paid: `to`",
    )


def nobody_pays(place: Place, line: str) -> Problem:
    return Problem(
        "nobody-pays", f"nobody pays {line}: after a self-draw there is no discarder", place, "write losers, or others"
    )


def not_yet(place: Place, name: str) -> Problem:
    return Problem("not-yet", f"the {name} is only known once this is", place, "use it in `when` or `amount`")


def negative(place: Place, key: str) -> Problem:
    return Problem("pays-backwards", f"this {key} is below zero", place, "swap `from` and `to`")


def no_step(place: Place) -> Problem:
    return Problem("no-step", "an amount is rounded up to a multiple of a number above zero", place)


def never_out(place: Place) -> Problem:
    return Problem("pot-kept", "the pot is paid, but never pays", place, "add a line `from: pot`", "warning")


def never_in(place: Place) -> Problem:
    return Problem("pot-empty", "the pot pays, but nobody pays into it", place, "add a line `to: pot`", "warning")


def never_settled(place: Place, id: str) -> Problem:
    return Problem("never-settled", f"the payments {id} are never carried out", place, f"`settle: {id}`", "warning")


def other_seats(place: Place, there: int, seats: int) -> Problem:
    return Problem(
        "off-zero", f"{there} are placed, and {seats} play", place, "one number for each seat, best first", "warning"
    )


def off_zero(place: Place, total: float) -> Problem:
    return Problem("off-zero", f"these sum to {total:g}, not to 0", place, "what one gets, others lose", "warning")


def without_place(place: Place, seats: int) -> Problem:
    return Problem("no-place", f"each list has the numbers from 1 to {seats}, each once", place, "who sits where")


def never_asked(place: Place) -> Problem:
    return Problem(
        "never-passes", "the dealer always stays, so that nobody deals next", place, "dealer_stays: false", "warning"
    )
