"""Regrouping: what a group on the table becomes with another tile in it. Changes nothing."""

from dataclasses import replace

from tilewright.play.model.melds import TableMeld
from tilewright.play.program.program import Program


def changed(program: Program, group: TableMeld, gone: int, came: int) -> TableMeld:
    """The group with one tile in place of another, with its new kind."""
    found = refitted(program, group, gone, came)
    return group if found is None else found


def refitted(program: Program, group: TableMeld, gone: int, came: int) -> TableMeld | None:
    """The group with one tile in place of another; None if that is not a group."""
    stood = dict(group.wild).get(gone, program.plain[gone])
    tiles = tuple(came if tile == gone else tile for tile in group.tiles)
    rest = tuple(pair for pair in group.wild if pair[0] != gone)
    plain = program.plain[came]
    if plain == stood:
        return replace(group, tiles=tiles, wild=rest)
    if plain in program.groups.served(group.group).get(stood, ()):
        return replace(group, tiles=tiles, wild=(*rest, (came, stood)))
    stands = dict(rest)
    key = tuple(sorted(stands.get(tile, program.plain[tile]) for tile in tiles))
    index = program.rules.data.groups.by_tiles.get(key)
    return None if index is None else replace(group, group=index, tiles=tiles, wild=rest)


def completing(program: Program, group: TableMeld) -> tuple[int, ...]:
    """The plain tiles that complete the group's kind with the tiles from the hand."""
    given = [tile for tile in group.tiles if tile != group.claimed]
    stands = dict(group.wild)
    rest = sorted(stands.get(tile, program.plain[tile]) for tile in given)
    groups = program.rules.data.groups
    kinds = groups.groups[group.group].kinds | groups.groups[group.group].meld_kinds
    tiles = program.rules.data.tiles.tiles
    found = []
    for tile in tiles:
        index = groups.by_tiles.get(tuple(sorted([*rest, tile.index])))
        if index is not None and kinds & (groups.groups[index].kinds | groups.groups[index].meld_kinds):
            found.append(tile.index)
    return tuple(found)
