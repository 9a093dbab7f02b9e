"""Moments: what one answer makes of a table, cut into what players see one after the other, as data for each of them.

Made in workers, told by tables. A viewer is a player ("0", "1" ...) or "all", those who look on. Knows no game.
"""

from typing import Any

from msgspec import Struct

Plain = dict[str, Any]
ALL = "all"


class Moment(Struct, frozen=True):
    """A moment that players see. `views` and `events` by viewer. `claim`: a tile has just come where it may be claimed,
    and nobody has been asked yet; `ends`: a hand has just ended, its tiles are still on the table (`GameStep.results`
    has its result); `asked`: players who are asked in this moment; `only`: nothing changed but for this player, who
    answered before others did."""

    views: dict[str, Plain]
    events: dict[str, list[Plain]]
    claim: bool = False
    ends: bool = False
    asked: tuple[int, ...] = ()
    only: int | None = None


class GameStep(Struct, frozen=True):
    """What one answer (or the opening) makes of a table. `lines`: new lines of the log, without line ends; `asked`:
    players who are asked now; `buttons`: what the pressed buttons of asked players answer for them; `scores`: of the
    players now, at the end with what is added or exchanged; `results`: of the hands that ended (one for each moment
    that `ends`, in order); `problem`: what went wrong in one."""

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
