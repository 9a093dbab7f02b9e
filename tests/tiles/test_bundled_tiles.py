"""The tile sets of all bundled rulesets, with each choice of each option and with each mod that is made for them."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest
from budget import budget
from games import mostly_soaked
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.authoring.open_rules import bundled
from tilewright.base.document import Mapping, Node, Scalar
from tilewright.language.documents.library import path_of, read_document
from tilewright.language.documents.options import choices_of
from tilewright.language.documents.whole import MergedRuleset, ids_of, is_for
from tilewright.language.elaborate import Decider, open_whole
from tilewright.language.expressions import syntax
from tilewright.language.sections.tiles import tiles_of
from tilewright.tiles.notation import parse_tiles, read_tiles, sort_tiles, tile_string, write_tile, write_tiles
from tilewright.tiles.tileset import TileSet

pytestmark = pytest.mark.long


def tiles(whole: MergedRuleset) -> TileSet:
    """The tile set of a whole ruleset."""

    def number(node: Node) -> int | Fraction:
        assert isinstance(node, Scalar)
        return Decider(whole.options, None).number(syntax.parse_expression(node.text))

    return tiles_of(whole.document, whole.full, number, whole.options)


@cache
def as_it_is(name: str) -> TileSet:
    """The tile set of a bundled ruleset with the options it comes with."""
    return tiles(open_whole(name))


def played(name: str) -> Iterator[TileSet]:
    """The ruleset as it is, and with every choice of every option."""
    whole = open_whole(name)
    yield tiles(whole)
    options = whole.full.get("options")
    for option, node in options.items() if isinstance(options, Mapping) else ():
        yield from (tiles(open_whole(name, {option: choice})) for choice in choices(node))


def choices(option: Node) -> list[str]:
    """What a flag or a choice may be set to."""
    if not isinstance(option, Mapping):
        return []
    if "flag" in option.entries:
        return ["true", "false"]
    return choices_of(option) if "choice" in option.entries else []


def check(tileset: TileSet) -> None:
    """Whatever is written is read again; every code and alias stands for its tile."""
    assert tileset.tiles
    for tile in tileset.tiles:
        assert read_tiles([tile.code], tileset) == parse_tiles(tile.code, tileset) == (tile.index,)
    assert all(parse_tiles(text, tileset) == (tile,) for text, tile in tileset.aliases.items())
    assert parse_tiles(write_tiles(tileset.order, tileset), tileset) == tileset.order
    spelled = tile_string(tileset.order, tileset)
    assert " " not in spelled and all(write_tile(tile.plain, tileset)[-1] in spelled for tile in tileset.tiles)


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_soaked(bundled("ruleset"), ("american", "sichuan", "uzje")))
def test_tile_sets_of_rulesets(name: str) -> None:
    """Of the rulesets whose options change their tiles; riichi's other options are many."""
    for tileset in played(name):
        check(tileset)


@pytest.mark.slow
def test_tile_sets_with_mods() -> None:
    ids = {name: ids_of(path_of(name)) for name in bundled("ruleset")}
    for mod in bundled("mod"):
        fitting = [name for name in ids if is_for(read_document(path_of(mod)), ids[name])]
        for name in fitting[: budget(2)]:
            check(tiles(open_whole(name, mods=[mod])))


@given(st.data())
@settings(max_examples=budget(20))
@pytest.mark.parametrize("name", bundled("ruleset"))
def test_hands_are_read_as_they_were_written(name: str, data: st.DataObject) -> None:
    tileset = as_it_is(name)
    hand = data.draw(st.lists(st.sampled_from(tileset.order), max_size=18))
    assert parse_tiles(write_tiles(hand, tileset), tileset) == sort_tiles(hand, tileset)
