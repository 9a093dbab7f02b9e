"""The plan of a ruleset's fast scoring: which parts of each condition come from features, which the table alone
decides, and which need the reading.

In: patterns. Out: atoms (facts that are read from counted features at once), questions to the table, and questions
to the reading. Scores nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tilewright.language.compiled.ir import (
    Apply,
    Const,
    HasGroups,
    Ir,
    Lookup,
    Matches,
    Term,
    Test,
    Var,
    Want,
    WantedCase,
    WordCall,
)
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare import ToldBy, Word
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.features import WIDTH, Feature, Layout, TileFeature, are_apart, by_tile, static
from tilewright.scoring.walker import children, nodes, zones_in

# What decides words whose answer is the same for every reading of a hand, and that do not depend on concealed tiles.
BY_TABLE: frozenset[ToldBy] = frozenset({"arguments", "seats", "table"})
KNOWN_ZONES = frozenset({"bonus"})
HAND_ZONES = frozenset({"hand", "melds", "bonus"})


@dataclass(frozen=True, slots=True)
class WantCount:
    """How many groups meet a want: one counter; or, where the table decides the class, those of its tiles."""

    at: int = 0
    tiles: tuple[tuple[int, int], ...] = ()  # (tile, lowest bit of its counter)
    of: Ir | None = None
    unless: Ir | None = None


@dataclass(frozen=True, slots=True)
class HasAtom:
    """True if in some case every want is met often enough."""

    cases: tuple[tuple[tuple[int, WantCount], ...], ...]


@dataclass(frozen=True, slots=True)
class EachAtom:
    """How often a single want is met: closed and exposed. Four bits each."""

    closed: WantCount
    exposed: WantCount | None


@dataclass(frozen=True, slots=True)
class PlacesAtom:
    """In how many disjoint places some case is met. Four bits."""

    cases: tuple[tuple[tuple[int, WantCount], ...], ...]


@dataclass(frozen=True, slots=True)
class NoneAtom:
    """True if no group has the feature."""

    at: int


@dataclass(frozen=True, slots=True)
class SomeAtom:
    """True if some group has the feature."""

    at: int


@dataclass(frozen=True, slots=True)
class TileAtom:
    """op: all (every bit is set), none (no bit is), or a comparison of the number of bits that are set."""

    op: str
    bits: int
    number: int = 0


GroupAtom = HasAtom | EachAtom | PlacesAtom | NoneAtom | SomeAtom
Atom = GroupAtom | TileAtom


@dataclass
class ScoringPlan:
    """`atoms`: IR node, or pattern id for its `each`, -> atom. `of_table`: questions that the table answers,
    `of_reading`: those that only the reading does; both in the order of their numbers."""

    data: CompiledRuleset
    layout: Layout
    atoms: dict["Ir | str", Atom] = field(default_factory=dict)
    of_table: dict[Ir, int] = field(default_factory=dict)
    of_reading: dict[Ir, int] = field(default_factory=dict)
    table_patterns: tuple[Pattern, ...] = ()
    reading_patterns: tuple[Pattern, ...] = ()

    def __post_init__(self) -> None:
        for pattern in self.data.patterns:
            for ir in expressions(pattern):
                self.sort_out(ir)
            if pattern.each is not None:
                atom = self.each_atom(pattern)
                if atom is not None:
                    self.atoms[pattern.id] = atom
        self.table_patterns, self.reading_patterns = self.parted()

    def sort_out(self, ir: Ir) -> None:
        """Give every part of an expression its place."""
        if isinstance(ir, Const):
            return
        if self.is_of_table(ir):
            self.of_table.setdefault(ir, len(self.of_table))
        elif isinstance(ir, Apply) and ir.op in ("and", "or", "not") and ir.type == "truth":
            for child in ir.args:
                self.sort_out(child)
        elif is_form(ir):
            return
        elif (atom := self.atom(ir)) is not None:
            self.atoms[ir] = atom
        else:
            self.of_reading.setdefault(ir, len(self.of_reading))

    def is_of_table(self, ir: Ir) -> bool:
        """Whether every reading of the hand gives the same answer, without using concealed tiles."""
        if isinstance(ir, Term) and not set(zones_in(ir.body)) <= HAND_ZONES:
            return ir.of is None or self.is_of_table(ir.of)
        if isinstance(ir, Matches):
            return ir.of == "bonus"
        return (
            not isinstance(ir, HasGroups | Test)
            and table_node(ir)
            and all(self.is_of_table(child) for child in children(ir))
        )

    # --- atoms

    def atom(self, ir: Ir) -> Atom | None:
        if isinstance(ir, HasGroups):
            return self.has_atom(ir.cases)
        if isinstance(ir, Test):
            return self.test_atom(ir)
        if isinstance(ir, Apply) and ir.op in ("==", "!=", "<", "<=", ">", ">="):
            return self.comparison_atom(ir)
        return None

    def has_atom(self, cases: Sequence[WantedCase]) -> HasAtom | None:
        planned = []
        for case in cases:
            wants = [(want.count, self.want_count(want)) for want in case.wants]
            counts = tuple((number, count) for number, count in wants if count is not None)
            if (
                len(counts) < len(wants)
                or not are_apart(case.wants)
                or any(w.different and w.count > 1 for w in case.wants)
            ):
                return None
            planned.append(counts)
        return HasAtom(tuple(planned))

    def want_count(self, want: Want) -> WantCount | None:
        if want.start is not None or any(
            isinstance(node, Var) for part in (want.of, want.unless) if part is not None for node in nodes(part)
        ):
            return None
        if want.of is None and want.unless is None:
            return WantCount(self.layout.place(Feature(static(want))))
        features = by_tile(want, self.layout.groups)
        if features is None or not all(part is None or self.is_of_table(part) for part in (want.of, want.unless)):
            return None
        for part in (want.of, want.unless):
            if part is not None:
                self.of_table.setdefault(part, len(self.of_table))
        return WantCount(0, tuple((tile, self.layout.place(f)) for tile, f in features.items()), want.of, want.unless)

    def each_atom(self, pattern: Pattern) -> EachAtom | PlacesAtom | None:
        """For an `each` whose places can be counted without knowing the groups."""
        assert pattern.each is not None
        cases = [case for cases in pattern.each for case in cases]
        wants = [want for case in cases for want in case.wants]
        if len(wants) != 1 or wants[0].count != 1:
            return self.places_atom(cases) if pattern.exposed is None else None
        if pattern.exposed is None:
            closed = self.want_count(wants[0])
            return None if closed is None else EachAtom(closed, None)
        if wants[0].exposed is not None:
            return None
        parts = [self.want_count(replace(wants[0], exposed=exposed)) for exposed in (False, True)]
        return None if parts[0] is None or parts[1] is None else EachAtom(parts[0], parts[1])

    def places_atom(self, cases: Sequence[WantedCase]) -> PlacesAtom | None:
        """For places of several groups, where no group could meet two different wants."""
        different = list(dict.fromkeys(static(want) for case in cases for want in case.wants))
        atom = self.has_atom(cases)
        if atom is None or not are_apart(different) or any(want.of or want.unless for c in cases for want in c.wants):
            return None
        return PlacesAtom(atom.cases)

    def test_atom(self, ir: Test) -> Atom | None:
        if not all(isinstance(c, Const) for c in ir.classes):
            return None
        sets = [
            frozenset(int(t) for t in c.value)
            for c in ir.classes
            if isinstance(c, Const) and isinstance(c.value, tuple)
        ]
        together = frozenset().union(*sets)
        if ir.op == "only":
            return TileAtom("none", 1 << self.layout.bit(TileFeature(together, False)))
        if ir.op == "without":
            return TileAtom("none", 1 << self.layout.bit(TileFeature(together, True)))
        if ir.op == "include":
            bits = {1 << self.layout.bit(TileFeature(tiles, True)) for tiles in sets}
            return TileAtom("all", sum(bits))
        return NoneAtom(self.layout.place(Feature(lacks=together)))

    def comparison_atom(self, ir: Apply) -> Atom | None:
        left, right = ir.args
        if not isinstance(right, Const):
            return None
        if is_size_of(left, words.suits) and isinstance(right.value, int):
            families = {tile.suit for tile in self.data.tiles.tiles if tile.suit is not None}
            suits = [frozenset(t.index for t in self.data.tiles.tiles if t.suit == suit) for suit in sorted(families)]
            bits = sum(1 << self.layout.bit(TileFeature(tiles, True)) for tiles in suits)
            return TileAtom(ir.op, bits, right.value)
        if words.wait.is_asked(left) and ir.op == "==":
            return SomeAtom(self.layout.place(Feature(wait=str(right.value))))
        return None

    # --- patterns of the table

    def parted(self) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]]:
        """Patterns that the table alone decides, with all that they exclude or compete with; and the others."""
        reading = {
            p.id
            for p in self.data.patterns
            if p.each is not None or not all(isinstance(ir, Const) or ir in self.of_table for ir in expressions(p))
        }
        while True:
            families = {p.family for p in self.data.patterns if p.id in reading and p.family}
            more = {
                p.id
                for p in self.data.patterns
                if p.id not in reading and (p.family in families or not reading.isdisjoint(p.excludes))
            }
            more |= {id for p in self.data.patterns if p.id in reading for id in p.excludes} - reading
            if not more:
                break
            reading |= more
        return (
            tuple(p for p in self.data.patterns if p.id not in reading),
            tuple(p for p in self.data.patterns if p.id in reading),
        )


def expressions(pattern: Pattern) -> Iterator[Ir]:
    """Every expression of a pattern but its `each`."""
    for ir in (pattern.when, pattern.times):
        if ir is not None:
            yield ir
    yield from pattern.worth.values()
    yield from (pattern.exposed or {}).values()


def table_node(ir: Ir) -> bool:
    """Whether the node itself uses neither concealed tiles nor the reading."""
    if isinstance(ir, Lookup):
        return {"mark": True, "zone": ir.name in KNOWN_ZONES, "measure": False}.get(
            ir.kind, is_told_by(ir.name, BY_TABLE) and (ir.of is None or ir.of.type in ("seat", "seats"))
        )
    return is_told_by(ir.name, BY_TABLE) if isinstance(ir, WordCall) else True


def is_size_of(ir: Ir, word: Word) -> bool:
    return isinstance(ir, Apply) and ir.op == "size" and word.is_asked(ir.args[0])


def is_form(ir: Ir) -> bool:
    """A comparison of the form with a name."""
    return (
        isinstance(ir, Apply)
        and ir.op in ("==", "!=")
        and words.form.is_asked(ir.args[0])
        and isinstance(ir.args[1], Const)
    )


# --- reading atoms from counters


def places(atom: GroupAtom) -> Iterator[int]:
    """The lowest bits of every counter that an atom looks at."""
    if isinstance(atom, NoneAtom | SomeAtom):
        yield atom.at
        return
    for count in counts_in(atom):
        yield from (at for _, at in count.tiles) if count.tiles else (count.at,)


def counts_in(atom: Atom) -> list[WantCount]:
    """Every count that an atom looks at."""
    if isinstance(atom, HasAtom | PlacesAtom):
        return [count for case in atom.cases for _, count in case]
    return [count for count in (atom.closed, atom.exposed) if count is not None] if isinstance(atom, EachAtom) else []


def dynamic(atom: GroupAtom) -> bool:
    """Whether the table decides a class of the atom."""
    return any(count.of is not None or count.unless is not None for count in counts_in(atom))


def width(atom: Atom) -> int:
    """How many bits the atom's value takes."""
    return 2 * WIDTH if isinstance(atom, EachAtom) else WIDTH if isinstance(atom, PlacesAtom) else 1
