"""Melds: groups on the table, and what they would be with other tiles."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.play.program import Program

Spot = tuple[str, int]  # a zone, and whose it is (0 for one of the table)
NOWHERE: Spot = ("", 0)


@dataclass(frozen=True, slots=True)
class Lying:
    """A group on the table. `tiles` are tiles of the table; `wild`: which of them stand for which plain tile;
    `claimed`: the tile that came from another seat, `discarder`; `seen_by`: who sees the tiles, None: who sees the
    zone."""

    owner: int
    group: int
    tiles: tuple[int, ...]
    exposed: bool = True
    wild: tuple[tuple[int, int], ...] = ()
    discarder: int | None = None
    claimed: int | None = None
    seen_by: frozenset[int] | None = None

    @property
    def melded(self) -> bool:
        return True


def changed(program: "Program", group: Lying, gone: int, came: int) -> Lying:
    """The group with one tile in place of another, of the kind that it then is."""
    found = refitted(program, group, gone, came)
    return group if found is None else found


def refitted(program: "Program", group: Lying, gone: int, came: int) -> Lying | None:
    """The group with one tile in place of another; None where that is no group."""
    stood = dict(group.wild).get(gone, program.plain[gone])
    tiles = tuple(came if tile == gone else tile for tile in group.tiles)
    rest = tuple(pair for pair in group.wild if pair[0] != gone)
    plain = program.plain[came]
    if plain == stood:
        return Lying(
            group.owner, group.group, tiles, group.exposed, rest, group.discarder, group.claimed, group.seen_by
        )
    if plain in program.served(group.group).get(stood, ()):
        wild = (*rest, (came, stood))
        return Lying(
            group.owner, group.group, tiles, group.exposed, wild, group.discarder, group.claimed, group.seen_by
        )
    stands = dict(rest)
    key = tuple(sorted(stands.get(tile, program.plain[tile]) for tile in tiles))
    index = program.rules.data.groups.by_tiles.get(key)
    if index is None:
        return None
    return Lying(group.owner, index, tiles, group.exposed, rest, group.discarder, group.claimed, group.seen_by)


def completing(program: "Program", group: Lying) -> tuple[int, ...]:
    """The plain tiles that make the group's kind with what the hand gave to it."""
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
