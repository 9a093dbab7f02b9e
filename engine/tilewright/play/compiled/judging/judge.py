"""The judge of a match that follows a machine: waits and scores by kernels, where these tell them."""

from tilewright.base.arrays import Array
from tilewright.hands.reading import Hand
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.forms import UNTOLD, waits_of
from tilewright.play.compiled.kernel.search import may_be_form
from tilewright.play.match import Match
from tilewright.play.scene.judge import TableJudge
from tilewright.play.scene.scene import TableScene
from tilewright.scoring.plain.plain_judge import BestReading
from tilewright.scoring.plain.situation import Situation


class HostJudge(TableJudge):
    """The judge of a match whose hands a machine holds, too: its tables tell the waits, or that there are none."""

    def __init__(self, game: Match, state: Array, numbers: Array, forms: Array, asks: bool) -> None:
        super().__init__(game)
        self.state, self.numbers, self.forms = state, numbers, forms
        engine = game.program.rules.engine
        self.asks = asks  # forms have conditions that the machine does not know
        self.by_tables = engine.fits and not engine.searched and not game.program.data.tiles.wild
        order = numbers[numbers[at.IN_ORDER] :][: game.program.first].tolist()
        self.order = [tile for tile in order if tile >= 0]
        self.judged: dict[int, tuple[Situation, BestReading | None]] = {}  # by seat, the last hand

    def best(self, situation: Situation) -> BestReading | None:
        """The same, not looked for again where it was the last hand of the seat: most that win are declared next."""
        last = self.judged.get(situation.seat)
        if last is None or last[0] != situation:
            last = self.judged[situation.seat] = situation, super().best(situation)
        return last[1]

    def reaches(self, situation: Situation) -> bool:
        quick = self.program.rules.quick.wins(situation)
        if quick is not None:
            return quick
        best = self.best(situation)
        return best is not None and best[0].short is None

    def may_fit(self, seat: int, tile: int | None) -> bool:
        """Yes: the machine asks for hands that do."""
        return True

    def may_be_full(self, hand: Hand, seat: int | None = None) -> bool:
        """Whether the hand is worth reading: the machine searches forms faster, where it holds that hand."""
        if seat is None or not self.numbers[at.SEARCHES]:
            return super().may_be_full(hand, seat)
        faces, kind = sorted(self.program.face[tile] for tile in self.held(seat)), at.NONE
        if faces != sorted((*hand.tiles, *(() if hand.win is None else (hand.win,)))):
            if hand.win is None or faces != sorted(hand.tiles):
                return super().may_be_full(hand, seat)
            kind = self.program.plain[hand.win]
        if int(self.state[at.LAID_SIZE + seat]) != len(hand.melds):
            return super().may_be_full(hand, seat)
        return bool(may_be_form.run(self.state, self.numbers, self.forms, seat, kind))

    def found_waits(self, scene: TableScene) -> tuple[int, ...]:
        if not self.by_tables or scene.imagined is not None or not self.in_line(scene):
            return super().found_waits(scene)
        tile = scene.tile[0] if scene.tile else at.NONE
        bits = waits_of.run(self.state, self.numbers, self.forms, scene.seat, tile, at.NONE)
        if bits == UNTOLD or (bits and self.asks):  # forms may have conditions
            return super().found_waits(scene)
        return tuple(tile for tile in self.order if bits >> tile & 1)

    def in_line(self, scene: TableScene) -> bool:
        """Whether the machine has the hand of the seat as the match does."""
        same = self.held(scene.seat) == list(scene.hand())
        return same and int(self.state[at.LAID_SIZE + scene.seat]) == len(scene.melds())

    def held(self, seat: int) -> list[int]:
        """The tiles of a hand in the machine."""
        row = int(self.numbers[at.HAND_ROW]) + seat
        first, end = int(self.state[at.ROW_START + row]), int(self.state[at.ROW_END + row])
        tiles: list[int] = self.state[at.ROW + row * at.MOST_TILES :][first:end].tolist()
        return tiles
