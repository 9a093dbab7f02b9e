"""The games of a report: rules and a plan in, samples of matches out.

Three parts, one after the other: matches under the rules (and, to compare, the same deals under others); then a careful
player among random ones, and among fast ones. Each part ends when its intervals are narrow enough, at its number of
matches, or when its time is up. Knows no words and no page.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Literal

from tilewright.play.rules import Rules
from tilewright.players.simulation.estimates import GameSample, share
from tilewright.players.simulation.run import Batch, GameApart, SimulationPlan, alone, together
from tilewright.players.simulation.tally import Tally

SKILLED, OTHERS = "careful", ("random", "fast")
MAIN_PART = 0.6  # of the time
FEWEST = 30  # matches, before intervals may end a part
EVERY = 10  # matches, between two looks at the intervals
WIDER = 5  # times as wide may intervals of matches be as those of hands

Stopped = Literal["narrow", "games", "minutes", "interrupted"]
Enough = Callable[[GameSample], bool]


@dataclass(frozen=True, slots=True)
class ReportPlan:
    """`games`: matches of the main part at most; `minutes`: of all parts together; `width`: half of an interval of a
    share of hands, in percentage points, that is narrow enough."""

    games: int = 1_000
    minutes: float = 5.0
    seed: int = 1
    players: tuple[str, ...] = (SKILLED,)
    width: float = 1.0
    jobs: int = 1

    @property
    def skill_games(self) -> int:
        """Matches of each part with a careful player, at most."""
        return max(1, self.games // 2)


@dataclass
class PlayedGames:
    """Matches under some rules, and why there are no more."""

    plan: SimulationPlan
    sample: GameSample = field(default_factory=GameSample)
    tally: Tally = field(default_factory=Tally)
    stopped: Stopped = "games"

    def add(self, game: GameApart) -> None:
        self.sample.add(game.sums)
        self.tally.merge(game.tally)


@dataclass(frozen=True, slots=True)
class PlayedReport:
    """All games of a report; `skill` by the name of the other players."""

    main: PlayedGames
    compared: PlayedGames | None
    skill: dict[str, PlayedGames]


class ReportGames:
    """Plays. `update` gets the number of finished matches; `interrupted` tells whether to stop."""

    def __init__(
        self,
        rules: Rules,
        other: Rules | None,
        plan: ReportPlan,
        update: Callable[[int], None] = lambda done: None,
        interrupted: Callable[[], bool] = lambda: False,
    ) -> None:
        self.rules, self.other, self.plan = rules, other, plan
        self.update, self.interrupted = update, interrupted
        self.done = 0

    def play(self) -> PlayedReport:
        """Every part. Raises SimulationLost."""
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
            each = [self.games(stack, rules, plan, jobs, until) for rules in several]
            for games in zip(*each, strict=False):
                for one, game in zip(played, games, strict=True):
                    one.add(game)
                self.done += 1
                self.update(self.done)
                count = played[0].sample.games
                if count >= FEWEST and count % EVERY == 0 and all(enough(one.sample) for one in played):
                    return ended(played, "narrow")
        if played[0].sample.games < plan.games:
            return ended(played, "interrupted" if self.interrupted() else "minutes")
        return played

    def games(
        self, stack: ExitStack, rules: Rules, plan: SimulationPlan, jobs: int, until: float
    ) -> Iterator[GameApart]:
        """One match after the other; at least one, however late it is."""
        first = False

        def stops() -> bool:
            return self.interrupted() or (first and monotonic() > until)

        is_alone = self.plan.jobs == 1  # else even one process of each rules is its own: they play at the same time
        games = alone(rules, plan, stops) if is_alone else together(rules, plan, jobs, stops)
        batches: Iterator[Batch] = stack.enter_context(closing(games))
        for batch in batches:
            for game in batch.apart:
                yield game
                first = True

    def is_narrow(self, sample: GameSample) -> bool:
        """Whether the shares of hands, and those of matches, are known well enough."""
        seats = self.rules.data.seats.count
        of_hands = [("drawn", "hands"), *((f"seat.{seat}.wins", f"seat.{seat}.hands") for seat in range(seats))]
        of_matches = [("behind", "long"), *((f"player.{player}.won", "matches") for player in range(seats))]
        return self.is_known(sample, of_hands, 1) and self.is_known(sample, of_matches, WIDER)

    def tells_skill(self, sample: GameSample) -> bool:
        """Whether it is known well enough how many matches the careful player wins."""
        name = f"name.{SKILLED}"
        return self.is_known(sample, [(f"{name}.won", f"{name}.games")], WIDER)

    def is_known(self, sample: GameSample, shares: Sequence[tuple[str, str]], times: float) -> bool:
        """Whether these shares have narrow intervals; one of nothing has none that could become narrower."""
        found = [share(sample, part, whole) for part, whole in shares]
        return all(one is None or one.half_width <= times * self.plan.width / 100 for one in found)


def ended(played: list[PlayedGames], why: Stopped) -> list[PlayedGames]:
    for one in played:
        one.stopped = why
    return played
