"""Walls: tiles shuffled into a zone, then the zones that are filled from it; and walls of a layout, with the tiles that
are at their ends or reserved for a place. Changes the table it is given.

The front of a wall is its first tile, where tiles are dealt and drawn; a replacement, and a zone that `takes` from the
back, has the last one first. Tiles named for a place are reserved for it: they come there in their order, and anything
else that takes unseen tiles skips them as long as others are left.
"""

from collections.abc import Iterable, Sequence

from tilewright.play.model.events import Detail
from tilewright.play.model.layout import HAND, WALL, HandStart, LaidWall, read_wall
from tilewright.play.model.melds import ZonePlace
from tilewright.play.scene import placing
from tilewright.play.scene.placing import carry, clear_zones, pick
from tilewright.play.scene.scene import TableScene
from tilewright.play.state import chance
from tilewright.play.state.state import TableState


def wall_of_hand(game: TableState) -> LaidWall | None:
    """The wall that the layout has for this hand, if any. Raises CaseError if a function gave a wrong one."""
    walls = () if game.layout is None else game.layout.walls
    if not callable(walls):
        return walls[game.hand_number] if game.hand_number < len(walls) else None
    given = walls(start_of(game))
    if given is None:
        return None
    wall = read_wall(game.program.data, given, f"wall of hand {game.hand_number + 1}")
    detail: Detail = (("wall", wall.written),)
    game.announce("wall", None, (), detail, frozenset())
    return wall


def start_of(game: TableState) -> HandStart:
    """The argument of a function that gives walls."""
    marks = {name: value for name, value in game.match_marks.items() if value is not None}
    return HandStart(game.hand_number + 1, game.round + 1, game.dealership, game.dealer, game.scores, game.pot, marks)


def arranged(game: TableState, row: Sequence[int], wall: LaidWall) -> list[int]:
    """A shuffled row with the tiles of the wall at its ends, and reserved ones among the rest."""
    left = list(row)
    front, back = taken(game, left, wall.ends.front), taken(game, left, wall.ends.back)
    coming = {spot: (taken(game, left, ends.front), taken(game, left, ends.back)) for spot, ends in wall.coming.items()}
    named = {*front, *back}
    game.coming = coming
    return [*front, *(tile for tile in row if tile not in named), *reversed(back)]


def taken(game: TableState, left: list[int], faces: Iterable[int]) -> tuple[int, ...]:
    """Take tiles of these faces, or equivalent ones, out of those left."""
    found = []
    alike = game.program.alike
    for face in faces:
        tile = min(
            (tile for tile in left if alike[tile] == alike[face]),
            key=lambda tile: game.program.face[tile] != face,
        )
        left.remove(tile)
        found.append(tile)
    return tuple(found)


# --- reserved tiles


def instead(game: TableState, picked: Sequence[int], origin: ZonePlace, goal: ZonePlace, end: str) -> list[int]:
    """The tiles that move instead of those picked: first those reserved for the goal."""
    if not is_stock(game, origin):
        return list(picked)
    coming = due(game, origin, goal, end, len(picked))
    rest = picked if is_stock(game, goal) else for_anybody(game, picked, origin, end)
    found = [*coming, *(tile for tile in rest if tile not in coming)][: len(picked)]
    stay = [tile for tile in picked if tile not in found]
    for tile in found:
        if tile not in picked:
            left = stay.pop()
            if game.where[tile] != origin:
                placing.exchange(game, left, tile)
    return found


def due(game: TableState, origin: ZonePlace, goal: ZonePlace, end: str, most: int) -> tuple[int, ...]:
    """Take the next tiles reserved for a place."""
    if goal not in game.coming:
        return ()
    front, back = (still_there(game, tiles) for tiles in game.coming[goal])
    if back and goal[0] == HAND and (origin[0] != WALL or end == "back"):
        game.coming[goal] = front, back[most:]
        return back[:most]
    game.coming[goal] = front[most:], back
    return front[:most]


def still_there(game: TableState, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Those that nobody has taken or seen."""
    return tuple(tile for tile in tiles if is_stock(game, game.where[tile]))


def is_stock(game: TableState, spot: ZonePlace) -> bool:
    """Whether players get tiles of this place by chance."""
    return game.program.data.zones[spot[0]].seen_by == "nobody"


def for_anybody(game: TableState, picked: Sequence[int], origin: ZonePlace, end: str) -> list[int]:
    """The tiles picked, those after them, then unseen ones of other places; reserved ones last."""
    kept = {tile for front, back in game.coming.values() for tile in (*front, *back)}
    row = game.zones[origin[0]][origin[1]]
    zones = [zone for zone in game.program.data.zones.values() if zone.of == "table" and zone.seen_by == "nobody"]
    tiles = [*picked, *(row[::-1] if end == "back" else row)]
    tiles += [tile for zone in zones for tile in game.zones[zone.id][0]]
    return sorted(dict.fromkeys(tiles), key=kept.__contains__)


def shuffle(game: TableState, spot: ZonePlace, tiles: Sequence[int] | None) -> None:
    """Every tile, or these, into a place in random order."""
    zone, seat = spot
    for tile in tiles or ():
        if game.where[tile] != spot:
            carry(game, tile, spot)
    row = list(game.program.box if tiles is None else game.zones[zone][seat])
    if tiles is None:
        clear_zones(game)
    chance.shuffle(row, game.stream())
    if tiles is None and game.awaits_wall:
        game.awaits_wall = False
        wall = wall_of_hand(game)
        row = row if wall is None else arranged(game, row, wall)
    game.zones[zone][seat] = row
    game.built[zone] = tuple(row)
    for tile in row:
        game.where[tile] = spot
        game.shown.pop(tile, None)
        game.opened.pop(tile, None)
        game.discards.pop(tile, None)
        game.sideways.discard(tile)


def fill_zones(game: TableState, shuffled: str) -> None:
    """Zones take what they are filled with."""
    for zone in game.program.rules.data.zones.values():
        if zone.takes is not None and zone.takes.source in ("", shuffled):
            for seat in range(len(game.zones[zone.id])):
                count = int(game.program.evaluator(zone.takes.count)(TableScene(game, seat), {}))
                taken = pick(game, (shuffled, 0), count, zone.takes.end, None) or []
                if game.coming:
                    taken = instead(game, taken, (shuffled, 0), (zone.id, seat), zone.takes.end)
                for tile in taken:
                    carry(game, tile, (zone.id, seat))
