"""Placing: tiles move between places, walls are shuffled and filled from or laid as a layout says, and how tiles lie
beyond their places: where in the wall tiles are missing, which discards lie sideways, which tiles are worth more now.

Changes the table it is given, without events. The front of a wall is its first tile, where tiles are dealt and drawn; a
replacement, and a zone that `takes` from the back, has the last one first. Tiles named for a place are reserved for it:
they come there in their order, and anything else that takes unseen tiles skips them as long as others are left.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby
from typing import Any

from tilewright.play import chance, visibility
from tilewright.play.layout import HAND, WALL, HandStart, LaidWall, read_wall
from tilewright.play.model import NOWHERE, Detail, TableDiscard, TableMeld, ZonePlace
from tilewright.play.program import refitted, regrouped
from tilewright.play.scene import TableScene
from tilewright.play.state import TableState


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
            row[row.index(group)] = regrouped(game.program, group, tile, came)
        else:
            row[row.index(tile)] = came
        game.where[came] = spot
        if zone == "hand":
            count_in_hand(game, tile, seat, -1)
            count_in_hand(game, came, seat, 1)


def fits_swapped(game: TableState, gone: int, came: int) -> bool:
    """Whether the second tile may be where the first is."""
    group = game.group_of(gone)
    return group is None or refitted(game.program, group, gone, came) is not None


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
                exchange(game, left, tile)
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
