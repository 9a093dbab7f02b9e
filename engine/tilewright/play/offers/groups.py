"""Groups that a seat can make: of the tile in question, of its hand, of a meld and one more tile."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement, product

from tilewright.play.model.melds import TableMeld
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.state import TableState


def claimed_groups(game: TableState, seat: int, kind: str) -> Iterator[TableMeld]:
    """Every group of a kind that the tile in question makes with tiles of the hand."""
    tile = game.tile
    if tile is None:
        return
    for way in game.program.groups.held_ways(kind, game.program.plain[tile], game.counts[seat]):
        stands = ((tile, way.stands),) if way.stands != game.program.plain[tile] else ()
        for tiles, wild in fillings(game, seat, way.group, way.rest):
            lying = in_order(game, (tile, *tiles), dict((*stands, *wild)))
            yield TableMeld(seat, way.group, lying, True, (*stands, *wild), game.discarder, tile)


def own_groups(game: TableState, scene: TableScene, kind: str) -> Iterator[TableMeld]:
    """Every group of a kind that the hand holds."""
    seat = scene.seat
    for group, rest in game.program.groups.in_hand(kind, game.counts[seat]):
        for tiles, wild in fillings(game, seat, group, rest):
            yield TableMeld(seat, group, in_order(game, tiles, dict(wild)), False, wild)


def grown_groups(game: TableState, seat: int, kind: str, onto: str) -> Iterator[TableMeld]:
    """Every meld of kind `onto` that a tile of the hand makes into the kind. The tile is `claimed`."""
    groups = game.program.data.groups.groups
    for meld in game.zones["melds"][seat]:
        declared = groups[meld.group]
        if onto in declared.kinds | declared.meld_kinds:
            for group, wanted in game.program.groups.grown(kind, meld.group):
                for tiles, wild in fillings(game, seat, group, ((wanted, 1),)):
                    every = (*meld.wild, *wild)
                    lying = in_order(game, (*meld.tiles, *tiles), dict(every))
                    yield replace(meld, group=group, tiles=lying, wild=every, claimed=tiles[0])


def fillings(
    game: TableState, seat: int, group: int, rest: tuple[tuple[int, int], ...]
) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]:
    """Every way to take these plain tiles from the hand, wild ones in place of some: tiles, what they stand for."""
    program, served = game.program, game.program.groups.served(group)
    if not served and not program.several_faces:
        if all(game.counts[seat][wanted] >= number for wanted, number in rest):
            yield plainly_filled(game, seat, rest), ()
        return
    faces: dict[int, list[int]] = {}
    for tile in game.zones["hand"][seat]:
        faces.setdefault(program.face[tile], []).append(tile)
    ways = []
    for wanted, number in rest:
        helpers = served.get(wanted, ())
        fitting = [f for f in faces if program.plain[f] == wanted or program.plain[f] in helpers]
        ways.append([(wanted, chosen) for chosen in combinations_with_replacement(sorted(fitting), number)])
    for choice in product(*ways):
        used = Counter(face for _, chosen in choice for face in chosen)
        if all(number <= len(faces[face]) for face, number in used.items()):
            free = {face: iter(faces[face]) for face in used}
            tiles = [(next(free[face]), wanted) for wanted, chosen in choice for face in chosen]
            wild = tuple((tile, wanted) for tile, wanted in tiles if program.plain[tile] != wanted)
            yield tuple(tile for tile, _ in tiles), wild


def plainly_filled(game: TableState, seat: int, rest: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The first such tiles of the hand."""
    plain, hand = game.program.plain, game.zones["hand"][seat]
    return tuple([tile for wanted, number in rest for tile in [t for t in hand if plain[t] == wanted][:number]])


def in_order(game: TableState, tiles: Iterable[int], wild: Mapping[int, int]) -> tuple[int, ...]:
    """The tiles in the order of their group."""
    place = game.program.place
    return tuple(sorted(tiles, key=lambda tile: (place[wild.get(tile, game.program.plain[tile])], tile in wild)))


def group_text(game: TableState, group: TableMeld) -> str:
    """The text of a chosen group."""
    stands, code = dict(group.wild), game.program.code
    return " ".join(f"{code[t]}={code[stands[t]]}" if t in stands else code[t] for t in group.tiles)
