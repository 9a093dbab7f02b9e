"""Operations on numbers and truths: arithmetic, and where the code continues."""

from tilewright.base.kernels import ON, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.tiles import count_bits
from tilewright.play.compiled.machine.operands import Machine, Place, Register, Value


@operation
def jump(m: Machine, to: Place) -> int:
    """Continue elsewhere."""
    return to


@operation
def if_not(m: Machine, truth: Value, to: Place) -> int:
    """Continue elsewhere where a truth does not hold, or a number is 0."""
    return to if truth == 0 else ON


@operation
def if_true(m: Machine, truth: Value, to: Place) -> int:
    """Continue elsewhere where a truth holds, or a number is not 0."""
    return to if truth != 0 else ON


@operation
def if_equal(m: Machine, one: Value, other: Value, to: Place) -> int:
    """Continue elsewhere where two numbers are equal."""
    return to if one == other else ON


@operation
def if_different(m: Machine, one: Value, other: Value, to: Place) -> int:
    """Continue elsewhere where two numbers differ."""
    return to if one != other else ON


@operation
def if_less(m: Machine, one: Value, other: Value, to: Place) -> int:
    """Continue elsewhere where one number is less than another."""
    return to if one < other else ON


@operation
def if_at_most(m: Machine, one: Value, other: Value, to: Place) -> int:
    """Continue elsewhere where one number is at most another."""
    return to if one <= other else ON


@operation
def copy(m: Machine, to: Register, value: Value) -> None:
    """`to` becomes a value."""
    m.S[to] = value


@operation
def add(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes the sum of two numbers."""
    m.S[to] = one + other


@operation
def subtract(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes the difference of two numbers."""
    m.S[to] = one - other


@operation
def multiply(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes the product of two numbers."""
    if abs(float(one) * float(other)) > at.MUCH:
        m.S[at.PROBLEM] = at.Problem.LARGE_NUMBER
    else:
        m.S[to] = one * other


@operation
def divide(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes the quotient of two numbers, 0 where one is divided by 0; one that is not whole is a problem."""
    if other != 0 and one % other != 0:
        m.S[at.PROBLEM] = at.Problem.NOT_OF_UNIT
    else:
        m.S[to] = one // other if other != 0 else 0


@operation
def remainder(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes what is left of one number divided by another, 0 where it is divided by 0."""
    m.S[to] = one % other if other != 0 else 0


@operation
def population(m: Machine, to: Register, bits: Value) -> None:
    """`to` becomes how many of some bits are set, as of seats."""
    m.S[to] = count_bits(bits)
