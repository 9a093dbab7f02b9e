"""Arguments that programs give: what they have to be in, plain values or one kind of error out."""

from collections.abc import Mapping
from operator import index
from typing import Any, SupportsIndex, TypeVar

T = TypeVar("T")


class WrongArgument(ValueError):
    """An argument is not what it has to be; the message says what that is."""


def index_of(value: object) -> int | None:
    """The whole number that this is, as numpy's are; None for anything else, truths included."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except TypeError:
        return None


def whole_number(what: str, value: object, least: int | None = None) -> int:
    """The whole number that an argument is. Raises WrongArgument for anything else, and for one that is too small."""
    number = index_of(value)
    if number is None or (least is not None and number < least):
        from_least = "" if least is None else f" from {least} on"
        raise WrongArgument(f"{what} is a whole number{from_least}, not {value!r:.40}")
    return number


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
