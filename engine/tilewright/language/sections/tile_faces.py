"""Looks and names of tiles: `faces` and `names` of a `tiles` section in, looks of its tiles out.

Expects the tiles in their box. Reports unknown emblems and signs that do not fit; undeclared names of tiles are
reported elsewhere, and those that an `if` removed are skipped.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass

from tilewright.base.document import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.base.spelling import closest
from tilewright.language.documents.fields import texts
from tilewright.language.sections.tile_box import TileBox, section_of
from tilewright.tiles.notation import INVISIBLE
from tilewright.tiles.tileset import EMBLEMS, MOST_SIGNS, Text, Tile, numeral

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
