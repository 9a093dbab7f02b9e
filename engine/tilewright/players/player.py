"""Players: what every player can do, how players are named, and the bots of this package, which know only the data of a
ruleset and their views of a table."""

import re
from collections.abc import Callable
from typing import Protocol

from tilewright.base.arguments import expect, one_of, whole_number
from tilewright.play.model import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.careful import CarefulBot, StrongBot
from tilewright.players.bots.fast import FastBot
from tilewright.players.bots.random_bot import RandomBot
from tilewright.players.programs.mjai_player import MJAI, MJAI_LINES, MjaiPlayer
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


Bot = RandomBot | FastBot | CarefulBot
RANDOM, FAST, CAREFUL, STRONG = "random", "fast", "careful", "strong"
BOTS: dict[str, Callable[[Rules, int], Bot]] = {
    RANDOM: lambda rules, seed: RandomBot(seed),
    FAST: FastBot,
    CAREFUL: lambda rules, seed: thinking(CarefulBot, rules, seed),
    STRONG: lambda rules, seed: thinking(StrongBot, rules, seed),
}


def thinking(level: type[CarefulBot], rules: Rules, seed: int) -> Bot:
    """A bot that judges positions by a single hand; where seats make several, the fast one plays for it."""
    return FastBot(rules, seed) if rules.data.seats.hands > 1 else level(rules, seed)


def bot(name: str, rules: Rules, seed: int) -> Bot:
    """The bot of this name; its random choices follow from the seed. Raises WrongArgument."""
    expect("rules", rules, Rules, "what load() returns")
    return BOTS[one_of("a bot", name, BOTS)](rules, whole_number("seed", seed))
