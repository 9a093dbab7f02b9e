"""What was seen: a ruleset and a budget in; how often patterns count in sampled hands, alone and together, out.

Most hands are dealt at random in columns; the others, which have flags too, are made one by one, near
the examples or of groups. Hands count
that are complete, also those that are worth too little to win.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from time import monotonic
from typing import Literal, get_args

import numpy as np

from tilewright.authoring.analysis.dealing import SET_ASIDE, Dealing
from tilewright.authoring.mutation.sampling import CHANGES, Case, made_up, readable, sampled_cases
from tilewright.base.arrays import Array
from tilewright.language.compiled.ir import Apply, Ir, Lookup, children
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.batch import ScoreBatch
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import ScoringRules

NEAR, MADE = 0.02, 0.04  # of the hands, where many can be dealt
SOME_CASES = 32  # scored between two looks at the clock


Sort = Literal["near", "made", "dealt", "narrow"]  # near examples, made up, dealt like drawn tiles, dealt narrow


@dataclass
class Seen:
    """Sampled hands of P patterns. `hands`: by sort; `counts`: by sort (P), hands in which a pattern counts;
    `together` (P, P): hands of any sort in which two of them do. `narrow_batches` (P): how many of these
    have a pattern. `cases`: those sampled one by one."""

    ids: tuple[str, ...]
    hands: dict[Sort, int] = field(default_factory=dict)
    counts: dict[Sort, Array] = field(default_factory=dict)
    together: Array = field(init=False)
    narrow_batches: Array = field(init=False)
    cases: list[Case] = field(default_factory=list)

    def __post_init__(self) -> None:
        size = len(self.ids)
        self.hands = dict.fromkeys(get_args(Sort), 0)
        self.counts = {sort: np.zeros(size, np.int64) for sort in self.hands}
        self.together, self.narrow_batches = np.zeros((size, size), np.int64), np.zeros(size, np.int64)

    def add(self, bits: Array, sort: Sort) -> None:
        """Count complete hands: a row for each with a truth for each pattern."""
        rows = bits.astype(np.float32)  # sums of a chunk are exact
        self.hands[sort] += len(bits)
        self.counts[sort] += bits.sum(axis=0)
        self.narrow_batches += bits.any(axis=0) & (sort == "narrow")
        self.together += (rows.T @ rows).astype(np.int64)

    @property
    def total(self) -> int:
        return sum(self.hands.values())

    @property
    def all_counts(self) -> Array:
        """Hands of any sort (P)."""
        return self.together.diagonal()

    @property
    def independent(self) -> Array:
        """Hands that do not resemble each other for how they were made: none near examples, of narrow ones one in a
        batch (P)."""
        return self.counts["made"] + self.counts["dealt"] + self.narrow_batches


def look(rules: ScoringRules, hands: int, seed: int, until: float, done: Callable[[int], object]) -> Seen:
    """Sample so many hands, or as many as there is time for; `done` is told how many."""
    seen = Seen(tuple(pattern.id for pattern in rules.data.patterns))
    dealing = Dealing(rules.data)
    many = bool(dealing.cases) and not rules.shifts
    near, made = (int(hands * share) for share in ((NEAR, MADE) if many else (0.5, 0.5)))
    add_cases(seen, rules, sampled_cases(rules, near, seed), "near", until, done)
    add_cases(seen, rules, made_up_cases(rules, dealing, made, seed), "made", until, lambda number: done(near + number))
    for batch, narrow, tried in dealing.batches(hands - near - made if many else 0, np.random.default_rng(seed)):
        if monotonic() > until:
            break
        seen.add(complete(rules.score_many(batch)), "narrow" if narrow else "dealt")
        done(near + made + tried)
    return seen


def complete(scores: ScoreBatch) -> Array:
    """The patterns of the complete hands of a batch, as truths."""
    words = np.ascontiguousarray(scores.patterns, "<u8").view(np.uint8)
    bits = np.unpackbits(words, axis=1, count=len(scores.ids), bitorder="little").astype(bool)
    return np.asarray(bits[scores.win | bits.any(axis=1)])


# --- one by one


def made_up_cases(rules: ScoringRules, dealing: Dealing, count: int, seed: int) -> Iterator[Case]:
    """Up to this many hands made of groups at random, with a round; half of them with bonus tiles, and with the flags
    that theirs need."""
    data, random = rules.data, Random(seed)
    made = (made_up(rules, random) for _ in range(CHANGES * count))
    cases = (at_some_table(data, case, dealing.bonus, random) for case in made if case is not None)
    return islice(readable(rules, cases), count)


def at_some_table(data: CompiledRuleset, case: Case, bonus: Sequence[int], random: Random) -> Case:
    """A made-up hand with what it lacks."""
    tiles = data.tiles.tiles
    if data.seats.winds:
        case["round_wind"] = tiles[random.choice(data.seats.winds)].code
    share = random.choice((0.0, SET_ASIDE))
    case["bonus"] = [tiles[face].code for face in bonus if random.random() < share]
    if flags := case.get("flags"):
        needed = {one for flag in flags for one in flags_needed(data, flag)} if random.random() < 0.5 else set()
        case["flags"] = [*flags, *sorted(needed - set(flags))]
    return case


def flags_needed(data: CompiledRuleset, flag: str) -> Iterator[str]:
    """The other flags that what a flag needs asks for."""
    needs = data.needs.get(flag)
    for node in () if needs is None else asked_for(needs):
        if isinstance(node, Lookup) and node.kind == "mark" and data.marks[node.name].type == "truth":
            yield node.name


def asked_for(ir: Ir) -> Iterator[Ir]:
    """The parts of a condition, without what must not hold."""
    if not (isinstance(ir, Apply) and ir.op == "not"):
        yield ir
        for child in children(ir):
            yield from asked_for(child)


def add_cases(
    seen: Seen, rules: ScoringRules, cases: Iterator[Case], sort: Sort, until: float, done: Callable[[int], object]
) -> None:
    """Score cases one by one, as many as there is time for; `done` is told how many."""
    at = {id: number for number, id in enumerate(seen.ids)}
    number = 0
    while monotonic() < until and (some := list(islice(cases, SOME_CASES))):
        rows = [found for case in some if (found := patterns_of(rules, case)) is not None]
        bits = np.zeros((len(rows), len(at)), bool)
        for row, ids in enumerate(rows):
            bits[row, [at[id] for id in ids]] = True
        seen.cases += some
        seen.add(bits, sort)
        number += len(some)
        done(number)


def patterns_of(rules: ScoringRules, case: Case) -> list[str] | None:
    """The patterns that count in a complete hand; None of any other."""
    try:
        score = rules.score_case(case)
    except CaseError:
        return None
    return [one.id for one in score.patterns] if score.win or score.patterns else None
