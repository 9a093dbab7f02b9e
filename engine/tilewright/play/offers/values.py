"""Values of a choice, each with its text. In: a table, a scene and a choice. Identical tiles of one place are one
value.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tilewright.play.model.melds import TableMeld
from tilewright.play.offers.groups import group_text, grown_groups, own_groups
from tilewright.play.program.compiled import CompiledChoice
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.state import TableState

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
