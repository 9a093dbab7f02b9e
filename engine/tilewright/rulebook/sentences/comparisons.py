"""Comparisons that have words of their own: forms and waits, copies, how many of something there are. A speaker and two
expressions in, a clause out, or None where nothing better is known than `A is B`."""

from tilewright.language.compiled.ir import Apply, Call, Const, Ir, Picked, Quantified, Term, Var, Word
from tilewright.rulebook.sentences.speaker import Speaker
from tilewright.rulebook.sentences.words import AMOUNTS, TRUTHS, WAITS

EQUAL, NOT_EQUAL, MORE, AT_LEAST = "==", "!=", ">", ">="
OF_SETS = {"suits": "so_many_suits", "waits": "waits_for", "kinds": "different"}


def known_comparison(say: Speaker, op: str, left: Ir, right: Ir) -> str | None:
    """Two things compared, in words for these."""
    if isinstance(left, Picked) and left.seats == right and op == EQUAL:
        return say.word(TRUTHS, "all_seats", say.seats(right), say.truth(left.test))
    if not isinstance(right, Const):
        return None
    if left.type == "name":
        return named_comparison(say, op, word_of(left), str(right.value))
    if isinstance(left, Call) and left.name == "copies":
        return copies_comparison(say, op, left, right)
    if isinstance(left, Quantified) and left.op == "count":
        return counted_comparison(say, op, left, right)
    if isinstance(left, Apply) and left.op == "size":
        return sized_comparison(say, op, left.args[0], right)
    return None


def named_comparison(say: Speaker, op: str, name: str, text: str) -> str | None:
    """The form, the wait, how the hand ended."""
    if name == "form" and op in (EQUAL, NOT_EQUAL):
        return say.word(TRUTHS, "form" if op == EQUAL else "form_not", say.form(text))
    if name == "wait" and op == EQUAL:
        return say.word(TRUTHS, "wait", say.word(WAITS, text) if text in WAITS else text.replace("_", " "))
    if name == "result" and op == EQUAL:
        return say.word(TRUTHS, "result", say.phase(text))
    return None


def copies_comparison(say: Speaker, op: str, left: Call, right: Const) -> str | None:
    none, tile = right.value == 0, say.thing(left.args[0])
    if op not in (EQUAL, MORE) or not (none or op == EQUAL):
        return None
    key = "no_copies" if none and op == EQUAL else "some_copies" if none else "so_many_copies"
    return say.word(TRUTHS, key, tile, right.value)


def counted_comparison(say: Speaker, op: str, left: Quantified, right: Const) -> str:
    """How many members there are of which something is true."""
    amount, domain = say.word(AMOUNTS, op, say.number(right)), say.domain(left.domain)
    if (classes := memberships(say, left)) is not None:
        return say.word(TRUTHS, "count_belong", amount, domain, say.listed(classes, "and"))
    if (kind := kind_asked(left)) is not None:
        return say.word(TRUTHS, "count_are", amount, domain, say.group_kind(kind, True))
    return say.word(TRUTHS, "count_with", amount, domain, say.truth(left.body), left.letter)


def sized_comparison(say: Speaker, op: str, sized: Ir, right: Const) -> str | None:
    """How many members a set has."""
    none = right.value == 0
    if isinstance(sized, Word) and sized.kind == "zone" and none and op in (EQUAL, MORE):
        return say.word(TRUTHS, "none_in" if op == EQUAL else "some_in", say.tiles(sized))
    if word_of(sized) == "waits" and none and op in (EQUAL, MORE):
        return say.word(TRUTHS, "waits_for_none" if op == EQUAL else "waits_for_some")
    if (op, right.value) in (("==", 0), (">", 0), (">=", 1)) and (told := some_seat(say, sized, op == EQUAL)):
        return told
    if sized.type == "seat" and (op, right.value) == ("==", 1):
        return some_seat(say, sized, False)
    if op != EQUAL or not isinstance(right.value, int):
        return None
    key = OF_SETS.get(word_of(sized), "")
    if key == "so_many_suits" and right.value == 1:
        return say.word(TRUTHS, "single_suit")
    return say.word(TRUTHS, key, right.value) if key else None


def some_seat(say: Speaker, seats: Ir, none: bool) -> str | None:
    """Whether there is anybody among seats."""
    if seats.type not in ("seat", "seats"):
        return None
    key = "nobody" if none else "somebody"
    if word_of(seats) == "winners":
        return say.word(TRUTHS, f"{key}_won")
    known = isinstance(seats, Term) or (isinstance(seats, Word) and seats.kind == "mark")
    return say.word(TRUTHS, f"{key}_known" if known else key, say.seats(seats))


# --- what is asked of the members of a set


def memberships(say: Speaker, ir: Quantified) -> list[str] | None:
    """The classes that a member of a set has to be in, where that is all that is asked of it."""
    parts = ir.body.args if isinstance(ir.body, Apply) and ir.body.op == "and" else (ir.body,)
    found = []
    for part in parts:
        if not (isinstance(part, Apply) and part.op == "in" and is_letter(part.args[0], ir.letter)):
            return None
        found.append(say.thing(part.args[1]))
    return found


def is_letter(ir: Ir, letter: str) -> bool:
    return isinstance(ir, Var) and ir.name == letter


def kind_asked(ir: Quantified) -> str | None:
    """The kind of group that a member of a set has to be, where that is all that is asked of it."""
    match ir.body:
        case Apply(op="in", args=(Const(type="name") as kind, Word(name="kind", of=Var(name=letter)))):
            return str(kind.value) if letter == ir.letter else None
    return None


def word_of(ir: Ir | None) -> str:
    """The word that something is, asked of nobody in particular."""
    return ir.name if isinstance(ir, Word) and ir.of is None else ""
