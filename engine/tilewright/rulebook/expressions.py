"""Sentences: expressions, conditions, groups and steps of a ruleset as sentences of a language.

Compiled parts in, text out; anything without words is shown as in the ruleset. Names are those of the ruleset in the
language, else in English, else their ids. Decides nothing and knows no document.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from tilewright.language.compiled import ir as typed
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.play import every_step
from tilewright.language.compiled.ruleset import CompiledRuleset, Text
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.steps import Ask
from tilewright.presentation.catalogue import chosen, say
from tilewright.presentation.names import chooses, unit_names
from tilewright.rulebook.clauses import (
    EXTREMES,
    FRAMES,
    GIVEN,
    GROUPS,
    NUMBERS,
    TILES,
    TOWARDS,
    TRUTHS,
    alternatives,
    id_of,
    is_said,
    kind_asked,
    known_comparison,
    memberships,
    phrase,
    phrase_of,
    said,
    sentence,
    split_templates,
    templates,
)
from tilewright.scoring.explain import describe
from tilewright.scoring.score import Number, show_number
from tilewright.tiles.notation import write_tile

CHANGED = (words.with_.name, words.without.name)
FLIPPED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SIGNS = {"*": "×", "/": "÷", "+": "+", "-": "−", "^": "^", "%": "mod"}
MEMBERS = {"seats": "seat", "tiles": "tile", "groups": "group"}  # what one of a set is
LOOSE = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 3}


@dataclass(frozen=True)
class Sentences:
    """A ruleset in the words of a language. `abouts`: notes on marks and terms, by id, as far as there are any.
    `given`: what a name stands for in context, by a key of GIVEN."""

    data: CompiledRuleset
    language: str = "en"
    abouts: Mapping[str, Text] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)

    # --- names

    def word(self, sort: str, key: str, *args: object, **named: object) -> str:
        """A sentence of a sort with its blanks filled."""
        return self.phrase(id_of(sort, key), *args, **named)

    def phrase(self, id: str, *args: object, **named: object) -> str:
        """A message of the catalogue with its blanks, numbered or named, filled."""
        return say(id, self.language, **{str(at): arg for at, arg in enumerate(args)}, **named)

    @cached_property
    def is_spaced(self) -> bool:
        """Whether there are spaces between words."""
        return " " in self.word(GROUPS, "beside", "", "")

    @cached_property
    def number_gap(self) -> str:
        """What stands between a number and the word behind it."""
        return self.word(FRAMES, "worth", number="", measure="")

    def named(self, id: str, names: Text | None) -> str:
        """The name of a thing in the language, else in English, else its id in words."""
        given = dict(names or {})
        if not given or given == {"en": id}:
            return id.replace("_", " ")
        return chosen(given, self.language)

    def listed(self, items: Iterable[str], last: str = "or") -> str:
        """`a, b or c`."""
        found = list(items)
        comma, joint = self.word(FRAMES, "comma"), self.word(FRAMES, f"last_{last}")
        return comma.join(found[:-1]) + joint + found[-1] if len(found) > 1 else "".join(found)

    def tile_name(self, tile: int) -> str:
        """The name of a tile; its code if it has none."""
        names = self.data.tiles.names.get(tile)
        code = write_tile(tile, self.data.tiles)
        return self.named(code, names) if names else code

    def class_name(self, name: str) -> str:
        """The name of a family or class."""
        if is_said(TILES, name):
            return self.word(TILES, name)
        if noun := phrase_of(name, "noun"):
            return self.phrase(noun)
        return self.named(name, self.data.tiles.titles.get(name))

    def measure(self, id: str) -> str:
        """The name of a measure inside a sentence: in lower case where there is one, unless it is an abbreviation."""
        found = {measure.id: measure.name for measure in self.data.scoring.measures}
        name = self.named(id, found.get(id))
        return name if name[1:2].isupper() else name[:1].lower() + name[1:]

    def unit(self, id: str, number: Number) -> str:
        """The word behind a number of a measure."""
        found = unit_names(self.data, id, number)
        return self.named(id, found) if found else self.measure(id)

    def zone(self, id: str) -> str:
        zone = self.data.zones.get(id)
        return self.named(id, zone.name if zone else None)

    def group_kind(self, kind: str, several: bool = False) -> str:
        """The name of a kind of group; in English with an s for several."""
        found = self.named(kind, self.data.group_names.get(kind))
        return self.word(GROUPS, "several", found) if several else found

    def form(self, id: str) -> str:
        found = {form.id: form.name for form in self.data.forms}
        return self.named(id, found.get(id))

    def phase(self, id: str) -> str:
        play = self.data.play
        phase = play.phases.get(id) if play else None
        return self.named(id, phase.name if phase else None)

    def as_written(self, ir: Ir) -> str:
        return describe(ir, self.data)

    @cached_property
    def asked(self) -> dict[str, Text]:
        """The yes-or-no questions of steps, by the name of the answer."""
        play = self.data.play
        if play is None:
            return {}
        steps = [*(one.do for one in play.phases.values()), *(one.do for one in play.actions.values())]
        steps += [one.do for one in play.offers.values()]
        asks = [step.does for do in steps for step in every_step(do) if isinstance(step.does, Ask)]
        return {choose.name: choose.question for ask in asks for choose in ask.choose if choose.question}

    @cached_property
    def titles(self) -> dict[str, Text]:
        """The names of choices, by id."""
        play = self.data.play
        if play is None:
            return {}
        found = [choose for offer in play.offers.values() for choose in offer.choose]
        lists = [phase.do for phase in play.phases.values()] + [offer.do for offer in play.offers.values()]
        lists += [action.do for action in play.actions.values()] + [trigger.do for trigger in play.triggers]
        found += [choose for steps in lists for step in every_step(steps) for choose in chooses(step)]
        return {choose.name: choose.title for choose in found if choose.title}

    # --- truths

    def only_if(self, when: Ir) -> str:
        """A condition as a sentence."""
        match when:
            case typed.Apply(op="not", args=(typed.Lookup() | typed.Term(),)):
                return sentence(self.word(FRAMES, "unless", when=self.truth(when.args[0])), "")
        return sentence(self.word(FRAMES, "if", when=self.truth(when)), "")

    def truth(self, ir: Ir, holds: bool = True) -> str:
        """A condition as a clause; if not `holds`, that it does not hold."""
        match ir:
            case typed.Const():
                return self.word(TRUTHS, "true" if bool(ir.value) == holds else "false")
            case typed.Apply(op="not"):
                return self.truth(ir.args[0], not holds)
            case typed.Apply(op="or") if holds and (one_of := alternatives(self, ir.args)) is not None:
                return one_of
            case typed.Apply(op="and" | "or"):
                both = (ir.op == "and") == holds
                parts = [self.part(one, holds, both) for one in ir.args]
                return self.joint("and" if both else "or").join(parts)
            case typed.HasGroups():
                return self.word(TRUTHS, "has" if holds else "has_not", templates(self, split_templates(written(ir))))
            case typed.Test() if holds:
                last = "and" if ir.op == "include" else "or"
                several = {1: "", 2: "_both"}.get(len(ir.classes), "_each") if ir.op == "include" else ""
                key = ir.op + several
                return self.word(TRUTHS, key, self.listed([self.tiles(one) for one in ir.classes], last))
            case typed.Matches() if holds:
                return self.matches(ir)
            case typed.Lookup() | typed.Term() if ir.of is None or isinstance(ir.of, typed.Var):
                return self.flag(ir, holds)
            case typed.Lookup() | typed.Term() if ir.of is not None and ir.of.type == "seat":
                return self.word(TRUTHS, "of_seat", self.seats(ir.of), self.flag(ir, holds))
            case typed.WordCall(of=None) if (known := said(ir, "affirmed" if holds else "denied")) is not None:
                return self.phrase(known, *map(self.thing, ir.args))
            case typed.Apply() if ir.op in FLIPPED:
                return self.compared(ir.op if holds else FLIPPED[ir.op], *ir.args)
            case typed.Apply(op="is" | "is_not"):
                return self.word(TRUTHS, "==" if (ir.op == "is") == holds else "!=", *map(self.thing, ir.args))
            case typed.Apply(op="in" | "not_in"):
                return self.member(ir.args[0], ir.args[1], (ir.op == "in") == holds)
            case typed.Quantifier(op="any" | "all"):
                return self.quantified(ir, holds)
        return self.as_written(ir) if holds else self.word(TRUTHS, "not", self.truth(ir))

    def joint(self, word: str) -> str:
        return self.word(FRAMES, f"part_{word}")

    def part(self, ir: Ir, holds: bool, inside_and: bool) -> str:
        """A part of several; one of the other kind is put in brackets."""
        text = self.truth(ir, holds)
        if holds and isinstance(ir, typed.Apply) and ir.op == "or" and alternatives(self, ir.args) is not None:
            return text
        nested = isinstance(ir, typed.Apply) and ir.op in ("and", "or") and ((ir.op == "and") == holds) != inside_and
        return self.word(FRAMES, "brackets", text=text).strip() if nested else text

    def matches(self, ir: typed.Matches) -> str:
        """The text to match, and the regular expression."""
        written = self.word(TRUTHS, "written_bonus" if ir.of == "bonus" else f"written_{ir.order}")
        written += self.word(TRUTHS, "written_without_suits") * (not ir.suits)
        written += self.word(TRUTHS, "written_as_stood_for") * ir.stands_for
        return self.word(TRUTHS, "contains" if ir.anywhere else "matches", written, ir.regex)

    def flag(self, ir: typed.Lookup | typed.Term, holds: bool) -> str:
        """A word of the language, a mark or a term that holds."""
        affirmed, denied = said(ir, "affirmed"), said(ir, "denied")
        if affirmed is not None and not holds:
            return self.phrase(denied) if denied else self.word(TRUTHS, "not", self.phrase(affirmed))
        if affirmed is not None:
            return self.phrase(affirmed)
        denied = "mark_not" if self.has_name(ir.name) else "note_not"
        return self.word(TRUTHS, "mark" if holds else denied, self.mark(ir.name))

    def mark(self, id: str) -> str:
        """The name of a mark or term: its own name, else the note on it, else its id."""
        if self.has_name(id):
            return phrase(self.named(id, self.names_of(id)))
        if id in self.asked:
            return self.named(id, self.asked[id])
        if note := self.noted(self.abouts.get(id)):
            return note[:1].lower() + note[1:].rstrip(".。")
        return self.word(FRAMES, "id", id.replace("_", " "))

    def names_of(self, id: str) -> Text | None:
        """The names of a mark or term."""
        declared = self.data.marks.get(id)
        return declared.name if declared else self.data.term_names.get(id)

    def has_name(self, id: str) -> bool:
        """Whether a mark or term has a name besides its id."""
        return bool(names := self.names_of(id)) and dict(names or {}) != {"en": id}

    def remembered(self, id: str) -> str:
        """A mark or term that is not a truth, inside a sentence: the note on it, else its name."""
        note = self.noted(self.abouts.get(id)).rstrip(".。")
        return note[:1].lower() + note[1:] if note else self.mark(id)

    def noted(self, note: Text | None) -> str:
        """A note in the language, else in English; empty if there is none."""
        return chosen(note or {}, self.language)

    def choice_name(self, name: str) -> str:
        """A choice, die or loop variable: by its sort if that is clear, else by its name."""
        if name in self.given:
            return self.word(GIVEN, self.given[name])
        if name in self.titles:
            return self.word(GIVEN, "title", self.named(name, self.titles[name]))
        return self.word(GIVEN, "named", name.replace("_", " "))

    def compared(self, op: str, left: Ir, right: Ir) -> str:
        """Two things compared."""
        if (special := known_comparison(self, op, left, right)) is not None:
            return special
        if op == "==" and words.seat.is_asked(left) and is_next(right):
            return self.word(TRUTHS, "is_next", self.seats(left))
        say = self.number if left.type == "number" else self.thing
        several = op in ("==", "!=") and left.type in ("tiles", "groups", "seats")
        return self.word(TRUTHS, f"{op} many" if several else op, say(left), say(right))

    def member(self, left: Ir, right: Ir, holds: bool) -> str:
        """One thing among others."""
        if isinstance(right, typed.Lookup) and right.kind == "zone" and left.type == "tiles":
            return self.word(TRUTHS, "in_zone" if holds else "not_in_zone", self.tiles(left), self.zone(right.name))
        if (
            isinstance(left, typed.Const)
            and left.type == "name"
            and isinstance(right, typed.Lookup)
            and right.name == words.kind.name
        ):
            text = self.word(TRUTHS, "kind", self.group_kind(str(left.value)), self.thing(right.of) if right.of else "")
            return text if holds else self.word(TRUTHS, "not", text)
        if right.type == "seat":
            return self.word(TRUTHS, "==" if holds else "!=", self.thing(left), self.thing(right))
        if isinstance(right, typed.Const) and isinstance(right.value, tuple) and len(right.value) == 1:
            return self.word(TRUTHS, "==" if holds else "!=", self.thing(left), self.thing(right))
        return self.word(TRUTHS, "among" if holds else "not_among", self.thing(left), self.members(right))

    def members(self, ir: Ir) -> str:
        """A set, of whose members something is said: a class of tiles with its article."""
        text = self.thing(ir)
        is_class = isinstance(ir, typed.Const) and isinstance(ir.value, tuple) and len(ir.value) != 1
        return self.word(TILES, "members", text) if is_class else text

    def quantified(self, ir: typed.Quantifier, holds: bool) -> str:
        """Some or every member of a set."""
        if (classes := memberships(self.members, ir)) is not None:
            key = ("some_of" if holds else "none_of") if ir.op == "any" else "all_of" if holds else "not_all_of"
            return self.word(TRUTHS, key, self.domain(ir.domain), self.word(FRAMES, "and_to").join(classes))
        op = ir.op if holds else "none" if ir.op == "any" else "any"
        body = self.inside(ir).truth(ir.body, holds or ir.op == "any")
        if words.everyone.is_asked(ir.domain):
            return self.word(TRUTHS, f"{op}_player", body)
        if ir.domain.type == "seats":
            return self.word(TRUTHS, f"{op}_seats", self.domain(ir.domain), body)
        return self.word(TRUTHS, op, self.one_of(ir), self.domain(ir.domain), body)

    def inside(self, ir: typed.Quantifier) -> "Sentences":
        """The same inside a sentence about each member of a set, which needs no letter: `that tile`."""
        sort = self.sort(ir)
        return replace(self, given={**self.given, ir.letter: sort}) if sort else self

    def sort(self, ir: typed.Quantifier) -> str:
        """What the members of a set are, by a key of GIVEN; empty if they need a letter, as another one is named so."""
        sort = MEMBERS.get(ir.domain.type, "")
        return "" if sort != "seat" and sort in self.given.values() else sort

    def one_of(self, ir: typed.Quantifier, several: bool = False) -> str:
        """The noun for a member of a set; its letter if it needs one."""
        sort = self.sort(ir)
        noun = self.word(GROUPS, sort) if sort and is_said(GROUPS, sort) else ir.letter
        return self.word(GROUPS, "several", noun) if several and noun != ir.letter else noun

    def letter(self, ir: typed.Var) -> str:
        return self.word(GIVEN, self.given[ir.name]) if ir.name in self.given else ir.name

    # --- things

    def thing(self, ir: Ir) -> str:
        """A seat, tile, set or name."""
        if ir.type in ("seat", "seats"):
            return self.seats(ir)
        if ir.type in ("tile", "tiles", "group", "groups", "suits"):
            return self.tiles(ir)
        if ir.type == "number":
            return self.number(ir)
        if ir.type == "direction" and isinstance(ir, typed.Const | typed.Lookup):
            return self.side(ir)
        if isinstance(ir, typed.Lookup) and ir.type == "name" and words.form.is_asked(ir.of):
            noun = said(ir, "noun")
            return self.phrase(noun) if noun is not None else self.as_written(ir)
        if isinstance(ir, typed.Const):
            return str(ir.value).replace("_", " ") if not isinstance(ir.value, bool) else self.truth(ir)
        if isinstance(ir, typed.Lookup) and ir.type == "suit" and ir.kind == "choice" and ir.of is None:
            return self.choice_name(ir.name)
        return self.truth(ir) if ir.type == "truth" else self.as_written(ir)

    def seats(self, ir: Ir) -> str:
        """Seats as people."""
        match ir:
            case typed.Lookup(of=None, kind="word") if (noun := said(ir, "noun")) is not None:
                return self.phrase(noun)
            case typed.Lookup(of=None, kind="choice"):
                return self.choice_name(ir.name)
            case typed.Lookup(of=None, kind="mark") | typed.Term(of=None):
                return self.remembered(ir.name)
            case typed.Lookup() | typed.Term() if ir.of is not None and said(ir, "noun") is None:
                return self.word(NUMBERS, "who_of", self.thing(ir.of), self.remembered(ir.name))
            case typed.WordCall() if is_next(ir):
                return self.word(FRAMES, "next_in_turn")
            case typed.WordCall(of=None, name="towards"):
                return self.phrase(TOWARDS, *map(self.thing, ir.args))
            case typed.WordCall(of=None) if (noun := said(ir, "noun")) is not None:
                return self.phrase(noun, *map(self.thing, ir.args))
            case typed.PickedMembers():
                return self.bracketed(self.seats(ir.seats), self.truth(ir.test))
            case typed.Quantifier(op="those"):
                return self.bracketed(self.seats(ir.domain), self.inside(ir).truth(ir.body))
            case typed.Conditional():
                return self.word(NUMBERS, "choice", self.seats(ir.then), self.truth(ir.test), self.seats(ir.other))
            case typed.Var():
                return self.letter(ir)
        return self.as_written(ir)

    def side(self, ir: typed.Const | typed.Lookup) -> str:
        """A direction."""
        name = str(ir.value) if isinstance(ir, typed.Const) else ir.name
        if (side := phrase_of(name, "side")) is not None:
            return self.phrase(side)
        return self.mark(name) if isinstance(ir, typed.Lookup) and ir.kind == "mark" else self.choice_name(name)

    def domain(self, ir: Ir) -> str:
        """A set as the subject of a sentence; a zone with its article."""
        is_zone = isinstance(ir, typed.Lookup) and ir.kind == "zone" and not isinstance(ir.of, typed.WordCall)
        return self.word(TILES, "zone", self.thing(ir)) if is_zone else self.thing(ir)

    def bracketed(self, text: str, more: str) -> str:
        return text + self.word(FRAMES, "brackets", text=more)

    def word_seat(self) -> str:
        """The seat that acts."""
        return self.seats(words.seat.node)

    def tiles(self, ir: Ir) -> str:
        """Tiles: a class by its name, else one by one."""
        match ir:
            case typed.Const() if isinstance(ir.value, tuple):
                return self.tiles_of(frozenset(int(tile) for tile in ir.value))
            case typed.Lookup(of=None) if ir.kind == "zone":
                return self.zone(ir.name)
            case typed.Lookup(of=None, kind="word") if (noun := said(ir, "noun")) is not None:
                return self.phrase(noun)
            case typed.Lookup(of=None):
                return self.remembered(ir.name) if ir.kind == "mark" else self.choice_name(ir.name)
            case typed.Term(of=None):
                return self.remembered(ir.name)
            case typed.WordCall(of=None) if (noun := of_tiles(ir)) is not None:
                return self.phrase(noun, *map(self.thing, ir.args))
            case typed.Lookup(name="hand", kind="zone", of=typed.WordCall(name=name) as changed) if name in CHANGED:
                return self.seats(changed)
            case typed.Lookup() if ir.of is not None and (of := said(ir, "of")) is not None:
                return self.phrase(of, self.thing(ir.of))
            case typed.Lookup() if ir.of is not None:
                whose, what = self.thing(ir.of), self.tiles(typed.Lookup(ir.type, ir.kind, ir.name))
                return self.word(NUMBERS, "of", whose, what)
            case typed.Apply(op="tiles" | "size"):
                return self.tiles(ir.args[0])
            case typed.Quantifier(op="those"):
                if (kind := kind_asked(ir)) is not None:
                    return self.word(TILES, "those_are", self.tiles(ir.domain), self.group_kind(kind, True))
                classes = memberships(self.thing, ir)
                members = self.listed(classes, "and") if classes is not None else self.inside(ir).truth(ir.body)
                return self.word(TILES, "those" if classes is None else "those_in", self.tiles(ir.domain), members)
            case typed.Apply(op="union"):
                return self.listed([self.tiles(one) for one in ir.args])
            case typed.Var():
                return self.letter(ir)
        return self.as_written(ir)

    def tiles_of(self, tiles: frozenset[int]) -> str:
        """The class that these tiles are, or each of them."""
        classes = self.data.tiles.classes
        name = next((n for n, c in classes.items() if c.tiles == tiles and not c.words and len(tiles) > 1), None)
        if name is not None:
            return self.class_name(name)
        return self.listed([self.tile_name(tile) for tile in sorted(tiles)])

    # --- numbers

    def number(self, ir: Ir, loosest: int = 0) -> str:
        """A number or formula."""
        match ir:
            case typed.Const() if isinstance(ir.value, int | Fraction) and not isinstance(ir.value, bool):
                return show_number(ir.value)
            case typed.Apply(op="+" | "-", args=(_, typed.Const(value=0))):
                return self.number(without_zero(ir), loosest)
            case typed.Apply() if ir.op in LOOSE and len(ir.args) > 1:
                text = f" {SIGNS[ir.op]} ".join(
                    self.number(one, LOOSE[ir.op] + (place > 0)) for place, one in enumerate(ir.args)
                )
                return f"({text})" if LOOSE[ir.op] < loosest else text
            case typed.Apply(op="size"):
                return self.sized(ir.args[0])
            case typed.Apply(op="neg"):
                return f"−{self.number(ir.args[0], 3)}"
            case typed.Conditional():
                text = self.word(NUMBERS, "choice", self.number(ir.then), self.truth(ir.test), self.number(ir.other))
                return f"({text})" if loosest else text
            case typed.Lookup() if ir.kind == "measure":
                return self.owned(ir, self.measure(ir.name))
            case typed.Lookup() if (number := said(ir, "number")) is not None:
                phrase = self.phrase(number)
                return phrase if words.form.is_asked(ir.of) else self.owned(ir, phrase)
            case typed.Lookup(kind="mark") | typed.Term():
                return self.owned(ir, self.remembered(ir.name))
            case typed.Lookup(kind="choice"):
                return self.owned(ir, self.choice_name(ir.name))
            case typed.Lookup():
                return self.owned(ir, ir.name.replace("_", " "))
            case typed.WordCall(of=None) if (number := said(ir, "number") or extreme(ir)) is not None:
                text = self.phrase(number, *map(self.thing, ir.args))
                return f"({text})" if loosest and self.is_spaced else text
            case typed.Quantifier(op="count" | "sum"):
                return self.totalled(ir)
        return self.as_written(ir)

    def totalled(self, ir: typed.Quantifier) -> str:
        """The number of members of a set, or their sum."""
        domain = self.domain(ir.domain)
        if ir.op == "count" and (classes := memberships(self.members, ir)) is not None:
            return self.word(NUMBERS, "count_belong", domain, self.listed(classes, "and"))
        if ir.op == "count" and (kind := kind_asked(ir)) is not None:
            return self.word(NUMBERS, "count_are", domain, self.group_kind(kind, True))
        say = self.inside(ir)
        body = say.truth(ir.body) if ir.body.type == "truth" else say.number(ir.body)
        return self.word(NUMBERS, ir.op, self.one_of(ir, several=ir.op == "count"), domain, body)

    def owned(self, ir: typed.Lookup | typed.Term, text: str) -> str:
        return text if ir.of is None else self.word(NUMBERS, "of", self.thing(ir.of), text)

    def sized(self, ir: Ir) -> str:
        """How many members a set has."""
        if isinstance(ir, typed.Lookup) and ir.kind == "zone" and ir.of is None and ir.type != "groups":
            return self.word(NUMBERS, "in_zone", self.zone(ir.name))
        if isinstance(ir, typed.Lookup) and ir.of is None and (number := said(ir, "number")) is not None:
            return self.phrase(number)
        return self.word(NUMBERS, "size", self.thing(ir))


def without_zero(ir: Ir) -> Ir:
    """A number without nothing that is added to it."""
    while (
        isinstance(ir, typed.Apply)
        and ir.op in ("+", "-")
        and len(ir.args) > 1
        and ir.args[1] == typed.Const("number", 0)
    ):
        ir = ir.args[0]
    return ir


def is_next(ir: Ir) -> bool:
    """Whether it is the seat that has the next turn."""
    match ir:
        case typed.WordCall(of=None, name=words.next_.name, args=(whose,)):
            return words.turn.is_asked(whose)
    return False


def of_tiles(ir: typed.WordCall) -> str | None:
    """A word with arguments as tiles; for a word of seats or tiles, its phrase for tiles."""
    word = words.WORDS.get(ir.name)
    return said(ir, "tiles") or (said(ir, "noun") if word is not None and word.type != "same" else None)


def extreme(ir: typed.WordCall) -> str | None:
    """The smaller or larger of two numbers."""
    return id_of(EXTREMES, ir.name) if is_said(EXTREMES, ir.name) else None


def written(ir: typed.HasGroups) -> str:
    """The groups as written, also inside an expression."""
    text = ir.text.strip()
    return text[len("has(") : -1] if text.startswith("has(") and text.endswith(")") else text
