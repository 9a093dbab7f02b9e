"""What commands that play many games need: players that fit, the number of processes, and Ctrl-C."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType, TracebackType
from typing import Any

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.problem import Problem
from tilewright.play.rules import Rules
from tilewright.players.player import NoPlayer, player_of
from tilewright.players.simulation.game import compiled_play
from tilewright.presentation.simulation import counted_big


def fit_players(rules: Rules, players: Sequence[str]) -> None:
    """Raise CannotBegin if these rules cannot be played, or not with these players."""
    seats = rules.data.seats.count
    if rules.data.play is None:
        raise CannotBegin(
            f"{rules.data.id} says how hands are scored, not how they are played", "it has no phase `deal`"
        )
    if len(players) not in (1, seats):
        hint = "name one for all seats, or one for each: --players careful,fast,..."
        raise CannotBegin(f"{rules.data.id} has {seats} seats, and {len(players)} players are named", hint)
    try:
        for name in dict.fromkeys(players):
            player_of(name, rules, 1).close()
    except NoPlayer as error:
        raise CannotBegin(str(error)) from None


def tell_what_is_not_compiled(rules: Rules, players: Sequence[str], *, logs: bool = False) -> None:
    """Say on stderr why games that compiled play would make fast take longer."""
    if why_not := compiled_play(rules, players, logs=logs).why_not:
        print(f"played move by move, as compiled play does not know {why_not}", file=sys.stderr)


def reported(problems: Mapping[str, int]) -> Iterator[Problem]:
    """What tables and programs reported, with how often."""
    for said, times in sorted(problems.items()):
        yield Problem("reported-in-play", f"{said} (in {counted_big(times, 'hand', 'hands')})", None)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Interrupted:
    """Whether Ctrl-C was pressed (`so`). The second time it ends the command at once."""

    def __init__(self) -> None:
        self.so = False
        self.before: Any = None

    def __enter__(self) -> "Interrupted":
        self.before = signal.signal(signal.SIGINT, self.hear)
        return self

    def hear(self, number: int, frame: FrameType | None) -> None:
        self.so = True
        signal.signal(signal.SIGINT, self.before)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        signal.signal(signal.SIGINT, self.before)
