"""Shuffling: tiles into a zone in random order, then the zones that are filled from it. Changes the table."""

from collections.abc import Sequence

from tilewright.play.model.melds import ZonePlace
from tilewright.play.scene import walls
from tilewright.play.scene.placing import carry, clear_zones, pick
from tilewright.play.scene.scene import TableScene
from tilewright.play.state import chance
from tilewright.play.state.state import TableState


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
        wall = walls.wall_of_hand(game)
        row = row if wall is None else walls.arranged(game, row, wall)
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
                    taken = walls.instead(game, taken, (shuffled, 0), (zone.id, seat), zone.takes.end)
                for tile in taken:
                    carry(game, tile, (zone.id, seat))
