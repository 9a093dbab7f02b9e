"""Placing: tiles move between places. Changes the table it is given, without events."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Any

from tilewright.play.model.melds import NOWHERE, TableDiscard, TableMeld, ZonePlace
from tilewright.play.scene import regroup
from tilewright.play.scene.scene import TableScene
from tilewright.play.state import chance
from tilewright.play.state.state import TableState


def carry(game: TableState, tile: int, to: ZonePlace) -> None:
    """Move a tile to another place."""
    take_away(game, tile)
    zone, seat = to
    game.zones[zone][seat].append(tile)
    game.where[tile] = to
    if zone == "hand":
        count_in_hand(game, tile, seat, 1)


def count_in_hand(game: TableState, tile: int, seat: int, by: int) -> None:
    """Count a tile that comes to a hand or leaves it."""
    game.counts[seat][game.program.plain[tile]] += by
    game.spreads[seat][game.program.family[tile]] += by
    game.keys[seat] += by * game.program.blocks.weights[tile]
    game.fresh[seat] = False


def is_just_drawn(game: TableState, tile: int) -> bool:
    """Whether a tile is the last that its hand has drawn, and the hand has not changed since."""
    zone, seat = game.where.get(tile, NOWHERE)
    return zone == "hand" and game.fresh[seat] and game.drawn[seat] == tile


def note_discard(game: TableState, tile: int, seat: int, goal: ZonePlace) -> None:
    """Note that a tile is about to come to where others may claim it: from a place of its own seat, or by `seat`."""
    zone, owner = game.where.get(tile, NOWHERE)
    of_seat = zone in game.zones and game.program.data.zones[zone].of == "seat"
    game.discards.pop(tile, None)
    game.discards[tile] = TableDiscard(owner if of_seat else seat, goal, is_just_drawn(game, tile))


def take_away(game: TableState, tile: int) -> None:
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


def lay(game: TableState, group: TableMeld) -> None:
    """Add a group to the melds of its seat."""
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


def exchange(game: TableState, one: int, other: int) -> None:
    """Two tiles change places."""
    places = [(tile, game.where[tile], game.group_of(tile)) for tile in (one, other)]
    for (tile, spot, group), (came, _, _) in zip(places, reversed(places), strict=True):
        zone, seat = spot
        row = game.zones[zone][seat]
        if group is not None:
            row[row.index(group)] = regroup.changed(game.program, group, tile, came)
        else:
            row[row.index(tile)] = came
        game.where[came] = spot
        if zone == "hand":
            count_in_hand(game, tile, seat, -1)
            count_in_hand(game, came, seat, 1)


def fits_swapped(game: TableState, gone: int, came: int) -> bool:
    """Whether the second tile may be where the first is."""
    group = game.group_of(gone)
    return group is None or regroup.refitted(game.program, group, gone, came) is not None


def tiles_on_table(game: TableState, members: Iterable[Any]) -> tuple[int, ...]:
    """The tiles of the table among tiles and groups."""
    flat = [t for member in members for t in (member.tiles if isinstance(member, TableMeld) else (member,))]
    return tuple(tile for tile in flat if tile >= game.program.first)


def among(game: TableState, tiles: Iterable[Any], origins: Sequence[ZonePlace]) -> list[int]:
    """Tiles in these places; one known only by its face is the first like it there."""
    found: list[int] = []
    if isinstance(tiles, tuple) and len(tiles) == 1 and isinstance(tiles[0], int) and tiles[0] >= game.program.first:
        return [tiles[0]] if game.where.get(tiles[0]) in origins else found
    for tile in (t for member in tiles for t in (member.tiles if isinstance(member, TableMeld) else (member,))):
        if tile >= game.program.first:
            if game.where.get(tile) in origins:
                found.append(tile)
            continue
        lying = [t for zone, seat in origins for t in game.zones[zone][seat] if t not in found]
        meant = TableScene(game, 0).among(tile, lying)
        found.extend([] if meant is None else [meant])
    return found


def pick(game: TableState, origin: ZonePlace, count: int, end: str, of: Set[int] | None) -> list[int] | None:
    """So many tiles of a place, of a class; None if it is empty and some are needed."""
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


def clear_zones(game: TableState) -> None:
    """Empty every zone."""
    for rows in game.zones.values():
        for row in rows:
            row.clear()
    game.clear_hands()


def weigh_hands(game: TableState) -> None:
    """Recount the hands after the wild tiles have changed."""
    weights = game.program.blocks.weights
    if "hand" in game.zones:
        game.keys = [sum([weights[tile] for tile in hand]) for hand in game.zones["hand"]]
