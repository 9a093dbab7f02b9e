"""The `tiles` section of a ruleset in, its tile set out.

Assumes the shape of the schema, and that every `if` has been folded away; reports the problems that only show here
(codes, counts, names) together. Knows no groups and no game.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Table
from dataclasses import replace

from tilewright.base.document import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.base.spelling import hint
from tilewright.language.documents.options import OptionSetting
from tilewright.language.expressions.tile_classes import TileClasses, is_tile_word, scalars, unknown_tile
from tilewright.language.sections.tile_box import (
    Number,
    TileBox,
    declared,
    place_at,
    section_of,
    signs_of,
    text_at,
    too_many_tiles,
)
from tilewright.language.sections.tile_faces import looks_of
from tilewright.language.vocabulary.words import WORDS
from tilewright.tiles.notation import fold
from tilewright.tiles.tileset import Tile, TileSet, Wild


def build_tiles(
    section: Mapping,
    number: Number,
    options: Table[str, OptionSetting],
    seats: Mapping | None = None,
    removed: frozenset[str] = frozenset(),
    *,
    zones: Iterable[str] = (),
    words: Iterable[str] = (),
    of_seats: Iterable[str] = (),
) -> TileSet:
    """The tile set that the section declares. Raises RulesetError with every problem.

    `number` evaluates a number or an expression over options. `seats` is the section of that name: its `winds` assign
    winds to seats. `removed`: names and codes that an `if` removed (`removed_names`). `zones`: ids of zones, for `in`
    of wild tiles. `words`: marks that name tiles, `of_seats` those that differ between seats.
    """
    box = TileBox(section, number, options, removed)
    box.fill()
    stop_at(box.problems)
    give_to_seats(box, seats)
    classes = classes_of(box, frozenset(words))
    named = {name: classes.called(name, place_at(section, "classes") or section.place) for name in class_names(box)}
    wild = tuple(wild_tiles(section, classes, frozenset(zones)))
    box.problems.extend(wild_of_seats(section, wild, frozenset(of_seats)))
    order = order_of(box)
    string_order = string_order_of(box, order)
    looks = looks_of(box, named)
    if box.is_full():
        box.problems.append(too_many_tiles(section.place))
    stop_at(box.problems)
    return TileSet(
        tiles=tuple(box.tiles),
        suits=tuple(box.suits),
        families=box.families,
        classes=named,
        order=order,
        string_order=string_order,
        rank_signs=box.signs,
        wild=wild,
        aliases=aliases(box),
        emblems=looks.emblems,
        faces=looks.faces,
        titles=looks.titles,
        names=looks.names,
    )


def tiles_of(document: Mapping, full: Mapping, number: Number, options: Table[str, OptionSetting]) -> TileSet:
    """The tile set of a whole document; `full`: the same before `if` removed anything."""
    marks = {
        name: text_at(mark, "of")
        for name, mark in section_of(document, "marks").items()
        if isinstance(mark, Mapping) and text_at(mark, "is") == "tiles"
    }
    return build_tiles(
        section_of(document, "tiles"),
        number,
        options,
        section_of(document, "seats"),
        removed_names(full, document),
        zones=section_of(document, "zones").entries,
        words=marks,
        of_seats=[name for name, of in marks.items() if of == "seat"],
    )


def removed_names(full: Mapping, document: Mapping) -> frozenset[str]:
    """Names and codes of tiles that are in the full document but not in the folded one."""
    return frozenset(tile_names(full)) - frozenset(tile_names(document))


def tile_names(document: Mapping) -> Iterator[str]:
    """Every name and code of tiles that the document declares, marks included."""
    section = section_of(document, "tiles")
    yield from section_of(document, "marks").entries
    for part in ("suits", "unranked", "special", "classes"):
        yield from section_of(section, part).entries
    for _, family in declared(section, "unranked"):
        yield from (item.text for item in scalars(family.get("codes")))
    for _, special in declared(section, "special"):
        yield from section_of(special, "codes").entries
    for _, suit in declared(section, "suits"):
        yield from (sign + text_at(suit, "code") for sign in signs_of(section))


def stop_at(problems: Iterable[Problem]) -> None:
    """Raise the problems, each once and in the order of their documents, if there are any."""
    if found := sorted(dict.fromkeys(problems), key=where):
        raise RulesetError(found)


def where(problem: Problem) -> tuple[str, int, int]:
    """Source, line and column."""
    place = problem.place
    return (place.source.name, place.line, place.column) if place else ("", 0, 0)


def give_to_seats(box: TileBox, seats: Mapping | None) -> None:
    """Assign the nth tile of a family with `seats` to the seat with the nth wind of that list."""
    winds = None if seats is None else {wind: seat for seat, wind in enumerate(listed(box, seats.get("winds")))}
    for key, node in declared(box.section, "unranked"):
        given = list(listed(box, node.get("seats")))
        members = [tile for tile in box.tiles if tile.family == key.text and given]
        for nth, tile in enumerate(members):
            place = nth % len(given)
            box.tiles[tile.index] = replace(tile, seat=place if winds is None else winds.get(given[place]))


def listed(box: TileBox, node: Node | None) -> Iterator[int]:
    """The tiles of a list of codes and families, in order, without removed ones."""
    for item in scalars(node):
        if item.text in box.codes:
            yield box.codes[item.text]
        elif item.text in box.families:
            yield from box.families[item.text]
        elif item.text not in box.removed:
            box.problems.append(unknown_tile(item, [*box.codes, *box.families]))


def classes_of(box: TileBox, words: frozenset[str]) -> TileClasses:
    """Every name that stands for tiles."""
    lists = {name: node for name, node in section_of(box.section, "classes").items() if isinstance(node, Sequence)}
    classes = TileClasses(
        codes=box.codes,
        tiles=box.tiles,
        families=box.families,
        lists=lists,
        special=lambda name: box.special(name, classes),
        words=words,
        removed=box.removed,
        ranks=frozenset(rank for suit in box.suits for rank in suit.ranks),
        lacking=box.lacking,
        problems=box.problems,
    )
    return classes


def class_names(box: TileBox) -> Iterator[str]:
    """Every name that an expression may use for tiles."""
    yield from (*box.families, "suited")
    yield from (key.text for key, _ in declared(box.section, "special"))
    yield from (name for name, node in section_of(box.section, "classes").items() if isinstance(node, Sequence))


def wild_tiles(section: Mapping, classes: TileClasses, zones: frozenset[str]) -> Iterator[Wild]:
    """The wild tiles; `in` lists kinds of groups and zones."""
    for key, node in declared(section, "wild"):
        places = frozenset(item.text for item in scalars(node.get("in")))
        yield Wild(
            key.text, classes.of(node.get("tiles")), classes.of(node.get("stands_for")), places - zones, places & zones
        )


def wild_of_seats(section: Mapping, wild: Iterable[Wild], of_seats: frozenset[str]) -> Iterator[Problem]:
    """Check that wild tiles are the same for every seat."""
    for one in wild:
        node = section_of(section_of(section, "wild"), one.id)
        for key, members in (("tiles", one.tiles), ("stands_for", one.stands_for)):
            place = place_at(node, key)
            differs = next((word for word in members.words if word in of_seats or is_of_seat(word)), None)
            if differs is not None and place is not None:
                yield wild_of_a_seat(differs, place)


def is_of_seat(name: str) -> bool:
    """Whether the word names tiles that differ between seats or during a hand."""
    return is_tile_word(name) and (WORDS[name].personal or WORDS[name].told_by != "table")


def order_of(box: TileBox) -> tuple[int, ...]:
    """Indices in the order of a sorted hand: families as in `notation`, then as declared; ranks ascending, a special
    after the tile that it equals."""
    first = list(scalars(section_of(box.section, "notation").get("order")))
    box.problems.extend(
        unknown_family(item, box.families)
        for item in first
        if item.text not in box.families and item.text not in box.removed
    )
    families = dict.fromkeys([*(item.text for item in first if item.text in box.families), *box.families])
    places = {name: place for place, name in enumerate(families)}
    return tuple(tile.index for tile in sorted(box.tiles, key=lambda tile: sort_key(tile, places)))


def string_order_of(box: TileBox, order: tuple[int, ...]) -> tuple[int, ...]:
    """Indices in the order of tile strings: families and tiles as in `notation`, then as in a sorted hand."""
    first = listed(box, section_of(box.section, "notation").get("string_order"))
    return tuple(dict.fromkeys([*first, *order]))


def sort_key(tile: Tile, places: Table[str, int]) -> tuple[int, int, int]:
    """Family, then rank or place in the family, then plain before special."""
    anchor = tile.plain if tile.marks else tile.index
    return places[tile.family], anchor if tile.rank is None else tile.rank, tile.index


def aliases(box: TileBox) -> dict[str, int]:
    """Other spellings of tiles. A spelling of a tile that this game lacks names nothing."""
    also = section_of(section_of(box.section, "notation"), "also")
    return {fold(text): box.codes[code] for text in also.entries if (code := text_at(also, text)) in box.codes}


def wild_of_a_seat(word: str, place: Place) -> Problem:
    return Problem(
        "wild-of-a-seat",
        f"wild tiles are the same for every seat, and '{word}' is not",
        place,
        "name tiles, the wind of the round, or a mark of the table",
    )


def unknown_family(item: Scalar, families: Iterable[str]) -> Problem:
    return Problem(
        "unknown-family", f"no family of tiles is called '{item.text}'", item.place, hint(item.text, families)
    )
