"""Small games for the tests of the hands: a few tiles and forms, and every target that a form can be, by brute force.

A form is written as lists of slots: `{count: 2, of: [kinds]}`, `{count: 1, tiles: [classes]}`, `{each: [classes]}`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from random import Random

from tilewright.base.document import Mapping, Node, Scalar, parse, plain
from tilewright.base.problem import Source
from tilewright.hands.reading import Groups, Hand, Meld, Shape, Slot
from tilewright.hands.readings import ReadingSearch
from tilewright.language.sections.groups import build_groups
from tilewright.language.sections.tiles import build_tiles
from tilewright.tiles.notation import parse_tiles, write_tiles
from tilewright.tiles.tileset import TileSet

STANDARD = """
tiles:
  copies: 4
  suits: {a: {code: m, ranks: 1..9}, b: {code: p, ranks: 1..9}, c: {code: s, ranks: 1..9}}
  unranked: {winds: {codes: [E, S, W, N]}, dragons: {codes: [C, F, P]}}
  special: {red: {of: [5], copies: 1, codes: {0m: 5m, 0p: 5p, 0s: 5s}}}
  classes: {honours: [winds, dragons], majors: [1, 9, honours]}
groups:
  pair: {alike: 2}
  triplet: {alike: 3}
  quad: {alike: 4, stands_for: triplet}
  sequence: {run: 3}
  low: {ranks: [[1, 4, 7]], in: [a]}
  middle: {ranks: [[2, 5, 8]], in: [b]}
  high: {ranks: [[3, 6, 9]], in: [c]}
  seven_run: {run: 7}
  set: {any: [sequence, triplet]}
forms:
  regular: {cases: [[{count: 4, of: [set]}, {count: 1, of: [pair]}]]}
  seven_pairs: {cases: [[{count: 7, of: [pair]}]], concealed: true}
  orphans: {cases: [[{each: [majors]}, {count: 1, tiles: [majors]}]], concealed: true}
  knitted: {cases: [[{count: 9, of: [low, middle, high]}, {each: [honours]}]], pick: 14, concealed: true}
"""

SMALL = """
tiles:
  copies: 3
  suits: {a: {code: m, ranks: 1..6}, b: {code: p, ranks: 1..4}}
  unranked: {winds: {codes: [E, S, W]}, flowers: {codes: [1f, 2f], copies: 1, alike: true}}
  special: {red: {of: [3m], copies: 1, codes: {0m: 3m}}}
  classes: {ends: [1m, 6m, 1p, 4p, winds], odd: [1, 3, 5, E]}
groups:
  pair: {alike: 2}
  triplet: {alike: 3}
  sequence: {run: 3}
  circle: {run: 3, in: [winds]}
  set: {any: [sequence, triplet, circle]}
forms:
  regular: {cases: [[{count: 2, of: [set]}, {count: 1, of: [pair]}]]}
  pairs: {cases: [[{count: 4, of: [pair], different: true}]], concealed: true}
  ends: {cases: [[{each: [ends]}, {count: 1, tiles: [ends]}]], concealed: true}
  odd: {cases: [[{count: 1, tiles: [odd]}, {count: 2, of: [sequence]}]], pick: 6}
"""

WILD = """
tiles:
  copies: 4
  suits: {a: {code: m, ranks: 1..5}}
  unranked: {zero: {codes: [Z], copies: 3}, jokers: {codes: [J], copies: 2}}
  wild:
    zero: {tiles: [zero], stands_for: [0], in: [arith]}
    joker: {tiles: [jokers], stands_for: [suited, zero], in: [triplet, quad]}
groups:
  pair: {alike: 2}
  triplet: {alike: 3}
  quad: {alike: 4, stands_for: triplet}
  arith: {run: 3, by: 1..}
  step: {run: 3}
  set: {any: [arith, triplet]}
forms:
  regular: {cases: [[{count: 2, of: [set]}, {count: 1, of: [pair]}]]}
  different: {cases: [[{count: 4, of: [pair], different: true}]]}
"""

LONG = """
tiles:
  copies: 2
  suits: {a: {code: m, ranks: 1..9}, b: {code: p, ranks: 1..4, cyclic: true}}
groups:
  pair: {alike: 2}
  step: {run: 3}
  long: {run: 6}
  gem: {ranks: [[1, 2, 4], [2, 4, 8]]}
  mixed: {run: 2, suits: different}
  any_three: {any: [step, gem]}
forms:
  ranks: {cases: [[{count: 1, of: [long]}, {count: 1, of: [pair]}]], melds: [step]}
  threes: {cases: [[{count: 2, of: [any_three]}, {count: 1, of: [mixed]}]]}
"""


@dataclass(frozen=True, eq=False)
class World:
    """A game: its tiles, groups and forms."""

    tiles: TileSet
    groups: Groups
    reader: ReadingSearch

    def hand(self, tiles: str, win: str | None = None, melds: tuple[Meld, ...] = ()) -> Hand:
        """A hand as written."""
        found = parse_tiles(win, self.tiles) if win else ()
        return Hand(parse_tiles(tiles, self.tiles), melds, found[0] if found else None)

    def meld(self, text: str, exposed: bool = True) -> Meld:
        """A meld as written, `!` before a concealed one."""
        faces = parse_tiles(text.strip("!"), self.tiles)
        plain_faces = tuple(sorted(self.tiles.tiles[face].plain for face in faces))
        return Meld(self.groups.by_tiles[plain_faces], faces, exposed and not text.startswith("!"))

    def write(self, tiles: tuple[int, ...]) -> str:
        """Tiles in the notation of the game."""
        return write_tiles(tiles, self.tiles)

    def of_kinds(self, *kinds: str) -> frozenset[int]:
        """The groups that are of one of these kinds anywhere."""
        return frozenset(group.index for group in self.groups.groups if group.kinds & set(kinds))


@cache
def world(text: str) -> World:
    """The game of a document."""
    whole = parse(Source("world.yaml", text))
    assert isinstance(whole, Mapping)
    tiles = build_tiles(section(whole, "tiles"), number, {})
    groups = build_groups(section(whole, "groups"), tiles)
    shapes = [shape(name, plain(entry.value), tiles, groups) for name, entry in section(whole, "forms").entries.items()]
    return World(tiles, groups, ReadingSearch(tiles, groups, shapes))


def section(whole: Mapping, name: str) -> Mapping:
    found = whole.get(name)
    return found if isinstance(found, Mapping) else Mapping({}, whole.place)


def number(node: Node) -> int:
    assert isinstance(node, Scalar) and isinstance(node.value, int)
    return node.value


def shape(name: str, said: dict, tiles: TileSet, groups: Groups) -> Shape:
    """A shape as written in a world."""
    cases = tuple(tuple(slot(part, tiles, groups) for part in case) for case in said.get("cases", []))
    return Shape(name, cases, said.get("pick"), said.get("concealed", False), tuple(said.get("melds", ())))


def slot(said: dict, tiles: TileSet, groups: Groups) -> Slot:
    kinds = set(said.get("of", ()))
    written = [*said.get("tiles", ()), *said.get("each", ())]
    named = {tile for name in written if name in tiles.classes for tile in tiles.classes[name].tiles}
    ranked = {tile.index for tile in tiles.tiles if tile.rank in written and tile.plain == tile.index}
    return Slot(
        said.get("count", 1),
        frozenset(group.index for group in groups.groups if group.kinds & kinds),
        frozenset(group.index for group in groups.groups if group.meld_kinds & kinds),
        frozenset(named | ranked),
        "each" in said,
        said.get("different", False),
        said.get("exposed"),
    )


# Brute force


@dataclass(frozen=True)
class Made:
    """A group made of faces: `wild` says what stands for what."""

    slot: int
    group: int
    tiles: tuple[int, ...]
    wild: tuple[tuple[int, int], ...]
    faces: tuple[int, ...]


Target = tuple[Made, ...]


@cache
def targets(game: World, form: str, melds: tuple[Meld, ...]) -> tuple[tuple[Target, tuple[Meld, ...]], ...]:
    """Everything that the concealed tiles may be in the form beside these melds, with the melds that lie inside."""
    shape = next(shape for shape in game.reader.shapes if shape.form == form)
    if shape.concealed and any(meld.exposed for meld in melds):
        return ()
    return tuple(
        dict.fromkeys(
            found
            for case in shape.cases
            for places in product([*range(len(case)), -1], repeat=len(melds))
            for found in _beside(game, shape, case, melds, places)
        )
    )


def _beside(
    game: World, shape: Shape, case: tuple[Slot, ...], melds: tuple[Meld, ...], places: tuple[int, ...]
) -> Iterator[tuple[Target, tuple[Meld, ...]]]:
    """With each meld in the slot of this number, or (-1) inside another group."""
    inside = tuple(meld for meld, place in zip(melds, places, strict=True) if place == -1)
    kinds = [game.groups.groups[meld.group].kinds | game.groups.groups[meld.group].meld_kinds for meld in inside]
    if not all(names & set(shape.melds) for names in kinds):
        return
    if shape.pick:
        pool = game.reader.pool(case)
        if len(inside) == len(melds):
            yield from (
                (tuple(Made(0, -1, (t,), (), (t,)) for t in some), inside)
                for some in combinations(sorted(pool), shape.pick)
            )
        return
    each_slot = []
    for number, wanted in enumerate(case):
        own = [meld.group for meld, place in zip(melds, places, strict=True) if place == number]
        if not all(group in wanted.groups | wanted.meld_groups for group in own) or len(own) > wanted.count:
            return
        each_slot.append(
            [
                some
                for some in combinations_with_replacement(_made(game, number, wanted), wanted.count - len(own))
                if not wanted.different
                or _all_different([*own, *((made.group, made.tiles) for made in some)], own, game)
            ]
        )
    for chosen in product(*each_slot):
        target = tuple(made for some in chosen for made in some)
        groups = [Counter(game.groups.groups[meld.group].tiles) for meld in inside]
        if any(
            all(group <= total for group, total in _totals(groups, target, hosts))
            for hosts in product(range(len(target)), repeat=len(groups))
        ):
            yield target, inside


def _totals(
    groups: list[Counter[int]], target: Target, hosts: tuple[int, ...]
) -> Iterator[tuple[Counter[int], Counter[int]]]:
    """What lies inside each group of the target, and that group's tiles."""
    for number, made in enumerate(target):
        yield sum((g for g, host in zip(groups, hosts, strict=True) if host == number), Counter()), Counter(made.tiles)


def _all_different(mixed: list, own: list[int], game: World) -> bool:
    tiles = [game.groups.groups[group].tiles for group in own] + [pair[1] for pair in mixed[len(own) :]]
    return len(set(tiles)) == len(tiles)


def _made(game: World, number: int, wanted: Slot) -> list[Made]:
    made = {found for group in wanted.groups for found in _fillings(game, number, group)}
    if wanted.each:
        made.add(Made(number, -1, tuple(sorted(wanted.tiles)), (), tuple(sorted(wanted.tiles))))
    elif wanted.tiles:
        made |= {Made(number, -1, (tile,), (), (tile,)) for tile in wanted.tiles if game.reader.wild.copies[tile]}
    return sorted(made, key=repr)


def _fillings(game: World, number: int, index: int) -> Iterator[Made]:
    group = game.groups.groups[index]
    served = {
        tile: [
            w
            for wild in game.tiles.wild
            if wild.groups & (group.kinds | group.meld_kinds) and tile in wild.stands_for.tiles
            for w in wild.tiles.tiles
            if w != tile
        ]
        for tile in group.tiles
    }
    natural = {tile: [tile] if game.reader.wild.copies[tile] else [] for tile in group.tiles}
    for faces in product(*([*natural[tile], *served[tile]] for tile in group.tiles)):
        wild = sorted((face, tile) for face, tile in zip(faces, group.tiles, strict=True) if face != tile)
        yield Made(number, index, group.tiles, tuple(wild), tuple(sorted(faces)))


def faces(target: Target) -> Counter[int]:
    """The faces of a whole target."""
    return Counter(face for made in target for face in made.faces)


def near_hand(game: World, form: str, melds: tuple[Meld, ...], chance: Random, wrong: int) -> list[int]:
    """A full hand of the form, shuffled, with so many of its tiles exchanged for any from the box."""
    found = targets(game, form, melds)
    free = game.reader.wild.copies - game.reader.wild.in_the_box(tile for meld in melds for tile in meld.tiles)
    free = Counter({tile: count for tile, count in free.items() if count > 0})
    for _ in range(50):
        target, inside = chance.choice(found) if found else ((), ())
        tiles = list((faces(target) - Counter(t for meld in inside for t in meld.tiles)).elements())
        if tiles and Counter(tiles) <= free:
            break
    else:
        return []
    chance.shuffle(tiles)
    tiles = tiles[wrong:]
    rest = list((free - Counter(tiles)).elements())
    tiles += chance.sample(rest, wrong)
    chance.shuffle(tiles)
    return tiles


def some_melds(game: World, chance: Random, most: int) -> tuple[Meld, ...]:
    """A few groups of the box, exposed or not."""
    melds: list[Meld] = []
    for _ in range(chance.randint(0, most)):
        group = chance.choice(game.groups.groups)
        taken = Counter(tile for meld in melds for tile in meld.tiles) + Counter(group.tiles)
        if taken <= game.reader.wild.copies:
            melds.append(Meld(group.index, tuple(sorted(group.tiles)), chance.random() < 0.6))
    return tuple(melds)
