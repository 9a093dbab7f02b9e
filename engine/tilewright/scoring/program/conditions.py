"""Conditions as terms over bits: what patterns ask of a reading in, literals that counters and the table answer out.

A condition becomes an `or` of `and`s of literals; where that would be long, a part of it becomes a gate, a bit of its
own. What no counter answers is a question, asked of the reading when everything else of its term holds. Knows no
tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from operator import eq, ge, gt, le, lt, ne
from typing import Literal as OneOf

from tilewright.language.compiled.ir import (
    Apply,
    Const,
    HasGroups,
    Ir,
    Lookup,
    Matches,
    Quantifier,
    Term,
    Test,
    Var,
    Want,
    WantedCase,
    WordCall,
    children,
    nodes,
    zones_asked,
    zones_in,
)
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare import ToldBy, Word
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.program.layout import Feature, Field, Layout, are_apart, feature_of

# What decides words whose answer is the same for every reading of a hand, and that do not depend on concealed tiles.
BY_TABLE: frozenset[ToldBy] = frozenset({"arguments", "seats", "table"})
KNOWN_ZONES = frozenset({"bonus"})
HAND_ZONES = frozenset({"hand", "melds", "bonus"})
MOST_TERMS = 12  # of a condition that is joined with others; longer ones become gates
MOST_SUBSETS = 6  # bits of tiles that are counted
MOST_PLACES = 600  # terms of the places of one pattern
COMPARE = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


@dataclass(frozen=True, slots=True)
class Count:
    """A literal: a feature is counted at least so often."""

    field: Field
    least: int


@dataclass(frozen=True, slots=True)
class TileBit:
    """A literal: some tile of the hand is in the class, or outside of it. `by`: whether a wild tile is there as itself
    or as what it stands for, as both, or as what it stands for."""

    tiles: frozenset[int]
    inside: bool
    by: OneOf["either", "both", "standing"] = "either"

    def holds(self, identities: tuple[int, ...]) -> bool:
        """Whether a tile is there: a wild one before what it stands for, another alone."""
        asked = identities[-1:] if self.by == "standing" else identities
        found = [(tile in self.tiles) == self.inside for tile in asked]
        return all(found) if self.by == "both" else any(found)


@dataclass(frozen=True, slots=True)
class OfTable:
    """A literal: the table answers this question with yes."""

    question: Ir


@dataclass(frozen=True, slots=True)
class FormIs:
    """A literal: the form has this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Open:
    """A literal: the hand has an exposed meld."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A literal: one of the terms of this number's gate holds."""

    number: int


@dataclass(frozen=True, slots=True)
class Question:
    """A literal that only the reading itself can answer."""

    number: int


Literal = Count | TileBit | OfTable | FormIs | Open | Gate | Question
Terms = tuple[frozenset[tuple[Literal, bool]], ...]  # one of them holds: each literal is as it says
ALWAYS: Terms = (frozenset(),)
NEVER: Terms = ()
UNTOLD = Const("truth", False)  # the body of a term of which only flags are asked


class Conditions:
    """The conditions of a ruleset as terms. `gates`: the terms of each gate, after those of the gates that they use;
    `questions`: what the reading is asked; `of_table`: what the table is asked, classes of tiles among it."""

    def __init__(self, data: CompiledRuleset, layout: Layout) -> None:
        self.data, self.layout = data, layout
        self.gates: list[Terms] = []
        self.gate_of: dict[Terms, int] = {}
        self.questions: dict[Ir, int] = {}
        self.of_table: dict[Ir, int] = {}
        self.known: dict[tuple[Ir, bool], Terms] = {}
        self.suits = [
            frozenset(tile.index for tile in data.tiles.tiles if tile.suit == suit)
            for suit in sorted({tile.suit for tile in data.tiles.tiles if tile.suit is not None})
        ]

    def terms(self, ir: Ir, holds: bool = True) -> Terms:
        """The terms of which one is true where the condition holds, or does not."""
        if (ir, holds) not in self.known:
            self.known[ir, holds] = self.made(ir, holds)
        return self.known[ir, holds]

    def made(self, ir: Ir, holds: bool) -> Terms:
        if isinstance(ir, Const):
            return ALWAYS if bool(ir.value) is holds else NEVER
        if is_of_table(ir):
            self.of_table.setdefault(ir, len(self.of_table))
            return one(OfTable(ir), holds)
        if isinstance(ir, Apply) and ir.op == "not" and ir.type == "truth":
            return self.terms(ir.args[0], not holds)
        if isinstance(ir, Apply) and ir.op in ("and", "or") and ir.type == "truth":
            parts = [self.terms(child, holds) for child in ir.args]
            return any_of(parts) if (ir.op == "or") is holds else self.all_of(parts)
        if isinstance(ir, Term) and ir.of is None and not HAND_ZONES.issuperset(zones_in(ir.body)):
            flagged = any_of([self.terms(replace(ir, body=UNTOLD)), self.terms(ir.body)])
            return flagged if holds else self.opposite(flagged)
        if asks_zones(ir):
            return one(Question(self.question(ir if holds else Apply("truth", "not", (ir,)))), True)
        found = self.atom(ir)
        if found is None:
            return one(Question(self.question(ir)), holds)
        return found if holds else self.opposite(found)

    def question(self, ir: Ir) -> int:
        """The number of a question to the reading."""
        return self.questions.setdefault(ir, len(self.questions))

    # --- joining

    def all_of(self, parts: Iterable[Terms]) -> Terms:
        """All of these hold."""
        whole = ALWAYS
        for part in sorted(parts, key=len):
            short = part if len(part) * len(whole) <= MOST_TERMS else self.as_gate(part)
            whole = tuple(dict.fromkeys(a | b for a in whole for b in short if not contradict(a, b)))
        return whole

    def as_gate(self, terms: Terms) -> Terms:
        """The same as a single literal."""
        if len(terms) == 1 and len(terms[0]) == 1:
            return terms
        if terms not in self.gate_of:
            self.gate_of[terms] = len(self.gates)
            self.gates.append(terms)
        return one(Gate(self.gate_of[terms]), True)

    def opposite(self, terms: Terms) -> Terms:
        """None of these holds."""
        if not terms:
            return ALWAYS
        if len(terms) == 1:
            return tuple(frozenset({(literal, not holds)}) for literal, holds in terms[0])
        ((literal, holds),) = self.as_gate(terms)[0]
        return one(literal, not holds)

    # --- atoms: what counters answer

    def atom(self, ir: Ir) -> Terms | None:
        """The terms of a condition on groups, tiles or the form; None where no counter answers it."""
        if isinstance(ir, HasGroups):
            return self.has(ir.cases)
        if isinstance(ir, Test):
            return self.test(ir)
        if isinstance(ir, Apply) and ir.op in COMPARE and isinstance(ir.args[1], Const):
            return self.comparison(ir, ir.args[1])
        return None

    def has(self, cases: Sequence[WantedCase]) -> Terms | None:
        """Some case is met by different groups."""
        found: list[Terms] = []
        for case in cases:
            if not are_apart(case.wants) or any(want.different and want.count > 1 for want in case.wants):
                return None
            literals = [self.counted(want, want.count) for want in case.wants]
            if None in literals:
                return None
            found.append((frozenset((literal, True) for literal in literals if literal is not None),))
        return any_of(found)

    def counted(self, want: Want, least: int) -> Count | None:
        """At least so many groups meet a want; None where letters or other seats decide which."""
        parts = [part for part in (want.of, want.unless) if part is not None]
        if want.start is not None or any(isinstance(node, Var) for part in parts for node in nodes(part)):
            return None
        if not all(is_of_table(part) for part in parts):
            return None
        for part in parts:
            self.of_table.setdefault(part, len(self.of_table))
        return Count(self.layout.field(feature_of(want)), min(least, self.layout.most + 1))

    @property
    def in_all(self) -> OneOf["either", "both"]:
        """How a wild tile is where all tiles are asked about: one that is the right one either way does not matter."""
        return "both" if self.data.tiles.wild else "either"

    def test(self, ir: Test) -> Terms | None:
        if not all(isinstance(c, Const) for c in ir.classes):
            return None
        sets = [
            frozenset(int(t) for t in c.value)
            for c in ir.classes
            if isinstance(c, Const) and isinstance(c.value, tuple)
        ]
        together = frozenset[int]().union(*sets)
        if ir.op == "only":
            return one(TileBit(together, False, self.in_all), False)
        if ir.op == "without":
            return one(TileBit(together, True, self.in_all), False)
        if ir.op == "include":
            return (frozenset((TileBit(tiles, True), True) for tiles in sets),)
        return one(Count(self.layout.field(Feature(lacks=together)), 1), False)

    def comparison(self, ir: Apply, right: Const) -> Terms | None:
        left = ir.args[0]
        if words.form.is_asked(left) and ir.op in ("==", "!="):
            return one(FormIs(str(right.value)), ir.op == "==")
        if words.wait.is_asked(left) and ir.op == "==":
            return one(Count(self.layout.field(Feature(wait=str(right.value))), 1), True)
        if (want := groups_counted(left, self.data)) is not None and isinstance(right.value, int):
            return self.compared(Feature(want), ir.op, right.value)
        is_number = isinstance(right.value, int) and not isinstance(right.value, bool)
        if is_size_of(left, words.suits) and is_number and len(self.suits) <= MOST_SUBSETS:
            bits = [TileBit(tiles, True, "standing" if self.data.tiles.wild else "either") for tiles in self.suits]
            counts = [n for n in range(len(bits) + 1) if COMPARE[ir.op](n, right.value)]
            return tuple(
                frozenset((bit, bit in held) for bit in bits) for n in counts for held in combinations(bits, n)
            )
        return None

    def compared(self, feature: Feature, op: str, number: int) -> Terms:
        """How often a feature is counted, compared with a number."""
        field = self.layout.field(feature)
        number = max(-1, min(number, self.layout.most + 1))
        least, most = {
            "==": (number, number),
            "!=": (number, number),
            ">": (number + 1, None),
            ">=": (number, None),
            "<": (0, number - 1),
            "<=": (0, number),
        }[op]
        terms = self.all_of(
            [
                ALWAYS if least < 1 else one(Count(field, least), True),
                ALWAYS if most is None else NEVER if most < 0 else one(Count(field, most + 1), False),
            ]
        )
        return self.opposite(terms) if op == "!=" else terms

    # --- places

    def places(self, pattern: Pattern) -> tuple[list[Terms], list[Terms]] | None:
        """For each number, from one on, when an `each` has so many places, or more: closed ones (or all), and exposed
        ones. None where places cannot be counted."""
        assert pattern.each is not None
        cases = [case for cases in pattern.each for case in cases]
        wants = [want for case in cases for want in case.wants]
        if len(wants) == 1 and wants[0].count == 1:
            return self.single_places(pattern, wants[0])
        different = [feature_of(want) for want in dict.fromkeys(wants)]
        if pattern.exposed is not None or any(feature.moves for feature in different):
            return None
        apart = [feature.want for feature in dict.fromkeys(different) if feature.want is not None]
        if not are_apart(apart) or self.has(cases) is None:
            return None
        return self.several_places(cases)

    def single_places(self, pattern: Pattern, want: Want) -> tuple[list[Terms], list[Terms]] | None:
        """Of places of one group."""
        wants = [want] if pattern.exposed is None else [replace(want, exposed=shown) for shown in (False, True)]
        if pattern.exposed is not None and want.exposed is not None:
            return None
        found = []
        for each in wants:
            counts = [self.counted(each, least) for least in range(1, self.most_of([each]) + 1)]
            if None in counts:
                return None
            found.append([one(count, True) for count in counts if count is not None])
        return found[0], found[1] if len(found) > 1 else []

    def most_of(self, wants: Sequence[Want]) -> int:
        """How many groups of a reading may meet some of these wants."""
        groups = frozenset[int]().union(*(want.groups | want.meld_groups for want in wants))
        tiles = frozenset[int]().union(*(want.tiles for want in wants))
        found = [0]
        for shape in (form.shape for form in self.data.forms):
            slots = [[s for s in c if groups & (s.groups | s.meld_groups) or tiles & s.tiles] for c in shape.cases]
            found += [shape.pick or sum(slot.count for slot in case) for case in slots if case]
        return max(found)

    def several_places(self, cases: Sequence[WantedCase]) -> tuple[list[Terms], list[Terms]] | None:
        """Of places of several groups, no group of which could be in two of the wants."""
        wants = dict.fromkeys(want for case in cases for want in case.wants)
        field_of = {want: self.layout.field(feature_of(want)) for want in wants}
        needs = [Counter({field_of[want]: want.count for want in case.wants}) for case in cases]
        most = self.most_of([*wants])
        found: list[Terms] = []
        layer = list(enumerate(needs))
        while layer:
            different = dict.fromkeys(frozenset(need.items()) for _, need in layer)
            found.append(tuple(frozenset((Count(field, n), True) for field, n in need) for need in different))
            room = MOST_PLACES - sum(map(len, found))
            more = ((at, need, needs[at]) for first, need in layer for at in range(first, len(needs)))
            fitting = ((at, need + another) for at, need, another in more if need.total() + another.total() <= most)
            layer = list(islice(fitting, max(0, room) + 1))
            if len(layer) > room:
                return None
        return found, []


def one(literal: Literal, holds: bool) -> Terms:
    return (frozenset({(literal, holds)}),)


def any_of(parts: Iterable[Terms]) -> Terms:
    """One of these holds."""
    return tuple(dict.fromkeys(term for part in parts for term in part))


def contradict(a: frozenset[tuple[Literal, bool]], b: frozenset[tuple[Literal, bool]]) -> bool:
    """No reading can meet both."""
    return any((literal, not holds) in b for literal, holds in a)


# --- what the table answers


def is_of_table(ir: Ir, in_term: bool = False) -> bool:
    """Whether every reading of the hand gives the same answer, without using concealed tiles. `in_term`: zones that
    hands do not have only leave open what a term is."""
    if isinstance(ir, Matches):
        return ir.of == "bonus"
    in_term = in_term or (isinstance(ir, Term) and ir.type == "truth")
    return (
        not isinstance(ir, HasGroups | Test)
        and table_node(ir, in_term)
        and all(is_of_table(child, in_term) for child in children(ir))
    )


def table_node(ir: Ir, in_term: bool) -> bool:
    """Whether the node itself uses neither concealed tiles nor the reading."""
    if isinstance(ir, Lookup):
        is_known = ir.name in KNOWN_ZONES or (in_term and ir.name not in HAND_ZONES)
        return {"mark": True, "zone": is_known, "measure": False}.get(
            ir.kind, is_told_by(ir.name, BY_TABLE) and (ir.of is None or ir.of.type in ("seat", "seats"))
        )
    return is_told_by(ir.name, BY_TABLE) if isinstance(ir, WordCall) else True


def asks_zones(ir: Ir) -> bool:
    """Whether a truth is unknown in hands that do not say what lies in a zone."""
    return ir.type == "truth" and not HAND_ZONES.issuperset(zones_asked(ir))


def is_size_of(ir: Ir, word: Word) -> bool:
    return isinstance(ir, Apply) and ir.op == "size" and word.is_asked(ir.args[0])


def groups_counted(ir: Ir, data: CompiledRuleset) -> Want | None:
    """The want that `count(KIND in g.kind for g in groups)` counts."""
    match ir:
        case Quantifier(
            op="count",
            letter=letter,
            domain=Lookup(of=None) as domain,
            body=Apply(op="in", args=(Const(value=str(kind)), Lookup(of=Var(name=name)) as asked)),
        ) if name == letter and words.groups.is_asked(domain) and asked.name == words.kind.name:
            groups = data.groups.groups
            return Want(
                1,
                frozenset(group.index for group in groups if kind in group.kinds),
                frozenset(group.index for group in groups if kind in group.meld_kinds),
            )
    return None


def expressions(pattern: Pattern) -> Iterator[Ir]:
    """Every expression of a pattern but its `each`."""
    for ir in (pattern.when, pattern.times):
        if ir is not None:
            yield ir
    yield from pattern.worth.values()
    yield from (pattern.exposed or {}).values()
