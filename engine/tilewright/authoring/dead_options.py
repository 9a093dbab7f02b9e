"""Dead options: a ruleset with its options in, those whose values make no difference out.

Proven where all values give rules that mean the same, also with each value of every other option. Otherwise, where only
what hands show is different, the same cases are scored with each value. Options that change the course of play or
payments are not tried: no hand would show it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic

import numpy as np

from tilewright.authoring.mutants import other_values
from tilewright.authoring.noticing import outcome_of
from tilewright.authoring.sampling import Case, Dealing
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.problem import Place, RulesetError
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.fields import entries, section
from tilewright.language.load import Elaborated
from tilewright.scoring.batch import ScoreBatch
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import ScoringRules, setting_text

DEALT = 10_000  # hands that are scored with every value
FEWER = 5  # times fewer with other options
SHOWN_BY_HANDS = frozenset({"patterns", "forms", "scoring", "families", "sole"})

Chosen = Mapping[str, str]
Opens = Callable[[Chosen], Elaborated]  # the ruleset with these options besides its own; RulesetError
Differing = Callable[[CompiledRuleset, CompiledRuleset], Sequence[str]]  # the fields that do not mean the same


@dataclass(frozen=True, slots=True)
class DeadOption:
    """An option that makes no difference. `values`: those tried, its own first; `hands`: that were scored with each,
    None where it is proven; `alone`: only with the other options as they are."""

    id: str
    place: Place
    values: tuple[str, ...]
    hands: int | None = None
    alone: bool = False


@dataclass
class OptionTrials:
    """Tries the options of a ruleset until time is up. `untried`: the ids of those that were not."""

    opens: Opens
    differing: Differing
    cases: Sequence[Case]
    until: float
    seed: int
    untried: list[str] = field(default_factory=list)
    opened: dict[tuple[tuple[str, str], ...], CompiledRuleset | None] = field(default_factory=dict)
    outcomes: dict[tuple[str, int], list[object]] = field(default_factory=dict)

    def dead(self, done: Callable[[int], object]) -> Iterator[DeadOption]:
        """The options that make no difference; `done` is told how many were tried."""
        whole = self.opens({}).merged
        values = dict(values_of(whole.full, {id: one.chosen for id, one in whole.options.items()}))
        for number, (id, others) in enumerate(values.items(), 1):
            place = section(whole.full, "options").key(id).place
            if monotonic() > self.until:
                self.untried.append(id)
            elif others and (found := self.found(id, place, others, values)) is not None:
                yield found
            done(number)

    def found(
        self, id: str, place: Place, others: Sequence[str], values: Mapping[str, Sequence[str]]
    ) -> DeadOption | None:
        """The option, if it makes no difference as far as there is time to tell."""
        rules, changed = self.under(), [self.under((id, value)) for value in others]
        tried = [(value, data) for value, data in zip(others, changed, strict=True) if data is not None]
        if rules is None or not tried:
            return None
        shown = (setting_text(rules.options[id]), *(value for value, _ in tried))
        hands = self.alike(rules, [data for _, data in tried])
        if hands == 0:
            return None
        together = self.differs_with(id, [value for value, _ in tried], values, hands is None)
        return None if together else DeadOption(id, place, shown, hands, together is None)

    def differs_with(
        self, id: str, others: Sequence[str], values: Mapping[str, Sequence[str]], proven: bool
    ) -> bool | None:
        """Whether the option makes a difference beside some other value of another one; None if time is up. `proven`:
        it makes none by itself, so that any difference in meaning counts."""
        for other, settings in values.items():
            for setting in settings if other != id else ():
                rules = self.under((other, setting))
                for value in others if rules is not None else ():
                    if monotonic() > self.until:
                        return None
                    data = self.under((other, setting), (id, value))
                    if rules is None or data is None:
                        continue
                    hands = self.alike(rules, [data], FEWER)
                    if hands == 0 or (proven and hands is not None):
                        return True
        return False

    def alike(self, rules: CompiledRuleset, changed: Sequence[CompiledRuleset], fewer: int = 1) -> int | None:
        """How many hands come out alike with all values, 0 if one does not or no hand would show it; None if the rules
        mean the same. `fewer`: times fewer hands."""
        parts = {part for data in changed for part in self.differing(rules, data)}
        if not parts:
            return None
        return self.same_hands(rules, changed, fewer) if parts <= SHOWN_BY_HANDS and self.cases else 0

    def under(self, *options: tuple[str, str]) -> CompiledRuleset | None:
        """The rules with these options; None where they cannot be chosen together."""
        if options not in self.opened:
            try:
                data = self.opens(dict(options)).data
            except RulesetError:
                data = None
            if len(options) > 1:
                return data
            self.opened[options] = data
        return self.opened[options]

    def same_hands(self, rules: CompiledRuleset, changed: Sequence[CompiledRuleset], fewer: int) -> int:
        """How many hands come out alike with all values: the cases, then dealt ones; 0 if one does not."""
        own, every = ScoringRules(rules), [ScoringRules(data) for data in changed]
        known = self.outcomes.setdefault((rules.digest, fewer), [])
        number = 0
        for case in self.cases[::fewer]:
            if monotonic() > self.until:
                return number
            if number == len(known):
                known.append(outcome(own, case))
            if any(outcome(other, case) != known[number] for other in every):
                return 0
            number += 1
        hands = 0 if any(one.shifts for one in (own, *every)) else DEALT // fewer
        for batch, _, _ in Dealing(rules).batches(hands, np.random.default_rng(self.seed)):
            if monotonic() > self.until:
                break
            scores = own.score_many(batch)
            if not all(comes_out_alike(scores, other.score_many(batch)) for other in every):
                return 0
            number += len(batch)
        return number


def comes_out_alike(one: ScoreBatch, other: ScoreBatch) -> bool:
    """Whether all hands of a batch have the same scores."""
    return (
        one.unit == other.unit
        and np.array_equal(one.win, other.win)
        and one.values.keys() == other.values.keys()
        and all(np.array_equal(one.values[id], other.values[id]) for id in one.values)
        and (one.ids != other.ids or np.array_equal(one.patterns, other.patterns))
    )


def values_of(full: MappingNode, chosen: Mapping[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The other values of each option, as texts."""
    for id, node in entries(full, "options"):
        yield id, tuple(setting_text(value) for value in other_values(node, chosen[id]))


def outcome(rules: ScoringRules, case: Case) -> object:
    """What tells two results of a hand apart."""
    try:
        return outcome_of(rules.score_case(case))
    except CaseError as error:
        return error.message
