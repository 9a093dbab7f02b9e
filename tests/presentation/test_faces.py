"""Faces: one picture for every tile of every game, valid, escaped, and its own; drawn in a browser as it is said."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from tile_sets import build, section_in

from tilewright.authoring.open_rules import bundled
from tilewright.play.rules import load
from tilewright.presentation import tile_modern as modern
from tilewright.presentation import tile_shapes as shapes
from tilewright.presentation.rules_data import about_json, tile_name
from tilewright.presentation.tile_shapes import CONTRAST, INKS, drawings, drawings_in, glyphs
from tilewright.presentation.tile_svg import STYLES, picture, sprite, sprite_of, symbol_id
from tilewright.tiles.tileset import EMBLEMS, MOST_SIGNS, TileSet, numeral

SVG = "{http://www.w3.org/2000/svg}"
RULESETS = bundled("ruleset")
ODD = """
copies: 4
notation: {ranks: 0123456789bfgijklm}
suits:
  cups:   {code: c, ranks: 1..9}
  swords: {code: s, ranks: 1..16}
  stars:  {code: x, ranks: 0..17}
  sums:   {code: w, ranks: 0..16}
unranked:
  gods:  {codes: [AB, Long, "龍", "龍虎", "梅蘭菊竹", "<&>", "ж", "\\U0001F600"]}
  wilds: {codes: [J]}
  few:   {codes: [q1, q2], copies: 1}
special: {red: {of: [5c], sign: r}}
wild: {jokers: {tiles: [wilds], stands_for: [cups]}}
faces: {stars: star, sums: 萬, q2: moon}
"""


def odd() -> TileSet:
    """Tiles as no game has them: suits without an emblem, signs without an outline, markup in a code."""
    tiles = section_in(ODD)
    return build(section_in("{}"), tiles)


def tile_sets() -> Iterator[Any]:
    yield pytest.param(odd, id="odd")
    for id in RULESETS:
        yield pytest.param(lambda id=id: load(id).data.tiles, id=id)


def test_a_tile_that_games_share_looks_the_same_in_all() -> None:
    """Whatever the order of the tiles of a game: what has one code and one name in them has one face."""
    faces: dict[tuple[str, str], set[str]] = {}
    for id in RULESETS:
        tiles = load(id).data.tiles
        drawn = {drawing.code: drawing for drawing in drawings(tiles)}
        for tile in tiles.tiles:
            faces.setdefault((tile.code, tile_name(tile, tiles)["en"]), set()).add(drawn[tile.code].sign)
    assert not {key: signs for key, signs in faces.items() if len(signs) > 1}


def symbols(svg: str) -> dict[str, ElementTree.Element]:
    return {one.attrib["id"]: one for one in ElementTree.fromstring(svg).iter(f"{SVG}symbol")}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("tiles", list(tile_sets()))
def test_every_tile_has_a_picture_of_its_own(tiles: Any, style: str) -> None:
    tileset = tiles()
    found = symbols(sprite(tileset, style))
    assert [*found] == [*(symbol_id(tileset.tiles[face].code) for face in tileset.order), "t-back"]
    shown = [ElementTree.tostring(one).split(b">", 1)[1].split(b'class="index"')[0] for one in found.values()]
    assert len(set(shown)) == len(shown), "two tiles look alike"


@pytest.mark.parametrize("style", ["plain", "modern"])
@pytest.mark.parametrize("tiles", list(tile_sets()))
def test_a_sprite_uses_what_it_has_and_nothing_else(tiles: Any, style: str) -> None:
    svg = sprite(tiles(), style)
    root = ElementTree.fromstring(svg)
    ids = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
    assert len(ids) == len(set(ids))
    assert {one.attrib["href"][1:] for one in root.iter(f"{SVG}use")} <= {*ids}
    assert "style" not in {name for one in root.iter() for name in one.attrib}  # the page forbids it
    assert not {one.tag for one in root.iter()} & {f"{SVG}script", f"{SVG}style", f"{SVG}image", f"{SVG}foreignObject"}
    assert len(svg) < 250_000


def test_the_server_draws_the_same_from_what_a_page_is_told() -> None:
    for id, is_labelled_by_its_card in (("american", True), ("uzje", False)):
        rules = load(id)
        told = json.loads(json.dumps(about_json(rules)))["tiles"]
        drawn = list(drawings(rules.data.tiles))
        if is_labelled_by_its_card:
            drawn = [replace(one, label=tile["label"]) for one, tile in zip(drawn, told, strict=True)]
        assert list(drawings_in(told)) == drawn
        assert sprite_of(drawings_in(told), "four") == sprite_of(drawn, "four")


def test_ids_are_safe_and_tell_codes_apart() -> None:
    codes = ["5m", "a-b", "a_b", "a_5fb", "ж", "<&>", "", "A", "a"]
    ids = [symbol_id(code) for code in codes]
    assert len(set(ids)) == len(codes)
    assert symbol_id("a_b") == "t-a_5fb" and symbol_id("ж") == "t-_d0_b6"
    assert all(set(id) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") for id in ids)


@pytest.mark.parametrize("style", ["plain", "modern"])
def test_suits_show_as_much_as_their_rank(style: str) -> None:
    tiles = load("uzje").data.tiles
    for suit, shape in (("t", "circle"), ("s", "path")):
        for rank, sign in enumerate("123456789xabcdef", 1):
            if tiles.by_code(sign + suit) is None or (suit == "s" and rank == 1):
                continue
            root = ElementTree.fromstring(picture(tiles, sign + suit, style))
            groups = [one for one in root.iter(f"{SVG}g") if one.attrib.get("transform", "").startswith("translate")]
            assert len(groups) == rank, f"{rank} {shape}"
    assert picture(tiles, "1s") != picture(tiles, "2s")


@pytest.mark.parametrize("style", ["plain", "modern"])
def test_shape_tells_suits_apart_without_colour(style: str) -> None:
    """Emblems and badges of one rank differ when every ink is the same."""
    found = symbols(sprite(odd(), style))
    inks = {**INKS, **CONTRAST}
    colourless = []
    for code in ("5c", "5s", "5x", "5w"):
        text = ElementTree.tostring(found[symbol_id(code)]).decode()
        for name in inks:
            text = text.replace(f"--tile-{name}", "--tile-ink")
        for colour in inks.values():
            text = text.replace(colour, "#000")
        colourless.append(text.split('class="index"')[0].split(">", 1)[1])
    assert len(set(colourless)) == 4


def test_every_emblem_is_drawn_and_named_in_the_schema() -> None:
    assert set(shapes.SHAPES) == set(modern.SHAPES) == set(EMBLEMS)
    for name in EMBLEMS:
        assert shapes.SHAPES[name] is not modern.SHAPES[name]
    schema = json.loads((ROOT / "schemas" / "tilewright.schema.json").read_text(encoding="utf-8"))
    says = schema["$defs"]["tile_set"]["properties"]["faces"]["additionalProperties"]["description"]
    assert all(name in says for name in EMBLEMS)


def test_numerals() -> None:
    assert [numeral(n) for n in (0, 1, 9, 10, 11, 16, 20, 35, 99, 100)] == [
        *("零", "一", "九", "十", "十一", "十六", "二十", "三十五", "九十九", "100")
    ]


def test_outlines_are_there_for_every_bundled_sign_and_their_licence_beside_them() -> None:
    folder = Path(ROOT / "engine" / "tilewright" / "presentation")
    assert "SIL Open Font License" in (folder / "glyphs.LICENSE.txt").read_text(encoding="utf-8")
    for id in RULESETS:
        for drawing in drawings(load(id).data.tiles):
            if drawing.sign not in EMBLEMS:
                assert set(drawing.sign) <= set(glyphs()) and len(drawing.sign) <= MOST_SIGNS, drawing


def test_a_sign_without_an_outline_is_text_and_no_markup() -> None:
    svg = sprite(odd())
    assert "&lt;&amp;&gt;</text>" in svg and ">ж</text>" in svg and "\U0001f600</text>" in svg
    assert picture(odd(), "龍虎").count("<use") == 4  # the sign, and the index in the corner


def test_specials_few_and_wild_ones() -> None:
    by_code = {drawing.code: drawing for drawing in drawings(odd())}
    assert by_code["5cr"].special and not by_code["5c"].special
    assert by_code["J"].sign == "star" and by_code["q2"].sign == "moon"
    assert by_code["q1"].ink == "blue" and by_code["AB"].ink == "ink"
    assert [by_code[code].letter for code in ("5c", "5s", "5x", "5w")] == ["c", "s", "", ""]
    american = {drawing.code: drawing for drawing in drawings(load("american", mods=["zombie_blanks"]).data.tiles)}
    assert american["B"].sign == "blank" and american["P"].sign == "frame" and american["4g"].sign == "冬"
    assert [american[code].place for code in ("1f", "4g", "E")] == [1, 4, None]


DRAW = """
async ([pictures, variables]) => {
  const drawn = [];
  for (const text of pictures) {
    const image = new Image();
    const styled = text.replace("<svg ", `<svg width="60" height="80" style="${variables}" `);
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(styled);
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [60, 80];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, 60, 80).data;
    const face = [...pixels.slice((70 * 60 + 30) * 4, (70 * 60 + 30) * 4 + 3)];
    let inked = 0, corner = 0;
    for (let y = 3; y < 70; y++) for (let x = 3; x < 57; x++) {
      const at = (y * 60 + x) * 4;
      const dark = pixels[at] + pixels[at + 1] + pixels[at + 2] < 420;
      inked += dark;
      corner += dark && x < 13 && y < 16;
    }
    drawn.push([face, inked, corner]);
  }
  return drawn;
}
"""


def test_a_browser_draws_them_and_pages_colour_them(chromium: Any) -> None:
    """Every tile has ink on it; the index shows where the page says so; the face takes the colour of the page."""
    tiles = [*load("american").data.tiles.tiles]
    pictures = [picture(load("american").data.tiles, tile.code) for tile in tiles]
    page = chromium.new_page()
    usual = page.evaluate(DRAW, [pictures, ""])
    told = page.evaluate(DRAW, [pictures, "--tile-index:inline;--tile-face:rgb(10,200,250)"])
    for tile, (face, inked, corner), (coloured, _, indexed) in zip(tiles, usual, told, strict=True):
        assert inked > 60 and face == [251, 247, 236], tile.code
        assert indexed > corner or corner > 12, tile.code
        assert coloured == [10, 200, 250], tile.code
