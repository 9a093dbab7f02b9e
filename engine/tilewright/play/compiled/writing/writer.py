"""Writing code: instructions, labels, registers, constants, and what the host is asked for. Knows no words.

Raises NotSayable for what a compiled play cannot do; the ruleset is then played by `Match` alone."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from math import lcm
from typing import Any

from tilewright.base.kernels import Operation
from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, WordCall, nodes
from tilewright.language.compiled.play import Step, StepQuestion, every_step
from tilewright.language.vocabulary.steps import Ask, Roll
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, going, seating
from tilewright.play.compiled.machine.operands import MOST_OPERANDS, Place, Rest
from tilewright.play.compiled.machine.running import OPERATIONS
from tilewright.play.program import Program
from tilewright.play.value_bounds import ValueBounds
from tilewright.scoring.plain.walker import as_set

IMAGINED = ("with", "without")  # words for a seat with other tiles
ANSWERED = ("truth", "number", "seat", "suit", "direction", "tiles")  # types of answers that marks keep
ASKS_HOST = (going.evaluate, going.evaluate_tiles)
MOST_PARTS = 1_000  # of a point
NO_FACTS, OF_FRAME, GIVEN = "", "frame", "given"  # where the tile in question of steps comes from


class NotSayable(Exception):
    """A play that cannot be compiled; the message says what of it."""


def whole(constant: Const) -> int:
    """The number of a constant, or 1 and 0 of a truth. Raises NotSayable."""
    if isinstance(constant.value, int | Fraction) and constant.value.denominator == 1:
        return int(constant.value)
    raise NotSayable(f"{constant.value} is no whole number")


@dataclass(frozen=True, slots=True)
class Named:
    """A value that a name stands for: its type, and its register."""

    type: str
    register: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to steps, or a die: the number of the mark that keeps it, its type, whether it is of seats, its bit
    among those that are set."""

    mark: int
    type: str
    of_seat: bool
    bit: int


@dataclass(slots=True)
class Label:
    """A place of code; None while it is not known."""

    place: int | None = None


@dataclass(slots=True)
class Instruction:
    """An operation, and the numbers of its operands (`machine.operands`)."""

    operation: Operation
    operands: list[int]

    def __str__(self) -> str:
        return f"{self.operation.name} {' '.join(map(str, self.operands))}"


@dataclass(frozen=True, slots=True)
class Scope:
    """What expressions may name. `seat`: the register of the seat; `letters`: choices, arguments and letters of loops;
    `variables`: letters of quantifiers; `facts`: what is in question; `source`: whether a frame has facts of its own;
    `less`: the register of a tile the seat is imagined without; `pays`: numbers are in parts of points (`Writer.unit`);
    `top`, `lists`: the first free register and list."""

    seat: int = at.FRAME
    letters: Mapping[str, Named] = field(default_factory=dict)
    variables: Mapping[str, Named] = field(default_factory=dict)
    facts: Mapping[str, Named] = field(default_factory=dict)
    source: str = NO_FACTS
    less: int = at.NONE
    pays: bool = False
    top: int = 1
    lists: int = 0

    def of_seat(self, register: int) -> "Scope":
        return replace(self, seat=register)

    def naming(self, name: str, named: Named) -> "Scope":
        return replace(self, letters={**self.letters, name: named})

    def counting(self, name: str, named: Named) -> "Scope":
        return replace(self, variables={**self.variables, name: named})

    def knowing(self, name: str, named: Named) -> "Scope":
        return replace(self, facts={**self.facts, name: named})

    def free(self) -> tuple[int, "Scope"]:
        """A register of the frame, and the scope in which it is taken."""
        if self.top >= at.WINDOW:
            raise NotSayable("an expression of more values than a frame holds")
        return at.FRAME + self.top, replace(self, top=self.top + 1)

    def list(self) -> tuple[int, "Scope"]:
        """A list of the frame, and the scope in which it is taken."""
        if self.lists >= at.LISTS:
            raise NotSayable("more sets of tiles than a frame holds")
        return self.lists, replace(self, lists=self.lists + 1)


@dataclass(frozen=True, slots=True)
class HostRequest:
    """What the host is asked for: an expression, a number of it times `unit`, or to have players answer what a step
    asks."""

    type: str
    ir: Ir | None
    scope: Scope
    ask: StepQuestion | None = None
    unit: int = 1


@dataclass(frozen=True, slots=True)
class StepAsk:
    """A question of a step. `marks`: where answers go; `condition`: the code of what several tiles must meet together;
    `tried`, `seat`: the list and the register that it looks at; `request`: what the host knows of it."""

    marks: tuple[int, ...]
    picks: bool
    condition: Label | None
    tried: int
    seat: int
    request: int


@dataclass(slots=True)
class Writer:
    """The code of one play as it is written. `expressions`: what writes these; `rows`: by zone, its first row and
    whether it is of seats; `fixups`: where a label is to be filled in; `requests`: what the host is asked for;
    `claimed`, `own`, `grown`: the kinds of groups that seats make of the tile in question, of their hands, of melds;
    `answers`: those that marks keep, and dice; `asks`: questions of steps; `lines`: those of payments that are noted;
    `sieves`: what seats need for the offers of questions; `bounds`: what hands may be worth, if that is asked; `unit`:
    how many parts a point has."""

    program: Program
    expressions: "Expressions"
    code: list[Instruction] = field(default_factory=list)
    constants: dict[int, int] = field(default_factory=dict)
    fixups: list[tuple[Label, int, int]] = field(default_factory=list)
    rows: dict[str, tuple[int, bool]] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=lambda: {"": 0})
    phases: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    claimed: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    grown: set[str] = field(default_factory=set)
    classes: dict[frozenset[int], int] = field(default_factory=dict)
    group_sets: dict[frozenset[int], int] = field(default_factory=dict)
    measures: dict[str, int] = field(default_factory=dict)
    requests: list[HostRequest] = field(default_factory=list)
    routines: dict[tuple[str, str], Label] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    asks: list[StepAsk] = field(default_factory=list)
    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    sieves: list[int] = field(default_factory=lambda: [0])
    bounds: ValueBounds | None = None
    unit: int = 1

    def __post_init__(self) -> None:
        program, row = self.program, 0
        for zone in program.data.zones.values():
            self.rows[zone.id] = row, zone.of == "seat"
            row += program.count if zone.of == "seat" else 1
        self.marks = {mark: number for number, mark in enumerate(program.data.marks)}
        self.phases = {id: number for number, id in enumerate(program.play.phases)}
        self.unit = parts_of_points(program)
        for id in program.play.phases:
            self.name(id)
        self.find_answers()

    def find_answers(self) -> None:
        """Give the answers to steps, and dice, marks of their own, as far as there is room for them."""
        found = dict[str, set[tuple[str, bool]]]()
        for step in steps_of(self.program):
            if isinstance(step.does, Ask):
                for choose in step.does.choose:
                    found.setdefault(choose.name, set()).add((choose.type, True))
            elif isinstance(step.does, Roll):
                for name, values in step.does.dice:
                    found.setdefault(name, set()).add((values[0].type, False))
        for name, kinds in found.items():
            (type, of_seat), number = next(iter(kinds)), len(self.marks) + len(self.answers)
            known = name not in self.marks and len(kinds) == 1 and type in ANSWERED
            if known and number < at.MOST_MARKS:
                self.answers[name] = Answer(number, type, of_seat, len(self.answers))

    # --- instructions

    def write(self, operation: Operation, *operands: int | Label) -> None:
        """Add an instruction: an operation, and what its operands are."""
        kinds = operation.operands
        assert len(operands) == len(kinds) or (kinds[-1] is Rest and len(operands) <= MOST_OPERANDS), operation
        line = Instruction(operation, [])
        for number, (operand, kind) in enumerate(zip_longest(operands, kinds[: len(operands)])):
            assert isinstance(operand, Label) == (kind is Place), f"operand {number} of {operation.name}"
            if isinstance(operand, Label):
                self.fixups.append((operand, len(self.code), number))
            line.operands.append(0 if isinstance(operand, Label) else operand)
        self.code.append(line)

    def result(self, scope: Scope, operation: Operation, *operands: int | Label) -> tuple[int, Scope]:
        """Add an instruction whose result has a register of its own: that, and the scope in which it is taken."""
        to, inner = scope.free()
        self.write(operation, to, *operands)
        return to, inner

    def asks_host(self, place: int) -> bool:
        """Whether a match is asked for anything by what was written since."""
        asks = ASKS_HOST if self.program.judges_alone else (*ASKS_HOST, seating.judge)
        return any(line.operation in asks for line in self.code[place:])

    def place(self, label: Label) -> None:
        """The label is here."""
        label.place = len(self.code)

    def back_to(self, place: int, requests: int) -> None:
        """Take back what was written since."""
        del self.code[place:]
        del self.requests[requests:]
        self.asks = [ask for ask in self.asks if ask.request < requests]
        self.fixups = [fixup for fixup in self.fixups if fixup[1] < place]

    def finish(self) -> None:
        """Fill the labels in."""
        for label, place, number in self.fixups:
            assert label.place is not None, f"instruction {place} leads nowhere"
            self.code[place].operands[number] = label.place

    def routine(self, kind: str, name: str) -> Label:
        """Where the code of an action, offer, trigger or phase begins."""
        return self.routines.setdefault((kind, name), Label())

    # --- numbers

    def constant(self, value: Any) -> int:
        """The register of a constant."""
        number = int(value)
        if number != value:
            raise NotSayable(f"the number {value}, which is not whole")
        if number not in self.constants:
            if len(self.constants) == at.CONSTANTS:
                raise NotSayable(f"more than {at.CONSTANTS} numbers")
            self.constants[number] = at.CONSTANT + len(self.constants)
        return self.constants[number]

    def name(self, text: str) -> int:
        """The number of a name, suit or direction."""
        return self.names.setdefault(text, len(self.names))

    def kind(self, kind: str, made: set[str] | None = None) -> int:
        """The number of a kind of groups; `made`: the kinds that seats make in such a way, of which it is one."""
        if kind not in self.kinds and len(self.kinds) == 30:
            raise NotSayable("more than 30 kinds of groups that are made")
        if made is not None:
            if any(self.program.groups.is_ambiguous(group) for group in self.program.groups.groups_of(kind)):
                raise NotSayable(f"wild tiles that may be one or another in groups ({kind})")
            made.add(kind)
        return self.kinds.setdefault(kind, len(self.kinds))

    def class_of(self, tiles: Iterable[int]) -> int:
        """The number of a class of tiles."""
        return self.classes.setdefault(frozenset(tiles), len(self.classes))

    def class_of_any(self, classes: Sequence[Ir]) -> int:
        """The number of the tiles of some classes together. Raises NotSayable for classes that change."""
        values = [ir.value for ir in classes if isinstance(ir, Const)]
        if len(values) < len(classes):
            raise NotSayable("tiles of a class that changes")
        return self.class_of({one for members in values for one in as_set(members)})

    def group_set(self, groups: frozenset[int]) -> int:
        """The number of a set of groups."""
        return self.group_sets.setdefault(groups, len(self.group_sets))

    def measure(self, name: str) -> int:
        """The number of a measure."""
        if name not in self.measures and len(self.measures) == at.MOST_MEASURES:
            raise NotSayable(f"payments of more than {at.MOST_MEASURES} measures")
        return self.measures.setdefault(name, len(self.measures))

    def line(self, payments: str, line: str) -> int:
        """The number of a line of payments that is noted."""
        if (payments, line) not in self.lines and len(self.lines) == at.MOST_LINES:
            raise NotSayable(f"more than {at.MOST_LINES} lines of payments that may be taken back")
        return self.lines.setdefault((payments, line), len(self.lines))

    def zone(self, name: str, scope: Scope) -> tuple[int, int]:
        """The first row of a zone, and the register of the seat whose row it is."""
        row, of_seat = self.rows[name]
        return row, scope.seat if of_seat else self.constant(0)

    # --- expressions: by instructions, or by the host where there are none

    def value(self, ir: Ir, scope: Scope) -> tuple[int, Scope]:
        """The register of a value, and the scope in which it is taken."""
        place, requests = len(self.code), len(self.requests)
        try:
            return self.expressions.value(self, ir, scope)
        except NotSayable:
            self.back_to(place, requests)
            to, scope = scope.free()
            self.ask_host(ir, scope, to)
            return to, scope

    def seats(self, ir: Ir, scope: Scope) -> tuple[int, Scope]:
        """Seats as bits."""
        found, inner = self.value(ir, scope)
        if ir.type == "seats":
            return found, inner
        if ir.type != "seat":
            raise NotSayable(f"{ir.type} as seats")
        return self.result(inner, seating.add_seat, self.constant(0), found)

    def unless(self, ir: Ir, scope: Scope, no: Label) -> None:
        """Jump where a condition does not hold."""
        place, requests = len(self.code), len(self.requests)
        try:
            self.expressions.jump_unless(self, ir, scope, no)
        except NotSayable:
            self.back_to(place, requests)
            to, scope = scope.free()
            self.ask_host(ir, scope, to)
            self.write(counting.if_not, to, no)

    def tiles(self, ir: Ir, scope: Scope) -> tuple[int, Scope]:
        """Tiles as a list of the frame."""
        number, inner = scope.list()
        self.write(counting.clear, number)
        self.add_tiles(ir, inner, number)
        return number, inner

    def add_tiles(self, ir: Ir, scope: Scope, number: int) -> None:
        """Add tiles to a list."""
        place, requests = len(self.code), len(self.requests)
        try:
            self.expressions.list_tiles(self, ir, scope, number)
        except NotSayable:
            self.back_to(place, requests)
            self.ask_host_for_tiles(ir, scope, number)

    def ask_host(self, ir: Ir, scope: Scope, to: int) -> None:
        """Have the host evaluate an expression into a register."""
        self.expect_real(ir, scope)
        if ir.type not in ("number", "truth", "seat", "seats", "tile", "name", "suit", "direction"):
            raise NotSayable(f"{describe(ir)}, of type {ir.type}")
        if ir.type == "seat" and any(isinstance(node, WordCall) and node.name in IMAGINED for node in nodes(ir)):
            raise NotSayable(f"{describe(ir)}, an imagined seat")  # what is asked of it is left to the host as a whole
        self.requests.append(HostRequest(ir.type, ir, scope, unit=self.unit if scope.pays else 1))
        self.write(going.evaluate, to, len(self.requests) - 1, scope.seat)

    def expect_real(self, ir: Ir, scope: Scope) -> None:
        """Raise NotSayable for an expression about an imagined seat: what is around it is left to the host."""
        if scope.less >= 0:
            raise NotSayable(f"{describe(ir)} of an imagined seat")

    def ask_host_for_tiles(self, ir: Ir, scope: Scope, number: int) -> None:
        """Have the host evaluate an expression for tiles, and add them to a list."""
        self.expect_real(ir, scope)
        if ir.type not in ("tile", "tiles"):
            raise NotSayable(f"{describe(ir)} as tiles")
        self.requests.append(HostRequest("tiles", ir, scope))
        self.write(going.evaluate_tiles, number, len(self.requests) - 1, scope.seat)


def forms_ask(program: Program) -> bool:
    """Whether forms have conditions that the machine does not know."""
    return program.asks_when and most_suits(program) == 0


def most_suits(program: Program) -> int:
    """Of how many suits hands may be at most, where that is the condition of every form; 0 where it is not."""
    conditions = {form.when for form in program.data.forms}
    for condition in conditions if len(conditions) == 1 else ():
        if isinstance(condition, Apply) and condition.op == "<=" and is_number_of_suits(condition.args[0]):
            most = condition.args[1]
            return max(0, whole(most)) if isinstance(most, Const) else 0
    return 0


def is_number_of_suits(ir: Ir) -> bool:
    """Whether it is how many suits the hand has."""
    return isinstance(ir, Apply) and ir.op == "size" and ir.args[0] == Lookup("suits", "word", "suits")


def steps_of(program: Program) -> Iterator[Step]:
    """Every step of a play."""
    play = program.play
    for parts in (play.phases, play.offers, play.actions):
        for part in parts.values():
            yield from every_step(part.do)
    for one in play.triggers:
        yield from every_step(one.do)


@dataclass(frozen=True, slots=True)
class Expressions:
    """What writes expressions by instructions alone. Raises NotSayable. `value`: gives the register of a value, and the
    scope in which it is taken; `jump_unless`: jumps where a condition does not hold; `list_tiles`: adds to a list."""

    value: Callable[[Writer, Ir, Scope], tuple[int, Scope]]
    jump_unless: Callable[[Writer, Ir, Scope, Label], None]
    list_tiles: Callable[[Writer, Ir, Scope, int], None]


def parts_of_points(program: Program) -> int:
    """Of how many parts points are, so that payments are whole numbers of them: by what they are divided by, and by the
    fractions in them and in the measures that they name."""
    lines = [line for lines in program.data.payments.values() for line in lines]
    amounts = [ir for line in lines for ir in (line.amount, line.times, line.round_up) if ir is not None]
    named = {node.name for ir in amounts for node in nodes(ir) if isinstance(node, Lookup) and node.kind == "measure"}
    for measure in program.data.scoring.measures:
        if measure.id in named:
            amounts += [
                *(ir for ir in (measure.start, measure.value) if ir is not None),
                *(ir for _, ir in measure.table),
            ]
    found = lcm(*(part for ir in amounts for node in nodes(ir) for part in parts_in(node)))
    return found if found <= MOST_PARTS else 1


def parts_in(ir: Ir) -> Iterator[int]:
    """By what a part of an expression may divide points."""
    if isinstance(ir, Const) and isinstance(ir.value, Fraction):
        yield ir.value.denominator
    by = ir.args[1] if isinstance(ir, Apply) and ir.op == "/" else None
    if isinstance(by, Const) and isinstance(by.value, int | Fraction):
        yield abs(by.value.numerator) or 1


def describe(ir: Ir) -> str:
    """What an expression is, for a reason."""
    name = getattr(ir, "name", getattr(ir, "op", ""))
    return f"{type(ir).__name__} {name}".strip()


def encoded(code: Sequence[Instruction]) -> list[int]:
    """Instructions as numbers, all of the same length."""
    numbers = {operation: number for number, operation in enumerate(OPERATIONS)}
    rows = ((numbers[line.operation], *line.operands, *[0] * at.INSTRUCTION) for line in code)
    return [number for row in rows for number in row[: at.INSTRUCTION]]
