"""Comparisons that have words of their own: forms and waits, copies, how many of something there are. A speaker and two
expressions in, a clause out, or None if nothing is better than `A is B`."""

from collections.abc import Callable, Sequence

from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, PickedMembers, Quantifier, Term, Var, WordCall
from tilewright.language.vocabulary.words import WORDS, category, kind
from tilewright.rulebook.sentences.words import AMOUNTS, FRAMES, TRUTHS, Speaker, phrase_of

EQUAL, NOT_EQUAL, MORE, AT_LEAST = "==", "!=", ">", ">="


def known_comparison(say: Speaker, op: str, left: Ir, right: Ir) -> str | None:
    """A comparison of two things in special words."""
    if isinstance(left, PickedMembers) and left.seats == right and op == EQUAL:
        return say.word(TRUTHS, "all_seats", say.seats(right), say.truth(left.test))
    if not isinstance(right, Const):
        return None
    if left.type == "name":
        return named_comparison(say, op, left, str(right.value))
    if isinstance(left, WordCall):
        return call_comparison(say, op, left, right)
    if isinstance(left, Quantifier) and left.op == "count":
        return counted_comparison(say, op, left, right)
    if isinstance(left, Apply) and left.op == "size":
        return sized_comparison(say, op, left.args[0], right)
    return None


def named_comparison(say: Speaker, op: str, left: Ir, name: str) -> str | None:
    """The form, the wait, the end of the hand."""
    if isinstance(left, Lookup) and left.name == category.name:
        return say.word(TRUTHS, op, say.thing(left), say.word(FRAMES, "quoted", printed(say, name)))
    role = {EQUAL: "equal", NOT_EQUAL: "different"}.get(op)
    if role is None or not isinstance(left, Lookup) or left.of is not None:
        return None
    phrase = phrase_of(left.name, role)
    return None if phrase is None else say.phrase(phrase, value_of(say, left.name, name))


def alternatives(say: Speaker, parts: Sequence[Ir]) -> str | None:
    """`the form is A or B`: the same name compared with several, any of which it may be."""
    names, asked = list[str](), set[str]()
    for part in parts:
        match part:
            case Apply(op="==", args=(Lookup(of=None, name=name), Const(type="name", value=value))):
                if name not in WORDS:
                    return None
                asked.add(name)
                names.append(value_of(say, name, str(value)))
            case _:
                return None
    phrase = phrase_of(next(iter(asked)), "equal") if len(asked) == 1 else None
    return None if phrase is None else say.phrase(phrase, say.listed(names))


def value_of(say: Speaker, word: str, name: str) -> str:
    """What a word that is a name may be: a form, a phase, a kind of wait."""
    names = WORDS[word].names if word in WORDS else ""
    if names == "form":
        return say.form(name)
    if names == "phase":
        return say.phase(name)
    value = phrase_of(word, f"value.{name}")
    return say.phrase(value) if value is not None else name.replace("_", " ")


def printed(say: Speaker, name: str) -> str:
    """The title of a group of lines on the card that is played; else its name in words."""
    cards = (form.card for form in say.data.forms if form.card is not None)
    titles = (line.group for card in cards for line in card.lines if line.category == name)
    return next(titles, name.replace("_", " "))


def call_comparison(say: Speaker, op: str, left: WordCall, right: Const) -> str | None:
    """A word with arguments, compared with a number."""
    phrase = counted(left, op, right.value)
    return None if phrase is None else say.phrase(phrase, *map(say.thing, left.args), right.value)


def counted(word: Ir, op: str, number: object) -> str | None:
    """The phrase for a number of a word."""
    if op == MORE and number == 0:
        return said(word, "some")
    if op != EQUAL:
        return None
    few = said(word, "none") if number == 0 else said(word, "one") if number == 1 else None
    return few or said(word, "exactly")


def counted_comparison(say: Speaker, op: str, left: Quantifier, right: Const) -> str:
    """The number of members of which something is true."""
    amount, domain = say.word(AMOUNTS, op, say.number(right)), say.domain(left.domain)
    if (classes := memberships(say.members, left)) is not None:
        return say.word(TRUTHS, "count_belong", amount, domain, say.listed(classes, "and"))
    if (wanted := kind_asked(left)) is not None:
        return say.word(TRUTHS, "count_are", amount, domain, say.group_kind(wanted, True))
    return say.word(TRUTHS, "count_with", amount, domain, say.inside(left).truth(left.body), say.one_of(left, True))


def sized_comparison(say: Speaker, op: str, sized: Ir, right: Const) -> str | None:
    """How many members a set has."""
    none = right.value == 0
    if isinstance(sized, Lookup) and sized.kind == "zone" and none and op in (EQUAL, MORE):
        return say.word(TRUTHS, "none_in" if op == EQUAL else "some_in", say.tiles(sized))
    phrase = counted(sized, op, right.value) if isinstance(sized, Lookup) and sized.of is None else None
    if phrase is not None and isinstance(right.value, int):
        return say.phrase(phrase, right.value)
    if (op, right.value) in (("==", 0), (">", 0), (">=", 1)):
        return some_seat(say, sized, op == EQUAL)
    if sized.type == "seat" and (op, right.value) == ("==", 1):
        return some_seat(say, sized, False)
    return None


def some_seat(say: Speaker, seats: Ir, none: bool) -> str | None:
    """Whether there is anybody among seats."""
    if seats.type not in ("seat", "seats"):
        return None
    key = "nobody" if none else "somebody"
    if (phrase := said(seats, "none" if none else "some")) is not None:
        return say.phrase(phrase)
    known = isinstance(seats, Term) or (isinstance(seats, Lookup) and seats.kind == "mark")
    return say.word(TRUTHS, f"{key}_known" if known else key, say.seats(seats))


# --- conditions on the members of a set


def memberships(say: Callable[[Ir], str], ir: Quantifier) -> list[str] | None:
    """The classes that a member of a set must be in, said by `say`, if that is the only condition."""
    parts = ir.body.args if isinstance(ir.body, Apply) and ir.body.op == "and" else (ir.body,)
    found = []
    for part in parts:
        if not (isinstance(part, Apply) and part.op == "in" and is_letter(part.args[0], ir.letter)):
            return None
        found.append(say(part.args[1]))
    return found


def is_letter(ir: Ir, letter: str) -> bool:
    return isinstance(ir, Var) and ir.name == letter


def kind_asked(ir: Quantifier) -> str | None:
    """The kind of group that a member of a set must be, if that is the only condition."""
    match ir.body:
        case Apply(op="in", args=(Const(type="name") as wanted, Lookup(name=name, of=Var(name=letter)))):
            return str(wanted.value) if name == kind.name and letter == ir.letter else None
    return None


def said(ir: Ir, role: str) -> str | None:
    """The phrase for a word of the language in a role (`phrase_of`); none for other names."""
    match ir:
        case Lookup(kind="word", name=name) | WordCall(name=name):
            return phrase_of(name, role)
    return None
