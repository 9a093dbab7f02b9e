"""Hands of the Mahjong Competition Rules scored here and by PyPI `PyMahjongGB`: points, and each pattern, how often.

`make compare`, or `python benchmarks/compare_mcr.py [--hands N] [--seed S]` with the peers installed. Random winning
hands, and hands in which every pattern of the rules is aimed at. Prints every difference with its hand, and ends with 1
if there is one, or if in so many hands as usual a pattern was in none. Where several choices are worth the same, the
rules leave it to the winner which one is named: hands where the peer names another one are counted, not printed.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from peers import asked
from winning_hands import (
    ALL,
    HONOURS,
    MAJORS,
    NUMBERS,
    SUITS,
    Group,
    a_set,
    declared,
    hands,
    of,
    only_in_the_win,
    tiles_of,
)

import tilewright
from tilewright.scoring.case import read_case

Case = dict[str, Any]
Named = Mapping[str, int]  # pattern -> how often
HANDS = 20_000
MOST_ALIKE = 4
LOOKED_AT = 0.15  # of the hands are scored with the discards of the table
BONUS = [f"{rank}{family}" for family in "fg" for rank in range(1, 5)]
# Sets of the same two chows: where three of them are joined in a row, any three of the four may be named.
PAIRS_OF_CHOWS = {"pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows"}


# --- hands


def ranked(low: int, high: int) -> tuple[str, ...]:
    return tuple(tile for tile in NUMBERS if low <= int(tile[0]) <= high)


POOLS = (
    ("2s", "3s", "4s", "6s", "8s", "F"),
    tuple(tile for tile in NUMBERS if tile[0] in "19"),
    HONOURS,
    MAJORS,
    *(ranked(low, high) for low, high in ((7, 9), (4, 6), (1, 3), (6, 9), (1, 4), (2, 8))),
    ("1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "P"),
)
# Groups in suits a, b, c, and by how much their ranks may be raised; ? is any set, ?? any pair.
RELATED = (
    ("EEE SSS WWW NNN ??", 0),
    ("EEE SSS WWW ? NN", 0),
    ("EEE SSS WWW ? ??", 0),
    ("CCC FFF PPP ? ??", 0),
    ("CCC FFF ? ? PP", 0),
    ("CCC FFF ? ? ??", 0),
    ("123a 123a 789a 789a 55a", 0),
    ("123a 789a 123b 789b 55c", 0),
    ("123a 789a 123b 789b ??", 0),
    ("123a 123a 123a 123a ??", 6),
    ("123a 123a 123a ? ??", 6),
    ("123a 123a 123b 123b ??", 6),
    ("123a 123a ? ? ??", 6),
    ("111a 222a 333a 444a ??", 5),
    ("111a 222a 333a ? ??", 6),
    ("123a 234a 345a 456a ??", 3),
    ("123a 345a 567a 789a ??", 0),
    ("123a 234a 345a ? ??", 4),
    ("123a 345a 567a ? ??", 2),
    ("123a 456a 789a ? ??", 0),
    ("123a 456b 789c ? ??", 0),
    ("123a 123b 123c ? ??", 6),
    ("123a 234b 345c ? ??", 4),
    ("123a 456a 123b 456b ??", 3),
    ("123a 456a ? ? ??", 3),
    ("111a 111b 111c ? ??", 8),
    ("111a 222b 333c ? ??", 6),
    ("111a 111b ? ? ??", 8),
    ("222a 444a 666b 888c 22b", 0),
    ("666a 888b 222c 444c 88a", 0),
    ("234a 678b 345c 888c EE", 0),
    ("345a 456b 567c 555c 55a", 0),
    ("345a 345a 567b 456c 55b", 0),
)


def made(random: Random) -> Iterator[list[Group]]:
    """Groups of hands in which some pattern is aimed at, without end."""
    while True:
        kind = random.random()
        if kind < 0.3:
            yield of(random, random.choice(POOLS))
        elif kind < 0.4:
            kongs = [(random.choice(ALL),) * random.choice((4, 4, 4, 3)) for _ in range(4)]
            yield [*kongs, (random.choice(ALL),) * 2]
        else:
            yield related(random, *random.choice(RELATED))


def related(random: Random, groups: str, most: int) -> list[Group]:
    """The groups of a line of RELATED."""
    suits = dict(zip("abc", random.sample(SUITS, 3), strict=True))
    raised = random.randint(0, most)
    found: list[Group] = []
    for group in groups.split():
        if group == "?":
            found.append(a_set(random, ALL))
        elif group == "??":
            found.append((random.choice(ALL),) * 2)
        elif group[-1] in suits:
            found.append(tuple(f"{int(rank) + raised}{suits[group[-1]]}" for rank in group[:-1]))
        else:
            found.append(tuple(group))
    return found


def cases(random: Random) -> Iterator[Case]:
    """Winning hands without end, with all that matters to their worth; every other one aims at a pattern."""
    any_hands, aimed = hands(random, knitted=True), made(random)
    while True:
        yield with_table(next(any_hands), random)
        groups = next(aimed)
        if max(Counter(tile for group in groups for tile in group).values()) <= MOST_ALIKE:
            yield with_table(declared(groups, random), random)


def with_table(case: Case, random: Random) -> Case:
    """The case with flowers and what the table may have seen."""
    flags = {"last_tile"} if random.random() < 0.1 else set()
    once = only_in_the_win(case)
    if case["self_draw"] and any(len(meld["tiles"]) == 4 for meld in case["melds"]) and random.random() < 0.3:
        flags.add("kong_replacement")
    elif not case["self_draw"] and once and not flags and random.random() < 0.15:
        flags.add("robbing_kong")
    made = {**case, "flags": sorted(flags), "bonus": random.sample(BONUS, random.choice([0, 0, 1, 3]))}
    if random.random() < LOOKED_AT or melded(case):
        made["zones"] = {"discards": [] if "robbing_kong" in flags else thrown(case, once, random)}
    return {
        **made,
        "last_copy": "zones" in made and melded(case) + made["zones"]["discards"].count(case["win_tile"]) == 3,
    }


def melded(case: Case) -> int:
    """Copies of the winning tile in exposed melds."""
    lying = [tile for meld in case["melds"] if not meld["concealed"] for tile in meld["tiles"]]
    return lying.count(case["win_tile"])


def thrown(case: Case, once: bool, random: Random) -> list[str]:
    """Discards, among them now and then the other three of the winning tile."""
    free = list((Counter(dict.fromkeys(ALL, MOST_ALIKE)) - Counter(tiles_of(case))).elements())
    found = random.sample(free, 5)
    if once and random.random() < 0.5:
        return [*(tile for tile in found if tile != case["win_tile"]), *[case["win_tile"]] * 3]
    return found


# --- what both say


@dataclass
class Comparison:
    """`lines`: the differences; `named_otherwise`: hands where the peer names an equal choice; `patterns`: how many
    hands counted each."""

    rules: tilewright.Rules
    lines: list[str] = field(default_factory=list)
    named_otherwise: int = 0
    patterns: Counter[str] = field(default_factory=Counter)

    def compare(self, case: Case, theirs: Mapping[str, Any]) -> None:
        own = {key: value for key, value in case.items() if key != "last_copy"}
        score = self.rules.score_case(own)
        ours = {pattern.id: int(pattern.times) for pattern in score.patterns}
        self.patterns.update(ours)
        if "error" in theirs:
            self.lines.append(f"ours {ours}\n  theirs {theirs}\n  {case}")
            return
        names = {words(pattern.name["en"]): pattern.id for pattern in self.rules.data.patterns}
        named = {names[words(name)]: times for name, (times, _) in theirs["patterns"].items()}
        points = sum(times * worth for times, worth in theirs["patterns"].values())
        if score.values.get("points") != points:
            self.lines.append(f"ours {score.values} {ours}\n  theirs {points} {named}\n  {case}")
        elif named != ours and not self.is_equal_choice(own, named):
            self.lines.append(f"ours {ours}\n  theirs {named}, as much\n  {case}")
        else:
            self.named_otherwise += named != ours

    def is_equal_choice(self, case: Case, named: Named) -> bool:
        """Some best reading of the hand counts the same, whichever pairs of chows are named."""
        verdicts = list(self.rules.judge.verdicts(read_case(self.rules.data, case)))
        most = max(verdict.values["points"] for verdict in verdicts)
        best = [v for v in verdicts if v.values["points"] == most]
        return any(
            without_choice({c.pattern.id: int(c.times) for c in v.counted}) == without_choice(named) for v in best
        )

    def missing(self) -> list[str]:
        """Patterns that were in no hand."""
        return [pattern.id for pattern in self.rules.data.patterns if pattern.id not in self.patterns]


def without_choice(named: Named) -> Named:
    """The patterns, with only the number of those that are pairs of chows."""
    pairs = sum(times for id, times in named.items() if id in PAIRS_OF_CHOWS)
    return {**{id: times for id, times in named.items() if id not in PAIRS_OF_CHOWS}, "": pairs}


def words(name: str) -> str:
    """A name without what is only spelling."""
    return " ".join(word.rstrip("s") for word in re.findall("[a-z]+", name.lower().replace("honour", "honor")))


def compared(count: int, seed: str, rules: tilewright.Rules) -> Comparison:
    """So many hands scored by both."""
    comparison = Comparison(rules)
    for case, answer in asked("peer_mcr.py", islice(cases(Random(seed)), count)):
        comparison.compare(case, answer)
    return comparison


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    found = compared(given.hands, given.seed, tilewright.load("mcr"))
    print(*found.lines, sep="\n")
    rarest, times = min(found.patterns.items(), key=lambda item: item[1])
    print(f"mcr: {given.hands:,} hands, {len(found.lines)} differences, {found.named_otherwise} equal choices")
    print(
        f"{len(found.patterns)} patterns, the rarest {rarest} in {times} hands; in none: {found.missing() or 'none is'}"
    )
    return 1 if found.lines or (found.missing() and given.hands >= HANDS) else 0


if __name__ == "__main__":
    sys.exit(main())
