"""Bots: players that are part of this package. They know a ruleset by what it says, and a table by their views."""

from collections.abc import Callable

from tilewright.play.rules import Rules
from tilewright.players.bots.careful import CarefulBot
from tilewright.players.bots.fast import FastBot
from tilewright.players.bots.random_bot import RandomBot

Bot = RandomBot | FastBot | CarefulBot
BOTS: dict[str, Callable[[Rules, int], Bot]] = {
    "random": lambda rules, seed: RandomBot(seed),
    "fast": FastBot,
    "careful": CarefulBot,
}


def bot(name: str, rules: Rules, seed: int) -> Bot:
    """The bot of this name; what it leaves to chance follows from the seed. KeyError for any other name."""
    return BOTS[name](rules, seed)
