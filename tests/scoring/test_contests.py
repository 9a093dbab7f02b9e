"""Patterns that are decided together, in rulesets made at random: the image, columns and the kernel say what the judge
says, also how often each counts."""

from pathlib import Path
from random import Random

import pytest
from budget import budget
from engines import score_by_kernel
from random_hands import random_hands

import tilewright
from tilewright.scoring.batch import HandBatch

RULESET = """
tilewright: 1
kind: ruleset
id: contests
name: {en: Contests}
extends: standard
families:
  joined: {keep: once}
  united: {keep: once}
scoring:
  measures: {points: {}}
  best: points
patterns:
"""
PLACES = (
    *("2 sequences x", "3 sequences x", "sequence n in a, sequence n in b", "sequence x, sequence x+3"),
    *("sequence x, sequence x+1, sequence x+2", "triplet n in a, triplet n in b", "2 sets", "set, pair", "2 triplets"),
    *("triplet of winds", "triplet of seat_wind", "2 triplets of honours", "sequence, triplet of round_wind"),
    *(
        "concealed set",
        "exposed sequence",
        "completed sequence, sequence",
        "3 different sequences",
        "sequence 1 in a, set in a",
    ),
)
CONDITIONS = (
    *("has: [2 sequences]", "suits: 2", "concealed: true", "has: [triplet of honours]", "self_draw: true"),
    *("has: [2 sequences x, pair]", "any: [{has: [triplet]}, {has: [2 sequences]}]"),
    *("all: [{has: [triplet]}, {has: [sequence]}]", "none: [{has: [quad]}]", "has: [set of seat_wind]"),
)


def random_ruleset(random: Random) -> str:
    """A ruleset of few patterns, most in families and counted by places; each may exclude some that come later."""
    ids = [f"p{number}" for number in range(random.randint(3, 9))]
    families = ["joined", "united", *random.choices(("joined", "united", "top", ""), k=len(ids) - 2)]
    random.shuffle(families)
    made = [
        random_pattern(id, family, ids[at:], random)
        for at, (id, family) in enumerate(zip(ids, families, strict=True), 1)
    ]
    return RULESET + "".join(f"  {id}: {pattern}\n" for id, pattern in zip(ids, made, strict=True))


def random_pattern(id: str, family: str, later: list[str], random: Random) -> str:
    excluded = random.sample(later, min(len(later), random.choice((0, 0, 1, 2))))
    fields = [f"name: {{en: {id}}}", f"worth: {random.choice((1, 1, 2, 3, 5))}"]
    fields += [f"family: {family}"] if family else []
    fields += [f"excludes: [{', '.join(excluded)}]"] if excluded else []
    fields += [f"exposed: {random.choice((1, 2, 4))}"] if random.random() < 0.3 else []
    if random.random() < 0.7:
        fields.append(f"each: [{random.choice(PLACES)}]")
    else:
        fields.append(f"when: {{{random.choice(CONDITIONS)}}}")
    return f"{{{', '.join(fields)}}}"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(budget(4)))
def test_contests_are_decided_as_the_judge_does(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "contests.yaml"
    path.write_text(random_ruleset(Random(seed)), encoding="utf-8")
    rules = tilewright.load(str(path))
    hands = list(random_hands(rules, 60, seed))
    scores = rules.score_many(HandBatch.of_situations(hands, rules.data))
    for row, situation in enumerate(hands):
        score_by_kernel(rules, situation)
        plain = rules.judge.best(situation)
        assert set(scores.counted(row)) == {one.pattern.id for one in (plain.counted if plain else ())}, situation
