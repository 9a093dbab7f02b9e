"""Accounts of payments in words: an account in, its formula and reasons out, as plain data in every language.

A formula is a list of signs and numbers; a number that is not written in the ruleset says what it is.
"""

from collections.abc import Iterator
from typing import Any

from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.words import payee, payer
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.rulebook.sentences.expressions import SIGNS, Sentences
from tilewright.rulebook.sentences.words import FRAMES
from tilewright.scoring.payments import CAPPED, ROUNDED, Account, Sum
from tilewright.scoring.score import json_number, show_number

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
