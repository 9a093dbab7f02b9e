"""The games of a report: rules and a plan in, samples of matches out.

Three parts, one after the other: matches under the rules (and, to compare, the same deals under others); then a strong
player among random ones, and among fast ones. Each part ends when its intervals are narrow enough, at its number of
matches, or when its time is up. Knows no words and no page.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Literal

from tilewright.play.rules import Rules
from tilewright.players.player import CAREFUL, FAST, RANDOM, STRONG
from tilewright.players.simulation.estimates import GameSample, share
from tilewright.players.simulation.game import Stops
from tilewright.players.simulation.run import Batch, Batches, SimulationPlan, alone, next_look, together
from tilewright.players.simulation.tally import Tally

USUAL, SKILLED, OTHERS = CAREFUL, STRONG, (RANDOM, FAST)
MAIN_PART = 0.6  # of the time
FEWEST = 30  # matches, before intervals may end a part
EVERY = 10  # matches, between two looks at the intervals; more where there are many (`next_look`)
WIDER = 5  # times as wide may intervals of matches be as those of hands

Stopped = Literal["narrow", "games", "hands", "minutes", "interrupted"]
Enough = Callable[[GameSample], bool]
Elsewhere = Callable[[Rules, SimulationPlan, Stops], Batches]  # plays as `simulate` does, not in processes of this one


@dataclass(frozen=True, slots=True)
class ReportPlan:
    """`games`: matches of the main part at most; `minutes`: of all parts together; `width`: half of an interval of a
    share of hands, in percentage points, that is narrow enough; `hands`: how many are enough for a part."""

    games: int = 1_000
    minutes: float = 5.0
    seed: int = 1
    players: tuple[str, ...] = (USUAL,)
    width: float = 1.0
    jobs: int = 1
    hands: int | None = None

    @property
    def skill_games(self) -> int:
        """Matches of each part with a strong player, at most."""
        return max(1, self.games // 2)


@dataclass
class PlayedGames:
    """Matches under some rules, and why there are no more."""

    plan: SimulationPlan
    sample: GameSample = field(default_factory=GameSample)
    tally: Tally = field(default_factory=Tally)
    stopped: Stopped = "games"

    def add(self, batch: Batch) -> None:
        assert batch.apart is not None
        self.sample.extend(batch.apart)
        self.tally.merge(batch.tally)


@dataclass(frozen=True, slots=True)
class PlayedReport:
    """All games of a report; `skill` by the name of the other players."""

    main: PlayedGames
    compared: PlayedGames | None
    skill: dict[str, PlayedGames]


class ReportGames:
    """Plays. `update` gets the number of finished matches; `interrupted` tells whether to stop; `elsewhere` plays in
    place of processes of this machine."""

    def __init__(
        self,
        rules: Rules,
        other: Rules | None,
        plan: ReportPlan,
        update: Callable[[int], None] = lambda done: None,
        interrupted: Callable[[], bool] = lambda: False,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.rules, self.other, self.plan = rules, other, plan
        self.update, self.interrupted, self.elsewhere = update, interrupted, elsewhere
        self.done = 0

    def play(self) -> PlayedReport:
        """Every part. Raises WorkLost."""
        begun, seconds = monotonic(), self.plan.minutes * 60
        both = [self.rules, *([self.other] if self.other is not None else [])]
        plan = SimulationPlan(self.plan.games, self.plan.seed, players=self.plan.players, match=True, apart=True)
        main = self.part(both, plan, begun + MAIN_PART * seconds, self.is_narrow)
        skill = {}
        for number, name in enumerate(OTHERS):
            seats = (SKILLED, *(name,) * (self.rules.data.seats.count - 1))
            left = begun + seconds - monotonic()
            until = monotonic() + max(0.0, left) / (len(OTHERS) - number)
            one = replace(plan, games=self.plan.skill_games, players=seats, rotate=True)
            (skill[name],) = self.part([self.rules], one, until, self.tells_skill)
        return PlayedReport(main[0], main[1] if len(main) > 1 else None, skill)

    def part(self, several: Sequence[Rules], plan: SimulationPlan, until: float, enough: Enough) -> list[PlayedGames]:
        """Matches under each of the rules, the same numbers of them, until it is enough or too late."""
        played = [PlayedGames(plan) for _ in several]
        jobs = max(1, min(self.plan.jobs // len(several), plan.games))
        with ExitStack() as stack:
            each = [stack.enter_context(closing(self.games(rules, plan, jobs, until))) for rules in several]
            while (count := played[0].sample.games) < plan.games:
                look = min(next_look(count), plan.games)
                found = [matches_of(batches, look - count) for batches in each]
                if len({sum(batch.games for batch in one) for one in found}) > 1:
                    break  # of the last matches, not all are there under both rules
                for one, batches in zip(played, found, strict=True):
                    for batch in batches:
                        one.add(batch)
                self.done += played[0].sample.games - count
                self.update(self.done)
                if played[0].sample.games < look:
                    break
                if self.plan.hands and all(one.tally.hands >= self.plan.hands for one in played):
                    return ended(played, "hands")
                if look >= FEWEST and look % EVERY == 0 and all(enough(one.sample) for one in played):
                    return ended(played, "narrow")
        if played[0].sample.games < plan.games:
            return ended(played, "interrupted" if self.interrupted() else "minutes")
        return played

    def games(self, rules: Rules, plan: SimulationPlan, jobs: int, until: float) -> Batches:
        """Matches in their order; at least one, however late it is."""
        first = False

        def stops() -> bool:
            return self.interrupted() or (first and monotonic() > until)

        with closing(self.source(rules, plan, jobs, stops)) as batches:
            for batch in batches:
                first = True
                yield batch

    def source(self, rules: Rules, plan: SimulationPlan, jobs: int, stops: Stops) -> Batches:
        """Who plays. With several jobs even one process of each rules is its own: they play at the same time."""
        if self.elsewhere is not None:
            return self.elsewhere(rules, plan, stops)
        return alone(rules, plan, stops) if self.plan.jobs == 1 else together(rules, plan, jobs, stops)

    def is_narrow(self, sample: GameSample) -> bool:
        """Whether the shares of hands, and those of matches, are known well enough."""
        seats = self.rules.data.seats.count
        of_hands = [("drawn", "hands"), *((f"seat.{seat}.wins", f"seat.{seat}.hands") for seat in range(seats))]
        of_matches = [("behind", "long"), *((f"player.{player}.won", "matches") for player in range(seats))]
        return self.is_known(sample, of_hands, 1) and self.is_known(sample, of_matches, WIDER)

    def tells_skill(self, sample: GameSample) -> bool:
        """Whether it is known well enough how many matches the strong player wins."""
        name = f"name.{SKILLED}"
        return self.is_known(sample, [(f"{name}.won", f"{name}.games")], WIDER)

    def is_known(self, sample: GameSample, shares: Sequence[tuple[str, str]], times: float) -> bool:
        """Whether these shares have narrow intervals; one of nothing has none that could become narrower."""
        found = [share(sample, part, whole) for part, whole in shares]
        return all(one is None or one.half_width <= times * self.plan.width / 100 for one in found)


def matches_of(batches: Batches, count: int) -> list[Batch]:
    """The next so many matches, fewer at the end. A batch ends where a report looks, so these are whole batches."""
    found, there = list[Batch](), 0
    while there < count and (batch := next(batches, None)):
        found.append(batch)
        there += batch.games
    return found


def ended(played: list[PlayedGames], why: Stopped) -> list[PlayedGames]:
    for one in played:
        one.stopped = why
    return played
