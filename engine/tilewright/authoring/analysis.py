"""Analysis of a ruleset with a budget: what sampled hands show of its patterns, and which options are dead.

In: a ruleset and a budget. Out: which patterns never counted, imply each other, or have a worth that does not go with
how rarely they come. Most hands are dealt at random in columns; the others, which have flags too, are made one by one,
near the examples or of groups. Hands count that are complete, also those that are worth too little to win. The same
seed gives the same analysis, unless time is up.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from time import monotonic
from typing import Literal, get_args

import numpy as np

from tilewright.authoring.dead_options import DeadOption, Differing, Opens, OptionTrials
from tilewright.authoring.sampling import CHANGES, SET_ASIDE, Case, Dealing, made_up, readable, sampled_cases
from tilewright.base.arrays import Array
from tilewright.base.problem import Place
from tilewright.language.compiled.ir import Apply, Ir, Lookup, children
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.lint.impossible import impossible
from tilewright.players.simulation.estimates import Estimate, StandsOut, balance, declared, measure_of, share_of_trials
from tilewright.scoring.batch import ScoreBatch
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import ScoringRules

FOR_HANDS = 0.6  # of the time; the rest is for options
MOST_CASES = 1_000  # that are scored with every value of an option


@dataclass(frozen=True, slots=True)
class NeverFound:
    """A pattern that did not count in any sampled hand; `why` none can have it, where that is proven (in English)."""

    pattern: str
    place: Place | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Implied:
    """Each of the `hands` with a pattern also counts `other`; `mutual`: and the other way round, in all hands."""

    pattern: str
    other: str
    place: Place | None
    hands: int
    mutual: bool = False


@dataclass(frozen=True, slots=True)
class WorthAndRarity:
    """A pattern that stands out: its worth in `measure` and its share of hands that are like drawn, with its rank in
    both among `of` patterns of the measure, 1 for the dearest and for the rarest; and the patterns beside which it
    does."""

    id: str
    place: Place | None
    measure: str
    worth: float | None
    hands: int
    of_wins: Estimate | None
    worth_rank: int = 0
    rarity_rank: int = 0
    of: int = 0
    stands_out: StandsOut | None = None
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnalysisBudget:
    """As many hands, and seconds, as it may take."""

    hands: int = 100_000
    seconds: float = 30.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Analysis:
    """The findings. `hands`: complete ones that were sampled; `dealt`: those of them dealt like drawn tiles; `options`:
    how many were tried, besides the `untried` ones."""

    hands: int
    dealt: int
    never: tuple[NeverFound, ...]
    implied: tuple[Implied, ...]
    dead: tuple[DeadOption, ...]
    out_of_line: tuple[WorthAndRarity, ...]
    options: int = 0
    untried: tuple[str, ...] = ()

    @property
    def findings(self) -> int:
        return len(self.never) + len(self.implied) + len(self.dead) + len(self.out_of_line)


def analyze(
    opens: Opens,
    differing: Differing,
    budget: AnalysisBudget | None = None,
    done: Callable[[int], object] = lambda count: None,
) -> Analysis:
    """Analyze a ruleset; `opens` opens it with options besides those chosen, `differing` compares two. `done` is told
    how many hands and then options were tried. Raises RulesetError."""
    budget = AnalysisBudget() if budget is None else budget
    started = monotonic()
    found = opens({})
    rules = ScoringRules(found.data)
    seen = look(rules, budget.hands, budget.seed, started + FOR_HANDS * budget.seconds, done)
    trials = OptionTrials(opens, differing, some(seen.cases), started + budget.seconds, budget.seed)
    dead = tuple(trials.dead(lambda count: done(budget.hands + count)))
    return Analysis(
        seen.total,
        seen.hands["dealt"],
        tuple(never(rules.data, seen)),
        tuple(implied(rules.data, seen)),
        dead,
        tuple(out_of_line(rules.data, seen)),
        len(found.merged.options) - len(trials.untried),
        tuple(trials.untried),
    )


def some(cases: Sequence[Case]) -> Sequence[Case]:
    """At most so many cases, of every sort."""
    return cases[:: max(1, -(-len(cases) // MOST_CASES))]


NEAR, MADE = 0.02, 0.04  # of the hands, where many can be dealt
SOME_CASES = 32  # scored between two looks at the clock


Sort = Literal["near", "made", "dealt", "narrow"]  # near examples, made up, dealt like drawn tiles, dealt narrow


# --- what was seen


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


# --- relations of patterns

LEAST_SEEN = 20  # hands with a pattern, from which on what is in all of them is told
CHANCE = 1e-6  # an implication that is as likely by chance is not reported


def never(data: CompiledRuleset, seen: Seen) -> Iterator[NeverFound]:
    """Patterns that no hand can have, or none had. Wild tiles make proofs impossible."""
    proves = not data.tiles.wild and not data.wild_when
    for pattern, count in zip(data.patterns, seen.all_counts.tolist(), strict=True):
        if count:
            continue
        why = impossible(pattern, data, () if pattern.everyone else data.forms) if proves else None
        if why or seen.total:
            yield NeverFound(pattern.id, pattern.place, why or "")


# --- implications


def implied(data: CompiledRuleset, seen: Seen) -> Iterator[Implied]:
    """Patterns that always come with another one. What follows from two others is left out."""
    implies = implications(seen)
    mutual = implies & implies.T
    strict = implies & ~mutual
    follows = (strict.astype(np.int64) @ strict.astype(np.int64)) > 0
    first = representatives(mutual)
    for one, pattern in enumerate(data.patterns):
        for other in np.flatnonzero(implies[one]).tolist():
            count = int(seen.all_counts[one])
            if mutual[one, other]:
                if first[one] == one and first[other] == one:
                    yield Implied(pattern.id, seen.ids[other], pattern.place, count, True)
            elif not follows[one, other] and first[one] == one and first[other] == other:
                yield Implied(pattern.id, seen.ids[other], pattern.place, count)


def implications(seen: Seen) -> Array:
    """Whether each hand with one pattern (row) has another (column), and that is no chance: hands near examples
    resemble each other, so they only speak against it."""
    counts, independent = seen.all_counts, seen.independent
    always = (seen.together == counts[:, None]) & (independent >= LEAST_SEEN)[:, None]
    shares = [seen.counts[sort] / count for sort, count in seen.hands.items() if count]
    likely = np.max([np.zeros(len(counts)), *shares], axis=0)
    by_chance = likely[None, :] ** independent[:, None].astype(float)
    np.fill_diagonal(always, False)
    return np.asarray(always & (by_chance < CHANCE))


def representatives(mutual: Array) -> list[int]:
    """The first of the patterns that each always comes with."""
    return [min([number, *np.flatnonzero(row).tolist()]) for number, row in enumerate(mutual)]


# --- worth and rarity


def out_of_line(data: CompiledRuleset, seen: Seen) -> Iterator[WorthAndRarity]:
    """The patterns that stand out among those seen, the most striking first."""
    known = list(figures(data, seen))
    found = [(one, balance(one, known)) for one in known]
    found.sort(key=lambda pair: -max(len(pair[1].commoner_and_dearer), len(pair[1].rarer_and_cheaper)))
    for one, beside in found:
        if beside.stands_out is not None:
            same = [other for other in known if other.measure == one.measure]
            rare = beside.stands_out == "rare_and_cheap"
            yield WorthAndRarity(
                *(one.id, one.place, one.measure, one.worth, one.hands, one.of_wins),
                rank([-(other.worth or 0) for other in same], -(one.worth or 0)),
                rank([other.hands for other in same], one.hands),
                len(same),
                beside.stands_out,
                beside.commoner_and_dearer if rare else beside.rarer_and_cheaper,
            )


def figures(data: CompiledRuleset, seen: Seen) -> Iterator[WorthAndRarity]:
    """The patterns with a written worth that counted in hands that are like drawn."""
    for pattern, count in zip(data.patterns, seen.counts["dealt"].tolist(), strict=True):
        measure = measure_of(pattern, data.scoring.best)
        worth = declared(pattern, measure)
        if count and worth is not None:
            share = share_of_trials(count, seen.hands["dealt"])
            yield WorthAndRarity(pattern.id, pattern.place, measure, worth, count, share)


def rank(numbers: Sequence[float], number: float) -> int:
    """The place of a number, 1 for the lowest; equal ones share it."""
    return 1 + sum(other < number for other in numbers)
