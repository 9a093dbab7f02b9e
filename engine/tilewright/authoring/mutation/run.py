"""Mutation of a ruleset: the mutants that nothing notices, those that change most first, each with a case that would.

Mutants are tried one by one, by several processes if wanted; the same seed gives the same results, unless time is up.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from time import monotonic
from typing import Any

from tilewright.authoring.mutation.catching import caught_by
from tilewright.authoring.mutation.mutants import Mutant, mutants, other_values
from tilewright.authoring.mutation.noticing import (
    MutantJudge,
    Options,
    Proofs,
    ReadHand,
    Tried,
    outcome_of,
    proofs_of,
    read_hand,
)
from tilewright.authoring.mutation.sampling import sampled_cases
from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.collector import collect_rarely
from tilewright.base.problem import Place, RulesetError
from tilewright.base.processes import pool_of, serve_parent
from tilewright.language.documents.fields import entries
from tilewright.scoring.rules import setting_text
from tilewright.scoring.score import Score

CHUNK = 8  # mutants that a process tries at once
FEWER = 4  # times fewer hands are sampled with other options


@dataclass(frozen=True, slots=True)
class MutationPlan:
    """What is tried: `limit` of the mutants (None: all), for so many `minutes` (None: as long as it takes), with so
    many sampled hands."""

    path: str
    choices: RulesChoice
    limit: int | None = None
    minutes: float | None = None
    hands: int = 400
    seed: int = 1
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that nothing notices. `changes`: how many of the sampled hands it scores otherwise; `example`: a case
    that would notice it, as YAML; empty where no sampled hand does."""

    place: Place
    path: str
    was: str
    becomes: str
    changes: int
    example: str


@dataclass(slots=True)
class MutationResult:
    """`tried` of `mutants` mutants, of which `invalid` ones are no rulesets; `hands`: how many were sampled."""

    mutants: int
    tried: int = 0
    invalid: int = 0
    hands: int = 0
    survivors: list[Survivor] = field(default_factory=list)

    @property
    def percent(self) -> float:
        """How many of the valid mutants survive, of 100."""
        valid = self.tried - self.invalid
        return 100 * len(self.survivors) / valid if valid else 0.0


@dataclass(frozen=True, slots=True)
class Sampled:
    """Rules with sampled hands, each with what its score is."""

    tried: Tried
    hands: list[tuple[ReadHand, Any]]


class MutationWork:
    """The ruleset, opened, with all that is tried and the sampled hands. Raises RulesetError."""

    def __init__(self, plan: MutationPlan) -> None:
        self.plan = plan
        self.proofs: Proofs = proofs_of(plan.path, plan.choices)
        self.tried = self.proofs.under(())
        chosen = list(mutants(self.tried.whole))
        if plan.limit is not None and plan.limit < len(chosen):
            kept = sorted(Random(plan.seed).sample(range(len(chosen)), plan.limit))
            chosen = [chosen[number] for number in kept]
        self.mutants: list[Mutant] = chosen
        self.known: dict[Options, Sampled] = {}

    def result(self, number: int) -> Survivor | bool | None:
        """A mutant that survives; True for one that is noticed, None for one that is no ruleset."""
        mutant = self.mutants[number]
        noticed = self.proofs.noticed(mutant)
        if noticed is not False:
            return noticed
        id = re.sub(r"\W+", "_", "_".join(("notices", *mutant.path[1:3], str(number))))
        found: list[tuple[ReadHand, Score]] = []
        example = ""
        for options in ((), *self.others):
            found = self.differing(mutant, options)
            if found:
                example = caught_by(self.known[options].tried.rules.data, id, options, found)
                break
        return Survivor(mutant.place, ".".join(mutant.path), mutant.was, mutant.becomes, len(found), example)

    @cached_property
    def others(self) -> list[Options]:
        """Every option with each of its other values, one at a time."""
        return [
            ((name, setting_text(value)),)
            for name, node in entries(self.tried.whole.full, "options")
            for value in other_values(node, self.tried.whole.options[name].chosen)
        ]

    def differing(self, mutant: Mutant, options: Options) -> list[tuple[ReadHand, Score]]:
        """The sampled hands that a mutant scores otherwise with these options, each with that score."""
        if mutant.of_play:
            return []
        try:
            sampled = self.sampled(options)
        except RulesetError:
            return []  # an option that does not go with the others
        rules = sampled.tried.rules.data
        data = self.proofs.compiled(mutant, sampled.tried)
        if data is None or data is rules or not (judge := MutantJudge(rules, data)).matters:
            return []
        scores = ((hand, outcome, judge.score(hand)) for hand, outcome in sampled.hands)
        return [(hand, now) for hand, was, now in scores if now is not hand.score and outcome_of(now) != was]

    def sampled(self, options: Options) -> Sampled:
        """The rules with these options and their sampled hands: fewer with others than the defaults. Raises
        RulesetError."""
        if options not in self.known:
            tried = self.proofs.opened(options) if options else self.tried
            count = self.plan.hands // FEWER if options else self.plan.hands
            cases = sampled_cases(tried.rules, count, self.plan.seed)
            hands = [hand for case in cases if (hand := read_hand(tried.rules, case)) is not None]
            self.known[options] = Sampled(tried, [(hand, outcome_of(hand.score)) for hand in hands])
        return self.known[options]


def mutate(work: MutationWork, done: Callable[[int], object] = lambda count: None) -> MutationResult:
    """Try the mutants of a ruleset; `done` is told how many were."""
    result = MutationResult(len(work.mutants))
    found: dict[int, Survivor | bool | None] = {}
    until = None if work.plan.minutes is None else monotonic() + 60 * work.plan.minutes
    for number, one in results_of(work, until):
        found[number] = one
        done(len(found))
    result.tried = len(found)
    result.hands = len(work.sampled(()).hands)
    for number in sorted(found):
        one = found[number]
        result.invalid += one is None
        if isinstance(one, Survivor):
            result.survivors.append(one)
    result.survivors.sort(key=lambda one: (-one.changes, one.place.source.name, one.place.offset))
    return result


def results_of(work: MutationWork, until: float | None) -> Iterator[tuple[int, Survivor | bool | None]]:
    """The results, each with the number of its mutant, until time is up."""
    if work.plan.jobs <= 1:
        for number in range(len(work.mutants)):
            if until is not None and monotonic() > until:
                return
            yield number, work.result(number)
        return
    with pool_of(work.plan.jobs, begin, work.plan, stop=lambda: None) as pool:
        starts = range(0, len(work.mutants), CHUNK)
        waiting = [pool.submit(try_some, range(at, min(at + CHUNK, len(work.mutants)))) for at in starts]
        left = None if until is None else max(0.0, until - monotonic())
        try:
            for future in as_completed(waiting, left):
                yield from future.result()
        except TimeoutError:
            return
        finally:
            for future in waiting:
                future.cancel()


OF_PROCESS: list[MutationWork] = []


def begin(plan: MutationPlan) -> None:
    """Make a process ready to try mutants."""
    serve_parent()
    collect_rarely()
    OF_PROCESS.append(MutationWork(plan))


def try_some(numbers: Sequence[int]) -> list[tuple[int, Survivor | bool | None]]:
    return [(number, OF_PROCESS[0].result(number)) for number in numbers]
