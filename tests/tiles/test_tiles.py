"""The tiles section of a ruleset: what becomes of it, and what is found wrong in it. Cases are in data/."""

import pytest
from tile_sets import DATA, NAMES, build, data, part, section_in, tile_set

from tilewright.base.document import parse, read
from tilewright.base.problem import RulesetError, Source
from tilewright.language.sections.tiles import removed_names, tiles_of
from tilewright.tiles.notation import tile_string, write_tiles
from tilewright.tiles.tileset import TileClass, TileSet

SETS, PROBLEMS = data("tile_sets.yaml"), data("tile_problems.yaml")
BY_CODE = ("copies", "seats", "suits")


def written(tiles: TileClass, tileset: TileSet) -> str:
    """A class as tile_sets.yaml writes it: tiles, then words in brackets."""
    words = f"({' '.join(tiles.words)})" if tiles.words else ""
    return f"{write_tiles(tiles.tiles, tileset)} {words}".strip()


def expectations(key: str) -> list[tuple[str, str, object]]:
    return [(name, inner, value) for name, said in SETS.items() for inner, value in said["expect"].get(key, {}).items()]


@pytest.mark.parametrize("name", NAMES)
def test_row_string_and_count(name: str) -> None:
    tileset, expect = tile_set(name), SETS[name]["expect"]
    assert sum(tile.copies for tile in tileset.tiles) == expect["count"]
    assert write_tiles(tileset.order, tileset) == expect["row"]
    assert tile_string(tileset.order, tileset) == expect["string"]


@pytest.mark.parametrize(("name", "of", "tiles"), expectations("classes"))
def test_classes(name: str, of: str, tiles: str) -> None:
    assert written(tile_set(name).classes[of], tile_set(name)) == tiles


@pytest.mark.parametrize(("name", "wild", "says"), expectations("wild"))
def test_wild_tiles(name: str, wild: str, says: str) -> None:
    tileset = tile_set(name)
    found = next(found for found in tileset.wild if found.id == wild)
    parts = [f"{written(found.tiles, tileset)}: {written(found.stands_for, tileset)}"]
    parts += [f"{word} {' '.join(sorted(ids))}" for word, ids in (("in", found.groups), ("while", found.zones)) if ids]
    assert " ".join(parts) == says


@pytest.mark.parametrize("name", NAMES)
def test_what_single_tiles_are(name: str) -> None:
    tileset = tile_set(name)
    for key, field in zip(BY_CODE, ("copies", "seat", "suit"), strict=True):
        for code, value in SETS[name]["expect"].get(key, {}).items():
            tile = tileset.by_code(code)
            assert tile is not None and getattr(tile, field) == value, code


@pytest.mark.parametrize("name", NAMES)
def test_how_tiles_look_and_what_they_are_called(name: str) -> None:
    tileset, expect = tile_set(name), SETS[name]["expect"]
    codes = [tile.code for tile in tileset.tiles]
    assert dict(tileset.emblems) == expect.get("emblems", {})
    faces = {codes[tile]: face for tile, face in tileset.faces.items()}
    assert {code: faces[code] for code in expect.get("faces", faces)} == expect.get("faces", {})
    assert {family: texts["en"] for family, texts in tileset.titles.items()} == expect.get("titles", {})
    for key, language in (("names", "en"), ("in_chinese", "zh")):
        for code, called in expect.get(key, {}).items():
            assert tileset.names[codes.index(code)][language] == called


@pytest.mark.parametrize("name", NAMES)
def test_every_tile_set_is_whole(name: str) -> None:
    tileset = tile_set(name)
    plain = {tile.index for tile in tileset.tiles if tile.plain == tile.index}
    assert sorted(tileset.order) == [tile.index for tile in tileset.tiles] == list(range(len(tileset.tiles)))
    assert all(tile.plain in plain for tile in tileset.tiles)
    assert {suit.id for suit in tileset.suits if suit.cyclic} == set(SETS[name]["expect"].get("cyclic", []))
    families = [tile for members in tileset.families.values() for tile in members]
    assert len(families) == len(set(families))
    assert set(families) == {tile for tile in plain if tile in families or tileset.tiles[tile].copies}
    assert all(tileset.tiles[tile].copies == 0 and tileset.tiles[tile].suit for tile in plain - set(families))


def test_a_special_equals_its_tile_and_bears_its_mark() -> None:
    tileset = tile_set("red_fives")
    red, five = tileset.by_code("0p"), tileset.by_code("5p")
    assert red is not None and five is not None
    assert (red.plain, red.rank, red.suit, red.marks) == (five.index, 5, "circles", frozenset({"red"}))


@pytest.mark.parametrize("name", PROBLEMS)
def test_problems(name: str) -> None:
    described = part(read(DATA / "tile_problems.yaml"), name)
    said = PROBLEMS[name]
    with pytest.raises(RulesetError) as caught:
        build(described, section_in(str(said["tiles"])))
    found = [(problem.place.line, problem.code, problem.message) for problem in caught.value.problems if problem.place]
    wanted = [str(line).split(" ", 2) for line in said["problems"]]
    assert [(str(line), code) for line, code, _ in found] == [(line, code) for line, code, _ in wanted]
    for (_, _, message), (_, _, words) in zip(found, wanted, strict=True):
        assert words in message


def test_too_many_tiles_and_too_deep_classes_are_problems() -> None:
    crowd = ", ".join(f"x{number}" for number in range(501))
    ladder = "".join(f"  c{number}: [c{number + 1}]\n" for number in range(400))
    for text, code in (
        (f"copies: 1\nunranked: {{crowd: {{codes: [{crowd}]}}}}\n", "too-many-tiles"),
        (f"copies: 1\nunranked: {{c400: {{codes: [x]}}}}\nclasses:\n{ladder}", "class-too-deep"),
    ):
        tiles = section_in(text)
        with pytest.raises(RulesetError) as caught:
            build(tiles, tiles)
        assert caught.value.problems[0].code == code


WHOLE = """
seats: {winds: [E, S]}
zones: {bonus: {of: seat}}
marks: {lucky: {of: table, is: tiles}, ready: {of: seat}}
tiles:
  copies: 4
  unranked:
    winds: {codes: [E, S], seats: [S, E]}
    flowers: {codes: [1f], if: flowers}
  special: {red: {of: [E], codes: {R: E}, if: flowers}}
  wild: {gold: {tiles: [lucky], stands_for: [winds], in: [bonus, pair]}}
  classes: {pretty: [flowers, 1f, red, R, lucky, S]}
"""


def test_a_whole_document_says_what_was_removed() -> None:
    full = parse(Source("whole.yaml", WHOLE))
    folded = parse(Source("whole.yaml", "\n".join(line for line in WHOLE.split("\n") if "if: flowers" not in line)))
    assert removed_names(full, folded) == {"flowers", "1f", "red", "R"}
    tileset = tiles_of(folded, full, lambda node: int(getattr(node, "text", "0")), {})
    assert written(tileset.classes["pretty"], tileset) == "S (lucky)"
    assert [tile.seat for tile in tileset.tiles] == [1, 0]
    assert sorted(tileset.wild[0].zones) == ["bonus"] and sorted(tileset.wild[0].groups) == ["pair"]
