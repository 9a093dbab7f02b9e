"""Who pays whom how much, in words: the payments of a ruleset, and accounts of what was paid.

Compiled lines in, text out; an account in, its formula and reasons out, as plain data in every language. A formula is a
list of signs and numbers; a number that is not written in the ruleset says what it is.
"""

from collections.abc import Iterator
from typing import Any

from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup
from tilewright.language.compiled.ruleset import CompiledRuleset, PaymentLine
from tilewright.language.vocabulary.words import everyone, payee, payer
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.rulebook.clauses import FRAMES
from tilewright.rulebook.expressions import SIGNS, Sentences, without_zero
from tilewright.scoring.payments import CAPPED, ROUNDED, Account, Sum
from tilewright.scoring.score import json_number, show_number

WIN = "win"


def payments_name(say: Sentences, id: str) -> str:
    """The name of payments: that of their only line, else their id."""
    if id == WIN:
        return say.word(FRAMES, "win_payment")
    lines, names = say.data.payments.get(id, ()), say.data.payment_names.get(id, {})
    only = lines[0].id if len(lines) == 1 else ""
    return say.named(id, names.get(only))


def line_name(say: Sentences, id: str, line: PaymentLine) -> str:
    """The name of a line; empty if it has none."""
    names = say.data.payment_names.get(id, {}).get(line.id)
    return say.named(line.id, names) if names else ""


def pays(say: Sentences, line: PaymentLine) -> str:
    """Who pays whom how much, as a clause."""
    clause = paid_by(say, line, line.payers, line.amount)
    if line.when is None:
        return clause
    key = "if_all" if isinstance(line.payers, Conditional) else "if_so"
    return say.word(FRAMES, key, when=say.truth(line.when), what=clause)


def paid_by(say: Sentences, line: PaymentLine, payers: Ir, amount: Ir) -> str:
    """Who pays how much; for payers that depend on a condition, case by case."""
    if isinstance(payers, Conditional):
        then = paid_by(say, line, payers.then, where_it_holds(amount, payers.test, True))
        other = paid_by(say, line, payers.other, where_it_holds(amount, payers.test, False))
        clause = say.word(FRAMES, "if_so", when=say.truth(payers.test), what=then)
        return clause + say.word(FRAMES, "semicolon") + say.word(FRAMES, "otherwise", what=other)
    payees = say.seats(line.payees)
    several = line.payees.type == "seats"
    return say.word(
        FRAMES,
        "pays" if payers.type == "seat" else "everyone_pays" if everyone.is_asked(payers) else "each_pays",
        payers=say.seats(payers),
        amount=amount_paid(say, amount),
        payees=say.word(FRAMES, "each_payee", seats=payees) if several else payees,
    )


def amount_paid(say: Sentences, amount: Ir) -> str:
    """An amount; a measure alone with its article."""
    bare, number = without_zero(amount), say.number(amount)
    is_measure = isinstance(bare, Lookup) and bare.kind == "measure" and bare.of is None
    return say.word(FRAMES, "the_measure", measure=number) if is_measure else number


def where_it_holds(amount: Ir, test: Ir, holds: bool) -> Ir:
    """An amount, given that a test holds or not."""
    if not isinstance(amount, Conditional):
        return amount
    asked, known = bare(amount.test), bare(test)
    if asked[0] != known[0]:
        return amount
    return amount.then if (asked[1] == known[1]) == holds else amount.other


def bare(test: Ir) -> tuple[Ir, bool]:
    """A test without its `not`, and whether it is to hold."""
    return (test.args[0], False) if isinstance(test, Apply) and test.op == "not" else (test, True)


def besides(say: Sentences, line: PaymentLine) -> list[str]:
    """The other details of a line, as sentences."""
    details = [say.word(FRAMES, "doubled", when=say.truth(one)) for one in line.double]
    if line.times is not None:
        details.append(say.word(FRAMES, "times_paid", count=say.number(line.times)))
    if line.round_up is not None:
        details.append(say.word(FRAMES, "rounded", number=say.number(line.round_up)))
    return [*details, *paid_instead(say, line)]


def paid_instead(say: Sentences, line: PaymentLine) -> list[str]:
    """Who pays in place of a payer, if anyone does."""
    others = [one for one in line.instead if not payer.is_asked(one)]
    if len(others) == 1 and others[0].type == "seat":
        return [clause] if (clause := by_one(say, others[0])) else []
    return [say.word(FRAMES, "instead", seats=say.listed([say.seats(one) for one in others]))] if others else []


def by_one(say: Sentences, ir: Ir) -> str:
    """The one who pays instead, case by case; empty for the payer."""
    if payer.is_asked(ir):
        return ""
    if not isinstance(ir, Conditional):
        return say.word(FRAMES, "pays_instead", seats=say.seats(ir))
    then, other = by_one(say, ir.then), by_one(say, ir.other)
    if not then:
        return other and say.word(FRAMES, "if_so", when=say.truth(Apply("truth", "not", (ir.test,))), what=other)
    clause = say.word(FRAMES, "if_so", when=say.truth(ir.test), what=then)
    return clause + say.word(FRAMES, "semicolon") + say.word(FRAMES, "otherwise", what=other) if other else clause


# --- accounts


Plain = dict[str, Any]
TIGHT = {"+": 1, "-": 1, "*": 2, "/": 2}
SIDES = {payer.name: "payer_doubles", payee.name: "payee_doubles"}


def account_json(data: CompiledRuleset, account: Account) -> Plain:
    """The formula of an account, and its reasons by language."""
    speakers = {language: Sentences(data, language) for language in dict.fromkeys((*LANGUAGES, *data.name))}
    return {"formula": list(signs(account.sum, speakers)), "reasons": list(reasons(account, speakers))}


def signs(sum: Sum, speakers: dict[str, Sentences], loosest: int = 0) -> Iterator[Any]:
    """Numbers and signs from left to right, in brackets where they bind less than what is around them."""
    if sum.sign in (ROUNDED, CAPPED):
        yield from signs(sum.parts[0], speakers, loosest)
    elif not sum.parts:
        yield number(sum, speakers)
    else:
        left, right = sum.parts
        tight = TIGHT[sum.sign]
        inside = [*signs(left, speakers, tight), SIGNS[sum.sign], *signs(right, speakers, tight + 1)]
        yield from ["(", *inside, ")"] if tight < loosest else inside


def number(sum: Sum, speakers: dict[str, Sentences]) -> Any:
    """A number; with what it is, if the ruleset does not say the number itself."""
    value = json_number(sum.value)
    if sum.ir is None or isinstance(sum.ir, Const):
        return value
    ir = sum.ir
    found: Plain = {"number": value, "names": {language: say.number(ir) for language, say in speakers.items()}}
    return found | ({"measure": sum.measure} if sum.measure else {})


def reasons(account: Account, speakers: dict[str, Sentences]) -> Iterator[dict[str, str]]:
    """Why the numbers are these, why they are doubled, and what became of the sum."""
    for because in account.reasons:
        yield {language: say.truth(because) for language, say in speakers.items()}
    for double in account.doubles:
        yield {language: doubled(say, double) for language, say in speakers.items()}
    for key, step in endings(account.sum):
        text = show_number(step.value)
        yield {language: say.word(FRAMES, key, number=text) for language, say in speakers.items()}


def doubled(say: Sentences, ir: Ir) -> str:
    """A condition that doubles a payment: who pays or is paid double, else the condition."""
    match ir:
        case Apply(op="==", args=(Lookup(of=None, name=side), who)) if side in SIDES:
            return say.word(FRAMES, SIDES[side], who=say.seats(who))
    return say.word(FRAMES, "double_when", when=say.truth(ir))


def endings(sum: Sum) -> Iterator[tuple[str, Sum]]:
    """What was done with the sum in the end."""
    if sum.sign in (ROUNDED, CAPPED):
        yield from endings(sum.parts[0])
        step = sum.parts[1]
        yield ("paid_at_most" if sum.sign == CAPPED else "rounded_whole" if step.value == 1 else "rounded_up"), step
