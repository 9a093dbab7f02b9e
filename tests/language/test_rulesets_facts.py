"""The bundled rulesets say what their sources say: every pattern, every number, every name."""

import csv
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tilewright
from tilewright.base.node import plain
from tilewright.language.compiled.ir import Const
from tilewright.language.documents.library import path_of, read_whole

HERE = Path(__file__).parents[1]


def values(path: Path) -> dict[str, Any]:
    """The values of a document."""
    found: Any = plain(read_whole(path))
    return dict(found)


FACTS = values(HERE / "data" / "ruleset_facts.yaml")
ZUNG_JUNG = {
    name: list(csv.DictReader((HERE / "data" / f"{name}.csv").open(encoding="utf-8")))
    for name in ("zung_jung", "zung_jung_plus")
}
PLUS = ZUNG_JUNG["zung_jung_plus"]
COUNTED_BESIDE = {  # patterns whose points in the table include others that count beside them
    "two_tailed_terminals": ("two_tailed_terminal_sequences", "two_tailed_terminal_triplets")
}
CLASSICAL, CANTONESE, UZJE = FACTS["chinese_classical"], FACTS["cantonese"], FACTS["uzje"]


@cache
def document(name: str) -> dict[str, Any]:
    """A ruleset with the patterns, options and scoring of its bases."""
    own = values(path_of(name))
    return dict(merged(document(own["extends"]), own)) if "extends" in own else own


def merged(base: Any, more: Any) -> Any:
    """Mappings by key, null takes away, everything else replaced."""
    if not (isinstance(base, dict) and isinstance(more, dict)):
        return more
    kept = [key for key in {**base, **more} if key not in more or more[key] is not None]
    return {key: merged(base.get(key), more[key]) if key in more else base[key] for key in kept}


@pytest.fixture(scope="module")
def zung_jung() -> dict[str, Any]:
    return document("zung_jung_plus")


@pytest.fixture(scope="module")
def classical() -> dict[str, Any]:
    return document("chinese_classical")


@pytest.fixture(scope="module")
def cantonese() -> dict[str, Any]:
    return document("cantonese")


@pytest.fixture(scope="module")
def uzje() -> dict[str, Any]:
    return document("uzje")


# --- Zung Jung and Zung Jung plus


def worth_of(name: str, row: dict[str, str]) -> Any:
    """What the document has to say of a row."""
    doubled = name == "zung_jung_plus" and row["id"] == "thirteen_orphans"
    points = {each["id"]: int(each["points"]) for each in ZUNG_JUNG[name]}
    inside = sum(points[id] for id in COUNTED_BESIDE.get(row["id"], ()))
    return "320 if waits == 13 else 160" if doubled else points[row["id"]] - inside


@pytest.mark.parametrize(
    ("name", "row"),
    [(name, row) for name, rows in ZUNG_JUNG.items() for row in rows if row["id"] != "illegal_call"],
    ids=lambda value: value["id"] if isinstance(value, dict) else value,
)
def test_every_row_of_zung_jung_is_a_pattern(name: str, row: dict[str, str]) -> None:
    pattern = document(name)["patterns"][row["id"]]
    assert (pattern["name"]["en"], pattern["name"]["zh"]) == (row["english"], row["chinese"])
    assert pattern["worth"] == worth_of(name, row)
    assert pattern.get("limit", False) == (row["limit"] == "yes")


def test_zung_jung_has_no_other_patterns(zung_jung: dict[str, Any]) -> None:
    assert {*zung_jung["patterns"], "illegal_call"} == {row["id"] for row in PLUS}
    standard = ZUNG_JUNG["zung_jung"]
    assert len(standard) == 44
    assert document("zung_jung")["patterns"].keys() == {"chicken_hand", *(row["id"] for row in standard)}


def test_patterns_of_one_series_of_zung_jung_are_a_family_or_exclude_each_other() -> None:
    """But for the incidental ones, which never hold together."""
    patterns = document("zung_jung")["patterns"]
    series: dict[str, set[str]] = {}
    for row in ZUNG_JUNG["zung_jung"]:
        series.setdefault(row["series"], set()).add(row["id"])
    families = {id: pattern.get("family", id) for id, pattern in patterns.items()}
    for number, ids in series.items():
        assert len({families[id] for id in ids}) == 1 or number in ("9.1", "9.4"), number


def test_an_illegal_call_is_paid(zung_jung: dict[str, Any]) -> None:
    row = next(row for row in PLUS if row["id"] == "illegal_call")
    assert zung_jung["payments"]["illegal_call"]["penalty"]["amount"] == -int(row["points"])
    name = zung_jung["offers"]["illegal_call"]["name"]
    assert (name["en"], name["zh"]) == (row["english"], row["chinese"])


# --- Chinese Classical and Cantonese


@pytest.mark.parametrize("id", [*CLASSICAL["anybody"], *CLASSICAL["winner"]])
def test_lines_of_chinese_classical(id: str, classical: dict[str, Any]) -> None:
    anybody = id in CLASSICAL["anybody"]
    fact = CLASSICAL["anybody" if anybody else "winner"][id]
    pattern = classical["patterns"][id]
    assert pattern.get("for", "winner") == ("everyone" if anybody else "winner")
    if "doubles" in fact:
        assert pattern["worth"] == {"doubles": fact["doubles"]}
    elif isinstance(fact["points"], str):
        assert pattern["worth"] == fact["points"]
    else:
        assert [pattern.get("exposed", pattern["worth"]), pattern["worth"]] == fact["points"]


def test_limit_hands_of_chinese_classical(classical: dict[str, Any]) -> None:
    limits = {id: pattern for id, pattern in classical["patterns"].items() if pattern.get("limit")}
    assert limits.keys() == set(CLASSICAL["limits"])
    assert all(pattern["worth"] == {"total": "most_points"} for pattern in limits.values())


def test_lines_of_cantonese(cantonese: dict[str, Any]) -> None:
    limits = dict.fromkeys(CANTONESE["limits"], CANTONESE["limit"])
    assert {id: p["worth"] for id, p in cantonese["patterns"].items() if not p.get("limit")} == CANTONESE["faan"]
    assert {id: p["worth"] for id, p in cantonese["patterns"].items() if p.get("limit")} == limits
    assert cantonese["scoring"]["measures"]["hand_score"]["table"] == CANTONESE["hand_score"]


def test_lines_of_hong_kong() -> None:
    patterns, facts = document("hong_kong")["patterns"], FACTS["hong_kong"]
    limits = {id: f"min({faan}, most_faan)" for id, faan in facts["limits"].items()}
    assert {id: p["worth"] for id, p in patterns.items() if not p.get("limit")} == facts["faan"]
    assert {id: p["worth"] for id, p in patterns.items() if p.get("limit")} == limits


@pytest.mark.parametrize("payout", ["half_spicy", "full_spicy", "in_steps"])
def test_tables_of_hong_kong(payout: str) -> None:
    """What each number of faan comes to."""
    rules = tilewright.load("hong_kong", {"payout": payout})
    (table,) = (measure.table for measure in rules.data.scoring.measures if measure.id == "points")
    found = {faan: entry.value for faan, entry in table if isinstance(entry, Const)}
    assert found == dict(enumerate(FACTS["hong_kong"]["points"][payout]))


def test_lines_of_sichuan() -> None:
    found, facts = document("sichuan"), FACTS["sichuan"]
    assert {id: p["worth"] for id, p in found["patterns"].items()} == facts["faan"]
    assert {id: found["payments"][id]["kong"]["amount"] for id in facts["kongs"]} == facts["kongs"]


@pytest.mark.parametrize("name", ["chinese_classical", "cantonese", "hong_kong", "sichuan"])
def test_nothing_but_the_lists(name: str) -> None:
    facts = FACTS[name]
    listed = {id for part in ("anybody", "winner", "faan", "limits") for id in facts.get(part, ())}
    assert document(name)["patterns"].keys() == listed
    assert document(name)["match"]["score"] == facts["match"]["score"]


@pytest.mark.parametrize("name", ["chinese_classical", "uzje"])
def test_options_at_first(name: str) -> None:
    options = document(name)["options"]
    for id, value in FACTS[name]["options"].items():
        assert next(options[id][kind] for kind in ("flag", "number", "choice") if kind in options[id]) == value, id


# --- Ùzje


SHORT_DEAD_WALL = """tilewright: 2
kind: mod
id: short
name: Short dead wall
about: The dead wall has one tile.
for: [uzje]
change:
  zones: {dead_wall: {takes: {count: 1, end: back}}}
"""


def test_groups_of_uzje(uzje: dict[str, Any]) -> None:
    groups = uzje["groups"]
    found = [groups[id]["ranks"] for id in ("whole_gem", "fraction", "full_square", "zero_square")]
    assert found == [UZJE["gems"], UZJE["fractions"], UZJE["squares"], UZJE["zero_squares"]]
    assert uzje["tiles"]["notation"]["ranks"] == UZJE["notation"]


def test_points_of_uzje(uzje: dict[str, Any]) -> None:
    table = uzje["scoring"]["measures"]["points"]["table"]
    assert {key: table[key] for key in UZJE["points"]} == UZJE["points"]
    beyond = {int(key): points for key, points in table.items() if key not in UZJE["points"]}
    formula = beyond.pop(max(beyond))
    assert all(points == 5000 * ((fan - 13) // 3 + 1) for fan, points in beyond.items())
    assert formula == "5000 * round_up((round_up(fan - threshold, 1) - 10) / 3, 1)"  # cases.five_limits and more try it


def test_fan_of_uzje_are_provisional_fifths(uzje: dict[str, Any]) -> None:
    for id, pattern in uzje["patterns"].items():
        assert pattern["provisional"], id
        assert (Fraction(pattern["worth"]) * 5).denominator == 1, id


@pytest.mark.parametrize(("settings", "all", "distinct"), UZJE["tiles"], ids=lambda value: str(value))
def test_tiles_of_uzje(settings: dict[str, str], all: int, distinct: int) -> None:
    data = tilewright.load("uzje", settings).data
    tiles = [tile for tile in data.tiles.tiles if tile.copies]
    assert sum(tile.copies for tile in tiles) == all
    assert len(tiles) == distinct
    width = {176: 22, 168: 21, 232: 29, 160: 20}[all]
    assert data.zones["wall"].stacks == Const("number", 4 * width)


def test_a_quad_turns_up_no_tile_where_none_is_left(tmp_path: Path) -> None:
    mod = tmp_path / "short.yaml"
    mod.write_text(SHORT_DEAD_WALL, encoding="utf-8")
    game = tilewright.load("uzje", mods=[mod]).game(layout={"start": {"act": "E"}, "hand": "5555s 369m 1ft ZZ CC F"})
    turned_up = game.view("E").to_json()["zones"]["turned_up"]
    assert len(turned_up) == 1
    game.answer(game.move("kong", "5555s"))
    assert game.view("E").to_json()["zones"]["turned_up"] == turned_up


def test_compressed_winds_are_seats_and_orphans() -> None:
    rules = tilewright.load("uzje", {"wind_set": "compressed"})
    assert rules.score("1ft1fs1fmHHVVCFP", win="H").form == "thirteen_orphans"
    assert rules.score("1ft1fs1fmHHVVCFP", win="Z").form == "fourteen_orphans"
    assert rules.score("369s5xes9xasHHHC", win="C", seat_wind="H").win


# --- all of them


@pytest.mark.parametrize("name", ["zung_jung", "zung_jung_plus", "chinese_classical", "cantonese", "uzje", "mcr"])
def test_every_pattern_has_a_yes_and_a_no(name: str) -> None:
    there = {pattern.id: pattern.examples for pattern in tilewright.load(name).data.patterns}
    for id, pattern in document(name)["patterns"].items():
        written = pattern["examples"]  # a mapping changes those of the base
        said = [one.yes for one in there[id]] if isinstance(written, dict) else [one["yes"] for one in written]
        assert set(said) == {True, False}, id
