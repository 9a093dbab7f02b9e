"""Placing: tiles of the table that go from place to place. Changes the game it is given; says nothing of it."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tilewright.play import chance, melds, walls
from tilewright.play.melds import NOWHERE, Lying, Spot
from tilewright.play.scene import TableScene

if TYPE_CHECKING:
    from tilewright.play.game import Game


def carry(game: "Game", tile: int, to: Spot) -> None:
    """A tile goes from where it lies to another place."""
    take_away(game, tile)
    zone, seat = to
    game.zones[zone][seat].append(tile)
    game.where[tile] = to
    if zone == "hand":
        count_in_hand(game, tile, seat, 1)


def count_in_hand(game: "Game", tile: int, seat: int, by: int) -> None:
    """A tile comes to a hand, or leaves it."""
    game.counts[seat][game.program.plain[tile]] += by
    game.spreads[seat][game.program.family[tile]] += by
    game.keys[seat] += by * game.program.blocks.weights[tile]


def take_away(game: "Game", tile: int) -> None:
    zone, seat = game.where.get(tile, NOWHERE)
    if zone == "melds":
        group = game.group_of(tile)
        assert group is not None
        rest = tuple(other for other in group.tiles if other != tile)
        row = game.zones["melds"][seat]
        if rest:
            row[row.index(group)] = replace(group, tiles=rest)
        else:
            row.remove(group)
    elif zone:
        row = game.zones[zone][seat]
        if row[0] == tile:
            del row[0]
        elif row[-1] == tile:
            row.pop()
        else:
            row.remove(tile)
        if zone == "hand":
            count_in_hand(game, tile, seat, -1)


def lay(game: "Game", group: Lying) -> None:
    """A group goes to the melds of its seat."""
    row = game.zones["melds"][group.owner]
    for tile in group.tiles:
        if game.where[tile][0] == "melds":
            old = game.group_of(tile)
            if old in row:
                row.remove(old)
        else:
            take_away(game, tile)
    for tile in group.tiles:
        game.where[tile] = ("melds", group.owner)
    row.append(group)


def exchange(game: "Game", one: int, other: int) -> None:
    """Two tiles change places."""
    places = [(tile, game.where[tile], game.group_of(tile)) for tile in (one, other)]
    for (tile, spot, group), (came, _, _) in zip(places, reversed(places), strict=True):
        zone, seat = spot
        row = game.zones[zone][seat]
        if group is not None:
            row[row.index(group)] = melds.changed(game.program, group, tile, came)
        else:
            row[row.index(tile)] = came
        game.where[came] = spot
        if zone == "hand":
            count_in_hand(game, tile, seat, -1)
            count_in_hand(game, came, seat, 1)


def fits_swapped(game: "Game", gone: int, came: int) -> bool:
    """Where the first tile lies, the other may."""
    group = game.group_of(gone)
    return group is None or melds.refitted(game.program, group, gone, came) is not None


def tiles_on_table(game: "Game", members: Iterable[Any]) -> tuple[int, ...]:
    """The tiles of the table among tiles and groups."""
    flat = [t for member in members for t in (member.tiles if isinstance(member, Lying) else (member,))]
    return tuple(tile for tile in flat if tile >= game.program.first)


def among(game: "Game", tiles: Iterable[Any], origins: Sequence[Spot]) -> list[int]:
    """Tiles that lie in these places; one that is only told by its face is the first like it there."""
    found: list[int] = []
    if isinstance(tiles, tuple) and len(tiles) == 1 and isinstance(tiles[0], int) and tiles[0] >= game.program.first:
        return [tiles[0]] if game.where.get(tiles[0]) in origins else found
    for tile in (t for member in tiles for t in (member.tiles if isinstance(member, Lying) else (member,))):
        if tile >= game.program.first:
            if game.where.get(tile) in origins:
                found.append(tile)
            continue
        lying = [t for zone, seat in origins for t in game.zones[zone][seat] if t not in found]
        meant = TableScene(game, 0).among(tile, lying)
        found.extend([] if meant is None else [meant])
    return found


def pick(game: "Game", origin: Spot, count: int, end: str, of: Set[int] | None) -> list[int] | None:
    """So many tiles of a place, of a class; None where it is empty and some are wanted."""
    there = game.there(origin)
    row = game.zones[origin[0]][origin[1]]
    if count <= 0:
        return []
    if there <= 0:
        return None
    free = list(row) if end == "back" else list(row[:there])
    if of is not None:
        free = [tile for tile in free if game.program.plain[tile] in of or game.program.face[tile] in of]
    if end == "random":
        chance.shuffle(free, game.stream())
    chosen = free[::-1][: min(count, there)] if end == "back" else free[:count]
    return chosen


def shuffle(game: "Game", spot: Spot, tiles: Sequence[int] | None) -> None:
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
    for tile in row:
        game.where[tile] = spot
        game.shown.pop(tile, None)
        game.opened.pop(tile, None)


def clear_zones(game: "Game") -> None:
    """Nothing lies anywhere."""
    for rows in game.zones.values():
        for row in rows:
            row.clear()
    clear_hands(game)


def clear_hands(game: "Game") -> None:
    """Every hand is empty."""
    game.counts = [[0] * game.program.first for _ in game.program.everyone]
    game.keys = [0] * game.program.count
    game.spreads = [[0] * game.program.sizes.count for _ in game.program.everyone]


def weigh_hands(game: "Game") -> None:
    """The numbers of the hands, where other tiles are wild than before."""
    weights = game.program.blocks.weights
    if "hand" in game.zones:
        game.keys = [sum([weights[tile] for tile in hand]) for hand in game.zones["hand"]]


def fill_zones(game: "Game", shuffled: str) -> None:
    """Zones take what they are filled with."""
    for zone in game.program.rules.data.zones.values():
        if zone.takes is not None and zone.takes.source in ("", shuffled):
            for seat in range(len(game.zones[zone.id])):
                count = int(game.program.answer(zone.takes.count)(TableScene(game, seat), {}))
                taken = pick(game, (shuffled, 0), count, zone.takes.end, None) or []
                if game.coming:
                    taken = walls.instead(game, taken, (shuffled, 0), (zone.id, seat), zone.takes.end)
                for tile in taken:
                    carry(game, tile, (zone.id, seat))
