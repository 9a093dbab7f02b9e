"""Players: what every player can do, and how players are named."""

import re
from typing import Protocol

from tilewright.play.model.moves import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.levels import BOTS, bot
from tilewright.players.mjai.player import MJAI, MJAI_LINES, MjaiPlayer
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


NEXT_PLAYER = r",(?=\s*(?:\w+\s*(?:,|$)|[\w-]+:))"  # a command may contain commas
PROGRAMS = (COMMAND, MJAI, MJAI_LINES)  # the names of players that are programs begin with one of these


class NoPlayer(ValueError):
    """An unknown name of a player; the message lists the known ones."""


def names_in(text: str) -> tuple[str, ...]:
    """The names of players in a text with commas between them."""
    return tuple(name.strip() for name in re.split(NEXT_PLAYER, text))


def is_program(text: str) -> bool:
    """Whether the name of a player is that of a program."""
    return text.startswith(PROGRAMS)


def player_of(text: str, rules: Rules, seed: int, report: Report | None = None) -> Player:
    """The player of a name: one of the bots, or a program with its arguments: after `command:` one that speaks our own
    protocol, after `mjai:` or `mjai-lines:` one that speaks MJAI. `report` receives the first failure of a program.
    Programs that speak MJAI need a game that keeps its events. Raises NoPlayer."""
    if is_program(text):
        try:
            return program_of(text, rules, seed, report)
        except ValueError as error:
            raise NoPlayer(f"{text!r} is not a player: {error}") from None
    if text not in BOTS:
        known = ", ".join(BOTS)
        raise NoPlayer(f"there is no player called {text!r}; players are {known} and {COMMAND}PROGRAM or {MJAI}PROGRAM")
    return bot(text, rules, seed)


def program_of(text: str, rules: Rules, seed: int, report: Report | None) -> Player:
    """The player of a program. Raises ValueError if there is no such program, or it cannot play these rules."""
    prefix, _, command = text.partition(":")
    if f"{prefix}:" == COMMAND:
        return ProcessPlayer(command, rules, seed, report)
    return MjaiPlayer(command, rules, seed, report, in_lines=f"{prefix}:" == MJAI_LINES)
