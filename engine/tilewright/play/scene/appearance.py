"""Appearance: how the tiles of a table lie, beyond their places: where in the wall tiles are missing, which discards
lie sideways, which tiles are worth more now. Decides nothing in a game.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from tilewright.play.model.melds import NOWHERE, ZonePlace
from tilewright.play.scene import visibility
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.state import TableState


def turn(game: TableState, tiles: Sequence[int], goal: ZonePlace) -> None:
    """Tiles have come to a place: the first lies sideways if its zone says so, and no other there does."""
    zone, seat = goal
    condition = game.program.data.zones[zone].sideways
    game.sideways.difference_update(tiles)
    if condition is None or not game.sideways.isdisjoint(game.zones[zone][seat]):
        return
    if game.program.evaluator(condition)(TableScene(game, seat), {}):
        game.sideways.add(tiles[0])


def sideways_json(game: TableState) -> dict[str, dict[str, int]]:
    """By zone and seat, the index of the tile that lies sideways."""
    found: dict[str, dict[str, int]] = {}
    for tile in game.sideways:
        zone, seat = game.where[tile]
        if zone != "melds" and game.program.data.zones[zone].sideways is not None:
            found.setdefault(zone, {})[game.program.names[seat]] = game.zones[zone][seat].index(tile)
    return found


def walls_json(game: TableState) -> dict[str, list[dict[str, Any]]]:
    """Each wall of the table from its front to its back, as it was shuffled: how many tiles of a zone lie there one
    after the other (`count`), a tile that everybody sees (`tile`), and tiles that are gone (no `zone`)."""
    return {
        zone: [run for piece, run in pieces(game, tiles)]
        for zone, tiles in game.built.items()
        if game.program.data.zones[zone].of == "table"
    }


def pieces(game: TableState, tiles: Sequence[int]) -> Iterator[tuple[tuple[str, int | None], dict[str, Any]]]:
    for piece, run in groupby(tiles, lambda tile: lying(game, tile)):
        count = len(list(run))
        zone, face = piece
        if face is not None:
            for _ in range(count):
                yield piece, {"zone": zone, "tile": game.program.code[face]}
        else:
            yield piece, {"zone": zone, "count": count} if zone else {"count": count}


def lying(game: TableState, tile: int) -> tuple[str, int | None]:
    """The zone of a tile of the wall that is still there, and its face if everybody sees it; \"\" if it is gone."""
    zone, _ = spot = game.where.get(tile, NOWHERE)
    declared = game.program.data.zones.get(zone)
    if declared is None or declared.of != "table" or declared.claimable:
        return "", None
    seen = visibility.seers_of(game, tile, spot) is None or game.shown.get(tile, 0) is None
    return zone, game.program.face[tile] if seen else None


def worth_more(game: TableState) -> list[str]:
    """The codes of tiles that are worth more now."""
    condition = game.program.data.scoring.worth_more
    if condition is None:
        return []
    holds, program = game.program.evaluator(condition), game.program
    first = {program.face[tile]: tile for tile in reversed(program.box)}
    return [
        program.code[face]
        for face, tile in sorted(first.items())
        if holds(TableScene(game, game.turn, {}, {"tile": (tile,)}), {})
    ]
