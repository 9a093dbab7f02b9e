"""tilewright.web.protocol.strict_json."""

import json
import re
from math import isinf
from typing import Any, NoReturn

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.refusals import Refused

HALVES = re.compile("[\ud800-\udfff]")
NOT_JSON = translations("server.not_json")


def read_object(text: bytes | str) -> dict[str, Any]:
    """The object that a JSON text is. Raises Refused."""
    try:
        found = whole(json.loads(text, parse_constant=no_number, parse_float=finite))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused("bad-message", NOT_JSON)
    return found


def no_number(text: str) -> NoReturn:
    """NaN and infinities, which are no JSON."""
    raise ValueError(text)


def finite(text: str) -> float:
    """A number that can be written down again."""
    number = float(text)
    return no_number(text) if isinf(number) else number


def whole(value: Any) -> Any:
    """Plain data in whose texts no half of a character is left: it could not be sent on to anybody."""
    if isinstance(value, str):
        return value if value.isascii() else HALVES.sub("\ufffd", value)
    if isinstance(value, list):
        return [whole(one) for one in value]
    return {whole(key): whole(one) for key, one in value.items()} if isinstance(value, dict) else value
