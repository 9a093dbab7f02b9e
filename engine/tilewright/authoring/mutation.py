"""Mutation of a document: the mutants that nothing notices, those that change most first, each with a case that would.

Mutants are tried one by one, by several processes if wanted; the same seed gives the same results, unless time is up.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Literal

from tilewright.authoring.mutants import Mutant, mutants, other_values
from tilewright.authoring.noticing import (
    MutantJudge,
    Options,
    Proofs,
    ReadHand,
    Tried,
    caught_by,
    outcome_of,
    proofs_of,
    read_hand,
)
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.sampling import sampled_cases
from tilewright.base.garbage import collect_rarely
from tilewright.base.problem import Place, RulesetError
from tilewright.base.processes import pool_of, serve_parent
from tilewright.language.check import names_with_needed, rulesets_near
from tilewright.language.documents.fields import entries, kind_of
from tilewright.language.documents.library import read_document
from tilewright.language.documents.whole import is_for, line_of
from tilewright.language.elaborate import open_whole
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
    name: str


Result = Survivor | Literal["noticed", "invalid", "equivalent"]


@dataclass(slots=True)
class MutationResult:
    """`tried` of `mutants` mutants, of which `invalid` ones are no rulesets and `equivalent` ones mean the same;
    `hands`: how many were sampled."""

    mutants: int
    tried: int = 0
    invalid: int = 0
    equivalent: int = 0
    hands: int = 0
    survivors: list[Survivor] = field(default_factory=list)

    @property
    def counted(self) -> int:
        """How many of those that were tried could be noticed."""
        return self.tried - self.invalid - self.equivalent

    @property
    def percent(self) -> float:
        """How many of those survive, of 100."""
        return 100 * len(self.survivors) / self.counted if self.counted else 0.0


@dataclass(frozen=True, slots=True)
class Sampled:
    """Rules with sampled hands, each with what its score is."""

    tried: Tried
    hands: list[tuple[ReadHand, Any]]


class Ground:
    """A ruleset, with mods if wanted, over which mutants are tried: with all that is tried for it, and sampled hands,
    once they are needed. Raises RulesetError."""

    def __init__(self, path: str, choices: RulesChoice, plan: MutationPlan) -> None:
        self.path, self.choices, self.plan = path, choices, plan
        self.whole = open_whole(path, choices.settings, choices.mods)
        self.known: dict[Options, Tried] = {}
        self.hands: dict[Options, Sampled] = {}

    @cached_property
    def proofs(self) -> Proofs:
        return proofs_of(self.path, self.choices)

    @cached_property
    def others(self) -> list[Options]:
        """Every option with each of its other values, one at a time."""
        return [
            ((name, setting_text(value)),)
            for name, node in entries(self.whole.full, "options")
            for value in other_values(node, self.whole.options[name].chosen)
        ]

    def under(self, options: Options) -> Tried | None:
        """The rules with these options; None for an option that does not go with the others."""
        if options not in self.known:
            with suppress(RulesetError):
                self.known[options] = self.proofs.tried.get(options) or self.proofs.opened(options)
        return self.known.get(options)

    def is_equivalent(self, mutant: Mutant) -> bool:
        """Whether a mutant compiles to the same rules, with every value of every option."""
        settings = dict.fromkeys([*self.proofs.tried, *self.others])
        found = (tried for options in settings if (tried := self.under(options)) is not None)
        return not mutant.option and all(self.proofs.compiled(mutant, tried) is tried.rules.data for tried in found)

    def sampled(self, options: Options) -> Sampled | None:
        """The rules with these options and their sampled hands: fewer with others than the defaults."""
        if options not in self.hands and (tried := self.under(options)) is not None:
            count = self.plan.hands // FEWER if options else self.plan.hands
            cases = sampled_cases(tried.rules, count, self.plan.seed)
            hands = [hand for case in cases if (hand := read_hand(tried.rules, case)) is not None]
            self.hands[options] = Sampled(tried, [(hand, outcome_of(hand.score)) for hand in hands])
        return self.hands.get(options)

    def differing(self, mutant: Mutant, options: Options) -> list[tuple[ReadHand, Score]]:
        """The sampled hands that a mutant scores otherwise with these options, each with that score."""
        if mutant.of_play or (sampled := self.sampled(options)) is None:
            return []
        rules = sampled.tried.rules.data
        data = self.proofs.compiled(mutant, sampled.tried)
        if data is None or data is rules or not (judge := MutantJudge(rules, data)).matters:
            return []
        scores = ((hand, outcome, judge.score(hand)) for hand, outcome in sampled.hands)
        return [
            (hand, now)
            for hand, was, now in scores
            if now is not None and now is not hand.score and outcome_of(now) != was
        ]


class MutationWork:
    """What mutants of a document are tried over: a ruleset over itself, a mod over every ruleset that it is for, a base
    over every ruleset that extends it. Raises RulesetError."""

    def __init__(self, plan: MutationPlan) -> None:
        self.plan = plan
        self.grounds = [Ground(path, choices, plan) for path, choices in grounds_of(Path(plan.path), plan.choices)]
        found: dict[tuple[int, str, str], list[tuple[Ground, Mutant]]] = {}
        source = read_document(Path(plan.path)).place.source
        for ground in self.grounds:
            for mutant in mutants(ground.whole, source):
                found.setdefault((mutant.place.offset, mutant.was, mutant.becomes), []).append((ground, mutant))
        chosen = [found[key] for key in sorted(found, key=lambda key: key[0])]
        if plan.limit is not None and plan.limit < len(chosen):
            kept = sorted(Random(plan.seed).sample(range(len(chosen)), plan.limit))
            chosen = [chosen[number] for number in kept]
        self.mutants: list[list[tuple[Ground, Mutant]]] = chosen

    def result(self, number: int) -> Result:
        """What becomes of a mutant."""
        there = self.mutants[number]
        valid = False
        for ground, mutant in there:
            noticed = ground.proofs.noticed(mutant)
            if noticed:
                return "noticed"
            valid = valid or noticed is not None
        if not valid:
            return "invalid"
        if all(ground.is_equivalent(mutant) for ground, mutant in there):
            return "equivalent"
        return self.survivor(number)

    def survivor(self, number: int) -> Survivor:
        """A mutant that nothing notices, with a case that would."""
        mutant = self.mutants[number][0][1]
        id = re.sub(r"\W+", "_", "_".join(("notices", *mutant.path[1:3], str(number))))
        found: list[tuple[ReadHand, Score]] = []
        example = ""
        if self.plan.hands:
            for ground, here in self.mutants[number]:
                for options in ((), *ground.others):
                    if not found and (found := ground.differing(here, options)):
                        tried = ground.hands[options].tried
                        example = caught_by(tried.rules.data, id, options, found)
        path = ".".join(mutant.path)
        return Survivor(mutant.place, path, mutant.was, mutant.becomes, len(found), example, mutant.name)


def grounds_of(path: Path, choices: RulesChoice) -> Iterator[tuple[str, RulesChoice]]:
    """The rulesets over which the mutants of a document are tried, each with what is chosen."""
    document = read_document(path)
    kind = kind_of(document)
    if kind == "mod":
        names = names_with_needed(path, document)
        targets = [target for target, ids in rulesets_near(path).items() if is_for(document, ids)]
        yield from ((str(target), replace(choices, mods=(*names, *choices.mods))) for target in targets)
    elif kind == "base":
        for target in rulesets_near(path):
            if path.resolve() in (where.resolve() for where, _ in line_of(target)):
                yield str(target), choices
    else:
        yield str(path), choices


def mutate(work: MutationWork, done: Callable[[int], object] = lambda count: None) -> MutationResult:
    """Try the mutants of a ruleset; `done` is told how many were."""
    result = MutationResult(len(work.mutants))
    found: dict[int, Result] = {}
    until = None if work.plan.minutes is None else monotonic() + 60 * work.plan.minutes
    for number, one in results_of(work, until):
        found[number] = one
        done(len(found))
    result.tried = len(found)
    sampled = work.grounds[0].sampled(()) if work.plan.hands and work.grounds else None
    result.hands = len(sampled.hands) if sampled is not None else 0
    for number in sorted(found):
        one = found[number]
        result.invalid += one == "invalid"
        result.equivalent += one == "equivalent"
        if isinstance(one, Survivor):
            result.survivors.append(one)
    result.survivors.sort(key=lambda one: (-one.changes, one.place.source.name, one.place.offset))
    return result


def results_of(work: MutationWork, until: float | None) -> Iterator[tuple[int, Result]]:
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


def try_some(numbers: Sequence[int]) -> list[tuple[int, Result]]:
    return [(number, OF_PROCESS[0].result(number)) for number in numbers]
