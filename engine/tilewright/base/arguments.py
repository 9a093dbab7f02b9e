"""Arguments that programs give: what they have to be in, plain values or one kind of error out."""

from collections.abc import Collection, Mapping
from operator import index
from typing import Any, TypeVar

T = TypeVar("T")


class WrongArgument(ValueError):
    """An argument is not what it has to be; the message says what that is."""


def index_of(value: Any) -> int | None:
    """The whole number that this is, as numpy's are; None for anything else, truths included."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def whole_number(what: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """The whole number that an argument is. Raises WrongArgument for anything else, and for one out of bounds."""
    number = index_of(value)
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        bounds = "" if least is None else f" from {least} on" if most is None else f" from {least} to {most:,}"
        raise WrongArgument(f"{what} is a whole number{bounds}, not {value!r:.40}")
    return number


def truth(what: str, value: object) -> bool:
    """The truth that an argument is, as numpy's are. Raises WrongArgument for anything else."""
    found = getattr(value, "tolist", lambda: value)()
    if not isinstance(found, bool):
        raise WrongArgument(f"{what} is True or False, not {value!r:.40}")
    return found


def one_of(what: str, value: object, known: Collection[str]) -> str:
    """The text that an argument is, one of those known. Raises WrongArgument."""
    if not isinstance(value, str) or value not in known:
        raise WrongArgument(f"{what} is {' or '.join(map(repr, known))}, not {value!r:.40}")
    return value


def plain(value: object) -> Any:
    """The value without numpy and pandas: their truths, numbers and arrays as Python's, in lists and mappings too."""
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    found = getattr(value, "tolist", None)
    return value if found is None else found()


def expect(what: str, value: object, kind: type[T], hint: str) -> T:
    """The argument, which is of this kind. Raises WrongArgument; `hint`: what to give instead."""
    if not isinstance(value, kind):
        raise WrongArgument(f"{what} is {hint}, not {value!r:.40}")
    return value
