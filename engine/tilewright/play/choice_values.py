"""Values of a choice, each with its text, and the groups that a seat can make: of the tile in question, of its hand, of
a meld and one more tile. In: a table, a scene and a choice. Identical tiles of one place are one value.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import Any

from tilewright.play.model import TableMeld
from tilewright.play.operations import CompiledChoice
from tilewright.play.scene import TableScene
from tilewright.play.state import TableState

MOST_CHOICES = 2_000  # listed for one offer


def values_of(game: TableState, scene: TableScene, choosing: CompiledChoice) -> Iterable[tuple[Any, str]]:
    """What can be chosen, each with its text."""
    return VALUES[choosing.choose.kind](game, scene, choosing)


def tile_values(game: TableState, scene: TableScene, choosing: CompiledChoice) -> Iterator[tuple[Any, str]]:
    """Single tiles, identical ones of a place once; or several tiles in every combination."""
    lying = sorted(pool(scene, choosing), key=game.program.place.__getitem__)
    if choosing.choose.type == "tile":
        texts = {tile_text(game, tile, choosing, scene): tile for tile in reversed(lying)}
        drawn = game.drawn[scene.seat]
        if drawn in lying:  # of identical tiles, the one drawn last
            texts[tile_text(game, drawn, choosing, scene)] = drawn
        yield from (((tile,), text) for text, tile in reversed(texts.items()))
        return
    texts_of = [tile_text(game, tile, choosing, scene) for tile in lying]
    found = bounds(scene, choosing, len(lying))
    if found is None:
        return None
    least, most = found
    for number in range(least, most + 1):
        for chosen in distinct(texts_of, number):
            free = list(zip(texts_of, lying, strict=True))
            tiles = []
            for text in chosen:
                pair = next(pair for pair in free if pair[0] == text)
                free.remove(pair)
                tiles.append(pair[1])
            yield tuple(tiles), " ".join(chosen)


def distinct(texts: Sequence[str], number: int) -> Iterator[tuple[str, ...]]:
    """Every way to take a number of the texts; equal texts are interchangeable."""
    counts = list(Counter(texts).items())

    def take(at: int, left: int) -> Iterator[tuple[str, ...]]:
        if not left:
            yield ()
        elif at < len(counts):
            text, there = counts[at]
            for here in range(min(there, left), -1, -1):
                yield from ((text,) * here + rest for rest in take(at + 1, left - here))

    return take(0, number)


def bounds(scene: TableScene, choosing: CompiledChoice, there: int) -> tuple[int, int] | None:
    """The fewest and most tiles; None if no form is left to the hand."""
    if choosing.choose.kind == "form":
        return scene.game.judging.sizes_in_hand(scene, choosing.choose.form)
    most = there if choosing.most is None else max(0, int(choosing.most(scene, {})))
    least = most if choosing.least is None else max(0, int(choosing.least(scene, {})))
    return min(least, most), most


def pool(scene: TableScene, choosing: CompiledChoice) -> list[int]:
    """The tiles of the zone that a choice may be of."""
    game = scene.game
    tiles: Iterable[Any] = game.zones["hand"][scene.seat]
    if choosing.source is not None:
        tiles = choosing.source(scene, {})
    flat: list[int] = [t for member in tiles for t in (member.tiles if isinstance(member, TableMeld) else (member,))]
    if choosing.classes is None:
        return flat
    allowed_tiles = choosing.classes(scene, {})
    plain = game.program.plain
    face = game.program.face
    return [t for t in flat if face[t] in allowed_tiles or plain[t] in allowed_tiles]


def group_values(game: TableState, scene: TableScene, choosing: CompiledChoice) -> Iterator[tuple[Any, str]]:
    """Groups in the hand, or melds that get a tile of it."""
    choose = choosing.choose
    groups = (
        grown_groups(game, scene.seat, choose.group, choose.onto)
        if choose.onto
        else own_groups(game, scene, choose.group)
    )
    for group in groups:
        yield (group,), group_text(game, group)


def number_values(game: TableState, scene: TableScene, choosing: CompiledChoice) -> Iterator[tuple[Any, str]]:
    least = 0 if choosing.least is None else int(choosing.least(scene, {}))
    most = least if choosing.most is None else int(choosing.most(scene, {}))
    yield from ((number, str(number)) for number in range(least, min(most, least + MOST_CHOICES) + 1))


def seat_values(game: TableState, scene: TableScene, choosing: CompiledChoice) -> Iterator[tuple[Any, str]]:
    seats = () if choosing.seats is None else choosing.seats(scene, {})
    yield from (((seat,), game.program.names[seat]) for seat in seats)


def suit_values(game: TableState, scene: TableScene, choosing: CompiledChoice) -> Iterator[tuple[Any, str]]:
    yield from ((suit.id, suit.id) for suit in game.program.data.tiles.suits)


def flag_values(game: TableState, scene: TableScene, choosing: CompiledChoice) -> Iterator[tuple[Any, str]]:
    yield from ((True, "yes"), (False, "no"))


VALUES: dict[str, Callable[[TableState, TableScene, CompiledChoice], Iterable[tuple[Any, str]]]] = {
    "tiles": tile_values,
    "form": tile_values,
    "group": group_values,
    "number": number_values,
    "seat": seat_values,
    "suit": suit_values,
    "flag": flag_values,
}


def tile_text(game: TableState, tile: int, choosing: CompiledChoice, scene: TableScene) -> str:
    """The text of a chosen tile: its code, and its place if more than one is asked about."""
    code = game.program.code[tile]
    if choosing.near:
        return code
    zone, seat = game.where[tile]
    if seat == scene.seat and zone == "hand":
        return code
    name = game.program.names[seat]
    group = game.group_of(tile)
    if group is None:
        return f"{code}@{name}"
    return f"{code}@{name}.{game.zones['melds'][seat].index(group) + 1}"


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
