"""Hands that two rulesets score otherwise: those that examples and cases state, and sampled ones.

Two sides in; the hands that differ out, each with both results. The same seed gives the same hands.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tilewright.authoring.sampling import Case, compact, sampled_cases
from tilewright.base.problem import RulesetError
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.cases.check import check_play
from tilewright.play.rules import Rules
from tilewright.rulebook.comparison.sides import Options, Side
from tilewright.rulebook.sections.hands import as_case
from tilewright.scoring.case import read_case
from tilewright.scoring.cases.mistakes import CaseError
from tilewright.scoring.rules import setting_text
from tilewright.scoring.score import Number, Score


@dataclass(frozen=True, slots=True)
class HandResult:
    """What a ruleset makes of a hand. `error`: why it cannot be read; `score`: else its score."""

    score: Score | None = None
    error: str = ""

    @property
    def worth(self) -> object:
        """The worth, what it is for, who pays: whatever it is called."""
        score = self.score
        if score is None:
            return self.error
        worths = sorted((one.id, one.worth, one.times) for one in score.patterns)
        return score.win, score.total, score.unit, dict(score.values), worths, score.payments

    @property
    def outcome(self) -> object:
        """What tells two results apart for players: the worth, and the names."""
        if self.score is None:
            return self.error
        names = sorted((one.id, one.name, sorted(one.names.items())) for one in self.score.patterns)
        return self.worth, names, dict(self.score.called)

    @property
    def patterns(self) -> frozenset[str]:
        return frozenset() if self.score is None else frozenset(one.id for one in self.score.patterns)

    @property
    def total(self) -> Number:
        return self.score.total if self.score is not None and self.score.win else 0

    @property
    def wins(self) -> bool:
        return self.score is not None and self.score.win


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand that comes out otherwise. `case`: as people write it; `stated`: an example or case of the old ruleset has
    it; `options`: those that it was scored with."""

    case: Mapping[str, Any]
    was: HandResult
    now: HandResult
    stated: bool = False
    options: Options = ()

    @property
    def breaks(self) -> bool:
        """Whether it is one that the old ruleset states, and comes out otherwise but for names."""
        return self.stated and self.was.worth != self.now.worth

    def only_adds(self, added: frozenset[str]) -> bool:
        """Whether it comes out otherwise only for patterns that are new."""
        return (
            self.was.wins
            and self.now.wins
            and self.now.patterns - self.was.patterns <= added
            and bool(self.now.patterns & added)
            and self.was.patterns <= self.now.patterns
        )


@dataclass(frozen=True, slots=True)
class PlayChange:
    """A case with a play that meets its expectations before and not after, or the other way round. `problem`: the first
    that is not met."""

    id: str
    problem: str
    options: Options = ()


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """A hand to score: one that the old ruleset states, one that only the new one does, or a sampled one."""

    case: Case
    of_old: bool = False
    sampled: bool = False


# --- hands


def hand_change(old: Rules, new: Rules, case: Case, stated: bool, options: Options = ()) -> HandChange | None:
    """The hand, if the two score it otherwise."""
    was, now = result_of(old, case), result_of(new, case)
    if was.outcome == now.outcome:
        return None
    return HandChange(in_short(old.data, new.data, case), was, now, stated, options)


def result_of(rules: Rules, case: Case) -> HandResult:
    try:
        return HandResult(rules.score_case(case))
    except CaseError as error:
        return HandResult(error=error.message)


def in_short(old: CompiledRuleset, new: CompiledRuleset, case: Case) -> Case:
    """The case with its tiles in short, as whichever of the two can read it writes them."""
    for data in (old, new):
        with suppress(CaseError):
            return compact(data, case, read_case(data, case).hand)
    return case


def stated_hands(data: CompiledRuleset, options: Options, default: bool) -> Iterator[Case]:
    """The hands of examples, and of cases with exactly these options."""
    if default:
        for pattern in data.patterns:
            yield from map(as_case, pattern.examples)
    for entry in data.cases:
        if "hand" in entry.case and "play" not in entry.case and options_of(entry.case) == options:
            yield {key: value for key, value in entry.case.items() if key != "options"}


def options_of(case: Mapping[str, Any]) -> Options:
    """The options that a case asks for."""
    given = case.get("options")
    return tuple((id, setting_text(value)) for id, value in given.items()) if isinstance(given, Mapping) else ()


def hands_to_score(old: Rules, new: Rules, options: Options, count: int, seed: int) -> Iterator[ScoredCase]:
    """The stated hands of both rulesets and so many sampled ones, each once. `options`: those of both."""
    seen = set[str]()
    stated = [ScoredCase(one, True) for one in stated_hands(old.data, options, not options)]
    stated += [ScoredCase(one) for one in stated_hands(new.data, options, not options)]
    sampled = (one for rules, most in ((old, count), (new, count // 2)) for one in sampled_cases(rules, most, seed))
    most = len(stated) + count
    for one in (*stated, *(ScoredCase(case, sampled=True) for case in sampled)):
        key = json.dumps(one.case, sort_keys=True, default=str)
        if key not in seen and len(seen) < most:
            seen.add(key)
            yield one


# --- plays


def play_changes(old: Side, new: Side) -> Iterator[PlayChange]:
    """The plays that the old ruleset states and that do not come out as before."""
    for entry in old.under().rules.data.cases:
        if "play" not in entry.case:
            continue
        options = options_of(entry.case)
        try:
            sides = [side.under(options).rules for side in (old, new)]
        except RulesetError as error:
            yield PlayChange(entry.id, error.problems[0].message, options)
            continue
        was, now = ([one.message for one in check_play(rules, entry.case, entry.expect, None)] for rules in sides)
        if was != now:
            yield PlayChange(entry.id, next(iter(now or was)), options)
