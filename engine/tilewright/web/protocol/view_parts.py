"""View parts: a view cut into parts by path, like "zones/hand/E", so that only those that changed have to be sent.

A part is encoded once, where the view is made, and passed on as bytes. Knows no game.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Raw

from tilewright.web.protocol.strict_json import json_bytes

Plain = dict[str, Any]
Parts = dict[str, Raw]  # by path
LEVELS = {"zones": 2, "melds": 1, "discards": 1}  # fields that are cut further: by zone and seat, by seat
SEPARATOR = "/"


def parts_of(view: Plain) -> Plain:
    """The parts of a view, not yet encoded. A view of one game always has the same paths."""
    return dict(pair for name, value in view.items() for pair in cut(name, value, LEVELS.get(name, 0)))


def cut(path: str, value: Any, levels: int) -> Iterator[tuple[str, Any]]:
    if not levels or not isinstance(value, dict):
        yield path, value
        return
    for name, inner in value.items():
        yield from cut(f"{path}{SEPARATOR}{name}", inner, levels - 1)


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> Plain:
    """The parts that are not as before."""
    return {path: part for path, part in now.items() if path not in before or before[path] != part}


def encoded(parts: Mapping[str, Any]) -> Parts:
    """Parts as they are sent."""
    return {path: Raw(json_bytes(part)) for path, part in parts.items()}


def decoded(part: Raw) -> Any:
    """The value of one part."""
    return msgspec.json.decode(part)


def whole(parts: Parts) -> Plain:
    """The view that consists of these parts."""
    return with_parts(None, {path: decoded(part) for path, part in parts.items()})


def with_parts(view: Plain | None, parts: Mapping[str, Any]) -> Plain:
    """A view with some of its parts replaced, or made of all of them."""
    found: Plain = dict(view or {})
    for path, part in parts.items():
        *names, last = path.split(SEPARATOR)
        at = found
        for name in names:
            at[name] = at = dict(at.get(name, {}))
        at[last] = part
    return found
