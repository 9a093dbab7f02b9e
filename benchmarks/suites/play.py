"""Hands played a second by random, fast and careful bots, beside PyPI `rlcard`, `pymahjong` (riichi, C++)
and `riichienv` (riichi, Rust).

One core, one hand at a time, each from a seed of its own. Random players choose evenly among what they may do; who may
claim nothing is asked nowhere. "rlcard" is its environment with its own random agents, as its users run it, with an
observation for every step; "bare" is the game inside, legal actions only. Learners' tables are stepped together, with a
mask and an observation before every action, which is drawn from the mask; hands that have ended count.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy
from measuring import Contender, Group, Scale, rate, seconds

import tilewright
from tilewright.authoring.open_rules import bundled
from tilewright.play.compiled.host import Odd
from tilewright.play.compiled.writing.writer import NotSayable
from tilewright.play.view import View
from tilewright.players.learning.vector import VectorTables
from tilewright.players.player import bot
from tilewright.players.simulation.game import CompiledTable, table_of

try:
    import riichienv
    import rlcard
    from pymahjong import ResultType, Table
    from rlcard.agents.random_agent import RandomAgent
except ModuleNotFoundError:
    rlcard = None  # all of them are installed together

SEED = 20_261_121
TILES, DEALT, DEAD_WALL = 4 * 34, 4 * 13, 14  # of both peers; `rlcard` has no dead wall
COMPILED_HANDS = {"random": 2_000, "fast": 300, "careful": 100}  # a round, by compiled play
HANDS = {"random": 80, "fast": 8, "careful": 2}  # a round, by bots
TABLES, COMPILED_STEPS, STEPS = 32, 4_000, 200  # of learners, and how often they are stepped in a round
PEER, BARE = "rlcard (Python)", "rlcard, bare"


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite."""
    rules = {id: tilewright.load(id) for id in bundled("ruleset")}
    for name, count in HANDS.items():
        ours = [Contender(id, partial(hands_a_second, bots(one, name), scale.of(count))) for id, one in rules.items()]
        if name in COMPILED_HANDS:
            ours += compiled(name, scale)
        others = peers(scale) if name == "random" else []
        beside = [one.name for one in others if one.name in (PEER, BARE)]
        rounds = scale.rounds if name == "random" else min(3, scale.rounds)
        yield Group(name, f"hands played by {name} bots", "hands/s", [*others, *ours], beside, rounds)
        if name == "random":
            title = f"hands at {TABLES} tables of learners, with masks and observations"
            yield Group("learners", title, "hands/s", [*others[:1], *learners(scale)], [PEER] if others else [], rounds)


def peers(scale: Scale) -> list[Contender]:
    """The other programs, where they are installed."""
    if rlcard is None:
        return []
    games = {
        PEER: (40, rlcard_environment()),
        BARE: (80, rlcard_game()),
        "pymahjong, riichi (C++), bare": (120, pymahjong_table),
        "riichienv, riichi (Rust)": (400, riichienv_hand),
    }
    return [Contender(name, partial(hands_a_second, play, scale.of(count))) for name, (count, play) in games.items()]


def hands_a_second(play: Callable[[int], "Hand"], count: int, turn: int) -> float:
    """No round meets a hand of another."""
    return rate([partial(play, SEED + turn * count + number) for number in range(count)])


@dataclass(frozen=True)
class Hand:
    """What is counted of a hand: answers of the players, tiles drawn after the deal, whether anybody won."""

    answers: int
    draws: int
    won: bool


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


def riichienv_hand(seed: int) -> Hand:
    """A hand at `riichienv`'s table, without its log; its observations are its only way to tell what is legal."""
    chance, answers = random.Random(seed), 0
    env = riichienv.RiichiEnv(game_mode="4p-red-single", skip_mjai_logging=True, seed=seed)
    seen = env.reset()
    there = len(env.wall)
    while not env.done():
        chosen = {seat: chance.choice(one.legal_actions()) for seat, one in seen.items()}
        answers += len(chosen)
        seen = env.step(chosen)
    return Hand(answers, there - len(env.wall), bool(env.win_results))


# --- ours


def compiled(name: str, scale: Scale) -> Iterator[Contender]:
    """Rulesets whose play by these players is compiled."""
    for id in bundled("ruleset"):
        rules = tilewright.load(id)
        try:
            table = table_of(rules, [name])
        except NotSayable:
            continue
        play = by(table, name, bots(rules, name))
        yield Contender(f"{id}, compiled", partial(hands_a_second, play, scale.of(COMPILED_HANDS[name])))


def by(table: CompiledTable, name: str, otherwise: Callable[[int], Hand]) -> Callable[[int], Hand]:
    """A hand at a compiled table, with its scores and payments; played otherwise where the machine cannot follow."""
    names = [name] * table.play.program.count

    def hand(seed: int) -> Hand:
        try:
            result = table.game(seed, names, 1).hand()
        except Odd:
            return otherwise(seed)
        return Hand(result.answers, result.draws, bool(result.won))

    return hand


def learners(scale: Scale) -> Iterator[Contender]:
    """Tables for learners; beside those that are compiled, compiled play by random players without any of that."""
    for id in bundled("ruleset"):
        tables = VectorTables(tilewright.load(id), TABLES, SEED, copy=False)
        steps = scale.of(STEPS if tables.why_not else COMPILED_STEPS)
        if not tables.why_not:
            hand = by(table_of(tilewright.load(id), ["random"]), "random")
            count = scale.of(COMPILED_HANDS["random"])
            yield Contender(f"{id}, compiled, without them", partial(hands_a_second, hand, count))
        name = f"{id}, by Match" if tables.why_not else id
        yield Contender(name, partial(ended_a_second, tables, numpy.random.default_rng(SEED), steps))


def ended_a_second(tables: VectorTables, chance: numpy.random.Generator, steps: int, turn: int) -> float:
    """Hands that end in a second of stepping tables by any legal actions."""
    ended = 0

    def step() -> None:
        nonlocal ended
        ended += int(numpy.count_nonzero(tables.step(tables.any_legal(chance.random(TABLES))).terminations))

    spent = seconds([step] * steps)
    return ended / spent


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
