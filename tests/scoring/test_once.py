"""Families that are kept `once`: no groups are joined that were joined already. The oracles try every order.

The first is the word as language.md has it, on places made at random; the second the principles of the Mahjong
Competition Rules for combining chows, on hands of four chows.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from random import Random

import pytest
from budget import budget

import tilewright
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.plain.resolve import Counted, once

Place = frozenset[int]


def most_by_orders(places: Sequence[tuple[Place, int]], joined: Place = frozenset()) -> int:
    """What the places are worth at most, taken one after another: each may have one group of those that were taken
    before, and not two."""
    return max(
        (
            worth + most_by_orders([*places[:at], *places[at + 1 :]], joined | place)
            for at, (place, worth) in enumerate(places)
            if len(place & joined) < 2
        ),
        default=0,
    )


def random_places(random: Random) -> list[tuple[Place, int]]:
    """A few places of two to four of five groups."""
    count = random.randint(1, 6)
    return [
        (frozenset(random.sample(range(5), random.choice((2, 2, 2, 3, 4)))), random.randint(1, 5)) for _ in range(count)
    ]


@pytest.fixture(scope="module")
def families() -> CompiledRuleset:
    return tilewright.load("mcr").data


@pytest.mark.parametrize("seed", range(budget(30)))
def test_the_best_choice_is_found(seed: int, families: CompiledRuleset) -> None:
    measure = families.scoring.measures[0].id
    places = random_places(Random(seed))
    pattern = families.patterns[0]
    counted = [Counted(pattern, 1, ((place, {measure: worth}),)) for place, worth in places]
    kept = once(families, counted)
    chosen = [place for one in kept for place, _ in one.places]
    assert sum(one.worth[measure] for one in kept) == most_by_orders(places)
    assert has_no_ring(chosen)


def has_no_ring(places: Sequence[Place]) -> bool:
    """Each place joins what was apart: every one that is taken makes fewer islands by all its groups but one."""
    islands = [frozenset({group}) for group in range(5)]
    for place in places:
        touched = [island for island in islands if island & place]
        if len(touched) < len(place):
            return False
        islands = [island for island in islands if island not in touched] + [frozenset().union(*touched)]
    return True


# --- the chows of the Mahjong Competition Rules

Chow = tuple[str, int]  # suit and lowest rank
FANS = {
    "quadruple_chow": 48,
    "four_pure_shifted_chows": 32,
    "pure_triple_chow": 24,
    "pure_straight": 16,
    "pure_shifted_chows": 16,
    "mixed_straight": 8,
    "mixed_triple_chow": 8,
    "mixed_shifted_chows": 6,
    "pure_double_chow": 1,
    "mixed_double_chow": 1,
    "short_straight": 1,
    "two_terminal_chows": 1,
}


@cache
def fan_of(chows: tuple[Chow, ...]) -> str | None:
    """What these chows are together, lowest first: each list makes one pattern at most."""
    suits, ranks = len({suit for suit, _ in chows}), sorted(rank for _, rank in chows)
    steps = {after - before for before, after in pairwise(ranks)}
    same = suits == 1
    match len(chows):
        case 4 if same:
            return "quadruple_chow" if steps == {0} else "four_pure_shifted_chows" if steps in ({1}, {2}) else None
        case 3 if same:
            names = {0: "pure_triple_chow", 1: "pure_shifted_chows", 2: "pure_shifted_chows", 3: "pure_straight"}
            return names.get(*steps) if len(steps) == 1 else None
        case 3 if suits == 3:
            names = {0: "mixed_triple_chow", 1: "mixed_shifted_chows", 3: "mixed_straight"}
            return names.get(*steps) if len(steps) == 1 else None
        case 2 if same:
            return {0: "pure_double_chow", 3: "short_straight", 6: "two_terminal_chows"}.get(*steps)
        case 2:
            return "mixed_double_chow" if steps == {0} else None
    return None


def fans_in(chows: Sequence[Chow]) -> Iterator[tuple[Place, str]]:
    """Every pattern that some of the chows make, with the chows by their number."""
    for count in (4, 3, 2):
        for numbers in combinations(range(len(chows)), count):
            if fan := fan_of(tuple(chows[number] for number in numbers)):
                yield frozenset(numbers), fan


def most_by_the_rules(fans: Sequence[tuple[Place, str]], joined: Place, of: Mapping[str, Place]) -> int:
    """The rules, word by word: what is combined stays so; a chow that is not combined yet may be combined once with
    those that are; no chow makes the same pattern twice."""
    best = 0
    for at, (place, fan) in enumerate(fans):
        again = of.get(fan, frozenset())
        if len(place & joined) < 2 and not place & again:
            rest = [*fans[:at], *fans[at + 1 :]]
            best = max(best, FANS[fan] + most_by_the_rules(rest, joined | place, {**of, fan: again | place}))
    return best


@pytest.mark.parametrize("seed", range(8))
def test_chows_are_combined_as_the_competition_rules_say(seed: int) -> None:
    rules, random = tilewright.load("mcr"), Random(seed)
    for _ in range(40):
        chows = random_chows(random)
        melds = ["".join(str(rank + step) for step in range(3)) + suit for suit, rank in chows]
        score = rules.score("N", melds=melds, win="N", self_draw=True)
        worth = sum(Fraction(one.worth) for one in score.patterns if one.id in FANS)
        assert worth == most_by_the_rules(list(fans_in(chows)), frozenset(), {}), chows


def random_chows(random: Random) -> list[Chow]:
    """Four chows, mostly of few ranks or suits."""
    suits = random.choice(("m", "mp", "mps", "mps"))
    ranks = random.choice(((1, 7), (1, 4, 7), (2, 5), (1, 2, 3, 4), (1, 3, 5, 7), range(1, 8)))
    return sorted((random.choice(suits), random.choice(ranks)) for _ in range(4))
