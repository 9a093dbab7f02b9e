"""Identity as equality."""

from operator import is_
from typing import Any


class TheSame(tuple[Any, ...]):
    """Some objects, the same as others only if each is the very same: texts that have not changed are parsed once."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple(map(id, self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TheSame) and len(self) == len(other) and all(map(is_, self, other))
