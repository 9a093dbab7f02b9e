"""Tallies: questions about counts as programs in numbers. In: the questions of a ruleset. Out: their programs, and the
cells of a hand's row that they look at.

A program is a list of instructions for a stack, four numbers each: an operator and its operands. What depends only on
the tile of a loop is in tables, which lie before the instructions. `tilewright.scoring.kernel.asking` runs
programs; `tilewright.scoring.plain.walker` is the oracle."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from typing import Any, Literal

from tilewright.hands.reading import Hand
from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    HasGroups,
    Ir,
    Lookup,
    Quantifier,
    Term,
    Var,
    Want,
    WantedCase,
    WordCall,
    names_tiles,
    nodes,
    zones_in,
)
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.plain.scene import KNOWN_ZONES, HandScene, Situation
from tilewright.scoring.plain.walker import as_set, evaluate
from tilewright.scoring.program.conditions import asks_zones

BY_ARGUMENTS: frozenset[ToldBy] = frozenset({"arguments", "seats"})
WIDE = 4  # numbers of an instruction
MOST_LETTERS = 2  # loops in one another: tables have a number for each choice of tiles
MOST = 1 << 31  # numbers are smaller
NO_ANSWER = -MOST  # instead of one that is no whole number, or not so small


class Op(IntEnum):
    """Operators. Operands are called `first`, `count` and `target`; a place is the tile of the loop, or of two loops
    the outer one times `count` plus the inner one. A `@kernel` has these numbers compiled in (its cache is renewed when
    a module changes that has this word)."""

    CONST = 0  # push `first`
    CELL = 1  # push the cell `first`
    TABLE = 2  # push what the table at `target` says of the place
    CELL_OF = 3  # push the cell that the table at `target` says of the place, 0 for -1
    SUM = 4  # push the sum of `count` cells from `first` on, each times what the table at `target` says of its tile
    LOOP = 5  # begin a loop over `count` cells from `first` on; its instructions end `target` numbers further on
    EACH = 6  # go to the next cell that is not 0; after the last, push the total and go on behind `target` numbers
    NEXT = 7  # pop a value, add it to the total as often as the cell says, and go `target` numbers back
    BRANCH = 8  # pop a truth; where it is 0 skip `target` numbers
    JUMP = 9  # skip `target` numbers
    NOT = 10  # whether the number is 0
    ADD = 11
    SUBTRACT = 12
    MULTIPLY = 13
    LESS = 14
    LESS_EQUAL = 15
    EQUAL = 16
    MINIMUM = 17
    MAXIMUM = 18
    DIVIDE = 19  # exactly: where that is no whole number there is no answer; by 0 it is 0, as is what is left of that
    MODULO = 20
    POWER = 21  # the exponent is cut to 0 to 64
    ROUND_UP = 22  # to a multiple of the second number; 0 for multiples of 0


Numbers = tuple[int, ...]
Letters = tuple[str, ...]  # of the loops around, the outer one first
Source = Literal["tiles", "plain", "different", "zone", "flag", "melds", "waits", "shown"]
NOT_NEGATED: Numbers = ()
NEGATED: Numbers = (Op.NOT, 0, 0, 0)
OPERATIONS: dict[str, tuple[Op, bool, Numbers]] = {  # the operator; whether its sides are swapped; what follows
    "+": (Op.ADD, False, NOT_NEGATED),
    "-": (Op.SUBTRACT, False, NOT_NEGATED),
    "*": (Op.MULTIPLY, False, NOT_NEGATED),
    "<": (Op.LESS, False, NOT_NEGATED),
    "<=": (Op.LESS_EQUAL, False, NOT_NEGATED),
    ">": (Op.LESS, True, NOT_NEGATED),
    ">=": (Op.LESS_EQUAL, True, NOT_NEGATED),
    "==": (Op.EQUAL, False, NOT_NEGATED),
    "!=": (Op.EQUAL, False, NEGATED),
}


@dataclass(frozen=True, slots=True)
class Cells:
    """Neighbouring cells of a row. By face, `tiles`: of the whole hand, melds and winning tile included; `plain`: the
    same by plain tile; `different`: 1 for each plain tile that occurs; `zone`: the tiles of the zone `name`. One cell,
    `flag`: whether `name` holds; `waits`: how many there are; `shown`: how many of the winning tile all can see.
    `melds`: for each cell, which melds it counts, as twice the number of the group, plus 1 for an exposed one."""

    source: Source
    name: str = ""
    melds: tuple[frozenset[int], ...] = ()


TILES, KINDS, WAITS = Cells("tiles"), Cells("plain"), Cells("waits")


@dataclass(frozen=True, slots=True)
class RowLayout:
    """Where the cells of a row begin, and how many there are."""

    first: Mapping[Cells, int]
    width: int


@dataclass(frozen=True, slots=True)
class QuestionCode:
    """The program of a question: from where to where its instructions are, and the cells that they look at."""

    start: int
    stop: int
    cells: frozenset[Cells]


@dataclass(frozen=True, slots=True)
class CompiledQuestions:
    """`numbers`: tables and instructions of all questions; `codes`: of those that ask for no more than counts; `room`:
    how many numbers a stack has to hold."""

    numbers: Numbers
    codes: Mapping[Ir, QuestionCode]
    layout: RowLayout
    room: int


class Unknown(Exception):
    """An expression asks for more than counts of tiles."""


def compiled(questions: Iterable[Ir], data: CompiledRuleset) -> CompiledQuestions:
    """The programs of these questions, but for those that ask for more than counts."""
    compiler = Compiler(data)
    made = {ir: found for ir in questions if (found := compiler.question(ir)) is not None}
    numbers, codes = list(compiler.numbers), dict[Ir, QuestionCode]()
    for ir, (code, cells) in made.items():
        codes[ir] = QuestionCode(len(numbers), len(numbers) + len(code), cells)
        numbers += code
    room = max((len(code) for code, _ in made.values()), default=0)  # no instruction pushes more than it is long
    return CompiledQuestions(tuple(numbers), codes, RowLayout(compiler.first, compiler.width), room)


class Compiler:
    """The tables of some questions, in `numbers`, and the cells that they look at: `first` of each."""

    def __init__(self, data: CompiledRuleset) -> None:
        self.data, self.faces = data, len(data.tiles.tiles)
        self.nobody = HandScene(data, Situation(Hand(())))
        self.numbers: list[int] = []
        self.tables: dict[Numbers, int] = {}
        self.first: dict[Cells, int] = {}
        self.width = 0
        self.used: set[Cells] = set()

    def question(self, ir: Ir) -> tuple[Numbers, frozenset[Cells]] | None:
        """The instructions of a question and the cells that they look at; None where it asks for more than counts."""
        before, self.used = (dict(self.first), self.width), set()
        try:
            return self.value(ir, ()), frozenset(self.used)
        except Unknown:
            self.first, self.width = before
            return None

    def value(self, ir: Ir, letters: Letters) -> Numbers:
        """Instructions that push a number or a truth. Raises Unknown."""
        if is_static(ir):
            return self.static(ir, letters)
        if asks_zones(ir):
            raise Unknown
        match ir:
            case Apply(op="and" | "or"):
                return self.joined(ir, letters)
            case Apply(op="not", args=(of,)):
                return (*self.value(of, letters), *NEGATED)
            case Apply(op="size", args=(of,)):
                return self.size(of, letters)
            case Apply(op=op, args=(one, other)) if op in OPERATIONS and {one.type, other.type} <= {"number", "truth"}:
                operator, swapped, then = OPERATIONS[op]
                sides = self.value(one, letters), self.value(other, letters)
                return (*sides[swapped], *sides[not swapped], operator, 0, 0, 0, *then)
            case Conditional(test=test, then=then_, other=other):
                return branch(*(self.value(part, letters) for part in (test, then_, other)))
            case Quantifier():
                return self.quantified(ir, letters)
            case WordCall(name=words.copies.name, args=(of,), of=None):
                return self.copies(of, letters)
            case WordCall(name=words.seen.name, args=(of,), of=None) if words.tile.is_asked(of):
                return self.cell(Cells("shown"))
            case HasGroups(cases=(WantedCase(wants=(want,)),)):
                return self.has(want, letters)
            case Lookup(type="truth", kind="mark", name=name, of=None):
                return self.cell(Cells("flag", name))
            case Term(type="truth", name=name, body=body, of=None) if set(zones_in(body)) <= {*KNOWN_ZONES}:
                return branch(self.cell(Cells("flag", name)), constant(1), self.value(body, letters))
        raise Unknown

    # --- cells and tables

    def at(self, cells: Cells) -> int:
        """Where cells begin."""
        self.used.add(cells)
        if cells not in self.first:
            self.first[cells] = self.width
            self.width += self.size_of(cells)
        return self.first[cells]

    def size_of(self, cells: Cells) -> int:
        if cells.source == "melds":
            return len(cells.melds)
        return self.faces if cells.source in ("tiles", "plain", "different", "zone") else 1

    def cell(self, cells: Cells) -> Numbers:
        return (Op.CELL, self.at(cells), 0, 0)

    def cell_of(self, numbers: Numbers) -> Numbers:
        """Push the cell that these say of the place, 0 for -1."""
        if len(set(numbers)) > 1:
            return (Op.CELL_OF, 0, 0, self.table(numbers))
        return (Op.CELL, numbers[0], 0, 0) if numbers[0] >= 0 else constant(0)

    def table(self, numbers: Numbers) -> int:
        """Where a table of these numbers begins."""
        if numbers not in self.tables:
            self.tables[numbers] = len(self.numbers)
            self.numbers += numbers
        return self.tables[numbers]

    def places(self, letters: Letters) -> list[Mapping[str, Any]]:
        """What letters stand for at each place."""
        if len(letters) > MOST_LETTERS:
            raise Unknown
        tiles = [(tile,) for tile in range(self.faces)]
        return [dict(zip(letters, chosen, strict=True)) for chosen in product(tiles, repeat=len(letters))]

    # --- what is the same for all hands

    def static(self, ir: Ir, letters: Letters) -> Numbers:
        """Push a value that only letters decide."""
        numbers = tuple(self.number(ir, tiles) for tiles in self.places(letters))
        return constant(numbers[0]) if len(set(numbers)) == 1 else (Op.TABLE, 0, 0, self.table(numbers))

    def number(self, ir: Ir, tiles: Mapping[str, Any]) -> int:
        value = evaluate(ir, self.nobody, tiles)
        if not isinstance(value, int) or abs(value) >= MOST:
            raise Unknown
        return int(value)

    # --- truths

    def joined(self, ir: Apply, letters: Letters) -> Numbers:
        """Push whether all of these hold, or any: the first one that does not, or does, decides."""
        *parts, whole = [self.value(argument, letters) for argument in ir.args]
        for part in reversed(parts):
            whole = branch(part, whole, constant(0)) if ir.op == "and" else branch(part, constant(1), whole)
        return whole

    def has(self, want: Want, letters: Letters) -> Numbers:
        """Push whether enough melds meet a want that only melds can meet."""
        if want.groups or want.tiles or want.completed or want.natural or want.different or want.start is not None:
            raise Unknown
        parts = [part for part in (want.of, want.unless) if part is not None]
        asked = tuple(dict.fromkeys(node.name for part in parts for node in nodes(part) if isinstance(node, Var)))
        if len(asked) > 1 or not all(map(is_static, parts)):
            raise Unknown
        first = self.at(Cells("melds", melds=tuple(self.fitting(want, tiles) for tiles in self.places(asked))))
        cells = tuple(first + sum(tiles[letter][0] for letter in asked) for tiles in self.places(letters))
        return (*constant(want.count), *self.cell_of(cells), Op.LESS_EQUAL, 0, 0, 0)

    def fitting(self, want: Want, tiles: Mapping[str, Any]) -> frozenset[int]:
        """The melds that meet a want."""
        groups = {number: set(self.data.groups.groups[number].tiles) for number in want.meld_groups}
        if want.of is not None:
            members = set(as_set(evaluate(want.of, self.nobody, tiles)))
            groups = {number: held for number, held in groups.items() if held <= members}
        if want.unless is not None:
            barred = set(as_set(evaluate(want.unless, self.nobody, tiles)))
            groups = {number: held for number, held in groups.items() if held.isdisjoint(barred)}
        return melds_of(groups, (False, True) if want.exposed is None else (want.exposed,))

    # --- counts

    def copies(self, of: Ir, letters: Letters) -> Numbers:
        """Push how many of a tile the hand has: of its kind, or of a special tile that is named."""
        if not is_static(of):
            raise Unknown
        named = bool(names_tiles(of))
        tiles = [as_set(evaluate(of, self.nobody, letter)) for letter in self.places(letters)]
        return self.cell_of(tuple(self.copies_cell(one, named) for one in tiles))

    def copies_cell(self, tiles: tuple[int, ...], named: bool) -> int:
        """The cell that says how many copies of a tile there are; -1 for no tile."""
        if not tiles:
            return -1
        if len(tiles) > 1:
            raise Unknown
        tile = self.data.tiles.tiles[tiles[0]]
        return self.at(TILES) + tile.index if named and tile.marks else self.at(KINDS) + tile.plain

    def size(self, of: Ir, letters: Letters) -> Numbers:
        """Push how many members a set has."""
        if words.waits.is_asked(of):
            return self.cell(WAITS)
        if zone_of(of) == "melds":
            every = melds_of(range(len(self.data.groups.groups)), (False, True))
            return self.cell(Cells("melds", melds=(every,)))
        return self.total(of, "", Const("number", 1), letters)

    def quantified(self, ir: Quantifier, letters: Letters) -> Numbers:
        """Push how often something holds of the tiles, or what it comes to."""
        if ir.op == "all":
            return (*self.total(ir.domain, ir.letter, Apply("truth", "not", (ir.body,)), letters), *NEGATED)
        if ir.op == "any":
            return (*constant(0), *self.total(ir.domain, ir.letter, ir.body, letters), Op.LESS, 0, 0, 0)
        if ir.op in ("count", "sum"):
            return self.total(ir.domain, ir.letter, ir.body, letters)
        raise Unknown

    def total(self, domain: Ir, letter: str, body: Ir, letters: Letters) -> Numbers:
        """Push the sum of a value, which is a number or a truth, for all tiles of a domain."""
        first, inner = self.at(domain_of(domain)), (*letters, letter)
        if is_static(body):
            weights = tuple(self.number(body, tiles) for tiles in self.places(inner))
            return (Op.SUM, first, self.faces, self.table(weights))
        code = self.value(body, inner)
        back = len(code) + 2 * WIDE
        each, again = (Op.EACH, first, self.faces, back - WIDE), (Op.NEXT, first, self.faces, back)
        return (Op.LOOP, first, self.faces, back, *each, *code, *again)


def constant(number: int) -> Numbers:
    return (Op.CONST, number, 0, 0)


def branch(test: Numbers, then: Numbers, other: Numbers) -> Numbers:
    """Push one value where a test holds, another where not."""
    return (*test, Op.BRANCH, 0, 0, len(then) + WIDE, *then, Op.JUMP, 0, 0, len(other), *other)


def melds_of(groups: Iterable[int], exposed: Iterable[bool]) -> frozenset[int]:
    """Melds of these groups as numbers."""
    return frozenset(2 * group + shown for group, shown in product(groups, exposed))


def zone_of(ir: Ir) -> str:
    """The zone of the acting seat that this is, or nothing."""
    return ir.name if isinstance(ir, Lookup) and ir.kind == "zone" and ir.of is None else ""


def domain_of(ir: Ir) -> Cells:
    """The cells that say how often each tile is in a domain. Raises Unknown."""
    if words.tiles.is_asked(ir):
        return TILES
    if words.kinds.is_asked(ir):
        return Cells("different")
    if (zone := zone_of(ir)) and zone not in ("hand", "melds"):
        return Cells("zone", zone)
    raise Unknown


def is_static(ir: Ir) -> bool:
    """Whether the value is the same for all hands, but for letters."""
    return all(isinstance(node, Const | Var | Apply) or is_of_arguments(node) for node in nodes(ir))


def is_of_arguments(ir: Ir) -> bool:
    """Whether only its arguments, or the tile that it is asked of, determine a word; they are no seats."""
    if isinstance(ir, Lookup):
        return ir.kind == "word" and is_told_by(ir.name, BY_ARGUMENTS) and ir.of is not None and ir.of.type == "tile"
    return (
        isinstance(ir, WordCall)
        and is_told_by(ir.name, BY_ARGUMENTS)
        and ir.of is None
        and all(argument.type not in ("seat", "seats") for argument in ir.args)
    )
