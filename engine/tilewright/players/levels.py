"""Bots: players that are part of this package. They know only the data of a ruleset and their views of a table."""

from collections.abc import Callable

from tilewright.base.arguments import expect, one_of, whole_number
from tilewright.play.rules import Rules
from tilewright.players.bots.fast import FastBot
from tilewright.players.bots.random_bot import RandomBot
from tilewright.players.careful.bot import CarefulBot
from tilewright.players.careful.strong import StrongBot

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
