"""Moments: the effect of one answer on a table, split into what players see one after another, as data for each of
them.

Made in workers, sent by tables. A viewer is a player ("0", "1" ...) or "all", the spectators. Knows no game.
"""

from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from tilewright.web.protocol.view_parts import Parts

Plain = dict[str, Any]
ALL = "all"


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
