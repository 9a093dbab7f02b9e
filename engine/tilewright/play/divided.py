"""The judge of a table whose seats make several hands each: any tiles of a seat may be one of its hands, with the melds
of that hand.

In: a scene of the table. Knows forms as lists of whole hands, as on a card; says of each hand what `judge` says of the
only one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from tilewright.hands.listed import NEVER, Rows
from tilewright.hands.reading import Hand, Meld
from tilewright.play.judge import TableJudge, better
from tilewright.play.model import Won
from tilewright.play.scene import TableScene
from tilewright.scoring.score import Number


@dataclass(frozen=True, slots=True)
class FoundHand:
    """Tiles that are a hand of a seat: its number, the tiles of the table besides its melds, the winning one last."""

    number: int
    tiles: tuple[int, ...]
    melds: tuple[Meld, ...]


class DividedJudge(TableJudge):
    """Scoring for one game, hand by hand."""

    @cached_property
    def rows(self) -> tuple[Rows, ...]:
        """The hands of each form."""
        judge = self.program.rules.judge
        found = (judge.reader.rows(form.shape) for form in self.program.rules.data.forms)
        return tuple(rows for rows in found if rows is not None)

    # --- hands and their melds

    def open_hands(self, scene: TableScene) -> Iterator[tuple[int, tuple[Meld, ...]]]:
        """The hands that may win, each with its melds; of those that have none, the first."""
        bare = False
        for number in range(1, self.program.hands + 1):
            if scene.is_open(number):
                melds = tuple(self.meld(group) for group in scene.melds_of(number))
                if melds or not bare:
                    yield number, melds
                bare = bare or not melds

    def one(self, scene: TableScene, melds: tuple[Meld, ...]) -> Hand:
        """A hand of the seat with all its concealed tiles."""
        face = self.program.face
        return Hand(tuple(face[tile] for tile in scene.hand()), melds)

    def claimed(self, scene: TableScene) -> int | None:
        """The tile in question, if the seat would have to claim it."""
        tile = scene.tile
        if not tile or tile[0] in scene.hand() or self.in_melds(scene, tile[0]):
            return None
        return int(tile[0])

    def found(self, scene: TableScene) -> Iterator[FoundHand]:
        """Every hand that some tiles of the seat are, with the fewest wild tiles; with the tile in question, if the
        seat does not hold it."""
        claimed = self.claimed(scene)
        tiles = [*scene.hand()] if claimed is None else [claimed, *scene.hand()]
        faces = tuple(self.program.face[tile] for tile in tiles)
        for number, melds in self.open_hands(scene):
            hand = Hand(faces, melds)
            for rows in self.rows:
                for row in rows.within(hand):
                    for facts in rows.told([row], hand):
                        laid = self.taken(tiles, facts.kept)
                        if laid and (claimed is None or laid[0] == claimed):
                            yield FoundHand(number, self.last(scene, laid), melds)

    def taken(self, tiles: list[int], faces: Iterable[int]) -> tuple[int, ...]:
        """Tiles with these faces, in their order."""
        free, found = list(tiles), list[int]()
        for face in faces:
            tile = next(one for one in free if self.program.face[one] == face)
            free.remove(tile)
            found.append(tile)
        return tuple(found)

    def last(self, scene: TableScene, tiles: tuple[int, ...]) -> tuple[int, ...]:
        """The tiles, with the one in question behind the others, if it is one of them."""
        win = scene.tile[0] if scene.tile and scene.tile[0] in tiles else tiles[-1]
        return (*(tile for tile in tiles if tile != win), win)

    def whole(self, scene: TableScene, found: FoundHand) -> Hand:
        """The hand that was found."""
        face, place = self.program.face, self.program.place
        *tiles, win = (face[tile] for tile in found.tiles)
        return Hand(tuple(sorted(tiles, key=place.__getitem__)), found.melds, win)

    # --- winning

    def read(self, scene: TableScene) -> Won | None:
        """The best hand that the seat has, of equals the one with the fewest wild tiles."""
        best: Won | None = None
        for found in sorted(self.found(scene), key=lambda one: self.count_wild(one.tiles)):
            won = self.scored(scene.seat, self.situation(scene, self.whole(scene, found)), found.tiles[-1])
            if won is not None and (best is None or better(won, best)):
                best = replace(won, hand=found.number, laid=found.tiles)
        return best

    def count_wild(self, tiles: tuple[int, ...]) -> int:
        return sum(self.program.plain[tile] in self.program.wild.stands_for for tile in tiles)

    def wins(self, scene: TableScene) -> bool:
        """Whether the seat has a hand that reaches the minimum."""
        return any(self.reaches(self.situation(scene, self.whole(scene, found))) for found in self.found(scene))

    def may_fit(self, seat: int, tile: int | None) -> bool:
        """Yes: how many tiles the seat has says nothing about one of its hands."""
        return True

    # --- how near hands are

    def waits(self, scene: TableScene) -> tuple[int, ...]:
        """The tiles that complete one of the hands."""
        found = {tile for least, useful in self.nearest(scene) if least == 1 for tile in useful}
        return tuple(tile for tile in self.program.data.tiles.order if tile in found)

    def distance(self, scene: TableScene) -> int:
        """How many tiles the hand that is nearest lacks."""
        return min((least for least, _ in self.nearest(scene)), default=NEVER)

    def nearest(self, scene: TableScene) -> Iterator[tuple[int, frozenset[int]]]:
        """How many tiles each hand lacks in each form, and which would make it less."""
        hands = [self.one(scene, melds) for _, melds in self.open_hands(scene)]
        return chain.from_iterable((rows.wanted(hand) for rows in self.rows) for hand in hands)

    def possible(self, scene: TableScene) -> bool:
        """Whether one of the hands can still win, as the others see it."""
        return any(scene.can_win(number) for number in range(1, self.program.hands + 1))

    def potential(self, scene: TableScene) -> Number:
        """The most that a hand is worth over the tiles that complete one, counting only tiles of which some are
        unseen."""
        most: Number = 0
        hands = [self.one(scene, melds) for _, melds in self.open_hands(scene)]
        for rows in self.rows:
            for tile in self.waits(scene):
                for hand in hands:
                    if rows.left(hand)[tile]:
                        won = self.read(scene.knowing(tile=(tile,)))
                        most = max(most, 0 if won is None else won.score.total)
        return most
