"""Hands and games that two rulesets score or play otherwise: those of examples and cases, and sampled ones.

Two sides in; what differs out, each with both results. The same seed gives the same hands; games have the same walls
and the same players, in step up to the first difference. Bots know the rules that they play by, so a game also differs
where a rule only changes what is worth trying.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from rich.text import Text

from tilewright.authoring.sampling import Case, compact, sampled_cases
from tilewright.base.problem import RulesetError
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.cases import check_play
from tilewright.play.log import event_json
from tilewright.play.match import Match
from tilewright.play.model import Event, Move, Pick
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.player import Player, player_of
from tilewright.players.simulation.run import seed_of
from tilewright.presentation.events import EventTeller
from tilewright.presentation.line import LineWriter
from tilewright.presentation.names import RulesetNames
from tilewright.rulebook.sides import Options, Side
from tilewright.rulebook.winning_hands import as_case
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.examples import shown
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


# --- games


FAST_EVERY = 5  # games: one of so many is played by fast bots, the others at random
HANDS = {"fast": 1, "random": 2}
MOST_ANSWERS = 5_000  # of a game


@dataclass(frozen=True, slots=True)
class GameChange:
    """The first difference of a game. `hand`: from 1; `event`: the number of the event; `was`, `now`: what happens, or
    what a seat may do; empty if nothing does. `asks`: it is in what a seat may do."""

    number: int
    seed: int
    players: str
    hand: int
    event: int
    was: str
    now: str
    asks: bool = False


def game_change(old: Rules, new: Rules, number: int, seed: int, language: str = "en") -> GameChange | None:
    """The first difference of the game with this number; None if there is none, or if the two cannot be played."""
    if old.data.play is None or new.data.play is None:
        return None
    name = "random" if (number + 1) % FAST_EVERY else "fast"
    of_game = seed_of(seed, number)
    with ExitStack() as stack:
        one, other = (GameInStep(rules, name, of_game, stack) for rules in (old, new))
        found = first_difference(one, other)
    if found is None:
        return None
    was, now, asks = found
    before, after = one.sentence(was, language), other.sentence(now, language)
    if isinstance(was, Event) and isinstance(now, Event) and before == after:
        before, after = details(one.plain(was), other.plain(now))
    return GameChange(number + 1, of_game, name, one.hand, one.seen + 1, before, after, asks)


Choice = Move | Pick
Difference = tuple[Event | Sequence[Choice] | None, Event | Sequence[Choice] | None, bool]


def first_difference(one: "GameInStep", other: "GameInStep") -> Difference | None:
    """What happens, or may be done, in the one game and not in the other."""
    for _ in range(MOST_ANSWERS):
        for was, now in zip_longest(one.new_events(), other.new_events()):
            if was is None or now is None or one.plain(was) != other.plain(now):
                return was, now, False
            one.pass_event(was)
            other.pass_event(now)
        if one.match.over and other.match.over:
            return None
        may, might = one.may(), other.may()
        if may != might:
            return sorted(may - might, key=str), sorted(might - may, key=str), True
        one.answer()
        other.answer()
    return None


def details(was: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """What two events that read the same do not have in common."""
    keys = [key for key in dict.fromkeys((*was, *now)) if was.get(key) != now.get(key)]
    return [", ".join(f"{key}: {shown(one.get(key))}" for key in keys) for one in (was, now)]


class GameInStep:
    """A game that is played one answer at a time. `seen`: how many events were compared; `hand`: the one at present."""

    def __init__(self, rules: Rules, name: str, seed: int, stack: ExitStack) -> None:
        self.rules, self.seen, self.hand = rules, 0, 0
        count = rules.data.seats.count
        self.players: list[Player] = [player_of(name, rules, seed) for _ in range(count)]
        for player in self.players:
            stack.callback(player.close)
        self.match: Match = rules.game(seed, hands=HANDS[name])
        self.ended = 0

    def new_events(self) -> list[Event]:
        return list(self.match.events[self.seen :])

    def pass_event(self, event: Event) -> None:
        self.seen += 1
        self.hand += event.kind == "hand"

    def plain(self, event: Event) -> dict[str, object]:
        return event_json(event, self.match.program)

    def may(self) -> frozenset[Choice]:
        """What the asked seat may do."""
        if self.match.over:
            return frozenset()
        seat = self.match.asked[0]
        question = View(self.match, seat).question
        return frozenset() if question is None else frozenset((*question.moves, *question.picks))

    def answer(self) -> None:
        """Have the first asked seat answer, and tell players of hands that ended."""
        if not self.match.over:
            seat = self.match.asked[0]
            self.match.answer(self.players[self.match.player(seat)].choose(View(self.match, seat)))
        if len(self.match.results) > self.ended:
            self.ended = len(self.match.results)
            for number, player in enumerate(self.players):
                player.ended(View(self.match, self.match.seat_of(number)))

    # --- for people

    def sentence(self, what: Event | Sequence[Choice] | None, language: str) -> str:
        """An event as a line, or moves by their names."""
        names = RulesetNames(self.rules.data, language)
        if what is None:
            return ""
        if isinstance(what, Event):
            teller = EventTeller(self.rules.data, record=True)
            ((_, line),) = teller.lines([what], lambda event: True)
            return LineWriter(names, lambda slot, does: Text(slot.seat)).text(line).plain
        return ", ".join(dict.fromkeys(self.moves(what, names)))

    def moves(self, moves: Sequence[Choice], names: RulesetNames) -> Iterator[str]:
        for move in moves:
            text = names.move_text(move) if isinstance(move, Move) else names.pick_label(move)
            yield text.plain.strip()
