"""Noticing: whether some example, case or play of a ruleset fails under a mutant of it, and on which hands it scores
otherwise; and a case that notices it, as YAML to paste.

Hands are read once; a mutant judges the readings of those that it can change, the plain way. Plays are played.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from tilewright.authoring.coverage_record import WatchedRules, roots_of
from tilewright.authoring.layout import flow
from tilewright.authoring.mutants import Compiled, Mutant
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.sampling import compact
from tilewright.authoring.trials import OpenedRules, trials
from tilewright.base.problem import RulesetError
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern, RulesetCase
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.elaborate import compile_with_problems, open_whole
from tilewright.play.cases import check_play
from tilewright.play.model import Won
from tilewright.play.rules import Rules
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError, bounded
from tilewright.scoring.examples import agrees, found_as, stands_in
from tilewright.scoring.plain.judge import Verdict, find_one, verdict
from tilewright.scoring.plain.resolve import Found, resolve
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.rules import ScoringRules, setting_text
from tilewright.scoring.score import Score

Case = Mapping[str, Any]
Options = tuple[tuple[str, str], ...]
Readings = tuple[tuple[HandScene, tuple[Found | None, ...]], ...]  # scenes, each with what is found of every pattern
RESOLVED_BY = attrgetter("excludes", "family", "limit", "extra", "alone")
CARRIED_OUT = ("actions", "phases", "triggers")  # sections of steps, which a watch is told of
COMPARED = ("win", "total", "patterns", "values", "payments")


@dataclass(frozen=True, slots=True)
class ReadHand:
    """A case that was read, with its readings and its score."""

    case: Case
    situation: Situation
    readings: Readings
    score: Score


@dataclass(frozen=True, slots=True)
class Proof:
    """A hand and what it proves: that a pattern counts or does not (`pattern`, `yes`), or what a case expects."""

    hand: ReadHand
    pattern: str = ""
    yes: bool = True
    expect: Case = field(default_factory=dict)

    def holds(self, score: Score) -> bool:
        if self.pattern:
            return (score.win and any(one.id == self.pattern for one in score.patterns)) is self.yes
        result = score.as_json()
        return all(agrees(key, wanted, result.get(key)) for key, wanted in self.expect.items())


@dataclass(frozen=True, slots=True)
class ProvenError:
    """A case that is refused, and the code of its error."""

    case: Case
    code: str

    def holds(self, rules: ScoringRules) -> bool:
        try:
            rules.score_case(self.case)
        except CaseError as error:
            return error.code == self.code
        return False


@dataclass(frozen=True, slots=True)
class ProvenPlay:
    """A case with a play. `reaches`: the entries of sections that it reaches, as `triggers.passed_win`."""

    entry: RulesetCase
    reaches: frozenset[str]


@dataclass(slots=True)
class Tried:
    """A ruleset with some options, and what is tried under them."""

    options: Options
    compiled: Compiled
    rules: Rules
    proofs: list[Proof] = field(default_factory=list)
    errors: list[ProvenError] = field(default_factory=list)
    plays: list[ProvenPlay] = field(default_factory=list)

    @property
    def whole(self) -> MergedRuleset:
        return self.compiled.whole


# --- hands


def read_hand(rules: ScoringRules, case: Case) -> ReadHand | None:
    """A hand with its readings; None if it cannot be read."""
    with suppress(CaseError), bounded():
        there = rules.at_table(case)
        situation = read_case(there.data, case)
        readings = tuple((scene, found_in(scene)) for scene in there.judge.scenes(situation))
        return ReadHand(case, situation, readings, scored(there, situation, readings))
    return None


def found_in(scene: HandScene) -> tuple[Found | None, ...]:
    """What is found of every pattern of a reading."""
    won = scene.situation.won
    return tuple(find_one(one, scene) if won or one.everyone else None for one in scene.data.patterns)


def scored(rules: ScoringRules, situation: Situation, readings: Readings) -> Score:
    """The score of the best reading."""
    best: Verdict | None = None
    for scene, found in readings:
        there = tuple(one for one in found if one is not None)
        judged = verdict(scene, there, resolve(rules.data, there))
        if best is None or rules.judge.rank(judged) > rules.judge.rank(best):
            best = judged
    if best is None:
        return rules.scores.no_score(situation)
    scene = best.scene
    return rules.scores.told(situation, best, lambda: scene)


@dataclass
class MutantJudge:
    """A mutant beside the rules that it comes from: how hands score under it. None where it cannot change a score."""

    data: CompiledRuleset
    mutant: CompiledRuleset

    def __post_init__(self) -> None:
        self.rules = ScoringRules(self.mutant)
        old, new = self.data.patterns, self.mutant.patterns
        self.afresh = (
            len(old) != len(new)
            or self.rules.shifts
            or any(
                getattr(self.data, part) != getattr(self.mutant, part)
                for part in ("tiles", "groups", "forms", "zones", "marks", "seats", "wild_when")
            )
        )
        self.apart = [number for number, (one, other) in enumerate(zip(old, new, strict=False)) if differs(one, other)]
        self.everywhere = any(
            getattr(self.data, part) != getattr(self.mutant, part)
            for part in ("scoring", "families", "sole", "payments")
        )

    @property
    def matters(self) -> bool:
        """Whether any hand can score otherwise."""
        return self.afresh or self.everywhere or bool(self.apart)

    def score(self, hand: ReadHand) -> Score | None:
        """The score of a hand under the mutant; None where it cannot be read."""
        if self.afresh:
            again = read_hand(self.rules, hand.case)
            return None if again is None else again.score
        changed = self.everywhere
        readings = []
        for scene, found in hand.readings:
            there = replace(scene, data=self.mutant)
            now = list(found)
            for number in self.apart:
                pattern = self.mutant.patterns[number]
                now[number] = find_one(pattern, there) if pattern.everyone or scene.situation.won else None
                changed = changed or not is_same(found[number], now[number])
            readings.append((there, tuple(now)))
        return scored(self.rules, hand.situation, tuple(readings)) if changed else hand.score


def differs(one: Pattern, other: Pattern) -> bool:
    """Whether two patterns count otherwise."""
    return replace(one, examples=(), place=None) != replace(other, examples=(), place=None)


def is_same(one: Found | None, other: Found | None) -> bool:
    """Whether a pattern is found as before."""
    if one is None or other is None:
        return one is other
    if RESOLVED_BY(one.pattern) != RESOLVED_BY(other.pattern):
        return False
    if (one.used, one.times, one.places) != (other.used, other.times, other.places):
        return False
    return all(one.worth(exposed) == other.worth(exposed) for exposed in (False, True))


def outcome_of(score: Score) -> tuple[Any, ...]:
    """What tells two scores apart."""
    shown = score.as_json()
    return tuple(repr(found_as(key, shown.get(key))) for key in COMPARED)


# --- what is tried


@dataclass
class Proofs:
    """Everything that is tried for a ruleset with mods, by the options that it is tried with; the first without any."""

    name: str
    choices: RulesChoice
    tried: dict[Options, Tried] = field(default_factory=dict)

    def under(self, options: Options) -> Tried:
        """What is tried with these options. Raises RulesetError."""
        if options not in self.tried:
            self.tried[options] = self.opened(options)
        return self.tried[options]

    def opened(self, options: Options) -> Tried:
        """The ruleset with these options, and nothing tried yet. Raises RulesetError."""
        compiled = Compiled(open_whole(self.name, {**self.choices.settings, **dict(options)}, self.choices.mods))
        return Tried(options, compiled, Rules(compiled.data))

    def noticed(self, mutant: Mutant) -> bool | None:
        """Whether something fails under a mutant; None for one that is no ruleset wherever it
        changes something. Hands first, which are quicker."""
        invalid = False
        judges: list[tuple[Tried, MutantJudge]] = []
        for tried in self.tried.values():
            data = self.compiled(mutant, tried)
            invalid = invalid or data is None
            if data is not None and data is not tried.rules.data:
                judges.append((tried, MutantJudge(tried.rules.data, data)))
                if hand_fails(*judges[-1], mutant):
                    return True
        plays = [
            (play, number) for number, (tried, judge) in enumerate(judges) for play in plays_for(tried, judge, mutant)
        ]
        rules = [rules_of(tried, judge, mutant) for tried, judge in judges]
        plays.sort(key=lambda one: not reaches(one[0], mutant))
        if any(play_fails(rules[number], play) for play, number in plays):
            return True
        return None if invalid and not judges else False

    def compiled(self, mutant: Mutant, tried: Tried) -> CompiledRuleset | None:
        """A mutant with the options of a trial; the rules themselves where it changes nothing there."""
        if mutant.node is not None:
            data = tried.compiled.changed(mutant.path, mutant.node)
            return tried.rules.data if data == tried.rules.data else data
        if mutant.option in dict(tried.options):
            return tried.rules.data
        wanted = {**self.choices.settings, **dict(tried.options), mutant.option: mutant.becomes}
        try:
            return compile_with_problems(open_whole(self.name, wanted, self.choices.mods))[0]
        except RulesetError:
            return None


def hand_fails(tried: Tried, judge: MutantJudge, mutant: Mutant) -> bool:
    """Whether what a hand proves fails under the rules of a mutant."""
    if not judge.matters:
        return False
    for proof in sorted(tried.proofs, key=lambda one: one.pattern not in mutant.path):
        score = judge.score(proof.hand)
        if score is None or (score is not proof.hand.score and not proof.holds(score)):
            return True
    return not all(error.holds(judge.rules) for error in tried.errors)


def plays_for(tried: Tried, judge: MutantJudge, mutant: Mutant) -> list[ProvenPlay]:
    """The plays that a mutant may change: steps change only those that carry them out."""
    if not judge.matters and judge.data.play == judge.mutant.play:
        return []
    return [play for play in tried.plays if mutant.path[0] not in CARRIED_OUT or reaches(play, mutant)]


def rules_of(tried: Tried, judge: MutantJudge, mutant: Mutant) -> Rules:
    """The rules of a mutant for plays, which score as before where only the play has changed."""
    as_before = mutant.of_play and not judge.matters
    return Rules(judge.mutant, alike=tried.rules if as_before else None)


def reaches(play: ProvenPlay, mutant: Mutant) -> bool:
    return ".".join(mutant.path[:2]) in play.reaches


def play_fails(rules: Rules, play: ProvenPlay) -> bool:
    entry = play.entry
    return any(True for _ in check_play(rules, entry.case, entry.expect, None))


def proofs_of(path: str, choices: RulesChoice) -> Proofs:
    """Everything that is tried for a ruleset and holds. Raises RulesetError."""
    proofs = Proofs(path, choices)
    proofs.under(())
    opened = OpenedRules(path, tuple(choices.mods), tuple(choices.settings.items()))
    for trial in trials(Path(path), opened, opened.rules().data):
        if trial.excluded:
            continue
        own = tuple((id, value) for id, value in trial.opened.settings if id not in choices.settings)
        data = proofs.under(own).rules.data
        for pattern in data.patterns:
            for example in pattern.examples:
                if stands_in(example.place, trial.documents):
                    add_proof(proofs.under(own), example.case, pattern.id, example.yes)
        for entry in data.cases:
            if stands_in(entry.place, trial.documents):
                add_case(proofs, own, entry)
    return proofs


def add_case(proofs: Proofs, own: Options, entry: RulesetCase) -> None:
    given = entry.case.get("options")
    more = tuple((id, setting_text(value)) for id, value in given.items()) if isinstance(given, Mapping) else ()
    try:
        tried = proofs.under(tuple({**dict(own), **dict(more)}.items()))
    except RulesetError:
        return  # `check` reports it
    if "play" in entry.case:
        reach = PlayReach(tried.rules.data)
        if not any(check_play(WatchedRules(tried.rules.data, reach), entry.case, entry.expect, entry.place)):
            tried.plays.append(ProvenPlay(entry, frozenset(reach.found)))
    elif "hand" in entry.case and entry.expect:
        case = {key: value for key, value in entry.case.items() if key != "options"}
        error = entry.expect.get("error")
        if error is None:
            add_proof(tried, case, expect={key: value for key, value in entry.expect.items() if key != "error"})
        elif (proven := ProvenError(case, str(error))).holds(tried.rules):
            tried.errors.append(proven)


def add_proof(tried: Tried, case: Case, pattern: str = "", yes: bool = True, expect: Case | None = None) -> None:
    """Add a hand, if what it proves holds."""
    hand = read_hand(tried.rules, case)
    if hand is not None:
        proof = Proof(hand, pattern, yes, expect or {})
        if proof.holds(hand.score):
            tried.proofs.append(proof)


# --- what plays reach


class PlayReach:
    """The watch of a play: the entries of sections that it reaches."""

    def __init__(self, data: CompiledRuleset) -> None:
        self.found = set[str]()
        self.owners: dict[int, str] = {}
        for owner, ir in roots_of(data):
            self.owners.setdefault(id(ir), owner)

    def asks(self, ir: Ir, scene: Any, letters: Mapping[str, Any]) -> None:
        if owner := self.owners.get(id(ir)):
            self.found.add(owner)

    def begins(self, section: str, name: str) -> None:
        self.found.add(f"{section}.{name}")

    def settles(self, payments: str, scene: Any) -> None:
        self.found.add(f"payments.{payments}")

    def wins(self, won: Won) -> None:
        return


EXPECTED = (("total", "patterns"), ("total", "patterns", "values"), ("total", "payments"))


def caught_by(data: CompiledRuleset, id: str, options: Options, differing: Sequence[tuple[ReadHand, Score]]) -> str:
    """A case of this id under which the mutant fails, from the simplest of the hands; empty where there is none."""
    for hand, score in sorted(differing, key=lambda pair: simplicity(pair[0])):
        for expect in expectations(hand.score, score):
            case = compact(data, dict(hand.case), hand.situation.hand)
            case = {**({"options": dict(options)} if options else {}), **case}
            lines = [f"    {key}: {flow(value)}" for key, value in case.items()]
            return "\n".join(("cases:", f"  {id}:", *lines, f"    expect: {flow(expect)}"))
    return ""


def simplicity(hand: ReadHand) -> tuple[int, str]:
    """Smaller is easier to read: few keys, then by the text."""
    text = json.dumps(hand.case, default=str)
    return len(hand.case) + len(hand.case.get("flags") or ()) + len(hand.case.get("melds") or ()), text


def expectations(before: Score, after: Score) -> Iterator[Case]:
    """What can be expected of a hand that holds before and not after."""
    shown, changed = before.as_json(), after.as_json()
    if not before.win:
        if after.win:
            yield {"win": False}
        return
    for keys in EXPECTED:
        expect = {key: found_as(key, shown.get(key)) for key in keys if shown.get(key) is not None}
        if not all(agrees(key, wanted, changed.get(key)) for key, wanted in expect.items()):
            yield expect
