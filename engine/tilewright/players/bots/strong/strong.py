"""The strong player: as the careful one, but it forecasts listed hands tile by tile, and is not tempted by hands that
are worth thousands of times the usual one.

It knows no variant: the worth of hands is that of the ruleset's scoring. `forecasts`, which needs numpy, is
imported only under rulesets that list hands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import TYPE_CHECKING

from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.aims import Aim
from tilewright.players.bots.cards import ListedPromise
from tilewright.players.bots.careful import CarefulBot, CarefulJudge, RulesModel, model_of
from tilewright.players.bots.chances import EAGER
from tilewright.players.bots.danger import Danger
from tilewright.players.bots.odds import together
from tilewright.players.bots.position import Position, Unchanged

if TYPE_CHECKING:
    from tilewright.players.bots.strong.forecasts import CardForecast, Times

MOST_EFFORT = 6.0  # that the best aim deserves, the usual hand deserving 1: rare hands seem likelier than they are
PAID = 0.33  # of a hand's worth: what dealing into it costs, besides the own hand


class StrongBot(CarefulBot):
    """Plays as the careful player does, with better forecasts."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.seed = seed
        self.model: StrongModel = strong_model_of(Unchanged(rules))

    def judge(self, view: View) -> "StrongJudge":
        """What judges the positions of this moment."""
        return StrongJudge(self.model, view, self.seed)


@lru_cache(maxsize=8)
def strong_model_of(same: Unchanged[Rules]) -> "StrongModel":
    """What strong players know of a ruleset, computed once."""
    return StrongModel(same.rules)


@dataclass(frozen=True, eq=False)
class StrongModel(RulesModel):
    """What is known about a ruleset."""

    @cached_property
    def aims(self) -> tuple[Aim, ...]:
        """Those of careful players."""
        return model_of(Unchanged(self.rules)).aims

    @cached_property
    def eager(self) -> float:
        """A hand of twice the worth is worth so much more effort: 2 ** eager times."""
        best = max((aim.worth for aim in self.aims), default=0.0)
        return min(EAGER, log(MOST_EFFORT) / log(best / self.usual)) if best > self.usual > 0 else EAGER

    @cached_property
    def loss(self) -> float:
        """The cost of dealing into a hand."""
        return float(self.lost**self.eager)

    @cached_property
    def forecasts(self) -> "tuple[CardForecast, ...]":
        """The forms that list their hands."""
        from tilewright.players.bots.strong.forecasts import CardForecast

        return tuple(CardForecast(cards, self.worth, self.start) for cards in self.cards)


class StrongJudge(CarefulJudge):
    """Judges positions of one seat at one moment by their prospects."""

    model: StrongModel

    def __init__(self, model: StrongModel, view: View, seed: int) -> None:
        super().__init__(model, view, seed)
        self.last: tuple[Position, Sequence[ListedPromise]] | None = None

    def effort(self, worth: float) -> float:
        """How much effort a worth deserves."""
        return float(worth**self.model.eager) if worth > 0 else 0.0

    def outlooks(self, position: Position) -> Sequence[ListedPromise]:
        """The prospects of cards for the position."""
        if self.last is None or self.last[0] is not position:
            found = (forecast.of(position, self.times) for forecast in self.model.forecasts)
            self.last = position, [one for one in found if one is not None]
        return self.last[1]

    @cached_property
    def times(self) -> "Times":
        """The turns that are left."""
        from tilewright.players.bots.strong.forecasts import times_of

        return times_of(self.clock, self.unseen(self.model.reader.position(self.view)))

    def danger(self, position: Position) -> Danger:
        """What discards of this position may cost: whoever deals into a hand loses the own one, too."""
        if not self.model.forecasts:
            return super().danger(position)
        from tilewright.players.bots.strong.forecasts import ListedDanger

        own = together([one.promise(self.clock) for one in self.outlooks(position)])
        return ListedDanger(self.model.uses, self.view, position, PAID * self.model.usual + own)
