"""The strong player: as the careful one, but by weights that win more; it counts the places at the end of a match in
its last hand, and forecasts listed hands tile by tile.

`forecasts`, which needs numpy, is imported only under rulesets that list hands.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from tilewright.play.view import View
from tilewright.players.bots.position import Position
from tilewright.players.careful.bot import CarefulBot, CarefulJudge, RulesModel
from tilewright.players.careful.cards import ListedPromise
from tilewright.players.careful.danger import Danger
from tilewright.players.careful.odds import appeal, together
from tilewright.players.careful.placement import loss_placed, worth_placed
from tilewright.players.careful.weights import STRONG

if TYPE_CHECKING:
    from tilewright.players.careful.forecasts import CardForecast, Times

PAID = 0.33  # of the worth of a listed hand: what dealing into it costs, besides the own hand


class StrongBot(CarefulBot):
    """Plays as the careful player does, with other weights and better forecasts."""

    def judge(self, view: View) -> "StrongJudge":
        """What judges the positions of this moment."""
        return StrongJudge(self.model, view, self.seed, self.model.strong)


@lru_cache(maxsize=8)
def forecasts_of(model: RulesModel) -> "tuple[CardForecast, ...]":
    """The forms that list their hands."""
    if not model.cards:
        return ()
    from tilewright.players.careful.forecasts import CardForecast

    return tuple(CardForecast(cards, model.worth, model.start) for cards in model.cards)


class StrongJudge(CarefulJudge):
    """Judges positions of one seat at one moment by their prospects."""

    last: tuple[Position, Sequence[ListedPromise]] | None = None

    @property
    def forecasts(self) -> "tuple[CardForecast, ...]":
        return forecasts_of(self.model)

    def outlooks(self, position: Position) -> Sequence[ListedPromise]:
        """The prospects of cards for the position."""
        if self.last is None or self.last[0] is not position:
            found = (forecast.of(position, self.times, self.weights) for forecast in self.forecasts)
            self.last = position, [one for one in found if one is not None]
        return self.last[1]

    @cached_property
    def times(self) -> "Times":
        """The turns that are left."""
        from tilewright.players.careful.forecasts import times_of

        return times_of(self.clock, self.unseen(self.model.reader.position(self.view)))

    @cached_property
    def match(self) -> list[float]:
        """What it knows of its match (`placement`); nothing where places do not count yet, or only some hands are
        played."""
        placement, view = self.model.placement, self.view
        assert view.seat is not None
        played = (view.round_number - 1) * view.seats + view.dealership
        if placement is None or view.hands is not None or not placement.counts(played, view.seat):
            return [0.0]
        mine, *others = (float(view.scores[(view.seat + turn) % view.seats]) for turn in range(view.seats))
        return placement.known([mine - other for other in others])

    def counted(self, worth: float) -> float:
        """What it counts to win a hand of this worth, with what that makes of the places at the end of the match."""
        return worth_placed(self.match, 0, worth)

    def danger(self, position: Position) -> Danger:
        """What discards of this position may cost: whoever deals into a hand loses the own one, too."""
        if not self.forecasts:
            lost = loss_placed(self.match, 0, self.model.lost)
            weights = self.weights._replace(loss=STRONG.loss * appeal(lost, self.weights))
            return Danger(self.model.uses, self.view, position, weights)
        from tilewright.players.careful.forecasts import ListedDanger

        own = together([one.promise(self.clock) for one in self.outlooks(position)], self.weights.best)
        weights = self.weights._replace(loss=PAID * self.model.usual + own)
        return ListedDanger(self.model.uses, self.view, position, weights)
