"""Growth: how scoring a hand slows down as a ruleset grows: patterns, ranks of a suit, wild tiles in a hand.

Rulesets that are made for this, with the usual tiles. Fresh hands of four groups and a pair, in prepared form.
"""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

from measuring import Contender, Group, Scale, rate

import tilewright
from tilewright.scoring.case import read_case

SEED = 20_261_121
HANDS = 100  # a round
PATTERNS = (10, 100, 1_000)
RANKS = (9, 12, 20)
WILD = (0, 1, 2, 4)  # in a hand
SUITS = {"m": "characters", "p": "circles", "s": "bamboos"}
HONOURS = tuple("ESWNCFP")
HEAD = """
tilewright: 1
kind: ruleset
id: grown
name: {en: Grown}
extends: standard
scoring: {measures: {points: {name: {en: Points}}}, best: points}
"""
JOKERS = """
  unranked: {jokers: {codes: [J], copies: 8}}
  wild: {jokers: {tiles: [jokers], stands_for: [suited, honours], in: [triplet, quad, sequence]}}
"""


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite."""
    count = scale.of(HANDS)
    by_patterns = {f"{number:,} patterns": contender(number, 9, 0, count) for number in PATTERNS}
    by_ranks = {f"{ranks} ranks": contender(10, ranks, 0, count) for ranks in RANKS}
    by_wild = {f"{held} wild tiles": contender(10, 9, held, max(2, count // 10), wild=True) for held in WILD}
    for id, title, found in (
        ("patterns", "a ruleset of so many patterns", by_patterns),
        ("ranks", "suits of so many ranks", by_ranks),
        ("wild", "so many wild tiles in the hand", by_wild),
    ):
        first = next(iter(found))
        contenders = [Contender(name, figure) for name, figure in found.items()]
        yield Group(id, title, "hands/s", contenders, [first], min(3, scale.rounds))


def contender(patterns: int, ranks: int, held: int, count: int, wild: bool = False) -> "partial[float]":
    """Hands a second under a ruleset of this size, with so many wild tiles in each hand."""
    rules = made(patterns, ranks, wild)

    def figure(turn: int) -> float:
        random = Random(SEED + turn)
        cases = [read_case(rules.data, hand(random, ranks, held)) for _ in range(count)]
        return rate([partial(rules.score_situation, case) for case in cases])

    return partial(figure)


def made(patterns: int, ranks: int, wild: bool) -> tilewright.Rules:
    """The ruleset."""
    signs = "".join(map(sign, range(ranks + 1)))
    suits = "".join(f"    {name}: {{ranks: 1..{ranks}}}\n" for name in SUITS.values())
    written = "".join(pattern(number, ranks) for number in range(patterns))
    text = (
        f"{HEAD}tiles:\n  notation: {{ranks: '{signs}'}}\n  suits:\n{suits}{JOKERS if wild else ''}patterns:\n{written}"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "grown.yaml"
        path.write_text(text, encoding="utf-8")
        return tilewright.load(str(path))


def sign(rank: int) -> str:
    """How a rank is written: a digit, or a letter that no tile has."""
    return str(rank) if rank < 10 else "abcdghijklo"[rank - 10]


def pattern(number: int, ranks: int) -> str:
    """One of many patterns, of the kinds that rulesets have."""
    rank, suit = number % (ranks - 2) + 1, "mps"[number // (ranks - 2) % 3]
    tile = f"{sign(rank)}{suit}"
    kinds = (
        f"when: {{has: [sequence x, sequence x+{number % 4}, triplet of {HONOURS[number % 7]}]}}",
        f"when: {{without: [{tile}], has: [{number % 3 + 1} sequences]}}",
        f"each: [sequence {rank} in a, sequence {min(rank + number % 2, ranks - 2)} in a]",
        f"when: {{include: [{tile}], concealed: true}}",
    )
    return f"  p{number}: {{name: {{en: Pattern {number}}}, worth: {number % 9 + 1}, {kinds[number % 4]}}}\n"


def hand(random: Random, ranks: int, held: int) -> dict[str, object]:
    """A winning hand as a case; some tiles of its groups are wild ones."""
    while True:
        found: list[str] = []
        for _ in range(4):
            suit, first = random.choice("mps"), random.randint(1, ranks - 2)
            run = [f"{sign(rank)}{suit}" for rank in range(first, first + 3)]
            found += run if random.random() < 0.6 else [random.choice([run[0], random.choice(HONOURS)])] * 3
        places = random.sample(range(12), held)
        tiles = ["J" if at in places else tile for at, tile in enumerate(found)] + [random.choice(HONOURS)] * 2
        if max(map(tiles.count, set(tiles) - {"J"})) <= 4:
            return {"hand": tiles[:-1], "win_tile": tiles[-1], "self_draw": True, "seat_wind": "S", "round_wind": "E"}
