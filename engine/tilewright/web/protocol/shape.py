"""Shapes: plain data as a typed class, and the words for what a field must be, for refusals and for the docs.

The classes are msgspec's. The words follow from the annotation of a field, or are given in it (`worded`). Knows no
message.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TypeVar

import msgspec
from msgspec import Meta, inspect

from tilewright.presentation.catalogue import ENGLISH, say, translations
from tilewright.web.protocol.refusals import Refused, bad_message
from tilewright.web.protocol.strict_json import decode

T = TypeVar("T")
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
