"""Tallies: a kernel that answers questions about counts, by the programs of `scoring.program.tallies`.

In: a row of counts of a hand. Out: the answer. Knows no readings."""

from tilewright.base.kernels import Array, kernel
from tilewright.scoring.program.tallies import MOST, NO_ANSWER, WIDE, Op


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
            stack[top] = of_two(op, stack[top], stack[top + 1])
            if abs(stack[top]) >= MOST:
                return NO_ANSWER
    return int(stack[0])


@kernel
def of_two(op: int, left: int, right: int) -> int:
    """The answer of an operation on two numbers."""
    if op == Op.ADD:
        return left + right
    if op == Op.SUBTRACT:
        return left - right
    if op == Op.MULTIPLY:
        return left * right
    if op == Op.LESS:
        return int(left < right)
    if op == Op.LESS_EQUAL:
        return int(left <= right)
    if op == Op.EQUAL:
        return int(left == right)
    if op == Op.MINIMUM:
        return min(left, right)
    if op == Op.MAXIMUM:
        return max(left, right)
    if op == Op.POWER:
        return power(left, right)
    if right == 0:
        return 0
    if op == Op.DIVIDE:
        return NO_ANSWER if left % right else left // right
    if op == Op.MODULO:
        return left % right
    return -(-left // right) * right


@kernel
def power(base: int, exponent: int) -> int:
    """A power, cut off where it is no small number."""
    made = 1
    for _ in range(max(0, min(64, exponent))):
        made *= base
        if abs(made) >= MOST:
            break
    return int(made)
