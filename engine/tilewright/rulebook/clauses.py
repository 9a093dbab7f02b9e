"""Clauses: what sentences of rulebooks are made of, and those about groups and comparisons.

A speaker (`Sentences` is one) with templates or expressions in, text out; None for a comparison that has no better
words than `A is B`. Each sort of message is `rulebook.SORT.KEY` of the catalogue; phrases of words are
`words.WORD.ROLE`, sentences of steps `verbs.VERB.KEY`. Knows no document.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, PickedMembers, Quantifier, Term, Var, WordCall
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.expressions.syntax import SyntaxMistake, parse_template
from tilewright.language.expressions.templates import ANY_SUIT
from tilewright.language.expressions.trees import (
    Expression,
    NameOf,
    Template,
    TemplateSpot,
    TileCode,
    unparse,
    unparse_spot,
)
from tilewright.language.vocabulary.words import WORDS, category, kind
from tilewright.presentation.catalogue import has

TITLES, FRAMES = "title", "frame"
CLAUSES = "clause"  # of steps: loops, conditions, choices
GIVEN = "given"  # what a name stands for in context
TILES, NUMBERS, EXTREMES, TRUTHS, AMOUNTS = "tiles", "number", "extreme", "truth", "amount"
GROUPS = "group"  # templates of groups
TOWARDS = "rulebook.towards"  # a seat in a direction that only the table knows


def id_of(sort: str, key: str) -> str:
    return f"rulebook.{sort}.{key}"


def is_said(sort: str, key: str) -> bool:
    """Whether there is such a sentence."""
    return has(id_of(sort, key))


def phrase_of(word: str, role: str) -> str | None:
    """The message for a word of the language in a role, if it has one. Of a word with arguments, {0} is the first.

    `noun`: seats or tiles that it stands for. `tiles`: the same of tiles, if it is asked of seats or tiles. `of`: the
    tiles of somebody ({0}). `number`: it as a number, or its size. `side`: it as a direction. `affirmed`, `denied`: a
    truth. `equal`, `different`: it is {0} or is not; `value.NAME`: one of its names. `none`, `some`, `one`, `exactly`:
    its size; {0} is the number, after the arguments."""
    id = f"words.{word}.{role}"
    return id if word in WORDS and has(id) else None


CLAUSE_STARTS = frozenset({"A", "All", "An", "How", "It", "Its", "Nobody", "The", "What", "Who"})


def phrase(name: str) -> str:
    """A name inside a sentence: one that begins like a clause is not a proper name and begins in lower case."""
    first, _, rest = name.partition(" ")
    return f"{first.lower()} {rest}" if rest and first in CLAUSE_STARTS else name


def sentence(text: str, stop: str = ".", first: bool = True) -> str:
    """A clause as a sentence: capitalised, with a full stop."""
    if not text:
        return text
    if stop and text[-1] not in ".。!?！？":
        text += "。" if max(text[0], text[-1]) >= "\u2e80" else stop
    if not first:
        return text
    place = 1 if text[0] in "([" and len(text) > 1 else 0
    return text[:place] + text[place].upper() + text[place + 1 :]


class Speaker(Protocol):
    """Words for names, things, numbers and conditions of a ruleset in one language."""

    @property
    def data(self) -> CompiledRuleset: ...
    @property
    def is_spaced(self) -> bool: ...
    def word(self, sort: str, key: str, *args: object, **named: object) -> str: ...
    def phrase(self, id: str, *args: object, **named: object) -> str: ...
    def listed(self, items: Iterable[str], last: str = "or") -> str: ...
    def tile_name(self, tile: int) -> str: ...
    def class_name(self, name: str) -> str: ...
    def group_kind(self, kind: str, several: bool = False) -> str: ...
    def form(self, id: str) -> str: ...
    def phase(self, id: str) -> str: ...
    def truth(self, ir: Ir, holds: bool = True) -> str: ...
    def thing(self, ir: Ir) -> str: ...
    def seats(self, ir: Ir) -> str: ...
    def tiles(self, ir: Ir) -> str: ...
    def number(self, ir: Ir, loosest: int = 0) -> str: ...
    def domain(self, ir: Ir) -> str: ...
    def members(self, ir: Ir) -> str: ...
    def inside(self, ir: Quantifier) -> "Speaker": ...
    def one_of(self, ir: Quantifier, several: bool = False) -> str: ...


# --- groups


VOWELS = "aeiou"
LETTER = re.compile(r"\b[a-z]\b")


def templates(say: Speaker, parts: Sequence[str]) -> str:
    """Groups of a hand, as a list; what letters say in words, where there are any for it."""
    found = [parse_template(part) for part in parts if is_template(part)]
    special = related(say, found) if len(found) == len(parts) else None
    return special or say.listed([template(say, part) for part in parts], "and")


def is_template(text: str) -> bool:
    try:
        parse_template(text)
    except SyntaxMistake:
        return False
    return True


def template(say: Speaker, text: str) -> str:
    """`3 concealed triplets of dragons` in words."""
    return one_template(say, parse_template(text)) if is_template(text) else text


def one_template(say: Speaker, found: Template) -> str:
    if found.kind.id == "each":
        return say.word(GROUPS, "each", classes=classes(say, found))
    several, of_tiles = (found.count or 1) > 1, found.kind.id in ("tile", "tiles")
    kinds = kind_text(say, found.kind.id, several)
    if found.classes and of_tiles:
        kinds = say.word(GROUPS, "tiles_of" if several else "tile_of", classes=classes(say, found))
    for one in reversed([one for one in found.adjectives if is_said(GROUPS, one) and one != "completed"]):
        kinds = say.word(GROUPS, "beside", say.word(GROUPS, one), kinds)
    if found.classes and not of_tiles:
        kinds = say.word(GROUPS, "of", groups=kinds, classes=classes(say, found))
    if found.classes and found.classes.unless is not None:
        kinds = say.word(GROUPS, "except", groups=kinds, classes=class_written(say, found.classes.unless))
    if found.count is not None:
        groups = say.word(GROUPS, "count_tiles" if of_tiles else "count", count=found.count, kinds=kinds)
    else:
        one = "one_tile" if of_tiles else "an" if kinds[:1].lower() in VOWELS else "one"
        groups = say.word(GROUPS, one, kinds=kinds)
    return groups + where(say, found)


# --- groups that letters relate


def has_letters(parts: Iterable[str]) -> bool:
    """Whether some template has a letter for a place, suit or step."""
    return any(LETTER.search(one) for one in parts)


def keeps_letters(say: Speaker, parts: Sequence[str]) -> bool:
    """Whether letters of templates are still there in their words."""
    found = [parse_template(part) for part in parts if is_template(part)]
    if not has_letters(parts) or in_places(say, found) is not None:
        return False
    return of_suits(say, found) is None or any(is_lettered(spot) for one in found for spot in (one.place, one.step))


def is_lettered(spot: TemplateSpot | None) -> bool:
    return spot is not None and spot.letter is not None


def related(say: Speaker, found: Sequence[Template]) -> str | None:
    """Groups whose relation has words; None if letters say it best."""
    return in_places(say, found) or of_suits(say, found)


def in_places(say: Speaker, found: Sequence[Template]) -> str | None:
    """Groups that are identical, the same in several suits, or each so much higher than the one before."""
    places = [one.place for one in found if one.place is not None and one.place.letter is not None]
    if not alike(found) or len(places) < len(found):
        return None
    count, kinds = found[0].count or 1, kind_text(say, found[0].kind.id, True)
    letters, numbers = {place.letter for place in places}, [place.number for place in places]
    suited, apart = any(one.suit for one in found), are_apart(found)
    if count > 1 and not suited and not any(numbers) and len(letters) == len(found):
        groups = say.word(GROUPS, "identical", count=count, kinds=kinds)
        return groups if len(found) == 1 else say.word(GROUPS, "times_over", groups=groups, times=len(found))
    steps = {after - before for before, after in pairwise(numbers)}
    if count > 1 or len(letters) > 1 or len(steps) != 1 or (suited and not apart):
        return None
    step = steps.pop()
    if step > 0 and found[0].step is None:
        return say.word(GROUPS, "rising_suits" if apart else "rising", count=len(found), kinds=kinds, step=step)
    if step == 0 and apart:
        return say.word(GROUPS, "same_in_suits", kind=kind_text(say, found[0].kind.id, False), count=len(found))
    return None


def alike(found: Sequence[Template]) -> bool:
    """Whether templates differ in place and suit alone, without classes; a step is a letter."""
    shapes = {(one.kind.id.removesuffix("s"), one.count or 1) for one in found}
    steps = {unparse_spot(one.step) if one.step else "" for one in found}
    plain = all(not one.adjectives and one.classes is None for one in found)
    return plain and len(shapes) == len(steps) == 1 and all(one.step is None or is_lettered(one.step) for one in found)


def are_apart(found: Sequence[Template]) -> bool:
    """Whether each has a suit of its own."""
    suits = {one.suit.id for one in found if one.suit}
    return len(suits) == len(found) > 1


def of_suits(say: Speaker, found: Sequence[Template]) -> str | None:
    """Groups that are all in one suit, or each in another, without the letters of suits."""
    suits = {one.suit.id for one in found if one.suit}
    apart, shared = are_apart(found), len(suits) == 1 < len(found) and all(one.suit for one in found)
    if not apart and not shared:
        return None
    groups = say.listed([one_template(say, replace(one, suit=None)) for one in found], "and")
    return say.word(GROUPS, "each_suit" if apart else "shared_suit", groups=groups)


def is_known(say: Speaker, text: str) -> bool:
    """Whether the classes and the kind of a template are there: those of absent tiles are not."""
    try:
        found = parse_template(text)
    except SyntaxMistake:
        return True
    tiles, members = say.data.tiles, found.classes.members if found.classes else ()
    names = [node.id for node in members if isinstance(node, NameOf)]
    return not names or any(one in tiles.classes or one in tiles.families or one in WORDS for one in names)


def where(say: Speaker, template: Template) -> str:
    """The position of a group: its place, suit and step, and whether the last tile completed it."""
    found = []
    if template.place:
        key = "from" if is_run(say, template.kind.id) else "at"
        found.append(say.word(GROUPS, key, place=unparse_spot(template.place)))
    if template.suit:
        suit = template.suit.id
        if suit in say.data.tiles.families:
            found.append(say.word(GROUPS, "in_family", family=say.class_name(suit)))
        else:
            found.append(say.word(GROUPS, "any_suit" if suit == ANY_SUIT else "in", suit=suit))
    if template.step:
        found.append(say.word(GROUPS, "by", step=unparse_spot(template.step)))
    if "completed" in template.adjectives:
        found.append(say.word(GROUPS, "completed"))
    if say.is_spaced:
        return "".join(f" {one}" for one in found)
    return say.word(FRAMES, "brackets", text=say.word(FRAMES, "comma").join(found)) if found else ""


def is_run(say: Speaker, id: str) -> bool:
    """Whether the tiles of a kind follow each other: its place is that of the first."""
    found = say.data.groups.kinds.get(id) or say.data.groups.kinds.get(id.removesuffix("s"))
    return found is not None and found.run is not None


def kind_text(say: Speaker, id: str, several: bool) -> str:
    """A kind of group, or single tiles."""
    one = id if id in say.data.groups.kinds else id.removesuffix("s")
    if one not in say.data.groups.kinds:
        return say.word(GROUPS, "several", say.word(GROUPS, "tile")) if several else say.word(GROUPS, "tile")
    return say.group_kind(one, several)


def classes(say: Speaker, template: Template) -> str:
    assert template.classes is not None
    return say.listed([class_written(say, member) for member in template.classes.members])


def class_written(say: Speaker, node: Expression) -> str:
    """The name of a class in a template."""
    if isinstance(node, NameOf | TileCode):
        id = node.id if isinstance(node, NameOf) else node.code
        tile = say.data.tiles.by_code(id)
        return say.tile_name(tile.index) if tile is not None else say.class_name(id)
    return unparse(node)


def split_templates(text: str) -> Sequence[str]:
    """The templates of a list: commas separate only them."""
    return [part.strip() for part in text.split(",") if part.strip()]


EQUAL, NOT_EQUAL, MORE, AT_LEAST = "==", "!=", ">", ">="


# --- comparisons


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
