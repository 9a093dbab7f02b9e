"""Types of values, and what they are called in C.

A number is "b" (a truth), "i64", "f32" or "f64". Elements of arrays may be narrower: they are widened
when they are read, and cut when they are written. Arrays and tuples have types of their own; nothing is None.
"""

import math
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np

from tilewright.base.kernels import Elements


class ArrayType(NamedTuple):
    """An array, C-contiguous. `element`: the type of its elements."""

    element: str
    dims: int


class TupleType(NamedTuple):
    """A tuple. `label`: the module and class of a NamedTuple, whose fields are `names`; else both are empty."""

    label: str
    names: tuple[str, ...]
    items: tuple[Any, ...]


Type = str | ArrayType | TupleType | None

C_NAMES = {"b": "bool", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t", "u8": "uint8_t"}
C_NAMES |= {"u16": "uint16_t", "f32": "float", "f64": "double"}
CODES = {"b": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H"}
CODES |= {"f32": "f", "f64": "d"}  # as the buffers of arrays have them
OF_DTYPE = {"bool": "b", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16"}
OF_DTYPE |= {"float32": "f32", "float64": "f64"}
CASTS: dict[Any, str] = {np.bool_: "b", np.int64: "i64"}
CASTS |= {np.float32: "f32", np.float64: "f64", int: "i64", float: "f64", bool: "b"}
WIDENED = {"i8": "i64", "i16": "i64", "i32": "i64", "u8": "i64", "u16": "i64"}  # what an element is once it is read
WHOLE, REAL = ("b", "i64"), ("f32", "f64")
DECLARED: dict[Any, Type] = {int: "i64", float: "f64", bool: "b", NoneType: None, None: None}
RESERVED = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool
    true false exp floor sqrt pow fabs main NAN INFINITY near far small""".split()  # noqa: SIM905
)


class NotC(Exception):
    """What cannot be translated: a sentence with the file, the line and its text."""


def declared(annotation: Any) -> Type:
    """The type that an annotation says. Raises NotC."""
    if get_origin(annotation) is Annotated and isinstance(elements := get_args(annotation)[1], Elements):
        return ArrayType(OF_DTYPE[elements.dtype], elements.dims)
    if isinstance(annotation, type) and issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
        hints = get_type_hints(annotation, include_extras=True)
        label, names = f"{annotation.__module__}:{annotation.__name__}", tuple(annotation._fields)
        return TupleType(label, names, tuple(declared(hints[name]) for name in names))
    if annotation not in DECLARED:
        raise NotC(f"{annotation} is no type of an argument")
    return DECLARED[annotation]


def as_declared(function: Callable[..., Any], given: Sequence[Type]) -> tuple[Type, ...]:
    """The types of arguments as a kernel takes them: where it declares an int or a float, narrower numbers become
    that."""
    said = [function.__annotations__.get(name) for name in function.__code__.co_varnames[: len(given)]]
    wider: dict[Any, str] = {(int, "b"): "i64", (float, "i64"): "f64", (float, "b"): "f64", (float, "f32"): "f64"}
    return tuple(wider.get((one, type), type) for one, type in zip(said, given, strict=True))


def joined(one: Type, other: Type, what: str) -> Type:
    """The type of what may be either. Raises NotC where no type holds both."""
    if one == other:
        return one
    pair = {one, other}
    if pair <= {"b", "i64"}:
        return "i64"
    if pair <= {"b", "i64", "f32", "f64"} and not pair <= {"b", "f32"}:
        return "f64"
    if isinstance(one, TupleType) and isinstance(other, TupleType) and len(one.items) == len(other.items):
        return one._replace(items=tuple(joined(a, b, what) for a, b in zip(one.items, other.items, strict=True)))
    raise NotC(f"{what} is {said(one)} and {said(other)}")


def widened(element: str) -> str:
    return WIDENED.get(element, element)


def said(type: Type) -> str:
    """A type in messages."""
    if isinstance(type, ArrayType):
        return f"an array of {type.dims} dimensions of {type.element}"
    return "a tuple" if isinstance(type, TupleType) else type or "nothing"


def signature(type: Type) -> str:
    """A type as the extension module reads it."""
    if isinstance(type, ArrayType):
        return f"{CODES[type.element]}{type.dims}"
    if isinstance(type, TupleType):
        return f"({''.join(map(signature, type.items))})"
    return "" if type is None else CODES[type]


def field_name(type: TupleType, number: int) -> str:
    return safe(type.names[number]) if type.names else f"f{number}"


def safe(name: str) -> str:
    """A name that C does not use itself."""
    return f"{name}_" if name in RESERVED else name


def literal(value: Any, type: str) -> str:
    """A number in C. Raises NotC where it does not fit."""
    if type == "b":
        return "true" if value else "false"
    if type in REAL:
        return real_literal(float(value), "f" if type == "f32" else "")
    value = int(value)
    if not -(1 << 63) <= value < 1 << 63:
        raise NotC(f"{value} has more than 64 bits")
    if value == -(1 << 63):
        return "INT64_MIN"
    if abs(value) < 1 << 31:
        return f"({value})" if value < 0 else str(value)
    return f"INT64_C({value})" if value > 0 else f"(-INT64_C({-value}))"


def real_literal(number: float, ending: str) -> str:
    if math.isnan(number):
        return "NAN"
    if math.isinf(number):
        return "INFINITY" if number > 0 else "(-INFINITY)"
    return f"({number!r}{ending})" if number < 0 else f"{number!r}{ending}"
