"""How a hand is counted, who pays whom, and the course of a match.

A payment that is not for a win has an example: plays are cases of the ruleset, which the engine plays, and the first
that pays something is it.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, Term
from tilewright.language.compiled.ruleset import Measure, PaymentLine, RulesetCase
from tilewright.language.vocabulary.words import pot
from tilewright.play.cases import begun, close_window, entries_of, make, read_turn
from tilewright.play.model import MadePayment
from tilewright.presentation.catalogue import say
from tilewright.rulebook.clauses import FRAMES, sentence
from tilewright.rulebook.patterns import amount
from tilewright.rulebook.payments import WIN, besides, line_name, payments_name, pays
from tilewright.rulebook.totals import Totals, totals, two_measures
from tilewright.rulebook.writing import BookBlock, Teller
from tilewright.scoring.case import read_case
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.score import Number, show_number


def scoring(teller: Teller) -> Iterator[BookBlock]:
    scoring = teller.data.scoring
    for measure in scoring.measures:
        yield BookBlock("text", " ".join(measure_sentences(teller, measure)))
        if steps := list(formula_steps(teller, measure)):
            yield BookBlock("list", items=tuple(steps))
        if measure.table:
            yield table(teller, measure)
        if measure.names:
            yield BookBlock("text", amounts_text(teller, measure))
    sentences = [teller.frame("best", measure=teller.say.measure(scoring.best))]
    sentences.append(teller.frame(f"by_discard_{scoring.completed_by_discard}"))
    if scoring.pays_at_most is not None:
        sentences.append(teller.frame("pays_at_most", number=teller.say.number(scoring.pays_at_most)))
    yield BookBlock("list", items=tuple(sentences))
    yield from totals_blocks(teller)


def totals_blocks(teller: Teller) -> Iterator[BookBlock]:
    """What wins pay, as tables by the two measures from which that follows; nothing in other games."""
    two = two_measures(teller.data)
    example = next((one for pattern in teller.data.patterns for one in pattern.examples if one.yes), None)
    if two is None or example is None:
        return
    names = seat_names(teller.data)
    measures = (two.rows.id, two.columns.id, teller.data.scoring.best)
    rows, columns, paid = (sentence(teller.say.measure(id), "") for id in measures)
    for winner, key in ((1, "totals"), (0, "totals_dealer")):
        for how, won in (("discard", {"discarder": names[2]}), ("self_draw", {"self_draw": True})):
            case = {"hand": example.case["hand"], "win_tile": example.case["win"], "seat_wind": names[winner], **won}
            found = totals(teller.rules, two, read_case(teller.data, case))
            if found is not None:
                yield BookBlock("text", teller.frame(f"{key}_{how}"))
                head = (rows, *(worth_text(teller, two.columns, one) for one in found.columns))
                yield BookBlock("table", head=head, rows=tuple(totals_rows(found)))
                flat = tuple((span(teller, at, end, None), paid_text(each)) for at, end, each in found.flat)
                yield BookBlock("table", head=(columns, paid), rows=flat)


def totals_rows(found: Totals) -> Iterator[tuple[str, ...]]:
    for row in found.rows:
        yield show_number(row), *(paid_text(found.cells.get((row, column), ())) for column in found.columns)


def paid_text(amounts: Sequence[Number]) -> str:
    """What each payer pays; a dash where no hand is worth that."""
    return "/".join(map(show_number, amounts)) or "–"


def worth_text(teller: Teller, measure: Measure, number: Number) -> str:
    return teller.within("worth", number=show_number(number), measure=teller.say.unit(measure.id, number))


def minimum(teller: Teller, in_full: bool = True) -> str:
    """What a hand needs to win, `in_full` with the patterns that do not count towards it; empty if that is nothing."""
    given = [(name, ir) for name, ir in teller.data.scoring.minimum if not (isinstance(ir, Const) and ir.value == 0)]
    amounts = [amount(teller, name, ir) for name, ir in given]
    if not amounts:
        return ""
    needed = teller.say.listed(amounts, "and")
    extra = [teller.say.named(one.id, one.name) for one in teller.data.patterns if one.extra]
    if extra and in_full:
        return teller.frame("minimum_besides", minimum=needed, patterns=teller.say.listed(extra))
    return teller.frame("minimum", minimum=needed)


def measure_sentences(teller: Teller, measure: Measure) -> Iterator[str]:
    """How a measure is counted."""
    name = sentence(teller.say.measure(measure.id), "")
    if is_stepped(measure.value):
        yield teller.frame("formula_first", measure=name)
    elif measure.value is not None:
        key = "formula_table" if measure.table else "formula"
        yield teller.frame(key, measure=name, formula=teller.say.number(measure.value))
    elif measure.start is not None:
        yield teller.frame("sum_from", measure=name, start=teller.say.number(measure.start))
    else:
        yield teller.frame("sum", measure=name)
    if measure.cap is not None:
        yield teller.frame("cap", cap=teller.say.number(measure.cap))


def amounts_text(teller: Teller, measure: Measure) -> str:
    """Every amount that has a name, with the name."""
    names = [
        teller.within("amount_name", number=show_number(number), name=teller.say.named("", name))
        for number, name in measure.names
    ]
    return teller.frame("amounts", measure=teller.say.measure(measure.id), names=teller.say.listed(names, "and"))


def is_stepped(value: Ir | None) -> bool:
    """Whether it is several conditions, tried in turn."""
    return isinstance(value, Conditional) and isinstance(value.other, Conditional)


def formula_steps(teller: Teller, measure: Measure) -> Iterator[str]:
    """A formula of several conditions, each with its value."""
    value = measure.value
    if not is_stepped(value):
        return
    while isinstance(value, Conditional):
        yield teller.frame("formula_if", number=teller.say.number(value.then), when=teller.say.truth(value.test))
        value = value.other
    if value is not None:
        yield teller.frame("formula_else", number=teller.say.number(value))


def table(teller: Teller, measure: Measure) -> BookBlock:
    """The entries of a table, each with the numbers that have it, without those that none reaches."""
    before = measure.value is not None and teller.say.number(measure.value)
    head = (sentence(str(before or ""), "") or teller.within("from"), sentence(teller.say.measure(measure.id), ""))
    reached = most(teller, measure.value)
    entries = [one for one in measure.table if reached is None or one[0] <= reached]
    ends = [*(start for start, _ in entries[1:]), None]
    rows = tuple(
        (span(teller, start, end, reached), teller.say.number(amount))
        for (start, amount), end in zip(entries, ends, strict=True)
    )
    return BookBlock("table", head=head, rows=rows)


def most(teller: Teller, value: Ir | None) -> Number | None:
    """The most that a measure can be, if it is another one with a fixed limit."""
    if not (isinstance(value, Lookup) and value.kind == "measure" and value.of is None):
        return None
    cap = next((one.cap for one in teller.data.scoring.measures if one.id == value.name), None)
    return cap.value if isinstance(cap, Const) and isinstance(cap.value, int | Fraction) else None


def span(teller: Teller, start: Number, end: Number | None, reached: Number | None) -> str:
    """The numbers from `start` to before `end`."""
    if end is None:
        return show_number(start) if start == reached else teller.within("and_more", least=show_number(start))
    if Fraction(start).denominator > 1 or Fraction(end).denominator > 1:
        return teller.within("and_more", least=show_number(start))
    last = show_number(end - 1)
    return last if end - 1 == start else teller.within("between", least=show_number(start), most=last)


# --- payments


def payments(teller: Teller, examples: Mapping[str, str]) -> Iterator[BookBlock]:
    """What is paid, each with its example, if it has one."""
    for name, lines in teller.data.payments.items():
        if lines:
            yield BookBlock("heading", sentence(payments_name(teller.say, name), ""), id=f"payments-{name}")
            yield BookBlock("list", items=tuple(payment_text(teller, name, line) for line in lines))
            if name in examples:
                yield BookBlock("text", examples[name])


def payment_text(teller: Teller, id: str, line: PaymentLine) -> str:
    """A line of payments, with its name if there are others."""
    name, said = line_name(teller.say, id, line), teller.wording("payments", f"{id}.{line.id}")
    sentences = [said] if said else [pays(teller.say, line), *besides(teller.say, line)]
    if name and payments_name(teller.say, id) != name:
        sentences[0] = name + teller.colon + sentences[0]
    sentences.append(teller.note("payments", id, line.id))
    return " ".join(sentence(one) for one in sentences if one)


# --- the course of a match


def match(teller: Teller) -> Iterator[BookBlock]:
    if teller.data.play is None:
        return
    match = teller.data.play.match
    sentences = [
        teller.frame(f"level_{level}", name=name)
        for level, names in match.levels.items()
        if (name := teller.say.named(level, names)) != say(f"names.level_{level}")
    ]
    if match.score is not None:
        sentences.append(teller.frame("start_score", number=teller.say.number(match.score)))
    rounds = [teller.say.tile_name(tile) for tile in match.rounds]
    several = len(rounds) > 1
    sentences.append(teller.frame("rounds" if several else "one_round", rounds=teller.say.listed(rounds, "and")))
    if match.dealer_stays is not None:
        fixed = match.dealer_stays.value if isinstance(match.dealer_stays, Const) else None
        key = "dealer_never" if fixed is False else "dealer_always" if fixed is True else "dealer_stays"
        when = "" if fixed is not None else teller.say.truth(opened(match.dealer_stays))
        derived = teller.frame(key, when=when, seats=next_dealer(teller, match.next_dealer))
        sentences.append(term_wording(teller, match.dealer_stays) or derived)
    for number, row in enumerate(match.seating, 2):
        who = ", ".join(str(player + 1) for player in row)
        sentences.append(teller.frame("seating", number=str(number), players=who))
    if match.ends is not None:
        ends = opened(match.ends)
        ways = ends.args if isinstance(ends, Apply) and ends.op == "or" else (ends,)
        said = term_wording(teller, match.ends)
        sentences += [said] if said else [teller.frame("ends", when=teller.say.truth(one)) for one in ways]
    if match.standings:
        sentences.append(teller.frame("standings"))
    if match.exchange is not None:
        sentences.append(teller.frame("exchange", number=teller.say.number(match.exchange)))
    if match.placement:
        numbers = ", ".join(teller.say.number(one).replace("-", "−") for one in match.placement)
        sentences.append(teller.frame("placement", numbers=numbers))
        sentences.append(teller.frame("equals_share" if match.equals_share else "equals_first"))
    yield BookBlock("list", items=tuple(sentences))


def opened(ir: Ir) -> Ir:
    """The body of a term on its own, unless its name says the same."""
    return ir.body if isinstance(ir, Term) and ir.of is None else ir


def term_wording(teller: Teller, ir: Ir) -> str:
    """The author's wording of a term that stands on its own; empty if there is none."""
    return teller.wording("terms", ir.name) if isinstance(ir, Term) and ir.of is None else ""


def next_dealer(teller: Teller, seats: Ir | None) -> str:
    """Who deals next."""
    if seats is None:
        return teller.within("next_player")
    if isinstance(seats, Conditional):
        then, other = teller.say.seats(seats.then), teller.say.seats(seats.other)
        return teller.within("next_dealer_if", when=teller.say.truth(seats.test), then=then, other=other)
    return teller.within("next_dealer", seats=teller.say.seats(seats))


# --- examples of payments


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
    for (to, number), by in payers.items():
        yield teller.say.word(
            FRAMES,
            "each_pays" if len(by) > 1 else "pays",
            payers=teller.say.listed(by, "and"),
            amount=show_number(number),
            payees=names[to],
        )
