"""Moments: the effect of one answer on a table, split into what players see one after another, as data for each of
them.

Made in workers, sent by tables. A viewer is a player ("0", "1" ...) or "all", the spectators. A view is cut into parts
by path, like "zones/hand/E", so that only those that changed have to be sent; a part is encoded once, where the view is
made, and passed on as bytes. Knows no game.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from tilewright.web.protocol.shape import json_bytes

Plain = dict[str, Any]
Parts = dict[str, Raw]  # by path
LEVELS = {"zones": 2, "melds": 1, "discards": 1}  # fields that are cut further: by zone and seat, by seat
SEPARATOR = "/"


# --- parts of a view


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


# --- moments


ALL = "all"
OPEN = "open"  # in replays, the viewer that sees what any seat sees


class Moment(Struct, frozen=True):
    """A moment that players see. `views` and `events` by viewer; from a worker come only the parts of views that have
    changed since the moment before. `claim`: a tile may now be claimed, and nobody has been asked yet; `ends`: a hand
    has just ended, its tiles are still on the table (`GameStep.results` has its result); `asked`: players who are asked
    in this moment, and `open` if everybody knows it; `only`: nothing changed but for this player, who answered before
    others did."""

    views: dict[str, Parts]
    events: dict[str, list[Raw]]
    claim: bool = False
    ends: bool = False
    asked: tuple[int, ...] = ()
    open: bool = False
    only: int | None = None


class GameStep(Struct, frozen=True):
    """The effect of one answer (or the opening) on a table. `lines`: new lines of the log, without line ends; `asked`:
    players who are asked now; `buttons`: the answers of the pressed buttons of asked players; `scores`: of the
    players now, at the end with what is added or exchanged; `results`: of the hands that ended (one for each moment
    that `ends`, in order); `problem`: what went wrong in a hand."""

    lines: tuple[str, ...]
    moments: tuple[Moment, ...]
    asked: tuple[int, ...]
    buttons: dict[int, dict[str, str]]
    hands_done: int
    over: bool
    scores: tuple[int | float, ...] = ()
    results: tuple[Plain, ...] = ()
    problem: str | None = None

    @property
    def result(self) -> Plain | None:
        """The last hand that ended in this step."""
        return self.results[-1] if self.results else None


class LastViews:
    """The last view of each viewer of a game, put together from the parts that come from its worker."""

    def __init__(self) -> None:
        self.views: dict[str, Parts] = {}

    def completed(self, step: GameStep) -> GameStep:
        """The step with whole views."""
        return replace(step, moments=tuple(map(self.moment, step.moments)))

    def moment(self, moment: Moment) -> Moment:
        """The moment with whole views. What viewers share is kept once, without the frame that it came in."""
        shared: dict[bytes, Raw] = {}

        def kept(text: Raw) -> Raw:
            content = bytes(text)
            return shared.setdefault(content, Raw(content))

        for viewer, parts in moment.views.items():
            new = {path: kept(part) for path, part in parts.items()}
            self.views[viewer] = {**self.views.get(viewer, {}), **new}
        events = {viewer: [kept(event) for event in events] for viewer, events in moment.events.items()}
        return replace(moment, views=dict(self.views), events=events)
