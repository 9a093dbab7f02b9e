"""Strict JSON.

Reading untrusted text: one object, with finite numbers and without lone surrogates. Writing: typed messages and plain
data, in bytes. Knows no message.
"""

import json
import re
from fractions import Fraction
from math import isinf
from typing import Any, NoReturn

import msgspec

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.refusals import Refused

HALVES = re.compile("[\ud800-\udfff]")
NOT_JSON = translations("server.not_json")


def read_object(text: bytes | str) -> dict[str, Any]:
    """The object in a JSON text. Raises Refused."""
    try:
        found = whole(json.loads(text, parse_constant=no_number, parse_float=finite))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused("bad-message", NOT_JSON)
    return found


def no_number(text: str) -> NoReturn:
    """NaN and infinities, which are not JSON."""
    raise ValueError(text)


def finite(text: str) -> float:
    """A number that can be written again."""
    number = float(text)
    return no_number(text) if isinf(number) else number


def whole(value: Any) -> Any:
    """Plain data without lone surrogates, which could not be encoded again."""
    if isinstance(value, str):
        return value if value.isascii() else HALVES.sub("\ufffd", value)
    if isinstance(value, list | tuple):
        return [whole(one) for one in value]
    return {whole(key): whole(one) for key, one in value.items()} if isinstance(value, dict) else value


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


def plain_number(value: object) -> int | float:
    """Fractions, which scores may be, as JSON numbers."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    raise NotImplementedError(f"{type(value).__name__} is not plain data")


ENCODER = msgspec.json.Encoder(enc_hook=plain_number)
