"""A value on its way to C: its type and its text."""

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelc.c_types import OF_DTYPE, REAL, WHOLE, WIDENED, Type

UNKNOWN = object()  # no constant
FOLDED: dict[str, Any] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "//": operator.floordiv, "%": operator.mod, "/": operator.truediv,
    "**": operator.pow, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
OF_PYTHON: dict[str, Any] = {"b": bool, "i64": int, "f32": float, "f64": float}


@dataclass
class Value:
    """A value. `constant`: a number or another object that is known now; `parts`: those of a tuple; `reads`: whether
    its text reads an array, so that it may not move past a call that writes"""

    type: Type
    text: str = ""
    constant: Any = UNKNOWN
    parts: "list[Value] | None" = None
    reads: bool = False

    @property
    def is_constant(self) -> bool:
        return self.constant is not UNKNOWN

    @property
    def is_number(self) -> bool:
        return self.type in WHOLE or self.type in REAL

    @property
    def is_power(self) -> bool:
        """A power of two that is known now."""
        number = self.constant
        return isinstance(number, int) and number > 0 and number & (number - 1) == 0


def constant(value: Any) -> Value:
    """What is known now."""
    if isinstance(value, np.generic):
        return Value(OF_DTYPE[value.dtype.name], constant=value.item())
    if isinstance(value, bool):
        return Value("b", constant=bool(value))
    if isinstance(value, int | float):
        return Value("i64", constant=int(value)) if isinstance(value, int) else Value("f64", constant=float(value))
    return Value(None, constant=value)


def widened_text(place: str, element: str) -> str:
    """An element as it is read."""
    return f"((int64_t){place})" if element in WIDENED else place
