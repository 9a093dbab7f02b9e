"""Players: what every player can do, and how players are named."""

import re
from typing import Protocol

from tilewright.play.model.moves import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.bots import BOTS, bot
from tilewright.players.programs.process import COMMAND, ProcessPlayer, Report


class Player(Protocol):
    """Chooses moves. It gets views, never a table."""

    def choose(self, view: View) -> Move:
        """One of the moves that the seat may make; only asked where `view.question` is one."""
        ...

    def ended(self, view: View) -> None:
        """A hand has ended, or the match (`view.over`)."""
        ...

    def close(self) -> None:
        """The player is no longer needed."""
        ...


NEXT_PLAYER = r",(?=\s*(?:\w+\s*(?:,|$)|\w+:))"  # a command may contain commas


class NoPlayer(ValueError):
    """An unknown name of a player; the message lists the known ones."""


def names_in(text: str) -> tuple[str, ...]:
    """The names of players in a text with commas between them."""
    return tuple(name.strip() for name in re.split(NEXT_PLAYER, text))


def player_of(text: str, rules: Rules, seed: int, report: Report | None = None) -> Player:
    """The player of a name: one of the bots, or `command:` and a program with its arguments. `report` receives the
    first failure of a program. Raises NoPlayer."""
    if text.startswith(COMMAND):
        try:
            return ProcessPlayer(text.removeprefix(COMMAND), rules, seed, report)
        except ValueError as error:
            raise NoPlayer(f"{text!r} is not a player: {error}") from None
    if text not in BOTS:
        raise NoPlayer(f"there is no player called {text!r}; players are {', '.join(BOTS)} and {COMMAND}PROGRAM")
    return bot(text, rules, seed)
