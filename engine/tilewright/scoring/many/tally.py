"""Tallies: the tiles of many hands, counted; and the answers to questions about the counts. In: a batch, and programs
of `tilewright.scoring.program.tallies`. Out: a row of counts for each hand, which a program is run over: in numpy for
all rows, or by a kernel for one. Knows no readings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import kernel
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.many.batch import HandBatch
from tilewright.scoring.program.tallies import WIDE, Cells, Op, compiled

BINARY: dict[int, Callable[[Any, Any], Any]] = {
    Op.ADD: np.add,
    Op.SUBTRACT: np.subtract,
    Op.MULTIPLY: np.multiply,
    Op.LESS: np.less,
    Op.LESS_EQUAL: np.less_equal,
    Op.EQUAL: np.equal,
}


class QuestionArrays:
    """The questions of a ruleset as arrays. `numbers`: programs and tables; `codes`: by question, which of them are its
    program; `layout`: of the rows that programs are run over; `room`: how many numbers their stack has to hold."""

    def __init__(self, questions: Sequence[Ir], data: CompiledRuleset) -> None:
        made = compiled(questions, data)
        self.data, self.codes, self.layout, self.room = data, made.codes, made.layout, made.room
        self.numbers = np.array(made.numbers, np.int64)
        self.plain_of = np.array([tile.plain for tile in data.tiles.tiles])
        self.open_zones = frozenset(name for name, zone in data.zones.items() if zone.seen_by == "everyone")

    @cached_property
    def meld_tiles(self) -> Array:
        """How many of each tile each meld has; melds are numbered as in `Cells`."""
        counts = np.zeros((2 * len(self.data.groups.groups), len(self.plain_of)), np.int32)
        for number, group in enumerate(self.data.groups.groups):
            for tile in group.tiles:
                counts[2 * number : 2 * number + 2, tile] += 1
        return counts

    @cached_property
    def exposed_tiles(self) -> Array:
        """The same, nothing for concealed melds."""
        return self.meld_tiles * (np.arange(len(self.meld_tiles)) % 2)[:, None]

    @cached_property
    def counting(self) -> dict[Cells, Array]:
        """For cells of melds, which of them count each meld."""
        groups = len(self.data.groups.groups)
        tables = {
            cells: np.zeros((2 * groups, len(cells.melds)), np.int32)
            for cells in self.layout.first
            if cells.source == "melds"
        }
        for cells, table in tables.items():
            for at, melds in enumerate(cells.melds):
                table[list(melds), at] = 1
        return tables


class Tallies:
    """The counted tiles of the hands of a batch. `waits`: a function that gives their numbers of waits; without it
    these are 0."""

    def __init__(self, questions: QuestionArrays, batch: HandBatch, waits: Callable[[], Array] | None = None) -> None:
        self.questions, self.batch, self.waits = questions, batch, waits

    @cached_property
    def tiles(self) -> Array:
        """How many of each face, melds and winning tile included."""
        counts = self.batch.tiles + self.exchanged
        counts[np.arange(len(counts)), self.batch.win] += 1
        return self.with_melds(counts, self.questions.meld_tiles)

    @property
    def exchanged(self) -> Array:
        """How many more, or fewer, of each face melds have than their groups: special tiles in place of plain ones."""
        more = self.batch.specials.astype(np.int32)
        for face in np.flatnonzero(more.any(axis=0)).tolist():
            more[:, self.questions.plain_of[face]] -= more[:, face]
        return more

    @cached_property
    def kinds(self) -> Array:
        """The same by plain tile."""
        return self.by_kind(self.tiles)

    def with_melds(self, counts: Array, table: Array) -> Array:
        """Add what a table says of each meld."""
        melds = 2 * self.batch.melds.astype(np.int64) + self.batch.exposed
        for at in range(melds.shape[1]):
            rows = np.flatnonzero(melds[:, at] >= 0)
            counts[rows] += table[melds[rows, at]]
        return counts

    def by_kind(self, faces: Array) -> Array:
        """Counts of faces as counts of plain tiles."""
        counts, plain_of = faces.copy(), self.questions.plain_of
        for face in np.flatnonzero(plain_of != np.arange(len(plain_of))):
            counts[:, plain_of[face]] += faces[:, face]
            counts[:, face] -= faces[:, face]
        return counts

    def rows(self, cells: Iterable[Cells] | None = None) -> Array:
        """A row of counts for each hand, (hands, width), of which only these cells are filled, or all."""
        layout = self.questions.layout
        rows = np.zeros((len(self.batch), layout.width), np.int32)
        for one in layout.first if cells is None else cells:
            counts = self.counted(one)
            if counts is not None:
                counts = counts if counts.ndim == 2 else counts[:, None]
                rows[:, layout.first[one] : layout.first[one] + counts.shape[1]] = counts
        return rows

    def counted(self, cells: Cells) -> Array | None:
        """What some cells are of each hand; None where all are 0."""
        match cells.source:
            case "tiles":
                return self.tiles
            case "plain":
                return self.kinds
            case "different":
                return np.greater(self.kinds, 0)
            case "zone":
                return self.batch.bonus if cells.name == "bonus" else self.batch.zones.get(cells.name)
            case "flag":
                return self.batch.flags.get(cells.name)
            case "melds":
                counts = np.zeros((len(self.batch), len(cells.melds)), np.int32)
                return self.with_melds(counts, self.questions.counting[cells])
            case "waits":
                return None if self.waits is None else self.waits()
            case "shown":
                return self.seen()

    def seen(self) -> Array:
        """How many of the winning tile all can see: in exposed melds, and in zones that everyone sees."""
        batch = self.batch
        shown = self.with_melds(batch.bonus.astype(np.int32), self.questions.exposed_tiles)
        for name in self.questions.open_zones & batch.zones.keys():
            shown += batch.zones[name]
        found: Array = self.by_kind(shown)[np.arange(len(shown)), self.questions.plain_of[batch.win]]
        return found


def tallied(ir: Ir, hands: Tallies) -> Array | None:
    """The answer of each hand to a question; None where it asks for more than counts."""
    code = hands.questions.codes.get(ir)
    if code is None:
        return None
    rows = hands.rows(code.cells)
    return Evaluation(hands.questions.numbers, rows).value(code.start, code.stop, np.arange(len(rows)), 0)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Programs run over rows in numpy."""

    numbers: Array
    rows: Array

    def value(self, start: int, stop: int, lines: Array, place: int) -> Array:
        """What the instructions push for each of these lines at a place."""
        stack: list[Any] = []
        at = start
        while at < stop:
            op, first, count, target = self.numbers[at : at + WIDE].tolist()
            at += WIDE
            match op:
                case Op.CONST:
                    stack.append(np.int64(first))
                case Op.CELL:
                    stack.append(self.rows[lines, first])
                case Op.TABLE:
                    stack.append(self.numbers[target + place])
                case Op.CELL_OF:
                    cell = self.numbers[target + place]
                    stack.append(self.rows[lines, cell] if cell >= 0 else np.int64(0))
                case Op.SUM:
                    weights = self.numbers[target + place * count : target + (place + 1) * count]
                    stack.append(self.rows[lines, first : first + count] @ weights)
                case Op.LOOP:
                    body = at + WIDE, at + target - WIDE
                    stack.append(self.total(first, count, body, lines, place))
                    at += target
                case Op.BRANCH:
                    end = at + target + int(self.numbers[at + target - 1])
                    parts = (at, at + target - WIDE), (at + target, end)
                    stack.append(self.chosen(stack.pop(), parts, lines, place))
                    at = end
                case Op.NOT:
                    stack.append(np.logical_not(stack.pop()))
                case _:
                    other = stack.pop()
                    stack.append(BINARY[op](stack.pop(), other))
        (value,) = stack
        return np.broadcast_to(value, lines.shape)

    def total(self, first: int, count: int, body: tuple[int, int], lines: Array, place: int) -> Array:
        """The sum of what a body pushes for each tile, as often as its cell says."""
        total = np.zeros(len(lines), np.int64)
        for tile in range(count):
            held = self.rows[lines, first + tile]
            some = np.flatnonzero(held)
            if len(some):
                total[some] += held[some] * self.value(*body, lines[some], place * count + tile)
        return total

    def chosen(self, test: Any, parts: Sequence[tuple[int, int]], lines: Array, place: int) -> Array:
        """What one part pushes where a test holds, and the other where not."""
        truth = np.broadcast_to(np.asarray(test, bool), lines.shape)
        value = np.zeros(len(lines), np.int64)
        for part, mask in zip(parts, (truth, ~truth), strict=True):
            some = np.flatnonzero(mask)
            if len(some):
                value[some] = self.value(*part, lines[some], place)
        return value


@kernel
def answered(numbers: Array, start: int, stop: int, row: Array, stack: Array) -> int:
    """The answer of one hand to a question. `numbers`, `start`, `stop`: its program; `row`: the counts of the hand;
    `stack` is overwritten."""
    at, top, place = start, -1, 0
    while at < stop:
        op, first, count, target = numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]
        at += WIDE
        if op == Op.CONST:
            top += 1
            stack[top] = first
        elif op == Op.CELL:
            top += 1
            stack[top] = row[first]
        elif op == Op.TABLE:
            top += 1
            stack[top] = numbers[target + place]
        elif op == Op.CELL_OF:
            cell = numbers[target + place]
            top += 1
            stack[top] = row[cell] if cell >= 0 else 0
        elif op == Op.SUM:
            total = 0
            for tile in range(count):
                total += row[first + tile] * numbers[target + place * count + tile]
            top += 1
            stack[top] = total
        elif op == Op.LOOP:  # three numbers of the stack: the place around it, the total, the tile
            stack[top + 1], stack[top + 2], stack[top + 3] = place, 0, -1
            top += 3
        elif op == Op.EACH:
            tile = stack[top] + 1
            while tile < count and row[first + tile] == 0:
                tile += 1
            if tile < count:
                stack[top] = tile
                place = stack[top - 2] * count + tile
            else:
                place, stack[top - 2] = stack[top - 2], stack[top - 1]
                top -= 2
                at += target
        elif op == Op.NEXT:
            stack[top - 2] += row[first + stack[top - 1]] * stack[top]
            top -= 1
            at -= target
        elif op == Op.BRANCH:
            at += 0 if stack[top] else target
            top -= 1
        elif op == Op.JUMP:
            at += target
        elif op == Op.NOT:
            stack[top] = stack[top] == 0
        else:
            top -= 1
            left, right = stack[top], stack[top + 1]
            if op == Op.ADD:
                stack[top] = left + right
            elif op == Op.SUBTRACT:
                stack[top] = left - right
            elif op == Op.MULTIPLY:
                stack[top] = left * right
            elif op == Op.LESS:
                stack[top] = left < right
            elif op == Op.LESS_EQUAL:
                stack[top] = left <= right
            else:
                stack[top] = left == right
    return int(stack[0])
