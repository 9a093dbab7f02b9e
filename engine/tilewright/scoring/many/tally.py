"""Tallies: what a batch says of hands beside their tiles, counted; and a kernel that answers questions about counts.

In: a batch, and programs of `tilewright.scoring.program.tallies`. Out: a row of counts for each hand, to which the
kernel that reads the hand adds its tiles and melds; then programs are run over it. Knows no readings."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import kernel
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.many.batch import HandBatch
from tilewright.scoring.program.tallies import MOST, NO_ANSWER, WIDE, Cells, Op, compiled


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
    def exposed_tiles(self) -> Array:
        """How many of each tile each meld shows: twice its group, one more where it is exposed."""
        counts = np.zeros((2 * len(self.data.groups.groups), len(self.plain_of)), np.int32)
        for number, group in enumerate(self.data.groups.groups):
            for tile in group.tiles:
                counts[2 * number + 1, tile] += 1
        return counts


class Tallies:
    """The tiles of the hands of a batch beside those that they hold, counted."""

    def __init__(self, questions: QuestionArrays, batch: HandBatch) -> None:
        self.questions, self.batch = questions, batch

    @property
    def exchanged(self) -> Array:
        """How many more, or fewer, of each face melds have than their groups: special tiles in place of plain ones."""
        more = self.batch.specials.astype(np.int32)
        for face in np.flatnonzero(more.any(axis=0)).tolist():
            more[:, self.questions.plain_of[face]] -= more[:, face]
        return more

    def rows(self, cells: Iterable[Cells]) -> Array:
        """A row of counts for each hand, (hands, width), of which these cells are filled."""
        layout = self.questions.layout
        rows = np.zeros((len(self.batch), layout.width), np.int32)
        for one in cells:
            counts = self.counted(one)
            if counts is not None:
                counts = counts if counts.ndim == 2 else counts[:, None]
                rows[:, layout.first[one] : layout.first[one] + counts.shape[1]] = counts
        return rows

    def counted(self, cells: Cells) -> Array | None:
        """What some cells are of each hand; None where all are 0."""
        match cells.source:
            case "zone":
                return self.batch.bonus if cells.name == "bonus" else self.batch.zones.get(cells.name)
            case "flag":
                return self.batch.flags.get(cells.name)
            case "shown":
                return self.seen()
        raise ValueError(f"a kernel counts {cells.source}")

    def seen(self) -> Array:
        """How many of the winning tile all can see: in exposed melds, and in zones that everyone sees."""
        batch, plain_of = self.batch, self.questions.plain_of
        shown = batch.bonus.astype(np.int32)
        melds = 2 * batch.melds.astype(np.int64) + batch.exposed
        for at in range(melds.shape[1]):
            rows = np.flatnonzero(melds[:, at] >= 0)
            shown[rows] += self.questions.exposed_tiles[melds[rows, at]]
        for name in self.questions.open_zones & batch.zones.keys():
            shown += batch.zones[name]
        same = plain_of[None, :] == plain_of[batch.win][:, None]
        found: Array = np.where(same, shown, 0).sum(axis=1)
        return found


@kernel
def answered(numbers: Array, start: int, stop: int, row: Array, stack: Array) -> int:
    """The answer of one hand to a question, NO_ANSWER for none. `numbers`, `start`, `stop`: its program; `row`: the
    counts of the hand; `stack` is overwritten."""
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
            elif op == Op.EQUAL:
                stack[top] = left == right
            elif op == Op.MINIMUM:
                stack[top] = min(left, right)
            elif op == Op.MAXIMUM:
                stack[top] = max(left, right)
            elif op == Op.POWER:
                stack[top] = power(left, right)
            elif right == 0:
                stack[top] = 0
            elif op == Op.DIVIDE:
                stack[top] = NO_ANSWER if left % right else left // right
            elif op == Op.MODULO:
                stack[top] = left % right
            else:
                stack[top] = -(-left // right) * right
            if abs(stack[top]) >= MOST:
                return NO_ANSWER
    return int(stack[0])


@kernel
def power(base: int, exponent: int) -> int:
    """A power, cut off where it is no small number."""
    made = 1
    for _ in range(max(0, min(64, exponent))):
        made *= base
        if abs(made) >= MOST:
            break
    return int(made)
