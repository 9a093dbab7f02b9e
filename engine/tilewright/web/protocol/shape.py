"""What strangers send: bytes in, a typed class out, or the words for what a field must be, for refusals and for the
docs.

JSON is bounded in values and depth before anything is made of it. The classes are msgspec's; the words follow from the
annotation of a field, or are given in it (`worded`). Writing: typed messages and plain data, in bytes. Knows no
message.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeVar

import msgspec
from msgspec import Meta, inspect

from tilewright.presentation.catalogue import ENGLISH, say, translations
from tilewright.web.protocol.refusals import Refused, bad_message

T = TypeVar("T")
MOST_VALUES = 10_000  # in a text,
MOST_DEPTH = 32  # nested,
MOST_HALVES = 40_000  # escaped surrogates and Hangul, which begin alike,
MOST_DIGITS = 18  # of a whole number: those that can be written again
NOT_JSON = translations("server.not_json")
TOO_COMPLEX = translations("server.json_too_complex", values=f"{MOST_VALUES:,}", depth=MOST_DEPTH, digits=MOST_DIGITS)

HALVES = re.compile("[\ud800-\udfff]")
HIGH, LOW = rb"\\u[dD][89abAB][0-9a-fA-F]{2}", rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
ESCAPED_HALF = re.compile(rb"%s(?!%s)|(?<!%s)%s" % (HIGH, LOW, HIGH, LOW))
LONG_NUMBER = re.compile(rb"(?<![.0-9])[0-9]{%d}" % (MOST_DIGITS + 1))
NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


# --- JSON


def decode(data: bytes, kind: type[T]) -> T:
    """An untrusted JSON object as a typed class. Raises Refused if it is none, or too large to be looked into;
    msgspec.ValidationError if it is of another type."""
    if b"\0" in data or not data.lstrip().startswith(b"{"):
        raise not_json()
    check_complexity(data)
    try:
        return msgspec.json.decode(without_halves(data), type=kind)
    except msgspec.ValidationError as error:
        if "out of range" in str(error):  # of all numbers that there are
            raise not_json() from None
        raise
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise not_json() from None


def not_json() -> Refused:
    return Refused("bad-message", NOT_JSON)


def check_complexity(data: bytes) -> None:
    """Look at the text in linear time, without making anything of it. Raises Refused."""
    parts = data.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"', 4 * MOST_VALUES)
    outside = b"".join(parts[::2])  # of strings
    values = sum(map(outside.count, (b",", b"[", b"{")))
    if (
        len(parts) > 4 * MOST_VALUES
        or values > MOST_VALUES
        or halves_in(data) > MOST_HALVES
        or LONG_NUMBER.search(outside)
    ):
        raise Refused("bad-message", TOO_COMPLEX)
    if max(depths(outside), default=0) > MOST_DEPTH:
        raise Refused("bad-message", TOO_COMPLEX)


def depths(outside: bytes) -> Iterator[int]:
    """The depth after each bracket."""
    return accumulate(STEPS[bracket] for bracket in outside.translate(None, NO_BRACKETS))


def without_halves(data: bytes) -> bytes:
    """JSON without escaped lone surrogates, which could not be encoded again."""
    if not halves_in(data) or ESCAPED_HALF.search(data) is None:
        return data
    backslash = b"\0"  # an escaped one, which no JSON contains
    return ESCAPED_HALF.sub(rb"\\ufffd", data.replace(rb"\\", backslash)).replace(backslash, rb"\\")


def halves_in(data: bytes) -> int:
    """About how many surrogates are escaped in it."""
    return data.count(rb"\ud") + data.count(rb"\uD")


# --- writing


def json_bytes(data: object) -> bytes:
    """A message, or plain data, encoded."""
    try:
        return ENCODER.encode(data)
    except UnicodeEncodeError:
        return ENCODER.encode(whole(msgspec.to_builtins(data, enc_hook=plain_number)))


def json_text(data: object) -> str:
    """The same as a text."""
    return json_bytes(data).decode()


def whole(value: Any) -> Any:
    """Plain data without lone surrogates."""
    if isinstance(value, str):
        return value if value.isascii() else HALVES.sub("\ufffd", value)
    if isinstance(value, list | tuple):
        return [whole(one) for one in value]
    return {whole(key): whole(one) for key, one in value.items()} if isinstance(value, dict) else value


def plain_number(value: object) -> int | float:
    """Fractions, which scores may be, as JSON numbers."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    raise NotImplementedError(f"{type(value).__name__} is not plain data")


# --- shapes


ENCODER = msgspec.json.Encoder(enc_hook=plain_number)


PLACE = re.compile(r" - at (?:`key` in )?`\$(.*)`$")
PART = re.compile(r"\.([^.\[]+)|\[[^\[\]]*\]")
MOST_SHOWN = 60  # characters of an unknown field
FIELD = re.compile(r"`([^`]*)`")
Words = Mapping[str, str]


def worded(id: str, *, shortest: int | None = None, longest: int | None = None, **slots: object) -> Meta:
    """The words for what a field must be (a message of the catalogue), with bounds of its length."""
    words = translations(id, **slots)
    return Meta(description=words[ENGLISH], extra=words, min_length=shortest, max_length=longest)


def read_json(kind: type[T], data: bytes, where: str) -> T:
    """An untrusted JSON object as a typed class; `where`: the name of the data. Raises Refused with the wrong field and
    what it must be."""
    try:
        return decode(data, kind)
    except msgspec.ValidationError as error:
        raise refused(kind, where, str(error)) from None


def read_as(kind: type[T], found: object, where: str) -> T:
    """The same of plain data."""
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise refused(kind, where, str(error)) from None


def wrong(where: str, name: str, words: Words) -> Refused:
    """The refusal of a wrong field; `words`: what it must be."""
    texts = {
        language: say("server.wrong_field", language, place=where, field=name, words=text)
        for language, text in words.items()
    }
    return Refused("bad-message", texts)


def wrong_field(kind: type, where: str, name: str) -> Refused:
    """The refusal of a field, with the words of its annotation."""
    return refused(kind, where, f" - at `$.{name}`")


def refused(kind: type, where: str, error: str) -> Refused:
    """The refusal for an error of msgspec."""
    at, place = PLACE.search(error), ""
    found = inspect.type_info(kind)
    for part, inner in path(found, at[1] if at else ""):
        found, place = inner, place + part
    named, holder = FIELD.search(error), bare(found)
    if error.startswith("Object missing required field") and named and isinstance(holder, inspect.StructType):
        found, place = type_of(holder, named[1]), f"{place}.{named[1]}"
    elif error.startswith("Object contains unknown field") and named and isinstance(holder, inspect.StructType):
        return unknown_field(holder, where + place, named[1])
    words = in_words(found)
    owner, _, name = f"{where}{place}".rpartition(".")
    return wrong(owner or where, name if owner else "it", words)


def path(found: inspect.Type, text: str) -> Iterator[tuple[str, inspect.Type]]:
    """The parts of a path, each with its type; up to the first with words of its own."""
    for part in PART.finditer(text):
        inner = inside(found, part[1])
        has_words = isinstance(found, inspect.Metadata) and found.extra
        if has_words and not isinstance(inner, inspect.StructType | inspect.Metadata):
            return
        found = inner
        yield part[0], found


def inside(found: inspect.Type, name: str | None) -> inspect.Type:
    """The type of a field, or of the items of a list or an object."""
    found = bare(found)
    if isinstance(found, inspect.StructType) and name is not None:
        return type_of(found, name)
    if isinstance(found, inspect.VarTupleType | inspect.ListType):
        return found.item_type
    return found.value_type if isinstance(found, inspect.DictType) else found


def type_of(found: inspect.StructType, name: str) -> inspect.Type:
    return next((field.type for field in found.fields if field.encode_name == name), inspect.AnyType())


def bare(found: inspect.Type) -> inspect.Type:
    """A type without its metadata; of a nullable one, the other type."""
    if isinstance(found, inspect.Metadata):
        return bare(found.type)
    if isinstance(found, inspect.UnionType):
        return bare(next(one for one in found.types if not isinstance(one, inspect.NoneType)))
    return found


def unknown_field(found: inspect.StructType, where: str, name: str) -> Refused:
    names, shown = [field.encode_name for field in found.fields], name[:MOST_SHOWN]
    near = get_close_matches(shown, names, 1) or sorted(names)
    return bad_message("server.unknown_field", place=where, field=shown, known=", ".join(near))


# --- in words


def in_words(found: inspect.Type) -> Words:
    """What a field of this type must be, by language."""
    match found:
        case inspect.Metadata(type=inner, extra=extra):
            return extra or in_words(inner)
        case inspect.UnionType(types=types):
            return either([one for one in types if not isinstance(one, inspect.NoneType)])
        case inspect.BoolType():
            return translations("shape.truth")
        case inspect.LiteralType(values=values):
            return translations("shape.one_of", names=", ".join(map(str, values)))
        case inspect.IntType(ge=least, le=most):
            return numbers("whole", least, most)
        case inspect.FloatType(ge=least, le=most):
            return numbers("number", least, most)
        case inspect.StrType(max_length=most):
            return translations("shape.short_text", most=most) if most else translations("shape.text")
        case (
            inspect.VarTupleType(min_length=least, max_length=most)
            | inspect.ListType(min_length=least, max_length=most)
        ):
            return listed(least, most)
        case _:
            return translations("shape.object")


def either(types: list[inspect.Type]) -> Words:
    words = [in_words(one) for one in types]
    return {
        language: between.join(one[language] for one in words) for language, between in translations("shape.or").items()
    }


def numbers(kind: str, least: float | None, most: float | None) -> Words:
    if least is None or most is None:
        return translations(f"shape.{kind}")
    return translations(f"shape.{kind}_between", least=least, most=most)


def listed(least: int | None, most: int | None) -> Words:
    if most is None:
        return translations("shape.list")
    if least:
        return translations("shape.list_between", least=least, most=most)
    return translations("shape.list_short", most=most)
