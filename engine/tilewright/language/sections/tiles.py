"""The `tiles` section of a ruleset in, its tile set out.

Assumes the shape of the schema, and that every `if` has been folded away; reports the problems that only show here
(codes, counts, names, unknown emblems, signs that do not fit) together. Undeclared names of tiles are reported
elsewhere, and those that an `if` removed are skipped. Knows no groups and no game.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace

from tilewright.base.document import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.base.spelling import closest, hint
from tilewright.language.documents.fields import texts
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
from tilewright.language.vocabulary.words import WORDS
from tilewright.tiles.notation import INVISIBLE, fold
from tilewright.tiles.tileset import EMBLEMS, MOST_SIGNS, Text, Tile, TileSet, Wild, numeral


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


# --- looks and names

RANK, NUMERAL, NAME = "{rank}", "{numeral}", "{name}"
AROUND = " ,;:，、；："  # separators around a blank
BLANKS = (RANK, NUMERAL, NAME)
FIRST_IDEOGRAPH = "\u2e80"  # scripts from here on use no spaces


@dataclass(frozen=True, slots=True)
class TileFaces:
    """`emblems`: of suits; `faces`: of single tiles; `titles`: of suits, families and classes; `names`: of tiles."""

    emblems: Table[str, str]
    faces: Table[int, str]
    titles: Table[str, Text]
    names: Table[int, Text]


def looks_of(box: TileBox, classes: Iterable[str]) -> TileFaces:
    """The looks of all tiles; problems go to the box. `classes`: other things that may have a name."""
    faces, names = section_of(box.section, "faces"), section_of(box.section, "names")
    suits = {suit.id for suit in box.suits}
    emblems = {
        name: node.text for name, node in faces.items() if name in suits and isinstance(node, Scalar) and node.value
    }
    box.problems.extend(problems_of_faces(box, faces, suits))
    titled = {*box.families, *classes}
    titles = {name: title for name, node in names.items() if name in titled and (title := title_of(texts(node)))}
    return TileFaces(emblems, dict(faces_of(box, faces, suits)), titles, dict(names_of(box, names)))


# --- faces


def faces_of(box: TileBox, faces: Mapping, suits: set[str]) -> Iterator[tuple[int, str]]:
    """Tiles with a face of their own: from their family, then their special, then their code."""
    for name, node in faces.items():
        if name not in suits and name not in box.codes:
            tiles = members(box, name)
            signs = [item.text for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
            alone = [node.text] * len(tiles) if isinstance(node, Scalar) and node.value is not None else []
            yield from zip((tile.index for tile in tiles), signs or alone, strict=False)
    for name, node in faces.items():
        if name in box.codes and isinstance(node, Scalar) and node.value is not None:
            yield box.codes[name], node.text


def members(box: TileBox, name: str) -> list[Tile]:
    """The tiles of a family, identical ones one by one, in the order of their codes; or those of a special."""
    family = [tile for tile in box.tiles if tile.family == name and not tile.marks]
    return family or [tile for tile in box.tiles if name in tile.marks]


def problems_of_faces(box: TileBox, faces: Mapping, suits: set[str]) -> Iterator[Problem]:
    """Faces that cannot be drawn, and lists that are too long or too short."""
    for name, node in faces.items():
        if isinstance(node, Sequence) and (name in suits or name in box.codes):
            yield one_face(name, node)
        elif isinstance(node, Sequence):
            yield from wrong_count(box, name, node)
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Scalar) and item.value is not None:
                yield from problems_of_face(item)


def wrong_count(box: TileBox, name: str, signs: Sequence) -> Iterator[Problem]:
    """Check that there is one sign for each tile, if both are in one document; for the tiles of another one, signs may
    be missing."""
    tiles = members(box, name)
    declared = section_of(section_of(box.section, "unranked"), name).get("codes")
    together = declared is None or declared.place.source == signs.place.source
    if tiles and together and len(tiles) != len(signs.items):
        yield Problem(
            "wrong-number-of-signs",
            f"{name} has {len(tiles)} tiles, and here are {len(signs.items)} signs",
            signs.place,
            "a sign for each tile in the order of their codes, or one text for all",
        )


def problems_of_face(item: Scalar) -> Iterator[Problem]:
    """Check that it is a known emblem, or a short visible sign."""
    sign = item.text
    if sign in EMBLEMS:
        return
    if not sign.strip() or any(one in INVISIBLE or not one.isprintable() for one in sign):
        yield Problem("bad-sign", f"'{sign}' cannot be seen on a tile", item.place, signs_are())
    elif len(sign) > MOST_SIGNS:
        near = closest(sign, EMBLEMS)
        yield Problem(
            "unknown-emblem",
            f"no emblem is called '{sign}'",
            item.place,
            f"did you mean {near!r}?" if near else signs_are(),
        )


def signs_are() -> str:
    return f"a sign is at most {MOST_SIGNS} characters; emblems are {', '.join(EMBLEMS)}"


def one_face(name: str, node: Node) -> Problem:
    return Problem(
        "one-face",
        f"{name} has one face, not several",
        node.place,
        "a suit has one emblem or sign, which its ranks are drawn with; a single tile is named by its code",
    )


# --- names


def names_of(box: TileBox, names: Mapping) -> Iterator[tuple[int, Text]]:
    """The names of tiles: from their family with rank or place, then for specials from their tile, then from their
    code."""
    given = {name: found for name, node in names.items() if (found := texts(node))}
    by_family: dict[int, Text] = {}
    for family in {tile.family: None for tile in box.tiles}:
        if family in given:
            by_family.update(named_in_family(members(box, family), given[family]))
    by_code = {box.codes[name]: texts for name, texts in given.items() if name in box.codes}
    known = by_family | by_code
    for tile in box.tiles:
        special = next((given[mark] for mark in sorted(tile.marks) if mark in given), None)
        if special and tile.index not in by_code:
            known[tile.index] = dict(
                named_specially(special, known.get(tile.plain, {"en": box.tiles[tile.plain].code}))
            )
    yield from known.items()


def named_in_family(tiles: list[Tile], texts: Text) -> Iterator[tuple[int, Text]]:
    """Tiles named by their rank, or by their place if there are several tiles without ranks."""
    for place, tile in enumerate(tiles, 1):
        number = place if tile.rank is None else tile.rank
        alone = tile.rank is None and len(tiles) == 1
        yield tile.index, {language: filled(text, number, alone) for language, text in texts.items()}


def filled(text: str, number: int, alone: bool) -> str:
    """A name with its number: at the blank of the text, else before it; `alone`: only at a blank."""
    if RANK in text or NUMERAL in text:
        return text.replace(RANK, str(number)).replace(NUMERAL, numeral(number))
    if alone:
        return text
    return f"{numeral(number)}{text}" if text[:1] >= FIRST_IDEOGRAPH else f"{number} {text}"


def named_specially(special: Text, plain: Text) -> Iterator[tuple[str, str]]:
    """The name of a special copy: with the name of its tile at the blank of the text, else after it."""
    for language, text in special.items():
        tile = plain.get(language) or plain.get("en") or next(iter(plain.values()), "")
        space = "" if text[:1] >= FIRST_IDEOGRAPH else " "
        yield language, text.replace(NAME, tile) if NAME in text else f"{text}{space}{tile}"


def title_of(texts: Text) -> Text:
    """The name of a family: that of its tiles without their numbers."""
    found = {}
    for language, text in texts.items():
        for blank in BLANKS:
            text = text.replace(blank, "")
        if text_left := text.strip(AROUND):
            found[language] = text_left
    return found
