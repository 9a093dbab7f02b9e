"""What was paid in the plays of a ruleset: an example for each payment that is not for a win.

Plays are cases of the ruleset, which the engine plays; the first that pays something is its example.
"""

from collections.abc import Iterator

from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.ruleset import PaymentLine, RulesetCase
from tilewright.language.vocabulary.words import pot
from tilewright.play.cases import begun, close_window, entries_of, make, read_turn
from tilewright.play.model import MadePayment
from tilewright.rulebook.sentences.payments import WIN
from tilewright.rulebook.sentences.words import FRAMES
from tilewright.rulebook.writing.teller import Teller
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.score import Number, show_number


def paid_examples(teller: Teller) -> dict[str, str]:
    """A sentence for each payment, by its id; none for what one player pays another by a fixed amount."""
    wanted = {id for id, lines in teller.data.payments.items() if id != WIN and any(map(needs_example, lines))}
    found: dict[str, str] = {}
    for entry in teller.data.cases:
        if found.keys() >= wanted:
            break
        if "play" in entry.case and "options" not in entry.case:
            for id, payments in paid_in(teller, entry).items():
                if id in wanted and id not in found:
                    found[id] = teller.frame(
                        "paid_example", payments=teller.within("semicolon").join(said(teller, payments))
                    )
    return found


def needs_example(line: PaymentLine) -> bool:
    """Whether who pays whom how much depends on the hand."""
    several = line.payees.type == "seats"
    return several or line.when is not None or bool(line.double) or not isinstance(line.amount, Const)


def paid_in(teller: Teller, entry: RulesetCase) -> dict[str, list[MadePayment]]:
    """What was paid in a play, by the payments; nothing if it cannot be played."""
    try:
        game = begun(teller.rules, entry.case)
        turns = [read_turn(teller.rules, one) for one in entries_of(entry.case)]
        for turn, after in zip(turns, [*turns[1:], None], strict=True):
            make(game, turn)
            close_window(game, after)
    except CaseError:
        return {}
    found: dict[str, list[MadePayment]] = {}
    for one in game.payments:
        if one.amount:
            found.setdefault(one.payments, []).append(one)
    return found


def said(teller: Teller, payments: list[MadePayment]) -> Iterator[str]:
    """Who paid whom how much; payers of the same to one payee together."""
    names = [*teller.seat_names(), teller.say.seats(pot.node)]  # the pot is behind the seats
    payers: dict[tuple[int, Number], list[str]] = {}
    for one in payments:
        payers.setdefault((one.payee, one.amount), []).append(names[one.payer])
    for (to, amount), by in payers.items():
        yield teller.say.word(
            FRAMES,
            "each_pays" if len(by) > 1 else "pays",
            payers=teller.say.listed(by, "and"),
            amount=show_number(amount),
            payees=names[to],
        )
