"""Records: what is where in a list of numbers, declared once.

A record says of each part how many numbers it has, what they mean, how it begins, and who may see it; where it is
follows. `TURN = state.number("whose turn it is")` in a module names such a place, which is compiled into kernels.
Knows no mahjong.
"""

import sys
from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from math import prod

from tilewright.base.arrays import Array


class Sight(Enum):
    """Who may see a part: nobody, as it is the machine's own; who it belongs to; everyone; whoever other parts name."""

    NOBODY, OWNER, EVERYONE, SOME = range(4)


class Field(int):
    """Where a part of a record begins. `shape`: how many numbers it has, by dimension; `width`: all together; `begins`:
    what each of them is at first, None where it is kept."""

    shape: tuple[int, ...]
    width: int
    meaning: str
    begins: int | None
    seen: Sight

    def of(self, numbers: Array) -> Array:
        """This part of a list of numbers, in its shape."""
        found: Array = numbers[int(self) : self + self.width].reshape(self.shape)
        return found


class Record:
    """The parts of a list of numbers. `module`: where their names are; `first`: where the first one begins."""

    def __init__(self, module: str, first: int = 0) -> None:
        self.module, self.size = module, first
        self.fields: list[Field] = []

    def number(self, meaning: str, begins: int | None = 0, seen: Sight = Sight.NOBODY) -> Field:
        """A part that is one number."""
        return self.part((1,), meaning, begins, seen)

    def part(
        self, shape: tuple[int, ...], meaning: str, begins: int | None = None, seen: Sight = Sight.NOBODY
    ) -> Field:
        """A part of several numbers."""
        field = Field(self.size)
        field.shape, field.width, field.meaning, field.begins, field.seen = shape, prod(shape), meaning, begins, seen
        self.fields.append(field)
        self.size += field.width
        return field

    @cached_property
    def named(self) -> Mapping[str, Field]:
        """The parts by their names, in order. Raises NameError where another part has taken one."""
        names = {id(one): name for name, one in reversed(vars(sys.modules[self.module]).items())}  # the first of each
        for field in self.fields:
            if id(field) not in names:
                raise NameError(f"a part of {self.module} has no name of its own: {field.meaning}")
        return {names[id(field)]: field for field in self.fields}

    @property
    def beginnings(self) -> tuple[int, ...]:
        """What is set at first, as numbers: from where, up to where, and to what, for as long a part as possible."""
        found: list[int] = []
        for field in self.fields:
            if field.begins is None:
                continue
            if found and found[-2:] == [field, field.begins]:
                found[-2] += field.width
            else:
                found += (int(field), field + field.width, field.begins)
        return tuple(found)

    def text(self, numbers: Array, seen: frozenset[Sight] = frozenset(Sight)) -> str:
        """What is in a list of numbers, for a reader: a line for each part that is not as it began, if it may be
        seen."""
        lines: list[str] = []
        for name, field in self.named.items():
            part = field.of(numbers)
            if field.seen in seen and (part != (field.begins or 0)).any():
                lines.append(f"{name} ({field.meaning}): {' '.join(map(str, part.reshape(-1).tolist()))}")
        return "\n".join(lines)
