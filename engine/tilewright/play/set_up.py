"""Setting up: a layout and a match that has not begun in, the match at its starting position out.

The hand is dealt as the seed and the walls say; then the tiles that the position names change places with those there,
so that everything else stays as dealt. Knows no moves.
"""

from dataclasses import dataclass, field
from typing import Any

from tilewright.hands.reading import Hand, Meld
from tilewright.language.compiled.play import Goal
from tilewright.language.vocabulary.steps import Draw
from tilewright.play import course, placing
from tilewright.play.layout import BONUS, HAND, MELDS, START, WALL, TableLayout, TablePosition
from tilewright.play.model import TableMeld, ZonePlace
from tilewright.play.operations import Frame
from tilewright.play.state import TableState
from tilewright.play.steps import steps_code
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import wrong_size


def set_match(game: TableState, layout: TableLayout) -> None:
    """Round, dealer, scores, pot and the marks of the match, before a hand begins."""
    count, seating = game.program.count, game.program.play.match.seating
    game.round = layout.round
    if 0 < game.round <= len(seating):
        game.places = seating[game.round - 1]
    game.dealer = game.places[0] if layout.dealer is None else layout.dealer
    game.dealership = game.places.index(game.dealer) if layout.deals is None else layout.deals
    for seat, score in layout.scores.items():
        game.balances[game.player(seat)] = score
    if layout.pot is not None:
        game.balances[count] = layout.pot
    for name, value in layout.marks.items():
        game.keep_mark(name, 0, value)


def lay_out(game: TableState, position: TablePosition) -> None:
    """Deal, put the tiles where the position says, and continue with the phase that follows. Raises CaseError."""
    game.announce_hand()
    deal(game, position)
    forget(game)
    lay(game, position)
    for name, seat, value in position.marks:
        game.keep_mark(name, seat, value)
    game.announce("layout")
    begin(game, position)


def deal(game: TableState, position: TablePosition) -> None:
    """Run the steps of the deal without events, and nothing that follows. Raises CaseError."""
    kept, game.listening, game.refusing = (game.listening, game.refusing), False, False
    course.begin(game, steps_code(game.program, game.program.play.phases[START].do, START, part="phases"), 0, {})
    course.run(game, lambda: None)
    game.listening, game.refusing = kept
    if game.window is not None or game.result_phase or WALL not in game.zones:
        raise CaseError(
            "no-quiet-deal",
            "the deal asks somebody, or ends the hand, before the layout can be applied",
            "let the deal only deal, and a phase after it ask",
        )
    for seat, hand in position.hands.items():
        expect_size(game, seat, hand, drawn=bool(position.phase))


def expect_size(game: TableState, seat: int, hand: Hand, *, drawn: bool) -> None:
    """Check that a hand has as many tiles as are dealt, or are in a form; if it may have `drawn`, one more, or one less
    than in a form. Raises CaseError."""
    judge, dealt = game.program.rules.judge, len(game.zones[HAND][seat])
    size, full = judge.size(hand), judge.full_sizes
    known = {dealt, dealt + 1, *full, *(number - 1 for number in full)}
    if not full or size == dealt or (drawn and size in known):
        return
    name = game.program.names[seat]
    if size not in known:
        error = wrong_size(hand, size, sorted(known))
        raise CaseError(error.code, f"{name}: {error.message}", error.hint)
    raise CaseError(
        "wrong-size",
        f"{name}: {size} tiles are held, but {dealt} are dealt",
        "what is drawn comes from the wall; for a hand that has drawn say where the play starts: {act: E}",
    )


def forget(game: TableState) -> None:
    """Forget replacement tiles drawn in the deal: they do not count as drawn."""
    game.tile, game.discarder, game.group = None, None, None
    game.drawn = [None] * game.program.count
    for seat in game.program.everyone:
        course.end_marks(game, Draw.declared.name, seat)


# --- tiles


def lay(game: TableState, position: TablePosition) -> None:
    """Put the tiles where the position says. Raises CaseError if it names too few of them."""
    wall = frozenset(game.zones[WALL][0])
    spots = {*position.places, *((MELDS, seat) for seat in position.melds)}
    before = {spot: list(game.zones[spot[0]][spot[1]]) for spot in position.places}
    for spot in spots:
        empty(game, spot)
    finder = TileFinder(game, spots)
    for spot, faces in position.places.items():
        for face in faces:
            placing.carry(game, finder.find(face), spot)
    for seat, melds in position.melds.items():
        for meld in melds:
            placing.lay(game, lying(game, finder, seat, meld))
    ends, coming = position.wall.ends, position.wall.coming
    front, back = [finder.find(face) for face in ends.front], [finder.find(face) for face in ends.back]
    kept = {
        spot: (tuple(map(finder.find, both.front)), tuple(map(finder.find, both.back))) for spot, both in coming.items()
    }
    for spot, tiles in before.items():
        fill(game, finder, spot, tiles)
    order_wall(game, front, back, wall)
    game.coming = {**game.coming, **kept}


def fill(game: TableState, finder: "TileFinder", spot: ZonePlace, before: list[int]) -> None:
    """Fill a place that nobody sees up to its former size, after the named tiles. Raises CaseError for another
    that would hold fewer."""
    zone, seat = spot
    row = game.zones[zone][seat]
    missing = len(before) - len(row)
    if missing <= 0 or zone in (HAND, BONUS):
        return
    if not placing.is_stock(game, spot):
        message = f"{zone}: {len(row)} tiles are named, but the deal puts {len(before)} there"
        raise CaseError("too-few-tiles", message, "name all tiles there")
    free = [tile for tile in game.zones[WALL][0] if tile not in finder.used]
    stay = [tile for tile in before if tile in free][-missing:]
    others = [tile for tile in reversed(free) if tile not in stay]
    for tile in [*(others[: missing - len(stay)]), *stay]:
        placing.carry(game, tile, spot)


def order_wall(game: TableState, front: list[int], back: list[int], wall: frozenset[int]) -> None:
    """Put the named tiles at the ends of the wall, those that came to it in its middle."""
    for tile in (*front, *back):
        placing.carry(game, tile, (WALL, 0))
    named = {*front, *back}
    row = game.zones[WALL][0]
    rest = [tile for tile in row if tile not in named]
    stayed, came = [tile for tile in rest if tile in wall], [tile for tile in rest if tile not in wall]
    half = len(stayed) // 2
    row[:] = [*front, *stayed[:half], *came, *stayed[half:], *reversed(back)]


@dataclass
class TileFinder:
    """Finds tiles that the position does not use yet: in the wall, else in places it does not mention."""

    game: TableState
    named: set[ZonePlace]
    used: set[int] = field(default_factory=set)

    def find(self, face: int) -> int:
        """A tile of this face, or an equivalent one, moved to the wall."""
        game, program = self.game, self.game.program
        alike = program.equivalents[program.alike[face]]
        free = [tile for tile in alike if tile not in self.used and game.where[tile] not in self.named]
        tile = min(free, key=lambda tile: (program.face[tile] != face, game.where[tile][0] != WALL))
        self.used.add(tile)
        if game.where[tile][0] != WALL:
            self.replace(tile)
        return tile

    def replace(self, tile: int) -> None:
        """Exchange the tile for one of the wall, of the same family if there is one."""
        game, family = self.game, self.game.program.family
        free = [other for other in game.zones[WALL][0] if other not in self.used]
        other = next((other for other in reversed(free) if family[other] == family[tile]), free[-1] if free else None)
        spot = game.where[tile]
        placing.carry(game, tile, (WALL, 0))
        if other is not None:
            placing.carry(game, other, spot)


def empty(game: TableState, spot: ZonePlace) -> None:
    """Move everything there to the wall."""
    zone, seat = spot
    tiles = [tile for member in game.zones[zone][seat] for tile in tiles_in(member)]
    for tile in tiles:
        placing.carry(game, tile, (WALL, 0))


def tiles_in(member: Any) -> tuple[int, ...]:
    return member.tiles if isinstance(member, TableMeld) else (member,)


def lying(game: TableState, finder: TileFinder, seat: int, meld: Meld) -> TableMeld:
    """A group of the position on the table."""
    tiles = [finder.find(face) for face in meld.tiles]
    left, wild, alike = list(tiles), [], game.program.alike
    for face, stands in meld.wild:
        tile = next(tile for tile in left if alike[tile] == alike[face])
        left.remove(tile)
        wild.append((tile, stands))
    return TableMeld(seat, meld.group, tuple(tiles), meld.exposed, tuple(wild), meld.discarder, hand=meld.hand)


# --- where play begins


def begin(game: TableState, position: TablePosition) -> None:
    """Continue with the next phase. Raises CaseError."""
    game.turn = game.turn if position.turn is None else position.turn
    if not position.phase:
        course.follow(game, Frame(game.program.phases[START], 0, {}), game.program.goal(after_deal(game)))
        return
    course.start(game, position.phase, game.turn)


def after_deal(game: TableState) -> Goal:
    goal = game.program.play.phases[START].then
    if goal is None:
        raise CaseError("no-start", "the deal does not lead to a phase", "say where the play starts: {act: E}")
    return goal
