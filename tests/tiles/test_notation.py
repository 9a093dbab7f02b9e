"""Tiles as text and text as tiles. Cases are in data/notation.yaml."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from tile_sets import NAMES, ON_CARD, data, tile_set

from tilewright.tiles.notation import (
    MOST_CHARACTERS,
    NotationError,
    notation_of,
    parse_tiles,
    read_tiles,
    sort_tiles,
    tile_string,
    tiles_of,
    write_group,
    write_tile,
    write_tiles,
)

CASES = data("notation.yaml")


def lines(key: str) -> list[tuple[str, str, object]]:
    return [(name, text, wanted) for name, said in CASES.items() for text, wanted in said.get(key, {}).items()]


@pytest.mark.parametrize(("name", "text", "tiles"), lines("reads"))
def test_reading(name: str, text: str, tiles: str) -> None:
    tileset = tile_set(name)
    assert " ".join(write_tile(tile, tileset) for tile in parse_tiles(text, tileset)) == tiles


@pytest.mark.parametrize(("name", "text", "wanted"), lines("writes"))
def test_writing(name: str, text: str, wanted: str) -> None:
    tileset = tile_set(name)
    assert write_tiles(parse_tiles(text, tileset), tileset) == wanted


@pytest.mark.parametrize(("name", "text", "wanted"), lines("strings"))
def test_strings_for_regular_expressions(name: str, text: str, wanted: str) -> None:
    tileset = tile_set(name)
    assert tile_string(parse_tiles(text, tileset), tileset) == wanted


@pytest.mark.parametrize(("name", "text", "wanted"), lines("groups"))
def test_groups_keep_their_order(name: str, text: str, wanted: str) -> None:
    tileset = tile_set(name)
    assert write_group(parse_tiles(text, tileset), tileset) == wanted


@pytest.mark.parametrize(("name", "text", "wanted"), lines("refuses"))
def test_refusing(name: str, text: str, wanted: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(text, tile_set(name))
    error = caught.value
    where, says = wanted[0].split(" ", 1)
    message, _, hint = says.partition(" ~ ")
    assert f"{error.offset}+{error.length}" == where
    assert message in error.message and hint in (error.hint or "")


def test_too_much_text_is_refused() -> None:
    with pytest.raises(NotationError, match="401 characters are too many"):
        parse_tiles("E" * (MOST_CHARACTERS + 1), tile_set("standard"))
    with pytest.raises(NotationError, match="401 tiles are too many"):
        read_tiles(["E"] * (MOST_CHARACTERS + 1), tile_set("standard"))
    assert len(parse_tiles("E" * MOST_CHARACTERS, tile_set("standard"))) == MOST_CHARACTERS


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (["1m", "23m"], "tile 2: '23m' is 2 tiles where one is expected"),
        (["1m", " "], "tile 2: ' ' is no tile"),
        (["q"], "tile 1: unknown sign 'q'"),
        (["1m", 5], "tile 2: a tile is a text such as '1m', not 5"),
        (5, "tiles are a text or a list of texts, not 5"),
        (None, "tiles are a text or a list of texts, not None"),
        ({"E": 1}, "tiles are a text or a list of texts"),
        (b"E", "tiles are a text or a list of texts"),
    ],
)
def test_values_that_name_no_tiles(value: object, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_tiles(value, tile_set("standard"))
    assert says in caught.value.message


def test_lists_are_read_tile_by_tile() -> None:
    tileset = tile_set("standard")
    assert read_tiles(["2p", "🀄", "１ｚ", " E "], tileset) == parse_tiles("2p C E E", tileset)
    assert read_tiles("2pCEE", tileset) == parse_tiles("2p C E E", tileset)
    assert read_tiles([], tileset) == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_code_and_alias_is_read_alone(name: str) -> None:
    tileset = tile_set(name)
    spellings = {tile.code: tile.index for tile in tileset.tiles} | dict(tileset.aliases)
    assert all(parse_tiles(text, tileset) == (tile,) for text, tile in spellings.items())


@given(st.data())
@settings(max_examples=budget(20))
def test_what_was_written_in_letters_of_a_card_is_read_again(data: st.DataObject) -> None:
    tileset = tile_set(ON_CARD)
    tiles = data.draw(st.lists(st.sampled_from(tileset.order), max_size=30))
    plain = [tileset.tiles[tile].plain for tile in tiles]
    assert parse_tiles(write_tiles(tiles, tileset), tileset) == sort_tiles(plain, tileset)
    assert parse_tiles(write_group(tiles, tileset), tileset) == tuple(plain)


@pytest.mark.long
@given(st.data())
@settings(max_examples=budget(20))
@pytest.mark.parametrize("name", NAMES)
def test_what_was_written_is_read_again(name: str, data: st.DataObject) -> None:
    tileset = tile_set(name)
    tiles = data.draw(st.lists(st.sampled_from(tileset.order), max_size=30))
    assert parse_tiles(write_tiles(tiles, tileset), tileset) == sort_tiles(tiles, tileset)
    assert parse_tiles(write_group(tiles, tileset), tileset) == tuple(tiles)


@given(st.text(alphabet="0123456789mpszESWNfg xqv日四AaB🀄\ufe0f,[", max_size=30))
@settings(max_examples=budget(20))
@pytest.mark.parametrize("name", [*NAMES, ON_CARD])
def test_any_text_is_read_or_refused_in_its_place(name: str, text: str) -> None:
    try:
        parse_tiles(text, tile_set(name))
    except NotationError as error:
        assert 0 <= error.offset < error.offset + error.length <= len(text)


@given(st.text(alphabet="0123456789mpszESWNfg xq\u3000日B🀄\ufe0f,[", max_size=20))
@settings(max_examples=budget(20))
@pytest.mark.parametrize("name", [*NAMES, ON_CARD])
def test_words_read_apart_say_what_the_whole_text_says(name: str, text: str) -> None:
    tileset = tile_set(name)
    read = [result_of(partial(parse_tiles, text, tileset)) for _ in range(2)]
    assert read == [result_of(partial(tiles_of, text, notation_of(tileset)))] * 2


def result_of(ask: Callable[[], tuple[int, ...]]) -> object:
    """The tiles, or the error."""
    try:
        return ask()
    except NotationError as error:
        return error.message, error.offset, error.length, error.hint


def test_a_code_may_have_a_space() -> None:
    tileset = tile_set("standard")
    spaced = replace(tileset, aliases={**tileset.aliases, "one bird": 0})
    assert parse_tiles("one bird E", spaced) == (0, *parse_tiles("E", tileset))
