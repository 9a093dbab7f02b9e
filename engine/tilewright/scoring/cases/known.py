"""What reading cases needs of a ruleset repeatedly, and what was read before.

Computed once for as long as the ruleset is in use. Knows how no part of a case is written.
"""

import marshal
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tilewright.hands.reading import Meld
from tilewright.language.compiled.ir import HasGroups, Ir, Lookup, Matches, Test, WordCall, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.words import is_personal
from tilewright.scoring.payments.wins import is_of_table

T = TypeVar("T")
MOST_TILES = 60


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What reading a case needs from its ruleset repeatedly: copies of each plain tile in the box, copies of each
    face (those that are one tile in play may be written as any of them), and flags; and what was read before."""

    data: CompiledRuleset
    box: Counter[int]
    faces: Mapping[int, int]
    most: int  # tiles that may lie in one place
    packed: "PackedCopies | None"
    flags: frozenset[str]
    of_seat: frozenset[str]  # those about one seat
    needy: frozenset[str]  # those that hold only with something else
    tile_needy: frozenset[str]  # those of them that ask more of a hand than whether it is concealed
    concealed_kinds: frozenset[str]
    kinds: Mapping[str, str]  # common name -> name in the ruleset
    tables: dict[object, "KnownTable"] = field(default_factory=dict)
    melds: dict[object, Meld] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KnownTable:
    """All that a case says beside the hand: the fields of its situation, and which hands agree with its flags: `False`
    for concealed ones, `True` for others."""

    fields: tuple[Any, ...]
    fitting: set[bool] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class PackedCopies:
    """How often each face and each plain tile may be there, in one number with a byte for each: the sum of `weights` of
    few tiles and `start` has a bit of `over` where there are too many."""

    weights: Sequence[int]
    start: int
    over: int

    def fit(self, tiles: Sequence[int]) -> bool:
        """Whether there are surely no more of any tile than exist."""
        return len(tiles) < OVER and not sum(map(self.weights.__getitem__, tiles), self.start) & self.over


KNOWN: dict[int, KnownNames] = {}
MOST_KNOWN = 64
MOST_READ = 10_000  # tables, melds, or seats that are known of one ruleset
LONGEST_KEY = 500  # bytes of a table or meld that is remembered
OVER = 0x80


def known_of(data: CompiledRuleset) -> KnownNames:
    """The data of the ruleset, computed once for as long as it is in use."""
    known = KNOWN.get(id(data))
    if known is None or known.data is not data:
        if len(KNOWN) >= MOST_KNOWN:
            KNOWN.clear()
        known = KNOWN[id(data)] = what_is_known(data)
    return known


def what_is_known(data: CompiledRuleset) -> KnownNames:
    box = Counter[int]()
    alike = Counter[tuple[int, frozenset[str]]]()
    for tile in data.tiles.tiles:
        box[tile.plain] += tile.copies
        alike[tile.plain, tile.marks] += tile.copies
    marks = {mark.id for mark in data.marks.values() if mark.type == "truth"}
    terms = {term for term, ir in data.terms.items() if ir.type == "truth"}
    called = [
        (name, kind.id, concealed)
        for kind in data.groups.kinds.values()
        for name, concealed in (kind.called or {}).items()
    ]
    kinds = {name: kind for name, kind, _ in called} | {kind: kind for kind in data.groups.kinds}
    of_seat = {mark for mark in marks if data.marks[mark].of == "seat"}
    of_seat |= {term for term in terms if asks_a_seat(data, data.terms[term])}
    concealed_kinds = frozenset(name for name, _, concealed in called if concealed)
    faces = {tile.index: alike[tile.plain, tile.marks] for tile in data.tiles.tiles}
    needy = (marks | terms) & data.needs.keys() - data.scoring.ignored_flags
    return KnownNames(
        data,
        box,
        faces,
        max(MOST_TILES, box.total()),
        packed(data, box, faces),
        frozenset(marks | terms),
        frozenset(of_seat),
        frozenset(needy),
        frozenset(name for name in needy if not all(is_of_table(node, data) for node in nodes(data.needs[name]))),
        concealed_kinds,
        kinds,
    )


def packed(data: CompiledRuleset, box: Counter[int], faces: Mapping[int, int]) -> PackedCopies | None:
    """The copies in one number; None where there are too many of some tile."""
    count = len(data.tiles.tiles)
    plain = [tile.plain for tile in data.tiles.tiles]
    several = sorted({tile for tile in plain if plain.count(tile) > 1 or faces[tile] != box[tile]})
    limits = [*(faces[face] for face in range(count)), *(box[tile] for tile in several)]
    if max(limits) >= OVER:
        return None
    served = frozenset[int]().union(*(wild.stands_for.tiles for wild in data.tiles.wild))
    really = [held_as(data, face) if face in served else face for face in range(count)]
    place_of = {tile: place for place, tile in enumerate(several, count)}
    places = [[face, place_of[plain[face]]] if plain[face] in place_of else [face] for face in really]
    weights = [sum(1 << 8 * place for place in counted) for counted in places]
    start = sum((OVER - 1 - limit) << 8 * place for place, limit in enumerate(limits))
    return PackedCopies(weights, start, sum(OVER << 8 * place for place in range(len(limits))))


def asks_a_seat(data: CompiledRuleset, ir: Ir) -> bool:
    """Whether the expression differs from seat to seat."""
    return any(of_each_seat(data, node) for node in nodes(ir))


def of_each_seat(data: CompiledRuleset, ir: Ir) -> bool:
    if isinstance(ir, Lookup) and ir.of is None:
        lies_with_seats = ir.kind == "zone" and data.zones[ir.name].of == "seat"
        held_of_seats = ir.kind == "mark" and data.marks[ir.name].of == "seat"
        return lies_with_seats or held_of_seats or is_personal(ir.name)
    return isinstance(ir, HasGroups | Test | Matches) or (
        isinstance(ir, WordCall) and ir.of is None and is_personal(ir.name)
    )


# --- what was read before


def key_of(value: Any) -> bytes | None:
    """A key for what was read from such data; None for what cannot be plain data."""
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        return None


def remember_plain(known: dict[object, T], key: bytes | None, value: object, read: T) -> T:
    """What was read, kept by its key if it was read from short, plain data: that alone has a key of its own."""
    if key is None or len(key) > LONGEST_KEY or not is_plain(value):
        return read
    return remember(known, key, read)


def is_plain(value: object) -> bool:
    """Whether JSON could have it, tuples for lists."""
    if isinstance(value, dict):
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    if isinstance(value, list | tuple):
        return all(map(is_plain, value))
    return value is None or isinstance(value, str | bool | int | float)


def remember(known: dict[Any, T], key: object, value: T) -> T:
    """The value, kept for the next time; before there are too many, all are dropped."""
    if len(known) >= MOST_READ:
        known.clear()
    known[key] = value
    return value


def held_as(data: CompiledRuleset, face: int) -> int:
    """The tile itself; of a rank without a tile the wild tile that it has to be, if one stands for it."""
    if not data.tiles.wild or data.tiles.tiles[face].copies > 0:
        return face
    standing = (tile for wild in data.tiles.wild if face in wild.stands_for.tiles for tile in wild.tiles.tiles)
    return min(standing, default=face)
