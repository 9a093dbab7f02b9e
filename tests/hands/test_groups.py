"""The groups that a ruleset's kinds make of its tiles."""

import pytest
from small_worlds import section, world

from tilewright.base.document import Mapping, parse
from tilewright.base.problem import RulesetError, Source
from tilewright.hands.reading import Group, Groups
from tilewright.language.sections.groups import build_groups

TILES = """
tiles:
  copies: 4
  suits: {a: {code: m, ranks: 1..6}, b: {code: p, ranks: 1..4, cyclic: true}, c: {code: s, ranks: [1, 6]}}
  unranked:
    winds: {codes: [E, S, W, N], copies: 3}
    zero: {codes: [Z], copies: 2}
    jokers: {codes: [J], copies: 2}
    flowers: {codes: [1f, 2f, 3f], copies: 1, alike: true}
    seasons: {codes: [1g], copies: 1}
  wild:
    zero: {tiles: [zero], stands_for: [0], in: [zero_run, squares]}
    jokers: {tiles: [jokers], stands_for: [winds, seasons], in: [wild_set]}
groups: {}
"""

# a group of the section, what it makes; `zero_run` and `wild_set` may have wild tiles
MADE = [
    ("{x: {alike: 4}}", "1111m 2222m 3333m 4444m 5555m 6666m 1111p 2222p 3333p 4444p 1111s 6666s"),
    ("{x: {alike: 3, in: [winds, flowers, seasons]}}", "EEE SSS WWW NNN 1f1f1f"),
    ("{wild_set: {any: [x]}, x: {alike: 3, in: [winds, seasons]}}", "EEE SSS WWW NNN 1g1g1g"),
    ("{wild_set: {any: [x]}, x: {alike: 4, in: [winds, seasons]}}", "EEEE SSSS WWWW NNNN"),
    ("{x: {run: 3}}", "123m 234m 345m 456m 123p 124p 134p 234p"),
    ("{x: {run: 3, in: [a], by: 1..}}", "123m 234m 345m 456m 135m 246m"),
    ("{x: {run: 3, in: [a], by: 2}}", "135m 246m"),
    ("{x: {run: 3, in: [a], by: ..2}}", "123m 234m 345m 456m 135m 246m"),
    ("{x: {run: 2, in: [a], by: 4..9}}", "15m 26m 16m"),
    ("{zero_run: {run: 3, in: [a], by: 2..}}", "024m 036m 135m 246m"),
    ("{x: {run: 2, in: [c], by: 5}}", "16s"),
    ("{x: {run: 2, in: [c]}}", ""),
    ("{x: {run: 3, in: [winds]}}", "ESW ESN EWN SWN"),
    ("{x: {run: 4, in: [winds, b]}}", "1234p ESWN"),
    ("{x: {run: 3, in: [gone, winds]}}", "ESW ESN EWN SWN"),
    ("{x: {run: 2, suits: different, in: [a, b], by: 3}}", "1m4p 4m1p 5m2p 6m3p"),
    ("{x: {alike: 2, suits: different, in: [a, c]}}", "1m1s 6m6s"),
    ("{x: {ranks: [[1, 2, 4], [1, 6]]}}", "124m 16m 124p 16s"),
    ("{squares: {ranks: [[0, 1, 4]], in: [a, c]}}", "014m"),
    ("{x: {ranks: [[0, 1, 4]]}}", ""),
    ("{x: {any: [y]}, y: {alike: 4, in: [b]}, z: {any: [x]}}", "1111p 2222p 3333p 4444p"),
]


def groups_of(text: str) -> Groups:
    section_node = parse(Source("groups.yaml", text))
    assert isinstance(section_node, Mapping)
    return build_groups(section_node, world(TILES).tiles, frozenset({"gone"}), {"most": 2})


def written(group: Group) -> frozenset[tuple[str, int]]:
    tiles = world(TILES).tiles.tiles
    return frozenset((tiles[tile].code, group.tiles.count(tile)) for tile in group.tiles)


@pytest.mark.parametrize(("text", "expected"), MADE)
def test_made(text: str, expected: str) -> None:
    game, found = world(TILES), groups_of(text)
    wanted = [game.hand(tiles).tiles for tiles in expected.split()]
    plain = [tuple(sorted(game.tiles.tiles[tile].plain for tile in tiles)) for tiles in wanted]
    assert sorted(tuple(sorted(group.tiles)) for group in found.groups) == sorted(plain)
    assert [found.groups[index].index for index in found.by_tiles.values()] == list(found.by_tiles.values())


def test_runs_across_suits_take_each_suit_once() -> None:
    found = groups_of("{x: {run: 3, suits: different, by: 1..}}")
    tiles = world(TILES).tiles.tiles
    codes = {" ".join(tiles[tile].code for tile in group.tiles) for group in found.groups}
    assert codes == {"1s 2m 3p", "1s 2p 3m", "1s 3p 5m", "2m 4p 6s", "2p 4m 6s", "4p 5m 6s"}


def test_names_follow_unions_and_what_stands_for_what() -> None:
    found = groups_of("""
      triplet: {alike: 3}
      quad: {alike: 4, stands_for: triplet, called: {kong: exposed, concealed_kong: concealed}}
      quint: {alike: 5, stands_for: quad}
      four: {alike: 4, in: [b]}
      run: {run: 3, in: [a]}
      steps: {run: 3, in: [a], by: 1..most}
      set: {any: [triplet, run, gone]}
      many: {any: [set, four]}
      empty: null
    """)
    by_code = {tuple(sorted(written(group))): group for group in found.groups}
    triplet, quad = by_code[(("1m", 3),)], by_code[(("1m", 4),)]
    assert (triplet.kinds, triplet.meld_kinds) == ({"triplet", "set", "many"}, frozenset())
    assert (quad.kinds, quad.meld_kinds) == (frozenset(), {"quad", "triplet", "set", "many"})
    both = by_code[(("1p", 4),)]
    assert (both.kinds, both.meld_kinds) == ({"four", "many"}, {"quad", "triplet", "set"})
    run = by_code[(("1m", 1), ("2m", 1), ("3m", 1))]
    assert (run.kinds, run.step, run.rank, run.suit) == ({"run", "steps", "set", "many"}, 1, 1, "a")
    assert found.sizes == {"triplet": 3, "quad": 3, "quint": 3, "four": 4, "run": 3, "steps": 3, "set": 3}
    assert found.kinds["quad"].called == {"kong": False, "concealed_kong": True}
    assert "empty" not in found.kinds


def test_groups_stand_in_the_order_of_a_hand() -> None:
    found = groups_of("{run: {run: 3, in: [a]}, pair: {alike: 2, in: [a, winds]}}")
    codes = ["".join(world(TILES).tiles.tiles[tile].code for tile in group.tiles) for group in found.groups]
    assert codes[:4] == ["1m1m", "1m2m3m", "2m2m", "2m3m4m"]
    assert codes[-1] == "NN"


BROKEN = [
    ("{x: {alike: 2, run: 3}}", "group-made-twice", 1),
    ("x: {}", "group-without-tiles", 1),
    ("x: {alike: 0}", "bad-number", 1),
    ("y: {alike: 2}\nx: {any: [y, z]}", "unknown-word", 2),
    ("x: {run: 3, in: [nowhere]}", "unknown-word", 1),
    ("x: {run: 3, by: 0}", "bad-span", 1),
    ("x: {run: 3, by: 4..2}", "bad-span", 1),
    ("x: {run: 3, by: ..option}", "unknown-word", 1),
    ("x: {any: [y]}\ny: {any: [x]}", "circle", 1),
    ("x: {alike: 4, stands_for: x}", "circle", 1),
    ("x: {ranks: [[1, two]]}", "bad-ranks", 1),
    ("x: {alike: 4, called: {kong: hidden}}", "bad-name", 1),
]


@pytest.mark.parametrize(("text", "code", "line"), BROKEN)
def test_broken(text: str, code: str, line: int) -> None:
    with pytest.raises(RulesetError) as caught:
        groups_of(text)
    first = caught.value.problems[0]
    assert first.place is not None
    assert (first.code, first.place.line) == (code, line)


def test_too_many_groups_are_refused() -> None:
    suits = ", ".join(f"s{n}: {{code: {code}, ranks: 1..9}}" for n, code in enumerate("abcdefgh"))
    game = world(f"tiles: {{copies: 4, suits: {{{suits}}}}}\ngroups: {{}}")
    many = section(parse(Source("x", "groups: {x: {run: 8, suits: different, by: 1..}}")), "groups")
    with pytest.raises(RulesetError) as caught:
        build_groups(many, game.tiles)
    assert [problem.code for problem in caught.value.problems] == ["too-many-groups"]
