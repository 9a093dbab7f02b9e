"""Strict JSON. Reading untrusted bytes: bounded in values and depth before anything is made of them, then decoded into
the type that is wanted. Writing: typed messages and plain data, in bytes. Knows no message.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeVar

import msgspec

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.refusals import Refused

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


ENCODER = msgspec.json.Encoder(enc_hook=plain_number)
