"""Hands of cases: tiles, melds and seats as people and programs write them in, a hand out.

What reading them needs of a ruleset, and what was read before, is kept for as long as the ruleset is in use. Knows
nothing else that a case says.
"""

import marshal
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any, TypeVar

from tilewright.base.arguments import plain
from tilewright.base.memory import kept
from tilewright.base.problem import Place, Source
from tilewright.hands.reading import Group, Hand, Meld
from tilewright.language.compiled.ir import HasGroups, Ir, Lookup, Matches, Test, WordCall, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.words import is_personal
from tilewright.scoring.case_mistakes import CaseError, given, truth, way_out
from tilewright.scoring.payments import is_of_table
from tilewright.tiles.notation import LISTS, NotationError, read_tiles, sort_tiles, write_tile

OF_MELDS = ("kind", "tiles", "concealed", "discarder", "hand")
MOST_WILDS = 6  # in one meld
POT = "pot"
MOST_MELDS = 24


def read_hand(data: CompiledRuleset, case: Mapping[str, Any], won: bool | None = None) -> Hand:
    """The tiles of a seat."""
    won = truth(case, "winner", True) if won is None else won
    if case.get("hand", ()) is None:
        raise CaseError("wrong-value", "the hand is missing", 'write "" where all tiles are in melds')
    tiles = tiles_of(data, case, "hand")
    melds = given(case, "melds", ())
    if not isinstance(melds, LISTS) or isinstance(melds, str) or len(melds) > MOST_MELDS:
        raise CaseError("wrong-melds", f"melds are a list of at most {MOST_MELDS}", 'for instance ["444p", "EEE"]')
    declared = tuple([read_meld(data, meld) for meld in melds])
    bonus = tiles_of(data, case, "bonus")
    if case.get("win") is not None and case.get("win_tile") is not None:
        raise CaseError("wrong-value", "win and win_tile are both given, and are the same", "leave one out")
    win = tiles_of(data, case, "win" if case.get("win_tile") is None else "win_tile")
    if not won and win:
        raise CaseError(
            "unwon-tile",
            "a hand that did not win has no winning tile",
            'put the tile into "hand", or leave out "winner"',
        )
    if not won:
        return Hand(sort_tiles(tiles, data.tiles), declared, None, bonus)
    if len(win) != 1:
        raise CaseError(
            "no-winning-tile", "the case does not say which tile won", 'name it as "win_tile", or say "winner": false'
        )
    return Hand(sort_tiles(tiles, data.tiles), declared, win[0], bonus)


def tiles_of(data: CompiledRuleset, case: Mapping[str, Any], key: str) -> tuple[int, ...]:
    """The tiles under a key of the case, none where it is missing."""
    value = case.get(key)
    return () if value is None else read(data, value, key, lying=True)


def read(data: CompiledRuleset, value: object, what: str, lying: bool = False) -> tuple[int, ...]:
    """The tiles of a text or list; of those that are on the table at most as many as exist."""
    try:
        tiles = read_tiles(value, data.tiles)
    except NotationError as error:
        text = value if isinstance(value, str) else " ".join(map(str, value)) if isinstance(value, list) else str(value)
        place = Place(Source(what, text), 1, error.offset + 1, max(1, error.length))
        raise CaseError("wrong-tiles", f"{what}: {error.message}", error.hint, place) from None
    if len(tiles) > MOST_TILES and (not lying or len(tiles) > known_of(data).most):
        most = known_of(data).most if lying else MOST_TILES
        raise CaseError("too-many-tiles", f"{what} has {len(tiles)} tiles, more than {most}")
    return tiles


def read_meld(data: CompiledRuleset, meld: object) -> Meld:
    """A declared group: text ("444p", "concealed 4444p") or a mapping with kind, tiles and concealed."""
    known = known_of(data).melds
    key = key_of(meld)
    found = known.get(key)
    return remember_plain(known, key, meld, newly_read_meld(data, plain(meld))) if found is None else found


def newly_read_meld(data: CompiledRuleset, meld: object) -> Meld:
    if isinstance(meld, str):
        word, _, rest = meld.strip().partition(" ")
        concealed = word == "concealed"
        return made(data, read(data, rest if concealed else meld, "meld"), None, concealed)
    if not isinstance(meld, Mapping) or "tiles" not in meld:
        raise CaseError("wrong-melds", "a meld is text or has `tiles`", 'for instance "444p"')
    for key in meld:
        if key not in OF_MELDS:
            raise CaseError("unknown-key", f"a meld has no {key!r}", way_out(str(key), OF_MELDS))
    kind = meld.get("kind")
    if not isinstance(kind, str | None):
        raise CaseError("unknown-kind", f"the kind of a meld is a name, not {kind!r}", kinds_hint(data))
    concealed = truth(meld, "concealed", kind in known_of(data).concealed_kinds)
    found = made(data, read(data, meld["tiles"], "meld"), kind, concealed)
    discarder = read_seat(data, meld.get("discarder"), "discarder of a meld")
    found = found if discarder is None else replace(found, discarder=discarder)
    return replace(found, hand=hand_of(data, meld["hand"])) if "hand" in meld else found


def hand_of(data: CompiledRuleset, number: object) -> int:
    """The hand of its seat that a meld belongs to."""
    most = data.seats.hands
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise CaseError("wrong-value", f"the hand of a meld is a number from 1 to {most}, not {number!r:.40}")
    return number


def kinds_hint(data: CompiledRuleset) -> str:
    return f"there is {', '.join(known_of(data).kinds)}"


def made(data: CompiledRuleset, faces: tuple[int, ...], kind: str | None, concealed: bool) -> Meld:
    """The meld that these tiles make, of that kind if one is named."""
    kinds = known_of(data).kinds
    named = None if kind is None else kinds.get(kind)
    if kind is not None and named is None:
        raise CaseError("unknown-kind", f"no group is called {kind!r}", way_out(kind, kinds))
    if not faces:
        raise CaseError("wrong-melds", "a meld has no tiles", 'for instance "444p"')
    for group, wild in groups_of(data, faces):
        if named is None or named in group.kinds | group.meld_kinds:
            lying = tuple(held_as(data, face) for face in faces)
            return Meld(group.index, lying, not concealed, wild)
    text = " ".join(write_tile(face, data.tiles) for face in faces)
    raise CaseError(
        "no-group", f"{text} is not a {'group' if kind is None else kind} of this ruleset", kinds_hint(data)
    )


def groups_of(data: CompiledRuleset, faces: tuple[int, ...]) -> list[tuple[Group, tuple[tuple[int, int], ...]]]:
    """The groups that these tiles can be, each with what its wild tiles stand for."""
    tiles = data.tiles.tiles
    plain = [tiles[face].plain for face in faces]
    direct = data.groups.by_tiles.get(tuple(sorted(plain)))
    if direct is not None:
        forced = tuple((held_as(data, tile), tile) for tile in plain if held_as(data, tile) != tile)
        return [(data.groups.groups[direct], forced)]
    result = []
    for group in data.groups.groups:
        if len(group.tiles) == len(plain) and (wild := substitution(data, plain, group)) is not None:
            result.append((group, wild))
    return result


def substitution(data: CompiledRuleset, plain: list[int], group: Group) -> tuple[tuple[int, int], ...] | None:
    """What the wild tiles among these stand for if they make the group; None if they cannot."""
    missing, wilds = list(group.tiles), []
    for tile in plain:
        if tile in missing and not any(tile in w.tiles.tiles for w in data.tiles.wild):
            missing.remove(tile)
        else:
            wilds.append(tile)
    for order in sorted(set(permutations(missing))) if len(wilds) <= MOST_WILDS else ():
        if all(can_stand(data, wild, stood, group) for wild, stood in zip(wilds, order, strict=True)):
            return tuple((w, s) for w, s in zip(wilds, order, strict=True) if w != s)
    return None


def can_stand(data: CompiledRuleset, wild: int, stood: int, group: Group) -> bool:
    return wild == stood or any(
        wild in w.tiles.tiles
        and stood in w.stands_for.tiles
        and (not w.groups or w.groups & (group.kinds | group.meld_kinds))
        for w in data.tiles.wild
    )


def read_seat(data: CompiledRuleset, value: object, what: str) -> int | None:
    """A seat by its wind, or by its number from the dealer (1 is the dealer)."""
    if value is None:
        return None
    if isinstance(value, str):
        seats = known_of(data).seats
        seat = seats.get(value)
        return kept(seats, value, newly_read_seat(data, value, what), MOST_READ) if seat is None else seat
    return newly_read_seat(data, value, what)


def newly_read_seat(data: CompiledRuleset, value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise CaseError("wrong-seat", f"{what}: a seat is a wind or a number", seats_hint(data))
    if str(value).isdecimal() and 1 <= int(value) <= data.seats.count:
        return int(value) - 1
    for text in (str(value), str(value).swapcase()):
        if text in data.seats.names:
            return data.seats.names.index(text)
        with suppress(NotationError, ValueError):
            (tile,) = read_tiles(text, data.tiles)
            return data.seats.winds[: data.seats.count].index(tile)
    raise CaseError("wrong-seat", f"{what}: nobody sits at {value!r}", seats_hint(data))


def seats_hint(data: CompiledRuleset) -> str:
    return f"seats are {', '.join(seat_names(data)[: data.seats.count])}"


def seat_names(data: CompiledRuleset) -> tuple[str, ...]:
    """Names of the seats in results: the ruleset's, else by wind, others by number; and the pot after them."""
    if len(data.seats.names) >= data.seats.count:
        return (*data.seats.names[: data.seats.count], POT)
    winds = tuple(write_tile(tile, data.tiles) for tile in data.seats.winds[: data.seats.count])
    return (*winds, *(str(n + 1) for n in range(len(winds), data.seats.count)), POT)


# --- what is known of a ruleset

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
        known = kept(KNOWN, id(data), what_is_known(data), MOST_KNOWN)
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
    return kept(known, key, read, MOST_READ)


def is_plain(value: object) -> bool:
    """Whether JSON could have it, tuples for lists."""
    if isinstance(value, dict):
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    if isinstance(value, list | tuple):
        return all(map(is_plain, value))
    return value is None or isinstance(value, str | bool | int | float)


def held_as(data: CompiledRuleset, face: int) -> int:
    """The tile itself; of a rank without a tile the wild tile that it has to be, if one stands for it."""
    if not data.tiles.wild or data.tiles.tiles[face].copies > 0:
        return face
    standing = (tile for wild in data.tiles.wild if face in wild.stands_for.tiles for tile in wild.tiles.tiles)
    return min(standing, default=face)
