"""The judge of a match that follows a machine: waits and scores by kernels, where these tell them."""

from functools import cache, partial

from tilewright.base.compute.arrays import Array
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.forms import UNTOLD, waits_of
from tilewright.play.match import Match
from tilewright.play.model.results import Won
from tilewright.play.scene.judge import TableJudge
from tilewright.play.scene.scene import TableScene
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation


class HostJudge(TableJudge):
    """The judge of a match whose hands a machine holds, too: its tables tell the waits, or that there are none."""

    def __init__(self, game: Match, state: Array, numbers: Array, forms: Array, places: Array, asks: bool) -> None:
        super().__init__(game)
        self.state, self.numbers, self.forms, self.places = state, numbers, forms, places
        engine = game.program.rules.engine
        self.asks = asks  # forms have conditions that the machine does not know
        self.by_tables = engine.fits and not engine.searched and not game.program.data.tiles.wild
        order = numbers[numbers[at.IN_ORDER] :][: game.program.first].tolist()
        self.order = [tile for tile in order if tile >= 0]

    def scored(self, seat: int, situation: Situation, win: int | None) -> Won | None:
        """The same by the scoring kernel, where that takes hands one by one; few ask how the hand is read."""
        rules = self.program.rules
        score = rules.quick.score(situation)
        if score is None or not score.win:
            return super().scored(seat, situation, win)
        return Won(seat, situation, score, cache(partial(scene_of, rules.engine, situation)), win)

    def may_fit(self, seat: int, tile: int | None) -> bool:
        """Yes: the machine asks for hands that do."""
        return True

    def found_waits(self, scene: TableScene) -> tuple[int, ...]:
        if not self.by_tables or scene.imagined is not None or not self.in_line(scene):
            return super().found_waits(scene)
        tile = scene.tile[0] if scene.tile else at.NONE
        bits = waits_of.now(self.state, self.numbers, self.forms, self.places, scene.seat, tile, at.NONE)
        if bits == UNTOLD or (bits and self.asks):  # forms may have conditions
            return super().found_waits(scene)
        return tuple(tile for tile in self.order if bits >> tile & 1)

    def in_line(self, scene: TableScene) -> bool:
        """Whether the machine has the hand of the seat as the match does."""
        row = int(self.numbers[at.HAND_ROW]) + scene.seat
        first, end = int(self.state[at.ROW_START + row]), int(self.state[at.ROW_END + row])
        tiles = self.state[at.ROW + row * at.MOST_TILES :][first:end].tolist()
        return tiles == list(scene.hand()) and int(self.state[at.LAID_SIZE + scene.seat]) == len(scene.melds())


def scene_of(engine: Engine, situation: Situation) -> HandScene:
    """The scene of the best reading of a hand that has one."""
    best = engine.best(situation)
    assert best is not None
    return best[1]()
