"""Tile sets for tests: the data files of this folder read, each section built as the engine builds it."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from tilewright.base.document import Mapping, Node, Scalar, parse, plain, read
from tilewright.base.problem import Source
from tilewright.language.documents.options import OptionSetting
from tilewright.language.expressions.tile_classes import scalars
from tilewright.language.sections.tiles import build_tiles
from tilewright.scoring.rules import load
from tilewright.tiles.tileset import TileSet

DATA = Path(__file__).parent / "data"
ON_CARD = "american_on_card"


def data(name: str) -> dict[str, dict[str, Any]]:
    """A data file as plain values."""
    found = plain(read(DATA / name))
    assert isinstance(found, dict)
    return found


def section(name: str) -> Mapping:
    """What tile_sets.yaml says about the tile set of this name."""
    return part(read(DATA / "tile_sets.yaml"), name)


def part(node: Mapping, key: str) -> Mapping:
    """The mapping behind a key, or an empty one."""
    found = node.get(key)
    return found if isinstance(found, Mapping) else Mapping({}, node.place)


def build(described: Mapping, tiles: Mapping) -> TileSet:
    """The tile set of a section, with what its description says of options, seats and removed names."""
    options = part(described, "options")

    def number(node: Node) -> int | Fraction:
        assert isinstance(node, Scalar)
        value = options.get(node.text) if node.text in options.entries else node
        assert isinstance(value, Scalar) and isinstance(value.value, int | Fraction)
        return value.value

    gone = frozenset(item.text for item in scalars(described.get("removed")))
    winds = described if "winds" in described.entries else None
    worths = {key: OptionSetting(key, key, node) for key, node in options.items() if not isinstance(node, Scalar)}
    return build_tiles(tiles, number, worths, winds, gone, zones=["bonus"], words=["lucky"])


@cache
def tile_set(name: str) -> TileSet:
    """A tile set of tile_sets.yaml, or that of a bundled ruleset in the letters of its card."""
    if name == ON_CARD:
        return load("american").as_on_card().data.tiles
    return build(section(name), part(section(name), "tiles"))


def section_in(text: str) -> Mapping:
    """A section written in a data file as text, so that its lines count from 1."""
    return parse(Source("tiles.yaml", text))


NAMES = tuple(data("tile_sets.yaml"))
