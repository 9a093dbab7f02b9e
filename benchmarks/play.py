"""Hands played a second: every bundled ruleset here, beside the mahjong of PyPI `rlcard` and `pymahjong` (riichi, C++).

One core, one hand at a time, each hand from a seed of its own; hands a second of the processor's time. Random players
choose evenly among what they may do; who may claim nothing is asked nowhere. "rlcard" is its environment with its own
random agents, as its users run it, with an observation for every step; "bare" is the game inside, legal actions only.
Run by `make bench`.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean, median

import numpy
import rlcard
from pymahjong import ResultType, Table
from rlcard.agents.random_agent import RandomAgent

import tilewright
from tilewright.authoring.open_rules import bundled
from tilewright.play.view import View
from tilewright.players.bots.bots import bot

ROUNDS = 5
SEED = 20_261_121
TILES, DEALT, DEAD_WALL = 4 * 34, 4 * 13, 14  # of both peers; `rlcard` has no dead wall


@dataclass(frozen=True)
class Hand:
    """What is counted of a hand: answers of the players, tiles drawn after the deal, whether anybody won."""

    answers: int
    draws: int
    won: bool


@dataclass(frozen=True)
class Contender:
    """Who plays: `play` plays the hand of a seed, so many `hands` a round."""

    name: str
    hands: int
    play: Callable[[int], Hand]


# --- the peers


def rlcard_environment() -> Callable[[int], Hand]:
    """`rlcard` as its users run it: its environment with four of its random agents."""
    env = rlcard.make("mahjong", config={"seed": SEED})
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])

    def play(seed: int) -> Hand:
        env.seed(seed)
        numpy.random.seed(seed)  # the agents'
        before = env.timestep
        _, payoffs = env.run(is_training=False)
        return Hand(env.timestep - before, TILES - DEALT - len(env.game.dealer.deck), bool(payoffs.any()))

    return play


def rlcard_game() -> Callable[[int], Hand]:
    """The game inside of that environment: its state and its legal actions, nothing else."""
    env = rlcard.make("mahjong", config={"seed": SEED})
    game = env.game

    def play(seed: int) -> Hand:
        env.seed(seed)
        chance, answers = random.Random(seed), 0
        state, _ = game.init_game()
        while not game.is_over():
            state, _ = game.step(chance.choice(game.get_legal_actions(state)))
            answers += 1
        return Hand(answers, TILES - DEALT - len(game.dealer.deck), game.winner >= 0)

    return play


def pymahjong_table(seed: int) -> Hand:
    """A hand at `pymahjong`'s table. Its environment, which makes observations, cannot be given a seed (1.1.2)."""
    chance, answers = random.Random(seed), 0
    table = Table()
    table.set_seed(seed)
    table.game_init_with_config([], [25_000] * 4, 0, 0, 0, 0)
    while (phase := table.get_phase()) < 16:  # to 3: somebody's turn; to 15: answers to a tile; 16: over
        count = len(table.get_self_actions() if phase < 4 else table.get_response_actions())
        answers += count > 1
        table.make_selection(chance.randrange(count) if count > 1 else 0)
    draws = TILES - DEAD_WALL - DEALT - table.get_remain_tile()
    return Hand(answers, draws, table.get_result().result_type in (ResultType.RonAgari, ResultType.TsumoAgari))


# --- ours


def bots(rules: tilewright.Rules, name: str) -> Callable[[int], Hand]:
    """A hand between bots of one name, each of which gets its own view only."""

    def play(seed: int) -> Hand:
        game = rules.game(seed, hands=1, listen=False)
        players = [bot(name, rules, seed) for _ in range(rules.data.seats.count)]
        while not game.over:
            seat = game.asked[0]
            game.answer(players[game.player(seat)].choose(View(game, seat)))
        (result,) = game.results
        assert not result.problems, (rules.data.id, seed, result.problems)
        return Hand(result.answers, result.draws, bool(result.won))

    return play


# --- measuring


def contenders() -> list[Contender]:
    """Everyone; first the two that the others are compared with."""
    rows = [
        Contender("rlcard (Python), random", 40, rlcard_environment()),
        Contender("rlcard, bare", 80, rlcard_game()),
        Contender("pymahjong, riichi (C++), bare", 120, pymahjong_table),
    ]
    for id in bundled("ruleset"):
        rules = tilewright.load(id)
        rows.append(Contender(f"{id}, random", 80, bots(rules, "random")))
        rows.append(Contender(f"{id}, fast bots", 8, bots(rules, "fast")))
    return rows


def timed(contender: Contender, turn: int) -> tuple[float, list[Hand]]:
    """Hands a second (of the processor's time), and the hands, of one round; no round meets a hand of another."""
    seeds = range(SEED + turn * contender.hands, SEED + (turn + 1) * contender.hands)
    start = time.process_time()
    hands = [contender.play(seed) for seed in seeds]
    return contender.hands / (time.process_time() - start), hands


def measure(rows: Sequence[Contender]) -> None:
    """Round 0 warms up; in every other one all contenders play, so that a slow moment of the machine meets all."""
    rounds = [[timed(row, turn) for row in rows] for turn in range(ROUNDS + 1)][1:]
    rates = [median(rate for rate, _ in column) for column in zip(*rounds, strict=True)]
    print(f"hands played, one core, median of {ROUNDS} rounds\n")
    print(f"{'':34}{'hands a second':>16}{'to rlcard':>11}{'to bare':>9}{'answers':>9}{'draws':>7}{'won':>6}")
    for row, rate, column in zip(rows, rates, zip(*rounds, strict=True), strict=True):
        hands = [hand for _, played in column for hand in played]
        answers, draws = mean(hand.answers for hand in hands), mean(hand.draws for hand in hands)
        won = mean(hand.won for hand in hands)
        ratios = f"{rate / rates[0]:11.2f}{rate / rates[1]:9.2f}"
        print(f"{row.name:34}{rate:16,.1f}{ratios}{answers:9.0f}{draws:7.0f}{won:6.0%}")


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}, one core\n")
    measure(contenders())
